"""Verdicts: exact, within the allowed difference, open, beyond."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.operations.cards import cards
from hlokit.tools.backends.side import SideFailed
from hlokit.tools.diff.comparing.verdicts import EXACT, Allowance, compare
from hlokit.values.element_types import F32, I32, element_type_of
from unit.tools.diff.sides import Here

PAGE = Path(__file__).parents[4] / "docs" / "divergences.md"
F = np.float32
LARGEST = float(np.finfo(F).max)


def verdict(mine: Any, theirs: Any, allowed: float = 0.0) -> str:
    a, b = np.asarray(mine, F), np.asarray(theirs, F)
    return compare(a, b, F32, lambda: Allowance(allowed, "some")).verdict


@pytest.mark.parametrize(
    ("mine", "theirs", "allowed", "expected"),
    [
        ([1.0, np.nan], [1.0, -np.nan], 0.0, "exact"),
        ([0.0], [-0.0], 0.0, "within"),
        ([1.0], [1.001], 0.01, "within"),
        ([1.0], [1.001], 0.0001, "beyond"),
        ([1.0], [np.nan], 1.0, "not-finite"),
        ([np.inf], [1.0], 1.0, "not-finite"),
        ([np.inf], [-np.inf], 1.0, "not-finite"),
        ([np.inf], [LARGEST], 1e32, "within"),
        ([1e-40], [0.0], 0.0, "within"),
        ([1.0, 2.0], [1.0], 0.0, "type"),
    ],
)
def test_verdicts_of_floats(mine: list[float], theirs: list[float], allowed: float, expected: str) -> None:
    assert verdict(mine, theirs, allowed) == expected


def test_data_movement_does_not_flush_subnormals() -> None:
    assert compare(np.array([1e-40], F), np.zeros(1, F), F32, lambda: EXACT).verdict == "beyond"


def test_numbers_of_a_comparison() -> None:
    mine = np.array([1.0, 2.0, 4.0], F)
    theirs = np.array([1.0, 2.0, 4.0 * (1 + 2**-20)], F)
    found = compare(mine, theirs, F32, lambda: Allowance(1e-6, "a bit"))
    assert (found.verdict, found.index, found.differing, found.allowed) == ("beyond", (2,), 1, "a bit")
    assert found.max_ulp == 8
    assert found.relative == pytest.approx(4 * 2**-20 / np.sqrt(21))
    assert found.share == pytest.approx(4 * 2**-20 / 1e-6)
    assert (found.expected, found.actual) == ("4", "4.00000381")


def test_integers_and_open_elements() -> None:
    mine, theirs = np.array([1, -1], np.int32), np.array([1, 0], np.int32)
    assert compare(mine, theirs, I32, lambda: EXACT).verdict == "beyond"
    mask = np.array([False, True])
    found = compare(mine, theirs, I32, lambda: Allowance(0.0, "exact", mask, "`x / 0`"))
    assert (found.verdict, found.note) == ("open", "docs/divergences.md: `x / 0`")
    assert compare(theirs, mine, I32, lambda: Allowance(0.0, "exact", ~mask, "row")).verdict == "beyond"


def test_an_open_element_excuses_no_other() -> None:
    mine, theirs = np.array([1, -1], np.int32), np.array([2, 0], np.int32)
    for mask, verdict in (([True, True], "open"), ([True, False], "beyond"), ([False, False], "beyond")):
        allowance = Allowance(0.0, "exact", np.array(mask), "row")
        assert compare(mine, theirs, I32, lambda allowance=allowance: allowance).verdict == verdict


def test_each_integer_has_its_own_allowance() -> None:
    mine, theirs = np.array([1, 2, 3], np.int32), np.array([1, 4, 4], np.int32)
    found = compare(mine, theirs, I32, lambda: Allowance(np.array([5.0, 1.0, 1.0]), "some"))
    assert (found.verdict, found.index, found.share) == ("beyond", (1,), 2.0)
    assert (
        compare(mine, theirs, I32, lambda: Allowance(np.array([0.0, 2.0, 1.0]), "some")).verdict == "within"
    )


def test_a_conversion_to_integers_may_differ_in_some_elements() -> None:
    def change(text: str, results: list[Any]) -> list[Any]:
        return [result + np.array([0, 99, 0, 0], np.int8) for result in results]

    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xi8> {
      %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi8>
      return %0 : tensor<4xi8>
    }"""
    x = np.array([1, 1000, 2, 3], F)
    report = hlokit.diff(hlokit.load(text), x, against=Here(change=change))
    assert report.counts == {"open": 1, "exact": 0}


@pytest.mark.parametrize(
    ("dtype", "mine", "theirs", "apart"),
    [
        (np.int64, 0, -(2**63), 2.0**63),
        (np.int64, 2**63 - 1, -(2**63), 2.0**64),
        (np.int64, 2**62, 2**62 + 1, 1.0),
        (np.uint64, 2**63, 2**63 + 1, 1.0),
        (np.uint64, 0, 2**64 - 1, 2.0**64),
    ],
)
def test_distances_of_wide_integers_neither_wrap_nor_round(
    dtype: Any, mine: int, theirs: int, apart: float
) -> None:
    one, other = np.array([3, mine], dtype), np.array([3, theirs], dtype)
    found = compare(one, other, element_type_of(np.dtype(dtype)), lambda: EXACT)
    assert (found.verdict, found.max_ulp, found.index, found.unit) == ("beyond", apart, (1,), "")


