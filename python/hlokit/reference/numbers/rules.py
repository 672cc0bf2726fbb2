"""The points that the specification leaves open. Each choice is a named rule of this module.

docs/divergences.md lists these choices with those of XLA and of the C++ interpreter (a rule cites its line as
"divergences: ..."); docs/concepts/summation.md describes `order_of_summation` in the faster tiers.
`values.element.Element` makes the choices about single numbers: integers wrap, x / 0 has all bits set, x % 0
is x, a shift by the width or more leaves zeros or copies of the sign, floats are rounded once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import accumulate
from math import isfinite, isnan
from typing import TYPE_CHECKING, TypeVar

from hlokit.values.element import Element
from hlokit.values.element_types import COMPLEX_F32, COMPLEX_F64, F32, F64, ElementType, Kind
from hlokit.values.float_format import float_format

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")
Combine = Callable[[T, T], T]

# Numbers --------------------------------------------------------------------------------------------


def canonical_nan(element_type: ElementType) -> Element:
    """The canonical NaN, which operations that compute return: positive and quiet, without a payload.

    Operations that move, select, negate or take the magnitude keep the bits. A type without NaN has -0
    instead. (divergences: "NaN to f4 and f6")
    """
    layout = float_format(element_type)
    if element_type.kind is Kind.COMPLEX:
        return Element.from_bits(element_type, layout.nan | layout.nan << layout.width)
    return Element.from_bits(element_type, layout.nan)


def out_of_range_conversion(number: float, least: int, most: int) -> int:
    """A float converted to an integer: truncated and saturated; NaN becomes 0. (divergences: "float to
    integer")"""
    if isnan(number):
        return 0
    return int(min(max(number, least), most))


def accumulation_type(element_type: ElementType) -> ElementType:
    """The type of sums and products: f64 for floats, rounded once; the type itself for other types.

    (divergences: "`reduce` of f4 to f32 by add or multiply")
    """
    match element_type.kind:
        case Kind.FLOAT:
            return F64
        case Kind.COMPLEX:
            return COMPLEX_F64
        case _:
            return element_type


def product_type(*types: ElementType) -> ElementType:
    """The type in which sums of products are computed: f32, or f64 if an operand or the result is f64; the
    corresponding complex type for complex numbers.

    (divergences: "`dot_general` of f4 to f16")
    """
    is_double = any(type_.part is F64 for type_ in types)
    if any(type_.kind is Kind.COMPLEX for type_ in types):
        return COMPLEX_F64 if is_double else COMPLEX_F32
    return F64 if is_double else F32


# Order ----------------------------------------------------------------------------------------------

# The number of values in a block of a sum, and the number of lanes of a block.
SUM_BLOCK, SUM_LANES = 1024, 64
# The number of terms in a block of a sum of products. A block is summed in the type of the terms.
PRODUCT_BLOCK = 256
# Windows of at most this number of elements are folded from the left, rounded at every step.
SMALL_WINDOW = 32
# The number of values that a sort orders by insertion before it merges.
SORTED_RUN = 8


def fold(values: Sequence[T], combine: Combine[T]) -> T:
    """combine(combine(values[0], values[1]), values[2]) ... : from left to right.

    The order of scatters, collective operations and small windows. (divergences: "`scatter` updates of one
    element", "schedule of `all_reduce`", "`reduce_window` over small windows")
    """
    return reduce(combine, values)


def in_order_tree(values: Sequence[T], combine: Combine[T]) -> T:
    """Combine neighbours in pairs, and the pairs in pairs, until one value is left.

    At each level, a last value without a neighbour is set aside; these values are combined at the end, the
    largest subtree first. This is the order of bodies that are neither a sum nor a product: earlier values
    are always on the left.
    """
    waiting: list[T] = []
    level = list(values)
    while len(level) > 1:
        if len(level) % 2:
            waiting.append(level.pop())
        level = [combine(lhs, rhs) for lhs, rhs in zip(level[::2], level[1::2], strict=True)]
    return fold([level[0], *reversed(waiting)], combine)


def order_of_summation(values: Sequence[T], combine: Combine[T]) -> T:
    """The sum (or product) of values in an order that depends only on their number.

    Blocks of 1,024 values are summed `in_lanes`, with 64 lanes. The sums of blocks are added in pairs of
    neighbours, pairs in pairs, and so on; a last sum without a neighbour passes to the next level. Each of n
    values is therefore rounded at most 22 + log2(n / 1024) times. Values are in row-major order of the summed
    dimensions. (divergences: "Sums")
    """
    starts = range(0, len(values), SUM_BLOCK)
    sums = [in_lanes(values[start : start + SUM_BLOCK], SUM_LANES, combine) for start in starts]
    while len(sums) > 1:
        pairs = [combine(lhs, rhs) for lhs, rhs in zip(sums[::2], sums[1::2], strict=False)]
        sums = pairs + sums[2 * len(pairs) :]
    return sums[0]


def in_lanes(values: Sequence[T], lane_count: int, combine: Combine[T]) -> T:
    """Lane j folds the values j, j + lane_count, j + 2 lane_count, ...; `in_halves` combines the lanes."""
    lanes = [fold(values[j::lane_count], combine) for j in range(min(lane_count, len(values)))]
    return in_halves(lanes, lane_count, combine)


def in_halves(lanes: Sequence[T], lane_count: int, combine: Combine[T]) -> T:
    """Lanes j and j + lane_count / 2 are combined, then j and j + lane_count / 4, and so on.

    The last lanes may be missing; their partners are then unchanged.
    """
    lanes = list(lanes)
    while lane_count > 1:
        lane_count //= 2
        for j in range(lane_count, len(lanes)):
            lanes[j - lane_count] = combine(lanes[j - lane_count], lanes[j])
        del lanes[lane_count:]
    return lanes[0]


def product_lanes(count: int) -> int:
    """The number of lanes in which a block of products is added: fewer for short blocks."""
    if count < 8:
        return 4 if count > 2 else max(count, 1)
    return 8 if count < 128 else 16


def sum_of_products(lhs: Sequence[Element], rhs: Sequence[Element]) -> Element:
    """The sum of lhs[k] * rhs[k], f32 or f64, in an order that depends only on their number.

    Blocks of 256 terms are summed in the type itself, in `product_lanes` lanes: each lane is a sequence of
    `multiply_add` that begins with +0, and `in_halves` combines the lanes. The sums of blocks are added in
    higher precision, from left to right: sums of f32 in f64, sums of f64 with compensation. A term is
    therefore rounded 20 times in a block. No sum is -0.
    """
    type_ = lhs[0].type if lhs else F64
    products = list(zip(lhs, rhs, strict=True))
    starts = range(0, len(products), PRODUCT_BLOCK)
    blocks = [_sum_of_block(products[start : start + PRODUCT_BLOCK]) for start in starts]
    if len(blocks) == 1:
        return blocks[0]
    if type_ == F64:
        return compensated_sum(blocks)
    total = fold([Element(F64, float(block)) for block in blocks], operator.add)
    return Element(type_, float(total))


def _sum_of_block(products: Sequence[tuple[Element, Element]]) -> Element:
    zero = Element(products[0][0].type, 0.0)

    def lane(factors: Sequence[tuple[Element, Element]]) -> Element:
        return reduce(lambda total, pair: pair[0].multiply_add(pair[1], total), factors, zero)

    count = product_lanes(len(products))
    return in_halves([lane(products[j::count]) for j in range(count)], count, operator.add) + zero


def compensated_sum(values: Sequence[Element]) -> Element:
    """The sum from left to right. If it is finite, the sum of the rounding errors is added at the end.

    Source: Ogita, Rump and Oishi, Accurate sum and dot product (2005): Sum2.
    """
    total, error = values[0], Element(values[0].type, 0.0)
    for value in values[1:]:
        new = total + value
        virtual = new - total
        error = error + ((total - (new - virtual)) + (value - virtual))
        total = new
    return total + error if isfinite(float(total)) else total


def powers_of_two(values: Sequence[T], shape: Sequence[int], combine: Combine[T]) -> T:
    """The values of a window, in row-major order, combined along one axis after the other, the last first.

    Along an axis a window is divided into runs whose sizes are the powers of two in the binary representation
    of its size, the smallest first. A run is an `in_order_tree`, so that overlapping windows share its parts.
    Each of n values along an axis is therefore rounded at most 1 + log2(n) times. This is the order of
    windows that are not small.
    """
    if not shape:
        return values[0]
    size = len(values) // shape[0]
    rows = [
        powers_of_two(values[start : start + size], shape[1:], combine)
        for start in range(0, len(values), size)
    ]
    runs: list[T] = []
    start = 0
    for length in (1 << k for k in range(len(rows).bit_length()) if len(rows) >> k & 1):
        runs.append(in_order_tree(rows[start : start + length], combine))
        start += length
    return fold(runs, combine)


def running(values: Sequence[T], combine: Combine[T]) -> list[T]:
    """The sums (or products) of values[: 1], values[: 2], ...: from left to right.

    This is the order of windows that all begin (or all end) at a border of the tensor: cumulative sums.
    """
    return list(accumulate(values, combine))


def compensated_running(values: Sequence[Element]) -> list[Element]:
    """`running` sums of floats, each corrected by the sum of all earlier rounding errors if that sum is
    finite and not 0, so that a sum of -0 is -0.

    Each result is therefore rounded twice, for any number of values.

    Source: Ogita, Rump and Oishi, Accurate sum and dot product (2005): Sum2.
    """
    totals, errors = running(values, operator.add), list[Element]()
    for total, value, new in zip(totals, values[1:], totals[1:], strict=False):
        virtual = new - total
        errors.append((total - (new - virtual)) + (value - virtual))
    pairs = zip(totals[1:], running(errors, operator.add), strict=True)
    return [*totals[:1], *(new + error if error and isfinite(float(error)) else new for new, error in pairs)]


def stable_order(values: Sequence[T], is_before: Callable[[T, T], bool]) -> list[T]:
    """Values sorted by a comparator; values that the comparator does not order keep their original order.

    Runs of eight values are sorted by insertion, then neighbouring runs are merged. The comparator decides
    only whether a later value comes before an earlier one, so that the order is defined for comparators that
    are no order, too. (divergences: "`sort` by a comparator that is no order")
    """
    runs = [
        _inserted(values[start : start + SORTED_RUN], is_before)
        for start in range(0, len(values), SORTED_RUN)
    ]
    while len(runs) > 1:
        pairs = [_merged(left, right, is_before) for left, right in zip(runs[::2], runs[1::2], strict=False)]
        runs = pairs + runs[2 * len(pairs) :]
    return runs[0] if runs else []


def _inserted(values: Sequence[T], is_before: Callable[[T, T], bool]) -> list[T]:
    ordered: list[T] = []
    for value in values:
        position = len(ordered)
        while position and is_before(value, ordered[position - 1]):
            position -= 1
        ordered.insert(position, value)
    return ordered


def _merged(left: list[T], right: list[T], is_before: Callable[[T, T], bool]) -> list[T]:
    merged: list[T] = []
    while left and right:
        merged.append(right.pop(0) if is_before(right[0], left[0]) else left.pop(0))
    return [*merged, *left, *right]


# Others ---------------------------------------------------------------------------------------------

# `rng_bit_generator` with DEFAULT. (divergences: "`rng_bit_generator` DEFAULT")
DEFAULT_RNG_ALGORITHM = "PHILOX"


class RandomStream:
    """The random numbers of `rng`: a PCG64 stream of NumPy that restarts with each run. (divergences:
    "`rng`")
    """

    def __init__(self) -> None:
        self._generator: np.random.Generator | None = None

    @property
    def generator(self) -> np.random.Generator:
        if self._generator is None:
            from numpy.random import default_rng  # slow to import, and rarely used

            self._generator = default_rng(0)
        return self._generator
