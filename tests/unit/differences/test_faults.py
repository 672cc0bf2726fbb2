"""A fault planted at one operation is named first: in chains, nested loops, called functions and reducers."""

from __future__ import annotations

import pytest

import hlokit
from benchmarks.faults import FaultySide, lines_for, make_case, named_line, planted_text
from hlokit.backends.children import ChildSide
from hlokit.differences.values import compare_values
from hlokit.recording.places import Operations
from unit.differences.sides import Here

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


@pytest.mark.parametrize(("kind", "place", "line"), PLANTED)
def test_a_compilers_fault_is_named_first(kind: str, place: str, line: int) -> None:
    side = FaultySide(f'"model.py":{line}:', kind, Here())
    report = hlokit.diff(PROGRAM, *ARGUMENTS, against=side)
    assert report.status == 1
    assert named_line(report.first) == line, f"{kind} in {place}: {report}"


@pytest.mark.parametrize("place", ["main", "loop", "function"])
def test_few_values_at_a_time_find_it_too(place: str) -> None:
    line = lines_for(CASE, "kernel", place)[-1]
    side = FaultySide(f'"model.py":{line}:', "kernel", Here())
    operations = Operations(PROGRAM.module)
    found = compare_values(PROGRAM, ARGUMENTS, "main", side, operations, most_watched=12)
    assert [named_line(each) for each in found.findings if each.comparison.verdict == "beyond"][:1] == [line]


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
def test_what_another_program_changes_is_named_first(kind: str, line: int) -> None:
    report = hlokit.diff(PROGRAM, *ARGUMENTS, against=hlokit.load(planted_text(CASE.text, line, kind)))
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
def test_what_another_program_changes_in_a_reducer_is_named(old: str, new: str, op: str) -> None:
    x = CASE.arguments()[0].reshape(-1)[:24].reshape(4, 6) + 2
    report = hlokit.diff(hlokit.load(REDUCER), x, against=hlokit.load(REDUCER.replace(old, new)))
    assert report.first is not None
    assert report.first.op == op
    assert "in the other program" in report.first.comparison.note


@pytest.mark.parametrize("place", ["loop", "reducer"])
def test_xla_with_a_fault(place: str) -> None:
    line = lines_for(CASE, "kernel", place)[0]
    child = ChildSide("xla")
    try:
        report = hlokit.diff(PROGRAM, *ARGUMENTS, against=FaultySide(f'"model.py":{line}:', "kernel", child))
    finally:
        child.close()
    assert named_line(report.first) == line
