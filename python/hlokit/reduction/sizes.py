"""Smaller shapes and other element types: replaces types and attributes of a graph.

A replacement applies to a size of dimensions everywhere, or to one argument only. For the operations in
`_INFER`, result shapes follow from operands; all other results keep their shapes, apart from replaced sizes.
The verifier decides whether the shapes fit.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (the bindings are partly untyped)

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from hlokit.excerpts.build import resized
from hlokit.excerpts.graph import Changes, Graph, Node
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.conversion.dimension_numbers import ConvDimensionNumbers, DotDimensionNumbers
from hlokit.traits.table import having
from hlokit.values.element_types import ELEMENT_TYPES, ElementType
from hlokit.values.types import TensorType

Shape = tuple[int, ...]


class DoesNotFit(Exception):
    """The shapes do not fit the operations."""


@dataclass(frozen=True, slots=True)
class _At:
    """An operation whose operands have new shapes.

    Attributes:
      operands, before: the new and the old shapes of the operands.
      result: the old shape of the result.
      other: the replacement of sizes.
    """

    node: Node
    attributes: Attributes
    operands: Sequence[Shape]
    before: Sequence[Shape]
    result: Shape
    other: Callable[[int], int]

    def ints(self, name: str) -> list[int]:
        return list(self.attributes.ints(name))


def _array(values: Sequence[int]) -> str:
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


Inferred = tuple[Shape, tuple[tuple[str, str], ...]]


def _like_operands(at: _At) -> Inferred:
    return max(at.operands, key=len, default=tuple(map(at.other, at.result))), ()


def _slice(at: _At) -> Inferred:
    (shape,), (old,) = at.operands, at.before
    starts, limits, strides = (at.ints(name) for name in ("start_indices", "limit_indices", "strides"))
    sizes: list[int] = []
    for axis, size in enumerate(shape):
        wanted = at.other(at.result[axis])
        if limits[axis] == old[axis]:
            limits[axis] = size
            starts[axis] = min(starts[axis], max(0, size - 1)) if size else 0
        else:
            limits[axis] = min(limits[axis], size)
            starts[axis] = min(starts[axis], max(0, limits[axis] - 1))
            if wanted != at.result[axis]:
                limits[axis] = min(size, starts[axis] + (wanted - 1) * strides[axis] + 1)
        sizes.append(-(-(limits[axis] - starts[axis]) // strides[axis]))
    return tuple(sizes), (("start_indices", _array(starts)), ("limit_indices", _array(limits)))


def _reshape(at: _At) -> Inferred:
    (shape,) = at.operands
    size, new = prod(shape), [at.other(each) for each in at.result]
    if prod(new) != size:
        for axis in sorted(range(len(new)), key=lambda axis: -at.result[axis]):
            rest = prod(new[:axis] + new[axis + 1 :])
            if rest and size % rest == 0:
                new[axis] = size // rest
                return tuple(new), ()
        raise DoesNotFit
    return tuple(new), ()


def _concatenate(at: _At) -> Inferred:
    axis = at.attributes.int_("dimension", 0)
    shape = list(at.operands[0])
    shape[axis] = sum(each[axis] for each in at.operands)
    return tuple(shape), ()


def _pad(at: _At) -> Inferred:
    low, high, interior = (
        at.ints(name) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    shape = tuple(
        low[axis] + size + max(0, size - 1) * interior[axis] + high[axis]
        for axis, size in enumerate(at.operands[0])
    )
    return shape, ()


def _broadcast(at: _At) -> Inferred:
    shape = [at.other(each) for each in at.result]
    for axis, target in enumerate(at.ints("broadcast_dimensions")):
        if at.before[0][axis] == at.result[target]:
            shape[target] = at.operands[0][axis]
    return tuple(shape), ()


def _transpose(at: _At) -> Inferred:
    return tuple(at.operands[0][axis] for axis in at.ints("permutation")), ()


def _reduce(at: _At) -> Inferred:
    axes = at.ints("dimensions")
    return tuple(size for axis, size in enumerate(at.operands[0]) if axis not in axes), ()


def _dynamic_slice(at: _At) -> Inferred:
    sizes = [
        min(at.other(size), limit) for size, limit in zip(at.ints("slice_sizes"), at.operands[0], strict=True)
    ]
    return tuple(sizes), (("slice_sizes", _array(sizes)),)


def _gather(at: _At) -> Inferred:
    sizes = [
        min(at.other(size), limit) for size, limit in zip(at.ints("slice_sizes"), at.operands[0], strict=True)
    ]
    return tuple(map(at.other, at.result)), (("slice_sizes", _array(sizes)),)


def _first(at: _At) -> Inferred:
    return at.operands[0], ()


def _dot_general(at: _At) -> Inferred:
    numbers = at.attributes.read("dot_dimension_numbers", DotDimensionNumbers.read)
    lhs, rhs = at.operands
    batch = list(numbers.lhs_batching_dimensions)
    shape = [lhs[axis] for axis in batch]
    used = {*batch, *numbers.lhs_contracting_dimensions}
    shape += [size for axis, size in enumerate(lhs) if axis not in used]
    used = {*numbers.rhs_batching_dimensions, *numbers.rhs_contracting_dimensions}
    shape += [size for axis, size in enumerate(rhs) if axis not in used]
    return tuple(shape), ()


def _convolution(at: _At) -> Inferred:
    numbers = at.attributes.read("dimension_numbers", ConvDimensionNumbers.read)
    lhs, rhs = at.operands
    shape = [0] * len(lhs)
    groups = at.attributes.int_("batch_group_count", 1)
    shape[numbers.output_batch_dimension] = lhs[numbers.input_batch_dimension] // max(1, groups)
    shape[numbers.output_feature_dimension] = rhs[numbers.kernel_output_feature_dimension]
    spatial = numbers.output_spatial_dimensions
    for place, axis in enumerate(spatial):
        size, kernel = (
            lhs[numbers.input_spatial_dimensions[place]],
            rhs[numbers.kernel_spatial_dimensions[place]],
        )
        old = at.before[0][numbers.input_spatial_dimensions[place]]
        old_kernel = at.before[1][numbers.kernel_spatial_dimensions[place]]
        if (size, kernel) == (old, old_kernel):
            shape[axis] = at.result[axis]
        else:
            shape[axis] = _convolved(at, place, size, kernel)
    return tuple(shape), ()


def _convolved(at: _At, place: int, size: int, kernel: int) -> int:
    def given(name: str) -> int:
        return at.ints(name)[place] if name in at.node.operation.attributes else 1

    low = high = 0
    if "padding" in at.node.operation.attributes:
        low, high = np.asarray(at.attributes.elements("padding")).reshape(-1, 2)[place].tolist()
    base, window, stride = given("lhs_dilation"), given("rhs_dilation"), given("window_strides")
    padded = low + high + max(0, (size - 1) * base + 1)
    dilated = (kernel - 1) * window + 1
    return max(0, (padded - dilated) // stride + 1)


_INFER: dict[str, Callable[[_At], Inferred]] = {
    "stablehlo.broadcast_in_dim": _broadcast,
    "stablehlo.concatenate": _concatenate,
    "stablehlo.convolution": _convolution,
    "stablehlo.dot_general": _dot_general,
    "stablehlo.dynamic_slice": _dynamic_slice,
    "stablehlo.dynamic_update_slice": _first,
    "stablehlo.gather": _gather,
    "stablehlo.pad": _pad,
    "stablehlo.reduce": _reduce,
    "stablehlo.reshape": _reshape,
    "stablehlo.slice": _slice,
    "stablehlo.transpose": _transpose,
}
# Operations whose results have the shape of their operands.
_SAME_SHAPE = having("elementwise", "same_shape")
# The attributes that contain sizes, of operations without a function in `_INFER`.
_SIZES = ("slice_sizes", "window_dimensions", "fft_length")


def with_shapes(graph: Graph, given: Mapping[int, Shape], other: Callable[[int], int]) -> Graph | None:
    """The graph with other shapes of its arguments.

    Args:
      given: the new shape of each argument.
      other: the replacement of all other sizes.
    """
    types = dict(graph.types)

    def nested(type_: TensorType) -> TensorType:
        return TensorType(tuple(map(other, type_.dims)), type_.element_type)

    for number, shape in given.items():
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
    known = [graph.types[value] for value in (*node.operands, *node.results)]
    if not all(isinstance(type_, TensorType) and type_.is_static for type_ in known):
        return node
    operands = [types[value].dims for value in node.operands]
    before = [graph.types[value].dims for value in node.operands]  # pyright: ignore[reportAttributeAccessIssue] # tensors
    infer = _INFER.get(node.name) or (_like_operands if node.name in _SAME_SHAPE else None)
    changed: list[tuple[str, str]] = []
    for value in node.results:
        old = graph.types[value]
        assert isinstance(old, TensorType)
        shape = tuple(map(other, old.dims))
        if infer is not None and node.operands:
            count = len(node.results) if node.name == "stablehlo.reduce" else len(node.operation.operands)
            at = _At(node, Attributes(node.operation), operands[:count], before[:count], old.dims, other)
            shape, attributes = infer(at)
            changed += [each for each in attributes if each not in changed]
        if min(shape, default=1) < 0 or (prod(old.dims) and not prod(shape)):
            raise DoesNotFit
        types[value] = TensorType(shape, old.element_type)
    if infer is None:
        for name in _SIZES:
            if name in node.operation.attributes:
                sizes = list(Attributes(node.operation).ints(name))
                changed.append((name, _array([other(size) for size in sizes])))
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
