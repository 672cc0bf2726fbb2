"""Time limits: of hlokit's own runs, since a wrong program may never end, and of what consists of many runs.

with time_limit_of_runs(5):
    results = limited(lambda: program.runs.evaluate(values, "main"))
    report = limited(lambda: searched(results), "the search", 2)
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

from hlokit.engine.contract.interrupts import raise_in_thread
from hlokit.errors import ResourceError
from hlokit.tools.backends.side import SideFailed

T = TypeVar("T")

_SECONDS: contextvars.ContextVar[float | None] = contextvars.ContextVar("seconds of a run", default=None)
# Python raises a pending exception at one of the next calls.
_CALLS_TO_AN_EXCEPTION = 100
_SECONDS_TO_ANOTHER_RING = 1.0


_RUN = "a run in hlokit"
# What contains many runs.
SEARCH, COMPARISON = "the search of the operation at fault", "the comparison"
# A comparison may take so many times the limit of a run.
LIMITS_OF_COMPARISON = 2


class RanOutOfTime(SideFailed):
    """A run of hlokit itself, or what `what` says, took longer than its time limit."""

    def __init__(self, seconds: float, what: str = _RUN) -> None:
        super().__init__("time-out", f"{what} took longer than {seconds:g} s")


@contextmanager
def time_limit_of_runs(seconds: float) -> Generator[None]:
    """A context in which each run of `limited` may take some seconds."""
    token = _SECONDS.set(seconds)
    try:
        yield
    finally:
        _SECONDS.reset(token)


class _Alarm:
    """Raises its exception in the calling thread after some seconds, unless the run has ended before.

    Python ignores an exception in the callback of a weak reference or in `__del__`: the alarm rings again.

    Attributes:
      exception: a class of its own for each alarm, since a run within another one may have a shorter limit.
    """

    def __init__(self, seconds: float) -> None:
        self.exception = type("OutOfTime", (BaseException,), {})
        self.has_rung = False
        self._caller = threading.get_ident()
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._watch, args=(seconds,), daemon=True)

    def start(self) -> None:
        try:
            self._thread.start()
        except RuntimeError as error:
            raise ResourceError(f"no thread can be started to watch the time limit: {error}") from None

    def _watch(self, seconds: float) -> None:
        pause = seconds
        while not self._over.wait(pause):
            self._ring()
            pause = _SECONDS_TO_ANOTHER_RING

    def _ring(self) -> None:
        with self._lock:
            if not self._over.is_set():
                self.has_rung = True
                raise_in_thread(self._caller, self.exception)

    def stop(self) -> None:
        """End the alarm. Its exception may still be raised in here; stop it again then."""
        self._over.set()
        with self._lock:
            pass  # a ring that has begun is over
        if self.has_rung:
            for _ in range(_CALLS_TO_AN_EXCEPTION):
                _nothing()


def _nothing() -> None:
    """Let Python raise a pending exception."""


def limited(run: Callable[[], T], what: str = _RUN, times: float = 1.0, least: float = 0.0) -> T:
    """The outcome of a run of hlokit, or of something else that may contain such runs.

    Args:
      what: what is limited, for the message.
      times: multiple of the limit of the context.
      least: the number of seconds that it may take in any case.

    Raises:
      RanOutOfTime: it took longer.
    """
    limit = _SECONDS.get()
    if limit is None:
        return run()
    seconds = max(times * limit, least)
    alarm = _Alarm(seconds)
    try:
        try:
            alarm.start()
            return run()
        finally:
            alarm.stop()
    except alarm.exception:
        alarm.stop()
        raise RanOutOfTime(seconds, what) from None
