"""Tracebacks of errors: the lines of the caller, without the frames of hlokit."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import TracebackType

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def is_own(filename: str) -> bool:
    """Whether a frame of this file belongs to hlokit: to its modules, or to code that it generated."""
    return filename.startswith((_PACKAGE, "<hlokit"))


def without_own_frames(trace: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of hlokit; None if there are no other frames."""
    kept: list[TracebackType] = []
    while trace is not None:
        if not is_own(trace.tb_frame.f_code.co_filename):
            kept.append(trace)
        trace = trace.tb_next
    shortened: TracebackType | None = None
    for entry in reversed(kept):
        shortened = TracebackType(shortened, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return shortened


def chain(error: BaseException) -> Iterator[BaseException]:
    """An error, and the errors that caused it or that it followed."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__
