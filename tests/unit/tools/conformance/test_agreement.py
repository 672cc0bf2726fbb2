"""Functions of files that are compared with XLA."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hlokit
from hlokit.cli.main import main
from hlokit.tools.conformance.agreement import Comparison, compare_functions

TEXT = """
func.func @double(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @nothing(%x: tensor<3xf32>) { return }
func.func @large(%x: tensor<9999999xf32>) -> tensor<9999999xf32> { return %x : tensor<9999999xf32> }
// -----
func.func @f() { "enzyme.autodiff"() : () -> () }
"""


def test_each_function_is_compared_or_has_a_reason() -> None:
    double, nothing, large, part = compare_functions(TEXT)
    assert double == Comparison("double")
    assert nothing.not_run == "the function returns nothing"
    assert large.not_run == "the function takes large arrays"
    assert "unregistered dialect" in part.not_run


def test_a_difference_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.mlir").write_text(TEXT)
    other = hlokit.load(TEXT.partition("// -----")[0].replace("add %x, %x", "multiply %x, %x"))
    real = hlokit.diff

    def diff(*arguments: object, **options: object) -> object:
        return real(*arguments, **{**options, "against": other})  # pyright: ignore[reportArgumentType, reportCallIssue] # passed on

    monkeypatch.setattr(hlokit, "diff", diff)
    results = tmp_path / "results.json"
    assert (
        main(["conformance", "--upstream", str(tmp_path), "--suite=functions", "--jobs=1", f"-o={results}"])
        == 1
    )
    (entry,) = json.loads(results.read_text())
    assert (entry["standing"], entry["lines"], len(entry["lines_not_run"])) == ("failed", 1, 3)
    assert "@double: " in entry["message"]


def test_files_without_functions_are_not_run(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text("module {}")
    results = tmp_path / "results.json"
    assert (
        main(["conformance", "--upstream", str(tmp_path), "--suite=functions", "--jobs=1", f"-o={results}"])
        == 0
    )
    assert json.loads(results.read_text())[0]["message"] == "the file holds no function"
