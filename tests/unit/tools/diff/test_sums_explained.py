"""Sums that the other side adds in another order, or fuses with products, are explained bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import hlokit
from unit.tools.diff.sides import Here

F = np.float32
RANDOM = np.random.default_rng(3)
TERMS = RANDOM.normal(size=(6, 101)).astype(F)
OTHERS = RANDOM.normal(size=(101, 5)).astype(F)
REDUCE = """func.func @main(%a: tensor<6x101x{0}>) -> tensor<6x{0}> {{
  %z = stablehlo.constant dense<0.0> : tensor<{0}>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<6x101x{0}>, tensor<{0}>) -> tensor<6x{0}>
  return %0 : tensor<6x{0}>
}}"""
DOT = """func.func @main(%a: tensor<6x101xf32>, %b: tensor<101x5xf32>) -> tensor<6x5xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<6x101xf32>, tensor<101x5xf32>) -> tensor<6x5xf32>
  return %0 : tensor<6x5xf32>
}"""
PRODUCTS = """func.func @main(%a: tensor<40xf32>, %b: tensor<40xf32>, %c: tensor<40xf32>) -> tensor<40xf32> {
  %0 = stablehlo.multiply %a, %b : tensor<40xf32>
  %1 = stablehlo.SUM : tensor<40xf32>
  return %1 : tensor<40xf32>
}"""


def rounded_once(a: Any, b: Any, c: Any) -> Any:
    """a * b + c, the nearest number of f32 to the exact value."""
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    near = F(float(exact))
    candidates = (near, np.nextafter(near, F(np.inf)), np.nextafter(near, F(-np.inf)))
    return min(candidates, key=lambda number: abs(Fraction(float(number)) - exact))


def in_turn(terms: Sequence[Any]) -> Any:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def by_halves(terms: Sequence[Any]) -> Any:
    middle = len(terms) // 2
    return by_halves(terms[:middle]) + by_halves(terms[middle:]) if middle else terms[0]


def in_lanes(count: int) -> Callable[[Sequence[Any]], Any]:
    return lambda terms: in_turn([in_turn(terms[lane::count]) for lane in range(count)])


def in_blocks(size: int) -> Callable[[Sequence[Any]], Any]:
    return lambda terms: in_turn([in_turn(terms[n : n + size]) for n in range(0, len(terms), size)])


def in_f16(terms: Sequence[Any]) -> Any:
    return F(in_turn([np.float16(term) for term in terms]))


def in_f32(terms: Sequence[Any]) -> Any:
    return np.float64(in_turn([F(term) for term in terms]))


def side_with(result: Any) -> Here:
    return Here(change=lambda _, results: [result for _ in results], batch=1)


def explanation(program: str, arguments: Sequence[Any], result: Any) -> str:
    report = hlokit.diff(hlokit.load(program), *arguments, against=side_with(result), mode="isolated")
    (finding,) = report.findings
    if finding.comparison.explanation:
        assert finding.comparison.explanation in report.explanations
    return finding.comparison.explanation


@pytest.mark.parametrize(
    ("add", "words"),
    [
        (in_turn, "one after the other"),
        (lambda terms: in_turn(terms[::-1]), "from the last to the first"),
        (by_halves, "pairwise, by halves"),
        (in_lanes(4), "in 4 lanes, which are added one after the other"),
        (in_lanes(8), "in 8 lanes, which are added one after the other"),
        (in_lanes(16), "in 16 lanes, which are added one after the other"),
        (in_blocks(32), "in blocks of 32"),
        (np.sum, "pairwise, as NumPy does"),
        (in_f16, "one after the other, in f16"),
    ],
)
def test_orders_of_a_sum(add: Callable[[Any], Any], words: str) -> None:
    result = np.array([add(row) for row in TERMS], F)
    told = explanation(REDUCE.format("f32"), [TERMS], result)
    assert told.startswith("terms are added ")
    assert words in told
    assert told.endswith("fits bit for bit")


@pytest.mark.parametrize(
    ("element", "dtype", "add", "words"),
    [
        ("f64", np.float64, in_f32, "one after the other, in f32: fits"),
        ("f16", np.float16, in_turn, "one after the other: fits"),
        ("f16", np.float16, in_lanes(8), "in 8 lanes, which are added one after the other: fits"),
    ],
)
def test_sums_of_other_types(element: str, dtype: Any, add: Callable[[Any], Any], words: str) -> None:
    terms = TERMS.astype(dtype)
    result = np.array([add(row) for row in terms], dtype)
    assert words in explanation(REDUCE.format(element), [terms], result)


def test_products_that_are_fused_with_sums() -> None:
    result = np.zeros((6, 5), F)
    rounded = np.zeros((6, 5), F)
    for k in range(101):
        for m, n in np.ndindex(6, 5):
            result[m, n] = rounded_once(TERMS[m, k], OTHERS[k, n], result[m, n])
            rounded[m, n] = rounded[m, n] + TERMS[m, k] * OTHERS[k, n]
    assert "one after the other, fused with their products: fits" in explanation(DOT, [TERMS, OTHERS], result)
    assert "one after the other: fits" in explanation(DOT, [TERMS, OTHERS], rounded)


def test_no_order_fits_other_sums() -> None:
    result = np.array([in_turn(row) for row in TERMS], F)
    result[3] = np.nextafter(result[3], F(np.inf))
    assert explanation(REDUCE.format("f32"), [TERMS], result) == ""


@pytest.mark.parametrize(
    ("sum_", "signs"),
    [
        ("add %0, %c", (1, 1)),
        ("add %c, %0", (1, 1)),
        ("subtract %0, %c", (1, -1)),
        ("subtract %c, %0", (-1, 1)),
    ],
)
def test_a_fused_multiply_add(sum_: str, signs: tuple[int, int]) -> None:
    a, b, c = (RANDOM.normal(size=40).astype(F) for _ in range(3))
    once = np.array([rounded_once(signs[0] * x, y, signs[1] * z) for x, y, z in zip(a, b, c, strict=True)], F)
    program = hlokit.load(PRODUCTS.replace("SUM", sum_))
    own = program(a, b, c).tobytes()
    side = Here(change=lambda _, results: [once if value.tobytes() == own else value for value in results])
    report = hlokit.diff(program, a, b, c, against=side, mode="values")
    assert report.status == 0
    (finding,) = report.findings
    assert "fused multiply-add" in finding.comparison.explanation
    whole = Here(change=lambda text, results: [once] if "multiply" in text and len(results) == 1 else results)
    report = hlokit.diff(program, a, b, c, against=whole)
    assert "fused multiply-add" in report.results[0].explanation
    assert "fused multiply-add" in " ".join(str(report).split())
