"""Sandboxed parse: work on untrusted input in a child process.

The bindings' bytecode reader trusts its input. A malformed artifact can kill the process, depending on the
rest of its memory. So a child process does such work and answers with bytes. The child is a fork of this
process where forking is safe, and otherwise a fork of a server process (`server`).
"""

from __future__ import annotations

import signal
import sys
import tempfile
import threading
from typing import BinaryIO

from hlokit.mlir.sandbox.child import SECONDS_PER_BYTE, Work, forked
from hlokit.mlir.sandbox.server import server

_SECONDS = 60.0


class ChildDied(Exception):
    """The child did not answer; the message says why."""


def answer(data: bytes, work: Work, here: Work | None = None) -> bytes:
    """The bytes that `work(data, file)` writes to the file in a child process.

    Args:
      work: a module-level function, so that a new process can find it.
      here: does the same in a fork, with objects of this process.

    Raises:
      ChildDied: the child crashed, did not end, or raised an exception.
    """
    seconds = _SECONDS + len(data) * SECONDS_PER_BYTE
    with tempfile.TemporaryFile(prefix="hlokit-") as output:
        if _can_fork():
            status = forked(data, here or work, output, seconds)
        else:
            status = _served(data, work, output, seconds)
        if status is None or status == -getattr(signal, "SIGXCPU", 0):
            raise ChildDied("reading it does not end")
        if status < 0:
            raise ChildDied(f"it kills its reader ({signal.Signals(-status).name})")
        if status != 0:
            raise ChildDied("its reader fails")
        output.seek(0)
        return output.read()


def _can_fork() -> bool:
    # JAX starts threads that Python does not count. On other systems, libraries do not survive a fork.
    return sys.platform == "linux" and threading.active_count() == 1 and "jax" not in sys.modules


def _served(data: bytes, work: Work, output: BinaryIO, seconds: float) -> int | None:
    for is_last in (False, True):
        try:
            return server().run(data, work.__module__, work.__qualname__, output, seconds)
        except OSError as error:
            # The server was killed, perhaps for lack of memory. A new server may succeed.
            if is_last:
                raise ChildDied(f"no process can be started for it: {error}") from error
    raise AssertionError
