"""The numbers of iterations of loops in a run, which later runs obey.

A loop that ends when two floats are equal may never end once a float is changed. Runs with changed values
therefore take as many iterations as the unchanged run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.run_context import RunContext
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.interpreter.settings import Variant
from hlokit.engine.plan.plan import Plan, Step
from hlokit.mlir.queries.module import any_within, called_functions, operations_within
from hlokit.programs.program import Program
from hlokit.tools.diff.flow.changed_runs import ChangedPlans, Counts
from hlokit.tools.diff.flow.disturbances import Disturbance
from hlokit.tools.diff.flow.following import FollowedRuns, Follower, run_plan
from hlokit.tools.diff.flow.time_limits import limited
from hlokit.tools.recording.places import LOOP, Operations

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir


class _Loop:
    """A loop that is being evaluated.

    Attributes:
      condition: the plan of its condition: the first plan that runs.
      tests: the number of evaluations of the condition.
      iterations: the number of iterations that the loop must take; None if the condition decides.
      most: the number of iterations after which the loop ends in any case; None without such a number.
      own: the number of iterations after which the condition itself would have ended the loop; None before.
    """

    __slots__ = ("condition", "iterations", "most", "own", "tests")

    def __init__(self, iterations: int | None, most: int | None) -> None:
        self.iterations = iterations
        self.most = most
        self.condition: Plan | None = None
        self.tests = 0
        self.own: int | None = None

    def tested(self, outcome: Any) -> Any:
        """The predicate that the loop obeys, from the outcome of its condition."""
        if self.own is None and not bool(outcome):
            self.own = self.tests
        self.tests += 1
        if self.most is not None and self.tests > self.most:
            return np.bool_(False)
        return outcome if self.iterations is None else np.bool_(self.tests <= self.iterations)


def follow_counted(runs: FollowedRuns, follower: Follower, counts: Counts) -> tuple[Value, ...]:
    """Evaluate a function with a follower; loops take the iterations that `counts` decides."""
    counting = Counting(follower, counts)
    return runs.follow(counting, counting.run)


class TripCounts:
    """The numbers of iterations in a run of a function.

    trip_counts = TripCounts(program, values, "main")
    results = trip_counts.results()
    changed = trip_counts.follow(follower)
    """

    def __init__(self, program: Program, values: Sequence[Value], function: str) -> None:
        self.program = program
        self.values = values
        self.function = function
        self._recorded: dict[ir.Operation, list[int]] | None = None

    def results(self) -> tuple[Value, ...]:
        """The results of an unchanged run, which also counts the iterations."""
        context = RunContext()
        if self._recorded is None and self._has_loops:
            return self._record(context)
        return limited(lambda: self.program.runs.evaluate(self.values, self.function, context=context))

    def follow(self, follower: Follower) -> tuple[Value, ...]:
        """Evaluate the function with a follower; each loop takes as many iterations as without it."""
        return follow_counted(self.runs, follower, self._counts())

    def disturbed(self, seed: int, units: float = 1.0) -> tuple[Value, ...]:
        """Evaluate the function with disturbed values (`Disturbance`), in the same iterations."""
        disturbance = Disturbance(self.operations, seed, units)
        changed = ChangedPlans(self.program.module, self._counts(), disturbance)
        return self._evaluated(changed, RunContext(write=lambda _: None))

    @cached_property
    def runs(self) -> FollowedRuns:
        """Runs of the function with followers."""
        return FollowedRuns(self.program, self.values, self.function)

    @cached_property
    def operations(self) -> Operations:
        """The operations of the program."""
        return Operations.of_program(self.program)

    def most_iterations(self) -> dict[int, int]:
        """The largest number of iterations of each loop, by its number."""
        counts = self._iterations()
        return {self.operations.number_within(loop): max(own) for loop, own in counts.items()}

    def evaluations(self) -> int:
        """About as many operations as the run evaluates."""
        loops = [(_size_of(loop), sum(own)) for loop, own in self._iterations().items()]
        return len(self.operations.all) + sum(size * iterations for size, iterations in loops)

    def _counts(self) -> Recorded:
        """Decides the iterations of all loops of a run."""
        return Recorded(self._iterations())

    def _iterations(self) -> dict[ir.Operation, list[int]]:
        """The iterations of each evaluation of each loop, which the first run that ends records."""
        if self._recorded is None and self._has_loops:
            self._record(RunContext(write=lambda _: None))
        return self._recorded or {}

    @cached_property
    def _has_loops(self) -> bool:
        return any_within(self.program.module.operation, lambda operation: operation.name == LOOP)

    def _record(self, context: RunContext) -> tuple[Value, ...]:
        """The results of a run that records the iterations."""
        recorded: dict[ir.Operation, list[int]] = {}
        counts = Recorded(recorded, is_recording=True)
        results = self._evaluated(ChangedPlans(self.program.module, counts), context)
        self._recorded = recorded
        return results

    def _evaluated(self, variant: Variant, context: RunContext) -> tuple[Value, ...]:
        """The results of a run of a variant of the program."""
        runs = self.program.runs
        return limited(lambda: runs.evaluate_variant(self.values, self.function, variant, context))


def _size_of(loop: ir.Operation) -> int:
    """The number of operations in a loop, and in the functions that it calls."""
    return sum([len(operations_within(part)) for part in (loop, *called_functions(loop).values())])


class Recorded:
    """The iterations of each evaluation of each loop, in order."""

    def __init__(self, recorded: dict[ir.Operation, list[int]], *, is_recording: bool = False) -> None:
        self._recorded = recorded
        self._is_recording = is_recording
        self._evaluations: Counter[ir.Operation] = Counter()

    def iterations_of(self, step: Step) -> int | None:
        """The recorded iterations: those of the last evaluation, if the loop is evaluated more often."""
        operation = operation_of(step)
        recorded = () if self._is_recording else self._recorded.get(operation, ())
        if not recorded:
            return None
        number = self._evaluations[operation]
        self._evaluations[operation] += 1
        return recorded[min(number, len(recorded) - 1)]

    def ended(self, step: Step, own: int) -> None:
        if self._is_recording:
            self._recorded.setdefault(operation_of(step), []).append(own)


class Counting:
    """A follower that decides the iterations of loops, and otherwise asks another follower.

    Args:
      most: the iterations after which all loops end in any case.
    """

    def __init__(self, follower: Follower, counts: Counts, most: int | None = None) -> None:
        self._follower = follower
        self._counts = counts
        self._most = most
        self._loops: list[_Loop] = []

    def run(self, plan: Plan, follower: Follower, *arguments: Value) -> Any:
        """Evaluate a plan: that of a condition returns what the loop obeys."""
        loop = self._loops[-1] if self._loops else None
        if loop is not None and loop.condition is None:
            loop.condition = plan
        outcome = run_plan(plan, follower, *arguments)
        return loop.tested(outcome) if loop is not None and loop.condition is plan else outcome

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        self._follower.before(plan, step, operands)
        if step.name == LOOP:
            self._loops.append(_Loop(self._counts.iterations_of(step), self._most))

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        if step.name == LOOP:
            loop = self._loops.pop()
            self._counts.ended(step, loop.tests if loop.own is None else loop.own)
            if loop.own is None and self._most is not None:
                results = self.rest_of(step, operands, results)
                return self._follower.after(plan, step, operands, results) or results
        return self._follower.after(plan, step, operands, results)

    def rest_of(self, step: Step, operands: Sequence[Value], state: Sequence[Value]) -> Sequence[Value]:
        """The results of a loop that has ended before its condition ended it.

        Args:
          operands: the operands of the loop, and the values that its regions capture.
          state: its state after the last iteration.
        """
        del step, operands
        return state

    def failed(self, plan: Plan, step: Step) -> None:
        if step.name == LOOP:
            self._loops.pop()
        self._follower.failed(plan, step)
