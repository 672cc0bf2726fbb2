"""Operations that rearrange or repeat elements: reshape, transpose, broadcast_in_dim, iota, reverse."""

from __future__ import annotations

from math import prod

from hlokit.mlir.provider.bindings import ir
from hlokit.passes.framework.rewriting import Rewriter
from hlokit.passes.simplification.arithmetic import same_type
from hlokit.passes.simplification.support import (
    Entry,
    Value,
    build,
    by_constant,
    by_operation,
    by_value,
    defining_op,
    i64,
    i64s,
    int_,
    ints,
    is_iota,
    is_quantized,
    shape,
    splat,
    static_shape,
    tensor,
    with_shape,
)


def _is_sorted(dims: tuple[int, ...]) -> bool:
    return list(dims) == sorted(dims)


def _reshape_of_reshape(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """reshape(reshape(x)) -> reshape(x)"""
    inner = defining_op(operation.operands[0], "stablehlo.reshape")
    return inner is not None and by_operation(operation, rewriter, operation.name, [inner.operands[0]])


def _transpose_noop(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """transpose(x, [0, 1, ...]) -> x"""
    return is_iota(ints(operation, "permutation")) and by_value(operation, rewriter, operation.operands[0])


def _transpose_of_transpose(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """transpose(transpose(x)) -> transpose(x)"""
    inner = defining_op(operation.operands[0], "stablehlo.transpose")
    if inner is None:
        return False
    before = ints(inner, "permutation")
    permutation = i64s(before[dim] for dim in ints(operation, "permutation"))
    return by_operation(operation, rewriter, operation.name, inner.operands, {"permutation": permutation})


def _transpose_as_reshape(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """transpose(x) -> reshape(x), if only dimensions of size 1 move"""
    operand = operation.operands[0]
    sizes = static_shape(operand)
    if sizes is None or static_shape(operation.results[0]) is None or is_quantized(operand):
        return False
    moved = tuple(dim for dim in ints(operation, "permutation") if sizes[dim] != 1)
    return _is_sorted(moved) and by_operation(operation, rewriter, "stablehlo.reshape", [operand])


def _broadcast_noop(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """broadcast_in_dim(x, [0, 1, ...]) -> x, of the same type"""
    dims = ints(operation, "broadcast_dimensions")
    return is_iota(dims) and by_value(operation, rewriter, operation.operands[0])


def _has_as_many_elements(operand: Value, result: Value) -> bool:
    sizes, result_sizes = static_shape(operand), static_shape(result)
    return sizes is not None and result_sizes is not None and prod(sizes) == prod(result_sizes)


def _broadcast_of_broadcast(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """broadcast_in_dim(broadcast_in_dim(x)) -> broadcast_in_dim(x), unless the inner broadcast is a
    reshape"""
    inner = defining_op(operation.operands[0], "stablehlo.broadcast_in_dim")
    if inner is None:
        return False
    inner_dims = ints(inner, "broadcast_dimensions")
    if _is_sorted(inner_dims) and _has_as_many_elements(inner.operands[0], inner.results[0]):
        return False
    dims = ints(operation, "broadcast_dimensions")
    merged = {"broadcast_dimensions": i64s(dims[dim] for dim in inner_dims)}
    return by_operation(operation, rewriter, operation.name, inner.operands, merged)


def _broadcast_as_reshape(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """broadcast_in_dim(x) -> reshape(x), if it neither repeats nor moves elements"""
    operand = operation.operands[0]
    if is_quantized(operand) or not _has_as_many_elements(operand, operation.results[0]):
        return False
    if not _is_sorted(ints(operation, "broadcast_dimensions")):
        return False
    return by_operation(operation, rewriter, "stablehlo.reshape", [operand])


def _broadcast_as_transpose(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """broadcast_in_dim(x) -> transpose(x), if it only permutes dimensions"""
    operand, result = operation.operands[0], operation.results[0]
    dims = ints(operation, "broadcast_dimensions")
    if not _has_as_many_elements(operand, result) or len(dims) != len(shape(result) or ()):
        return False
    if is_quantized(operand) or 0 in (static_shape(operand) or ()):
        return False
    permutation = i64s(dims.index(dim) for dim in range(len(dims)))
    return by_operation(operation, rewriter, "stablehlo.transpose", [operand], {"permutation": permutation})


def _iota_of_one(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """iota -> 0, along a dimension of size 1"""
    result = operation.results[0]
    sizes = static_shape(result)
    if sizes is None or sizes[int_(operation, "iota_dimension")] != 1 or is_quantized(result):
        return False
    return by_constant(operation, rewriter, 0)


def _iota_as_broadcast(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """iota of several dimensions -> broadcast_in_dim(iota of one)"""
    type_, sizes = tensor(operation.results[0]), static_shape(operation.results[0])
    if type_ is None or sizes is None or len(sizes) < 2:
        return False
    dim = int_(operation, "iota_dimension")
    row = build("stablehlo.iota", [with_shape(type_, [sizes[dim]])], [], {"iota_dimension": i64(0)})
    dims = {"broadcast_dimensions": i64s([dim])}
    return by_operation(operation, rewriter, "stablehlo.broadcast_in_dim", row.results, dims)


def _reverse_noop(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """reverse(x) -> x, along dimensions of size 1 or along none, or if all elements are equal"""
    operand = operation.operands[0]
    sizes, dims = shape(operand), ints(operation, "dimensions")
    if sizes is None:
        return False
    same = all(sizes[dim] == 1 for dim in dims) or splat(operand) is not None
    if not same and 0 not in (static_shape(operand) or ()):
        return False
    return by_value(operation, rewriter, operand)


def _reverse_of_reverse(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """reverse(reverse(x)) -> x, along the same dimensions"""
    inner = defining_op(operation.operands[0], "stablehlo.reverse")
    if inner is None or set(ints(inner, "dimensions")) != set(ints(operation, "dimensions")):
        return False
    return by_value(operation, rewriter, inner.operands[0])


PATTERNS: tuple[Entry, ...] = (
    ("stablehlo.reshape", same_type, 1),
    ("stablehlo.reshape", _reshape_of_reshape, 1),
    ("stablehlo.transpose", _transpose_noop, 1),
    ("stablehlo.transpose", _transpose_of_transpose, 1),
    ("stablehlo.transpose", _transpose_as_reshape, 1),
    ("stablehlo.broadcast_in_dim", _broadcast_noop, 2),
    ("stablehlo.broadcast_in_dim", _broadcast_of_broadcast, 2),
    ("stablehlo.broadcast_in_dim", _broadcast_as_reshape, 2),
    ("stablehlo.broadcast_in_dim", _broadcast_as_transpose, 1),
    ("stablehlo.iota", _iota_of_one, 1),
    ("stablehlo.iota", _iota_as_broadcast, 1),
    ("stablehlo.reverse", _reverse_noop, 1),
    ("stablehlo.reverse", _reverse_of_reverse, 1),
)
