"""Axes of views: sizes and strides of the elements of a sequence that an array has."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import prod
from typing import NamedTuple

# Answers that are remembered, of each question about attributes or axes.
MOST_KNOWN = 1 << 14

# Sizes and strides of the axes of an array, major to minor.
Axes = tuple[tuple[int, int], ...]


@lru_cache(MOST_KNOWN)
def merged(axes: Axes) -> Axes:
    """The same elements in the same order, with the fewest axes."""
    fewest: list[tuple[int, int]] = []
    for size, stride in axes:
        if size == 1:
            continue
        if fewest and fewest[-1][1] == size * stride:
            fewest[-1] = fewest[-1][0] * size, stride
        else:
            fewest.append((size, stride))
    return tuple(fewest)


@lru_cache(MOST_KNOWN)
def split(axes: Axes, sizes: tuple[int, ...]) -> Axes | None:
    """Merged axes as those of an array; None if its sizes do not divide them."""
    rest = list(axes)
    size, stride = 1, 0
    parts: list[tuple[int, int]] = []
    for wanted in reversed(sizes):
        if wanted != 1 and size == 1:
            size, stride = rest.pop()
        if size % wanted:
            return None
        parts.append((wanted, stride))
        size, stride = size // wanted, stride * wanted
    return tuple(reversed(parts))


class Order(NamedTuple):
    """Another order of the axes that operands of an element-wise operation have.

    Attributes:
      operands: the axes of each operand.
      result: the axes of the result in the order before.
      size: the number of elements of the result.
    """

    operands: tuple[Axes, ...]
    result: Axes
    size: int


@lru_cache(MOST_KNOWN)
def ordered(operands: tuple[Axes, ...]) -> Order | None:
    """The axes of operands with falling strides, without those that all operands repeat; None if they are so,
    or have no axes in common.

    Args:
      operands: the axes of each operand, of the same number of elements.
    """
    ends = {1}
    for axes in operands:
        ends.update([prod([size for size, _ in axes[start:]]) for start in range(len(axes))])
    bounds = sorted(ends)
    if any([end % start for start, end in pairwise(bounds)]):
        return None
    sizes = tuple([end // start for start, end in reversed([*pairwise(bounds)])])
    columns = [column for axes in operands if (column := split(axes, sizes)) is not None]
    if len(columns) < len(operands):
        return None
    rows = [tuple([column[n][1] for column in columns]) for n in range(len(sizes))]
    order = sorted([n for n, strides in enumerate(rows) if any(strides)], key=lambda n: rows[n], reverse=True)
    if order == [*range(len(rows))]:
        return None
    inner = tuple([tuple([(sizes[n], rows[n][column]) for n in order]) for column in range(len(operands))])
    strides = dict.fromkeys(range(len(rows)), 0)
    size = 1
    for n in reversed(order):
        strides[n] = size
        size *= sizes[n]
    return Order(inner, tuple([(sizes[n], strides[n]) for n in range(len(rows))]), size)
