"""How the failure of another rank ends what this one computes. Knows neither MPI nor MLIR."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

# Seconds after a failure until what still computes is interrupted: several may fail on their own accord.
_GRACE = 0.2
# Python looks for interrupts at each call.
_CALLS_TO_AN_INTERRUPT = 100


class Ended(BaseException):
    """Ends what this rank does, since another has failed."""


class Interrupts:
    """Raises `Ended` in the thread that runs the process of this rank, where that is harmless.

    Attributes:
      epoch: which grid, or time between two, this is: news of the failure of another is too late.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread = threading.get_ident()
        self._is_allowed = False
        self._is_failed = False
        self._heard_at = 0.0
        self.epoch = 0

    @contextmanager
    def allowed(self) -> Generator[None]:
        """Within this the calling thread may be interrupted.

        Raises:
          Ended: another rank has failed.
        """
        self._thread = threading.get_ident()
        self.allow()
        try:
            yield
        finally:
            while True:
                try:
                    if self._forbid():
                        # One that is on its way comes at one of the next calls. (Python knows how to take one
                        # back, but then looks for interrupts all the time, and a profiled run never ends.)
                        for _ in range(_CALLS_TO_AN_INTERRUPT):
                            _do_nothing()
                    break
                except Ended:
                    continue

    def allow(self) -> None:
        """From now on the thread may be interrupted.

        Raises:
          Ended: another rank has failed.
        """
        with self._lock:
            self._is_allowed = True
            is_failed = self._is_failed
        if is_failed:
            raise Ended

    def forbid(self) -> None:
        """From now on the thread must not be interrupted: other ranks count on it.

        Raises:
          Ended: another rank has failed.
        """
        if self._forbid():
            raise Ended

    def _forbid(self) -> bool:
        with self._lock:
            self._is_allowed = False
            return self._is_failed

    def hear(self, epoch: int) -> None:
        """Another rank has failed."""
        with self._lock:
            if epoch == self.epoch and not self._is_failed:
                self._is_failed = True
                self._heard_at = time.monotonic()

    def interrupt_in_time(self) -> None:
        """Called now and then by another thread: interrupts if another rank failed some time ago."""
        with self._lock:
            if self._is_failed and self._is_allowed and time.monotonic() > self._heard_at + _GRACE:
                self.interrupt()
                # Again if something swallows it.
                self._heard_at = time.monotonic()

    def interrupt(self) -> None:
        """Raise `Ended` in the thread, whatever it does."""
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(Ended))

    def next_epoch(self) -> None:
        """Failures are over and forgotten."""
        with self._lock:
            self.epoch += 1
            self._is_failed = False


def _do_nothing() -> None:
    """Lets Python look for interrupts."""
