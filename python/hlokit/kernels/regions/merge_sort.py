"""Sorting by comparators that compare no keys: by insertion and merges, in one order of decisions.

Runs of eight elements are sorted by insertion, then neighbouring runs are merged. The comparator decides only
whether a later element comes before an earlier one. Compiled code, whole arrays and single calls ask the same
questions, so that all give the same order even if the comparator is none. Source:
`reference.rules.stable_order`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Value
from hlokit.engine.native.bodies import NativeBody, in_rows
from hlokit.kernels.regions.comparators import Array

Order = npt.NDArray[np.intp]
# Whether elements at some positions come before elements at others.
IsLess = Callable[[Order, Order], npt.NDArray[np.bool_]]

_RUN = 8


def native_order(native: NativeBody, lanes: Sequence[Array], captured: Sequence[Value]) -> Order:
    """The order of each row in compiled code, one comparison at a time."""
    order: Any = np.empty(lanes[0].shape, np.intp)
    operands = [in_rows(lane) for lane in lanes]
    native.program.sort(native.initial_registers(captured), operands, order)
    return order


def merge_order(comparator: Region, lanes: Sequence[Array], captured: Sequence[Value]) -> Order:
    """The order of each row by any comparator."""
    if comparator.is_pointwise:
        return _order_of_arrays(comparator, lanes, captured)
    count, size = lanes[0].shape
    order = np.empty((count, size), np.intp)
    for row in range(count):
        operands = [lane[row] for lane in lanes]

        def is_less(lhs: int, rhs: int, operands: Sequence[Array] = operands) -> bool:
            arguments = [operand[position] for operand in operands for position in (lhs, rhs)]
            return bool(comparator(*arguments, *captured))

        order[row] = _sorted_places(size, is_less)
    return order


# By single calls -----------------------------------------------------------------------------------


def _sorted_places(size: int, is_less: Callable[[int, int], bool]) -> list[int]:
    runs = [_inserted(range(start, min(start + _RUN, size)), is_less) for start in range(0, size, _RUN)]
    while len(runs) > 1:
        pairs = [_merged(left, right, is_less) for left, right in zip(runs[::2], runs[1::2], strict=False)]
        runs = pairs + runs[2 * len(pairs) :]
    return runs[0]


def _inserted(places: Sequence[int], is_less: Callable[[int, int], bool]) -> list[int]:
    ordered: list[int] = []
    for position in places:
        at = len(ordered)
        while at and is_less(position, ordered[at - 1]):
            at -= 1
        ordered.insert(at, position)
    return ordered


def _merged(left: list[int], right: list[int], is_less: Callable[[int, int], bool]) -> list[int]:
    merged: list[int] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if is_less(right[j], left[i]):
            merged.append(right[j])
            j += 1
        else:
            merged.append(left[i])
            i += 1
    return merged + left[i:] + right[j:]


# On whole arrays -----------------------------------------------------------------------------------


def _order_of_arrays(comparator: Region, lanes: Sequence[Array], captured: Sequence[Value]) -> Order:
    """The order of all rows at once: each step is one call for whole arrays.

    Rows are padded to a power of two by elements that never come before others. Positions are those in the
    flattened operands.
    """
    compare = comparator.vectorized
    count, size = lanes[0].shape
    flat = [lane.reshape(-1) for lane in lanes]
    end = count * size

    def is_less(lhs: Order, rhs: Order) -> npt.NDArray[np.bool_]:
        elements = [np.minimum(positions, end - 1) for positions in (lhs, rhs)]
        arguments = [operand.take(positions) for operand in flat for positions in elements]
        return np.broadcast_to(compare(*arguments, *captured), lhs.shape) & (lhs < end)

    full = 1 << (size - 1).bit_length()
    run = min(_RUN, full)
    offsets: Order = np.arange(0, end, size, dtype=np.intp)[:, None]
    order = np.full((count, full), end, np.intp)
    order[:, :size] = np.arange(size, dtype=np.intp) + offsets
    order = _insert(is_less, order.reshape(-1, run)).reshape(count, full)
    while run < full:
        runs = order.reshape(-1, 2, run)
        order = _merge(is_less, runs[:, 0], runs[:, 1]).reshape(count, full)
        run *= 2
    return order[:, :size] - offsets


def _insert(is_less: IsLess, runs: Order) -> Order:
    """Each of several short runs, sorted by insertion."""
    for position in range(1, runs.shape[1]):
        inserted = runs[:, position].copy()
        moves = np.ones(len(runs), np.bool_)
        for at in range(position - 1, -1, -1):
            before = runs[:, at].copy()
            moves = moves & is_less(inserted, before)
            runs[:, at + 1] = np.where(moves, before, runs[:, at + 1])
            runs[:, at] = np.where(moves, inserted, before)
    return runs


def _merge(is_less: IsLess, left: Order, right: Order) -> Order:
    """Merge sorted runs [pair, position]; elements of `left` precede equal elements of `right`.

    The places of all elements are found at once by binary search. Where the comparator is no order, this may
    differ from a merge element by element, which then takes place.
    """
    is_right = _by_search(is_less, left, right)
    # The places of the next elements of both runs before each decision of a merge.
    is_left = np.logical_not(is_right)
    rights = np.subtract(np.cumsum(is_right, -1), is_right)
    lefts = np.subtract(np.cumsum(is_left, -1), is_left)
    run = left.shape[-1]
    is_open = (lefts < run) & (rights < run)
    next_left, next_right = (
        np.take_along_axis(elements, np.minimum(places, run - 1), -1)
        for elements, places in ((left, lefts), (right, rights))
    )
    merged = np.where(is_right, next_right, next_left)
    differs = (is_open & (is_less(next_right, next_left) != is_right)).any(-1)
    if differs.any():
        merged[differs] = _step_by_step(is_less, left[differs], right[differs])
    return merged


def _by_search(is_less: IsLess, left: Order, right: Order) -> npt.NDArray[np.bool_]:
    """Which elements of the merged runs [pair, position] are of `right`."""
    run = left.shape[-1]
    # The number of elements of `right` that are less than each element of `left`.
    low, high = np.zeros(left.shape, np.intp), np.full(left.shape, run, np.intp)
    for _ in range(run.bit_length()):
        middle = np.minimum((low + high) // 2, run - 1)
        is_open = low < high
        less = is_less(np.take_along_axis(right, middle, -1), left) & is_open
        low = np.where(less, middle + 1, low)
        high = np.where(is_open & ~less, middle, high)
    # The places must ascend even if the comparator is not an order; otherwise the result would not be a
    # permutation.
    places: Order = np.maximum.accumulate(low, -1) + np.arange(run, dtype=np.intp)
    is_right = np.ones((len(left), 2 * run), np.bool_)
    np.put_along_axis(is_right, places, False, -1)
    return is_right


def _step_by_step(is_less: IsLess, left: Order, right: Order) -> Order:
    """As `_merge`, one element of each pair of runs after the other."""
    count, run = left.shape
    merged = np.empty((count, 2 * run), np.intp)
    pairs: Order = np.arange(count, dtype=np.intp)
    lefts, rights = np.zeros(count, np.intp), np.zeros(count, np.intp)
    for position in range(2 * run):
        next_left = left[pairs, np.minimum(lefts, run - 1)]
        next_right = right[pairs, np.minimum(rights, run - 1)]
        takes_right = (rights < run) & ((lefts == run) | is_less(next_right, next_left))
        merged[:, position] = np.where(takes_right, next_right, next_left)
        lefts, rights = lefts + ~takes_right, rights + takes_right
    return merged
