"""Ends every child process when its parent ends, even if the parent is killed.

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
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import IO, Any

from hlokit._bytecode import end_with_parent, end_with_pipe

_PIECE_OF_WAITING = 0.2


class Lifetime:
    """The bond of a child process to its parent: created before the fork; then the child calls `begin_child`,
    and the parent calls `keep` and `end`.

    On Linux the child ends with the thread that forked it, so a thread that forks must not end before it has
    waited for the child.
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
    """The cause of the end of a process by a signal, for a message that does not blame the input for a
    limit."""
    if number == getattr(signal, "SIGKILL", 0):
        return "was killed (SIGKILL), perhaps because this machine has too little memory"
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    return f"died of {name}{IF_LIMITED * memory_is_limited()}"


IF_LIMITED = ", perhaps because memory is limited (ulimit -v)"


def memory_is_limited() -> bool:
    """Whether the memory of this process is limited."""
    try:
        import resource
    except ImportError:
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def is_readable(file: Any, seconds: float) -> bool:
    """Wait until there is something to read; False if there is nothing in time.

    An exception that another thread raises in this one, as time limits do, is noticed between the pieces.
    """
    end = time.monotonic() + seconds
    while not select.select([file], [], [], max(0.0, min(_PIECE_OF_WAITING, end - time.monotonic())))[0]:
        if time.monotonic() >= end:
            return False
    return True


def has_output(stream: IO[bytes], seconds: float) -> bool:
    """Wait until a child process writes output or ends; False if neither happens in time.

    The stream must have no bytes in its buffer.
    """
    if hasattr(select, "poll"):
        return is_readable(stream, seconds)
    # Windows cannot wait for pipes. If the child writes nothing, the caller ends it, which ends this thread.
    peek = getattr(stream, "peek")  # noqa: B009 # a pipe of subprocess has a buffer
    watcher = threading.Thread(target=peek, args=(1,), daemon=True)
    watcher.start()
    watcher.join(seconds)
    return not watcher.is_alive()


def python_command(program: str) -> list[str]:
    """The command line of a Python process that searches modules in the same places as this process.

    By default Python would search the current directory first, which an attacker may control. Python ignores
    other objects than text, such as a `Path`, which some programs add.
    """
    places = [directory for directory in sys.path if isinstance(directory, str)]  # pyright: ignore[reportUnnecessaryIsInstance] # see above
    return [sys.executable, "-c", f"import sys; sys.path[:] = {places!r}; {program}"]


def end_with_input() -> None:
    """In a program that hlokit started with a pipe as its standard input: end when the pipe ends."""
    end_with_pipe(0)


def end_with_spawning_process() -> None:
    """In a process that `multiprocessing` has spawned: end with its parent, which may be killed.

    The queues of a pool do not end then, since all its processes hold them open.
    """
    from multiprocessing import parent_process  # few processes are spawned so

    parent = parent_process()
    if parent is not None and parent.pid is not None and sys.platform == "linux":
        end_with_parent(parent.pid)


class LockOfProcess:
    """A lock that is free in a forked process, whatever thread held it at the time of the fork.

    A forked process has only the thread that forked, and could never acquire a plain lock that another thread
    held. The data under the lock must be consistent between any two steps of that other thread.
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
