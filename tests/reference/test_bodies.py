"""Bodies of reductions: what is the same is computed once, unless an observer follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.reference.stablehlo import reductions
from tests.reference.evaluating import results

# 34 windows of 34 numbers, which overlap but for one number each.
WINDOWS = """func.func @main(%x: tensor<34xi8>, %zero: tensor<i8>) -> tensor<34xi8> {
  %r = "stablehlo.reduce_window"(%x, %zero) ({^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = stablehlo.add %a, %b : tensor<i8> stablehlo.return %c : tensor<i8>})
    {window_dimensions = array<i64: 34>, padding = dense<[[33, 0]]> : tensor<1x2xi64>}
    : (tensor<34xi8>, tensor<i8>) -> tensor<34xi8>
  return %r : tensor<34xi8>
}"""
NUMBERS = np.arange(34, dtype=np.int8)


def test_overlapping_windows_combine_the_same_elements_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs: list[Any] = []
    apply = reductions.apply

    def counted(body: Any, lhs: Any, rhs: Any) -> Any:
        pairs.append((lhs, rhs))
        return apply(body, lhs, rhs)

    monkeypatch.setattr(reductions, "apply", counted)
    (sums,) = results(WINDOWS, NUMBERS, 0)
    assert (sums == np.cumsum(NUMBERS, dtype=np.int8)).all()
    # 34 additions in each window; neighbours share all but a few of them.
    assert len(pairs) == len(set(pairs)) < 34 * 8


class Steps:
    """An observer that counts additions."""

    def __init__(self) -> None:
        self.count = 0

    def before(self, plan: Any, step: Any, operands: Sequence[Any]) -> None:
        self.count += step.name == "stablehlo.add"

    def after(self, plan: Any, step: Any, operands: Sequence[Any], results: Sequence[Any]) -> None:
        """See `Observer`."""


def test_an_observer_sees_every_step_of_a_body() -> None:
    steps = Steps()
    program = hlokit.load(WINDOWS)
    program.runs.evaluate([NUMBERS, np.int8(0)], "main", observer=steps, tier="reference")
    assert steps.count == 34 * 34
