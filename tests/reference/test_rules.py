"""The rules that decide what the specification leaves open."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from hlokit.reference.numbers.rules import (
    compensated_running,
    compensated_sum,
    fold,
    in_order_tree,
    order_of_summation,
    powers_of_two,
    running,
    stable_order,
    sum_of_products,
)
from hlokit.values.element import Element
from hlokit.values.element_types import F32, F64


def join(lhs: str, rhs: str) -> str:
    """A sum that shows how it was made."""
    return f"({lhs} {rhs})"


def letters(count: int) -> list[str]:
    return [chr(ord("a") + k) for k in range(count)]


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, "a"),
        (2, "(a b)"),
        (3, "((a b) c)"),
        (5, "(((a b) (c d)) e)"),
        (7, "((((a b) (c d)) (e f)) g)"),
    ],
)
def test_in_order_tree(count: int, expected: str) -> None:
    assert in_order_tree(letters(count), join) == expected


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, "a"),
        (2, "(a b)"),
        (3, "((a c) b)"),
        (5, "(((a e) c) (b d))"),
        (8, "(((a e) (c g)) ((b f) (d h)))"),
        (10, "((((a i) e) (c g)) (((b j) f) (d h)))"),
    ],
)
def test_order_of_summation(count: int, expected: str) -> None:
    assert order_of_summation(letters(count), join) == expected


def test_values_of_a_lane_follow_each_other_and_lanes_join_in_halves() -> None:
    total = order_of_summation([f"{k}" for k in range(130)], join)
    lanes = [fold([f"{k}" for k in range(lane, 130, 64)], join) for lane in range(64)]
    assert lanes[:2] == ["((0 64) 128)", "((1 65) 129)"]
    assert f"({lanes[0]} {lanes[32]})" in total and f"({lanes[31]} {lanes[63]})" in total


def test_blocks_join_in_pairs() -> None:
    total = order_of_summation(range(5 * 1024), lambda lhs, rhs: lhs + rhs)
    assert total == sum(range(5 * 1024))
    blocks: list[str] = []

    def joined(lhs: str, rhs: str) -> str:
        if len(lhs) > 1 and len(rhs) > 1 and lhs[0] == rhs[0] == "b":
            blocks.append(f"{lhs} {rhs}")
        return lhs

    order_of_summation([f"b{k // 1024}" for k in range(3 * 1024)], joined)
    assert blocks[-2:] == ["b0 b1", "b0 b2"]


@pytest.mark.parametrize("count", [1, 7, 8, 100, 128, 129, 1000, 1024, 1025, 5000])
def test_a_term_is_rounded_as_seldom_as_promised(count: int) -> None:
    depth = order_of_summation([0] * count, lambda lhs, rhs: max(lhs, rhs) + 1)
    blocks = -(-count // 1024)
    assert depth <= 22 + (blocks - 1).bit_length()


def test_windows_share_powers_of_two() -> None:
    assert powers_of_two(letters(5), (5,), join) == "(a ((b c) (d e)))"
    assert powers_of_two(letters(6), (2, 3), join) == "((a (b c)) (d (e f)))"


@pytest.mark.parametrize("count", [1, 128, 129, 400])
def test_running_sums(count: int) -> None:
    assert running(range(count), lambda lhs, rhs: lhs + rhs) == list(np.cumsum(range(count)))


@pytest.mark.parametrize("count", [1, 2, 100, 3000])
def test_compensated_running_sums_are_rounded_twice(count: int) -> None:
    values = [float(x) for x in np.random.default_rng(count).standard_normal(count)]
    exact, size, unit = Fraction(0), Fraction(0), Fraction(1, 2**53)
    for value, total in zip(values, compensated_running([Element(F64, x) for x in values]), strict=True):
        exact, size = exact + Fraction(value), size + abs(Fraction(value))
        assert abs(Fraction(float(total)) - exact) <= unit * abs(exact) + (count * unit) ** 2 * size


def test_compensated_running_sums_end_where_f64_does() -> None:
    sums = compensated_running([Element(F64, x) for x in (1e308, 1e308, 1.0, -math.inf)])
    assert [float(x) for x in sums[:3]] == [1e308, math.inf, math.inf] and math.isnan(float(sums[3]))


@pytest.mark.parametrize("type_", (F32, F64), ids=str)
@pytest.mark.parametrize("count", [1, 2, 8, 100, 256, 257, 1000])
def test_sums_of_products_are_accurate(type_: object, count: int) -> None:
    assert type_ in (F32, F64)
    element_type = F32 if type_ is F32 else F64
    rows = np.random.default_rng(count).standard_normal((2, count))
    lhs, rhs = ([Element(element_type, float(x)) for x in row] for row in rows)
    exact = sum(Fraction(float(x)) * Fraction(float(y)) for x, y in zip(lhs, rhs, strict=True))
    size = sum(abs(Fraction(float(x)) * Fraction(float(y))) for x, y in zip(lhs, rhs, strict=True))
    unit = Fraction(1, 2**24 if element_type is F32 else 2**53)
    assert abs(Fraction(float(sum_of_products(lhs, rhs))) - exact) <= 22 * unit * size


def test_products_are_not_rounded_before_they_are_added() -> None:
    eight = [Element(F32, 0.0)] * 8
    x = Element(F32, 1 + 2.0**-12)
    lhs = [x, *eight[1:], Element(F32, -1.0)]  # the ninth is in the first lane, as is the first
    rhs = [x, *eight[1:], Element(F32, 1.0)]
    assert float(sum_of_products(lhs, rhs)) == 2.0**-11  # 1 + 2**-11 was rounded when 0 was added
    assert float(sum_of_products([lhs[8], *eight[1:], x], [rhs[8], *eight[1:], x])) == 2.0**-11 + 2.0**-24


def test_compensated_sums_keep_small_terms() -> None:
    values = [Element(F64, x) for x in (1e16, 1.0, -1e16)]
    assert float(compensated_sum(values)) == 1.0
    assert float(compensated_sum([Element(F64, np.inf), Element(F64, 1.0)])) == np.inf


def test_a_sort_asks_only_whether_a_later_value_comes_before_an_earlier_one() -> None:
    values = list(enumerate([3.0, float("nan"), 1.0, 2.0, 1.0] * 7))

    def is_before(lhs: tuple[int, float], rhs: tuple[int, float]) -> bool:
        assert lhs[0] > rhs[0] or lhs[1] != rhs[1]
        return lhs[1] <= rhs[1]

    assert sorted(stable_order(values, is_before)) == values
    ones = [(n, 1.0) for n in range(20)]
    assert stable_order(ones, lambda lhs, rhs: lhs[1] < rhs[1]) == ones
    assert stable_order(ones, lambda lhs, rhs: lhs[1] <= rhs[1]) == ones[::-1]


def test_eight_values_are_sorted_by_insertion_and_more_by_merges() -> None:
    def is_before(lhs: float, rhs: float) -> bool:
        return lhs < rhs

    # Insertion compares 2 with NaN and stops; the merge compares 2 with 3.
    assert str(stable_order([3.0, float("nan"), 2.0], is_before)) == "[3.0, nan, 2.0]"
    values = [3.0, float("nan"), *range(4, 10), 2.0]
    assert str(stable_order(values, is_before)[:3]) == "[2.0, 3.0, nan]"
