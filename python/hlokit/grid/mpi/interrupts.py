"""Ends the computation of this rank when another rank fails. Knows neither MPI nor MLIR."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

# Seconds after a failure until computing ranks are interrupted: they may fail on their own before.
_GRACE = 0.2
# Python looks for interrupts at each call.
_CALLS_TO_AN_INTERRUPT = 100


class Ended(BaseException):
    """Ends the computation of this rank, since another rank has failed."""


class Interrupts:
    """Raises `Ended` in the thread that runs the process of this rank, where an interrupt is harmless.

    Attributes:
      epoch: numbers the grids and the times between them; failures of earlier epochs are ignored.
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
        """In this context the calling thread may be interrupted.

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
                        # An interrupt that is on its way comes at one of the next calls. (Python can take an
                        # interrupt back, but then looks for interrupts forever, and a profiled run never
                        # ends.)
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
        """From now on the thread must not be interrupted: other ranks need it.

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
        """Note that another rank has failed in an epoch."""
        with self._lock:
            if epoch == self.epoch and not self._is_failed:
                self._is_failed = True
                self._heard_at = time.monotonic()

    def interrupt_in_time(self) -> None:
        """Interrupt if another rank failed some time ago. Another thread calls this now and then."""
        with self._lock:
            if self._is_failed and self._is_allowed and time.monotonic() > self._heard_at + _GRACE:
                self.interrupt()
                # Repeat later: code may swallow the exception.
                self._heard_at = time.monotonic()

    def interrupt(self) -> None:
        """Raise `Ended` in the thread, whatever the thread does."""
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(Ended))

    def next_epoch(self) -> None:
        """Begin the next epoch and forget earlier failures."""
        with self._lock:
            self.epoch += 1
            self._is_failed = False


def _do_nothing() -> None:
    """Lets Python look for interrupts."""
