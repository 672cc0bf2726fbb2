"""`stablehlo-opt --check-meaning` and `hlokit equal`, by their exit statuses and messages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hlokit.cli.main import main as hlokit
from hlokit.cli.upstream.opt import main as opt
from hlokit.passes.framework.registry import Pass
from hlokit.passes.simplification import PASS

TEXT = """
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<4xf32>
  %0 = stablehlo.multiply %a, %c : tensor<4xf32>
  %1 = stablehlo.constant dense<3.0> : tensor<4xf32>
  %2 = stablehlo.divide %c, %1 : tensor<4xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.mlir"
    path.write_text(TEXT)
    return str(path)


def test_passes_that_keep_the_meaning(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    passes = ("--stablehlo-aggressive-simplification", "--stablehlo-aggressive-folder", "--canonicalize")
    assert opt([*passes, "--check-meaning", program]) == 0
    assert "warning" not in capsys.readouterr().err


def test_a_pass_that_changes_the_meaning_is_named(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def swap(function: object, options: object) -> None:
        del options
        operations = [op.operation for op in function.regions[0].blocks[0].operations]  # pyright: ignore[reportAttributeAccessIssue] # an MLIR operation
        (subtract,) = [op for op in operations if op.name == "stablehlo.subtract"]
        first, second = subtract.operands
        subtract.operands[0], subtract.operands[1] = second, first

    broken = Pass(PASS.name, "", swap, anchor=PASS.anchor)
    monkeypatch.setattr("hlokit.passes.pipeline.PASSES", {PASS.name: broken})
    arguments = tmp_path / "x.npz"
    np.savez(arguments, a=np.array([1, 2, 3, 4.5], np.float32))
    for flag in ("--check-meaning", f"--check-meaning={arguments}"):
        assert opt([f"--{PASS.name}", flag, program]) == 1
        message = capsys.readouterr().err
        assert f"error: {PASS.name}" in message and "must keep the meaning of @main" in message
        assert "stablehlo.subtract" in message
    assert opt([f"--{PASS.name}", program]) == 0


def test_what_cannot_be_compared_is_a_warning(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert opt(["--stablehlo-legalize-to-linalg", "--check-meaning", program]) == 0
    assert "(stablehlo-legalize-to-linalg): the meaning was not compared" in capsys.readouterr().err


def test_arguments_that_cannot_be_read_are_an_error(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.savez(tmp_path / "short.npz", np.ones(3, np.float32))
    rows = (("missing.npz", "no such file"), ("short.npz", "tensor<4xf32>"))
    for name, message in rows:
        assert opt(["--cse", f"--check-meaning={tmp_path / name}", program]) == 1, name
        captured = capsys.readouterr()
        assert message in captured.err and captured.out == "", captured


def test_exit_statuses_of_equal(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other, example = tmp_path / "other.mlir", tmp_path / "x.npz"
    other.write_text(TEXT.replace("dense<3.0>", "dense<4.0>"))
    assert hlokit(["equal", program, program]) == 0
    assert hlokit(["equal", program, str(other), "--json", f"--counterexample={example}"]) == 1
    printed = capsys.readouterr().out
    assert json.loads(printed[printed.index("{") :])["status"] == "differs"
    assert hlokit(["run", str(other), str(example)]) == 0
    assert hlokit(["equal", program, program, "--map=argument:0=1"]) == 2
    assert hlokit(["equal", program, str(tmp_path / "missing.mlir")]) == 2
    assert hlokit(["equal", program]) == 2
    assert hlokit(["equal", program, program, "--map=0=1"]) == 2
    message = capsys.readouterr().err
    assert "argument:N=M or result:N=M" in message and "Traceback" not in message
