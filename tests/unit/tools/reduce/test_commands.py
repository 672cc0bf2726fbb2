"""Predicates that are commands: their processes and files end with the search."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import hlokit
from hlokit.tools.excerpts.build import Excerpt
from hlokit.tools.reduce.predicates import Spec
from hlokit.tools.reduce.search import Workers

# Starts a program that sleeps, writes the numbers of both processes, and sleeps itself.
SLEEPER = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open(sys.argv[1] + ".new", "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
os.rename(sys.argv[1] + ".new", sys.argv[1])
time.sleep(600)
"""
PROGRAM = "func.func @main() -> tensor<f32> { %0 = stablehlo.constant dense<1.0> : tensor<f32> return %0 : tensor<f32> }"


def is_running(process: int) -> bool:
    """Whether there is a process that is no zombie."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):  # it may end during the read
        return False
    return state != "Z"


def wait_until(holds: object, seconds: float = 60) -> bool:
    assert callable(holds)
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(holds())


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="reads the states of processes from /proc")
def test_a_search_that_ends_leaves_neither_processes_nor_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (temporary := tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    written = tmp_path / "processes"
    script = tmp_path / "sleeper.py"
    script.write_text(SLEEPER)
    command = f"{sys.executable} {shlex.quote(str(script))} {shlex.quote(str(written))} {{module}}"
    workers = Workers(Spec("command", pattern=command, time_limit=300), jobs=1)
    excerpt = Excerpt(hlokit.load(PROGRAM).serialize(), ())
    thread = threading.Thread(target=workers.test, args=(excerpt,), daemon=True)
    thread.start()
    assert wait_until(written.exists)
    processes = [int(word) for word in written.read_text().split()]
    assert all(map(is_running, processes))

    workers.close()
    assert wait_until(lambda: not any(map(is_running, processes)))
    assert wait_until(lambda: not list(temporary.iterdir()))


ENDLESS = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.while(%a = %x) : tensor<f32> cond {
    %1 = stablehlo.compare EQ, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    stablehlo.return %a : tensor<f32>
  }
  return %0 : tensor<f32>
}"""


def reduction(tmp_path: Path, *flags: str) -> tuple[subprocess.Popen[bytes], Path, Path]:
    """`hlokit reduce` with the sleeper as its command, the file with the processes, and the folder for temporary
    files."""
    (temporary := tmp_path / "temporary").mkdir(exist_ok=True)
    program, script, written = (tmp_path / name for name in ("program.mlir", "sleeper.py", "processes"))
    program.write_text(PROGRAM)
    script.write_text(SLEEPER)
    written.unlink(missing_ok=True)
    keep = f"{sys.executable} {shlex.quote(str(script))} {shlex.quote(str(written))} {{module}}"
    # Processes in the background of some shells ignore the signal.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", f"{heed}; from hlokit.cli import hlokit; hlokit()"),
            *("reduce", str(program), f"--keep={keep}", *flags),
        ],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    return process, written, temporary


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="reads the states of processes from /proc")
@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)],
    ids=["SIGINT", "SIGTERM", "SIGKILL"],
)
@pytest.mark.sample("SIGKILL")
def test_a_signal_to_the_process_itself_leaves_neither_processes_nor_files(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    process, written, temporary = reduction(tmp_path)
    assert wait_until(written.exists)
    processes = [int(word) for word in written.read_text().split()]
    os.kill(process.pid, number)
    process.communicate(timeout=60)
    assert process.returncode == status
    assert wait_until(lambda: not any(map(is_running, processes)))
    if number == signal.SIGKILL:  # the next command removes the files
        process, _, _ = reduction(tmp_path, "--time-limit=1")
        process.communicate(timeout=60)
    assert not list(temporary.iterdir())


@pytest.mark.parametrize("keep", ["command", "error:unlikely", "nan"])
@pytest.mark.sample("command")
def test_the_time_limit_holds_within_the_first_try(tmp_path: Path, keep: str) -> None:
    start = time.monotonic()
    if keep == "command":
        process, _, _ = reduction(tmp_path, "--time-limit=2")
        _, said = process.communicate(timeout=120)
        assert process.returncode == 1
        assert b"time-out: gave no answer within" in said
    else:
        with pytest.raises(hlokit.ArgumentError, match="time-out: gave no answer within"):
            hlokit.reduce(hlokit.load(ENDLESS), 1.0, keep=keep, time_limit=2)
    assert time.monotonic() - start < 60