@pytest.mark.parametrize("row", sorted({left_open.row for card in cards() for left_open in card.open}))
def test_open_values_have_a_row_in_the_page(row: str) -> None:
    assert re.search(rf"^\| {re.escape(row)} \|", PAGE.read_text(), re.M)


# One operation, a side that changes its result, and the verdict ------------------------------------


def one_operation(text: str, arguments: list[Any], change: Any) -> hlokit.Finding | None:
    report = hlokit.diff(hlokit.load(text), *arguments, against=Here(change=change), mode="isolated")
    return report.worst


def scaled(factor: float) -> Any:
    return lambda text, results: [result * result.dtype.type(factor) for result in results]


def unary(name: str) -> str:
    return (
        f"func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {{\n"
        f"  %0 = stablehlo.{name} %x : tensor<64xf32>\n  return %0 : tensor<64xf32>\n}}"
    )


X = np.linspace(0.1, 3, 64, dtype=F)
DOT = """
func.func @main(%x: tensor<4x4096xf32>, %y: tensor<4096x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.dot %x, %y : (tensor<4x4096xf32>, tensor<4096x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
"""


@pytest.mark.parametrize("name", ["tanh", "exponential", "log", "sine", "rsqrt", "abs", "negate", "sqrt"])
def test_a_function_off_by_a_thousandth_is_beyond(name: str) -> None:
    found = one_operation(unary(name), [X], scaled(1.001))
    assert found is not None
    assert found.comparison.verdict == "beyond"


@pytest.mark.parametrize(
    ("name", "factor", "expected"), [("tanh", 1 + 2**-22, "within"), ("abs", 1 + 2**-23, "beyond")]
)
def test_a_function_has_units_and_a_move_has_none(name: str, factor: float, expected: str) -> None:
    found = one_operation(unary(name), [X], scaled(factor))
    assert found is not None
    assert found.comparison.verdict == expected


def test_products_of_random_terms_off_by_a_thousandth_are_beyond() -> None:
    random = np.random.default_rng(0)
    x, y = random.normal(size=(4, 4096)).astype(F), random.normal(size=(4096, 4)).astype(F)
    found = one_operation(DOT, [x, y], scaled(1.001))
    assert found is not None
    assert found.comparison.verdict == "beyond"
    naive = np.zeros((4, 4), F)
    for term in range(4096):
        naive += np.outer(x[:, term], y[term])
    found = one_operation(DOT, [x, y], lambda text, results: [naive])
    assert found is not None
    assert found.comparison.verdict == "within"


def test_division_by_zero_is_open() -> None:
    text = (
        "func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {\n"
        "  %0 = stablehlo.divide %x, %y : tensor<2xi32>\n  return %0 : tensor<2xi32>\n}"
    )
    zero = lambda text, results: [np.where(results[0] == -1, 0, results[0]).astype(np.int32)]  # noqa: E731 # short
    found = one_operation(text, [[4, 4], [2, 0]], zero)
    assert found is not None
    assert found.comparison.verdict == "open"
    assert found.comparison.note == "docs/divergences.md: `x / 0`"


def test_a_body_that_does_not_commute_leaves_the_order_open() -> None:
    text = """
    func.func @main(%x: tensor<4x6xf32>) -> tensor<4xf32> {
      %0 = stablehlo.constant dense<1.0> : tensor<f32>
      %1 = "stablehlo.reduce"(%x, %0) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %2 = stablehlo.tanh %b : tensor<f32>
        %3 = stablehlo.subtract %2, %a : tensor<f32>
        stablehlo.return %3 : tensor<f32>
      }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    """
    x = np.random.default_rng(0).normal(size=(4, 6)).astype(F)
    other = lambda text, results: [results[0] + F(1)] if "reduce" in text else results  # noqa: E731 # short
    report = hlokit.diff(hlokit.load(text), x, against=Here(change=other, batch=1), mode="isolated")
    found = next(each for each in report.findings if each.op == "stablehlo.reduce")
    assert found.comparison.verdict == "open"


# Sides that fail -----------------------------------------------------------------------------------

TWO = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.cosine %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""


@pytest.mark.parametrize("kind", ["crash", "error", "unsupported", "time-out", "killed"])
def test_the_operation_that_fails_is_found_and_the_others_are_compared(kind: Any) -> None:
    side = Here(refuse="stablehlo.sine", failure=SideFailed(kind, "of sine"))
    report = hlokit.diff(hlokit.load(TWO), X[:4], against=side, mode="isolated")
    assert [(found.op, found.comparison.verdict) for found in report.findings] == [("stablehlo.sine", kind)]
    assert report.counts["exact"] == 2
    assert (report.outcome, report.status) == ("unknown", 2), "not compared is not passed"
    assert str(report).startswith(
        "the program against here: could not be compared: 1 of 3 values of operations\n"
    )
    assert (report.junit().count("<skipped"), report.junit().count("<failure")) == (2, 0)
    assert report.as_dict()["not_compared"] == 1


