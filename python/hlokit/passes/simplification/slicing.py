"""Operations that cut or join tensors: slice, pad, concatenate, gather and dynamic slices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from hlokit.mlir.provider.bindings import ir, stablehlo
from hlokit.passes.framework.rewriting import Rewriter
from hlokit.passes.simplification.support import (
    Entry,
    Value,
    build,
    by_operation,
    by_value,
    defining_op,
    has_one_use,
    i64,
    i64s,
    int_,
    integers,
    ints,
    is_quantized,
    shape,
    static_shape,
    tensor,
    with_shape,
)


def _slice_attributes(
    starts: Sequence[int], limits: Sequence[int], strides: Sequence[int] | None = None
) -> dict[str, ir.Attribute]:
    return {
        "start_indices": i64s(starts),
        "limit_indices": i64s(limits),
        "strides": i64s([1] * len(starts) if strides is None else strides),
    }


def _bounds(operation: ir.Operation) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    return (
        ints(operation, "start_indices"),
        ints(operation, "limit_indices"),
        ints(operation, "strides"),
    )


def _slice_noop(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """slice(x) -> x, if the slice covers x"""
    operand = operation.operands[0]
    return static_shape(operand) is not None and by_value(operation, rewriter, operand)


def _slice_of_slice(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """slice(slice(x)) -> slice(x)"""
    inner = defining_op(operation.operands[0], "stablehlo.slice")
    sizes = static_shape(operation.results[0])
    if inner is None or sizes is None or 0 in sizes:
        return False
    inner_starts, _, inner_strides = _bounds(inner)
    starts, _, strides = _bounds(operation)
    new_starts = [a + b * by for a, b, by in zip(inner_starts, starts, inner_strides, strict=True)]
    new_strides = [a * b for a, b in zip(inner_strides, strides, strict=True)]
    # One past the last element of the slice.
    limits = [a + (size - 1) * by + 1 for a, size, by in zip(new_starts, sizes, new_strides, strict=True)]
    attributes = _slice_attributes(new_starts, limits, new_strides)
    return by_operation(operation, rewriter, operation.name, inner.operands, attributes)


def _slice_of_concatenate(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """slice(concatenate(x, y, z)) -> slice(concatenate(x, y)), with only the operands that the slice
    reaches"""
    joined = defining_op(operation.operands[0], "stablehlo.concatenate")
    if joined is None or static_shape(operation.results[0]) is None:
        return False
    dim = int_(joined, "dimension")
    sizes = [(shape(part) or ())[dim] for part in joined.operands]
    if any(size < 0 for size in sizes):
        return False
    starts, limits, strides = map(list, _bounds(operation))
    ends = list(accumulate(sizes))
    reached = [
        i
        for i, (size, end) in enumerate(zip(sizes, ends, strict=True))
        if end > starts[dim] and end - size < limits[dim]
    ]
    if not reached or len(reached) == len(sizes):
        return False
    parts = [joined.operands[i] for i in reached]
    if len(parts) > 1 and not has_one_use(joined.results[0]):
        return False
    offset = ends[reached[0]] - sizes[reached[0]]
    starts[dim] -= offset
    limits[dim] -= offset
    source = _concatenated(parts, dim) if len(parts) > 1 else parts[0]
    return by_operation(
        operation, rewriter, operation.name, [source], _slice_attributes(starts, limits, strides)
    )


def _concatenated(parts: Sequence[Value], dim: int) -> Value:
    type_, sizes = tensor(parts[0]), list(shape(parts[0]) or ())
    assert type_ is not None, "a ranked tensor has a size along the dimension"
    sizes[dim] = sum((shape(part) or ())[dim] for part in parts)
    name, attributes = "stablehlo.concatenate", {"dimension": i64(dim)}
    return build(name, [with_shape(type_, sizes)], parts, attributes).results[0]


def _pad_noop(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """pad(x) -> x, if all padding is zero"""
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    if any(any(ints(operation, name)) for name in names):
        return False
    return by_value(operation, rewriter, operation.operands[0])


def _pad_of_nothing(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """pad(x, v) -> broadcast_in_dim(v), if x has no elements"""
    operand, value = operation.operands
    if 0 not in (static_shape(operand) or ()) or is_quantized(value):
        return False
    if static_shape(operation.results[0]) is None:
        return False
    dims = {"broadcast_dimensions": i64s([])}
    return by_operation(operation, rewriter, "stablehlo.broadcast_in_dim", [value], dims)


def _pad_as_slice(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """pad(x) -> slice(x), if it only removes elements at the edges"""
    operand = operation.operands[0]
    sizes, result_sizes = static_shape(operand), static_shape(operation.results[0])
    low, high = ints(operation, "edge_padding_low"), ints(operation, "edge_padding_high")
    if sizes is None or result_sizes is None or any(ints(operation, "interior_padding")):
        return False
    if max((*low, *high), default=0) > 0 or is_quantized(operand):
        return False
    starts = [-low_size for low_size in low]
    limits = [start + size for start, size in zip(starts, result_sizes, strict=True)]
    if any(limit > size for limit, size in zip(limits, sizes, strict=True)):
        return False
    return by_operation(operation, rewriter, "stablehlo.slice", [operand], _slice_attributes(starts, limits))


def _concatenate_one(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """concatenate(x) -> x"""
    return len(operation.operands) == 1 and by_value(operation, rewriter, operation.operands[0])


def _concatenate_nothing(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """concatenate(x, empty, y) -> concatenate(x, y)"""
    dim = int_(operation, "dimension")
    parts = [part for part in operation.operands if (shape(part) or (-1,) * (dim + 1))[dim] != 0]
    if not parts or len(parts) == len(operation.operands):
        return False
    return by_operation(operation, rewriter, operation.name, parts, {"dimension": i64(dim)})


def _concatenate_flat(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """concatenate(concatenate(x, y), z) -> concatenate(x, y, z), if the inner concatenate has no other
    uses"""
    dim = int_(operation, "dimension")
    parts: list[Value] = []
    for part in operation.operands:
        inner = defining_op(part, operation.name)
        if inner is not None and int_(inner, "dimension") == dim and has_one_use(part):
            parts.extend(inner.operands)
        else:
            parts.append(part)
    if len(parts) == len(operation.operands) and parts == list(operation.operands):
        return False
    return by_operation(operation, rewriter, operation.name, parts, {"dimension": i64(dim)})


def _concatenate_broadcasts(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """concatenate(broadcast_in_dim(x), broadcast_in_dim(x)) -> broadcast_in_dim(x), along a new dimension"""
    dim = int_(operation, "dimension")
    broadcasts = [defining_op(part, "stablehlo.broadcast_in_dim") for part in operation.operands]
    first = broadcasts[0]
    if len(broadcasts) < 2 or first is None or static_shape(operation.results[0]) is None:
        return False
    dims = ints(first, "broadcast_dimensions")
    for other in broadcasts:
        if other is None or other.operands[0] != first.operands[0]:
            return False
        if ints(other, "broadcast_dimensions") != dims:
            return False
    # Along a dimension of x, a broadcast repeats only a size of 1.
    sizes = static_shape(first.operands[0])
    if sizes is None or (dim in dims and sizes[dims.index(dim)] != 1):
        return False
    attributes = {"broadcast_dimensions": i64s(dims)}
    return by_operation(operation, rewriter, first.name, first.operands, attributes)


def _concatenate_slices(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """concatenate(slice(x, a to b), slice(x, b to c)) -> concatenate(slice(x, a to c))"""
    dim = int_(operation, "dimension")
    if len(operation.operands) < 2:
        return False
    parts: list[Value] = []
    for part in operation.operands:
        merged = _joined_slices(parts[-1], part, dim) if parts else None
        if merged is None:
            parts.append(part)
        else:
            parts[-1] = merged
    if len(parts) == len(operation.operands):
        return False
    return by_operation(operation, rewriter, operation.name, parts, {"dimension": i64(dim)})


def _joined_slices(first: Value, second: Value, dim: int) -> Value | None:
    left, right = defining_op(first, "stablehlo.slice"), defining_op(second, "stablehlo.slice")
    type_, sizes, more = tensor(first), static_shape(first), static_shape(second)
    if left is None or right is None or left.operands[0] != right.operands[0]:
        return None
    if type_ is None or sizes is None or more is None:
        return None
    starts, limits, strides = _bounds(left)
    other_starts, other_limits, other_strides = _bounds(right)
    if set(strides) | set(other_strides) != {1} or limits[dim] != other_starts[dim]:
        return None
    others = [i for i in range(len(starts)) if i != dim]
    if any(starts[i] != other_starts[i] or limits[i] != other_limits[i] for i in others):
        return None
    joined_limits, joined_sizes = list(limits), list(sizes)
    joined_limits[dim] = other_limits[dim]
    joined_sizes[dim] += more[dim]
    attributes = _slice_attributes(starts, joined_limits)
    return build("stablehlo.slice", [with_shape(type_, joined_sizes)], left.operands, attributes).results[0]


def _clamped(index: int, size: int, slice_size: int) -> int:
    return min(max(index, 0), size - slice_size)


def _dynamic_slice_constant(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_slice(x, constants) -> slice(x), where the slice fits"""
    operand, *indices = operation.operands
    sizes, slice_sizes = static_shape(operand), ints(operation, "slice_sizes")
    if sizes is None:
        return False
    starts: list[int] = []
    for index, size, slice_size in zip(indices, sizes, slice_sizes, strict=True):
        # A slice as large as its dimension has only one possible start.
        known_start = (0,) if size == slice_size else integers(index)
        if known_start is None:
            return False
        starts.append(_clamped(known_start[0], size, slice_size))
    limits = [start + size for start, size in zip(starts, slice_sizes, strict=True)]
    return by_operation(operation, rewriter, "stablehlo.slice", [operand], _slice_attributes(starts, limits))


