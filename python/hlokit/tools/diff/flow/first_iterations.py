"""Runs that follow only the first iterations of loops; all others take the time of a plain run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from hlokit.engine.contract.registry import Kernel, Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Step
from hlokit.tools.diff.flow.following import FollowedRuns, Follower
from hlokit.tools.diff.flow.trip_counts import Counting, TripCounts

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir

# Runs of about so many operations are long: of each loop, only the first iterations are compared, unless
# these do not show why the results differ.
_LONG = 1 << 12
_OF_LONG_RUNS = 2


class FirstIterations:
    """Runs of a function that follow the first iterations of its loops.

    All of them share the kernels that evaluate the other iterations, which take time to compile.

    Args:
      most: the number of iterations of each loop that call the follower; None for all.
    """

    def __init__(self, runs: FollowedRuns, most: int | None = None) -> None:
        self.most = most
        self._runs = runs
        self._planner = runs.program.runs.planner()
        self._kernels: dict[ir.Operation, Kernel] = {}

    def follow(self, follower: Follower) -> tuple[Value, ...]:
        """Evaluate the function with a follower."""
        if self.most is None:
            return self._runs.follow(follower)
        first = _OfFirstIterations(self.kernel, follower, self.most)
        return self._runs.follow(first, first.run)

    def kernel(self, loop: ir.Operation) -> Kernel:
        """The kernel of a loop, which calls no follower."""
        if loop not in self._kernels:
            kernel, _ = self._planner.operation(loop)
            assert isinstance(kernel, Kernel)
            self._kernels[loop] = kernel
        return self._kernels[loop]


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


class _OfFirstIterations(Counting):
    """A follower of the first iterations of loops, whose kernels evaluate the others."""

    def __init__(self, kernel_of: Callable[[ir.Operation], Kernel], follower: Follower, most: int) -> None:
        super().__init__(follower, _ByCondition(), most)
        self._kernel_of = kernel_of

    def rest_of(self, step: Step, operands: Sequence[Value], state: Sequence[Value]) -> Sequence[Value]:
        kernel = self._kernel_of(operation_of(step))
        results = kernel.function(*state, *operands[len(state) :])
        return (results,) if len(state) == 1 else cast("tuple[Value, ...]", results)
