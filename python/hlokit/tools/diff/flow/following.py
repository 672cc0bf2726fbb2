"""Runs in which an observer may replace results by other values.

    changed = follow(program, values, "main", observer)

`after` of such an observer returns None, or the results with which the run continues. A run can therefore
follow the values of another run, which isolates the error of each operation, or be disturbed on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol, cast

from hlokit.engine.contract import run_context
from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.plan.block import Tier, Tiers
from hlokit.engine.plan.evaluate import evaluate
from hlokit.engine.plan.executors import BlockFunction
from hlokit.engine.plan.plan import Plan, Step
from hlokit.operations.lookup import traits_of
from hlokit.programs.program import Program
from hlokit.tools.diff.flow.time_limits import limited
from hlokit.tools.recording.places import CONTROL_FLOW, Operations, Place, Tracker

# Bytes of hlokit's own values that are stored for the growth of errors.
MOST_KEPT = 1 << 29


class Follower(Protocol):
    """An observer whose `after` may return other results."""

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None: ...

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None: ...

    def failed(self, plan: Plan, step: Step) -> None: ...


class Known(Protocol):
    """Values of another run by place."""

    def get(self, place: Place, result: int) -> Any | None: ...


class Unwatched:
    """A follower that changes no values."""

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        del plan, step, operands

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        del plan, step, operands, results

    def failed(self, plan: Plan, step: Step) -> None:
        del plan, step


def following_planner(program: Program, run: Callable[..., Any]) -> Planner:
    """A planner of a program whose plans a function evaluates, given the plan and its arguments."""

    def executor(plan: Plan) -> BlockFunction:
        return partial(run, plan)

    tier = Tier((), executor)
    tiers = Tiers(tier, tier, tier, tier, is_observed=True)
    return program.runs.planner(tiers)


class FollowedRuns:
    """Runs of a function with followers, one after the other. They share the plans, which take time to make.

    runs = FollowedRuns(program, values, "main")
    results = runs.follow(follower)
    """

    def __init__(self, program: Program, values: Sequence[Value], function: str) -> None:
        self.program = program
        self._values = values
        self._function = function
        self._planner = following_planner(program, self._evaluated)
        self._run: Callable[..., Any] = run_plan
        self._follower: Follower = Unwatched()

    def follow(self, follower: Follower, run: Callable[..., Any] | None = None) -> tuple[Value, ...]:
        """Evaluate the function, as `Runs.evaluate` does, with a follower.

        Args:
          run: evaluates a plan, given the plan, the follower, and the arguments; `run_plan` by default.

        Raises:
          RanOutOfTime: the run took longer than the time limit of runs.
        """
        self._follower, self._run = follower, run or run_plan
        try:
            with run_context.use(run_context.RunContext(write=_drop)):
                return limited(lambda: evaluate(self._planner.function(self._function), self._values))
        finally:
            self._follower = Unwatched()  # which may have many values

    def _evaluated(self, plan: Plan, *arguments: Value) -> Any:
        return self._run(plan, self._follower, *arguments)


def follow(program: Program, values: Sequence[Value], function: str, follower: Follower) -> tuple[Value, ...]:
    """One run of a function with a follower."""
    return FollowedRuns(program, values, function).follow(follower)


def _drop(text: str) -> None:
    del text


def run_plan(plan: Plan, follower: Follower, *arguments: Value) -> Any:
    """Evaluate a plan step by step."""
    slots: list[Value] = [None] * plan.slot_count
    slots[: len(arguments)] = arguments
    for slot, value in plan.constants:
        slots[slot] = value
    for step, frees in zip(plan.steps, plan.frees, strict=True):
        operands = [slots[operand] for operand in step.operands]
        follower.before(plan, step, operands)
        try:
            result = step.kernel.function(*operands)
        except BaseException:
            follower.failed(plan, step)
            raise
        results = (result,) if len(step.results) == 1 else cast("tuple[Value, ...]", result)
        replaced = follower.after(plan, step, operands, results)
        if replaced is not None:
            results = replaced
        for slot, value in zip(step.results, results, strict=True):
            slots[slot] = value
        for slot in frees:
            slots[slot] = None
    if len(plan.outputs) == 1:
        return slots[plan.outputs[0]]
    return tuple([slots[output] for output in plan.outputs])


def run_unwatched(plan: Plan, *arguments: Value) -> Any:
    """Evaluate a plan step by step, without a follower."""
    return run_plan(plan, Unwatched(), *arguments)


class Own(Tracker):
    """An observer that stores hlokit's own values."""

    def __init__(self, operations: Operations, wanted: frozenset[int] | None, limit: int = MOST_KEPT) -> None:
        super().__init__(operations)
        self.values: dict[tuple[Place, int], Any] = {}
        self._wanted = wanted
        self._left = limit

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        del plan, operands
        place, lifted = self.leave()
        if (
            lifted
            or step.name in CONTROL_FLOW
            or (self._wanted is not None and place[-1] not in self._wanted)
        ):
            return
        for index, value in enumerate(results):
            size = getattr(value, "nbytes", None)
            if size is not None and size <= self._left:
                self._left -= size
                self.values[place, index] = value

    def get(self, place: Place, result: int) -> Any | None:
        """The value of a result at a place; None if it was not stored."""
        return self.values.get((place, result))


class OutsideAppliedRegions:
    """A base of observers and followers of the steps outside of regions that are applied to elements."""

    def __init__(self) -> None:
        self._depth = 0  # the nesting depth of regions that are applied to elements

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        del plan, operands
        self._depth += traits_of(step.name).applies

    def failed(self, plan: Plan, step: Step) -> None:
        del plan
        self._depth -= traits_of(step.name).applies

    def leave(self, step: Step) -> bool:
        """Record the end of a step; whether the step is outside of all such regions."""
        self._depth -= traits_of(step.name).applies
        return not self._depth
