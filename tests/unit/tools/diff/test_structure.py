"""Two programs of the same structure: the change that matters is named, and changes that do not matter are told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.tools.diff.flow.time_limits import RanOutOfTime

F = np.float32
X, Y = F(0.7), F(-0.4)

LOOP = """func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%i = %c0, %x = %a, %y = %b) : tensor<i32>, tensor<f32>, tensor<f32>
  cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %o = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %o : tensor<i32>
    %s = stablehlo.subtract %x, %y : tensor<f32>
    %t = stablehlo.multiply %x, %y : tensor<f32>
    stablehlo.return %j, %s, %t : tensor<i32>, tensor<f32>, tensor<f32>
  }
  return %r#1, %r#2 : tensor<f32>, tensor<f32>
}"""

CALLS = """func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0:2 = call @f(%a, %b) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %1 = call @g(%0#0) : (tensor<f32>) -> tensor<f32>
  %2 = call @h(%0#1) : (tensor<f32>) -> tensor<f32>
  %3 = stablehlo.subtract %1, %2 : tensor<f32>
  return %3 : tensor<f32>
}
func.func private @f(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.subtract %x, %y : tensor<f32>
  %1 = stablehlo.add %x, %y : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
func.func private @g(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.tanh %x : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @h(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sine %x : tensor<f32>
  return %0 : tensor<f32>
}"""

BRANCHES = """func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %p = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %r:2 = "stablehlo.if"(%p) ({
    %0 = stablehlo.tanh %a : tensor<f32>
    %1 = stablehlo.sine %b : tensor<f32>
    stablehlo.return %0, %1 : tensor<f32>, tensor<f32>
  }, {
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<i1>) -> (tensor<f32>, tensor<f32>)
  %2 = stablehlo.divide %r#0, %r#1 : tensor<f32>
  return %2 : tensor<f32>
}"""

WIRINGS = [
    (LOOP, "return %j, %s, %t", "return %j, %t, %s", "stablehlo.return", 13),
    (LOOP, "%x = %a, %y = %b", "%x = %b, %y = %a", "stablehlo.while", 3),
    (LOOP, "return %r#1, %r#2", "return %r#2, %r#1", "func.return", 15),
    (LOOP, "stablehlo.subtract %x, %y", "stablehlo.subtract %y, %x", "stablehlo.subtract", 11),
    (CALLS, "call @f(%a, %b)", "call @f(%b, %a)", "func.call", 2),
    (CALLS, "call @g(%0#0)", "call @h(%0#0)", "func.call", 3),
    (CALLS, "call @h(%0#1)", "call @h(%0#0)", "func.call", 4),
    (CALLS, "return %0, %1", "return %1, %0", "func.return", 11),
    (BRANCHES, "return %0, %1", "return %1, %0", "stablehlo.return", 6),
    (BRANCHES, "divide %r#0, %r#1", "divide %r#1, %r#0", "stablehlo.divide", 10),
]


def against(text: str, other: str, tmp_path: Path, *arguments: F) -> hlokit.DiffReport:
    file = tmp_path / "before.mlir"
    file.write_text(text)
    return hlokit.diff(file, *arguments, against=hlokit.load(other))


@pytest.mark.parametrize(("text", "old", "new", "op", "line"), WIRINGS)
def test_another_wiring_is_named_and_no_innocent_operation(
    text: str, old: str, new: str, op: str, line: int, tmp_path: Path
) -> None:
    report = against(text, text.replace(old, new), tmp_path, X, Y)
    assert report.first is not None
    assert (report.status, report.first.op) == (1, op), report
    assert report.first.source.endswith(f"before.mlir:{line}:{report.first.source.rpartition(':')[2]}")
    assert [finding.op for finding in report.differing] == [op], report
    assert " here, " in report.first.comparison.note or "is called" in report.first.comparison.note


def test_of_many_changes_the_one_that_matters_is_named(tmp_path: Path) -> None:
    other = CALLS.replace("add %x, %y", "add %y, %x").replace("@h", "@sines").replace("sine %x", "cosine %x")
    report = against(CALLS, other, tmp_path, X, Y)
    assert report.first is not None
    assert report.first.op == "stablehlo.sine", report
    two = LOOP.replace("return %j, %s, %t", "return %j, %t, %s").replace("LT, %i, %n", "NE, %i, %n")
    report = against(LOOP, two, tmp_path, X, Y)
    assert report.first is not None
    assert report.first.op == "stablehlo.return", report
    assert [finding.op for finding in report.differing] == ["stablehlo.return"]


def test_equal_small_integers_do_not_match_values_of_other_positions(tmp_path: Path) -> None:
    """Regression: the wrong mask of one iteration is the right mask of another one."""
    text = """func.func @main(%x: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %io = stablehlo.iota dim = 0 : tensor<8xi32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<8xi32>
  cond {
    %n = stablehlo.constant dense<6> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %o = stablehlo.constant dense<1> : tensor<i32>
    %ib = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %m = stablehlo.compare GT, %io, %ib : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %k = stablehlo.convert %m : (tensor<8xi1>) -> tensor<8xi32>
    %z = stablehlo.add %y, %k : tensor<8xi32>
    %j = stablehlo.add %i, %o : tensor<i32>
    stablehlo.return %j, %z : tensor<i32>, tensor<8xi32>
  }
  return %r#1 : tensor<8xi32>
}"""
    file = tmp_path / "before.mlir"
    file.write_text(text)
    other = hlokit.load(text.replace("compare GT", "compare GE"))
    report = hlokit.diff(file, np.arange(8, dtype=np.int32), against=other)
    assert report.first is not None
    assert report.first.op == "stablehlo.compare"
    assert report.first.source.endswith("before.mlir:12:10")


def test_a_change_that_the_inputs_do_not_show_is_told(tmp_path: Path) -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0 = stablehlo.add %x, %z : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
    other = text.replace("stablehlo.add", "stablehlo.subtract")
    file = tmp_path / "before.mlir"
    file.write_text(text)
    report = hlokit.diff(file, np.arange(1, 5, dtype=F), against=hlokit.load(other))
    assert (report.outcome, report.status, report.first) == ("same", 0, None)
    first = " ".join(str(report).split())
    assert "the same on these inputs; the programs differ at before.mlir:3:8" in first.replace(
        f"{tmp_path}/", ""
    )
    assert "stablehlo.subtract in the other program" in report.as_dict()["changes"][0]
    same = hlokit.diff(file, np.arange(1, 5, dtype=F), against=hlokit.load(text))
    assert str(same).splitlines()[0].endswith(": the same")


# Runs without end ----------------------------------------------------------------------------------

ENDS = """func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.while(%i = %c0) : tensor<i32> cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %a = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %a : tensor<i32>
  }
  return %r : tensor<i32>
}"""


@pytest.mark.parametrize("which", ["first", "second"])
def test_a_program_that_does_not_end_could_not_be_compared(which: str) -> None:
    endless = ENDS.replace("stablehlo.add", "stablehlo.multiply")
    one, other = (endless, ENDS) if which == "first" else (ENDS, endless)
    report = hlokit.diff(hlokit.load(one), np.int32(5), against=hlokit.load(other), time_limit=0.5)
    assert (report.outcome, report.status) == ("unknown", 2), report
    assert report.results[0].verdict == "time-out"
    assert "a run in hlokit took longer than 0.5 s" in str(report)
    assert "stablehlo.multiply" in str(report), "the change is known without any run"


def test_of_a_long_run_the_change_is_named_where_it_first_shows() -> None:
    long = LOOP.replace("dense<3>", "dense<4000>").replace("multiply %x, %y", "multiply %y, %y")
    other = long.replace("stablehlo.subtract %x, %y", "stablehlo.add %x, %y")
    report = hlokit.diff(hlokit.load(long), X, Y, against=hlokit.load(other))
    assert report.first is not None and report.first.op == "stablehlo.subtract", report
    assert report.first.path == "while, iteration 0", report.first
    assert report.exact < 20, "two iterations are compared"
    assert report.notes == ("the run is long: operations in loops were compared in 2 iterations",)


UNTIL_EQUAL = """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = stablehlo.constant dense<0.0> : tensor<f32>
  %r:2 = stablehlo.while(%t = %c0, %y = %x) : tensor<f32>, tensor<8xf32>
  cond {
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %p = stablehlo.compare NE, %t, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %q = stablehlo.constant dense<0.25> : tensor<f32>
    %u = stablehlo.add %t, %q : tensor<f32>
    %s = stablehlo.tanh %y : tensor<8xf32>
    stablehlo.return %u, %s : tensor<f32>, tensor<8xf32>
  }
  return %r#1 : tensor<8xf32>
}"""


def test_disturbed_runs_take_the_iterations_of_the_real_run() -> None:
    """Regression: a loop that ends when floats are equal never ended once they were disturbed."""
    x = np.linspace(0.1, 0.8, 8, dtype=F)
    other = hlokit.load(UNTIL_EQUAL.replace("tanh", "logistic"))
    report = hlokit.diff(hlokit.load(UNTIL_EQUAL), x, against=other, time_limit=30)
    assert report.first is not None
    assert report.first.op == "stablehlo.tanh"
    assert report.seconds["programs"] < 20


# One operation more or less ------------------------------------------------------------------------

GAPS = [
    (
        CALLS,
        "  return %0, %1",
        "  %2 = stablehlo.negate %0 : tensor<f32>\n  return %2, %1",
        "func.return",
        11,
    ),
    (
        CALLS,
        "  %1 = call @g(%0#0)",
        "  %neg = stablehlo.negate %0#0 : tensor<f32>\n  %1 = call @g(%neg)",
        "func.call",
        3,
    ),
    (
        LOOP,
        "  %r:3 = stablehlo.while(%i = %c0, %x = %a",
        "  %neg = stablehlo.negate %a : tensor<f32>\n  %r:3 = stablehlo.while(%i = %c0, %x = %neg",
        "stablehlo.while",
        3,
    ),
    (
        CALLS,
        "  %3 = stablehlo.subtract %1, %2 : tensor<f32>\n  return %3",
        "  return %1",
        "stablehlo.subtract",
        5,
    ),
    (
        BRANCHES,
        "    %1 = stablehlo.sine %b : tensor<f32>\n    stablehlo.return %0, %1",
        "    stablehlo.return %0, %b",
        "stablehlo.sine",
        5,
    ),
]


@pytest.mark.parametrize(("text", "old", "new", "op", "line"), GAPS)
def test_an_operation_that_only_one_program_has(
    text: str, old: str, new: str, op: str, line: int, tmp_path: Path
) -> None:
    assert old in text
    report = against(text, text.replace(old, new), tmp_path, X, Y)
    assert report.first is not None
    assert (report.status, report.first.op) == (1, op), report
    assert f"before.mlir:{line}:" in report.first.source
    assert [finding.op for finding in report.differing] == [op], report


def test_of_equal_operations_in_a_row_the_right_one_is_left_out(tmp_path: Path) -> None:
    text = """func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  %1 = stablehlo.add %0, %0 : tensor<f32>
  %2 = stablehlo.add %1, %a : tensor<f32>
  %3 = stablehlo.add %2, %b : tensor<f32>
  return %3 : tensor<f32>
}"""
    other = text.replace("  %2 = stablehlo.add %1, %a : tensor<f32>\n", "").replace("%2, %b", "%1, %b")
    report = against(text, other, tmp_path, X, Y)
    assert report.first is not None
    assert "before.mlir:4:" in report.first.source, report


def test_a_further_operation_before_one_whose_operands_commute() -> None:
    text = """
    func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.tanh %x : tensor<4xf32>
      %1 = stablehlo.add %0, %y : tensor<4xf32>
      return %1 : tensor<4xf32>
    }"""
    negated = text.replace(
        "%1 = stablehlo.add %0", "%n = stablehlo.negate %0 : tensor<4xf32>\n%1 = stablehlo.add %n"
    )
    program = hlokit.load(text)
    report = hlokit.diff(program, *program.example_inputs(), against=hlokit.load(negated))
    assert report.outcome == "differs"
    assert report.first is not None
    assert report.first.op == "stablehlo.add"


def test_what_is_known_is_told_if_the_values_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> None:
        raise RanOutOfTime(1)

    monkeypatch.setattr("hlokit.tools.diff.against_runs.compare_programs", late)
    report = hlokit.diff(hlokit.load(LOOP), X, Y, against=hlokit.load(LOOP.replace("subtract", "add")))
    assert report.status == 1 and report.first is not None and report.first.op == "stablehlo.subtract", report
    assert "a run in hlokit took longer than 1 s" in report.notes[0]
    same = hlokit.diff(hlokit.load(LOOP), X, Y, against=hlokit.load(LOOP))
    assert same.status == 0 and "could not be compared" in same.notes[0], same
