"""Runs in which float results change at random by some units in the last place, as far as correct runs may
differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import EvaluationError
from hlokit.tools.diff.flow.disturbances import Disturbance, may_round
from hlokit.tools.diff.flow.following import Known, OutsideAppliedRegions, Unwatched
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.tools.recording.places import CONTROL_FLOW, Operations, Place, Tracker

# The results of a run that a seed disturbs by some units.
Disturb = Callable[[int, float], tuple[Value, ...]]

# A value that differs by more than this multiple of the effect of rounding directs the search; it proves no
# fault.
_SUSPICIOUS = 8.0
# The elements that may differ by the effect that disturbances have on one element. Where roundings decide, as
# between equal candidates, larger errors decide more often: up to 32 times as often if all are allowed.
_SHARED = 64


class Disturbed(OutsideAppliedRegions):
    """A follower that changes every float result at random by some units in the last place.

    The distance of such a run from the undisturbed run shows the possible distance of a correct run, for any
    conditioning. `TripCounts.disturbed` has the same results in less time.
    """

    def __init__(self, disturbance: Disturbance) -> None:
        super().__init__()
        self._disturbance = disturbance

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        del plan
        if not self.leave(step) or not may_round(step):
            return None
        disturbed = self._disturbance.disturbed
        return [disturbed(step, index, operands, value) for index, value in enumerate(results)]


def disturbed_runs(
    disturb: Disturb, seeds: Iterable[int] = (0, 1), units: float = 1.0
) -> Iterator[tuple[Value, ...]]:
    """The results of disturbed runs, without failed runs: a program may check its own values.

    Raises:
      RanOutOfTime: a run took too long, so nobody knows how far correct runs may differ.
    """
    for seed in seeds:
        with suppress(EvaluationError):
            yield disturb(seed, units)


class Segments(Tracker):
    """A follower that continues with another run's values where they are known, and disturbs all others.

    Attributes:
      computed: at the places of known values, the values that this run computes from earlier known values.

    Args:
      others: the other run's values.
      disturbed: disturbs the other values; None for an undisturbed run.
    """

    def __init__(self, operations: Operations, others: Known, disturbed: Disturbed | None = None) -> None:
        super().__init__(operations)
        self.computed: dict[tuple[Place, int], Value] = {}
        self._others = others
        self._disturbed = disturbed or Unwatched()

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        self.enter(plan, step)
        self._disturbed.before(plan, step, operands)

    def failed(self, plan: Plan, step: Step) -> None:
        super().failed(plan, step)
        self._disturbed.failed(plan, step)

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        place, lifted = self.leave()
        changed = self._disturbed.after(plan, step, operands, results)
        if lifted or step.name in CONTROL_FLOW:
            return changed
        new = list(results if changed is None else changed)
        for index, value in enumerate(new):
            other = self._others.get(place, index)
            if other is not None and np.shape(other) == np.shape(value):
                self.computed[place, index] = value
                new[index] = other if np.ndim(other) else np.asarray(other)[()]
        return new


def far_places(trip_counts: TripCounts, others: Known) -> list[Place]:
    """The places where a value of another run differs by more than the effect of rounding from the value that
    hlokit computes from earlier values of that run."""
    operations = trip_counts.operations
    mine = Segments(operations, others)
    trip_counts.follow(mine)
    effects = dict.fromkeys(mine.computed, 0.0)
    for seed in (0, 1):
        disturbed = Segments(operations, others, Disturbed(Disturbance(operations, seed)))
        trip_counts.follow(disturbed)
        for key, effect in effects.items():
            value = mine.computed[key]
            effects[key] = max(effect, spread(value, [disturbed.computed.get(key, value)]))
        effects = {
            key: effect
            for key, effect in effects.items()
            if effect * _SUSPICIOUS < spread(mine.computed[key], [others.get(*key)])
        }
        if not effects:
            break
    return [place for place, _ in effects]


def moved(mine: Any, others: Sequence[Any], theirs: Any) -> npt.NDArray[np.float64]:
    """The effect of disturbances on each element of a result, which is compared with another side's.

    That of an integer is its own, and infinite if an element is finite in some runs only. Which floats change
    most may depend on roundings, how many do does not: the largest effects count for the elements that differ
    most, each effect for `_SHARED` of them.
    """
    effects = _distances(mine, others)
    if np.asarray(mine).dtype.kind in "biu":
        return effects
    is_finite = np.isfinite(effects)
    gaps = _distances(mine, [theirs])[is_finite]
    by_size = np.sort(effects[is_finite])[::-1]
    shared = np.empty_like(by_size)
    shared[np.argsort(-gaps)] = by_size[np.arange(by_size.size) // _SHARED]
    result = np.full(effects.shape, np.inf)
    result[is_finite] = shared
    return result


def spread(mine: Any, others: Sequence[Any]) -> float:
    """The largest distance of other values from a value; infinite if only one of two is finite."""
    return float(_distances(mine, others).max(initial=0.0))


def _distances(mine: Any, others: Sequence[Any]) -> npt.NDArray[np.float64]:
    """The largest distance of other values from each element; infinite if only one of two is finite."""
    array = np.asarray(mine)
    wide = np.complex128 if array.dtype.kind == "c" else np.float64
    a = array.astype(wide)
    largest = np.zeros(a.shape)
    with np.errstate(all="ignore"):
        for other in others:
            b = np.asarray(other).astype(wide)
            if a.shape != b.shape:
                return np.full(a.shape, np.inf)
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            distance = np.where(same, 0.0, np.abs(b - a))
            largest = np.maximum(largest, np.where(np.isfinite(distance), distance, np.inf))
    return largest
