"""Differences that are no faults, and faults beside them: open values, fused operations, sides that fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from benchmarks.faults import FaultySide, named_line
from hlokit.tools.backends.side import SideFailed
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.tools.diff.instrumented.values import Search, compare_values
from unit.tools.diff.sides import Here

F = np.float32
X = np.linspace(-1, 1, 8, dtype=F)

CONVERT = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.log %x : tensor<4xf32>
  %1 = stablehlo.convert %0 : (tensor<4xf32>) -> tensor<4xi32>
  %2 = stablehlo.convert %1 : (tensor<4xi32>) -> tensor<4xf32>
  %3 = stablehlo.sine %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
"""


ARGUMENT = np.array([1.0, 8.0, -1.0, 90.0], F)
HERE, THERE = 0, 7  # the integer for NaN
INTEGERS = np.array([0, 2, HERE, 4], np.int32)


def other_integers(text: str, results: list[Any]) -> list[Any]:
    """The side converts NaN to another integer, and continues with this integer."""
    is_nan = np.array([False, False, True, False])
    floats = np.where(is_nan, F(THERE), INTEGERS.astype(F))
    is_whole = "log" in text and "sine" in text

    def changed(result: Any) -> Any:
        if result.dtype == np.int32:
            return np.where(is_nan, np.int32(THERE), result)
        if is_whole and np.array_equal(result, INTEGERS.astype(F)):
            return floats
        return np.sin(floats) if is_whole and np.array_equal(result, SINES) else result

    return [changed(result) for result in results]


SINES = np.asarray(hlokit.load(CONVERT)(ARGUMENT))


def test_a_difference_after_an_open_value_is_no_fault() -> None:
    report = hlokit.diff(hlokit.load(CONVERT), ARGUMENT, against=Here(change=other_integers, batch=1))
    assert (report.outcome, report.status, report.first) == ("within", 0, None), report
    assert report.results[0].verdict == "open"
    assert "float to integer" in report.results[0].note
    assert "left open by the specification" in str(report)


def test_a_fault_beside_an_open_value_is_a_fault() -> None:
    def also_wrong(text: str, results: list[Any]) -> list[Any]:
        found = other_integers(text, results)
        return [found[0] * F(1.001), *found[1:]] if "log" in text and "sine" in text else found

    report = hlokit.diff(hlokit.load(CONVERT), ARGUMENT, against=Here(change=also_wrong, batch=1))
    assert report.outcome == "differs", report


CANCELS = """
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<8xf32>
  %1 = stablehlo.add %0, %y : tensor<8xf32>
  %2 = stablehlo.multiply %x, %x : tensor<8xf32>
  %3 = stablehlo.add %2, %y : tensor<8xf32>
  %4 = stablehlo.subtract %1, %3 : tensor<8xf32>
  %5 = stablehlo.add %4, %x : tensor<8xf32>
  return %5 : tensor<8xf32>
}
"""
Y = X * F(1 + 2**-9)


def unrounded(off: float) -> Here:
    """A side that computes the difference of two sums from unrounded products, but returns rounded ones."""
    x, y = X.astype(np.float64), Y.astype(np.float64)
    difference = ((x * y + y) - (x * x + y)).astype(F) * F(off)

    def change(text: str, results: list[Any]) -> list[Any]:
        if text.count("stablehlo.") == 1:
            return results
        return [*results[:5], difference, *results[6:]] if len(results) > 1 else [difference + X]

    return Here(change=change, batch=1)


def test_fused_operations_round_less() -> None:
    report = hlokit.diff(hlokit.load(CANCELS), X, Y, against=unrounded(1.0), mode="values")
    (found,) = [each for each in report.findings if each.op == "stablehlo.subtract"]
    assert found.comparison.max_ulp > 100
    assert found.comparison.verdict == "within", report
    assert report.first is None


def test_a_thousandth_is_too_much_also_where_values_cancel() -> None:
    report = hlokit.diff(hlokit.load(CANCELS), X, Y, against=unrounded(1.001), mode="values")
    assert report.first is not None
    assert report.first.op == "stablehlo.subtract"


