"""Stacks of nested calls: before the stack of a thread is full, calls continue on that of a new thread.

So neither `sys.setrecursionlimit` nor the limits of CPython's own stack (1,500 calls of C in CPython 3.12,
whatever that function sets) limit the programs that hlokit evaluates.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from hlokit.errors import EvaluationError, ResourceError

Result = TypeVar("Result")

# Functions and regions that are active at a time: so many share a stack, and so many may there be.
LEVELS_PER_STACK, MOST_LEVELS = 60, 5_000


class TooDeepError(EvaluationError):
    """Functions call each other without end, or too deeply."""


def call(level: int, function: Callable[..., Result], *arguments: Any) -> Result:
    """The result of a function that is called at a level.

    Raises:
      TooDeepError: the level is too deep.
      ResourceError: the system cannot start another thread.
    """
    if level % LEVELS_PER_STACK:
        return function(*arguments)
    if level >= MOST_LEVELS:
        raise TooDeepError(
            "functions call each other without end, or calls and regions are nested deeper than "
            f"{MOST_LEVELS:,} levels (the pass inline removes calls)"
        )
    return _on_new_stack(function, *arguments)


def _on_new_stack(function: Callable[..., Result], *arguments: Any) -> Result:
    context = contextvars.copy_context()
    results: list[Result] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            results.append(context.run(function, *arguments))
        except BaseException as error:  # for the caller
            failures.append(error)

    # An interrupt ends the wait; then the thread must not keep the process alive.
    thread = threading.Thread(target=run, daemon=True)
    try:
        thread.start()
    except RuntimeError as error:
        raise ResourceError(f"no thread can be started for a deeper call: {error}") from None
    thread.join()
    if failures:
        raise failures[0]
    return results[0]
