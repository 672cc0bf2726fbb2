"""Commands end in time, and leave no processes behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hlokit.children.commands import Command, run_command

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="commands run alone where nothing can fork")
# Seconds within which commands that end at once have ended, on a busy machine.
SOON = 20.0


def shell(script: str) -> list[str]:
    return ["sh", "-c", script]


def is_running(process: int) -> bool:
    """Whether there is a process that is no zombie."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def end_of_all(processes: list[int]) -> bool:
    """Whether processes end within some seconds."""
    end = time.monotonic() + SOON
    while any(map(is_running, processes)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(is_running, processes))


@pytest.mark.parametrize(
    ("words", "status", "errors"),
    [
        (["true"], 0, ""),
        (shell("echo one >&2; echo two >&2; exit 3"), 3, "one\ntwo\n"),
        (shell("kill -6 $$"), -signal.SIGABRT, ""),
        (["/etc/passwd"], 127, "error: '/etc/passwd' cannot be started: permission denied"),
        (shell("test -t 0 || cat"), 0, ""),
        # A process in the background, a daemon, and an orphan keep the standard error open.
        (shell("sleep 600 & setsid sleep 600 & (setsid sh -c 'setsid sleep 600' &); exit 5"), 5, ""),
    ],
)
def test_the_end_of_a_command(words: list[str], status: int, errors: str) -> None:
    start = time.monotonic()
    end = run_command(words, 300)
    assert time.monotonic() - start < SOON
    assert (end.status, end.errors) == (status, errors)


def test_endless_output_to_the_standard_error_takes_no_memory() -> None:
    end = run_command(shell("yes words >&2 & sleep 0.3; exit 2"), 300)
    assert end.status == 2
    assert 0 < len(end.errors) <= 4000


FAMILY = """
import os, subprocess, sys, time
children = [subprocess.Popen(["sleep", "600"], start_new_session=daemon) for daemon in (False, True)]
with open(sys.argv[1] + ".new", "w") as file:
    file.write(" ".join(map(str, [os.getpid(), *[child.pid for child in children]])))
os.rename(sys.argv[1] + ".new", sys.argv[1])
"""


def family(tmp_path: Path, after: str) -> tuple[list[str], Path]:
    """A command that starts two processes, one of them a daemon, and then goes on; the file with their numbers."""
    script = tmp_path / "family.py"
    script.write_text(FAMILY + after)
    return [sys.executable, str(script), str(tmp_path / "processes")], tmp_path / "processes"


def numbers(written: Path) -> list[int]:
    end = time.monotonic() + SOON
    while not written.exists():
        assert time.monotonic() < end
        time.sleep(0.02)
    return [int(word) for word in written.read_text().split()]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere daemons may stay")
@pytest.mark.parametrize("after", ["", "time.sleep(600)"], ids=["ended", "too slow"])
def test_nothing_is_left_of_a_command(tmp_path: Path, after: str) -> None:
    words, written = family(tmp_path, after)
    command = Command(words)
    processes = numbers(written)
    if after:
        with pytest.raises(TimeoutError):
            command.wait(0.01)
    else:
        assert command.wait(300).status == 0
    command.close()
    assert end_of_all(processes)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere daemons may stay")
def test_commands_end_with_a_process_that_is_killed(tmp_path: Path) -> None:
    words, written = family(tmp_path, "time.sleep(600)")
    program = f"from hlokit.children.commands import run_command; run_command({words!r}, None)"
    process = subprocess.Popen([sys.executable, "-c", program])
    processes = numbers(written)
    process.kill()
    process.wait()
    assert end_of_all(processes)


def test_a_piped_command_reads_and_writes() -> None:
    command = Command(["cat"], is_piped=True)
    assert command.input is not None
    assert command.output is not None
    command.input.write(b"words\n")
    command.input.flush()
    assert command.output.readline() == b"words\n"
    command.input.close()
    assert command.wait(300).status == 0
    command.close()


def test_signals_have_their_default_meaning() -> None:
    """Python ignores the signal of a broken pipe, which programs of a shell expect."""
    assert run_command(shell("(yes; echo $? >&2) | head -1"), 300).errors == f"{128 + signal.SIGPIPE}\n"
