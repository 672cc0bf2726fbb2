"""Ends every child process with its parent, even if the parent is killed.

A forked child asks the system to kill it with its parent. Outside of Linux, where this is not possible, the
parent holds a pipe open as long as it lives, and a thread of the child watches the pipe. A child that is
another program watches its standard input.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import IO, Any

from hlokit._bytecode import end_with_parent, end_with_pipe


class Lifetime:
    """Created before a fork; then the child calls `begin_child`, and the parent `keep` and `end`.

    On Linux the child ends with the thread that forked it: no process may fork in a thread that ends before
    the child is waited for.
    """

    def __init__(self) -> None:
        self._parent = os.getpid()
        self._pipe = None if sys.platform == "linux" else os.pipe()

    def begin_child(self) -> None:
        """In the child: end with the parent."""
        if self._pipe is None:
            end_with_parent(self._parent)
            return
        os.close(self._pipe[1])
        end_with_pipe(self._pipe[0])

    def keep(self) -> None:
        """In the parent: keep the child alive."""
        if self._pipe is not None:
            os.close(self._pipe[0])

    def end(self) -> None:
        """In the parent: the child has ended."""
        if self._pipe is not None:
            os.close(self._pipe[1])


def cause_of_death(number: int) -> str:
    """How a signal ended a process, for a message: what the machine lacks is not blamed on the input."""
    if number == getattr(signal, "SIGKILL", 0):
        return "was killed (SIGKILL), perhaps because this machine has too little memory"
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    return f"died of {name}{IF_LIMITED * memory_is_limited()}"


IF_LIMITED = ", perhaps because memory is limited (ulimit -v)"


def memory_is_limited() -> bool:
    """Whether somebody has limited the memory of this process."""
    try:
        import resource
    except ImportError:
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def has_output(stream: IO[bytes], seconds: float) -> bool:
    """Wait until a child process writes something, or ends; False if it has done neither in time.

    The stream must have no bytes in its buffer.
    """
    if hasattr(select, "poll"):
        return bool(select.select([stream], [], [], seconds)[0])
    # Windows cannot wait for pipes. If the child stays silent, the caller ends it, which ends the thread.
    peek = getattr(stream, "peek")  # noqa: B009 # a pipe of subprocess has a buffer
    watcher = threading.Thread(target=peek, args=(1,), daemon=True)
    watcher.start()
    watcher.join(seconds)
    return not watcher.is_alive()


def python_command(program: str) -> list[str]:
    """The command line of a Python process that imports modules from where this process does.

    Python alone would search the current directory first, which may be a stranger's.
    """
    return [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {program}"]


def end_with_input() -> None:
    """In a program that hlokit started with a pipe as its standard input: end when the pipe does."""
    end_with_pipe(0)


class LockOfProcess:
    """A lock of the process that made it: in a forked process the lock is free.

    A forked process has only the thread that forked. It could never acquire a plain lock that another thread
    held. The guarded data must be consistent between any two steps of that other thread.
    """

    def __init__(self, make: Callable[[], AbstractContextManager[Any]]) -> None:
        self._make = make
        self._lock = make()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self._lock = self._make()

    def __enter__(self) -> None:
        self._lock.__enter__()

    def __exit__(self, *error: Any) -> None:
        self._lock.__exit__(*error)
