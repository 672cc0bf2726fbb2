"""Tracebacks of uncaught errors: the lines of the caller, without the frames of hlokit."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from types import TracebackType

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def is_own(filename: str) -> bool:
    """Whether a frame of this file belongs to hlokit: to its modules, or to code that it generated."""
    return filename.startswith((_PACKAGE, "<hlokit"))


def without_own_frames(trace: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of hlokit; the whole traceback if there are no other frames."""
    kept: list[TracebackType] = []
    entry = trace
    while entry is not None:
        if not is_own(entry.tb_frame.f_code.co_filename):
            kept.append(entry)
        entry = entry.tb_next
    made: TracebackType | None = None
    for each in reversed(kept):
        made = TracebackType(made, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return made or trace


def for_users(
    error: BaseException, trace: TracebackType | None, is_meant: Callable[[BaseException], bool]
) -> TracebackType | None:
    """The traceback of an error that ends a program, without hlokit's frames if the error is about the user's
    input.

    `HLOKIT_TRACEBACK` in the environment keeps all frames.
    """
    if "HLOKIT_TRACEBACK" in os.environ:
        return trace
    for each in _chain(error):
        if is_meant(each):
            each.__traceback__ = without_own_frames(each.__traceback__)
    return error.__traceback__ if is_meant(error) else trace


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__
