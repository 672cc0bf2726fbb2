"""Constants with which programs compare floats, and arguments on both sides of them.

Runs on exact numbers follow the comparisons of their floats. Where only one of two programs compares with a
constant, as `minimum(x, 6)` does and `minimum(x, 8)` does not, runs whose floats all lie on one side see no
difference. So these constants are searched for arguments on the other side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.locations import source_text
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import EvaluationError, HlokitError
from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import operations_within
from hlokit.mlir.queries.types import value_type
from hlokit.operations.cards import card_of
from hlokit.operations.lookup import traits_of
from hlokit.programs.program import Program
from hlokit.tools.equal.rules.meanings import Chosen, Exactly
from hlokit.tools.equal.sides import Side, WholeProgram
from hlokit.tools.equal.verdict import ResultCompared, Verdict
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType

# Constants are the same if they differ by at most this part of their size: by the rounding of narrow types.
_SAME = 2.0**-8
# How often the floats of examples are as large, and of which sign.
_SCALES = (1.0, -1.0, 8.0, -8.0, 128.0, -128.0, 4096.0, -4096.0)
# The most steps between arguments on both sides of a constant: enough to reach an f32 that equals it.
_BISECTIONS = 40
# The most constants that are searched, and the most steps of programs that a search may take.
_MOST_THRESHOLDS, _MOST_STEPS = 4, 50_000
# A run that takes so many times the steps of the first one does not end soon.
_LONGER = 20

# Where floats that equal a constant count, by the direction of a comparison of floats with a constant, and of
# a constant with floats. For extrema, it does not matter.
_EQUAL_ONES = {
    "LT": ("above", "below"),
    "GE": ("above", "below"),
    "GT": ("below", "above"),
    "LE": ("below", "above"),
    "EQ": ("alone", "alone"),
    "NE": ("alone", "alone"),
}

# Arguments that equal a constant are often multiples of 1 / _GRID.
_GRID = 1024
_NAMES = "first", "second"

Judge = Callable[[Sequence[Any]], Verdict]
Arguments = list[Any]


class Threshold(NamedTuple):
    """A constant with which an operation compares floats.

    Attributes:
      operands: the positions of the floats, and of the constant; None for the constant 0 of `abs` and `sign`.
      equal_ones: where floats that equal it count: above, below or alone; "" if it does not matter.
    """

    operation: ir.Operation
    operands: tuple[int, int | None]
    value: float
    equal_ones: str

    def is_as(self, other: Threshold) -> bool:
        """Whether the constant is that of another comparison."""
        return abs(self.value - other.value) <= _SAME * abs(self.value)

    def divides_as(self, other: Threshold) -> bool:
        """Whether all floats lie on the same side of the constants of both comparisons."""
        counted = {self.equal_ones, other.equal_ones}
        return self.is_as(other) and (len(counted) == 1 or "" in counted)

    def __str__(self) -> str:
        where = source_text(str(self.operation.location))
        return f"{self.operation.name} with {self.value:.9g}{f' at {where}' if where else ''}"


# Constants of programs -------------------------------------------------------------------------------


def thresholds_of(program: Program) -> list[Threshold]:
    """All finite constants with which operations of a program compare floats."""
    operations = operations_within(program.module.operation)
    calls = _calls(operations)
    thresholds: list[Threshold] = []
    for operation in operations:
        for one, other in _compared(operation.name):
            if not _is_real(operation.operands[one]):
                continue
            pairs = [(one, None)] if other is None else [(one, other), (other, one)]
            for pair in pairs:
                value = 0.0 if pair[1] is None else _constant(operation.operands[pair[1]], calls)
                if value is not None and np.isfinite(value):
                    thresholds.append(Threshold(operation, pair, value, _equal_ones(operation, pair[0])))
    return thresholds


@cache
def _compared(name: str) -> Sequence[tuple[int, int | None]]:
    """The positions of the operands that an operation compares."""
    card = card_of(name)
    return card.exact.compared if card is not None and isinstance(card.exact, Chosen | Exactly) else ()


def _equal_ones(operation: ir.Operation, position: int) -> str:
    if "comparison_direction" not in operation.attributes:
        return ""
    direction = str(operation.attributes["comparison_direction"]).removesuffix(">")[-2:]
    return _EQUAL_ONES[direction][position]


def _calls(operations: Sequence[ir.Operation]) -> dict[str, list[ir.Operation]]:
    calls: dict[str, list[ir.Operation]] = {}
    for operation in operations:
        if operation.name == "func.call":
            calls.setdefault(ir.FlatSymbolRefAttr(operation.attributes["callee"]).value, []).append(operation)
    return calls


def _is_real(value: ir.Value) -> bool:
    return _kind(value) is Kind.FLOAT


def _kind(value: ir.Value) -> Kind | None:
    type_ = value_type(value.type)
    return type_.element_type.kind if isinstance(type_, TensorType) else None


def _constant(value: ir.Value, calls: dict[str, list[ir.Operation]]) -> float | None:
    """The constant that a value consists of, moved and converted, or passed to a function by all calls."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        function = owner.owner.operation
        if function.name != "func.func":
            return None
        number = ir.BlockArgument(value).arg_number
        callers = calls.get(ir.StringAttr(function.attributes["sym_name"]).value, [])
        constants = {_constant(caller.operands[number], calls) for caller in callers}
        return constants.pop() if len(constants) == 1 else None
    traits = traits_of(owner.name)
    if traits.constant and "value" in owner.attributes and _kind(value) is not Kind.COMPLEX:
        elements = ir.DenseElementsAttr(owner.attributes["value"])
        return float(read_elements(owner, "value").flat[0]) if elements.is_splat else None
    if traits.view or owner.name == "stablehlo.convert":
        return _constant(owner.operands[0], calls)
    return None