def test_operations_of_other_types_are_other_kinds() -> None:
    """Conversions to the same type share a kernel, whatever the type is."""
    text = """
    func.func @main(%x: tensor<4xf32>, %y: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
      %0 = stablehlo.convert %x : tensor<4xf32>
      %1 = stablehlo.convert %y : tensor<4xi32>
      return %0, %1 : tensor<4xf32>, tensor<4xi32>
    }
    """
    x, y = np.arange(4, dtype=F), np.arange(4, dtype=np.int32)
    report = hlokit.diff(hlokit.load(text), x, y, against=Here(), mode="isolated")
    assert (report.outcome, report.counts) == ("same", {"exact": 2}), report


def test_constants_that_a_region_captures_are_constants_of_the_module() -> None:
    """XLA rejects regions that capture other values."""
    text = """
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %limit = stablehlo.constant dense<0.5> : tensor<f32>
      %0 = "stablehlo.sort"(%x) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.minimum %a, %limit : tensor<f32>
        %2 = stablehlo.compare LT, %1, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      }) {dimension = 0 : i64, is_stable = true} : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    """
    report = hlokit.diff(hlokit.load(text), X[::-1], against="xla", mode="isolated")
    assert set(report.counts) == {"exact"}, report


def test_tuples_are_compared() -> None:
    text = """
    func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tuple<tensor<8xf32>, tensor<i32>>) {
      %0 = stablehlo.exponential %x : tensor<8xf32>
      %1 = stablehlo.constant dense<7> : tensor<i32>
      %2 = stablehlo.tuple %0, %1 : tuple<tensor<8xf32>, tensor<i32>>
      return %0, %2 : tensor<8xf32>, tuple<tensor<8xf32>, tensor<i32>>
    }
    """
    program = hlokit.load(text)
    same = hlokit.diff(program, X, against="high", mode="whole")
    assert [result.verdict for result in same.results] in (["exact"] * 3, ["within", "within", "exact"])

    class Other(Here):
        def run_each(self, module: Any, inputs: Any, function: str = "main") -> Any:
            value = np.exp(inputs[0][0])
            return [[value, value, np.int32(8)]]

    report = hlokit.diff(program, X, against=Other(), mode="whole")
    assert [result.verdict for result in report.results][2] == "beyond"


@pytest.mark.parametrize("kind", ["error", "crash"])
def test_a_side_that_runs_nothing_says_nothing(kind: Any) -> None:
    side = Here(failure=SideFailed(kind, "no such option"))
    report = hlokit.diff(hlokit.load(CONVERT), ARGUMENT, against=side)
    assert (report.outcome, report.status) == ("unknown", 2), report
    assert "it runs no program at all: no such option" in str(report)


def test_notes_are_for_people() -> None:
    """Regression: a note that began like the one about a broken side ended the search."""
    text = """
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.exponential %x : tensor<8xf32>
      %1 = stablehlo.log %0 : tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    """
    failure = SideFailed("unsupported", "it runs no program at all: none of two operations")
    report = hlokit.diff(hlokit.load(text), X, against=Here(refuse="stablehlo.log %0", failure=failure))
    assert report.modes[:2] == ("whole", "isolated"), report


def test_operations_that_are_not_compared_are_named() -> None:
    text = """
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.exponential %x : tensor<8xf32>
      %1 = stablehlo.tuple %0, %x : tuple<tensor<8xf32>, tensor<8xf32>>
      %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<8xf32>, tensor<8xf32>>) -> tensor<8xf32>
      return %2 : tensor<8xf32>
    }
    """
    report = hlokit.diff(hlokit.load(text), X, against=Here(), mode="isolated")
    assert report.as_dict()["skipped"] == {"stablehlo.tuple": 1, "stablehlo.get_tuple_element": 1}
    words = " ".join(str(report).split())
    assert "2 not compared (stablehlo.tuple, stablehlo.get_tuple_element)" in words


def many_kinds() -> hlokit.Program:
    """450 operations of 152 kinds."""
    lines, value = [], "%x"
    for n in range(150):
        size = 8 + n % 75
        lines += [
            f"%p{n} = stablehlo.pad {value}, %zero, low = [0], high = [{size - 8}], interior = [0] : "
            f"(tensor<8xf32>, tensor<f32>) -> tensor<{size}xf32>",
            f'%t{n} = stablehlo.tanh %p{n} : tensor<{size}xf32> loc("model.py":{n}:1)',
            f"%s{n} = stablehlo.slice %t{n} [0:8] : (tensor<{size}xf32>) -> tensor<8xf32>",
        ]
        value = f"%s{n}"
    zero = "%zero = stablehlo.constant dense<0.0> : tensor<f32>"
    head = "func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {"
    return hlokit.load("\n".join([head, zero, *lines, f"return {value} : tensor<8xf32>", "}"]))


