"""A run in which sums are rounded together with the products that compute their operands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import EvaluationError
from hlokit.tools.backends.side import flat_values
from hlokit.tools.diff.comparing.explanations import FUSED, has_bits
from hlokit.tools.diff.comparing.history import History
from hlokit.tools.diff.comparing.multiply_adds import fused
from hlokit.tools.diff.comparing.recomputed import factors_of
from hlokit.tools.diff.comparing.verdicts import Array, Comparison
from hlokit.tools.diff.flow.following import OutsideAppliedRegions
from hlokit.tools.diff.flow.time_limits import RanOutOfTime
from hlokit.tools.diff.work import Work


class Fused(OutsideAppliedRegions):
    """A follower that rounds a product and the sum after it once.

    Args:
      of_last: whether it is the last operand of a sum of two products whose product is not rounded.

    Attributes:
      has_fused, has_choice: whether there was such a sum, and one of two products.
    """

    def __init__(self, *, of_last: bool) -> None:
        super().__init__()
        self.has_fused = self.has_choice = False
        self._position = -1 if of_last else 0
        self._history = History()
        self._level = 0

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        super().before(plan, step, operands)
        self._history.read(self._level, plan, step, operands)
        self._level += 1

    def failed(self, plan: Plan, step: Step) -> None:
        super().failed(plan, step)
        self._level -= 1

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        del plan, results
        self._level -= 1
        if not self.leave(step):
            return None
        candidates = self._candidates(step, operands)
        if not candidates:
            return None
        self.has_fused = True
        self.has_choice |= len(candidates) > 1
        result = candidates[self._position]
        return [result if result.ndim else result[()]]

    def _candidates(self, step: Step, operands: Sequence[Value]) -> list[Array]:
        if step.name not in ("stablehlo.add", "stablehlo.subtract"):
            return []
        first, second = map(np.asarray, operands)
        if first.dtype.kind not in "fV":
            return []
        factors = factors_of(self._history.run_at(self._level), step)
        with np.errstate(all="ignore"):
            return list(fused(step.name, (first, second), factors))


def with_fused_sums(work: Work, results: list[Comparison]) -> list[Comparison]:
    """The comparisons of results, explained if a run with fused sums gives the other side's bits."""
    outputs = work.signature.outputs
    for of_last in (False, True):
        follower = Fused(of_last=of_last)
        try:
            run = flat_values(work.trip_counts.follow(follower), outputs)
        except (EvaluationError, RanOutOfTime):
            return results
        if follower.has_fused and len(run) == len(results):
            results = list(map(_explained, results, run, work.theirs or ()))
        if not follower.has_choice:
            return results
    return results


def _explained(result: Comparison, value: Value, other: Any) -> Comparison:
    if result.verdict != "within" or not has_bits(np.asarray(value), np.asarray(other)):
        return result
    return replace(result, explanation=FUSED)