# Arguments on both sides -----------------------------------------------------------------------------


class _Gaps:
    """An observer of the differences of floats and constants, when they are compared first."""

    def __init__(self, thresholds: Sequence[Threshold], most_steps: int) -> None:
        self.gaps: dict[int, Any] = {}
        self.steps = 0
        self._most_steps = most_steps
        self._numbers: dict[ir.Operation, list[int]] = {}
        for number, threshold in enumerate(thresholds):
            self._numbers.setdefault(threshold.operation, []).append(number)
        self._thresholds = thresholds

    def before(self, plan: Plan, step: Step, operands: Sequence[Any]) -> None:
        """A step begins."""
        del plan
        self.steps += 1
        if self.steps > self._most_steps:
            raise EvaluationError("the search for arguments takes too many steps")
        for number in self._numbers.get(operation_of(step), ()):
            one, _ = self._thresholds[number].operands
            floats = np.asarray(operands[one]).astype(np.float64)
            self.gaps.setdefault(number, floats - self._thresholds[number].value)

    def after(self, plan: Plan, step: Step, operands: Sequence[Any], results: Sequence[Any]) -> None:
        """A step has ended."""


class Search:
    """Searches arguments of a side on both sides of constants."""

    def __init__(self, side: WholeProgram, thresholds: Sequence[Threshold], seed: int) -> None:
        self._side, self._thresholds = side, thresholds[:_MOST_THRESHOLDS]
        self._steps_left, self._most_steps = _MOST_STEPS, _MOST_STEPS
        self._first = side.examples(seed)
        self._tried: list[tuple[Arguments, dict[int, Any]]] = []
        self._reached, self._met = set[int](), set[int]()
        self._try(self._first)
        if self._tried:
            self._most_steps = _LONGER * (_MOST_STEPS - self._steps_left)
        others = [self._first, *[side.examples(seed + number) for number in range(1, len(_SCALES))]]
        for scale, values in zip(_SCALES, others, strict=True):
            self._try([_scaled(own, value, scale) for own, value in zip(self._first, values, strict=True)])

    def around(self, number: int) -> list[Arguments]:
        """Arguments on both sides of a constant, far from it and near, and perhaps equal to it; none if not
        both sides are known."""
        for (lower, gaps), (upper, others) in product(self._tried, repeat=2):
            gap, other = _flat(gaps, number), _flat(others, number)
            if gap.shape == other.shape and (crossed := np.flatnonzero((gap < 0) & (other > 0))).size:
                self._reached.add(number)
                return [lower, upper, *self._bisected(number, int(crossed[0]), lower, upper)]
        return []

    def is_complete(self, number: int) -> bool:
        """Whether `around` has arguments for each way in which a comparison decides."""
        return number in (self._met if self._thresholds[number].equal_ones == "alone" else self._reached)

    def _bisected(self, number: int, index: int, lower: Arguments, upper: Arguments) -> list[Arguments]:
        near: list[Arguments] = []
        for _ in range(_BISECTIONS):
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
        """The differences of a run; none if it fails, or there are too many steps."""
        observer = _Gaps(self._thresholds, min(self._most_steps, self._steps_left))
        try:
            with np.errstate(all="ignore"):
                self._side.floats(arguments, observer)
        except HlokitError:
            return {}
        finally:
            self._steps_left -= observer.steps
        self._tried.append((arguments, observer.gaps))
        self._met.update(number for number, gap in observer.gaps.items() if (gap == 0).any())
        return observer.gaps


