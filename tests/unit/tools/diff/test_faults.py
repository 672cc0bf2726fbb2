"""A fault planted at one operation is named first: in chains, nested loops, called functions and reducers."""

from __future__ import annotations

import numpy as np
import pytest

import hlokit
from benchmarks.faults import FaultySide, lines_for, make_case, named_line, planted_text
from hlokit.tools.backends.children import ChildSide
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.tools.diff.instrumented.extras import ITERATIONS, Values
from hlokit.tools.diff.instrumented.instrumentation import instrument
from hlokit.tools.diff.instrumented.values import Search, compare_values
from hlokit.tools.recording.places import Operations
from unit.tools.diff.sides import Here

CASE = make_case(140, 3)
PROGRAM = hlokit.load(CASE.text)
ARGUMENTS = CASE.arguments()

PLANTED = [
    (kind, place, lines_for(CASE, kind, place)[index])
    for kind in ("kernel", "swap")
    for place in ("main", "loop", "function", "reducer")
    for index in (0, -1)
    if not (kind == "swap" and place == "reducer") and lines_for(CASE, kind, place)
]
# Functions whose faults the results show by less than what is allowed.
HIDDEN = (("kernel", "loop", 29), ("kernel", "main", 2))
# Changes whose effect on the results is about what is allowed, or less.
SMALL = (("other", 9),)


@pytest.mark.parametrize(("kind", "place", "line"), PLANTED)
@pytest.mark.sample("*-2", "*-29", "*-149", "*-84", "*-7", "*-31", "*-150")
def test_a_compilers_fault_is_named_first(kind: str, place: str, line: int) -> None:
    side = FaultySide(f'"model.py":{line}:', kind, Here())
    report = hlokit.diff(PROGRAM, *ARGUMENTS, against=side)
    if (kind, place, line) in HIDDEN:
        assert (report.status, report.first) == (0, None)
        assert f"model.py:{line}:1 differs by more than its bound" in report.notes[0]
        return
    assert report.status == 1
    assert named_line(report.first) == line, f"{kind} in {place}: {report}"


@pytest.mark.parametrize("place", ["main", "loop", "function"])
def test_few_values_at_a_time_find_it_too(place: str) -> None:
    line = lines_for(CASE, "kernel", place)[-1]
    side = FaultySide(f'"model.py":{line}:', "kernel", Here())
    found = compare_values(TripCounts(PROGRAM, ARGUMENTS, "main"), side, Search(most_watched=12))
    assert [named_line(each) for each in found.findings if each.comparison.verdict == "beyond"][:1] == [line]


def test_few_values_find_a_fault_that_a_cosine_hides() -> None:
    lines = "".join(f"  %{n + 1} = stablehlo.tanh %{n} : tensor<8xf32>\n" for n in range(30))
    text = f"""func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {{
  %l = stablehlo.logistic %x : tensor<8xf32>
  %e = stablehlo.exponential %l : tensor<8xf32>
  %s = stablehlo.subtract %e, %y : tensor<8xf32> loc("model.py":3:1)
  %0 = stablehlo.cosine %s : tensor<8xf32>
{lines}  return %30 : tensor<8xf32>
}}"""
    program, x, y = hlokit.load(text), np.arange(8, dtype=np.float32), np.ones(8, np.float32)
    side = FaultySide('"model.py":3:', "swap", Here())
    found = compare_values(
        TripCounts(program, [x, y], "main"), side, Search(most_watched=2, is_thorough=False)
    )
    assert [each.op for each in found.findings if each.comparison.verdict == "beyond"] == [
        "stablehlo.subtract"
    ]


def test_few_values_find_a_fault_whose_effect_comes_after_other_values() -> None:
    lines = "".join(f"  %{n + 1} = stablehlo.tanh %{n} : tensor<8xf32>\n" for n in range(30))
    text = f"""func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {{
  %0 = stablehlo.exponential %x : tensor<8xf32>
  %s = stablehlo.subtract %0, %y : tensor<8xf32> loc("model.py":3:1)
  %m = stablehlo.multiply %s, %y : tensor<8xf32>
  %l = stablehlo.logistic %m : tensor<8xf32>
{lines}  %a = stablehlo.add %l, %30 : tensor<8xf32>
  return %a : tensor<8xf32>
}}"""
    program, x, y = hlokit.load(text), np.arange(8, dtype=np.float32), np.full(8, 2.0, np.float32)
    side = FaultySide('"model.py":3:', "swap", Here())
    found = compare_values(
        TripCounts(program, [x, y], "main"), side, Search(most_watched=3, is_thorough=False)
    )
    assert [each.op for each in found.findings if each.comparison.verdict == "beyond"] == [
        "stablehlo.subtract"
    ]


