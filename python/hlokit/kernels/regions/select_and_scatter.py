"""select_and_scatter, the gradient of pooling."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.kernels.elementwise.cache_blocking import blend
from hlokit.kernels.regions.reduce import argument_dtypes
from hlokit.kernels.regions.scatter_combiners import find_combiner
from hlokit.kernels.regions.windows import WindowDimension, pad, window_dimensions, window_slices

Array = npt.NDArray[Any]
Ints = tuple[int, ...]
Indices = npt.NDArray[np.intp]

# Windows per block, if windows do not overlap along the first axis: a block fits the cache.
_BLOCK = 1 << 16


def select_and_scatter(operation: Operation) -> Kernel:
    """spec "select_and_scatter": result[i] = reduce(source values whose window selects i, init_value).

    The values of a window are visited in order; the selected value stays selected while
    `select(selected, next)` holds. Padding is never selected, and the source value of a window with only
    padding has no effect.
    """
    windows = window_dimensions(operation)
    select, scatter = operation.regions
    (dtype,) = argument_dtypes(scatter, 1)
    find_selected = _select_vectorized if select.is_pointwise else _select_scalar_loop
    select = select.vectorized if select.is_pointwise else select
    is_unique = all(w.size <= w.stride for w in windows)
    combiner = find_combiner(scatter, (dtype,), is_unique=is_unique, is_precise=operation.is_precise)

    def kernel(operand: Value, source: Value, init_value: Value, *captured: Value) -> Value:
        operand, source = np.asarray(operand), np.asarray(source)
        selected = find_selected(select, operand, source.shape, windows, captured).reshape(-1)
        values: Array = source.astype(dtype).reshape(-1)
        is_any = selected >= 0
        if not is_any.all():
            values, selected = values[is_any], selected[is_any]
        result: Array = np.full((operand.size,), init_value, dtype)
        if selected.size:
            combiner.update([result], selected, [values], captured)
        return result.reshape(operand.shape)

    return Kernel(kernel)


def _rows_per_block(windows: Sequence[WindowDimension], shape: Ints) -> int:
    """The number of rows along the first axis per block: all rows, if their windows overlap."""
    first = windows[0]
    is_plain = first.size == first.stride == 1 and first.low == first.high == 0
    return max(1, _BLOCK // prod(shape[1:])) if is_plain else shape[0]


def _select_vectorized(
    select: Region, operand: Array, shape: Ints, windows: Sequence[WindowDimension], captured: Sequence[Value]
) -> Indices:
    """The flat index of the element that each window selects, or -1 if the window has only padding."""
    if 0 in shape or 0 in operand.shape:
        return np.full(shape, -1, np.intp)
    if shape and (rows := _rows_per_block(windows, shape)) < shape[0]:
        starts = range(0, shape[0], rows)
        parts = [operand[start : start + rows] for start in starts]
        selections = [
            _select_vectorized(select, part, (len(part), *shape[1:]), windows, captured) for part in parts
        ]
        row_size = operand[0].size
        for start, part in zip(starts, selections, strict=True):
            part[part >= 0] += start * row_size
        return np.concatenate(selections)
    padded = pad(operand, np.zeros((), operand.dtype), windows)
    count = prod(w.size for w in windows)
    number_dtype = np.min_scalar_type(count)
    best, chosen = padded, np.zeros(shape, number_dtype)
    seen: npt.NDArray[np.bool_] | None = None
    for number, offsets in enumerate(product(*(range(w.size) for w in windows))):
        values = padded[window_slices(windows, offsets, shape)]
        inside = _inside(operand.shape, shape, windows, offsets)
        if number == 0:
            best, seen = values, inside
            continue
        takes = ~np.broadcast_to(select(best, values, *captured), shape)
        if seen is not None:
            takes |= ~seen
            seen = None if inside is None else seen | inside
        if inside is not None:
            takes &= inside
        best = blend(takes, values, best)
        chosen = np.maximum(chosen, takes * number_dtype.type(number))
    strides = [prod(operand.shape[w.axis + 1 :]) for w in windows]
    corners = np.zeros(shape, np.intp)
    for w, stride in zip(windows, strides, strict=True):
        corners += _along(w.axis, (np.arange(shape[w.axis]) * w.stride - w.low) * stride, len(shape))
    within = np.zeros([w.size for w in windows], np.intp)
    for w, stride in zip(windows, strides, strict=True):
        within += _along(w.axis, np.arange(w.size) * stride, len(shape))
    selected = corners + within.reshape(-1)[chosen]
    return selected if seen is None else np.where(seen, selected, -1)


def _along(axis: int, values: Array, rank: int) -> Array:
    """Values along one axis, in a shape that broadcasts along the others."""
    return values.reshape(-1, *(1,) * (rank - axis - 1))


def _inside(
    operand_shape: Ints, shape: Ints, windows: Sequence[WindowDimension], offsets: Ints
) -> npt.NDArray[np.bool_] | None:
    """A mask of the windows whose value at `offsets` is inside the operand; None if all are."""
    inside: npt.NDArray[np.bool_] | None = None
    for w, offset in zip(windows, offsets, strict=True):
        position = np.arange(shape[w.axis]) * w.stride + offset - w.low
        is_in = (position >= 0) & (position < operand_shape[w.axis])
        if not is_in.all():
            along = _along(w.axis, is_in, len(shape))
            inside = np.broadcast_to(along, shape) if inside is None else inside & along
    return inside


def _flat_indices(
    operand_shape: Ints, shape: Ints, windows: Sequence[WindowDimension], offsets: Ints
) -> Indices:
    """The flat index of each window's value at `offsets`; -1 in the padding."""
    index = np.zeros(shape, np.intp)
    outside = np.zeros(shape, np.bool_)
    for w, offset, size, count in zip(windows, offsets, operand_shape, shape, strict=True):
        along = (count,) + (1,) * (len(shape) - w.axis - 1)
        position = (np.arange(count) * w.stride + offset - w.low).reshape(along)
        outside |= (position < 0) | (position >= size)
        index = index * size + position
    return np.where(outside, -1, index)


def _select_scalar_loop(
    select: Region, operand: Array, shape: Ints, windows: Sequence[WindowDimension], captured: Sequence[Value]
) -> Indices:
    """`_select_vectorized` for a `select` that takes only scalars."""
    flat = operand.reshape(-1)
    chosen = np.full(shape, -1, np.intp)
    for offsets in product(*(range(w.size) for w in windows)):
        positions = _flat_indices(operand.shape, shape, windows, offsets)
        for index in np.ndindex(shape):
            position = positions[index]
            if position >= 0 and (
                chosen[index] < 0 or not select(flat[chosen[index]], flat[position], *captured)
            ):
                chosen[index] = position
    return chosen
