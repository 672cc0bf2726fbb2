"""`-q` and `-v`: how much a command says beside its output and its errors."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

# Of the command that runs: no notes and no progress; all that is known about errors.
IS_QUIET: ContextVar[bool] = ContextVar("is_quiet", default=False)
IS_VERBOSE: ContextVar[bool] = ContextVar("is_verbose", default=False)


@contextmanager
def speaking(*, quiet: bool, verbose: bool) -> Generator[None]:
    """Within the context, the command says so much."""
    tokens = IS_QUIET.set(quiet), IS_VERBOSE.set(verbose)
    try:
        yield
    finally:
        IS_QUIET.reset(tokens[0])
        IS_VERBOSE.reset(tokens[1])


def note(text: str) -> None:
    """Write a line on the standard error, unless the command is quiet."""
    if not IS_QUIET.get():
        sys.stderr.write(f"{text}\n")
