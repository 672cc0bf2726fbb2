"""Steps on huge arrays: an interrupt need not wait for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract import interrupts
from hlokit.engine.interpreter import tiers

HUGE = 1 << 16  # here
TEXT = f"""
func.func @main(%x: tensor<{HUGE // 2}xi8>, %count: tensor<i32>) -> tensor<{HUGE}xi8> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %both = stablehlo.concatenate %x, %x, dim = 0 : (tensor<{HUGE // 2}xi8>, tensor<{HUGE // 2}xi8>) -> tensor<{HUGE}xi8>
  %small = stablehlo.add %count, %one : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %both) : tensor<i32>, tensor<{HUGE}xi8> cond {{
    %p = stablehlo.compare LT, %i, %small : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.negate %y : tensor<{HUGE}xi8>
    stablehlo.return %j, %z : tensor<i32>, tensor<{HUGE}xi8>
  }}
  return %0#1 : tensor<{HUGE}xi8>
}}"""


def test_the_main_thread_waits_for_steps_on_huge_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    operands: list[int] = []

    def beside(function: Callable[..., Any], *arguments: Any) -> Any:
        operands.append(len(arguments))
        return interrupts.beside_main_thread(function, *arguments)

    monkeypatch.setattr(tiers, "beside_main_thread", beside)
    monkeypatch.setattr(tiers, "HUGE", HUGE)
    x = np.arange(HUGE // 2, dtype=np.int32).astype(np.int8)
    result = hlokit.load(TEXT)(x, 2)
    assert result.tobytes() == np.concatenate([-x, -x]).tobytes()
    assert operands == [2, 1, 1, 1]  # concatenate, and negate three times
