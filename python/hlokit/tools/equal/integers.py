"""Arguments with other integers and booleans than examples have.

Examples are integers from 0 to 7, for which signed and unsigned types, shifts and divisions, and products of
8 and of 32 bits mean the same. So programs of integers that are equal are compared again with integers of
both signs and of all sizes; and programs with flags, scalar booleans, with each flag turned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import prod
from typing import Any

import numpy as np

from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import EvaluationError, HlokitError
from hlokit.mlir.queries.module import functions
from hlokit.programs.examples.arrays import Bits
from hlokit.programs.examples.uses import Demands, demands_of
from hlokit.tools.equal.sides import Pairing, Side, WholeProgram
from hlokit.tools.equal.verdict import Verdict
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.types import TensorType

# Two parameters have all pairs of signs in four runs.
_RUNS = 4
_MOST_FLAGS = 4
# A run that takes so many times the steps of the first one does not end soon: an integer may count turns.
_LONGER, _MOST_STEPS = 20, 20_000

Judge = Callable[[Sequence[Any]], Verdict]


class _Steps:
    """An observer that ends a run after some steps."""

    def __init__(self, most: int) -> None:
        self._most, self.count = most, 0

    def before(self, plan: Plan, step: Step, operands: Sequence[Any]) -> None:
        """A step begins."""
        del plan, step, operands
        self.count += 1
        if self.count > self._most:
            raise EvaluationError("the run takes too many steps")

    def after(self, plan: Plan, step: Step, operands: Sequence[Any], results: Sequence[Any]) -> None:
        """A step has ended."""


def with_other_integers(
    sides: tuple[Side, Side], pairing: Pairing, verdict: Verdict, judge: Judge
) -> Verdict:
    """A verdict that the programs differ, or the one that they are equal.

    Args:
      judge: the verdict for other arguments of the first side.
    """
    one, other = sides
    if not isinstance(one, WholeProgram) or not isinstance(other, WholeProgram):
        return verdict
    first = list(verdict.arguments)
    types = [
        type_.element_type if is_free and isinstance(type_, TensorType) else None
        for type_, is_free in zip(one.types[0], _are_free(one, other, pairing), strict=True)
    ]
    further = list(islice(_turned(first, types), _MOST_FLAGS))
    if not verdict.has_unknowns and any(type_ is not None and type_.kind.is_integer for type_ in types):
        further += [_drawn(first, types, run) for run in range(_RUNS)]
    steps = _Steps(_MOST_STEPS)
    if not further or not _ends(one, first, steps):
        return verdict
    runs = verdict.runs
    for values in further:
        others = [values[number] for number in pairing.arguments]
        most = _LONGER * steps.count
        if _ends(one, values, _Steps(most)) and _ends(other, others, _Steps(most)):
            judged = judge(values)
            if judged.status == "differs":
                return judged
            runs += judged.is_equal and not verdict.has_unknowns
    return replace(verdict, runs=runs)


def _are_free(one: WholeProgram, other: WholeProgram, pairing: Pairing) -> list[bool]:
    """Whether each parameter of the first program is free: no index, no amount of a shift."""
    are_free = [_is_free(demands) for demands in _demands(one)]
    for number, demands in zip(pairing.arguments, _demands(other), strict=True):
        are_free[number] &= _is_free(demands)
    return are_free


def _demands(side: WholeProgram) -> list[Demands]:
    module = side.program.module
    return demands_of(functions(module)[side.function], module)


def _is_free(demands: Demands) -> bool:
    return not demands.domains and demands.below is None


def _ends(side: WholeProgram, arguments: Sequence[Any], steps: _Steps) -> bool:
    """Whether a side evaluates arguments in as many steps."""
    try:
        with np.errstate(all="ignore"):
            side.floats(arguments, steps)
    except HlokitError:
        return False
    return True


def _turned(first: Sequence[Any], types: Sequence[ElementType | None]) -> Iterator[list[Any]]:
    """Arguments with each of the flags turned."""
    for number, (value, type_) in enumerate(zip(first, types, strict=True)):
        if type_ is not None and type_.kind is Kind.BOOL and not np.ndim(value):
            yield [*first[:number], np.logical_not(value), *first[number + 1 :]]


def _drawn(first: Sequence[Any], types: Sequence[ElementType | None], run: int) -> list[Any]:
    """Arguments with integers of other signs and sizes."""
    bits = Bits(run)
    return [
        value
        if type_ is None or not type_.kind.is_integer
        else _integers(np.shape(value), type_, bits, (run >> number % 2) & 1)
        for number, (value, type_) in enumerate(zip(first, types, strict=True))
    ]


def _integers(shape: Sequence[int], type_: ElementType, bits: Bits, turn: int) -> Any:
    """Integers with as many of each length in bits; of every second element, the sign is turned."""
    count = prod(shape)
    length = type_.width - (type_.kind is Kind.SIGNED)
    numbers: Any = np.floor(2.0 ** (length * bits.fractions(count))).astype(np.uint64)
    if type_.kind is Kind.SIGNED:
        signs: Any = np.where((np.arange(count) + turn) % 2, -1, 1)
        numbers = signs * numbers.astype(np.int64)
    return numbers.reshape(shape).astype(type_.dtype)
