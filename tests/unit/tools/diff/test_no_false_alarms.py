"""Correct programs give no findings: hlokit against itself, on the interpreter's own test programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hlokit
from hlokit.mlir.text.split import split_input
from unit.tools.diff.sides import Here

PROGRAMS = Path(__file__).parents[3] / "interpret"
FILES = (
    "scatter",
    "while",
    "if",
    "case",
    "call",
    "composite",
    "reduce",
    "reduce_window",
    "sort",
    "map",
    "async_start",
)


@pytest.mark.parametrize("mode", ["isolated", "values"])
@pytest.mark.parametrize("name", FILES)
def test_hlokit_against_itself(name: str, mode: Any) -> None:
    compared = 0
    for text in split_input((PROGRAMS / f"{name}.mlir").read_text()):
        program = hlokit.load(text)
        for function in program.functions:
            if not program.signature(function).inputs:
                report = hlokit.diff(program, function=function, against=Here(batch=32), mode=mode)
                assert report.outcome == "same", f"{function}: {report}"
                assert not report.notes, f"{function}: {report}"
                compared += report.exact
    assert compared or name in ("async_start", "composite")  # functions that something else than a call uses
