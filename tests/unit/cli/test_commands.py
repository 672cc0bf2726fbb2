"""The commands, called in this process: exit status, streams, unexpected exceptions."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hlokit.children.stacks import LEVELS_PER_STACK
from hlokit.cli import main
from hlokit.cli.evaluating import evaluation
from hlokit.cli.frame.command import TRACEBACK_VARIABLE
from hlokit.cli.frame.flags import Flag
from hlokit.cli.upstream import opt, translate

ROOT = Path(__file__).parents[3]
IDENTITY = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  return %a : tensor<2xf32>\n}\n"


@pytest.fixture
def identity(tmp_path: Path) -> str:
    path = tmp_path / "identity.mlir"
    path.write_text(IDENTITY)
    return str(path)


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = "func.func @main() -> tensor<i8> {\n  %0 = stablehlo.constant dense<3> : tensor<i8>\n  return %0 : tensor<i8>\n}"
    for arguments in (["--interpret"], ["-", "-interpret"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert translate.main(arguments) == 0
        assert capsys.readouterr().out == "tensor<i8> {3}\n"


def test_the_package_is_the_command(identity: str) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "hlokit", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    done = run("run", identity, "dense<[1.0, 2.0]> : tensor<2xf32>")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2.0" in done.stdout
    assert run("unknown").returncode == 2


@pytest.mark.parametrize("flags", [[], ["--reference"]])
def test_a_thread_that_the_machine_refuses(
    flags: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Deep calls continue on the stack of another thread."""

    def start(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    signature = "(%x: tensor<2xf32>) -> tensor<2xf32>"
    calls = [
        f"func.func private @f{n}{signature} {{\n"
        f"  %0 = func.call @f{n + 1}(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n}\n"
        for n in range(LEVELS_PER_STACK)
    ]
    last = f"func.func private @f{LEVELS_PER_STACK}{signature} {{ return %x : tensor<2xf32> }}\n"
    path = tmp_path / "x.mlir"
    path.write_text("".join(calls).replace("private @f0(", "@main(") + last)
    monkeypatch.setattr(threading.Thread, "start", start)
    assert main.main(["run", *flags, str(path), "dense<1.0> : tensor<2xf32>"]) == 1
    error = capsys.readouterr().err
    assert "error: no thread can be started for a deeper call: can't start new thread" in error
    assert "internal error" not in error


def test_text_that_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.mlir"
    path.write_bytes(b"\xfe func")
    assert translate.main(["--interpret", str(path)]) == 1
    assert "error: input must be MLIR text" in capsys.readouterr().err


def test_unexpected_exception_is_one_line(
    identity: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("first\nsecond")

    monkeypatch.setattr(evaluation, "as_arguments", fail)
    assert translate.main(["--interpret", identity]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"{identity}: error: internal error of hlokit: KeyError: ")
    assert error.count("\n") == 1
    monkeypatch.setenv(TRACEBACK_VARIABLE, "1")
    assert translate.main(["--interpret", identity]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_out_of_memory(
    identity: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(evaluation, "as_arguments", fail)
    assert translate.main(["--interpret", identity]) == 1
    assert capsys.readouterr().err == f"{identity}: error: out of memory\n"


def test_interrupt(identity: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(evaluation, "as_arguments", interrupt)
    assert translate.main(["--interpret", identity]) == 130


def test_closed_pipe_is_quiet(tmp_path: Path) -> None:
    size, count = 200_000, 20  # more text than a pipe holds
    path = tmp_path / "large.mlir"
    types = ", ".join([f"tensor<{size}xi8>"] * count)
    path.write_text(
        f"func.func @main() -> ({types}) {{\n  %0 = stablehlo.constant dense<1> : tensor<{size}xi8>\n"
        f"  return {', '.join(['%0'] * count)} : {types}\n}}\n"
    )
    code = "import sys; from hlokit.cli.upstream.translate import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "--interpret", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 1


# Children that answer their parents through these streams.
CHILDREN = {
    "clients/mcp/explanation.py",
    "mlir/sandbox/server.py",
    "tools/shard/partitioners/worker.py",
}


def _prints(path: Path) -> bool:
    text = path.read_text()
    if "print(" not in text and ".write(" not in text:  # to parse all modules takes seconds
        return False
    calls = [node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    names = {ast.unparse(function) for function in calls}
    return not names.isdisjoint({"print", "sys.stdout.write", "sys.stderr.write"})


def test_only_commands_print() -> None:
    package = ROOT / "python" / "hlokit"
    printing = {path.relative_to(package).as_posix() for path in package.rglob("*.py") if _prints(path)}
    others = {path for path in printing if not path.startswith(("cli/", "tools/conformance/"))}
    assert others == CHILDREN
    assert "cli/commands/run.py" not in printing and "cli/commands/verify.py" in printing


def test_progress(identity: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "a.npy", np.zeros(2, np.float32))
    assert translate.main(["--interpret", identity, "--progress", f"--args={tmp_path / 'a.npy'}"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("tensor<2xf32>")
    assert re.fullmatch(r"0 operations in \d+\.\d s\n", captured.err)


def test_run_abridges_large_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "large.mlir"
    path.write_text(IDENTITY.replace("2xf32", "2000xf32"))
    np.save(tmp_path / "a.npy", np.zeros(2000, np.float32))
    for arguments, is_long in ((["--full"], True), ([], False)):
        assert main.main(["run", str(path), str(tmp_path / "a.npy"), *arguments]) == 0
        text = capsys.readouterr().out
        assert text.startswith("tensor<2000xf32> {")
        assert (len(text) > 10_000) == is_long


def test_ops_of_a_program_that_can_be_evaluated(identity: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["ops", identity]) == 0
    assert capsys.readouterr().out == "every operation can be evaluated\n"


@pytest.mark.parametrize(
    ("heading", "flags"),
    [
        ("stablehlo-translate", translate.FLAGS),
        ("stablehlo-opt", opt.FLAGS),
        ("hlokit", [flag for parser in main.parsers().values() for flag in parser.flags.values()]),
    ],
)
def test_the_page_of_commands_names_flags_of_the_command(heading: str, flags: Sequence[Flag]) -> None:
    page = (ROOT / "docs" / "cli.md").read_text()
    section = page.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    named = set(re.findall(r"`(--[\w-]+)", section))
    assert named
    assert named <= {flag.spelling for flag in flags}


@pytest.mark.parametrize(
    "words",
    [
        ("run",),
        ("diff", "--against={path}"),
        ("record", "-o", "{folder}/run"),
        ("make-test",),
        ("view", "--format=dot"),
        ("ops",),
        ("verify",),
        ("lint-spmd",),
    ],
)
def test_names_of_files_that_look_like_text(tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "a{1}\nb.mlir"
    path.write_text(
        "func.func @main() -> tensor<i8> {\n  %0 = stablehlo.constant dense<3> : tensor<i8>\n  return %0 : tensor<i8>\n}"
    )
    given = [word.replace("{path}", str(path)).replace("{folder}", str(tmp_path)) for word in words]
    assert main.main([given[0], str(path), *given[1:]]) == 0
