"""What the other side did instead is told where it fits: other operands, accumulators, roundings."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hlokit
from unit.tools.diff.sides import Here

F = np.float32
RANDOM = np.random.default_rng(0)
A, B = (RANDOM.normal(size=(16, 16)).astype(F) for _ in range(2))
DOT = hlokit.load(
    """func.func @main(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}"""
)
MULTIPLY = hlokit.load(
    """func.func @main(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = stablehlo.multiply %a, %b : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}"""
)


def in_type(value: Any, dtype: Any) -> Any:
    return value.astype(dtype).astype(F)


def tf32(value: Any) -> Any:
    """Ten bits of mantissa, halves to even, by the ratio to the power of two."""
    mantissa, exponent = np.frexp(value.astype(np.float64))
    return np.ldexp(np.rint(mantissa * 2**11) / 2**11, exponent).astype(F)


def sum_in_f16() -> Any:
    total = np.zeros((16, 16), np.float16)
    for k in range(16):
        total = (total + (A[:, k, None] * B[None, k]).astype(np.float16)).astype(np.float16)
    return total.astype(F)


BF16 = ml_dtypes.bfloat16


@pytest.mark.parametrize(
    ("program", "results", "words"),
    [
        (DOT, in_type(A, BF16) @ in_type(B, BF16), "operands are rounded to bf16"),
        (DOT, (tf32(A).astype(np.float64) @ tf32(B).astype(np.float64)).astype(F), "rounded to TF32"),
        (DOT, sum_in_f16(), "accumulated in f16"),
        (MULTIPLY, in_type(A, BF16) * in_type(B, BF16), "operands are rounded to bf16: fits bit for bit"),
        (MULTIPLY, in_type(A * B, BF16), "results are rounded to bf16: fits bit for bit"),
    ],
)
@pytest.mark.parametrize("mode", ["isolated", "values"])
def test_an_explanation_is_told_where_it_fits(program: Any, results: Any, words: str, mode: Any) -> None:
    change = lambda _, returned: [results for _ in returned]  # noqa: E731 # short
    report = hlokit.diff(program, A, B, against=Here(change=change, batch=1), mode=mode)
    assert report.first is not None
    assert words in report.first.comparison.explanation
    assert words in " ".join(str(report).split())
    assert report.as_dict()["explanations"]


def test_no_explanation_where_none_fits() -> None:
    side = Here(change=lambda _, returned: [returned[0] * F(1.01)], batch=1)
    report = hlokit.diff(DOT, A, B, against=side, mode="isolated")
    assert report.first is not None
    assert report.first.comparison.explanation == ""
    assert "explained" not in str(report)


@pytest.mark.parametrize(
    ("op", "value", "result", "words"),
    [
        ("floor", 1.7, 2.0, "rounded to the nearest integer, halves to even"),
        ("round_nearest_even", 2.5, 3.0, "halves away from zero"),
    ],
)
def test_another_rounding(op: str, value: float, result: float, words: str) -> None:
    program = hlokit.load(
        f"func.func @main(%x: tensor<f32>) -> tensor<f32> {{ %0 = stablehlo.{op} %x : tensor<f32> return %0 : tensor<f32> }}"
    )
    side = Here(change=lambda _, __: [np.array(result, F)], batch=1)
    report = hlokit.diff(program, F(value), against=side, mode="isolated")
    assert report.first is not None
    assert words in report.first.comparison.explanation


def test_flushed_subnormal_numbers_are_the_explanation() -> None:
    program = hlokit.load(
        """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
    )
    side = Here(change=lambda _, __: [np.array([0, 4], F)], batch=1)
    report = hlokit.diff(program, np.array([1e-20, 2], F), against=side, mode="isolated", flush="none")
    assert report.first is not None
    assert report.first.comparison.explanation == "subnormal results are flushed to zero: fits bit for bit"


def test_flushed_operands_are_no_results_of_a_narrower_type() -> None:
    """Regression: zeros in all elements were called results in f16."""
    program = hlokit.load(
        """func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
    )
    side = Here(change=lambda _, __: [np.zeros(2, F)], batch=1)
    arguments = np.array([1e-39, 2e-39], F), np.array([1e10, 3e10], F)
    report = hlokit.diff(program, *arguments, against=side, mode="isolated", flush="none")
    assert report.first is not None
    assert report.first.comparison.explanation == "subnormal operands are flushed to zero: fits bit for bit"
