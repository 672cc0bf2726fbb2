"""Thresholds: all are documented, and programs with others give the same results."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS, Thresholds

LOOP = """func.func @main(%n: tensor<i32>, %v: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %v) : tensor<i32>, tensor<64x8xf32> cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %row = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 8]
      : (tensor<64x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %new = stablehlo.multiply %row, %row : tensor<1x8xf32>
    %w = stablehlo.dynamic_update_slice %x, %new, %i, %zero
      : (tensor<64x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<64x8xf32>
    %all = stablehlo.add %w, %w : tensor<64x8xf32>
    %half = stablehlo.multiply %all, %all : tensor<64x8xf32>
    %root = stablehlo.sqrt %half : tensor<64x8xf32>
    stablehlo.return %j, %root : tensor<i32>, tensor<64x8xf32>
  }
  return %r#1 : tensor<64x8xf32>
}"""


def test_every_threshold_is_documented() -> None:
    documented = re.findall(r"^  (\w+): ", inspect.getdoc(Thresholds) or "", re.MULTILINE)
    assert tuple(documented) == Thresholds._fields


@pytest.mark.parametrize(
    "changes",
    [
        {"loop_first_iterations": 0},
        {"loop_first_iterations": 1 << 30},
        {"loop_elements": 1, "loop_call_elements": 0, "in_place_bytes": 1},
        {
            "loop_elements": 1,
            "loop_call_elements": 0,
            "in_place_bytes": 1,
            "fusion_elements": 2,
            "fusion_work": 0,
        },
        {"loop_elements": 1, "loop_call_elements": 0, "in_place_bytes": 1 << 30, "straight_line_cost": 0},
        {"loop_elements": 1},
        {"lowered_instructions": 3},
        {"loop_budget": 1},
    ],
    ids=str,
)
def test_results_do_not_depend_on_them(changes: dict[str, int]) -> None:
    arguments = np.int32(20), np.random.default_rng(0).normal(size=(64, 8)).astype(np.float32)
    program = hlokit.load(LOOP)
    other = program.with_thresholds(DEFAULTS._replace(**changes))
    expected = program(*arguments).tobytes()
    for _ in range(3):
        assert other(*arguments).tobytes() == expected
