"""Errors that end a script: the message and the caller's lines, no frames of hlokit."""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

import hlokit

TEXT = "func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> { %0 = stablehlo.divide %x, %x : tensor<2xi32> return %0 : tensor<2xi32> }"
SCRIPT = f"""import sys
import hlokit

TEXT = {TEXT!r}

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
    [("()", "must be called with 1 argument, got 0"), ("([1.5, 2],)", "ArgumentError")],
)
def test_only_the_callers_lines(arguments: str, message: str, tmp_path: Path) -> None:
    error = _error(tmp_path, arguments)
    assert _files(error) == ["script.py", "script.py"]
    assert "return program(" in error and message in error.splitlines()[-1]


def test_all_frames_on_demand(tmp_path: Path) -> None:
    assert "program.py" in _files(_error(tmp_path, "()", HLOKIT_TRACEBACK="1"))


def test_hooks_of_programs_are_called(tmp_path: Path) -> None:
    """A hook of the program is called, with the caller's frames."""
    hook = "sys.excepthook = lambda kind, error, trace: (print('mine', kind.__name__, file=sys.stderr), sys.__excepthook__(kind, error, trace))"
    error = _error(tmp_path, "()", hook)
    assert error.startswith("mine ArgumentError") and _files(error) == ["script.py", "script.py"]


@pytest.mark.parametrize("way", ["module", "command", "input", "thread", "pytest"])
@pytest.mark.sample("[cmit]*")
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
    assert "ArgumentError: @main must be called with 1 argument, got 0" in shown
    assert "mine.py" in shown
    assert "evaluate" not in shown and f"hlokit{os.sep}program.py" not in shown


def test_other_errors_are_printed_unchanged(tmp_path: Path) -> None:
    plain = _error(tmp_path, "(len(5),)")
    assert plain.startswith("Traceback") and _files(plain) == ["script.py", "script.py"]


def test_defects_of_hlokit_show_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    program = hlokit.load(TEXT)

    def fail(*_: object, **__: object) -> None:
        raise hlokit.InternalError("a defect")

    monkeypatch.setattr(program.runs, "evaluate", fail)
    with pytest.raises(hlokit.InternalError) as caught:
        program([1, 2])
    assert "program.py" in {entry.path.name for entry in caught.traceback if isinstance(entry.path, Path)}


def test_causes_are_shortened_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames of hlokit are left out of the whole chain of errors; frames of a callback stay."""
    program = hlokit.load(TEXT)

    def callback() -> None:
        raise hlokit.ArgumentError("the cause")

    def fail(*_: object, **__: object) -> None:
        try:
            callback()
        except hlokit.ArgumentError as error:
            raise hlokit.EvaluationError("the error") from error

    monkeypatch.setattr(program.runs, "evaluate", fail)
    monkeypatch.delenv("HLOKIT_TRACEBACK", raising=False)
    with pytest.raises(hlokit.EvaluationError) as caught:
        program([1, 2])
    assert {Path(entry.path).name for entry in caught.traceback} == {Path(__file__).name}
    assert caught.value.__cause__ is not None
    frames = traceback.extract_tb(caught.value.__cause__.__traceback__)
    assert [frame.name for frame in frames] == ["fail", "callback"]


PUBLIC_CALLS: dict[str, Callable[[hlokit.Program], object]] = {
    "load": lambda _: hlokit.load("not MLIR"),
    "diff": lambda program: hlokit.diff(program, [1], against="nothing"),
    "infer": lambda _: hlokit.infer("stablehlo.nothing", []),
    "Recording": lambda _: hlokit.Recording("no/such/directory"),
    "shard": lambda program: hlokit.shard(program, "nothing"),
    "call": lambda program: program(),
    "trace": lambda program: program.trace(),
    "view": lambda program: program.view(1),
    "signature": lambda program: program.signature("nothing"),
    "run_parallel": lambda program: program.run_parallel([(1,)]),
    "serialize": lambda program: program.serialize("nothing"),
    "parameter_names": lambda program: program.parameter_names("nothing"),
}


@pytest.mark.parametrize("name", PUBLIC_CALLS)
def test_errors_leave_the_interface_without_own_frames(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HLOKIT_TRACEBACK", raising=False)
    program = hlokit.load(TEXT)
    with pytest.raises(hlokit.HlokitError) as caught:
        PUBLIC_CALLS[name](program)
    assert {Path(entry.path).name for entry in caught.traceback} == {Path(__file__).name}
