"""Runs that follow only the first iterations of loops; all others take the time of a plain run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from hlokit.engine.contract.registry import Kernel, Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Step
from hlokit.programs.program import Program
from hlokit.tools.diff.flow.following import Follower, follow
from hlokit.tools.diff.flow.trip_counts import Counting, TripCounts

# Runs of about so many operations are long: of each loop, only the first iterations are compared, unless
# these do not show why the results differ.
_LONG = 1 << 12
_OF_LONG_RUNS = 2


def follow_first(
    program: Program, values: Sequence[Value], function: str, follower: Follower, most: int | None
) -> tuple[Value, ...]:
    """Evaluate a function with a follower.

    Args:
      most: the number of iterations of each loop that call the follower; None for all.
    """
    if most is None:
        return follow(program, values, function, follower)
    first = _FirstIterations(program, follower, most)
    return follow(program, values, function, first, first.run)


def first_iterations(trip_counts: TripCounts) -> int | None:
    """The number of iterations of each loop to compare; None for all, unless the run is long."""
    return _OF_LONG_RUNS if trip_counts.evaluations() >= _LONG else None


def note_of(most: int) -> str:
    """What a report says of a comparison of so many iterations."""
    return f"the run is long: operations in loops were compared in {most} iterations"


class _ByCondition:
    """Lets the conditions of loops decide."""

    def iterations_of(self, step: Step) -> int | None:
        del step

    def ended(self, step: Step, own: int) -> None:
        del step, own


class _FirstIterations(Counting):
    """A follower of the first iterations of loops, whose kernels evaluate the others."""

    def __init__(self, program: Program, follower: Follower, most: int) -> None:
        super().__init__(follower, _ByCondition(), most)
        self._planner = program.runs.planner()
        # By the identity of a step, which the value keeps alive.
        self._kernels: dict[int, tuple[Kernel, Step]] = {}

    def rest_of(self, step: Step, operands: Sequence[Value], state: Sequence[Value]) -> Sequence[Value]:
        if id(step) not in self._kernels:
            kernel, _ = self._planner.operation(operation_of(step))
            assert isinstance(kernel, Kernel)
            self._kernels[id(step)] = kernel, step
        results = self._kernels[id(step)][0].function(*state, *operands[len(state) :])
        return (results,) if len(state) == 1 else cast("tuple[Value, ...]", results)
