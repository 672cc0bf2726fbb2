"""Compares all intermediate values of a program on both sides, place by place.

The other side runs the program with its intermediate values as additional results. Then hlokit runs the
program once more and continues with the other side's values. In this way, hlokit evaluates each operation on
the other side's operands, and a difference is the error of that operation alone. The distance of the values
from hlokit's own run shows the growth of errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.operations.lookup import having
from hlokit.programs.program import Program
from hlokit.tools.backends.side import Side, SideFailed
from hlokit.tools.diff.comparing.bounds import Evaluated, allowance, recomputed
from hlokit.tools.diff.comparing.explanations import explanation
from hlokit.tools.diff.comparing.findings import Finding, Progress, finding, silent
from hlokit.tools.diff.comparing.verdicts import DIFFERING, Allowance, Comparison, compare, distance
from hlokit.tools.diff.flow.dataflow import Dataflow
from hlokit.tools.diff.flow.disturbed import far_places
from hlokit.tools.diff.flow.following import Known, Own, follow
from hlokit.tools.diff.instrumented.applied_regions import Regions
from hlokit.tools.diff.instrumented.extras import ITERATIONS, Values
from hlokit.tools.diff.instrumented.instrumentation import instrument, watchable
from hlokit.tools.recording.places import CONTROL_FLOW, Operations, Place, Tracker
from hlokit.values.types import TensorType

# The largest number of operations that are watched at a time, and of bytes of their results.
MOST_WATCHED = 10_000
MOST_BYTES = 1 << 30
# Operations with the same result for some different operands: such a result may hide a fault of an operand.
_HIDING = having(lambda traits: traits.even or traits.projection or traits.extremum)
# The accepted multiple of the effect of one unit in the last place of each operation.
SLACK = 32.0


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
      judged: numbers of the operations whose operands are all known, so that their own errors can be
        determined; None for all.
      regions: the regions whose values the other run has.
      unrequested: see above.
    """

    def __init__(
        self,
        operations: Operations,
        others: Known,
        own: Known | None = None,
        judged: frozenset[int] | None = None,
        regions: Regions | None = None,
        unrequested: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(operations)
        self._judged = judged
        self.unrequested = unrequested
        self._regions = regions
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
        # The values that each block under way has read, by slot.
        self._read: list[dict[int, Value]] = []
        # Whether operations, which may have regions, are being evaluated on other operands.
        self._is_judging = False

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        if self._is_judging:
            return
        depth = len(self.frames)
        if step is plan.steps[0]:
            self._read[depth:] = [{}]
        del self._read[depth + 1 :]
        self._read[depth].update(zip(step.operands, operands, strict=True))
        super().before(plan, step, operands)

    def failed(self, plan: Plan, step: Step) -> None:
        if not self._is_judging:
            super().failed(plan, step)

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        if self._is_judging:
            return None
        frame = self.frames[-1]
        place, lifted = self.leave()
        if step.name == "stablehlo.while":
            self._compare_iterations(place, max(frame.runs.values(), default=1) - 1)
        if lifted or step.name in CONTROL_FLOW:
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
        is_judged = self._is_judged(place[-1])
        evaluated = Evaluated(operation_of(step), step.kernel.function, operands, results, theirs)
        new: list[Value] = list(results)
        for index, (mine, other) in enumerate(zip(results, theirs, strict=True)):
            type_ = step.result_types[index]
            if other is None or not isinstance(type_, TensorType):
                continue
            element_type = type_.element_type
            allowed = partial(self._allowed, plan, step, evaluated, index, type_) if is_judged else _anything
            comparison = compare(mine, other, element_type, allowed)
            if comparison.verdict == "beyond" and is_judged:
                allowed = partial(self._allowed, plan, step, evaluated, index, type_, is_recomputed=True)
                comparison = compare(mine, other, element_type, allowed)
            if comparison.verdict in ("beyond", "not-finite") and is_judged:
                self._is_judging = True
                words = explanation(evaluated, index, type_, other)
                self._is_judging = False
                comparison = replace(comparison, explanation=words)
            own = None if self._own is None else self._own.get(place, index)
            inherited = None if own is None else distance(own, other)
            grows = inherited is not None and inherited > 2 * self._most
            if comparison.verdict == "exact" and not grows:
                self.exact += 1
            else:
                self._most = max(self._most, inherited or 0.0)
                typed_operands = list(zip(operands, step.operand_types, strict=False))
                difference = finding(
                    self.operations, place, order, index, str(type_), comparison, typed_operands, inherited
                )
                self.findings.append(difference)
            if comparison.verdict != "type":
                new[index] = other if np.ndim(other) else np.asarray(other)[()]
        return new

    def _allowed(
        self,
        plan: Plan,
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
                allowed = recomputed(allowed, plan, step, index, self._read[len(self.frames)])
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
                finding(self.operations, inner.place, order, 0, str(type_), comparison, typed_operands)
            )

    def _compare_iterations(self, place: Place, iterations: int) -> None:
        other = self._others.get(place, ITERATIONS)
        if other is None or int(other) == iterations or self._judged is not None:
            return
        comparison = Comparison(
            "beyond",
            abs(int(other) - iterations),
            expected=str(iterations),
            actual=str(int(other)),
            note="iterations of a loop",
        )
        difference = finding(self.operations, place, self.evaluated, ITERATIONS, "turns", comparison)
        self.findings.append(difference)


def _anything() -> Allowance:
    return Allowance(float("inf"), "not determined: operands are not watched")


def compare_values(
    program: Program,
    values: Sequence[Value],
    function: str,
    side: Side,
    operations: Operations,
    progress: Progress = silent,
    most_watched: int = MOST_WATCHED,
    *,
    is_thorough: bool = True,
) -> Following:
    """Compare all values of a function with those of another side.

    If the other side cannot run the program that also returns the values in regions of reductions, it runs a
    program without these values. Of programs with many operations, the comparison first watches an evenly
    spread selection, and the operands of operations whose results may hide a fault; then the operations
    before each value that differs by more than the effect of rounding from the value that hlokit computes
    from earlier ones.

    Args:
      most_watched: the number of operations that are watched at a time; the first time, as many operands in
        addition.
      is_thorough: whether to watch all operations, some at a time, if the selection shows no fault.

    Raises:
      SideFailed: the other side did not run the instrumented program.
    """
    own = Own(operations, watchable(operations.all))
    follow(program, values, function, own)
    reached = list(dict.fromkeys([place[-1] for place, _ in own.values]))  # in the order of the run
    flow = Dataflow(operations, function)
    # Without the decisions of control flow, hlokit would take other branches than the other side.
    deciding, predicates = sorted(flow.deciding().intersection(reached)), flow.predicates()
    regions = Regions(program, operations, frozenset(reached))
    size = sum(value.nbytes * regions.weight(place[-1]) for (place, _), value in own.values.items())
    if size > MOST_BYTES:
        most_watched = max(1, min(most_watched, len(reached) * MOST_BYTES // size))

    def run(window: frozenset[int]) -> Values:
        if regions.numbers.keys() & window:
            try:
                return _run(program, values, function, side, window, own.iterations, regions, predicates)
            except SideFailed as failure:
                regions.close(f"without the values in regions of reductions and sorts: {failure}")
        return _run(program, values, function, side, window, own.iterations, regions, predicates)

    def look(window: Sequence[int]) -> tuple[Following, Known]:
        """Compare the values of some operations."""
        progress("values", len(window), len(reached))
        window = list(dict.fromkeys([*window, *deciding]))
        others = run(frozenset(window))
        is_whole = len(window) == len(reached)
        judged = None if is_whole else flow.with_known_operands(window)
        unrequested = frozenset(reached).difference(window)
        following = Following(operations, others, own, judged, regions, unrequested)
        following.results = follow(program, values, function, following)
        return following, others

    def search() -> Following:
        chosen = _evenly_spread(reached, most_watched)
        if len(chosen) < len(reached) and size <= MOST_BYTES:
            hidden = flow.sources(_HIDING) & set(reached).difference(chosen)
            chosen = _in_order([*chosen, *_evenly_spread(sorted(hidden), most_watched)], reached)
        first, others = look(chosen)
        if len(chosen) == len(reached) or _has_fault(first):
            return first
        places = far_places(program, values, function, operations, others)
        parts = _before(places, chosen, reached, flow, most_watched)
        for window in (*parts, *(_parts(reached, most_watched) if is_thorough else ())):
            following, _ = look(flow.with_operands(window, set(reached)))
            if _has_fault(following):
                return following
        return first

    try:
        following = search()
    finally:
        reason = regions.reason
        regions.close()
    following.reason = reason
    return following


def _has_fault(following: Following) -> bool:
    return any(difference.comparison.verdict in DIFFERING for difference in following.findings)


def _before(
    places: Sequence[Place], chosen: Sequence[int], reached: Sequence[int], flow: Dataflow, most: int
) -> Iterator[Sequence[int]]:
    """The operations that compute the values at these places from chosen values."""
    others = set(reached).difference(chosen)
    for number in dict.fromkeys([place[-1] for place in places]):
        needed = {number}
        waiting = [number]
        while waiting:
            new = flow.operands(waiting.pop()) & others - needed
            needed |= new
            waiting += new
        yield from _parts(_in_order(needed, reached), most)


def _in_order(numbers: Iterable[int], reached: Sequence[int]) -> list[int]:
    wanted = set(numbers)
    return [number for number in reached if number in wanted]


def _parts(numbers: Sequence[int], most: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(numbers), most):
        yield numbers[start : start + most]


def _evenly_spread(numbers: Sequence[int], most: int) -> list[int]:
    if len(numbers) <= most:
        return list(numbers)
    chosen = np.linspace(0, len(numbers) - 1, most).astype(int)
    return [numbers[position] for position in sorted(set(chosen.tolist()))]


def _run(
    program: Program,
    values: Sequence[Value],
    function: str,
    side: Side,
    watched: frozenset[int],
    iterations: Mapping[int, int],
    regions: Regions,
    predicates: Mapping[int, int],
) -> Values:
    instrumented = instrument(program.module, function, watched, iterations, regions.numbers)
    count = len(program.signature(function).outputs)
    results = side.run(instrumented.module, [np.asarray(value) for value in values], function)
    return Values(instrumented.extras, results[count:], predicates)
