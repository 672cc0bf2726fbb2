"""Ends the computation of this rank when another rank fails. Without MPI and MLIR."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

from hlokit.engine.contract.interrupts import raise_in_thread

# Seconds after a failure until computing ranks are interrupted; before, they may fail themselves.
_GRACE = 0.2
# Python checks for interrupts at each call.
_CALLS_TO_AN_INTERRUPT = 100


class Ended(BaseException):
    """Ends the computation of this rank after the failure of another rank."""


class Interrupts:
    """Raises `Ended` in the thread that runs the process of this rank, at places where an interrupt is
    harmless.

    Attributes:
      epoch: the number of the current grid or of the time between two grids; failures of earlier epochs are
        ignored.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread = threading.get_ident()
        self._is_allowed = False
        self._is_failed = False
        self._failed_at = 0.0
        self.epoch = 0

    @contextmanager
    def allowed(self) -> Generator[None]:
        """A context in which the calling thread may be interrupted.

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
                        # A pending interrupt is raised at one of the next calls. (Python can cancel an
                        # interrupt, but then checks for interrupts forever, and a profiled run never ends.)
                        for _ in range(_CALLS_TO_AN_INTERRUPT):
                            _do_nothing()
                    break
                except Ended:
                    continue

    def allow(self) -> None:
        """Allow interrupts of the thread from now on.

        Raises:
          Ended: another rank has failed.
        """
        with self._lock:
            self._is_allowed = True
            is_failed = self._is_failed
        if is_failed:
            raise Ended

    def forbid(self) -> None:
        """Forbid interrupts of the thread from now on, because other ranks depend on it.

        Raises:
          Ended: another rank has failed.
        """
        if self._forbid():
            raise Ended

    def _forbid(self) -> bool:
        with self._lock:
            self._is_allowed = False
            return self._is_failed

    def record_failure(self, epoch: int) -> None:
        """Record that another rank has failed in an epoch."""
        with self._lock:
            if epoch == self.epoch and not self._is_failed:
                self._is_failed = True
                self._failed_at = time.monotonic()

    def interrupt_when_due(self) -> None:
        """Interrupt if another rank failed some time ago. Another thread calls this method regularly."""
        with self._lock:
            if self._is_failed and self._is_allowed and time.monotonic() > self._failed_at + _GRACE:
                self.interrupt()
                # Repeat later, because code may catch the exception.
                self._failed_at = time.monotonic()

    def interrupt(self) -> None:
        """Raise `Ended` in the thread, even where interrupts are forbidden."""
        raise_in_thread(self._thread, Ended)

    def next_epoch(self) -> None:
        """Begin the next epoch and forget earlier failures."""
        with self._lock:
            self.epoch += 1
            self._is_failed = False


def _do_nothing() -> None:
    """Let Python check for interrupts."""
