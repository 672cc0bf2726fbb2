"""Sharded programs in exact arithmetic: right ones are equal, and faults that a tolerance would hide are seen."""

from __future__ import annotations

import re
from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest

import hlokit
from hlokit.tools.equal.comparing import Question, decide
from hlokit.tools.equal.sides import Pairing, WholeProgram
from hlokit.tools.shard.comparison.checking import Compared
from unit.tools.equal.faults import whole

TEXT = """
func.func @main(%x: tensor<4x8xbf16>, %w: tensor<8x6xbf16>) -> tensor<4x6xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x6xbf16>) -> tensor<4x6xbf16>
  %1 = stablehlo.tanh %0 : tensor<4x6xbf16>
  return %1 : tensor<4x6xbf16>
}
"""


@pytest.mark.parametrize(
    "count", [2, pytest.param(4, marks=pytest.mark.deep), pytest.param(8, marks=pytest.mark.deep)]
)
def test_pairwise_sums_do_not_depend_on_the_number_of_devices(count: int) -> None:
    for type_ in ("f32", "bf16") if count > 2 else ("bf16",):
        case = whole("gradients", type_)
        text = case.text if count > 2 else TEXT.replace("bf16", type_)
        program = hlokit.load(text)
        arguments = program.example_inputs(0)
        rows = {0: "P('a', None)"} if count > 2 else {0: "P(None, 'a')", 1: "P('a', None)"}
        sharded = hlokit.shard(program, f"a={count}", rows)
        assert not all(result.is_same for result in sharded.check(*arguments).compared)
        sharded.precision = "pairwise"
        assert all(result.is_same for result in sharded.check(*arguments).compared)
        (first, *_) = program.runs.evaluate(arguments, "main", precision="pairwise")
        usual = np.asarray(program.runs.evaluate(arguments, "main")[0]).astype(np.float64)
        gap = np.abs(np.asarray(first).astype(np.float64) - usual).max()
        assert gap <= (1e-4 if type_ == "f32" else 0.1) * np.abs(usual).max()


def test_right_and_wrong_programs_of_devices() -> None:
    generator = np.random.default_rng(0)
    x, w = (generator.normal(size=size).astype(ml_dtypes.bfloat16) for size in ((4, 8), (8, 6)))
    sharded = hlokit.shard(hlokit.load(TEXT), "a=2", {0: "P(None, 'a')", 1: "P('a', None)"})
    assert sharded.check(x, w).is_right
    assert hlokit.equal(TEXT, sharded, x, w).is_equal
    text = sharded.program.text()
    faults = {
        "maximum instead of a sum": text.replace("stablehlo.add", "stablehlo.maximum"),
        "groups of one": re.sub(  # of numbers or, in newer versions, of axes
            "replica_groups = .*, use_", "replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_", text
        ),
        "another function": text.replace("stablehlo.tanh", "stablehlo.sine"),
    }
    side, program = sharded.exact_side(), WholeProgram(sharded.whole, "main")
    for fault, changed in faults.items():
        assert changed != text, fault
        wrong = replace(side, program=hlokit.load(changed))
        verdict = decide(Question(program, wrong, Pairing((0, 1), (0,)), [x, w], runs=1))
        assert verdict.status == "differs", fault


SOFTMAX = """
func.func @main(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<2xf32>) -> tensor<2x8xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<2x8xf32>
  %3 = stablehlo.exponential %2 : tensor<2x8xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<2xf32>) -> tensor<2x8xf32>
  %6 = stablehlo.divide %3, %5 : tensor<2x8xf32>
  return %6 : tensor<2x8xf32>
}
"""


def test_what_is_equal_exactly_may_be_wrong_in_floats() -> None:
    """Regression: a softmax whose maximum became a sum of maxima was right, since that cancels exactly."""
    sharded = hlokit.shard(hlokit.load(SOFTMAX), "a=4", {0: "P(None, 'a')"}, partitioner="xla")
    text = sharded.program.text()
    wrong = text.replace(" stablehlo.maximum %arg1", " stablehlo.add %arg1")
    assert wrong != text
    x = np.linspace(32, 28, 16, dtype=np.float32).reshape(2, 8)
    assert sharded.check(x).is_right
    sharded.program = hlokit.load(wrong)
    check = sharded.check(x)
    (result,) = check.compared
    assert (result.is_equal, result.is_proven, result.is_within) == (True, True, False), check
    assert not check.is_right
    gaps = np.abs(np.asarray(sharded(x)) - np.asarray(hlokit.load(SOFTMAX)(x)))
    assert result.difference == pytest.approx(gaps.max())


def test_a_measured_bound_does_not_overrule_exact_numbers() -> None:
    result = Compared("result", False, 1e-3, 1e-6, is_equal=True)
    assert result.is_right
    assert not replace(result, is_proven=True).is_right
    assert not replace(result, difference=np.inf).is_right
    assert not replace(result, is_equal=False).is_right
    assert not replace(result, is_equal=None).is_right
