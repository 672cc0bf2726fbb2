"""Surroundings that a command does not choose: locales, other writers of its file, stops, readers that leave."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = """func.func @"größe"(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.log %a : tensor<2xf32> loc("naïve.py":1:1)
  return %0 : tensor<2xf32>
}
"""
X = "dense<[-1.0, 2.0]> : tensor<2xf32>"
COUNTING = """func.func @main() -> tensor<i32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.while(%i = %c) : tensor<i32> cond {
    %n = stablehlo.constant dense<30000000> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %o = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %o : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  return %r : tensor<i32>
}
"""
HLOKIT = (sys.executable, "-c", "import sys; from hlokit.cli import hlokit; sys.exit(hlokit())")
OPT = (sys.executable, "-c", "import sys; from hlokit.cli.upstream.opt import main; sys.exit(main())")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.mlir").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "counting.mlir").write_text(COUNTING)
    return tmp_path


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"LANG": "xx_XX.UTF-8"},
        {"PYTHONIOENCODING": "ascii"},
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "command", [["run", "a.mlir", X], ["info", "a.mlir"], ["view", "a.mlir", "-o", "v.html"]]
)
@pytest.mark.sample("command0-*ascii*", "command1-*LC_ALL*", "command2-*xx_XX*")
def test_no_locale_is_an_error(locale: dict[str, str], command: list[str], folder: Path) -> None:
    runs = [
        subprocess.run(
            [*HLOKIT, *command],
            cwd=folder,
            capture_output=True,
            check=False,
            env=os.environ | extra,
            timeout=120,
        )
        for extra in ({}, locale)
    ]
    for run in runs:
        assert run.returncode == 0, run.stderr
        assert b"Traceback" not in run.stderr
    if "LANG" in locale:  # the other locales have ASCII, and get escapes
        assert runs[0].stdout == runs[1].stdout


@pytest.mark.deep
def test_two_commands_that_write_one_file_leave_one_whole_result(folder: Path) -> None:
    for _ in range(3):
        writers = [
            subprocess.Popen([*HLOKIT, "view", "a.mlir", "-o", "both"], cwd=folder),
            subprocess.Popen([*OPT, "a.mlir", "-o", "both"], cwd=folder),
        ]
        assert [writer.wait(120) for writer in writers] == [0, 0]
        text = (folder / "both").read_text(encoding="utf-8")
        is_page = text.startswith("<!doctype html>") and text.rstrip().endswith("</html>")
        is_module = text.startswith("module") and text.rstrip().endswith("}")
        assert is_page or is_module
    assert sorted(path.name for path in folder.iterdir()) == ["a.mlir", "both", "counting.mlir"]


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs POSIX signals")
def test_a_command_continues_after_a_stop(folder: Path) -> None:
    command = [*HLOKIT, "run", "counting.mlir"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        for _ in range(3):
            time.sleep(0.1)
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.1)
            process.send_signal(signal.SIGCONT)
        output, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert "30000000" in output


@pytest.mark.skipif(os.name != "posix", reason="needs pipes of POSIX")
def test_a_reader_that_leaves_is_no_error_of_the_program(folder: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        run = subprocess.run(
            [*HLOKIT, "info", "a.mlir"],
            cwd=folder,
            stdout=pipe,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
        )
    assert b"Traceback" not in run.stderr
    assert b"internal error" not in run.stderr


def test_no_limit_of_time_reads_a_clock_that_may_jump() -> None:
    package = Path(__file__).parents[3] / "python" / "hlokit"
    readers = [path for path in package.rglob("*.py") if "time.time()" in path.read_text(encoding="utf-8")]
    assert readers == []
