"""A side whose control flow is wrong: the loop or the branch is named, and no operation that takes its results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import hlokit
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.programs.program import Program
from hlokit.tools.backends.side import Array
from unit.tools.diff.sides import Here

F = np.float32


class Replacing(Here):
    """hlokit, with a text in every module replaced by another one."""

    def __init__(self, old: str, new: str) -> None:
        super().__init__(batch=1)
        self._old, self._new = old, new

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Array]], function: str = "main"
    ) -> list[list[Array]]:
        assert isinstance(module, bytes)
        text = Program(parse_bytecode(None, module, "-", is_trusted=True)).text()
        program = hlokit.load(text.replace(self._old, self._new))
        return super().run_each(write_bytecode(program.module), inputs, function)


LOOP = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %a = %x) : tensor<i32>, tensor<4xf32> cond {
    %p = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.tanh %a : tensor<4xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<4xf32>
  }
  %s = stablehlo.sine %r#1 : tensor<4xf32>
  %e = stablehlo.exponential %s : tensor<4xf32>
  return %e : tensor<4xf32>
}"""

BRANCHES = """func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %m = stablehlo.abs %n : tensor<i32>
  %r = "stablehlo.case"(%m) ({
    %0 = stablehlo.tanh %x : tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }, {
    %1 = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %2 = stablehlo.cosine %x : tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %e = stablehlo.exponential %r : tensor<4xf32>
  return %e : tensor<4xf32>
}"""
X = np.linspace(-1, 1, 4, dtype=F)


def test_a_loop_that_takes_one_turn_more_is_named() -> None:
    """Its comparison is right where it is known: the other run's last test has no row."""
    side = Replacing("compare LT,", "compare LE,")
    report = hlokit.diff(hlokit.load(LOOP), X, against=side, mode="values")
    assert report.first is not None, report
    assert (report.status, report.first.op) == (1, "stablehlo.while"), report
    assert "iterations of a loop" in str(report)
    assert [finding.op for finding in report.differing] == ["stablehlo.while"]
    isolated = hlokit.diff(hlokit.load(LOOP), X, against=side)
    assert isolated.first is not None
    assert isolated.first.op == "stablehlo.compare"


def test_another_branch_is_named() -> None:
    text = hlokit.load(BRANCHES).text()
    assert '"stablehlo.case"(%0)' in text
    side = Replacing('"stablehlo.case"(%0)', '"stablehlo.case"(%arg1)')
    report = hlokit.diff(hlokit.load(BRANCHES), X, np.int32(-1), against=side, mode="values")
    assert report.first is not None, report
    assert (report.status, report.first.op) == (1, "stablehlo.case"), report
    assert "number of a branch" in str(report)
    right = hlokit.diff(hlokit.load(BRANCHES), X, np.int32(1), against=side, mode="values")
    assert right.outcome == "same", right


def test_a_function_that_is_also_called_in_a_loop_without_iterations() -> None:
    """Regression: the call in the loop kept its old results, so the other side refused the program."""
    text = """func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.tanh %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
      %r = stablehlo.while(%y = %0) : tensor<4xf32> cond {
        %p = stablehlo.constant dense<false> : tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %1 = func.call @f(%y) : (tensor<4xf32>) -> tensor<4xf32>
        stablehlo.return %1 : tensor<4xf32>
      }
      return %r : tensor<4xf32>
    }"""
    report = hlokit.diff(text, np.ones(4, np.float32), against=Here(), mode="values")
    assert (report.status, report.exact, report.notes) == (0, 1, ()), report
