"""A child process with limits of time and memory, which its input may kill."""

from __future__ import annotations

import os
import select
import signal
import warnings
from collections.abc import Callable
from typing import BinaryIO

# Reading takes some 10 ns a byte. A child that takes this much longer will not finish. (Cyclic references
# keep the bindings busy for ever.)
_COMPUTING_SECONDS = 3
SECONDS_PER_BYTE = 1e-6
# The memory limit of a child: malformed counts may request any amount.
_MEMORY = 4 << 30
_MEMORY_PER_BYTE = 64

# Takes the input and writes the answer to the file.
Work = Callable[[bytes, BinaryIO], None]


def forked(data: bytes, work: Work, output: BinaryIO, seconds: float) -> int | None:
    """The exit status of a fork that does the work, None if it took too long."""
    with warnings.catch_warnings():
        # The process has threads, BLAS's, but they are asleep.
        warnings.simplefilter("ignore", DeprecationWarning)
        # The pipe ends when the child dies: only the child holds its writing side.
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


def run(data: bytes, work: Work) -> None:
    """In the child: do the work within the limits. Only the answer goes to what was standard output."""
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
    """Limit the processor time and the memory of this process."""
    try:
        import resource
    except ImportError:
        return
    seconds = _COMPUTING_SECONDS + int(size * SECONDS_PER_BYTE)
    # At the first limit the process gets SIGXCPU, which tells what happened; at the second, SIGKILL.
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
