"""The time limit of hlokit's own runs: a wrong program may never end.

with time_limit_of_runs(5):
    results = limited(lambda: program.runs.evaluate(values, "main"))
"""

from __future__ import annotations

import contextvars
import ctypes
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

from hlokit.errors import ResourceError
from hlokit.tools.backends.side import SideFailed

T = TypeVar("T")

_SECONDS: contextvars.ContextVar[float | None] = contextvars.ContextVar("seconds of a run", default=None)
# Python raises a pending exception at one of the next calls.
_CALLS_TO_AN_EXCEPTION = 100


class RanOutOfTime(SideFailed):
    """A run of hlokit itself took longer than its time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__("time-out", f"a run in hlokit took longer than {seconds:g} s")


class _OutOfTime(BaseException):
    """Ends a run."""


@contextmanager
def time_limit_of_runs(seconds: float) -> Generator[None]:
    """A context in which each run of `limited` may take some seconds."""
    token = _SECONDS.set(seconds)
    try:
        yield
    finally:
        _SECONDS.reset(token)


class _Alarm:
    """Raises `_OutOfTime` in the calling thread after some seconds, unless the run has ended before."""

    def __init__(self, seconds: float) -> None:
        self.has_rung = False
        self._thread = threading.get_ident()
        self._is_over = False
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._ring)
        self._timer.daemon = True
        try:
            self._timer.start()
        except RuntimeError as error:
            raise ResourceError(f"no thread can be started to watch the time limit: {error}") from None

    def _ring(self) -> None:
        with self._lock:
            if not self._is_over:
                self.has_rung = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread), ctypes.py_object(_OutOfTime)
                )

    def stop(self) -> None:
        with self._lock:
            self._is_over = True
        self._timer.cancel()
        if self.has_rung:
            for _ in range(_CALLS_TO_AN_EXCEPTION):
                _nothing()


def _nothing() -> None:
    """Let Python raise a pending exception."""


def limited(run: Callable[[], T]) -> T:
    """The outcome of a run of hlokit.

    Raises:
      RanOutOfTime: the run took longer than the limit of the context.
    """
    seconds = _SECONDS.get()
    if seconds is None:
        return run()
    try:
        alarm = _Alarm(seconds)
        try:
            return run()
        finally:
            alarm.stop()
    except _OutOfTime:
        raise RanOutOfTime(seconds) from None
