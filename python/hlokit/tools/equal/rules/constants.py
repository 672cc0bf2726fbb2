"""Constants that stand for the unrounded numbers of which they are the rounding.

A compiler may compute a part of a program that depends on no argument and round the result to a constant, or
multiply by the rounded reciprocal of a constant of few bits. Over exact arithmetic the constant differs from
that part. A run that assumes `ROUNDED_CONSTANTS` gives the constant the number that the other program has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

from hlokit.tools.equal.rules.field import Array
from hlokit.tools.equal.rules.numbers import COMPLEX, number_of, packed

ROUNDED_CONSTANTS = "rounded constants"
# The most significant bits of a constant whose reciprocal may stand in the other program.
_SHORT = 16
# Units in the last place of an array's largest element by which a constant may differ from its number.
_UNITS = 2


class ConstantTable:
    """Real numbers that programs compute from constants alone, and reciprocals of constants of few bits.

    Args:
      computed, literals: exact arrays of one dtype.
    """

    def __init__(self, computed: Sequence[Array], literals: Sequence[Array]) -> None:
        divisors = _distinct([*computed, *literals])
        if divisors.size:
            divisors = divisors[_is_short(divisors["value"])]
            reciprocals = number_of(divisors).inverse()
            with np.errstate(over="ignore", divide="ignore"):  # that of a subnormal number is infinite
                rounded = 1 / divisors["value"]
            computed = [*computed, packed(rounded, reciprocals, divisors.dtype)]
        numbers = _distinct(computed)
        if numbers.size and literals:  # a constant that is only moved is no rounding of another number
            numbers = numbers[~np.isin(numbers["value"], _distinct(literals)["value"])]
        self._numbers = numbers

    def replaced(self, literals: Array, dtype: np.dtype[Any]) -> Array:
        """An exact array of literals, with the numbers of which these are the rounding.

        Args:
          dtype: the program's own type of the literals.
        """
        numbers = self._numbers
        if not numbers.size or literals.dtype != numbers.dtype:
            return literals
        values: Any = literals["value"]
        later = _places(numbers, values)
        earlier: Any = np.maximum(later - 1, 0)
        gap, other_gap = _gap(numbers, earlier, values), _gap(numbers, later, values)
        nearest: Any = np.where(gap < other_gap, earlier, later)  # pyright: ignore[reportUnknownVariableType] # indices
        unit = _UNITS * float(_eps(dtype))
        least = np.minimum(gap, other_gap)
        is_near = (least > 0) & (least <= unit * np.abs(values).max(initial=0))
        result: Any = literals.copy()
        result[is_near] = numbers[nearest[is_near]]
        return result


class DisturbedConstants:
    """Constants whose floats are wrong by a rounding error, unless they have few bits: the floats of the
    results tell what rounding can do."""

    def replaced(self, literals: Array, dtype: np.dtype[Any]) -> Array:
        """An exact array of literals of the program's own type, disturbed."""
        if literals.dtype == COMPLEX:
            return literals
        result: Any = literals.copy()
        result["value"][~_is_short(literals["value"])] *= 1 + float(_eps(dtype))
        return result


def _places(numbers: Any, values: Any) -> Any:
    """The first number that is not less than each value, or the last one."""
    places: Any = np.searchsorted(numbers["value"], values)  # pyright: ignore[reportUnknownVariableType] # indices
    return _at_most(places, numbers.size - 1)


def _at_most(places: Any, last: int) -> Any:
    return np.minimum(places, last)


def _gap(numbers: Any, index: Any, values: Any) -> Any:
    return np.abs(numbers["value"][index] - values)


def _eps(dtype: Any) -> Any:
    return ml_dtypes.finfo(dtype).eps  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] # of any dtype


def _is_short(values: Array) -> Array:
    """Numbers of few significant bits, except 0."""
    fractions: Any = np.frexp(values)[0]
    scaled = np.ldexp(fractions, _SHORT)
    return (values != 0) & (scaled == np.rint(scaled))


def _distinct(arrays: Sequence[Array]) -> Any:
    """The finite elements, sorted by their floats."""
    if not arrays:
        return np.empty(0)
    joined: Any = np.concatenate([array.reshape(-1) for array in arrays])
    joined = joined[np.isfinite(joined["value"])]
    return joined[np.unique(joined["value"], return_index=True)[1]]
