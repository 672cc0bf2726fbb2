"""Directives of test files, and the list of test files."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlokit.errors import ArgumentError
from hlokit.tools.conformance.suites import TestText as Text
from hlokit.tools.conformance.suites import find_files, find_project


def test_run_lines() -> None:
    text = Text(
        "// RUN: a %s | b\n// RUN: c \\\n// RUN:   d\n// RUN-DISABLED(slow): e\n// RUN-DISABLED(x) f\n"
    )
    assert text.run_lines == ["a %s | b", "c d"]
    assert text.disabled_lines == 2


def test_operations() -> None:
    text = Text(
        "// stablehlo.abs is not in here\n"
        'func.func @stablehlo.sine() { %0 = "stablehlo.add"(%1) {a = #stablehlo.dot<x>, b = "stablehlo.tan"}\n'
        "%2 = stablehlo.constant dense<1> : !stablehlo.token\n"
        "%3 = chlo.erf %2 {c = #chlo<comparison_type FLOAT>} }"
    )
    assert text.operations == ["chlo.erf", "stablehlo.add"]


def test_files(tmp_path: Path) -> None:
    for name in (
        "tests/interpret/add.mlir",
        "tests/interpret/chlo/erf.mlir",
        "testdata/add_f32.mlir",
        "testdata/x.py",
    ):
        path = tmp_path / "stablehlo" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    project, root = find_project(tmp_path)
    assert (project.name, root) == ("openxla/stablehlo", tmp_path / "stablehlo")
    assert find_project(root) == (project, root)
    files = list(find_files(project, root, ["interpret", "testdata"], "add"))
    assert [(file.suite, file.name) for file in files] == [
        ("interpret", "tests/interpret/add.mlir"),
        ("testdata", "testdata/add_f32.mlir"),
    ]


def test_a_folder_that_is_no_checkout(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="--upstream must be a checkout"):
        find_project(tmp_path)