@pytest.mark.deep
def test_a_long_run_is_searched_further_only_for_a_difference_of_the_results() -> None:
    text = """func.func @main(%x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %size = stablehlo.constant dense<SIZE> : tensor<f32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c, %v = %x) : tensor<i32>, tensor<f32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
   } do {
    %j = stablehlo.add %i, %1 : tensor<i32>
    %is_eighth = stablehlo.compare EQ, %i, %eight : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %part = stablehlo.select %is_eighth, %size, %zero : tensor<i1>, tensor<f32>
    %d = stablehlo.subtract %part, %zero : tensor<f32> loc("model.py":3:1)
    %w = stablehlo.add %v, %d : tensor<f32>
    stablehlo.return %j, %w : tensor<i32>, tensor<f32>
   }
  %0 = stablehlo.tanh %r#1 : tensor<f32>
  return %0 : tensor<f32>
}"""
    for size, named in (("1.0e-7", None), ("1.0e-1", "stablehlo.subtract")):
        side = FaultySide('"model.py":3:', "swap", Here())
        report = hlokit.diff(text.replace("SIZE", size), np.float32(0.5), np.int32(20_000), against=side)
        assert (report.first and report.first.op) == named, report
        is_short = any("in 2 iterations" in note for note in report.notes)
        assert is_short == (named is None), report
        if is_short:
            assert report.results[0].note == "each operation that was compared is within its bound"


def test_values_that_a_long_loop_returns_as_they_are_stay_known() -> None:
    """Regression: operations on a value that passed through such a loop were not judged."""
    text = """func.func @main(%x: tensor<f32>, %w: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<100> : tensor<i32>
  %r:3 = stablehlo.while(%i = %c, %v = %x, %same = %w) : tensor<i32>, tensor<f32>, tensor<f32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
   } do {
    %1 = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %1 : tensor<i32>
    %s = stablehlo.multiply %v, %same : tensor<f32>
    stablehlo.return %j, %s, %same : tensor<i32>, tensor<f32>, tensor<f32>
   }
  %0 = stablehlo.subtract %w, %x : tensor<f32> loc("model.py":3:1)
  return %0 : tensor<f32>
}"""
    side = FaultySide('"model.py":3:', "swap", Here())
    report = hlokit.diff(text, np.float32(0.5), np.float32(0.25), against=side, mode="values")
    assert report.first is not None and report.first.op == "stablehlo.subtract", report


def _differing(kind: str) -> list[int]:
    lines = CASE.text.split("\n")
    if kind == "other":
        where = [n for place in ("main", "loop", "function") for n in CASE.places[place]]
        return [n for n in where if any(f".{name} " in lines[n - 1] for name in ("tanh", "sine", "cosine"))][
            :6
        ]
    return [n for place in ("main", "loop", "function") for n in lines_for(CASE, kind, place)][:6]


@pytest.mark.parametrize(
    ("kind", "line"), [(kind, n) for kind in ("swap", "constant", "other") for n in _differing(kind)]
)
@pytest.mark.sample("swap-7", "swap-90", "constant-10", "constant-42", "other-2", "other-52")
def test_the_changed_operation_of_another_program_is_named_first(kind: str, line: int) -> None:
    report = hlokit.diff(PROGRAM, *ARGUMENTS, against=hlokit.load(planted_text(CASE.text, line, kind)))
    if (kind, line) in SMALL:
        assert report.status == 0, "the results show less than is allowed"
        assert f"the programs differ at model.py:{line}:" in report.headline
    else:
        assert report.status == 1
    assert named_line(report.first) == line, report


