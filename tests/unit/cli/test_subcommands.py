"""Properties of every subcommand: its own help, and results as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hlokit.cli import main
from hlokit.cli.frame.subcommands import entries, meaning

LOG = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  %1 = stablehlo.log %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
"""
X = "dense<[-1.0, 2.0]> : tensor<2xf32>"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "log.mlir"
    path.write_text(LOG)
    return path


@pytest.mark.parametrize("name", main.SUBCOMMANDS)
def test_help_of_a_subcommand(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main([name, "--help"]) == 0
    text = capsys.readouterr().out
    usage, _ = entries(main.DESCRIPTION)[name]
    assert text.startswith(f"usage: hlokit {usage}\n")
    shown = {line.split()[0].partition("=")[0] for line in text.partition("flags:\n")[2].splitlines()}
    own = {
        flag.spelling
        for flag in main.FLAGS
        if meaning(flag, name, main.SUBCOMMANDS) or meaning(flag, "", main.SUBCOMMANDS)
    }
    assert {each.partition("[")[0] for each in shown} == own
    assert "--help" in shown and len(text.splitlines()) < 60


def test_help_of_all_subcommands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["--help"]) == 0
    assert capsys.readouterr().out.startswith(f"usage: {main.USAGE}\n")


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main.main([*arguments, "--format=json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_small_programs_as_json(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "reduce", str(program), X, "--keep=nan", "-o", "small.mlir")
    assert found["text"] == Path("small.mlir").read_text() and "stablehlo.log" in found["text"]
    assert found["before"] == 2 and found["after"] == 1 and found["is_finished"]
    assert "small.mlir" in found["report"]


def test_self_checking_programs_as_json(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "make-test", str(program), X)
    assert "check.expect" in found["text"] and found["left_out"] == {}


def test_recordings_as_json(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "record", str(program), X, "-o", "run")
    assert found == {"directory": "run", "function": "main", "values": 2, "summaries": 0}


def test_upgrades_as_json(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert as_json(capsys, "upgrade", str(program)) == {"text": LOG, "changes": []}


MISTAKES = {
    "a list of numbers": (["run", "log.mlir", "[1, 2]"], "'[1, 2]' is no argument"),
    "another kind of file": (["run", "log.mlir", "data.csv"], "an .npy or .npz file"),
    "the flag of stablehlo-translate": (["run", "log.mlir", "--args=data.csv"], "run FILE ARGUMENT..."),
    "an empty file": (["run", "empty.mlir"], "it has no functions"),
    "a switch of another subcommand": (
        ["info", "log.mlir", "--trace"],
        "info: --trace must not be given: it is a flag of run",
    ),
    "a flag of other subcommands": (
        ["ops", "log.mlir", "--shadow", "--time-limit=3"],
        "ops: --shadow must not be given: it is a flag of run, view",
    ),
    "a misspelt subcommand": (["dif", "log.mlir"], "did you mean diff?"),
    "a misspelt side": (["diff", "log.mlir", X, "--against=xle"], "did you mean xla?"),
    "a misspelt predicate": (
        ["reduce", "log.mlir", X, "--keep=diverge:xla", "-o", "r.mlir"],
        "did you mean diverges?",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_messages_state_the_correct_form(
    mistake: str, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (program.parent / "empty.mlir").write_text("")
    arguments, message = MISTAKES[mistake]
    assert main.main(arguments) in (1, 2)
    printed = capsys.readouterr()
    assert message in printed.err
    assert "--args=[" not in printed.err, "a flag that the subcommand lacks"
