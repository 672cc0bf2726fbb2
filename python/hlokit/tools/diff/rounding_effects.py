"""The effect of rounding on the results of a program: how far correct implementations may differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.tools.backends.side import flat_values
from hlokit.tools.diff.comparing.verdicts import DIFFERING, Allowance, Array, Comparison, compare
from hlokit.tools.diff.flow.disturbed import Disturb, disturbed_runs, moved
from hlokit.tools.diff.instrumented.values import SLACK
from hlokit.values.element_types import ElementType
from hlokit.values.types import ValueType

# Runs that show which integers depend on roundings: each finds a half of them or more.
_STRONG_RUNS = 6
# Runs that show the effect on floats, and the most if none of these has an effect.
_RUNS, _MOST_RUNS = 2, 8


class RoundingEffects:
    """The allowed differences of results, from runs that are disturbed when a difference asks for them.

    Args:
      disturb: the results of a run that a seed disturbs by some units.
      outputs: the types of the results.
    """

    def __init__(self, disturb: Disturb, outputs: Sequence[ValueType]) -> None:
        self._outputs = outputs
        self._runs = disturbed_runs(disturb)
        self._results: list[list[Value]] = []
        self._strong_runs = disturbed_runs(disturb, range(_STRONG_RUNS), SLACK)
        self._strong_results: list[list[Value]] = []
        self._further_runs = disturbed_runs(disturb, range(_RUNS, _MOST_RUNS))

    def compare(
        self, index: int, mine: Value, theirs: Any, element_type: ElementType, own: Value
    ) -> Comparison:
        """Compare a result with the other side's; more runs are disturbed only if the first ones do not
        explain the difference.

        Args:
          own: the result that disturbances change, which `mine` may be.
        """
        allowances = self.allowances(index, own, theirs)
        comparison = compare(mine, theirs, element_type, lambda: next(allowances))
        while comparison.verdict in DIFFERING and (allowed := next(allowances, None)) is not None:
            comparison = compare(mine, theirs, element_type, lambda allowed=allowed: allowed)
        return comparison

    def allowances(self, index: int, mine: Value, theirs: Any) -> Iterator[Allowance]:
        """Allowed differences of a result from the other side's, from the one that takes least time to the
        largest.

        Integers are what floats were rounded to, or where the largest one is. Disturbances of one unit seldom
        change them, and those of some units may: of an integer that such disturbances do not change, no
        difference is allowed. Disturbances of a float may cancel each other: if all runs leave a result as it
        is, further runs follow until one does not.
        """
        size = np.zeros(())
        for count in range(1, _RUNS + 1):
            while len(self._results) < count and (run := next(self._runs, None)) is not None:
                self._results.append(flat_values(run, self._outputs))
            size = SLACK * moved(mine, [results[index] for results in self._results[:count]], theirs)
            yield _allowed(size, 1.0)
        if np.asarray(mine).dtype.kind in "biu":
            self._strong_results += [flat_values(run, self._outputs) for run in self._strong_runs]
            results = (*self._results, *self._strong_results)
            size = SLACK * moved(mine, [run[index] for run in results], theirs)
            yield _allowed(size, SLACK)
        elif not size.any():
            while not size.any() and (run := next(self._further_runs, None)) is not None:
                self._results.append(flat_values(run, self._outputs))
                size = SLACK * moved(mine, [results[index] for results in self._results], theirs)
            yield _allowed(size, 1.0)


def _allowed(size: Array, units: float) -> Allowance:
    """The allowed difference of each element. Where roundings decide which elements are finite, they may
    decide it of other elements on the other side."""
    what = f"{SLACK:g} times the effect of {units:g} ULP of each operation"
    return Allowance(size, what, decides_finite=bool(np.isinf(size).any()))
