"""A run that continues with another run's values, and judges each operation on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.tools.diff.comparing.bounds import Evaluated, allowance
from hlokit.tools.diff.comparing.explanations import Explainer
from hlokit.tools.diff.comparing.findings import Finding, ResultAt, finding
from hlokit.tools.diff.comparing.history import History
from hlokit.tools.diff.comparing.recomputed import factors_of, recomputed
from hlokit.tools.diff.comparing.verdicts import DIFFERING, Allowance, Comparison, compare, distance
from hlokit.tools.diff.flow.following import FollowedRuns, Known
from hlokit.tools.diff.flow.trip_counts import Counting
from hlokit.tools.diff.instrumented.applied_regions import Regions
from hlokit.tools.diff.instrumented.extras import ITERATIONS, MOST_ITERATIONS, TAKEN
from hlokit.tools.diff.instrumented.wiring import Wirings
from hlokit.tools.recording.places import BRANCHING, CONTROL_FLOW, Operations, Place, Tracker, branch_taken
from hlokit.values.types import TensorType


class Window(NamedTuple):
    """The values that a run of the other side was asked for.

    Attributes:
      judged: numbers of the operations whose operands are all known, so that their own errors can be
        determined; None for all.
      regions: the regions whose values the other run has.
      unrequested: the numbers of operations whose values the comparison omits on purpose.
      predicates: the operations that compute the predicates of loops, by the numbers of the loops.
      most: the number of iterations of each loop that are compared; the results of longer loops are those of
        the other run. None for all iterations.
    """

    judged: frozenset[int] | None = None
    regions: Regions | None = None
    unrequested: frozenset[int] = frozenset()
    predicates: Mapping[int, int] | None = None
    most: int | None = None


ALL = Window()


class Following(Tracker):
    """A follower that continues with another run's values, and compares them with hlokit's results.

    Attributes:
      findings: results of operations that are not exactly the same.
      exact: the number of results that are exactly the same.
      missing: the number of evaluations whose values the other run does not have, by operation.
      unwatched: the numbers of these operations.
      unrequested: the numbers of operations whose values the comparison omits on purpose.
      reason: the reason why values in regions were not compared; "" if they were.
      results: results of the run that continues with the other run's values; None before it.

    Args:
      others: the other run's values.
      own: hlokit's own values.
      window: the values that the other run was asked for.
    """

    def __init__(
        self,
        operations: Operations,
        others: Known,
        own: Known | None = None,
        window: Window = ALL,
    ) -> None:
        super().__init__(operations)
        self._predicates = window.predicates or {}
        self._judged = window.judged
        self.unrequested = window.unrequested
        self._regions = window.regions
        self._most_iterations = window.most
        self.findings: list[Finding] = []
        self.exact = 0
        self.reason = ""
        self.results: Sequence[Value] | None = None
        self.missing = Counter[str]()
        self.unwatched: set[int] = set()
        self.evaluated = 0
        self._others = others
        self._own = own
        self._most = 0.0  # the largest distance from hlokit's own values so far
        # The iterations after which the condition of the loop that ended last would have ended it.
        self._own_iterations = 0
        # The number of steps under way when the other run took another branch; None before.
        self._lost_at: int | None = None
        # By their identity: results of loops of which the other run has returned only the first iterations.
        self._unknown: dict[int, Value] = {}
        self._history = History()
        self._explainer = Explainer()
        self._wirings = Wirings(operations)
        # Whether operations, which may have regions, are being evaluated on other operands.
        self._is_judging = False

    def follow(self, runs: FollowedRuns) -> None:
        """Run the function, with the other run's iterations of loops."""
        counting = _Entering(self, self)
        self.results = runs.follow(counting, counting.run)
        first = next((one for one in self.findings if one.comparison.verdict in DIFFERING), None)
        cause = None if first is None else self._wirings.handed_on(first)
        if first is not None and cause is not None:
            self.findings.insert(self.findings.index(first), cause)

    def begin(self, arguments: Sequence[Value]) -> None:
        """A block begins."""
        self._history.begin(arguments)

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        if self._is_judging:
            return
        self._history.read(len(self.frames), plan, step, operands)
        super().before(plan, step, operands)
        if step.name in BRANCHING and self._lost_at is None:
            self._compare_branches(step, operands)

    def failed(self, plan: Plan, step: Step) -> None:
        if not self._is_judging:
            super().failed(plan, step)

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        if self._is_judging:
            return None
        place, lifted = self.leave()
        if step.name == "stablehlo.while":
            if (final := self._final_state(place, len(step.result_types))) is not None:
                return final
            self._compare_iterations(place, self._own_iterations)
            if int(self._others.get(place, ITERATIONS) or 0) > MOST_ITERATIONS:
                before = {id(value) for value in operands}  # which a loop may return as they are
                self._unknown |= {id(value): value for value in results if id(value) not in before}
        if lifted or step.name in CONTROL_FLOW or self._lost_at is not None:
            return None
        self._follow_region(place, operands)
        order = self.evaluated
        self.evaluated += 1
        theirs = [self._others.get(place, index) for index in range(len(results))]
        if not any(value is not None for value in theirs):
            if place[-1] not in self.unrequested:
                self.missing[step.name] += 1
                self.unwatched.add(place[-1])
            return None
        is_judged = self._is_judged(place[-1]) and not any(id(value) in self._unknown for value in operands)
        evaluated = Evaluated(operation_of(step), step.kernel.function, operands, results, theirs)
        new: list[Value] = list(results)
        is_right = is_judged
        for index, (mine, other) in enumerate(zip(results, theirs, strict=True)):
            type_ = step.result_types[index]
            if other is None or not isinstance(type_, TensorType):
                continue
            element_type = type_.element_type
            allowed = partial(self._allowed, step, evaluated, index, type_) if is_judged else _anything
            comparison = compare(mine, other, element_type, allowed)
            if comparison.verdict == "beyond" and is_judged:
                allowed = partial(self._allowed, step, evaluated, index, type_, is_recomputed=True)
                comparison = compare(mine, other, element_type, allowed)
            if comparison.verdict != "exact" and is_judged:
                self._is_judging = True
                run = self._history.run_at(len(self.frames))
                factors = partial(factors_of, run, step)
                comparison = self._explainer.explained(comparison, evaluated, index, type_, factors)
                if comparison.verdict in ("beyond", "not-finite") and is_right:
                    is_right = False
                    words = self._wirings.wrong(place, run, step, evaluated, index)
                    comparison = replace(comparison, explanation=comparison.explanation or words)
                self._is_judging = False
            own = None if self._own is None else self._own.get(place, index)
            inherited = None if own is None else distance(own, other)
            grows = inherited is not None and inherited > 2 * self._most
            if comparison.verdict == "exact" and not grows:
                self.exact += 1
            else:
                self._most = max(self._most, inherited or 0.0)
                typed_operands = list(zip(operands, step.operand_types, strict=False))
                at = ResultAt(self.operations, place, order, index, str(type_))
                difference = finding(at, comparison, typed_operands, inherited)
                self.findings.append(difference)
            if comparison.verdict != "type":
                new[index] = other if np.ndim(other) else np.asarray(other)[()]
        if is_right:
            self._wirings.right(place, self._history.run_at(len(self.frames)), step)
        self._history.write(len(self.frames), step, new)
        return new

    def _allowed(
        self,
        step: Step,
        evaluated: Evaluated,
        index: int,
        type_: TensorType,
        *,
        is_recomputed: bool = False,
    ) -> Allowance:
        self._is_judging = True
        try:
            allowed = allowance(evaluated, index, type_, in_context=True)
            if is_recomputed:
                allowed = recomputed(allowed, self._history.run_at(len(self.frames)), step, index)
            return allowed
        finally:
            self._is_judging = False

    def _is_judged(self, number: int) -> bool:
        return self._judged is None or number in self._judged

    def _follow_region(self, place: Place, operands: Sequence[Value]) -> None:
        """Compare the values in the region of an operation; they come before its results.

        A fault that the region shows may come from captured values that are not known.
        """
        if self._regions is None or not self._is_judged(place[-1]):
            return
        for inner in self._regions.evaluate(place, operands, self._others):
            order = self.evaluated
            self.evaluated += 1
            type_ = inner.step.result_types[0]
            assert isinstance(type_, TensorType), "only such values are given"
            comparison = compare(
                inner.evaluated.results[0],
                inner.theirs,
                type_.element_type,
                lambda inner=inner, type_=type_: allowance(inner.evaluated, 0, type_, in_context=True),
            )
            if comparison.verdict == "exact":
                self.exact += 1
                continue
            typed_operands = list(zip(inner.evaluated.operands, inner.step.operand_types, strict=False))
            self.findings.append(
                finding(
                    ResultAt(self.operations, inner.place, order, 0, str(type_)), comparison, typed_operands
                )
            )

    def iterations_of(self, step: Step) -> int | None:
        """The iterations of a loop that begins: as many as in the other run, or as are compared."""
        place = tuple(self._prefix[:-1])
        other = self._others.get(place, ITERATIONS)
        if self._final_state(place, len(step.result_types)) is not None:
            return self._most_iterations
        return None if other is None else int(other)

    def _final_state(self, place: Place, count: int) -> Sequence[Value] | None:
        """The other run's results of a loop that takes more iterations than are compared."""
        other = self._others.get(place, ITERATIONS)
        if self._most_iterations is None or other is None or int(other) <= self._most_iterations:
            return None
        results = [self._others.get(place, index) for index in range(count)]
        values = [value for value in results if value is not None]
        if len(values) < count:
            return None
        return [value if np.ndim(value) else np.asarray(value)[()] for value in values]

    def ended(self, step: Step, own: int) -> None:
        """A loop ends, whose own condition would have ended it after some iterations."""
        del step
        self._own_iterations = own

    def _compare_branches(self, step: Step, operands: Sequence[Value]) -> None:
        """Compare the branch that begins with the other run's: after another one, nothing is comparable."""
        place = tuple(self._prefix[:-1])
        other = self._others.get(place, TAKEN)
        own = branch_taken(step.name, int(np.asarray(operands[0])), len(step.kernel.regions))
        if other is None or int(other) == own:
            return
        self._lost_at = len(self.frames)
        comparison = Comparison(
            "beyond",
            abs(int(other) - own),
            expected=str(own),
            actual=str(int(other)),
            note="number of a branch",
            unit="",
        )
        difference = finding(ResultAt(self.operations, place, self.evaluated, TAKEN, "branch"), comparison)
        self.findings.append(difference)

    def _compare_iterations(self, place: Place, iterations: int) -> None:
        """Compare the iterations that the condition asks for, on the other run's values, with that run's."""
        other = self._others.get(place, ITERATIONS)
        if other is None or int(other) == iterations or self._lost_at is not None:
            return
        if self._judged is not None and self._predicates.get(place[-1]) not in self._judged:
            return
        comparison = Comparison(
            "beyond",
            abs(int(other) - iterations),
            expected=str(iterations),
            actual=str(int(other)),
            note="iterations of a loop",
            unit="",
        )
        at = ResultAt(self.operations, place, self.evaluated, ITERATIONS, "turns")
        difference = finding(at, comparison)
        self.findings.append(difference)


def _anything() -> Allowance:
    return Allowance(float("inf"), "not determined: operands are not watched")


class _Entering(Counting):
    """Tells a follower which blocks begin."""

    def __init__(self, following: Following, counts: Following) -> None:
        super().__init__(following, counts)
        self._following = following

    def run(self, plan: Plan, follower: Any, *arguments: Value) -> Any:
        self._following.begin(arguments)
        return super().run(plan, follower, *arguments)
