"""Errors that end a script: the message and the caller's lines, no frames of hlokit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hlokit
from hlokit.display.tracebacks import without_own_frames

SCRIPT = """import sys
import hlokit

TEXT = "func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> { %0 = stablehlo.divide %x, %x : tensor<2xi32> return %0 : tensor<2xi32> }"

def use(program):
    return program(*ARGUMENTS)

HOOK
use(hlokit.load(TEXT))
"""


def _error(tmp_path: Path, arguments: str, hook: str = "", before: str = "", **environment: str) -> str:
    path = tmp_path / "script.py"
    path.write_text(f"{before}\n" + SCRIPT.replace("ARGUMENTS", arguments).replace("HOOK", hook))
    names = {name: value for name, value in os.environ.items() if name != "HLOKIT_TRACEBACK"}
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, env={**names, **environment}, check=False
    )
    assert done.returncode == 1
    return done.stderr


def _files(error: str) -> list[str]:
    return [Path(line.split('"')[1]).name for line in error.splitlines() if line.startswith("  File ")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [("()", "must be called with 1 arguments, got 0"), ("([1.5, 2],)", "ArgumentError")],
)
def test_only_the_callers_lines(arguments: str, message: str, tmp_path: Path) -> None:
    error = _error(tmp_path, arguments)
    assert _files(error) == ["script.py", "script.py"]
    assert "return program(" in error and message in error.splitlines()[-1]


def test_all_frames_on_demand(tmp_path: Path) -> None:
    assert "program.py" in _files(_error(tmp_path, "()", HLOKIT_TRACEBACK="1"))


def test_hooks_of_programs_stay(tmp_path: Path) -> None:
    """A hook of the program is called with the whole traceback, whenever it was set."""
    hook = "sys.excepthook = lambda kind, error, trace: (print('mine', kind.__name__, file=sys.stderr), sys.__excepthook__(kind, error, trace))"
    after = _error(tmp_path, "()", hook)
    assert after.startswith("mine ArgumentError") and "program.py" in _files(after)
    before = _error(
        tmp_path, "()", "assert sys.excepthook is mine", before=f"import sys; {hook}; mine = sys.excepthook"
    )
    assert before.startswith("mine ArgumentError") and "program.py" in _files(before)


@pytest.mark.parametrize("way", ["module", "command", "input", "thread", "pytest"])
def test_every_way_to_run_python(way: str, tmp_path: Path) -> None:
    """`python -m`, `python -c`, a program from the standard input, a thread, a test."""
    load = 'hlokit.load("func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> { return %x : tensor<2xi32> }")'
    (tmp_path / "mine.py").write_text(f"import hlokit\n\ndef use():\n    {load}()\n")
    (tmp_path / "runs.py").write_text("import mine\nmine.use()\n")
    (tmp_path / "test_mine.py").write_text("import mine\n\ndef test_use():\n    mine.use()\n")
    words, given = {
        "module": (["-m", "runs"], ""),
        "command": (["-c", "import mine\nmine.use()"], ""),
        "input": (["-"], "import mine\nmine.use()\n"),
        "thread": (["-c", "import mine, threading; threading.Thread(target=mine.use).start()"], ""),
        "pytest": (["-m", "pytest", "-q", "--rootdir=.", "test_mine.py"], ""),
    }[way]
    names = {name: value for name, value in os.environ.items() if name != "HLOKIT_TRACEBACK"}
    done = subprocess.run(
        [sys.executable, *words],
        input=given,
        capture_output=True,
        text=True,
        env={**names, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        check=False,
    )
    shown = done.stdout + done.stderr
    assert "ArgumentError: @main must be called with 1 arguments, got 0" in shown
    assert "mine.py" in shown
    assert "evaluate" not in shown and f"hlokit{os.sep}program.py" not in shown


def test_errors_change_no_hook() -> None:
    before = sys.excepthook
    hlokit.EvaluationError("a trap")
    assert sys.excepthook is before


def test_other_errors_are_printed_unchanged(tmp_path: Path) -> None:
    plain = _error(tmp_path, "(len(5),)")
    assert plain.startswith("Traceback") and _files(plain) == ["script.py", "script.py"]


def test_defects_of_hlokit_show_where_they_are() -> None:
    """Frames are left out of a copy of the traceback; those of defects, and tracebacks of nothing else, stay."""
    try:
        Path("/no/such/file").read_text()
    except OSError as error:
        trace = error.__traceback__
    assert trace is not None
    assert without_own_frames(None) is None
    kept = without_own_frames(trace)
    assert kept is not None and kept.tb_frame is trace.tb_frame and kept.tb_next is not None
    try:
        hlokit.load("not MLIR")
    except hlokit.ParseError as error:
        whole = error.__traceback__
    assert whole is not None and whole.tb_next is not None
    assert without_own_frames(whole.tb_next) is whole.tb_next  # hlokit's frames only
    shown = without_own_frames(whole)
    assert shown is not None and shown.tb_next is None
