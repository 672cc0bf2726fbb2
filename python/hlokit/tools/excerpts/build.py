"""Builds modules from graphs: with arguments, or with the values as constants."""

from __future__ import annotations

import io
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from hlokit.errors import UnsupportedError
from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.conversion.elements import append_constant, elements_attribute
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.copies import append_copy
from hlokit.mlir.queries.module import called_functions, walk
from hlokit.mlir.queries.types import to_mlir_type, value_type
from hlokit.tools.excerpts.graph import Graph, Node
from hlokit.values.types import TensorType, ValueType

# The source of a program's values: arguments; constants; constants behind an `optimization_barrier`, so that
# compilers do not fold them.
Form = Literal["arguments", "constants", "barrier"]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A program that was built from a graph.

    Attributes:
      module: bytecode with the function `main`.
      arguments: arguments of `main`.
    """

    module: bytes
    arguments: tuple[Any, ...]


def build(graph: Graph, form: Form = "arguments") -> Excerpt:
    """The program of a graph.

    Raises:
      UnsupportedError: a value of the graph cannot be an argument.
    """
    ids = graph.arguments
    values: list[Any] = []
    for number in ids:
        array = graph.arrays.get(number)
        if array is None:
            raise UnsupportedError(f"a value of type {graph.types[number]} cannot be an argument")
        values.append(array)
    with graph_module(graph) as (module, main):
        inputs = [to_mlir_type(graph.types[number]) for number in ids]
        outputs = [to_mlir_type(graph.types[number]) for number in graph.results]
        block = add_main(main, inputs if form == "arguments" else [], outputs)
        arguments: Sequence[ir.Value] = list(block.arguments)
        if form != "arguments":
            arguments = [
                constant(block, array, graph.types[number]) for number, array in zip(ids, values, strict=True)
            ]
        if form == "barrier" and arguments:
            barrier = ir.Operation.create(
                "stablehlo.optimization_barrier",
                [value.type for value in arguments],
                list(arguments),
                ip=ir.InsertionPoint(block),
            )
            arguments = list(barrier.results)
        environment = dict(zip(ids, arguments, strict=True))
        place_nodes(graph, block, environment)
        results = [environment[number] for number in graph.results]
        ir.Operation.create("func.return", operands=results, ip=ir.InsertionPoint(block))
        buffer = io.BytesIO()
        module.operation.write_bytecode(buffer)
    return Excerpt(buffer.getvalue(), tuple(values) if form == "arguments" else ())


@contextmanager
def graph_module(graph: Graph) -> Generator[tuple[ir.Module, ir.InsertionPoint]]:
    """An empty module in the context of a graph's operations, and its insertion point."""
    context = graph.nodes[0].operation.context
    with context, ir.Location.unknown():
        module = ir.Module.create()
        yield module, ir.InsertionPoint(module.body)


def add_main(
    point: ir.InsertionPoint, inputs: Sequence[ir.Type], outputs: Sequence[ir.Type], name: str = "main"
) -> ir.Block:
    """The block of a new function."""
    function = ir.Operation.create(
        "func.func",
        attributes={
            "sym_name": ir.StringAttr.get(name),
            "function_type": ir.TypeAttr.get(ir.FunctionType.get(list(inputs), list(outputs))),
        },
        regions=1,
        ip=point,
    )
    return ir.Block.create_at_start(function.regions[0], list(inputs))


def place_nodes(graph: Graph, block: ir.Block, environment: dict[int, ir.Value]) -> None:
    """Copy the nodes to the end of a block, and the functions that they call to the module."""
    module = block.owner
    while module.parent is not None:
        module = module.parent
    body = module.regions[0].blocks[0]
    called: set[str] = set()
    for node in graph.nodes:
        clone = _copy(block, node, [environment[value] for value in node.operands])
        for number, result in zip(node.results, clone.results, strict=True):
            wanted = graph.types[number]
            if str(result.type) != str(wanted) and isinstance(wanted, TensorType):
                result.set_type(to_mlir_type(wanted))
            environment[number] = result
        if node.changes.nested is not None:
            _retype_regions(clone, node.changes.nested)
        for name, function in called_functions(node.operation).items():
            if name not in called:
                called.add(name)
                copy = function.clone(ip=False)
                copy.operation.attributes["sym_visibility"] = ir.StringAttr.get("private")
                body.append(copy)
                if node.changes.nested is not None:
                    _retype_function(copy.operation, node.changes.nested)


def constant(block: ir.Block, array: Any, type_: ValueType) -> ir.Value:
    """A constant at the end of a block."""
    assert isinstance(type_, TensorType)
    return append_constant(block, _compact(np.asarray(array)), type_)


def _compact(array: Any) -> Any:
    """An array of equal elements as a view that repeats a single element."""
    if array.size > 1 and array.tobytes() == array.reshape(-1)[:1].tobytes() * array.size:
        return np.broadcast_to(array.reshape(-1)[0], array.shape)
    return array


def _copy(block: ir.Block, node: Node, operands: Sequence[ir.Value]) -> ir.Operation:
    clone = append_copy(block, node.operation, operands)
    for name, text in node.changes.attributes:
        clone.attributes[name] = ir.Attribute.parse(text)
    if node.changes.value is not None:
        array, type_ = node.changes.value
        clone.attributes["value"] = elements_attribute(_compact(array), type_, to_mlir_type(type_))
    return clone


Retype = Callable[[TensorType], TensorType]


def _retype(value: ir.Value, change: Retype) -> None:
    type_ = value_type(value.type)
    if isinstance(type_, TensorType) and type_.is_static:
        new = change(type_)
        if new != type_:
            value.set_type(to_mlir_type(new))


def _retype_regions(operation: ir.Operation, change: Retype) -> None:
    def visit(inner: ir.Operation) -> None:
        for region in inner.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    _retype(argument, change)
        if inner == operation:
            return
        if inner.name == "stablehlo.constant":
            _retype_constant(inner, change)
        for result in inner.results:
            _retype(result, change)

    walk(operation, visit)


def _retype_constant(operation: ir.Operation, change: Retype) -> None:
    type_ = value_type(operation.results[0].type)
    if not isinstance(type_, TensorType) or not type_.is_static:
        return
    new = change(type_)
    if new == type_:
        return
    array = resized(read_elements(operation, "value"), new)
    operation.attributes["value"] = elements_attribute(_compact(array), new, to_mlir_type(new))


def resized(array: Any, type_: TensorType, starts: Sequence[int] | None = None) -> Any:
    """A piece of an array with a type's shape and element type, repeated if it is too small."""
    if array.ndim != len(type_.dims):
        return np.resize(array, type_.dims).astype(type_.element_type.dtype)
    for axis, size in enumerate(type_.dims):
        if array.shape[axis] == size:
            continue
        start = 0 if starts is None else min(starts[axis], max(0, array.shape[axis] - size))
        index = start + np.arange(size)
        array = np.take(array, index % max(1, array.shape[axis]), axis)
    with np.errstate(all="ignore"):
        return np.asarray(array).astype(type_.element_type.dtype)


def _retype_function(function: ir.Operation, change: Retype) -> None:
    _retype_regions(function, change)
    type_ = ir.FunctionType(function.attributes["function_type"].value)

    def changed(old: ir.Type) -> ir.Type:
        old_type = value_type(old)
        if isinstance(old_type, TensorType) and old_type.is_static:
            return to_mlir_type(change(old_type))
        return old

    inputs, results = ([changed(old) for old in types] for types in (type_.inputs, type_.results))
    function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, results))
