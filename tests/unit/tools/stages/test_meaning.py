"""Exact arithmetic decides on stages whose results differ within bounds."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.tools.stages import judging, meaning
from hlokit.tools.stages.run import certify

T = "tensor<4xf32>"


def _printed(*programs: tuple[str, str]) -> str:
    return "".join(f"// -----// IR Dump {what} //----- //\n{text}\n\n" for what, text in programs)


@pytest.mark.parametrize(
    ("before", "after", "verdict", "note"),
    [
        (("divide", "10.0"), ("multiply", "0.1"), "within", ""),
        (
            ("multiply", "0.1"),
            ("multiply", "0.10000001"),
            "changed",
            "differs in meaning, though the results",
        ),
    ],
    ids=["a reciprocal", "another constant"],
)
def test_exact_arithmetic_decides_on_differences_within_bounds(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    before: tuple[str, str],
    after: tuple[str, str],
    verdict: str,
    note: str,
) -> None:
    """Bounds hide another constant, which no rounding explains if the operations are the same."""
    monkeypatch.setattr("hlokit.tools.stages.judging._LEAST_SECONDS", 300)  # a machine may be slow
    programs = [
        f"""
func.func @main(%x: {T}) -> {T} {{
  %c = stablehlo.constant dense<{constant}> : {T}
  %r = stablehlo.{name} %x, %c : {T}
  return %r : {T}
}}
"""
        for name, constant in (before, after)
    ]
    path = tmp_path / "printed.txt"
    path.write_text(_printed(("After fold", programs[1])))
    x = np.linspace(1.1, 2.3, 4, dtype=np.float32)
    (stage,) = certify(hlokit.load(programs[0]), x, by=str(path)).stages
    assert stage.verdict == verdict, stage
    assert note in stage.note
    assert ("in meaning" in stage.note) == (verdict == "changed")


def test_a_stage_that_exact_arithmetic_had_no_time_for_is_decided_before_a_later_one_is_accused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = """
func.func @main(%x: tensor<4xf16>) -> tensor<4xf16> {
  %c = stablehlo.constant dense<1.0e-01> : tensor<4xf16>
  %a = stablehlo.abs %x : tensor<4xf16>
  %r = stablehlo.multiply %a, %c : tensor<4xf16>
  return %r : tensor<4xf16>
}
"""
    hidden = right.replace("1.0e-01", "1.005e-01").replace("stablehlo.abs %x", "stablehlo.add %x, %z")
    hidden = hidden.replace("  %a", "  %z = stablehlo.constant dense<0.0> : tensor<4xf16>\n  %a")
    path = tmp_path / "printed.txt"
    path.write_text(_printed(("After hides", hidden), ("After shows", hidden.replace("multiply", "divide"))))
    x = np.linspace(1.1, 2.3, 4, dtype=np.float16)
    monkeypatch.setattr(judging, "_LEAST_SECONDS", 1e-6)
    monkeypatch.setattr(judging, "_EXACT_RUNS", 0)
    monkeypatch.setattr(judging, "_RECONSIDERED", 1e9)
    report = certify(hlokit.load(right), x, by=str(path))
    assert [stage.verdict for stage in report.stages] == ["changed", "changed"]
    assert report.stages[0].note.startswith("differs in meaning, though the results")


def test_the_note_of_a_changed_stage_has_a_limit_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: exact arithmetic that only adds to a note had the time limit of the whole command."""
    source = f"""
func.func @main(%x: {T}) -> {T} {{
  %r = stablehlo.add %x, %x : {T}
  return %r : {T}
}}
"""
    path = tmp_path / "printed.txt"
    path.write_text(_printed(("After breaks", source.replace("add", "divide"))))
    limits: list[float | None] = []

    def recorded(seconds: float | None) -> AbstractContextManager[None]:
        limits.append(seconds)
        return nullcontext()

    monkeypatch.setattr(judging, "time_limit_of_runs", recorded)
    monkeypatch.setattr(judging, "_LEAST_SECONDS", 0.25)
    monkeypatch.setattr(judging, "_EXACT_RUNS", 0)
    report = certify(hlokit.load(source), np.linspace(1.1, 2.3, 4, dtype=np.float32), by=str(path))
    assert report.stages[0].verdict == "changed"
    assert limits == [2.5]


def test_identities_are_named_where_they_take_no_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = f"""
func.func @main(%x: {T}) -> {T} {{
  %c = stablehlo.constant dense<10.0> : {T}
  %r = stablehlo.divide %x, %c : {T}
  return %r : {T}
}}
"""
    path = tmp_path / "printed.txt"
    path.write_text(_printed(("After fold", source.replace("divide", "multiply").replace("10.0", "0.1"))))
    x = np.linspace(1.1, 2.3, 4, dtype=np.float32)
    monkeypatch.setattr(judging, "_LEAST_SECONDS", 300)  # a machine may be slow
    notes: list[str] = []
    for seconds in (300, 0):
        monkeypatch.setattr(meaning, "_QUICK", seconds)
        (stage,) = certify(hlokit.load(source), x, by=str(path)).stages
        assert stage.verdict == "within"
        notes.append(stage.note)
    assert notes == [
        "equal, exactly, assuming rounded constants",
        "differs in exact arithmetic, by no more than roundings do",
    ]