def test_operations_of_many_kinds_are_compared_in_the_program() -> None:
    """A compiler would take longer for each of them than for the program with some of its values."""

    def rounded(text: str, results: list[Any]) -> list[Any]:
        last = results[0] * F(1 + 2**-23) if text.count("tanh") == 150 else results[0]
        return [last, *results[1:]]

    side = Here(change=rounded)
    report = hlokit.diff(many_kinds(), X, against=side)
    assert (report.outcome, report.modes, len(side.modules)) == ("within", ("whole", "values"), 2), report
    assert any("did not return the values of 194 operations" in note for note in report.notes)


@pytest.mark.parametrize("line", [3, 77, 148])
def test_a_fault_between_values_that_are_returned_is_found(line: int) -> None:
    side = FaultySide(f'"model.py":{line}:', "kernel", Here())
    report = hlokit.diff(many_kinds(), X, against=side)
    assert named_line(report.first) == line, report
    assert "isolated" not in report.modes


COMPLEX = """
func.func @main(%x: tensor<4xcomplex<f32>>, %p: tensor<i1>) -> tensor<4xcomplex<f32>> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%n = %zero, %a = %x) : tensor<i32>, tensor<4xcomplex<f32>> cond {
    %1 = stablehlo.compare LT, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = "stablehlo.if"(%p) ({
      %3 = stablehlo.multiply %a, %x : tensor<4xcomplex<f32>> loc("model.py":1:1)
      stablehlo.return %3 : tensor<4xcomplex<f32>>
    }, {
      %3 = stablehlo.negate %a : tensor<4xcomplex<f32>>
      stablehlo.return %3 : tensor<4xcomplex<f32>>
    }) : (tensor<i1>) -> tensor<4xcomplex<f32>>
    %2 = stablehlo.add %n, %one : tensor<i32>
    stablehlo.return %2, %1 : tensor<i32>, tensor<4xcomplex<f32>>
  }
  return %0#1 : tensor<4xcomplex<f32>>
}
"""


def test_complex_values_in_loops_and_branches_are_compared() -> None:
    x = (X[:4] + 1j * X[4:]).astype(np.complex64)
    report = hlokit.diff(hlokit.load(COMPLEX), x, True, against=Here(), mode="values")
    assert report.outcome == "same", report
    assert not report.notes
    assert report.counts["exact"] >= 9


NEAR = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %limit = stablehlo.constant dense<1.0> : tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32>
  %2 = stablehlo.compare GT, %1, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %3 = "stablehlo.if"(%2) ({
    %4 = stablehlo.tanh %1 : tensor<f32>
    %5 = stablehlo.negate %4 : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }, {
    %4 = stablehlo.sine %1 : tensor<f32>
    %5 = stablehlo.abs %4 : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %6 = stablehlo.while(%a = %1) : tensor<f32> cond {
    %7 = stablehlo.compare GT, %a, %half : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  } do {
    %7 = stablehlo.multiply %a, %half : tensor<f32>
    stablehlo.return %7 : tensor<f32>
  }
  %8 = stablehlo.add %3, %6 : tensor<f32>
  return %8 : tensor<f32>
}
"""


class Nudged(Here):
    """hlokit, on arguments that are a unit larger, as if a rounding before were another one."""

    def run_each(self, module: Any, inputs: Any, function: str = "main") -> Any:
        return super().run_each(module, [[np.nextafter(each[0], F(9))] for each in inputs], function)


@pytest.mark.parametrize("most", [1, 2, 3, 5, 100])
def test_control_flow_follows_the_other_side(most: int) -> None:
    """Also where few values are returned, another branch or another number of iterations is no fault."""
    program = hlokit.load(NEAR)
    found = compare_values(TripCounts(program, [F(1.0)], "main"), Nudged(), Search(most_watched=most))
    beyond = [each.op for each in found.findings if each.comparison.verdict == "beyond"]
    # The other side has another argument, which only the first operation shows.
    assert set(beyond) <= {"stablehlo.negate"}, beyond
    assert found.results is not None
    assert np.asarray(found.results[0]) == pytest.approx(-np.tanh(1) + 0.25, rel=1e-5)
