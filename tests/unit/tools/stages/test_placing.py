"""Differences from XLA that no operation shows alone are placed at the stage of XLA that makes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hlokit
from hlokit.cli.main import main
from hlokit.tools.diff.comparing.findings import Finding
from hlokit.tools.diff.comparing.verdicts import Comparison
from hlokit.tools.diff.report import DiffReport
from hlokit.tools.stages.placing import placed

# XLA sorts wrongly only where a slice follows the sort: each operation is right by itself.
SORT = Path(__file__).parents[4] / "docs" / "findings" / "xla_sort_iota.mlir"


def test_a_fault_of_several_operations_is_placed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", str(SORT), "--against=xla", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    # The fault shows if the value of the sort is no result.
    assert report["first"]["op"] == "stablehlo.slice"
    assert "stablehlo.slice is right if the value of stablehlo.sort" in report["notes"][0]
    assert report["stage"].startswith("topk-rewriter (pipeline HLO_passes_through_layout_assignment) changed")


def finding(inherited: float | None) -> Finding:
    parts = (0, "stablehlo.add", 0, "main", "", "a.py:1", "", 0, "tensor<f32>", Comparison("beyond"))
    return Finding(*parts, inherited=inherited)


def test_other_reports_stay_as_they_are() -> None:
    off, wrong = Comparison("beyond"), finding(None)
    reports = {
        "another side": DiffReport("p", "iree", ("whole",), (off,), (), None),
        "an operation": DiffReport("p", "xla", ("whole", "isolated"), (off,), (wrong,), wrong),
        "roundings": DiffReport("p", "xla", ("whole",), (Comparison("within"),), (), None),
    }
    program = hlokit.load(SORT)
    for name, report in reports.items():
        assert placed(report, program, ()) is report, name


def test_stages_that_cannot_be_compared_are_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: such an error took the place of the comparison that was done."""

    def fails(*_: object, **__: object) -> None:
        raise hlokit.UnsupportedError("there is no such kernel")

    monkeypatch.setattr("hlokit.tools.stages.placing.certify", fails)
    report = DiffReport("p", "xla", ("whole",), (Comparison("beyond"),), (), None)
    after = placed(report, hlokit.load(SORT), ())
    assert after.notes == ("the stages of XLA could not be compared: there is no such kernel",)


def test_right_stages_are_a_note() -> None:
    """A report that blames XLA for a program that all stages keep."""
    program = hlokit.load("func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}")
    report = DiffReport("p", "xla", ("whole",), (Comparison("beyond"),), (), None)
    after = placed(report, program, (1.0,))
    assert after.stage == ""
    assert after.notes[-1].startswith("no stage of XLA is at fault alone: all")
