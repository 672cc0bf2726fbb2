"""How far results may differ: integers only where roundings decide them."""

from __future__ import annotations

import numpy as np

import hlokit
from hlokit.tools.diff.flow.disturbed import Disturbed
from hlokit.tools.diff.flow.trip_counts import TripCounts
from unit.tools.diff.sides import Here

PACKED = """func.func @main(%x: tensor<4xf32>) -> tensor<4xi32> {
  %c = stablehlo.constant dense<1.0> : tensor<4xf32>
  %s = stablehlo.constant dense<4> : tensor<4xi32>
  %0 = stablehlo.multiply %x, %c : tensor<4xf32>
  %1 = stablehlo.round_nearest_even %0 : tensor<4xf32>
  %2 = stablehlo.convert %1 : (tensor<4xf32>) -> tensor<4xi32>
  %3 = stablehlo.shift_left %2, %s : tensor<4xi32>
  %4 = stablehlo.or %3, %2 : tensor<4xi32>
  return %4 : tensor<4xi32>
}"""
# The first element is between two integers, the others are not.
X = np.array([0.5, 3.2, 7.9, 1.1], np.float32)


def test_an_integer_that_no_rounding_decides_may_not_differ() -> None:
    program = hlokit.load(PACKED)
    report = hlokit.diff(program, X, against=hlokit.load(PACKED.replace("return %4", "return %3")))
    assert report.status == 1, report
    assert report.first is not None
    assert report.first.op == "func.return"
    report = hlokit.diff(program, X, against=hlokit.load(PACKED.replace("dense<4>", "dense<3>")))
    assert report.first is not None
    assert report.first.op == "stablehlo.constant"


def test_an_integer_that_a_rounding_decides_may_differ() -> None:
    def rounded_up(text: str, results: list[np.ndarray]) -> list[np.ndarray]:
        del text
        return [np.array([17, *value[1:]], np.int32) for value in results]

    report = hlokit.diff(hlokit.load(PACKED), X, against=Here(change=rounded_up), mode="whole")
    assert report.outcome == "within", report


def test_tuples_are_not_disturbed() -> None:
    """Regression: a tuple of arrays of different shapes was taken for an array."""
    program = hlokit.load("""func.func @main(%x: tensor<3xf32>, %y: tensor<2x2xf32>) -> tensor<3xf32> {
      %0 = stablehlo.exponential %x : tensor<3xf32>
      %1 = stablehlo.tuple %0, %y : tuple<tensor<3xf32>, tensor<2x2xf32>>
      %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<3xf32>, tensor<2x2xf32>>) -> tensor<3xf32>
      return %2 : tensor<3xf32>
    }""")
    values = np.ones(3, np.float32), np.ones((2, 2), np.float32)
    (result,) = TripCounts(program, values, "main").follow(Disturbed(0))
    np.testing.assert_allclose(result, np.e, rtol=1e-6)
    assert not np.array_equal(result, program(*values))
