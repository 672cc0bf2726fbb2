"""Runs commands that may do anything: they end in time, and leave no processes behind.

Each command runs under a guardian (`guardian.py`), a small process that ends it, and all that it has started,
when the command ends, when nobody waits for it any longer, and when the process that wants it is killed.
Where the system has no process groups, the command runs alone.
"""

from __future__ import annotations

import math
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

from hlokit.children import guardian
from hlokit.children.lifetimes import is_readable

_HAS_GUARDIANS = hasattr(os, "fork")
_LONGEST = guardian.TAIL + 32


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a command.

    Attributes:
      status: the exit status, or the negative number of the signal that killed the command.
      errors: the end of the standard error.
    """

    status: int
    errors: str


class Command:
    """A command that has been started.

    Args:
      words: the command line, which no shell reads.
      is_piped: whether the standard input and output are pipes; otherwise there is neither input nor output.
      environment: variables that the command gets besides those of this process.

    Attributes:
      input, output: the pipes.

    Raises:
      OSError: no process can be started.
    """

    def __init__(
        self, words: Sequence[str], *, is_piped: bool = False, environment: Mapping[str, str] | None = None
    ) -> None:
        stream = subprocess.PIPE if is_piped else subprocess.DEVNULL
        variables = {**os.environ, **(environment or {})}
        if not _HAS_GUARDIANS:
            self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 # closed by close
            self._process = subprocess.Popen(
                words, stdin=stream, stdout=stream, stderr=self._errors, env=variables
            )
        else:
            self._control, other = socket.socketpair()
            script = [sys.executable, "-I", "-S", guardian.__file__, str(other.fileno())]
            try:
                self._process = subprocess.Popen(
                    [*script, *words],
                    stdin=stream,
                    stdout=stream,
                    stderr=subprocess.DEVNULL,
                    env=variables,
                    pass_fds=[other.fileno()],
                    start_new_session=True,  # an interrupt from the keyboard reaches only this process
                )
            except BaseException:
                self._control.close()
                raise
            finally:
                other.close()
        self.input, self.output = self._process.stdin, self._process.stdout

    def wait(self, seconds: float | None) -> Ended:
        """Wait for the end of the command.

        Raises:
          TimeoutError: the command takes longer. It still runs, until `close`.
        """
        if not _HAS_GUARDIANS:
            return self._ended_alone(seconds)
        end = time.monotonic() + (math.inf if seconds is None else seconds)
        report = b""
        while len(report) < _LONGEST:
            if not is_readable(self._control, end - time.monotonic()):
                raise TimeoutError
            piece = self._control.recv(_LONGEST)
            if not piece:
                break
            report += piece
        status, _, errors = report.partition(b" ")
        # A guardian that is killed reports nothing, and its command dies of the same signal.
        return Ended(int(status or -signal.SIGKILL), errors.decode(errors="replace"))

    def _ended_alone(self, seconds: float | None) -> Ended:
        try:
            status = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise TimeoutError from None
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - guardian.TAIL))
        return Ended(status, self._errors.read().decode(errors="replace"))

    def close(self) -> None:
        """End the command, and all that it has started. Other threads that wait for the command go on."""
        if not _HAS_GUARDIANS:
            self._process.kill()
        else:
            with suppress(OSError):  # the guardian has ended
                self._control.shutdown(socket.SHUT_RDWR)
        self._process.wait()
        for stream in (self.input, self.output):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        (self._control if _HAS_GUARDIANS else self._errors).close()


def run_command(words: Sequence[str], time_limit: float | None) -> Ended:
    """Run a command without input and output.

    Raises:
      TimeoutError: the command took longer than `time_limit` seconds.
      OSError: no process can be started.
    """
    command = Command(words)
    try:
        return command.wait(time_limit)
    finally:
        command.close()
