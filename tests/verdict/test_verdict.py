"""`hlokit diff` names planted faults and mistakes of backends. `python -m tests.verdict` plants hundreds."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

import hlokit
from hlokit.tools.backends.children import ChildSide
from tests.verdict.broken import BREAKAGES, Breakage, BrokenSide
from tests.verdict.campaign import faults_of
from tests.verdict.effects import Right
from tests.verdict.faults.planting import CONNECTED, PLAIN, STRUCTURAL, Kind, draw
from tests.verdict.judging import diff_files, graded_report, stored
from tests.verdict.models import names, traced
from tests.verdict.sides import grade_of_side, judge_breakage
from unit.tools.diff.sides import Here


@pytest.mark.parametrize("name", ["functions", "quantized", "machine"])
@pytest.mark.sample("functions", "quantized")
def test_planted_faults_are_named(name: str) -> None:
    model = traced(name)
    program = hlokit.load(model.text)
    grades = []
    for fault, effect in faults_of(model, range(8), 7, (PLAIN, CONNECTED)):
        report = hlokit.diff(program, *model.arguments, against=hlokit.load(fault.text))
        assert report.outcome != "same" or effect in ("none", "values"), (
            f"{fault.kind}, {fault.lines}: {report}"
        )
        grades.append((*graded_report(report.as_dict(), fault), fault.kind, fault.lines))
    assert len(grades) >= 7
    assert [grade for grade in grades if grade[0] != "named"] == []


# Classes that `flow` has no place for.
PROGRAMS = {
    "callee": "functions",
    "results of a branch": "machine",
    "reducer": "quantized",
    "word of an attribute": "experts",
    "number of an attribute": "convolutional",
}


@pytest.mark.parametrize("kind", [*PLAIN, *CONNECTED, *STRUCTURAL], ids=lambda kind: kind.name)
def test_every_class_of_faults_has_a_place(kind: Kind) -> None:
    """A drawn fault changes one operation, whose line the fault names."""
    text = traced(PROGRAMS.get(kind.name, "flow")).text
    fault = draw(text, kind, Random(1))
    assert fault is not None
    assert fault.text != text
    if kind not in STRUCTURAL:
        lines, others = text.split("\n"), fault.text.split("\n")
        assert len(lines) == len(others)
        assert {n for n, (a, b) in enumerate(zip(lines, others, strict=True), 1) if a != b} == fault.lines


def test_effects() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = stablehlo.tanh %x : tensor<4xf32>
      %1 = stablehlo.abs %0 : tensor<4xf32>
      %2 = stablehlo.negate %1 : tensor<4xf32>
      %3 = stablehlo.abs %2 : tensor<4xf32>
      return %3, %1 : tensor<4xf32>, tensor<4xf32>
    }"""
    right = Right(text, [np.linspace(0.1, 1, 4, dtype=np.float32)])
    assert right.effect_of(text) == "none"
    assert right.effect_of(text.replace("tanh", "sine")) == "results"
    assert right.effect_of(text.replace("negate", "sqrt")) == "results"
    assert right.effect_of(text.replace("abs %2", "negate %2")) == "none"
    assert right.effect_of(text.replace("negate %1", "abs %1")) == "values"


@pytest.mark.parametrize(
    "breakage",
    [item for item in BREAKAGES if item.models[0] in ("halves", "subnormal", "truncation", "clamped")],
    ids=lambda item: item.name,
)
def test_mistakes_of_backends_are_named_or_explained(breakage: Breakage) -> None:
    model = traced(breakage.models[0])
    report = hlokit.diff(hlokit.load(model.text), *model.arguments, against=BrokenSide(breakage, Here()))
    assert grade_of_side(report, breakage, model.text) in ("named", "explained"), report


def test_the_programs_are_different() -> None:
    assert len(names()) == len(set(names())) == 22


@pytest.mark.deep
def test_a_command_with_a_mistake(tmp_path: Path) -> None:
    """The broken backend as another program, started once."""
    program, arguments = stored(tmp_path, traced("flow"))
    command = f"{sys.executable} -m tests.verdict.runner --serve --breakage='sines for tanh'"
    answer = diff_files(program, arguments, f"cmd:{command}", limit=600)
    assert answer.status == 1, answer
    assert answer.report["first"]["op"] == "stablehlo.tanh"


RUNS = [
    pytest.param(breakage, name, id=f"{breakage.name}, {name}")
    for breakage in BREAKAGES
    for name in breakage.models
]


@pytest.mark.deep
@pytest.mark.parametrize(("breakage", "name"), RUNS)
def test_mistakes_of_xla_are_named_or_explained(breakage: Breakage, name: str) -> None:
    side = ChildSide("xla", time_limit=300.0)
    try:
        grade, text = judge_breakage(breakage, name, side)
    finally:
        side.close()
    assert grade in ("named", "explained"), text


@pytest.mark.deep
@pytest.mark.parametrize("name", names())
def test_right_programs_are_not_accused(name: str, tmp_path: Path) -> None:
    answer = diff_files(*stored(tmp_path, traced(name)), "xla", limit=600)
    assert answer.status == 0, answer.report


@pytest.mark.deep
def test_a_campaign() -> None:
    """One fault of each model and class of its own: at least 98 of 100 are named, and nothing innocent."""
    grades = Counter[str]()
    for name in names():
        model = traced(name)
        program = hlokit.load(model.text)
        for fault, _ in faults_of(model, range(9), 4, (PLAIN, CONNECTED, PLAIN)):
            report = hlokit.diff(program, *model.arguments, against=hlokit.load(fault.text), time_limit=20)
            grades[graded_report(report.as_dict(), fault)[0]] += 1
    assert grades["wrong"] == 0, grades
    assert grades["named"] >= 0.98 * grades.total() > 150, grades
