"""What computed the operands of an operation decides how it is judged: through calls, and where nothing runs."""

from __future__ import annotations

from typing import Any

import numpy as np

import hlokit
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.tools.diff.instrumented.values import Search, compare_values
from unit.tools.diff.sides import Here

F = np.float32
CALLED = hlokit.load(
    """func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %p: tensor<8xi1>) -> tensor<8xf32> {
  %0 = stablehlo.multiply %a, %b : tensor<8xf32>
  %1 = stablehlo.add %0, %c : tensor<8xf32>
  %2 = call @choice(%p, %1, %a) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @choice(%p: tensor<8xi1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.select %p, %x, %y : tensor<8xi1>, tensor<8xf32>
  return %0 : tensor<8xf32>
}"""
)
SORTED = hlokit.load(
    """func.func @main(%x: tensor<9xi32>) -> tensor<9xi32> {
  %i = stablehlo.iota dim = 0 : tensor<9xi32>
  %0 = stablehlo.negate %x : tensor<9xi32>
  %1 = stablehlo.not %0 : tensor<9xi32>
  %2 = stablehlo.negate %1 : tensor<9xi32>
  %3:2 = "stablehlo.sort"(%2, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<9xi32>, tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi32>)
  %4 = stablehlo.add %3#1, %3#1 : tensor<9xi32>
  %5 = stablehlo.not %4 : tensor<9xi32>
  return %5 : tensor<9xi32>
}"""
)


def test_a_called_function_may_recompute_its_operands() -> None:
    """A product that is not rounded before a sum that cancels moves the sum by more than one unit."""
    a, b = np.full(8, 1 + 2.0**-12, F), np.full(8, 1 + 2.0**-12, F)
    c = -(a * b) + F(2.0**-18)
    once = (a.astype(np.float64) * b + c).astype(F)

    def change(text: str, results: list[Any]) -> list[Any]:
        del text
        return results if len(results) == 1 else [once, *results[1:3], once]

    report = hlokit.diff(CALLED, a, b, c, np.ones(8, np.bool_), against=Here(change=change), mode="values")
    assert report.first is None, report
    assert [finding.op for finding in report.findings] == ["stablehlo.select"]
    assert report.findings[0].comparison.max_ulp > 4


def test_an_operation_on_an_iota_is_judged_where_few_values_are_watched() -> None:
    x = np.array([3, 1, 4, 1, 5, 9, 2, 6, 8], np.int32)

    def change(text: str, results: list[Any]) -> list[Any]:
        """A sort that puts the largest numbers first."""
        keys = -np.invert(-x)
        order = np.argsort(-keys, kind="stable").astype(np.int32)
        own = np.argsort(keys, kind="stable").astype(np.int32)
        swaps = {keys[own].tobytes(): keys[order], own.tobytes(): order, (own * 2).tobytes(): order * 2}
        swaps[np.invert(own * 2).tobytes()] = np.invert(order * 2)
        return [swaps.get(value.tobytes(), value) for value in results]

    following = compare_values(TripCounts(SORTED, [x], "main"), Here(change=change), Search(most_watched=2))
    differing = [finding.op for finding in following.findings if finding.comparison.verdict == "beyond"]
    assert differing
    assert set(differing) == {"stablehlo.sort"}
