"""All values of a program on both sides, at the places where they arise.

The other side runs the program with its intermediate values as more results. Then hlokit runs it once more
and goes on with the other side's values: so each operation is evaluated on the operands that the other side
had, and what differs is that operation's own. How far the values are from hlokit's own run tells how errors
grow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from hlokit.backends.side import Side
from hlokit.contract.registry import Value
from hlokit.differences.bounds import Evaluated, allowance
from hlokit.differences.dataflow import Dataflow
from hlokit.differences.findings import Finding, Progress, finding, silent
from hlokit.differences.following import Disturbed, follow
from hlokit.differences.instrumentation import TURNS, Values, instrument, watchable
from hlokit.differences.verdicts import DIFFERING, Allowance, Comparison, compare
from hlokit.interpreter.planner import operation_of
from hlokit.plan.plan import Plan, Step
from hlokit.program import Program
from hlokit.recording.places import CONTROL_FLOW, Operations, Place, Tracker
from hlokit.values.types import TensorType

# So many operations are watched at a time, and so many bytes of their results.
MOST_WATCHED = 10_000
MOST_BYTES = 1 << 30
# Bytes of hlokit's own values that are kept to tell how errors grow.
MOST_KEPT = 1 << 29
# How many times the difference that one unit in the last place of each operation makes is no surprise.
SLACK = 32.0
# The same where it only tells where to look.
_SUSPICIOUS = 8.0


class Known(Protocol):
    """Values of another run by place."""

    def get(self, place: Place, result: int) -> Any | None: ...


class Own(Tracker):
    """An observer that keeps hlokit's own values, and how often loops turned."""

    def __init__(self, operations: Operations, wanted: frozenset[int] | None, limit: int = MOST_KEPT) -> None:
        super().__init__(operations)
        self.values: dict[tuple[Place, int], Any] = {}
        self.turns: dict[int, int] = {}
        self._wanted = wanted
        self._left = limit

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        del operands
        frame = self.frames[-1]
        place, lifted = self.leave()
        if step.name == "stablehlo.while":
            # The condition is evaluated once more than the body.
            turns = max(frame.runs.values(), default=1) - 1
            self.turns[place[-1]] = max(self.turns.get(place[-1], 0), turns)
        del plan
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
        """The value of a result at a place; None if it was not kept."""
        return self.values.get((place, result))


class Following(Tracker):
    """A follower that goes on with another run's values, and compares each with what hlokit makes of them.

    Args:
      others: the other run's values.
      own: hlokit's own.
      judged: numbers of the operations whose operands are all known; of others it cannot be told what is
        their own doing. None for all.
    """

    def __init__(
        self,
        operations: Operations,
        others: Known,
        own: Known | None = None,
        judged: frozenset[int] | None = None,
    ) -> None:
        super().__init__(operations)
        self._judged = judged
        self.findings: list[Finding] = []
        self.exact = 0
        self.missing = 0
        self.evaluated = 0
        self._others = others
        self._own = own

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        del plan
        frame = self.frames[-1]
        place, lifted = self.leave()
        if step.name == "stablehlo.while":
            self._count_turns(place, max(frame.runs.values(), default=1) - 1)
        if lifted or step.name in CONTROL_FLOW:
            return None
        order = self.evaluated
        self.evaluated += 1
        theirs = [self._others.get(place, index) for index in range(len(results))]
        if not any(value is not None for value in theirs):
            self.missing += 1
            return None
        is_judged = self._judged is None or place[-1] in self._judged
        evaluated = Evaluated(operation_of(step), step.kernel.function, operands, results)
        new: list[Value] = list(results)
        for index, (mine, other) in enumerate(zip(results, theirs, strict=True)):
            type_ = step.result_types[index]
            if other is None or not isinstance(type_, TensorType):
                continue
            comparison = compare(
                mine,
                other,
                type_.element_type,
                lambda index=index, type_=type_: (
                    allowance(evaluated, index, type_, in_context=True) if is_judged else _ANY
                ),
            )
            own = None if self._own is None else self._own.get(place, index)
            inherited = None if own is None else compare(own, other, type_.element_type, lambda: _ANY)
            if comparison.verdict == "exact" and (inherited is None or inherited.verdict == "exact"):
                self.exact += 1
            else:
                given = list(zip(operands, step.operand_types, strict=False))
                found = finding(
                    self.operations, place, order, index, str(type_), comparison, given, inherited
                )
                self.findings.append(found)
            if comparison.verdict != "type":
                new[index] = other if np.ndim(other) else np.asarray(other)[()]
        return new

    def _count_turns(self, place: Place, turns: int) -> None:
        other = self._others.get(place, TURNS)
        if other is None or int(other) == turns:
            return
        comparison = Comparison(
            "beyond",
            abs(int(other) - turns),
            expected=str(turns),
            actual=str(int(other)),
            note="turns of a loop",
        )
        found = finding(self.operations, place, self.evaluated, TURNS, "turns", comparison)
        self.findings.append(found)


