"""No process that hlokit starts outlives the one that started it, even if that is killed.

A forked child asks the system to be killed with its parent. Where the system has nothing like that (outside
of Linux), the parent holds a pipe open as long as it lives, and a thread of the child watches it. A child
that is another program watches its standard input.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from hlokit._bytecode import end_with_parent, end_with_pipe


class Lifetime:
    """Made before a fork: then each of the two processes says which one it is.

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


def end_with_input() -> None:
    """In a program that hlokit started with a pipe as its standard input: end when the pipe does."""
    end_with_pipe(0)


class LockOfProcess:
    """A lock of the process that made it: in a fork of the process nobody holds it, whoever did before.

    A fork has only the thread that forked. A plain lock that another thread held would never be free again.
    What the lock guards must be whole between any two steps of that thread.
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
