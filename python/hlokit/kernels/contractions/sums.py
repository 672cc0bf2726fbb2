"""Sums and products of many floats, in an order that depends on the number of values alone.

`reference.rules.order_of_summation` defines the order: blocks of 1,024 values in 64 lanes; lanes are added in
halves, blocks in pairs, all in f64, and the sum is rounded once. Layout, other dimensions, threads and
processor do not change a bit. Kernels, fused code and native loops add in this order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit import _kernels
from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.threads import thread_count

Array = npt.NDArray[Any]

_BLOCK, _LANES = 1024, 64
_NAMES: dict[np.ufunc, str] = {np.add: "add", np.multiply: "multiply"}
_TYPES = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64"}


def reduce_in_order(ufunc: np.ufunc, array: Array, axes: Sequence[int], init: Value) -> Any:
    """The initial value and all values along some axes, added up or multiplied in f64 and rounded once.

    Args:
      ufunc: `np.add` or `np.multiply`.
      array: an array of f32 or f64; the result has the same dtype.
      axes: the axes, ascending.
    """
    shape = array.shape
    kept = [size for axis, size in enumerate(shape) if axis not in axes]
    result: Any = np.empty(kept, array.dtype)
    if 0 in shape:
        result[...] = init
        return result
    order = None if array.flags.c_contiguous else _order_in_memory(array, axes)
    if order is not None:
        places = [place for place, axis in enumerate(order) if axis in axes]
        sums = reduce_in_order(ufunc, array.transpose(order), places, init)
        left = [axis for axis in order if axis not in axes]
        return sums.transpose([left.index(axis) for axis in sorted(left)])
    split = sizes_around(shape, axes)
    if split is None:
        array = np.moveaxis(array, axes, range(array.ndim - len(axes), array.ndim))
        split = prod(kept), prod(shape) // prod(kept), 1
    operand: Any = np.ascontiguousarray(array)
    start: Any = np.asarray(init, array.dtype)
    _kernels.reduce(_NAMES[ufunc], _TYPES[array.dtype], operand, start, result, split, thread_count())
    return result


def _order_in_memory(array: Array, axes: Sequence[int]) -> list[int] | None:
    """The order of axes that makes a transposed array one in row-major order; None if there is none, or if
    `axes` are no neighbours, or in another order, there."""
    order = sorted(range(array.ndim), key=lambda axis: -array.strides[axis])
    places = [place for place, axis in enumerate(order) if axis in axes and array.shape[axis] != 1]
    wide = [order[place] for place in places]
    if wide != sorted(wide) or not array.transpose(order).flags.c_contiguous:
        return None
    return order if sizes_around([array.shape[axis] for axis in order], places) is not None else None


def sum_in_f64(array: Array, axes: Sequence[int]) -> Array:
    """The sums, which begin with +0, of an array of f32 or f64 along some axes, ascending, in f64."""
    return reduce_in_order(np.add, array.astype(np.float64, copy=False), axes, 0.0)


def in_lanes(combine: Callable[[Array, Array], Array], rows: Array) -> Array:
    """Values along a leading axis, at least one, combined in the order of this module without a compiled
    kernel.
    """
    blocks: list[Array] = []
    for block in (rows[start : start + _BLOCK] for start in range(0, len(rows), _BLOCK)):
        lanes = block[:_LANES].copy()
        for start in range(_LANES, len(block), _LANES):
            part = block[start : start + _LANES]
            lanes[: len(part)] = combine(lanes[: len(part)], part)
        half = _LANES // 2
        while half:
            if half < len(lanes):
                lanes[: len(lanes) - half] = combine(lanes[: len(lanes) - half], lanes[half:])
                lanes = lanes[:half]
            half //= 2
        blocks.append(lanes[0])
    while len(blocks) > 1:
        pairs = [combine(lhs, rhs) for lhs, rhs in zip(blocks[::2], blocks[1::2], strict=False)]
        blocks = pairs + blocks[2 * len(pairs) :]
    return blocks[0]


def sizes_around(shape: Sequence[int], axes: Sequence[int]) -> tuple[int, int, int] | None:
    """Sizes [before, reduced, after] of an array whose reduced axes are adjacent; None for other axes."""
    wide = [axis for axis in axes if shape[axis] != 1]
    if not wide:
        return prod(shape), 1, 1
    first, last = wide[0], wide[-1] + 1
    if any(shape[axis] != 1 and axis not in axes for axis in range(first, last)):
        return None
    return prod(shape[:first]), prod(shape[first:last]), prod(shape[last:])
