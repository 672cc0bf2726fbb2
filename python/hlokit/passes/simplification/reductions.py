"""reduce and sort: unused operands and results."""

from __future__ import annotations

from collections.abc import Sequence

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import attributes_of
from hlokit.passes.framework.rewriting import Rewriter
from hlokit.passes.simplification.effects import is_pure
from hlokit.passes.simplification.regions import (
    arguments_behind,
    body,
    is_inside,
    move_with_arguments,
    return_only,
    terminator,
)
from hlokit.passes.simplification.support import (
    Entry,
    Value,
    build,
    has_attributes_of_results,
    i64,
    i64s,
    int_,
    ints,
    is_quantized,
    is_used,
    shape,
    static_shape,
    tensor,
    with_shape,
)


def _same_types(operation: ir.Operation, values: Sequence[Value]) -> bool:
    return [result.type for result in operation.results] == [value.type for value in values]


def _pairs(operation: ir.Operation) -> tuple[list[Value], list[Value]]:
    """Inputs and init values of a reduction."""
    operands = list(operation.operands)
    return operands[: len(operands) // 2], operands[len(operands) // 2 :]


def _reduce_no_dimensions(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """reduce(x, over no dimensions) -> x

    The number of times that an init value is included is implementation-defined: here, zero.
    """
    inputs, _ = _pairs(operation)
    if ints(operation, "dimensions") or not _same_types(operation, inputs):
        return False
    rewriter.replace(operation, inputs)
    return True


def _broadcast_to_results(operation: ir.Operation, values: Sequence[Value]) -> list[Value] | None:
    """Scalars broadcast to the results' shapes."""
    pairs = list(zip(operation.results, values, strict=True))
    if any(static_shape(result) is None or is_quantized(value) for result, value in pairs):
        return None
    dims = {"broadcast_dimensions": i64s([])}
    return [
        value
        if value.type == result.type
        else build("stablehlo.broadcast_in_dim", [result.type], [value], dims).results[0]
        for result, value in pairs
    ]


def _broadcast_to_kept_sizes(operation: ir.Operation, inits: Sequence[Value]) -> list[Value] | None:
    """Init values broadcast to the input's runtime sizes in the dimensions that are not reduced."""
    types = [tensor(result) for result in operation.results]
    if any(is_quantized(init) for init in inits) or any(t is None or t.encoding is not None for t in types):
        return None
    source, rank = operation.operands[0], len(shape(operation.operands[0]) or ())
    number = ir.RankedTensorType.get([], ir.IntegerType.get_signless(32))
    one = with_shape(number, [1])
    reduced, sizes = ints(operation, "dimensions"), list[Value]()
    for dim in range(rank):
        if dim not in reduced:
            size = build("stablehlo.get_dimension_size", [number], [source], {"dimension": i64(dim)})
            sizes.append(build("stablehlo.reshape", [one], size.results).results[0])
    row = build("stablehlo.concatenate", [with_shape(number, [len(sizes)])], sizes, {"dimension": i64(0)})
    name, dims = "stablehlo.dynamic_broadcast_in_dim", {"broadcast_dimensions": i64s([])}
    pairs = zip(operation.results, inits, strict=True)
    return [build(name, [result.type], [init, row.results[0]], dims).results[0] for result, init in pairs]


def _reduce_nothing(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """reduce(x, init) -> broadcast_in_dim(init), if x has no elements"""
    inputs, inits = _pairs(operation)
    if 0 not in (shape(inputs[0]) or ()) or not is_pure(operation):
        return False
    values = _broadcast_to_results(operation, inits) or _broadcast_to_kept_sizes(operation, inits)
    if values is None:
        return False
    rewriter.replace(operation, values)
    return True


def _reduce_to_outer_values(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """reduce(x) -> broadcast_in_dim(y), if the body returns only values y from outside"""
    sizes, block = static_shape(operation.operands[0]), body(operation)
    returned = list(terminator(block).operands)
    # Without elements, the body is never applied.
    if sizes is None or 0 in sizes or any(is_inside(value, block) for value in returned):
        return False
    values = _broadcast_to_results(operation, returned) if is_pure(operation) else None
    if values is None:
        return False
    rewriter.replace(operation, values)
    return True


def _reduce_unused(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """reduce(x, y) -> reduce(x), if the result for y is unused

    The pass removes as many pairs of operands as results. As in upstream's pass, these pairs may differ from
    those of the results: such a body has no neutral value, so that its accumulation is unspecified.
    """
    results = list(operation.results)
    used = [i for i, result in enumerate(results) if is_used(result)]
    count = len(results)
    if not used or len(used) == count or has_attributes_of_results(operation) or not is_pure(operation):
        return False
    block = body(operation)
    returned = [terminator(block).operands[i] for i in used]
    needed = sorted({index % count for index in arguments_behind(returned, block)})
    if len(needed) != len(used):
        return False
    inputs, inits = _pairs(operation)
    # A result does not change, so its new operands must have the type of the result.
    for i, j in zip(used, needed, strict=True):
        if inputs[i].type != inputs[j].type or inits[i].type != inits[j].type:
            return False
    operands = [inputs[i] for i in needed] + [inits[i] for i in needed]
    types = [results[i].type for i in used]
    new = build(operation.name, types, operands, attributes_of(operation), regions=1)
    return_only(block, returned, rewriter)
    move_with_arguments(block, new.regions[0], [*needed, *(i + count for i in needed)])
    _replace_used(operation, rewriter, used, new)
    return True


def _replace_used(
    operation: ir.Operation, rewriter: Rewriter, used: Sequence[int], new: ir.Operation
) -> None:
    # Any value may replace results that have no uses.
    values: list[Value] = [new.results[0]] * len(operation.results)
    for i, value in zip(used, new.results, strict=True):
        values[i] = value
    rewriter.replace(operation, values)


def _sort_unused(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """sort(x, y) -> sort(x), if the result for y is unused, and the comparator does not use it"""
    block, results = body(operation), list(operation.results)
    arguments = list(block.arguments)
    keep = [
        i
        for i, result in enumerate(results)
        if is_used(result) or is_used(arguments[2 * i]) or is_used(arguments[2 * i + 1])
    ]
    if not keep or len(keep) == len(results) or has_attributes_of_results(operation):
        return False
    operands = [operation.operands[i] for i in keep]
    types = [results[i].type for i in keep]
    new = build(operation.name, types, operands, attributes_of(operation), regions=1)
    move_with_arguments(block, new.regions[0], [j for i in keep for j in (2 * i, 2 * i + 1)])
    _replace_used(operation, rewriter, keep, new)
    return True


def _sort_last_dimension(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """sort(x, dimension -1) -> sort(x, its last dimension)"""
    sizes = shape(operation.operands[0])
    dim = int_(operation, "dimension")
    if dim >= 0 or sizes is None:
        return False
    attributes = {**attributes_of(operation), "dimension": i64(dim + len(sizes))}
    types = [result.type for result in operation.results]
    new = build(operation.name, types, operation.operands, attributes, regions=1)
    body(operation).append_to(new.regions[0])
    rewriter.replace(operation, new.results)
    return True


def _sort_of_one(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """sort(x) -> x, along a dimension of at most one element"""
    sizes, operands = shape(operation.operands[0]), list(operation.operands)
    if not sizes or sizes[int_(operation, "dimension")] not in (0, 1):
        return False
    if not _same_types(operation, operands) or not is_pure(operation):
        return False
    rewriter.replace(operation, operands)
    return True


PATTERNS: tuple[Entry, ...] = (
    ("stablehlo.reduce", _reduce_no_dimensions, 1),
    ("stablehlo.reduce", _reduce_nothing, 1),
    ("stablehlo.reduce", _reduce_to_outer_values, 1),
    ("stablehlo.reduce", _reduce_unused, 1),
    ("stablehlo.sort", _sort_unused, 1),
    ("stablehlo.sort", _sort_last_dimension, 1),
    ("stablehlo.sort", _sort_of_one, 1),
)
