"""The geometry of windows that slide over tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Operation

Array = npt.NDArray[Any]
Ints = tuple[int, ...]


class WindowDimension(NamedTuple):
    """The windows along one axis. Names are the specification's."""

    axis: int
    size: int
    stride: int
    base_dilation: int
    dilation: int
    low: int
    high: int

    def padded(self, size: int) -> int:
        return self.low + (0 if size == 0 else (size - 1) * self.base_dilation + 1) + self.high

    def count(self, size: int) -> int:
        """Number of windows over `size` values; spec (C15)."""
        room = self.padded(size) - ((self.size - 1) * self.dilation + 1)
        return 0 if room < 0 else room // self.stride + 1


def window_dimensions(operation: Operation) -> tuple[WindowDimension, ...]:
    """The windows along each axis of an operation's first operand."""
    attributes, rank = operation.attributes, operation.operand().rank
    ones = (1,) * rank
    return tuple(
        WindowDimension(axis, size, stride, base_dilation, dilation, low, high)
        for axis, (size, stride, base_dilation, dilation, (low, high)) in enumerate(
            zip(
                attributes.ints("window_dimensions", ones),
                attributes.ints("window_strides", ones),
                attributes.ints("base_dilations", ones),
                attributes.ints("window_dilations", ones),
                attributes.pairs("padding", ((0, 0),) * rank),
                strict=True,
            )
        )
    )


def window_slices(windows: Sequence[WindowDimension], offsets: Ints, shape: Ints) -> tuple[slice, ...]:
    """The slices of a padded array that hold the value at `offsets` of every window."""
    return tuple(
        slice(start := offset * w.dilation, start + (count - 1) * w.stride + 1, w.stride)
        for offset, w, count in zip(offsets, windows, shape, strict=True)
    )


def pad(array: Array, fill: Array, windows: Sequence[WindowDimension]) -> Array:
    """spec "pad" by the windows' low, high and base dilation; a view if no padding is added."""
    if all(w.base_dilation == 1 and w.low == 0 and w.high == 0 for w in windows):
        return array
    source: list[slice] = []
    target: list[slice] = []
    for w, size in zip(windows, array.shape, strict=True):
        step, total = w.base_dilation, w.padded(size)
        first = max(0, -(w.low // step))  # the first value at a position >= 0
        stop = max(first, min(size, -((w.low - total) // step)))
        source.append(slice(first, stop))
        start = w.low + first * step
        target.append(
            slice(start, start + max(0, (stop - first - 1) * step + 1) if stop > first else start, step)
        )
    shape = tuple(w.padded(size) for w, size in zip(windows, array.shape, strict=True))
    values = array[tuple(source)]
    if values.shape == shape:
        return values
    padded = np.full(shape, fill, array.dtype)
    padded[tuple(target)] = values
    return padded


def native_windows(
    windows: Sequence[WindowDimension], padded: Ints, shape: Ints
) -> list[tuple[int, int, int, int, int]]:
    """Windows as native loops take them."""
    return [
        (size, w.size, w.stride, w.dilation, count)
        for size, w, count in zip(padded, windows, shape, strict=True)
    ]
