"""Sandboxed parse: work on untrusted input in a child process.

The bindings' bytecode reader trusts its input. A malformed artifact can crash the process, depending on other
contents of the memory. Therefore a child process does such work and answers with bytes. The child is a fork
of this process where forking is safe, and otherwise a fork of a server process (`server`).
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from typing import BinaryIO

from hlokit.children import lifetimes
from hlokit.errors import ResourceError
from hlokit.mlir.sandbox.child import SECONDS_PER_BYTE, UNKNOWN_SIGNAL, End, Work, forked
from hlokit.mlir.sandbox.server import server

# Seconds after which work on a small input ends.
SECONDS = 60.0


class ChildDied(Exception):
    """The child did not answer; the message has the reason."""


def answer(data: bytes, work: Work, here: Work | None = None, *, seconds: float = SECONDS) -> bytes:
    """The bytes that `work(data, file)` writes to the file in a child process.

    Args:
      work: a module-level function, which a new process can find by name.
      here: the same work for a fork, with objects of this process.
      seconds: the limit of the child's time; it grows with the data.

    Raises:
      ChildDied: the child crashed, did not end, or raised an exception.
      ResourceError: the machine lacks resources for the child.
    """
    seconds += len(data) * SECONDS_PER_BYTE
    try:
        with _answers() as output:
            end = (
                forked(data, here or work, output, seconds)
                if _can_fork()
                else _served(data, work, output, seconds)
            )
            _require_success(end)
            output.seek(0)
            return output.read()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ResourceError(f"no process can be started to read the input: {reason}") from None


def _answers() -> BinaryIO:
    """A file for an answer: in memory if the system supports it, since a disk may be full."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("hlokit"), "w+b")
    return tempfile.TemporaryFile(prefix="hlokit-")


def _require_success(end: End) -> None:
    status, lacks = end
    if lacks:
        raise ResourceError(f"the input cannot be read: {lacks}")
    if status == 0:
        return
    if status is None or status == -getattr(signal, "SIGXCPU", 0):
        raise ChildDied("reading it does not end")
    if_limited = lifetimes.IF_LIMITED * lifetimes.memory_is_limited()
    if status == -getattr(signal, "SIGKILL", 0) or (status == -signal.SIGABRT and if_limited):
        raise ChildDied(f"its reader {lifetimes.cause_of_death(-status)}")
    if status < 0:
        named = "" if status == UNKNOWN_SIGNAL else f" ({signal.Signals(-status).name})"
        raise ChildDied(f"it kills its reader{named}{if_limited}")
    raise ChildDied(f"its reader fails{if_limited}")


# Frameworks with a runtime of XLA, which starts threads that Python does not count.
_WITH_THREADS = ("jax", "tensorflow", "torch_xla")


def _can_fork() -> bool:
    # On systems other than Linux, libraries do not survive a fork.
    return (
        sys.platform == "linux"
        and threading.active_count() == 1
        and not any([name in sys.modules for name in _WITH_THREADS])
    )


def _served(data: bytes, work: Work, output: BinaryIO, seconds: float) -> End:
    for is_last in (False, True):
        try:
            return server().run(data, work.__module__, work.__qualname__, output, seconds)
        except OSError:
            # The server was killed, perhaps for lack of memory. A new server may succeed.
            if is_last:
                raise
    raise AssertionError
