"""Whether implementations agree on a program's values, within what its types and operations allow.

Integers, booleans and exact floats must be equal; zeros of either sign are equal, and so are NaNs. Other
floats may differ by a bound that is computed value by value: a function of exact operands by 16 ULP of its
largest element (each implementation may err by some ULP), sums and products by the errors of their operands
and a rounding for each term.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.generate.values import Program, Value

Array = Any


@dataclass(frozen=True)
class Difference:
    """The first value in which two implementations differ."""

    value: Value
    ours: Array
    theirs: Array
    bound: float

    def __str__(self) -> str:
        return f"{self.value.name} : {self.value.spelled} (bound {self.bound:g})\nhlokit: {self.ours}\noracle: {self.theirs}"


def first_difference(program: Program, ours: Sequence[Array], theirs: Sequence[Array]) -> Difference | None:
    """None if both agree on all values."""
    arrays = {value.name: array for value, array in zip(program.values, ours, strict=True)}
    bounds = Bounds(arrays)
    for value, mine, other in zip(program.values, ours, theirs, strict=True):
        bound = bounds.of(value)
        if not agree(value, np.asarray(mine), np.asarray(other), bound):
            return Difference(value, mine, other, bound)
    return None


def agree(value: Value, ours: Array, theirs: Array, bound: float) -> bool:
    if ours.shape != theirs.shape:
        return False
    if ours.dtype != theirs.dtype:
        return False
    if value.type.kind not in ("float", "complex"):
        return bool(np.array_equal(ours, theirs))
    a, b = (array.astype(np.float64) for array in (ours, theirs))
    if value.is_exact:
        return bool(np.array_equal(a, b, equal_nan=True))
    if not np.isfinite(bound):
        return True
    with np.errstate(invalid="ignore"):
        return bool(np.all((a == b) | (np.abs(a - b) <= bound) | (np.isnan(a) & np.isnan(b))))


class Bounds:
    """The tolerances of values."""

    def __init__(self, arrays: dict[str, Array]) -> None:
        self._arrays = arrays
        self._known: dict[str, float] = {}

    def largest(self, value: Value) -> float:
        if value.type.kind == "complex":
            parts = (self._arrays[f"{value.name.replace('#', '_')}_{part}"] for part in ("real", "imag"))
            return max(float(np.max(np.abs(part.astype(np.float64)), initial=0.0)) for part in parts)
        return float(np.max(np.abs(np.asarray(self._arrays[value.name]).astype(np.float64)), initial=0.0))

    def of(self, value: Value) -> float:
        if value.is_exact or value.type.kind not in ("float", "complex"):
            return 0.0
        if value.name not in self._known:
            self._known[value.name] = self._compute(value)
        return self._known[value.name]

    def _compute(self, value: Value) -> float:
        rule, epsilon = value.rule, 2.0 ** (1 - value.type.digits)
        operands = [self.of(operand) for operand in rule.operands]
        match rule.kind:
            case "move":
                return max(operands)
            case "function":
                return rule.count * epsilon * self.largest(value)
            case "sum":
                largest = sum(self.largest(operand) for operand in rule.operands)
                return rule.count * (sum(operands) + epsilon * rule.count * largest)
            case "product":
                x, y = rule.operands
                a, b = self.largest(x), self.largest(y)
                off, off_y = operands
                return rule.count * (a * off_y + b * off + off * off_y + epsilon * rule.count * a * b)
            case _:
                raise AssertionError(f"{value.name} must have a rule for its tolerance")
