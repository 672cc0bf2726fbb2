"""One evaluation of an operation, and its comparison with other results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import ArgumentError
from hlokit.programs.program import Program
from hlokit.tools.diff.comparing.bounds import Evaluated, allowance
from hlokit.tools.diff.comparing.verdicts import DIFFERING, Allowance, Comparison, compare
from hlokit.tools.diff.flow.following import Follower, follow
from hlokit.tools.excerpts.self_checking import types_of
from hlokit.tools.recording.places import Operations, Place, Tracker
from hlokit.tools.reduce.predicates import Outcome
from hlokit.values.types import TensorType


class Evaluation(NamedTuple):
    """An operation with its operands and results in a run."""

    step: Step
    operands: list[Any]
    results: list[Any]

    @property
    def types(self) -> list[TensorType]:
        """The types of operands, including captured values, then of results."""
        return types_of(self.step, self.operands, self.results)


class _EvaluationAt(Tracker):
    """A follower that stores the evaluation at a place; another follower determines the values of the run."""

    def __init__(self, operations: Operations, place: Place, inner: Follower | None) -> None:
        super().__init__(operations)
        self.evaluation: Evaluation | None = None
        self._place = place
        self._inner = inner

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        super().before(plan, step, operands)
        if self._inner is not None:
            self._inner.before(plan, step, operands)

    def failed(self, plan: Plan, step: Step) -> None:
        super().failed(plan, step)
        if self._inner is not None:
            self._inner.failed(plan, step)

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        place, _ = self.leave()
        if place == self._place:
            self.evaluation = Evaluation(step, list(map(np.array, operands)), list(map(np.array, results)))
        return None if self._inner is None else self._inner.after(plan, step, operands, results)


def evaluation_at(
    program: Program, values: Sequence[Value], function: str, place: Place, inner: Follower | None = None
) -> Evaluation:
    """The evaluation of the operation at a place.

    Args:
      inner: determines the values with which the run continues; by default its own values.

    Raises:
      ArgumentError: the run does not reach the place, or the values are not tensors.
    """
    operations = Operations.of_program(program)
    observer = _EvaluationAt(operations, place, inner)
    follow(program, values, function, observer)
    arrays = (
        [] if observer.evaluation is None else [*observer.evaluation.operands, *observer.evaluation.results]
    )
    if observer.evaluation is None or any(array.dtype.kind == "O" for array in arrays):
        raise ArgumentError(
            f"{operations.all[place[-1]].name} cannot be isolated: its operands or results are not tensors"
        )
    return observer.evaluation


class Judged(NamedTuple):
    """The comparison of the results of an operation with the results of another run.

    Attributes:
      expected: the results of the other run; the operation's own result where these are unknown.
      allowed: the allowed difference of each result.
      compared: the comparison of each result.
    """

    expected: list[Any]
    allowed: list[Allowance]
    compared: list[Comparison]

    @property
    def first(self) -> int | None:
        """The number of the first result that differs."""
        return next(
            (n for n, comparison in enumerate(self.compared) if comparison.verdict in DIFFERING), None
        )

    def outcome(self, index: tuple[int, ...]) -> Outcome:
        """The difference of the first differing result; `index` is the index of its worst element."""
        assert self.first is not None
        comparison = self.compared[self.first]
        what = comparison.verdict if not comparison.note else f"{comparison.verdict}: {comparison.note}"
        return Outcome(True, what, comparison.expected, comparison.actual, index)


def judged(mine: Evaluation, theirs: Sequence[Any]) -> Judged:
    """Compare the results of an evaluation with those of another run.

    Args:
      theirs: the results of the other run; None for an unknown result.
    """
    evaluated = Evaluated(operation_of(mine.step), mine.step.kernel.function, mine.operands, mine.results)
    allowed: list[Allowance] = []
    compared: list[Comparison] = []
    types = mine.types[len(mine.operands) :]
    for index, (ours, their, type_) in enumerate(zip(mine.results, theirs, types, strict=True)):
        allowed.append(allowance(evaluated, index, type_, in_context=True))
        comparison = Comparison("exact")
        if their is not None:
            comparison = compare(ours, their, type_.element_type, lambda index=index: allowed[index])
        compared.append(comparison)
    expected = [ours if their is None else their for ours, their in zip(mine.results, theirs, strict=True)]
    return Judged(expected, allowed, compared)
