"""Sharded programs in exact arithmetic: right ones are equal, and faults that a tolerance would hide are seen."""

from __future__ import annotations

from dataclasses import replace

import ml_dtypes
import numpy as np

import hlokit
from hlokit.tools.equal.comparing import Question, decide
from hlokit.tools.equal.sides import Pairing, WholeProgram

TEXT = """
func.func @main(%x: tensor<4x8xbf16>, %w: tensor<8x6xbf16>) -> tensor<4x6xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x6xbf16>) -> tensor<4x6xbf16>
  %1 = stablehlo.tanh %0 : tensor<4x6xbf16>
  return %1 : tensor<4x6xbf16>
}
"""


def test_right_and_wrong_programs_of_devices() -> None:
    generator = np.random.default_rng(0)
    x, w = (generator.normal(size=size).astype(ml_dtypes.bfloat16) for size in ((4, 8), (8, 6)))
    sharded = hlokit.shard(hlokit.load(TEXT), "a=2", {0: "P(None, 'a')", 1: "P('a', None)"})
    assert sharded.check(x, w).is_right
    assert hlokit.equal(TEXT, sharded, x, w).is_equal
    text = sharded.program.text()
    faults = {
        "maximum instead of a sum": text.replace("stablehlo.add", "stablehlo.maximum"),
        "groups of one": text.replace(
            "dense<[[0, 1]]> : tensor<1x2xi64>", "dense<[[0], [1]]> : tensor<2x1xi64>"
        ),
        "another function": text.replace("stablehlo.tanh", "stablehlo.sine"),
    }
    side, whole = sharded.exact_side(), WholeProgram(sharded.whole, "main")
    for fault, changed in faults.items():
        assert changed != text, fault
        wrong = replace(side, program=hlokit.load(changed))
        verdict = decide(Question(whole, wrong, Pairing((0, 1), (0,)), [x, w], runs=1))
        assert verdict.status == "differs", fault
