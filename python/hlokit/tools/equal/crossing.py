"""Arguments for which comparisons decide as in no example.

Runs on exact numbers follow the comparisons of their floats, so that they say nothing about a branch that no
run takes, nor about `minimum(x, 8)` where another program has `minimum(x, 6)`, if no float is above 6. So
programs that are equal are compared again, with arguments on both sides of such comparisons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.executors import Observer
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import EvaluationError, HlokitError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import operations_within
from hlokit.operations.cards import card_of
from hlokit.tools.equal.comparisons import Comparison, comparisons_of
from hlokit.tools.equal.rules.formulas import ROUNDED
from hlokit.tools.equal.sides import Pairing, Side, WholeProgram
from hlokit.tools.equal.verdict import ResultCompared, Verdict
from hlokit.values.types import TensorType

# How many times the floats of further examples are as large, half of them, and of which sign.
_SCALES = (-1.0, 8.0, -8.0, 128.0, -128.0, 4096.0, -4096.0)
# The most steps between arguments on both sides: enough to reach an f32 that equals a constant.
_BISECTIONS = 40
# The most comparisons for which arguments are searched, and steps of programs that a search may take.
_MOST_COMPARISONS, _MOST_STEPS = 4, 20_000
# With arguments of the caller there is nothing to search, only what their run decides, in few milliseconds.
_FEW_STEPS = 1000
# A run that takes so many times the steps of the first one does not end soon.
_LONGER = 20
# Arguments that equal a constant are often multiples of 1 / _GRID.
_GRID = 1024
# How many times the examples are as large, half of them, that meet ties of roundings: -4 to 4.
_TIES = 4.0

_NAMES = "first", "second"

Judge = Callable[[Sequence[Any]], Verdict]
Arguments = list[Any]
Evaluate = Callable[[Sequence[Any], Observer], object]


class _Gaps:
    """An observer of comparisons.

    Attributes:
      gaps: the differences of what is compared, by the number of the comparison, when it is first evaluated.
      decisions: how each comparison decides, by its number.
    """

    def __init__(self, comparisons: Sequence[Comparison], most_steps: int) -> None:
        self.gaps: dict[int, Any] = {}
        self.decisions: dict[int, set[bool]] = {}
        self.steps = 0
        self._most_steps, self._comparisons = most_steps, comparisons
        self._numbers: dict[ir.Operation, list[int]] = {}
        for number, comparison in enumerate(comparisons):
            self._numbers.setdefault(comparison.operation, []).append(number)

    def before(self, plan: Plan, step: Step, operands: Sequence[Any]) -> None:
        """A step begins."""
        del plan
        self.steps += 1
        if self.steps > self._most_steps:
            raise EvaluationError("the search for arguments takes too many steps")
        for number in self._numbers.get(operation_of(step), ()):
            comparison = self._comparisons[number]
            one, other = comparison.operands
            floats = np.asarray(operands[one]).astype(np.float64)
            gap = floats if other is None else floats - np.asarray(operands[other]).astype(np.float64)
            self.gaps.setdefault(number, gap)
            decided = comparison.decided(gap)
            self.decisions.setdefault(number, set()).update(
                truth for truth in (False, True) if (decided == truth).any()
            )

    def after(self, plan: Plan, step: Step, operands: Sequence[Any], results: Sequence[Any]) -> None:
        """A step has ended."""


class _Search:
    """Runs of a side on floats, and the search for arguments on both sides of its comparisons.

    Args:
      examples: of the first side, by seed; without them, there is no search.
      first: the arguments of the runs so far.
    """

    def __init__(
        self,
        evaluate: Evaluate,
        comparisons: Sequence[Comparison],
        first: Sequence[Arguments],
        examples: Callable[[int], Arguments] | None,
    ) -> None:
        self._evaluate, self._comparisons, self._examples = evaluate, comparisons, examples
        most = _FEW_STEPS if examples is None else _MOST_STEPS
        self._steps_left = self._most_steps = most
        self._first = first[0]
        self._tried: list[tuple[Arguments, dict[int, Any]]] = []
        self._decisions: dict[int, set[bool]] = {}
        self._try(self._first)
        self._steps = most - self._steps_left  # of the first run
        self._most_steps = _LONGER * self._steps
        for arguments in first[1:]:
            if any(map(self.is_one_sided, range(len(comparisons)))):
                self._try(arguments)
        self._is_scaled = False

    def is_one_sided(self, number: int) -> bool:
        """Whether all runs, of which there is one, have decided a comparison in one way."""
        return bool(self._tried) and len(self._decisions.get(number, ())) < 2

    def around(self, number: int) -> list[Arguments]:
        """Arguments on both sides of a comparison, far from it and near, and perhaps equal; none if not both
        sides are known."""
        self._try_scales()
        for (lower, gaps), (upper, others) in product(self._tried, repeat=2):
            gap, other = _flat(gaps, number), _flat(others, number)
            if gap.shape == other.shape and (crossed := np.flatnonzero((gap < 0) & (other > 0))).size:
                return [lower, upper, *self._bisected(number, int(crossed[0]), lower, upper)]
        return []

    def _try_scales(self) -> None:
        if self._is_scaled or self._examples is None or self._steps * len(_SCALES) > self._steps_left:
            return
        self._is_scaled = True
        generator = np.random.default_rng(0)
        for number, scale in enumerate(_SCALES):
            values = zip(self._first, self._examples(number + 2), strict=True)
            self._try([_scaled(own, value, scale, generator) for own, value in values])

    def _bisected(self, number: int, index: int, lower: Arguments, upper: Arguments) -> list[Arguments]:
        near: list[Arguments] = []
        for _ in range(_BISECTIONS if self._steps * _BISECTIONS <= self._steps_left else 0):
            middle = [_between(*pair) for pair in zip(lower, upper, strict=True)]
            gap = _flat(self._try(middle), number)
            if index >= gap.size or np.isnan(gap[index]):
                break
            lower, upper = (middle, upper) if gap[index] < 0 else (lower, middle)
            near = [lower, upper]
        if near:
            near.append([_on_grid(value) for value in upper])  # bisections do not reach 0
            self._try(near[-1])
        return near

    def _try(self, arguments: Arguments) -> dict[int, Any]:
        """The differences of a run; none if it fails, or takes too many steps."""
        observer = _Gaps(self._comparisons, min(self._most_steps, self._steps_left))
        try:
            with np.errstate(all="ignore"):
                self._evaluate(arguments, observer)
        except HlokitError:
            return {}
        finally:
            self._steps_left -= observer.steps
        self._tried.append((arguments, observer.gaps))
        for number, decisions in observer.decisions.items():
            self._decisions.setdefault(number, set()).update(decisions)
        return observer.gaps


# Arguments -------------------------------------------------------------------------------------------


def _scaled(first: Any, value: Any, scale: float, generator: np.random.Generator) -> Any:
    """Floats of another example, half of them scaled; other values are those of the first one."""
    array = np.asarray(value)
    if not _is_float(array):
        return first
    scales = np.where(generator.random(array.size).reshape(array.shape) < 0.5, scale, 1.0)
    return (array.astype(np.float64) * scales).astype(array.dtype)


def _between(lower: Any, upper: Any) -> Any:
    array = np.asarray(lower)
    if not _is_float(array):
        return lower
    return ((array.astype(np.float64) + np.asarray(upper).astype(np.float64)) / 2).astype(array.dtype)


def _on_grid(value: Any, grid: int = _GRID) -> Any:
    array = np.asarray(value)
    if not _is_float(array):
        return value
    return (np.rint(array.astype(np.float64) * grid) / grid).astype(array.dtype)


def _flat(gaps: dict[int, Any], number: int) -> Any:
    return gaps.get(number, np.empty(0)).ravel()


def _is_float(array: Any) -> bool:
    return array.dtype.kind == "f" or "float" in array.dtype.name


# Verdicts --------------------------------------------------------------------------------------------


class Crossing:
    """Compares programs that are equal where their comparisons decide as in no run so far.

    Args:
      runs: the arguments of the first side in the runs so far.
      examples: further arguments, by a number; None if only the caller's arguments count.
      judge: the verdict for arguments of the first side, which stand for themselves.
    """

    def __init__(
        self,
        sides: tuple[Side, Side],
        pairing: Pairing,
        runs: Sequence[Arguments],
        examples: Callable[[int], Arguments] | None,
        judge: Judge,
    ) -> None:
        self._sides, self._pairing = sides, pairing
        self._runs, self._examples, self._judge = runs, examples, judge

    def checked(self, verdict: Verdict) -> Verdict:
        """A verdict that the programs differ, or that they are equal, with the comparisons of which only one
        decision is known."""
        if (at_ties := self._at_ties()) is not None:
            return at_ties
        comparisons = [comparisons_of(side.program) for side in self._sides]
        conditions: list[str] = []
        for which, (ours, theirs) in enumerate((comparisons, comparisons[::-1])):
            distinct = {other.key: other for other in theirs}
            is_own = [
                one.key not in distinct and not any(map(one.divides_as, distinct.values())) for one in ours
            ]
            own = [one for one, is_new in zip(ours, is_own, strict=True) if is_new]
            # A branch that neither program takes: one search is enough.
            shared = [one for one, is_new in zip(ours, is_own, strict=True) if not is_new and one.equal_ones]
            searched = own if which else [*own, *shared]
            search = self._search(which, searched)
            if search is None:
                conditions += [f"{one} of the {_NAMES[which]} program" for one in own]
                continue
            open_ = [n for n in range(len(searched)) if n < len(own) or search.is_one_sided(n)]
            for place, number in enumerate(open_):
                one = searched[number]
                verdicts = [*map(self._judge, search.around(number))] if place < _MOST_COMPARISONS else []
                for other in verdicts:
                    if _is_different(other):
                        return other
                is_known = bool(verdicts) and all(other.is_equal for other in verdicts)
                is_known &= not search.is_one_sided(number)
                if not is_known:
                    conditions.append(f"{one} of the {_NAMES[which]} program")
        return replace(verdict, conditions=tuple(conditions))

    def _at_ties(self) -> Verdict | None:
        """The verdict that the programs differ for multiples of 1/2, where they round in different ways."""
        one, other = [
            {operation.name for operation in operations_within(side.program.module.operation)}
            for side in self._sides
        ]
        if self._examples is None or not any(map(_rounds, one ^ other)):
            return None
        generator = np.random.default_rng(0)
        scaled = [_scaled(value, value, _TIES, generator) for value in self._runs[0]]
        verdict = self._judge([_on_grid(value, 2) for value in scaled])
        return verdict if _is_different(verdict) else None

    def _search(self, which: int, comparisons: Sequence[Comparison]) -> _Search | None:
        """The search of a side; None for several processes, or if there is nothing to search."""
        side = self._sides[which]
        if not comparisons or not isinstance(side, WholeProgram):
            return None
        numbers = self._pairing.arguments if which else range(len(side.types[0]))
        types = side.types[0]

        def evaluate(arguments: Sequence[Any], observer: Observer) -> object:
            own = [arguments[number] for number in numbers]
            return side.floats([_as(value, type_) for value, type_ in zip(own, types, strict=True)], observer)

        return _Search(evaluate, comparisons, self._runs, self._examples)


def _as(value: Any, type_: Any) -> Any:
    """An argument of the first program in the type of the second, which may be another float."""
    return np.asarray(value).astype(type_.element_type.dtype) if isinstance(type_, TensorType) else value


def _rounds(name: str) -> bool:
    """Whether an operation rounds floats to integers."""
    card = card_of(name)
    return card is not None and card.exact is ROUNDED


def _is_different(verdict: Verdict) -> bool:
    return verdict.status == "differs" and any(map(_is_far, verdict.results))


def _is_far(result: ResultCompared) -> bool:
    """Whether finite floats differ by more than rounding."""
    return result.values is not None and not result.is_close and all(map(np.isfinite, result.values))
