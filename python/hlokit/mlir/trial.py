"""Parsing in a process that may die.

The bindings' reader of bytecode trusts its input: some malformed artifacts kill the process. So each is read
in a child process first, which is a fork of this one where that is safe, and a new one elsewhere.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable

# Reading takes some 10 ns a byte; a child that computes this much longer will not come back. (References
# that go round in a circle keep the bindings busy for ever.)
_COMPUTING_SECONDS = 3
_SECONDS = 60.0
_SECONDS_PER_BYTE = 1e-6
# What a child may allocate: malformed counts ask for any amount.
_MEMORY = 4 << 30
_MEMORY_PER_BYTE = 64


def fate(
    data: bytes, attempt: Callable[[bytes], object], here: Callable[[bytes], object] | None = None
) -> str | None:
    """What becomes of a process that calls `attempt(data)`: None if it lives, else how it dies.

    An exception is no death. `attempt` must be a function of a module, for a new process to find it; `here`
    does the same with what this process has at hand, for a fork.
    """
    seconds = _SECONDS + len(data) * _SECONDS_PER_BYTE
    status = _forked(data, here or attempt, seconds) if _can_fork() else _spawned(data, attempt, seconds)
    if status is None or status == -getattr(signal, "SIGXCPU", 0):
        return "reading it does not end"
    if status == 0:
        return None
    try:
        return f"it kills its reader ({signal.Signals(-status).name})"
    except ValueError:
        return f"it kills its reader (exit status {status})"


def _can_fork() -> bool:
    # JAX starts threads of its own, which Python does not count. Elsewhere libraries do not survive a fork.
    return sys.platform == "linux" and threading.active_count() == 1 and "jax" not in sys.modules


def _forked(data: bytes, attempt: Callable[[bytes], object], seconds: float) -> int | None:
    with warnings.catch_warnings():
        # Threads of the process there are, but they sleep: those of BLAS.
        warnings.simplefilter("ignore", DeprecationWarning)
        # The pipe's end comes when the child, which alone holds the writing side, is gone.
        life, childs = os.pipe()
        child = os.fork()
    if child == 0:
        try:
            _quieten()
            run(data, attempt)
        finally:
            os._exit(0)
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


def _spawned(data: bytes, attempt: Callable[[bytes], object], seconds: float) -> int | None:
    # The child has to find this package where this process found it, installed or not.
    program = (
        f"import sys; sys.path[:] = {sys.path!r}; "
        f"from hlokit.mlir.trial import run; from {attempt.__module__} import {attempt.__qualname__}; "
        f"import os; run(open(sys.argv[1], 'rb').read(), {attempt.__qualname__}); os._exit(0)"
    )
    with tempfile.NamedTemporaryFile(prefix="hlokit-") as file:
        file.write(data)
        file.flush()
        try:
            return subprocess.run(
                [sys.executable, "-c", program, file.name],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=seconds,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            return None


def run(data: bytes, attempt: Callable[[bytes], object]) -> None:
    """In the child: call it with a limit on memory; exceptions do not matter."""
    _limit(len(data))
    try:
        attempt(data)
    except Exception:
        return


def _quieten() -> None:
    """In a fork: nothing may reach the streams of the parent, and no handler of its may run."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
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
