"""Predicates that are commands: their processes and files end with the search."""

from __future__ import annotations

import os
import shlex
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
    except FileNotFoundError:
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
