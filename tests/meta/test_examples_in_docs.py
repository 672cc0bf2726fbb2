"""The examples of the pages are correct: their command lines with their output, their Python, their programs.

A block of a page is indented by four spaces (six within a list). In the output of a command, `...` matches
any text, and times are not compared.
"""

from __future__ import annotations

import re
import shlex
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.cli import main
from hlokit.cli.upstream import opt, translate

from .pages import ROOT, text_of

COMMANDS = {"stablehlo-translate": translate.main, "stablehlo-opt": opt.main, "hlokit": main.main}

ADD = """\
func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %x, %y : tensor<2xi32>
  return %0 : tensor<2xi32>
}
"""
TAN = """\
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %1 = stablehlo.tan %a : tensor<2xf32>
  return %1 : tensor<2xf32>
}
"""
WRONG = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xi1> {
  // The types of floats are FLOAT and TOTALORDER.
  %0 = stablehlo.compare LT, %x, %x, SIGNED : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
"""
TESTS = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
// -----
func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{must be of the same shape}}
  %0 = stablehlo.add %y, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
LOSS = """\
module {
  func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = call @loss(%x) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func private @loss(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.log %x : tensor<2xf32> loc("jit(loss)/log"("model.py":7:9))
    %1 = stablehlo.log %0 : tensor<2xf32> loc("jit(loss)/log"("model.py":8:9))
    return %1 : tensor<2xf32>
  }
}
"""
ALL_REDUCE = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
# Files that the examples of the pages need.
FILES = {
    "README.md": {"model.mlir": TAN, "wrong.mlir": WRONG},
    "docs/cli.md": {"add.mlir": ADD, "model.mlir": TAN, "tests.mlir": TESTS, "loss.mlir": LOSS},
    "docs/compatibility.md": {"model.mlir": TAN},
}
# Where the figures are those of a program that the page does not show.
NOT_RUN = ("hlokit info model.mlirbc", "hlokit run loss.mlir x.npy --shadow", "echo ")


def blocks(page: str) -> list[str]:
    found = re.findall(r"(?:^(?: {4}.*)?\n)*^ {4}.*\n", text_of(page), re.MULTILINE)
    return [textwrap.dedent(block).strip("\n") + "\n" for block in found]


def transcripts(page: str) -> list[tuple[str, str]]:
    """Command lines, and what they print."""
    found: list[tuple[str, str]] = []
    for block in blocks(page):
        if block.startswith("$ "):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                found.append((command, output))
    return found


def pattern(output: str) -> re.Pattern[str]:
    escaped = re.escape(output.strip()).replace(r"\.\.\.", ".*")
    return re.compile(re.sub(r"(\\ )*\d+\\\.\d\\ us", r" *[\\d.]+ us", escaped), re.DOTALL)


@pytest.mark.parametrize("page", FILES)
def test_command_lines(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES[page].items():
        (tmp_path / name).write_text(text)
    ran = 0
    for command, output in transcripts(page):
        if command.startswith(NOT_RUN):
            continue
        name, *arguments = shlex.split(command)
        if name == "cat":
            (tmp_path / arguments[0]).write_text(output)
            continue
        COMMANDS[name](arguments)
        printed = "".join(capsys.readouterr())
        assert "internal error" not in printed
        ran += 1
        if output:
            assert pattern(output).search(printed) is not None, f"{command}\n{printed}"
    assert ran


def python_block(page: str, first_words: str) -> str:
    (found,) = [block for block in blocks(page) if block.startswith(first_words)]
    return found


def test_first_lines_of_the_readme(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    jax = pytest.importorskip("jax")
    monkeypatch.chdir(ROOT)
    with np.load("examples/models/digits.npz") as data:
        images = data["images"]
    names: dict[str, Any] = {"images": images, "x": np.ones((2, 3), np.float32), "jax": jax}
    exec(python_block("README.md", "import hlokit"), names)
    assert names["logits"].shape == (len(images), 10)
    assert "stablehlo.exponential tensor<2x3xf32>" in capsys.readouterr().out


def test_custom_call_of_the_readme() -> None:
    names: dict[str, Any] = {"hlokit": hlokit}
    exec(python_block("README.md", "import numpy"), names)
    text = TAN.replace("stablehlo.tan %a :", "stablehlo.custom_call @my_gelu(%a) : (tensor<2xf32>) ->")
    np.testing.assert_allclose(hlokit.load(text)([-1.0, 1.0]), [-0.158808, 0.841192], rtol=1e-5)


def test_program_of_the_readme_that_checks_itself() -> None:
    text = python_block("README.md", "func.func @main() {")
    assert hlokit.load(text)() == ()
    with pytest.raises(hlokit.CheckFailed, match=r"index \[1\]: actual 2.0, expected 2.5"):
        hlokit.load(text.replace("2.0]>", "2.5]>"))()


def test_processes_from_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "all_reduce.mlir").write_text(ALL_REDUCE)
    x0, x1 = np.array([1, 2], np.float32), np.array([10, 20], np.float32)
    names: dict[str, Any] = {"hlokit": hlokit, "x0": x0, "x1": x1}
    exec(python_block("docs/processes.md", "program ="), names)
    assert [result.tolist() for result in names["sums"]] == [[11, 22]] * 2


def test_report_of_a_shadow(capsys: pytest.CaptureFixture[str]) -> None:
    cancelling = TAN.replace("%1 = ", "%0 = stablehlo.tan %a : tensor<2xf32>\n  %1 = ").replace(
        "%1 = stablehlo.tan %a", "%1 = stablehlo.subtract %0, %a"
    )
    names: dict[str, Any] = {
        "hlokit": hlokit,
        "program": hlokit.load(cancelling, filename="cancelling.mlir"),
        "x": np.array([1e-3, 2e-3], np.float32),
    }
    exec(python_block("docs/numerics.md", "shadow ="), names)
    assert re.search(r"stablehlo.subtract tensor<2xf32> .*cancelling.mlir:3:", capsys.readouterr().out)
