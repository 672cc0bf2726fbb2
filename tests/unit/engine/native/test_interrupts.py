"""Ctrl-C ends kernels in compiled code soon, also in the middle of one call."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

import hlokit
from tests.unit.engine.native.interrupting import interrupted_after

_PRODUCT = """
func.func @main(%a: tensor<5000x5000xf64>) -> tensor<5000x5000xf64> {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0]
    : (tensor<5000x5000xf64>, tensor<5000x5000xf64>) -> tensor<5000x5000xf64>
  return %0 : tensor<5000x5000xf64>
}"""
# The comparator compares no keys.
_SORT = """
func.func @main(%a: tensor<16000000xf32>) -> tensor<16000000xf32> {
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %d = stablehlo.subtract %x, %y : tensor<f32>
    %c = stablehlo.compare LT, %d, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<16000000xf32>) -> tensor<16000000xf32>
  return %0 : tensor<16000000xf32>
}"""

_CHOLESKY = """
func.func @main(%a: tensor<9000x9000xf32>) -> tensor<9000x9000xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<9000x9000xf32>
  return %0 : tensor<9000x9000xf32>
}"""


@pytest.mark.parametrize(
    ("text", "make_argument"),
    [
        (_PRODUCT, lambda: np.ones((5000, 5000))),
        (_SORT, lambda: np.arange(16_000_000, 0, -1, np.float32)),
        (_CHOLESKY, lambda: np.eye(9000, dtype=np.float32)),
    ],
    ids=["product", "sort", "cholesky"],
)
def test_a_kernel_ends_early(
    text: str, make_argument: Callable[[], np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HLOKIT_THREADS", "1")
    program = hlokit.load(text)
    argument = make_argument()
    start = time.process_time()
    with interrupted_after(0.5):
        while True:
            program(argument)
    # One call takes longer.
    assert time.process_time() - start < 4


def test_results_after_an_interrupt_are_right() -> None:
    program = hlokit.load(_PRODUCT.replace("5000", "500"))
    argument = np.arange(250_000, dtype=np.float64).reshape(500, 500) % 7
    with interrupted_after(0.05):
        while True:
            program(argument)
    np.testing.assert_array_equal(program(argument), argument @ argument)