_ANY = Allowance(float("inf"), "not told: operands are not watched")


def compare_values(
    program: Program,
    values: Sequence[Value],
    function: str,
    side: Side,
    operations: Operations,
    progress: Progress = silent,
    most_watched: int = MOST_WATCHED,
) -> Following:
    """Compare all values of a function with those of another side.

    Of programs with many operations some are watched first, spread evenly; then those before the first value
    that is farther off than roundings explain; and if that finds no fault, all, some at a time.

    Raises:
      SideFailed: the other side did not run the instrumented program.
    """
    own = Own(operations, watchable(operations.all))
    follow(program, values, function, own)
    reached = list(dict.fromkeys([place[-1] for place, _ in own.values]))  # in the order of the run
    flow = Dataflow(operations, function)
    size = sum(value.nbytes for value in own.values.values())
    if size > MOST_BYTES:
        most_watched = max(1, min(most_watched, len(reached) * MOST_BYTES // size))

    def look(window: Sequence[int]) -> tuple[Following, Known]:
        """Compare the values of some operations."""
        progress("values", len(window), len(reached))
        others = _run(program, values, function, side, frozenset(window), own.turns)
        judged = None if len(window) == len(reached) else flow.with_known_operands(window)
        following = Following(operations, others, own, judged)
        follow(program, values, function, following)
        return following, others

    first, others = look(_thinned(reached, most_watched))
    if len(reached) <= most_watched or _has_fault(first):
        return first
    # A value that is far off tells the part of the program; without one, all parts are looked at in turn.
    part = _narrowed(program, values, function, operations, own, others, _thinned(reached, most_watched))
    parts = list(_parts(part, most_watched)) if part is not None else []
    for window in (*parts, *_parts(reached, most_watched)):
        following, _ = look(flow.with_operands(window, set(reached)))
        if _has_fault(following):
            return following
    return first


def _has_fault(following: Following) -> bool:
    return any(found.comparison.verdict in DIFFERING for found in following.findings)


def _parts(numbers: Sequence[int], most: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(numbers), most):
        yield numbers[start : start + most]


def _thinned(numbers: Sequence[int], most: int) -> list[int]:
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
    turns: Mapping[int, int],
) -> Values:
    made = instrument(program.module, function, watched, turns)
    count = len(program.signature(function).outputs)
    results = side.run(made.module, [np.asarray(value) for value in values], function)
    return Values(made.extras, results[count:])


def _narrowed(
    program: Program,
    values: Sequence[Value],
    function: str,
    operations: Operations,
    own: Own,
    others: Known,
    window: Sequence[int],
) -> list[int] | None:
    """The operations from the last watched value that is not far off to the first that is; None without."""
    disturbed = Own(operations, frozenset(window))

    class Both(Disturbed):
        """A disturbed run whose values are kept."""

        def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
            super().before(plan, step, operands)
            disturbed.before(plan, step, operands)

        def failed(self, plan: Plan, step: Step) -> None:
            super().failed(plan, step)
            disturbed.failed(plan, step)

        def after(
            self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
        ) -> Sequence[Value] | None:
            changed = super().after(plan, step, operands, results)
            disturbed.after(plan, step, operands, results if changed is None else changed)
            return changed

    follow(program, values, function, Both(0))
    since: list[int] = []
    for (place, result), mine in own.values.items():
        since.append(place[-1])
        other, moved = others.get(place, result), disturbed.get(place, result)
        if other is None or moved is None:
            continue
        if is_far(mine, other, [moved]):
            return list(dict.fromkeys(since))
        since = [place[-1]]
    return None


def is_far(mine: Any, theirs: Any, disturbed: Sequence[Any]) -> bool:
    """A value is farther off than what roundings do to hlokit's own."""
    return spread(mine, disturbed) * _SUSPICIOUS < spread(mine, [theirs])


def spread(mine: Any, others: Sequence[Any]) -> float:
    """The largest distance of others to a value; infinite where only one of both is finite."""
    array = np.asarray(mine)
    wide = np.complex128 if array.dtype.kind == "c" else np.float64
    a = array.astype(wide)
    found = 0.0
    with np.errstate(all="ignore"):
        for other in others:
            b = np.asarray(other).astype(wide)
            if a.shape != b.shape:
                return float("inf")
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            distance = np.where(same, 0.0, np.abs(b - a))
            distance = np.where(np.isfinite(distance), distance, np.inf)
            found = max(found, float(distance.max(initial=0.0)))
    return found