def _update_of_nothing(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_update_slice(x, empty) -> x"""
    operand, update = operation.operands[0], operation.operands[1]
    return 0 in (static_shape(update) or ()) and by_value(operation, rewriter, operand)


def _update_of_everything(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_update_slice(x, update) -> update, of the shape of x"""
    operand, update = operation.operands[0], operation.operands[1]
    if static_shape(operand) is None or operand.type != update.type:
        return False
    return by_value(operation, rewriter, update)


def _gather_of_one_slice(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """gather(x, constant) -> reshape(slice(x)), of a single slice"""
    operand, start_indices = operation.operands
    sizes, type_ = static_shape(operand), tensor(operand)
    if sizes is None or type_ is None or len(static_shape(start_indices) or ()) > 1 or is_quantized(operand):
        return False
    numbers = stablehlo.GatherDimensionNumbers(operation.attributes["dimension_numbers"])
    places, indices = tuple(numbers.start_index_map), integers(start_indices)
    if indices is None or numbers.index_vector_dim != 0 or len(indices) != len(places):
        return False
    slice_sizes, starts = ints(operation, "slice_sizes"), [0] * len(sizes)
    for dim, index in zip(places, indices, strict=True):
        starts[dim] = _clamped(index, sizes[dim], slice_sizes[dim])
    limits = [start + size for start, size in zip(starts, slice_sizes, strict=True)]
    attributes = _slice_attributes(starts, limits)
    if not tuple(numbers.collapsed_slice_dims):
        if operation.results[0].type != with_shape(type_, slice_sizes):
            return False
        return by_operation(operation, rewriter, "stablehlo.slice", [operand], attributes)
    cut = build("stablehlo.slice", [with_shape(type_, slice_sizes)], [operand], attributes)
    return by_operation(operation, rewriter, "stablehlo.reshape", cut.results)


_ROWS = (
    ("slice", _slice_noop),
    ("slice", _slice_of_concatenate),
    ("slice", _slice_of_slice),
    ("pad", _pad_noop),
    ("pad", _pad_of_nothing),
    ("pad", _pad_as_slice),
    ("concatenate", _concatenate_one),
    ("concatenate", _concatenate_nothing),
    ("concatenate", _concatenate_flat),
    ("concatenate", _concatenate_broadcasts),
    ("concatenate", _concatenate_slices),
    ("dynamic_slice", _dynamic_slice_constant),
    ("dynamic_update_slice", _update_of_nothing),
    ("dynamic_update_slice", _update_of_everything),
    ("gather", _gather_of_one_slice),
)
PATTERNS: tuple[Entry, ...] = tuple((f"stablehlo.{name}", pattern, 1) for name, pattern in _ROWS)
