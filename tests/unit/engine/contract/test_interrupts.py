"""Long calls of NumPy, which an interrupt does not wait for."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from hlokit.engine.contract.interrupts import interruptible
from tests.unit.engine.native.interrupting import interrupted_after

LARGE = np.broadcast_to(np.float32(3e38), (1 << 22,))


def test_an_interrupt_does_not_wait_for_the_call() -> None:
    threads: list[threading.Thread] = []
    ended = threading.Event()
    numbers = np.random.default_rng(0).integers(0, 1 << 60, 1 << 22)

    def sort(array: Any) -> None:
        threads.append(threading.current_thread())
        for _ in range(2):
            np.sort(array)
        ended.set()

    with interrupted_after(0.1):
        interruptible(sort, numbers)
    # The other thread ends after the call of NumPy, without the next one.
    threads[0].join(60)
    assert not threads[0].is_alive() and not ended.is_set()


def test_results_settings_and_exceptions() -> None:
    threads: list[threading.Thread] = []

    def doubled(array: Any, factor: int) -> Any:
        threads.append(threading.current_thread())
        return array[:2] * np.float32(factor)

    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        interruptible(doubled, LARGE, 2)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(interruptible(doubled, LARGE, 2), [np.inf, np.inf])
        interruptible(doubled, LARGE[:4], 1)
    here = threading.current_thread()
    assert [thread is here for thread in threads] == [False, False, True]
