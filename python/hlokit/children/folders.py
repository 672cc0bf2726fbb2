"""Temporary folders that are removed even if their process is killed: then by the next process that needs
one.

A process holds a lock on each of its folders. The system releases the lock when the process ends, by whatever
means, so that an unlocked folder is one that nobody removes any more.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from typing import Any

_PREFIX, _NEW = "hlokit-folder-", "hlokit-new-"


class TemporaryFolder:
    """A folder for temporary files.

    Attributes:
      name: the path.

    Raises:
      OSError: the folder cannot be created.
    """

    def __init__(self) -> None:
        _remove_abandoned_once()
        self.name = tempfile.mkdtemp(prefix=_NEW)
        lock = _lock(self.name)
        if lock is not None:
            # A folder gets the name by which others find it when it is locked.
            head, tail = os.path.split(self.name)
            locked = os.path.join(head, _PREFIX + tail.removeprefix(_NEW))
            os.rename(self.name, locked)
            self.name = locked
        self._remove = weakref.finalize(self, _remove, self.name, lock)

    def close(self) -> None:
        """Remove the folder."""
        self._remove()

    def __enter__(self) -> str:
        return self.name

    def __exit__(self, *_: Any) -> None:
        self.close()


@contextmanager
def locked(path: str) -> Generator[None]:
    """Hold the lock of a folder: other processes that ask for the lock wait. Where folders have no locks
    (Windows, some network drives), nothing is held."""
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl

            descriptor = os.open(path, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


@cache
def _remove_abandoned_once() -> None:
    """`remove_abandoned`, when a process first needs a folder: the parent folder may have many files."""
    remove_abandoned()


def remove_abandoned() -> bool:
    """Remove the temporary folders of this user's processes that were killed; returns whether there are none
    now."""
    parent = tempfile.gettempdir()
    are_gone = True
    with suppress(OSError):
        for name in os.listdir(parent):
            path = os.path.join(parent, name)
            if name.startswith(_PREFIX) and (lock := _lock(path)) is not None:
                _remove(path, lock)
                are_gone &= not os.path.exists(path)
    return are_gone


def _lock(path: str) -> int | None:
    """A descriptor with the lock of a folder of this user; None if another process has the lock."""
    try:
        import fcntl
    except ImportError:  # Windows has no locks of folders
        return None
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        if os.fstat(descriptor).st_uid == os.geteuid():
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
    except OSError:
        pass
    os.close(descriptor)
    return None


def _remove(path: str, lock: int | None) -> None:
    shutil.rmtree(path, ignore_errors=True)
    if lock is not None:
        os.close(lock)
