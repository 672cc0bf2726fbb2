"""A child process with limits of time and memory, for input that may crash it."""

from __future__ import annotations

import os
import select
import signal
import threading
import warnings
from collections.abc import Callable
from typing import BinaryIO, NamedTuple

from hlokit.children.lifetimes import Lifetime, memory_is_limited
from hlokit.files.formats import is_bytecode

# Reading takes some 10 ns a byte. A child that takes several seconds longer will not finish. (Cyclic
# references make the bindings loop for ever.)
_COMPUTING_SECONDS = 3
SECONDS_PER_BYTE = 1e-6
# The memory limit of a child: malformed counts may request any amount.
_MEMORY = 3 << 28
_MEMORY_PER_BYTE = 64
# The stack of a child. Input that fits this stack also fits the stack of any thread that reads the answer.
# (Threads have 8 MiB on Linux, 512 KiB on macOS, or the size that a Python program sets.)
_STACK = 512 << 10
# Text may be deeper, since its depth is known beforehand: see `DEEPEST` in `mlir/text/nesting.py`.
_STACK_FOR_TEXT = 2 << 20
_LONGEST_REASON = 1000

# Takes the input and writes the answer to the file.
Work = Callable[[bytes, BinaryIO], None]


# The status of a child that an unknown signal ended.
UNKNOWN_SIGNAL = -255


class End(NamedTuple):
    """The end of a child.

    Attributes:
      status: the exit status, negative for a signal; None if the child took too long.
      lacks: the missing resource, if that was the cause.
    """

    status: int | None
    lacks: str = ""


def forked(data: bytes, work: Work, output: BinaryIO, seconds: float) -> End:
    """Do the work in a fork, and return the end of the fork.

    Raises:
      OSError: the system cannot start another process.
    """
    with warnings.catch_warnings():
        # The process has BLAS threads, but they sleep.
        warnings.simplefilter("ignore", DeprecationWarning)
        # The pipe ends when the child dies, because only the child holds the writing side. The child writes
        # its exit status and the missing resource to the pipe, since a program that ignores SIGCHLD does not
        # receive the status of children.
        reader, writer = os.pipe()
        lifetime = Lifetime()
        try:
            child = os.fork()
        except OSError:
            os.close(reader)
            os.close(writer)
            raise
    if child == 0:
        lifetime.begin_child()
        _run_child(data, work, output, writer)
    os.close(writer)
    lifetime.keep()
    try:
        return _wait(child, reader, seconds)
    finally:
        os.close(reader)
        lifetime.end()


def _run_child(data: bytes, work: Work, output: BinaryIO, writer: int) -> None:
    report, is_limited = b"\1", memory_is_limited()
    try:
        os.dup2(output.fileno(), 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        _reset_signal_handlers()
        run(data, work)
        report = b"\0"
    except OSError as error:
        report = b"\2" + (error.strerror or str(error)).encode(errors="replace")[:_LONGEST_REASON]
    except MemoryError:
        # The child's own limit bounds input that requests unlimited amounts.
        report = b"\2out of memory, which is limited (ulimit -v)" if is_limited else report
    finally:
        os.write(writer, report)
        os._exit(report[0])


def _wait(child: int, reader: int, seconds: float) -> End:
    has_ended = bool(select.select([reader], [], [], seconds)[0])
    if not has_ended:
        os.kill(child, signal.SIGKILL)
    report = os.read(reader, 1 + _LONGEST_REASON) if has_ended else b""
    try:
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
    except ChildProcessError:  # the program ignores SIGCHLD, or has waited for all children
        code = report[0] if report else UNKNOWN_SIGNAL
    if not has_ended:
        return End(None)
    lacks = report[1:].decode(errors="replace").lower() if report[:1] == b"\2" else ""
    return End(code, lacks)


def run(data: bytes, work: Work) -> None:
    """In the child: do the work within the limits. Only the answer is written to the former standard
    output."""
    answers = os.dup(1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)

    def do() -> None:
        with os.fdopen(answers, "wb") as file:
            work(data, file)

    _limit(len(data))
    with_small_stack(data, do)


def with_small_stack(data: bytes, do: Callable[[], None]) -> None:
    """Work in a thread whose stack is at most as large as that of any thread that receives the answer."""
    failures: list[BaseException] = []

    def attempt() -> None:
        try:
            do()
        except BaseException as error:
            failures.append(error)

    threading.stack_size(_STACK if is_bytecode(data) else _STACK_FOR_TEXT)
    worker = threading.Thread(target=attempt)
    try:
        worker.start()
    except RuntimeError as error:
        raise OSError(str(error)) from None
    worker.join()
    if failures:
        raise failures[0]


def _reset_signal_handlers() -> None:
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
    # At the first limit the process receives SIGXCPU, which identifies the cause; at the second, SIGKILL.
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard == resource.RLIM_INFINITY or seconds < hard:
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
