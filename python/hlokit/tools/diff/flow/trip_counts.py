"""The numbers of iterations of loops in a run, which later runs obey.

A loop that ends when two floats are equal may never end once a float is changed. Runs with changed values
therefore take as many iterations as the unchanged run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.mlir.queries.module import any_within
from hlokit.programs.program import Program
from hlokit.tools.diff.flow.following import Follower, follow, run_plan

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir

_LOOP = "stablehlo.while"


class _Loop:
    """A loop that is being evaluated.

    Attributes:
      condition: the plan of its condition: the first plan that runs.
      tests: the number of evaluations of the condition.
      iterations: the number of iterations that the loop must take; None while this number is recorded.
    """

    __slots__ = ("condition", "iterations", "step", "tests")

    def __init__(self, step: Step, iterations: int | None) -> None:
        self.step = step
        self.iterations = iterations
        self.condition: Plan | None = None
        self.tests = 0


class TripCounts:
    """The numbers of iterations in a run of a function.

    trip_counts = TripCounts(program, values, "main")
    results = trip_counts.follow(follower)
    """

    def __init__(self, program: Program, values: Sequence[Value], function: str) -> None:
        self._program = program
        self._values = values
        self._function = function
        self._recorded: dict[ir.Operation, list[int]] | None = None

    def follow(self, follower: Follower) -> tuple[Value, ...]:
        """Evaluate the function with a follower; each loop takes as many iterations as without it."""
        if self._recorded is None:
            self._recorded = {}
            if any_within(self._program.module.operation, lambda operation: operation.name == _LOOP):
                self._run(_Counting(None, self._recorded))
        return self._run(_Counting(follower, self._recorded))

    def _run(self, counting: _Counting) -> tuple[Value, ...]:
        return follow(self._program, self._values, self._function, counting, counting.run)


class _Counting:
    """A follower that records, or prescribes, the iterations of loops, and otherwise asks another follower.

    Args:
      follower: the other follower; None to record.
      recorded: for each loop, the iterations of its evaluations in order.
    """

    def __init__(self, follower: Follower | None, recorded: dict[ir.Operation, list[int]]) -> None:
        self._follower = follower
        self._recorded = recorded
        self._loops: list[_Loop] = []
        self._evaluations: Counter[ir.Operation] = Counter()

    def run(self, plan: Plan, follower: Follower, *arguments: Value) -> Any:
        """Evaluate a plan: that of a condition returns what was recorded."""
        loop = self._loops[-1] if self._loops else None
        if loop is not None and loop.condition is None:
            loop.condition = plan
        outcome = run_plan(plan, follower, *arguments)
        if loop is None or loop.condition is not plan:
            return outcome
        loop.tests += 1
        return outcome if loop.iterations is None else np.bool_(loop.tests <= loop.iterations)

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        if step.name == _LOOP:
            self._loops.append(_Loop(step, self._iterations(step)))
        if self._follower is not None:
            self._follower.before(plan, step, operands)

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        if step.name == _LOOP:
            loop = self._loops.pop()
            if self._follower is None:
                self._recorded.setdefault(operation_of(step), []).append(loop.tests - 1)
        return None if self._follower is None else self._follower.after(plan, step, operands, results)

    def failed(self, plan: Plan, step: Step) -> None:
        if step.name == _LOOP:
            self._loops.pop()
        if self._follower is not None:
            self._follower.failed(plan, step)

    def _iterations(self, step: Step) -> int | None:
        """The iterations of the evaluation that begins; those of the last one that was recorded if a branch
        runs that did not run before."""
        if self._follower is None:
            return None
        operation = operation_of(step)
        recorded = self._recorded.get(operation)
        if not recorded:
            return None
        number = self._evaluations[operation]
        self._evaluations[operation] += 1
        return recorded[min(number, len(recorded) - 1)]