REDUCER = """
func.func @main(%x: tensor<4x6xf32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = "stablehlo.reduce"(%x, %0) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %half = stablehlo.constant dense<0.5> : tensor<f32>
    %2 = stablehlo.multiply %a, %b : tensor<f32>
    %3 = stablehlo.multiply %2, %half : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


@pytest.mark.parametrize(
    ("old", "new", "op"),
    [
        ("dense<0.5>", "dense<0.501>", "stablehlo.constant"),
        ("multiply %a, %b", "maximum %a, %b", "stablehlo.multiply"),
    ],
)
def test_the_changed_operation_in_a_reducer_of_another_program_is_named(old: str, new: str, op: str) -> None:
    x = CASE.arguments()[0].reshape(-1)[:24].reshape(4, 6) + 2
    report = hlokit.diff(hlokit.load(REDUCER), x, against=hlokit.load(REDUCER.replace(old, new)))
    assert report.first is not None
    assert report.first.op == op
    assert "in the other program" in report.first.comparison.note


@pytest.mark.parametrize("place", ["loop", "reducer"])
@pytest.mark.sample("reducer")
def test_xla_with_a_fault(place: str) -> None:
    line = lines_for(CASE, "kernel", place)[-1]
    child = ChildSide("xla")
    try:
        report = hlokit.diff(PROGRAM, *ARGUMENTS, against=FaultySide(f'"model.py":{line}:', "kernel", child))
    finally:
        child.close()
    assert named_line(report.first) == line


CONDITION = """func.func @main(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %most = stablehlo.constant dense<100.0> : tensor<f32>
  %0:2 = stablehlo.while(%a = %x, %i = %s) : tensor<4xf32>, tensor<f32> cond {
    %1 = stablehlo.multiply %a, %a : tensor<4xf32> loc("model.py":1:1)
    %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32> loc("model.py":2:1)
    %3 = stablehlo.compare LT, %2, %most : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("model.py":3:1)
    stablehlo.return %3 : tensor<i1>
  } do {
    %1 = stablehlo.add %a, %a : tensor<4xf32> loc("model.py":4:1)
    %2 = stablehlo.add %i, %i : tensor<f32> loc("model.py":5:1)
    stablehlo.return %1, %2 : tensor<4xf32>, tensor<f32>
  }
  return %0#0 : tensor<4xf32>
}"""


@pytest.mark.parametrize("line", [1, 2, 4])
def test_values_in_conditions_of_loops(line: int) -> None:
    """The body returns the condition's values, because it begins with the condition."""
    side = FaultySide(f'"model.py":{line}:', "kernel", Here())
    arguments = (np.array([1, 2, 0.5, 0.25], np.float32), np.float32(1))
    report = hlokit.diff(hlokit.load(CONDITION), *arguments, against=side, mode="values")
    assert report.first is not None
    assert named_line(report.first) == line
    exact = hlokit.diff(hlokit.load(CONDITION), *arguments, against=Here(), mode="values")
    assert (exact.outcome, exact.first) == ("same", None)
    assert exact.exact >= 5 * 2  # of two iterations and more


def test_inner_loops_that_take_other_numbers_of_iterations() -> None:
    """The last evaluation of a condition has no value in the row, although other runs of the loop have one."""
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %0:2 = stablehlo.while(%n = %zero, %a = %x) : tensor<i32>, tensor<4xf32> cond {
        %1 = stablehlo.compare LT, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %1:2 = stablehlo.while(%m = %zero, %b = %a) : tensor<i32>, tensor<4xf32> cond {
          %2 = stablehlo.add %m, %three : tensor<i32>
          %3 = stablehlo.subtract %2, %three : tensor<i32>
          %4 = stablehlo.compare LT, %3, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %4 : tensor<i1>
        } do {
          %2 = stablehlo.tanh %b : tensor<4xf32>
          %3 = stablehlo.add %m, %one : tensor<i32>
          stablehlo.return %3, %2 : tensor<i32>, tensor<4xf32>
        }
        %2 = stablehlo.add %n, %one : tensor<i32>
        stablehlo.return %2, %1#1 : tensor<i32>, tensor<4xf32>
      }
      return %0#1 : tensor<4xf32>
    }
    """
    x = np.linspace(-1, 1, 4, dtype=np.float32)
    report = hlokit.diff(hlokit.load(text), x, against=Here(), mode="values")
    assert report.outcome == "same", report


def test_a_loop_that_takes_more_iterations_on_the_other_side_has_no_wrong_values() -> None:
    """Its last row has the other side's last iteration, which hlokit's own run lacks."""
    text = """
    func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %one = stablehlo.constant dense<1.0> : tensor<f32>
      %ten = stablehlo.constant dense<10.0> : tensor<f32>
      %0 = stablehlo.while(%a = %x) : tensor<f32> cond {
        %1 = stablehlo.compare LT, %a, %ten : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %1 = stablehlo.add %a, %one : tensor<f32> loc("model.py":1:1)
        stablehlo.return %1 : tensor<f32>
      }
      return %0 : tensor<f32>
    }
    """
    program = hlokit.load(text)
    operations = Operations(program.module)
    others = hlokit.load(text.replace("10.0", "12.0"))
    value = [np.float32(0.5)]
    iterations = TripCounts(program, value, "main").most_iterations()
    (number,) = iterations
    add = next(n for n, op in enumerate(operations.all) if op.name == "stablehlo.add")
    made = instrument(others.module, "main", frozenset([add]), iterations)
    results = Here().run(made.module, value)
    known = Values(made.extras, results[1:])
    assert int(known.get((number,), ITERATIONS)) == 12
    for iteration in range(iterations[number]):
        found = known.get((number, iteration, add), 0)
        assert found is None or found == 1.5 + iteration
    assert known.get((number, iterations[number] - 1, add), 0) is None
