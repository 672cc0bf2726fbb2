"""The time limit of hlokit's own runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pytest

from hlokit.tools.diff.flow import time_limits
from hlokit.tools.diff.flow.time_limits import RanOutOfTime, limited, time_limit_of_runs


class Deaf:
    """Python ignores exceptions in `__del__`."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    def __del__(self) -> None:
        while time.monotonic() < self.end:
            pass


def endless() -> None:
    while True:
        time.sleep(0.001)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("seconds", [0.0, 0.15], ids=["at once", "ignored at first"])
def test_a_run_ends(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Regression: an alarm that Python had ignored was lost."""
    monkeypatch.setattr(time_limits, "_SECONDS_TO_ANOTHER_RING", 0.2)

    def run() -> None:
        Deaf(seconds)
        endless()

    with time_limit_of_runs(0.1), pytest.raises(RanOutOfTime, match=r"longer than 0\.1 s"):
        limited(run)


def test_nothing_is_raised_after_a_run() -> None:
    results: list[str] = []

    def timed(run: Callable[[], str]) -> str:
        try:
            return limited(run)
        except RanOutOfTime:
            return "time-out"

    # Python lets another thread ring after sys.getswitchinterval(), which is 5 ms.
    with time_limit_of_runs(0.01):
        for number in range(50):
            results.append(timed(partial(work, number / 1000)))
    assert set(results) == {"ended", "time-out"}


def work(seconds: float) -> str:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return "ended"
