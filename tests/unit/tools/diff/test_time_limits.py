"""The time limit of hlokit's own runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.tools.backends.children import ChildSide
from hlokit.tools.backends.side import Array
from hlokit.tools.diff.flow import time_limits
from hlokit.tools.diff.flow.following import FollowedRuns
from hlokit.tools.diff.flow.time_limits import RanOutOfTime, limited, time_limit_of_runs
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.tools.stages.run import certify
from unit.tools.diff.sides import Here


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


def test_a_run_within_a_limited_search_has_its_own_limit() -> None:
    reasons: list[str] = []

    def search() -> None:
        with pytest.raises(RanOutOfTime) as caught:
            limited(endless)
        reasons.append(caught.value.reason)
        limited(lambda: work(0.0))
        limited(endless, "another run", 10)

    with time_limit_of_runs(0.05), pytest.raises(RanOutOfTime) as ended:
        limited(search, "the search", 3)
    assert reasons == ["a run in hlokit took longer than 0.05 s"]
    assert ended.value.reason == "the search took longer than 0.15 s"


ENDLESS = """func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %r = stablehlo.while(%i = %n) : tensor<i32> cond {
    %p = stablehlo.compare EQ, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return %r : tensor<i32>
}"""
CHAIN = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}"""


def warm_up(x: Array) -> None:
    """Import what a comparison of different results needs, which takes time."""
    hlokit.diff(CHAIN, x, against=Here(change=lambda _, results: [result * 2 for result in results]))


def test_a_comparison_ends_in_time_and_tells_what_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: the limit held for each module, so a search of many slow modules had no end."""
    monkeypatch.setattr("hlokit.tools.diff.isolation.isolated._LEAST_SECONDS", 0.02)
    x = np.linspace(0.1, 0.4, 4, dtype=np.float32)

    def change(text: str, results: list[Array]) -> list[Array]:
        if "stablehlo.sine" not in text:  # the module of tanh alone
            endless()
        return [result + np.float32(0.25) for result in results]

    warm_up(x)
    report = hlokit.diff(CHAIN, x, against=Here(change=change, batch=1), time_limit=1)
    assert report.first is not None and report.first.op == "stablehlo.sine", report
    late = [finding for finding in report.findings if finding.comparison.verdict == "time-out"]
    assert [finding.op for finding in late] == ["stablehlo.tanh"]


def test_a_search_that_is_cut_short_tells_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.linspace(0.1, 0.4, 4, dtype=np.float32)
    monkeypatch.setattr("hlokit.tools.diff.against_side.SideWork.all_values", lambda *_, **__: endless())

    def slightly_other(text: str, results: list[Array]) -> list[Array]:
        is_whole = "stablehlo.sine" in text and "stablehlo.tanh" in text
        return [result + np.float32(0.25 if is_whole else 0) for result in results]

    warm_up(x)
    report = hlokit.diff(CHAIN, x, against=Here(change=slightly_other, batch=1), time_limit=0.5)
    assert (report.outcome, report.exact) == ("differs", 2), report
    assert "the search of the operation at fault took longer than 0.5 s" in report.notes[0]


def test_a_child_that_does_not_answer_ends_with_the_comparison() -> None:
    """A wait for another process is no longer than the limit of what contains it."""
    side = ChildSide("hlokit", time_limit=300)
    try:
        with time_limit_of_runs(0.3), pytest.raises(RanOutOfTime):
            limited(lambda: side.run(ENDLESS, [np.asarray(5, np.int32)]))
        (result,) = side.run(CHAIN, [np.zeros(4, np.float32)])
        assert result.tolist() == [0.0] * 4
    finally:
        side.close()


def work(seconds: float) -> str:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return "ended"


def late(*_: object) -> None:
    raise RanOutOfTime(1)


def test_results_whose_rounding_errors_take_too_long_are_unknown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Regression: such results counted as different, since nothing was allowed."""
    x = np.linspace(0.1, 0.4, 4, dtype=np.float32)
    other = CHAIN.replace("sine", "cosine")
    recording = hlokit.record(hlokit.load(CHAIN), x, to=tmp_path / "run")
    monkeypatch.setattr(TripCounts, "disturbed", late)
    reports = [hlokit.diff(CHAIN, x, against=against) for against in (hlokit.load(other), Here(change=moved))]
    monkeypatch.setattr(FollowedRuns, "follow", late)
    reports.append(hlokit.diff(hlokit.load(CHAIN), x, against=recording))
    for report in reports:
        assert (report.status, report.results[0].verdict) == (2, "time-out"), report
    printed = tmp_path / "printed.txt"
    printed.write_text(f"// -----// IR Dump After X (x) //----- //\n{other}\n")
    (stage,) = certify(hlokit.load(CHAIN), x, by=str(printed)).unknown
    assert stage.note == "a run in hlokit took longer than 1 s"


def moved(text: str, results: list[Array]) -> list[Array]:
    del text
    return [result + np.float32(0.25) for result in results]
