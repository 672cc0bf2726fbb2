"""Work in a process that may die.

The bindings' reader of bytecode trusts its input: malformed artifacts can kill the process, and whether they
do may depend on what else is in its memory. So such work is done in a child process, which answers with
bytes: a fork of this process where that is safe, and of one kept for that elsewhere (`trial_server`).
"""

from __future__ import annotations

import os
import select
import signal
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable
from typing import BinaryIO

from hlokit.mlir.trial_server import server

# Reading takes some 10 ns a byte; a child that computes this much longer will not come back. (References
# that go round in a circle keep the bindings busy for ever.)
_COMPUTING_SECONDS = 3
_SECONDS = 60.0
_SECONDS_PER_BYTE = 1e-6
# What a child may allocate: malformed counts ask for any amount.
_MEMORY = 4 << 30
_MEMORY_PER_BYTE = 64

# Takes the input, and writes the answer to the file.
Work = Callable[[bytes, BinaryIO], None]


class ChildDied(Exception):
    """The child gave no answer; the message says why."""


def answer(data: bytes, work: Work, here: Work | None = None) -> bytes:
    """What `work(data, file)` writes, in a child process.

    Args:
      work: a function of a module, for a new process to find it.
      here: does the same with what this process has at hand, for a fork.

    Raises:
      ChildDied: the child crashed, did not end, or raised an exception.
    """
    seconds = _SECONDS + len(data) * _SECONDS_PER_BYTE
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
    # JAX starts threads of its own, which Python does not count. Elsewhere libraries do not survive a fork.
    return sys.platform == "linux" and threading.active_count() == 1 and "jax" not in sys.modules


def forked(data: bytes, work: Work, output: BinaryIO, seconds: float) -> int | None:
    """The exit status of a fork that does it, None if it took too long."""
    with warnings.catch_warnings():
        # Threads of the process there are, but they sleep: those of BLAS.
        warnings.simplefilter("ignore", DeprecationWarning)
        # The pipe's end comes when the child, which alone holds the writing side, is gone.
        life, childs = os.pipe()
        child = os.fork()
    if child == 0:
        status = 1
        try:
            os.dup2(output.fileno(), 1)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            _forget_signal_handlers()
            run(data, work)
            status = 0
        finally:
            os._exit(status)
    os.close(childs)
    try:
        return _wait(child, life, seconds)
    finally:
        os.close(life)


def _wait(child: int, life: int, seconds: float) -> int | None:
    has_ended = bool(select.select([life], [], [], seconds)[0])
    if not has_ended:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) if has_ended else None


def _served(data: bytes, work: Work, output: BinaryIO, seconds: float) -> int | None:
    for is_last in (False, True):
        try:
            return server().run(data, work.__module__, work.__qualname__, output, seconds)
        except OSError as error:
            # It was killed, perhaps for want of memory. Another may do better.
            if is_last:
                raise ChildDied(f"no process can be started for it: {error}") from error
    raise AssertionError


def run(data: bytes, work: Work) -> None:
    """In the child: do it within limits. The answer goes where the standard output went, and nothing else."""
    answers = os.dup(1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    _limit(len(data))
    with os.fdopen(answers, "wb") as file:
        work(data, file)


def _forget_signal_handlers() -> None:
    for number in (
        signal.SIGSEGV,
        signal.SIGABRT,
        signal.SIGBUS,
        signal.SIGFPE,
        signal.SIGILL,
        signal.SIGTERM,
    ):
        signal.signal(number, signal.SIG_DFL)


def _limit(size: int) -> None:
    """Limit the time that this process computes, and the memory that it has."""
    try:
        import resource
    except ImportError:
        return
    seconds = _COMPUTING_SECONDS + int(size * _SECONDS_PER_BYTE)
    # The first limit is SIGXCPU, which tells what happened; the second SIGKILL.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    try:
        with open("/proc/self/statm") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + _MEMORY + size * _MEMORY_PER_BYTE
    if hard == resource.RLIM_INFINITY or wanted < hard:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
