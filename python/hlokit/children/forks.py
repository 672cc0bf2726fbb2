"""Forks wait until no other thread is importing a module for hlokit.

A forked process has only the thread that forked. If another thread is importing a module at the time of the
fork, the module stays half imported and locked in the forked process, and an import of the module would wait
for ever. hlokit imports most modules on first use, so any call in another thread may be importing a module.
"""

from __future__ import annotations

import _imp

# Modules that hlokit imports create loggers. The hook of `logging` holds a lock during a fork; the hook of
# this module runs first because it is registered later.
import logging as _  # noqa: F401
import os
import sys
import time
from _thread import get_ident
from types import FrameType

# Seconds that a fork waits: an import that itself waits for the forking thread would never end.
_PATIENCE = 30.0


def _hold_imports() -> None:
    """Before a fork: wait for the imports of other threads, and block new imports until the fork is done."""
    deadline = time.monotonic() + _PATIENCE
    _imp.acquire_lock()
    while _others_import() and time.monotonic() < deadline:
        _imp.release_lock()
        time.sleep(0.001)
        _imp.acquire_lock()


def _others_import() -> bool:
    """Whether another thread is importing a module for hlokit."""
    frames = sys._current_frames()  # pyright: ignore[reportPrivateUsage] # documented
    return any(_imports(frame) for thread, frame in frames.items() if thread != get_ident())


def _imports(frame: FrameType | None) -> bool:
    """Whether a thread is importing a module of hlokit, or any module that code of hlokit imports."""
    is_importing = False
    while frame is not None:
        package = _package(str(frame.f_globals.get("__name__")))
        if package == "importlib":
            if frame.f_code.co_name == "_find_and_load":
                is_importing = True
                if _package(str(frame.f_locals["name"])) == "hlokit":
                    return True
        elif package == "hlokit" and is_importing:
            return True
        else:
            is_importing = False  # foreign code imports the module, which may take any time
        frame = frame.f_back
    return False


def _package(module: str) -> str:
    return module.partition(".")[0]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_hold_imports, after_in_child=_imp.release_lock, after_in_parent=_imp.release_lock
    )