def _scaled(first: Any, value: Any, scale: float) -> Any:
    """Floats of another example, scaled; other values are those of the first one."""
    array = np.asarray(value)
    is_float = _is_float(array)
    return (array.astype(np.float64) * scale).astype(array.dtype) if is_float else first


def _between(lower: Any, upper: Any) -> Any:
    array = np.asarray(lower)
    if not _is_float(array):
        return lower
    return ((array.astype(np.float64) + np.asarray(upper).astype(np.float64)) / 2).astype(array.dtype)


def _on_grid(value: Any) -> Any:
    array = np.asarray(value)
    if not _is_float(array):
        return value
    return (np.rint(array.astype(np.float64) * _GRID) / _GRID).astype(array.dtype)


def _flat(gaps: dict[int, Any], number: int) -> Any:
    return gaps.get(number, np.empty(0)).ravel()


def _is_float(array: Any) -> bool:
    return array.dtype.kind == "f" or "float" in array.dtype.name


def beyond_thresholds(sides: tuple[Side, Side], verdict: Verdict, seed: int | None, judge: Judge) -> Verdict:
    """The verdict of arguments on both sides of the constants that only one program compares floats with.

    Args:
      verdict: that the programs are equal.
      seed: of examples; None if only the arguments of the verdict count.
      judge: the verdict for arguments of the first side, which stand for themselves.

    Returns:
      A verdict that they differ, or `verdict` with the constants of which only one side is known.
    """
    thresholds = [thresholds_of(side.program) for side in sides]
    conditions: list[str] = []
    distinct = [list({(one.value, one.equal_ones): one for one in both}.values()) for both in thresholds]
    for name, side, ours, theirs in zip(_NAMES, sides, thresholds, distinct[::-1], strict=True):
        own = [threshold for threshold in ours if not any(map(threshold.divides_as, theirs))]
        search = None
        if own and seed is not None and isinstance(side, WholeProgram):
            search = Search(side, own, seed)
        for number, threshold in enumerate(own):
            verdicts = [] if search is None else list(map(judge, search.around(number)))
            for other in verdicts:
                if other.status == "differs" and any(map(_is_far, other.results)):
                    return other
            is_known = search is not None and search.is_complete(number)
            if not (is_known and all(other.is_equal for other in verdicts)) and not any(
                map(threshold.is_as, theirs)
            ):
                conditions.append(f"{threshold} of the {name} program")
    return replace(verdict, conditions=tuple(conditions))


def _is_far(result: ResultCompared) -> bool:
    """Whether finite floats differ by more than rounding."""
    return result.values is not None and not result.is_close and all(map(np.isfinite, result.values))
