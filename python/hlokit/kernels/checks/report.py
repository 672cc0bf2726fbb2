"""Compares values by a rule and describes mismatches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.run_context import current
from hlokit.errors import CheckFailed
from hlokit.kernels.checks.rules import Array, Mask, Rule
from hlokit.values.bits import bits
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType

# The number of mismatches that an error shows.
SHOWN = 8


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An element that differs from the expected element; values and distance as text."""

    index: tuple[int, ...]
    actual: str
    expected: str
    distance: str

    def __str__(self) -> str:
        values = f"actual {self.actual}, expected {self.expected}"
        return f"index {list(self.index)}: {values}, distance {self.distance}"


class MismatchError(CheckFailed):
    """Values differ.

    Attributes:
      mismatches: the first mismatches, in row-major order.
      count: the number of elements that differ.
      size: the number of compared elements.
    """

    def __init__(
        self, message: str, mismatches: tuple[Mismatch, ...] = (), count: int = 0, size: int = 0
    ) -> None:
        super().__init__(message)
        self.mismatches = mismatches
        self.count = count
        self.size = size


def check(rule: Rule, actual: Value, expected: Value, type_: TensorType, name: str = "") -> None:
    """Compare values and count the check. The message begins with `name` if it names no operation.

    Raises:
      CheckFailed: the values do not agree by the rule.
    """
    current().checks += 1
    actual, expected = np.asarray(actual), np.asarray(expected)
    if actual.shape != expected.shape:
        shapes = f"got {list(actual.shape)}, expected {list(expected.shape)}"
        raise MismatchError(f"{_prefix(name)}values must have equal shapes, {shapes}")
    differs = ~rule.agree(actual, expected, type_.element_type)
    if differs.any():
        raise _error(rule, actual, expected, differs, type_, name)


def _error(
    rule: Rule, actual: Array, expected: Array, differs: Mask, type_: TensorType, name: str
) -> MismatchError:
    first = np.flatnonzero(differs)[:SHOWN]
    values, wanted = actual.reshape(-1)[first], expected.reshape(-1)[first]
    distances = rule.distance(values, wanted, type_.element_type)
    indices = zip(*np.unravel_index(first, actual.shape), strict=True) if actual.shape else [()]
    mismatches = tuple(
        Mismatch(tuple(map(int, index)), _text(values[i], type_), _text(wanted[i], type_), distances[i])
        for i, index in enumerate(indices)
    )
    count = int(np.count_nonzero(differs))
    lines = [f"{_prefix(name)}values must be {rule.requirement}, {count} of {actual.size} are not"]
    lines += [f"  {mismatch}" for mismatch in mismatches]
    if count > len(mismatches):
        lines.append(f"  and {count - len(mismatches)} more")
    return MismatchError("\n".join(lines), mismatches, count, actual.size)


def _prefix(name: str) -> str:
    return f"{name}: " if name else ""


def _text(value: np.generic, type_: TensorType) -> str:
    """The shortest text that identifies the value within its type; NaNs with their bits."""
    text = str(value).lower() if type_.element_type.kind is Kind.BOOL else str(value)
    if "nan" not in text:
        return text
    parts = (f"0x{int(part):0{2 * part.itemsize}X}" for part in bits(np.asarray(value)).flat)
    return f"{text} ({', '.join(parts)})"
