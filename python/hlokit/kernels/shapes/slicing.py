"""Slices at constant and computed indices, and updates of slices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import itemgetter

from hlokit.engine.contract import array_ops
from hlokit.engine.contract.registry import IDENTITY, Kernel, KernelFunction, Operation, Value
from hlokit.engine.native.fused.copies import in_rows
from hlokit.errors import EvaluationError
from hlokit.kernels.shapes.specialization import Shape, checked_shape, specialize


def slice_(operation: Operation) -> Kernel:
    """spec "slice": result[result_index] = operand[start_indices + result_index * strides]."""
    operand, result = operation.operand(), operation.result()
    start_indices = operation.attributes.ints("start_indices")
    limit_indices = operation.attributes.ints("limit_indices")
    strides = operation.attributes.ints("strides")
    if operand.is_static and operand.shape == result.shape:
        return IDENTITY
    items = tuple(map(slice, start_indices, limit_indices, strides))
    spelled = (
        f"{start}:{limit}:{stride}" if stride != 1 else f"{start}:{limit}"
        for start, limit, stride in zip(start_indices, limit_indices, strides, strict=True)
    )
    source, array_op = f"{{0}}[{', '.join(spelled)}]", array_ops.Slice(start_indices, strides)
    return Kernel(itemgetter(items), source=source, array_op=array_op)


def dynamic_slice(operation: Operation) -> Kernel:
    """spec "dynamic_slice": result[result_index] = operand[adjusted_start_indices + result_index], where
    adjusted_start_indices = clamp(0, start_indices, shape(operand) - slice_sizes)."""
    slice_sizes = operation.attributes.ints("slice_sizes")
    operand = operation.operand()
    if operand.shape == slice_sizes:
        return IDENTITY
    make = partial(_dynamic_slicer, slice_sizes)
    return Kernel(specialize(make, (operand,)), array_op=array_ops.DynamicSlice())


def _dynamic_slicer(slice_sizes: Shape, shape: Shape) -> KernelFunction:
    moving = _moving_dimensions(shape, slice_sizes)
    if len(moving) != 1:
        rank = len(shape)

        def many_dimensions(operand: Value, *start_indices: Value) -> Value:
            return operand[_window(moving, rank, start_indices)]

        return many_dimensions

    ((dimension, limit, size),) = moving
    before = (slice(None),) * dimension

    def one_dimension(operand: Value, *start_indices: Value) -> Value:
        start = int(start_indices[dimension])
        start = 0 if start < 0 else limit if start > limit else start
        return operand[(*before, slice(start, start + size))]

    return one_dimension


_Moving = tuple[tuple[int, int, int], ...]


def _moving_dimensions(shape: Shape, sizes: Shape) -> _Moving:
    """(dimension, largest start, size) of each dimension that the slice does not cover entirely."""
    return tuple(
        (dimension, whole - size, size)
        for dimension, (whole, size) in enumerate(zip(shape, sizes, strict=True))
        if size != whole
    )


def _window(moving: _Moving, rank: int, start_indices: Sequence[Value]) -> tuple[slice, ...]:
    window = [slice(None)] * rank
    for dimension, limit, size in moving:
        start = int(start_indices[dimension])
        start = 0 if start < 0 else limit if start > limit else start
        window[dimension] = slice(start, start + size)
    return tuple(window)


def dynamic_update_slice(operation: Operation) -> Kernel:
    """spec "dynamic_update_slice": result[adjusted_start_indices + update_index] = update[update_index],
    operand elsewhere; adjusted_start_indices = clamp(0, start_indices, shape(operand) - shape(update))."""
    operand, update = operation.operand(0), operation.operand(1)
    if operand.is_static and operand.shape == update.shape:
        return Kernel(_second, pointwise=True, source="{1}")
    types = (operand, update)
    function, in_place = (specialize(partial(_dynamic_updater, flag), types) for flag in (False, True))
    return Kernel(function, in_place=in_place, array_op=array_ops.DynamicUpdateSlice())


def _second(operand: Value, update: Value, *_: Value) -> Value:
    del operand
    return update


def _dynamic_updater(is_in_place: bool, shape: Shape, update_shape: Shape) -> KernelFunction:
    moving = _moving_dimensions(shape, update_shape)
    rank = len(shape)

    def kernel(operand: Value, update: Value, *start_indices: Value) -> Value:
        result = operand if is_in_place else in_rows(operand)
        result[_window(moving, rank, start_indices)] = update
        return result

    return kernel


def real_dynamic_slice(operation: Operation) -> Kernel:
    """`slice` whose start_indices, limit_indices and strides are operands."""
    result = operation.result()

    def kernel(operand: Value, start_indices: Value, limit_indices: Value, strides: Value) -> Value:
        items: list[slice] = []
        for size, *values in zip(operand.shape, start_indices, limit_indices, strides, strict=True):
            start, limit, stride = map(int, values)
            if not (0 <= start <= limit <= size and stride > 0):
                raise EvaluationError(
                    f"dimension {len(items)} must have 0 <= start <= limit <= {size} and "
                    f"stride > 0, got start {start}, limit {limit}, stride {stride}"
                )
            items.append(slice(start, limit, stride))
        part = operand[tuple(items)]
        checked_shape(part.shape, result, "the sliced shape")
        return part

    return Kernel(kernel)
