"""Commands with hostile input. `python -m tests.fuzz.hostile` runs many more."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.fuzz import hostile

COMMANDS = os.environ.get("HLOKIT_COMMANDS", "10")
ROOT = Path(__file__).parents[2]


def test_commands_end_with_a_result_or_a_message() -> None:
    """In a separate process, because a fork starts with the memory of its parent."""
    campaign = [sys.executable, "-m", "tests.fuzz.hostile", "--commands", COMMANDS]
    done = subprocess.run(campaign, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_outcomes_that_are_findings() -> None:
    idle = resource.struct_rusage((0,) * 16)
    assert hostile._judged(0, b"tensor", b"", idle) == "succeeds"
    assert hostile._judged(1, b"", b"error: no", idle) == "refuses"
    assert (
        hostile._judged(1, b"", b"error: the MLIR bindings died of SIGSEGV", idle)
        == "says that the bindings died"
    )
    assert hostile._judged(1, b"", b" ", idle) == "FINDING: fails without a message"
    assert hostile._judged(-9, b"", b"", idle) == "FINDING: ends with status -9"
    assert "internal error" in hostile._judged(1, b"", b"internal error of hlokit: x", idle)
    assert hostile._judged(0, b"\x1b[2J", b"", idle) == "FINDING: writes control characters"
    assert (
        hostile._judged(0, b"", b"", resource.struct_rusage((9.0, 2.0, *(0,) * 14))) == "FINDING: takes 11 s"
    )
    large = resource.struct_rusage((0, 0, 2 << 20, *(0,) * 13))
    assert hostile._judged(0, b"", b"", large) == "FINDING: takes 2048 MB"


def test_a_command_that_waits_for_ever_does_not_end() -> None:
    idle = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(10_000)"])
    assert hostile._end(idle.pid, patience=1) is None
    idle.returncode = 0  # the test has already waited for the process


@pytest.mark.skipif(sys.platform != "linux", reason="the test reads /proc")
def test_a_command_computes_while_its_children_do() -> None:
    program = "import os, time\nos.fork() and time.sleep(10_000)\nwhile True: pass"
    parent = subprocess.Popen([sys.executable, "-c", program], start_new_session=True)
    end = time.monotonic() + 60
    try:
        first = hostile._processor_time(parent.pid)
        while hostile._processor_time(parent.pid) < first + 50:
            assert time.monotonic() < end, "the command does not seem to compute"
            time.sleep(0.1)
    finally:
        os.killpg(parent.pid, signal.SIGKILL)
        parent.wait()