def test_a_side_that_does_nothing_could_not_be_compared() -> None:
    side = Here(failure=SideFailed("unsupported", "anything"))
    report = hlokit.diff(hlokit.load(TWO), X[:4], against=side)
    assert report.outcome == "unknown"
    assert report.status == 2
    assert "could not be compared" in str(report)


def test_a_side_that_is_killed_could_not_be_compared() -> None:
    """The machine lacks memory: nothing is said about the program."""
    side = Here(failure=SideFailed("killed", "its process was killed (SIGKILL)"))
    report = hlokit.diff(hlokit.load(TWO), X[:4], against=side)
    assert (report.outcome, report.status) == ("unknown", 2)
    assert "killed: its process was killed (SIGKILL)" in str(report)


def test_equal_operations_are_compiled_once() -> None:
    lines = "\n".join(f"  %{n + 1} = stablehlo.tanh %{n} : tensor<2000xf32>" for n in range(20))
    text = f"func.func @main(%0: tensor<2000xf32>) -> tensor<2000xf32> {{\n{lines}\n  return %20 : tensor<2000xf32>\n}}"
    side = Here()
    report = hlokit.diff(hlokit.load(text), np.ones(2000, F), against=side, mode="isolated")
    assert report.counts["exact"] == 20
    assert [module.count("tanh") for module in side.modules] == [1]


def test_operations_with_other_sizes_are_other_kinds() -> None:
    text = """func.func @main(%m: tensor<1xi32>, %n: tensor<1xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
      %0 = stablehlo.dynamic_iota %m, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
      %1 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
      return %0, %1 : tensor<?xi32>, tensor<?xi32>
    }"""
    report = hlokit.diff(hlokit.load(text), [2], [3], against=Here(), mode="isolated")
    assert (report.outcome, report.counts["exact"]) == ("same", 2)


def test_operands_that_are_one_value_stay_one_value() -> None:
    text = """func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = stablehlo.add %x, %x : tensor<4xf32>
      %1 = stablehlo.add %x, %y : tensor<4xf32>
      return %0, %1 : tensor<4xf32>, tensor<4xf32>
    }"""
    x = np.arange(4, dtype=F)
    side = Here(batch=1)
    report = hlokit.diff(hlokit.load(text), x, x, against=side, mode="isolated")
    assert (report.outcome, report.counts["exact"]) == ("same", 2)
    assert [module.count("%arg1: ") for module in side.modules] == [0, 1]


def test_a_fault_with_operands_that_are_one_value_is_named() -> None:
    side = Here(refuse="add %arg0, %arg0", failure=SideFailed("crash", "its process died"))
    text = """func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    report = hlokit.diff(hlokit.load(text), np.ones(4, F), against=side)
    assert report.first is not None
    assert (report.first.op, report.first.comparison.verdict) == ("stablehlo.add", "crash")


def test_regions_captured_values_sizes_and_called_functions_come_along() -> None:
    text = """
    func.func @main(%x: tensor<3x4xf32>, %n: tensor<2xi32>, %s: tensor<f32>) -> (tensor<4xf32>, tensor<?x?xf32>) {
      %0 = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = "stablehlo.reduce"(%x, %0) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %2 = stablehlo.maximum %a, %s : tensor<f32>
        %3 = func.call @f(%2, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        stablehlo.return %3 : tensor<f32>
      }) {dimensions = array<i64: 0>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
      %4 = stablehlo.dynamic_broadcast_in_dim %s, %n, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
      return %1, %4 : tensor<4xf32>, tensor<?x?xf32>
    }
    func.func private @f(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.maximum %a, %b : tensor<f32>
      return %0 : tensor<f32>
    }
    """
    x = np.arange(12, dtype=F).reshape(3, 4)
    side = Here()
    report = hlokit.diff(hlokit.load(text), x, [2, 3], 0.5, against=side, mode="isolated")
    assert report.outcome == "same", report
    assert report.counts["exact"] >= 2
    assert any("tensor<2x3xf32>" in module and "dense<[2, 3]>" in module for module in side.modules)


def test_a_side_that_takes_too_long_is_not_asked_for_more_results() -> None:
    text = """func.func private @whole(%x: tensor<f32>) -> tensor<f32> {
      return %x : tensor<f32>
    }
    func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.sine %x : tensor<f32>
      %1 = stablehlo.tanh %0 : tensor<f32>
      return %1 : tensor<f32>
    }"""
    side = Here(refuse="@whole", failure=SideFailed("time-out", "gave no answer within 1 s"))
    report = hlokit.diff(text, np.float32(0.5), against=side)
    assert (report.status, report.results[0].verdict, report.exact) == (2, "time-out", 2), report
    assert len([module for module in side.modules if "@whole" in module]) == 1
