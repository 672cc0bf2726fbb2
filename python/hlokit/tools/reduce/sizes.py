"""Smaller shapes and other element types: replaces types and attributes of a graph.

A replacement applies to a size of dimensions everywhere, or to one argument only. Result shapes follow from
operands where the card of an operation says how; all other results keep their shapes, apart from replaced
sizes. The verifier decides whether the shapes fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.constants import read_elements
from hlokit.operations.cards import card_of
from hlokit.operations.cards.card import Without
from hlokit.operations.lookup import having
from hlokit.tools.excerpts.build import resized
from hlokit.tools.excerpts.graph import Changes, Graph, Node
from hlokit.tools.reduce.rules.resizing import DoesNotFit, Resized, Shape, array_text
from hlokit.values.element_types import ELEMENT_TYPES, ElementType
from hlokit.values.types import TensorType

# Operations whose results have the shape of their operands.
_SAME_SHAPE = having(lambda traits: traits.elementwise or traits.same_shape)
# The attributes that contain sizes, of operations whose cards have no function that resizes.
_SIZES = ("slice_sizes", "window_dimensions", "fft_length")


def with_shapes(graph: Graph, shapes: Mapping[int, Shape], other: Callable[[int], int]) -> Graph | None:
    """The graph with other shapes of its arguments.

    Args:
      shapes: the new shape of each argument.
      other: the replacement of all other sizes.
    """
    types = dict(graph.types)

    def nested(type_: TensorType) -> TensorType:
        return TensorType(tuple(map(other, type_.dims)), type_.element_type)

    for number, shape in shapes.items():
        old = types[number]
        assert isinstance(old, TensorType)
        types[number] = TensorType(shape, old.element_type)
    nodes: list[Node] = []
    try:
        for node in graph.nodes:
            nodes.append(_with_new_results(graph, node, types, other, nested))
    except (DoesNotFit, IndexError, ZeroDivisionError, ValueError):
        return None
    return replace(graph, nodes=tuple(nodes), types=types)


def _with_new_results(
    graph: Graph,
    node: Node,
    types: dict[int, Any],
    other: Callable[[int], int],
    nested: Callable[[TensorType], TensorType],
) -> Node:
    old_types = [graph.types[value] for value in (*node.operands, *node.results)]
    if not all(isinstance(type_, TensorType) and type_.is_static for type_ in old_types):
        return node
    operands = [types[value].dims for value in node.operands]
    before: list[tuple[int, ...]] = [graph.types[value].dims for value in node.operands]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] # tensors
    card = card_of(node.name)
    infer = None if card is None or isinstance(card.resize, Without) else card.resize
    changed: list[tuple[str, str]] = []
    for value in node.results:
        old = graph.types[value]
        assert isinstance(old, TensorType)
        shape = tuple(map(other, old.dims))
        if infer is not None and node.operands:
            count = len(node.results) if node.name == "stablehlo.reduce" else len(node.operation.operands)
            at = Resized(
                node.operation, Attributes(node.operation), operands[:count], before[:count], old.dims, other
            )
            shape, attributes = infer(at)
            changed += [attribute for attribute in attributes if attribute not in changed]
        if min(shape, default=1) < 0 or (prod(old.dims) and not prod(shape)):
            raise DoesNotFit
        types[value] = TensorType(shape, old.element_type)
    if infer is None:
        for name in _SIZES:
            if name in node.operation.attributes:
                sizes = list(Attributes(node.operation).ints(name))
                changed.append((name, array_text([other(size) for size in sizes])))
    value = None
    if node.name == "stablehlo.constant":
        new = types[node.results[0]]
        if new != graph.types[node.results[0]]:
            value = (resized(read_elements(node.operation, "value"), new), new)
    has_regions = len(node.operation.regions) > 0 or node.name in ("func.call", "stablehlo.composite")
    return replace(node, changes=Changes(tuple(changed), value, nested if has_regions else None))


def without_ranks(graph: Graph) -> list[Graph]:
    """Graphs without any dimension of size 1, or without one of them, if all operations are elementwise."""
    tensors = [
        type_
        for node in graph.nodes
        for type_ in [graph.types[value] for value in (*node.operands, *node.results)]
        if isinstance(type_, TensorType)
    ]
    ranked = {type_.dims for type_ in tensors if type_.is_static and type_.dims}
    fits = all(node.name in _SAME_SHAPE or node.name == "stablehlo.constant" for node in graph.nodes)
    if not fits or len(ranked) != 1 or not all(type_.is_static for type_ in tensors):
        return []
    (dims,) = ranked
    shapes = [tuple([size for size in dims if size != 1])]
    shapes += [dims[:axis] + dims[axis + 1 :] for axis, size in enumerate(dims) if size == 1]
    return [_reshaped(graph, dims, shape) for shape in dict.fromkeys(shapes) if shape != dims]


def _reshaped(graph: Graph, old: Shape, new: Shape) -> Graph:
    types: dict[int, Any] = {}
    for number, type_ in graph.types.items():
        types[number] = type_
        if isinstance(type_, TensorType) and type_.is_static and type_.dims == old:
            types[number] = TensorType(new, type_.element_type)
    arrays = {
        number: np.asarray(array).reshape(new) if types[number] != graph.types[number] else array
        for number, array in graph.arrays.items()
    }
    nodes: list[Node] = []
    for node in graph.nodes:
        value = None
        if node.name == "stablehlo.constant" and types[node.results[0]] != graph.types[node.results[0]]:
            value = (read_elements(node.operation, "value").reshape(new), types[node.results[0]])
        nodes.append(replace(node, changes=Changes((), value, None)))
    return replace(graph, nodes=tuple(nodes), types=types, arrays=arrays)


# Element types ----------------------------------------------------------------------------------------

# The replacements of a type, the simplest first.
_SIMPLER: tuple[tuple[str, str], ...] = (
    *((name, "f32") for name in ("f64", "bf16", "f16", "f8E4M3FN", "f8E5M2", "f8E4M3", "f8E3M4")),
    *(
        (name, "f32")
        for name in ("f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN")
    ),
    ("complex<f64>", "complex<f32>"),
    *((name, "i32") for name in ("i64", "i16", "i8", "i4", "i2")),
    *((name, "i32") for name in ("ui64", "ui32", "ui16", "ui8", "ui4", "ui2")),
)


def simpler_types(graph: Graph) -> list[Graph]:
    """The graph with one of its element types replaced by a simpler one."""
    used = {
        type_.element_type.name
        for node in graph.nodes
        for type_ in [graph.types[value] for value in (*node.operands, *node.results)]
        if isinstance(type_, TensorType)
    }
    return [
        _with_element_type(graph, ELEMENT_TYPES[old], ELEMENT_TYPES[new])
        for old, new in _SIMPLER
        if old in used
    ]


def _with_element_type(graph: Graph, old: ElementType, new: ElementType) -> Graph:
    def change(type_: TensorType) -> TensorType:
        return TensorType(type_.shape, new) if type_.element_type == old else type_

    types: dict[int, Any] = {}
    arrays = dict(graph.arrays)
    for number, type_ in graph.types.items():
        types[number] = change(type_) if isinstance(type_, TensorType) else type_
        if types[number] != type_ and number in arrays:
            with np.errstate(all="ignore"):
                arrays[number] = np.asarray(arrays[number]).astype(new.dtype)
    nodes: list[Node] = []
    for node in graph.nodes:
        value = None
        if node.name == "stablehlo.constant" and types[node.results[0]] != graph.types[node.results[0]]:
            type_ = types[node.results[0]]
            with np.errstate(all="ignore"):
                value = (read_elements(node.operation, "value").astype(new.dtype), type_)
        nodes.append(replace(node, changes=Changes((), value, change)))
    return replace(graph, nodes=tuple(nodes), types=types, arrays=arrays)
