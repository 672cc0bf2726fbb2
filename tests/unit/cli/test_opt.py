"""The command stablehlo-opt."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hlokit.cli.upstream import opt
from hlokit.mlir.provider.bindings import passmanager

IDENTITY = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  return %a : tensor<2xf32>\n}\n"
WRONG = "func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> {\n  return %a : tensor<2xf32>\n}\n"


@pytest.fixture
def identity(tmp_path: Path) -> str:
    return written(tmp_path, IDENTITY)


def written(folder: Path, text: str) -> str:
    path = folder / "input.mlir"
    path.write_text(text)
    return str(path)


def test_passes_run_in_the_order_of_the_command_line(
    identity: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert opt.main([identity, "--mlir-print-ir-before-all", "--cse", "--inline", "--symbol-dce"]) == 0
    dumps = [line for line in capsys.readouterr().err.splitlines() if "IR Dump" in line]
    assert [name for line in dumps for name in ("cse", "inline", "symbol-dce") if name in line] == [
        "cse",
        "inline",
        "symbol-dce",
    ]


@pytest.mark.parametrize(
    ("flags", "dumps"),
    [
        (["--mlir-print-ir-after=cse"], ["After builtin.module(cse)"]),
        (
            ["--mlir-print-ir-before=cse,symbol-dce"],
            ["Before builtin.module(cse)", "Before builtin.module(symbol-dce)"],
        ),
        (["-mlir-print-ir-after", "dce"], []),
        (["--mlir-print-ir-after-all", "--mlir-print-ir-after-change"], ["After builtin.module(symbol-dce)"]),
        (["--mlir-print-ir-after-change"], []),
        (["--mlir-print-ir-after-failure"], []),
        (
            ["--mlir-print-ir-module-scope", "--mlir-print-ir-after=symbol-dce"],
            ["After builtin.module(symbol-dce)"],
        ),
    ],
)
def test_dumps_of_some_passes(
    tmp_path: Path, flags: list[str], dumps: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, IDENTITY + "func.func private @unused() {\n  return\n}\n")
    assert opt.main([path, "--cse", "--symbol-dce", *flags]) == 0
    error = capsys.readouterr().err
    assert re.findall(r"IR Dump (.*) //----- //", error) == dumps


def test_a_dump_of_the_program_after_a_failed_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, IDENTITY)
    flags = [
        "--cse",
        "--stablehlo-refine-arguments=types=tensor<3xf32>,tensor<f32>",
        "--mlir-print-ir-after-failure",
    ]
    assert opt.main([path, *flags]) == 1
    (dump,) = re.findall(r"IR Dump (.*) //----- //", capsys.readouterr().err)
    assert "refine-arguments" in dump
    assert dump.endswith(" Failed")


def test_the_pipeline_is_shown(identity: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert opt.main([identity, "--cse", "--inline", "--dump-pass-pipeline"]) == 0
    shown = capsys.readouterr().err.strip()
    assert opt.main([identity, f"--pass-pipeline={shown}"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--no-such-pass"], "unknown command line argument '--no-such-pass'"),
        (["--canonicalise"], "did you mean '--canonicalize'?"),
        (["--canonicalize=x=1"], "pass canonicalize: no such option x"),
        (["--stablehlo-aggressive-folder=x=1"], "no such option x"),
        (["--pass-pipeline=builtin.module(nothing)"], "'nothing' does not refer to a registered pass"),
        (["--pass-pipeline=func.func(cse)"], "must be builtin.module(...)"),
        (["--pass-pipeline=builtin.module(cse"], "must end where its first bracket closes"),
        (["--pass-pipeline=builtin.module(cse)", "--cse"], "must not be given together"),
        (["--verify-diagnostics=most"], "--verify-diagnostics must be all or only-expected, got 'most'"),
        (["--emit-bytecode-version=99"], "unsupported version requested 99"),
        (["--emit-bytecode-version=x"], "--emit-bytecode-version must be a number, got 'x'"),
        (["--verify-each=often"], "--verify-each must be true or false, got 'often'"),
        (["other.mlir"], "one input must be given at most"),
    ],
)
def test_wrong_command_lines(
    identity: str, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert opt.main([identity, *arguments]) == 1
    output, error = capsys.readouterr()
    assert output == ""
    assert message in error
    assert error.count("\n") == 1


def test_an_error_has_position_and_caret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, WRONG)
    assert opt.main([path]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"{path}:2:3: error: type of return operand 0")
    assert "\n  return %a : tensor<2xf32>\n  ^\n" in error


@pytest.mark.parametrize("programs", [(WRONG, IDENTITY), (IDENTITY, WRONG)])
def test_one_program_that_fails_is_enough(tmp_path: Path, programs: tuple[str, str]) -> None:
    assert opt.main([written(tmp_path, "// -----\n".join(programs)), "--split-input-file"]) == 1


def test_nothing_is_written_if_it_fails(tmp_path: Path) -> None:
    output = tmp_path / "out.mlir"
    output.write_text("before")
    assert opt.main([written(tmp_path, WRONG), "-o", str(output)]) == 1
    assert opt.main([written(tmp_path, IDENTITY), "--emit-bytecode-version=99", "-o", str(output)]) == 1
    assert output.read_text() == "before"
    assert opt.main([written(tmp_path, IDENTITY), "-o", str(output)]) == 0
    assert "func.func @main" in output.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["input.mlir", "out.mlir"]


@pytest.mark.parametrize("version", [None, 1, 6])
def test_bytecode_in_and_out(tmp_path: Path, version: int | None, capsys: pytest.CaptureFixture[str]) -> None:
    output = str(tmp_path / "out.bc")
    flag = "--emit-bytecode" if version is None else f"--emit-bytecode-version={version}"
    assert opt.main([written(tmp_path, IDENTITY), flag, "-o", output]) == 0
    data = Path(output).read_bytes()
    assert data[:4] == b"ML\xefR"
    assert version is None or data[4] >> 1 == version
    assert opt.main([output]) == 0
    assert "func.func @main(%arg0: tensor<2xf32>)" in capsys.readouterr().out


def test_locations_name_the_file(identity: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert opt.main([identity, "--mlir-print-debuginfo"]) == 0
    output = capsys.readouterr().out
    assert f'loc("{identity}":2:3)' in output
    assert '"-"' not in output


def test_lists(capsys: pytest.CaptureFixture[str]) -> None:
    for flag, expected in (
        ("--show-dialects", ("stablehlo", "chlo", "vhlo", "quant")),
        ("--list-passes", ("--stablehlo-aggressive-folder", "--stablehlo-refine-shapes", "--cse")),
        ("--help", ("--pass-pipeline=TEXT", "--verify-diagnostics[=MODE]")),
        ("--version", ("stablehlo-opt (hlokit",)),
    ):
        assert opt.main([flag]) == 0
        output = capsys.readouterr().out
        assert all(word in output for word in expected), output


def command(*arguments: str, **options: object) -> subprocess.Popen[bytes]:
    program = "import sys; sys.argv[0] = 'stablehlo-opt'; from hlokit.cli.upstream.opt import main; main()"
    return subprocess.Popen([sys.executable, "-c", program, *arguments], **options)  # type: ignore[call-overload] # any options


def test_messages_are_coloured_on_a_terminal(tmp_path: Path) -> None:
    path = written(tmp_path, WRONG)
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    process = command(path, stdout=subprocess.DEVNULL, stderr=theirs, env=environment)
    assert process.wait() == 1
    os.close(theirs)
    said = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "\x1b[1;31merror: \x1b[0m" in said
    assert "\x1b[1;32m  ^\x1b[0m" in said


def test_a_dead_process_is_an_error(
    identity: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulates an abort of the bindings in a pass."""
    assert hasattr(passmanager.PassManager, "run")
    program = (
        "import os, signal\nfrom hlokit.passes import pipeline\n"
        "pipeline.run_pipeline = lambda *_, **__: os.kill(os.getpid(), signal.SIGSEGV)\n"
        f"from hlokit.cli.upstream.opt import main\nimport sys\nsys.argv = ['stablehlo-opt', {identity!r}, '--cse']\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"{identity}:1: builtin.module(cse): error: the MLIR bindings died of SIGSEGV\n"
    assert done.stdout == ""


def test_a_dead_interpreter_is_an_error(tmp_path: Path) -> None:
    """For any input name: `compiled` contains the letters mpi."""
    path = tmp_path / "compiled.mlir"
    path.write_text(IDENTITY)
    identity = str(path)
    program = (
        "import os, signal, sys\nfrom hlokit.cli.upstream import translate\n"
        "translate.evaluate_chunk = lambda *_: os.kill(os.getpid(), signal.SIGABRT)\n"
        f"sys.argv = ['stablehlo-translate', '--interpret', {identity!r}]\ntranslate.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "stablehlo-translate: error: the MLIR bindings died of SIGABRT\n"


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="asks /proc for the command's process")
def test_a_signal_reaches_the_command() -> None:
    """The command waits for its input, and ends on the signal."""
    process = command("-", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    deadline = time.monotonic() + 60
    while not children.read_text().strip() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    assert process.wait(120) == 128 + signal.SIGTERM
    process.communicate()


def test_a_signal_that_comes_right_after_the_fork_reaches_the_command() -> None:
    program = (
        "import os, signal, sys, time\nfrom hlokit.cli.frame.supervision import supervised\n"
        "fork = os.fork\n"
        "def fork_and_end():\n"
        "    child = fork()\n"
        "    if child:\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "    return child\n"
        "os.fork = fork_and_end\n"
        "sys.exit(supervised('command', lambda: time.sleep(60)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], timeout=300, check=False)
    assert done.returncode == 128 + signal.SIGTERM
