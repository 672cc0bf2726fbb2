"""Constants that stand for the unrounded numbers of which they are the rounding.

A compiler may compute a part of a program that depends on no argument and round the result to a constant, or
multiply by the rounded reciprocal of a constant of few bits. Over exact arithmetic the constant differs from
that part. A run that assumes `ROUNDED_CONSTANTS` gives the constant the number that the other program has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from hlokit.tools.equal.rules.field import Array
from hlokit.tools.equal.rules.numbers import COMPLEX, number_of, packed

ROUNDED_CONSTANTS = "rounded constants"
# The most significant bits of a constant whose reciprocal may stand in the other program.
_SHORT = 16
# Units in the last place of an array's largest element by which a constant may differ from its number.
_UNITS = 2


class Computed(NamedTuple):
    """An array that a program computes from constants alone.

    Attributes:
      exact: its exact numbers.
      rounded: the array if each operation rounds to the program's own type; None if that is not known.
    """

    exact: Array
    rounded: Any


class ConstantTable:
    """Real numbers that programs compute from constants alone, and reciprocals of constants of few bits.

    Constants that both programs have stand for themselves.

    Args:
      computed: arrays of one exact dtype.
      literals: the constants of both programs, as exact arrays of this dtype.
    """

    def __init__(
        self, computed: Sequence[Computed], literals: tuple[Sequence[Array], Sequence[Array]]
    ) -> None:
        of_one, of_other = ({literal["value"].tobytes() for literal in own} for own in literals)
        self._common = of_one & of_other
        values = [_values(own) for own in literals]
        self._common_values: Any = np.intersect1d(*values)
        pairs = [(item.exact.reshape(-1), _wide(item).reshape(-1)) for item in computed]
        # Arrays by what they are rounded.
        self._arrays = {
            rounded.tobytes(): exact for exact, rounded in pairs if (rounded != exact["value"]).any()
        }
        divisors = _distinct([*[exact for exact, _ in pairs], *literals[0], *literals[1]])
        if divisors.size:
            divisors = divisors[_is_short(divisors["value"])]
            reciprocals = number_of(divisors).inverse()
            with np.errstate(over="ignore", divide="ignore"):  # that of a subnormal number is infinite
                rounded = 1 / divisors["value"]
            pairs.append((packed(rounded, reciprocals, divisors.dtype), rounded))
        self._numbers, self._keys = _sorted(pairs, np.concatenate(values))

    def replaced(self, literals: Array, dtype: np.dtype[Any]) -> Array:
        """An exact array of literals, with the numbers of which these are the rounding.

        Args:
          dtype: the program's own type of the literals.
        """
        numbers, values = self._numbers, np.asarray(literals["value"])
        is_common = np.isin(values, self._common_values)
        is_splat = not values.size or (values == values.flat[0]).all()
        if values.tobytes() in self._common or (is_splat and is_common.all()):
            return literals
        whole = self._arrays.get(values.tobytes())
        if whole is not None and whole.dtype == literals.dtype:
            return whole.reshape(literals.shape)
        if not numbers.size or literals.dtype != numbers.dtype:
            return literals
        later: Any = np.minimum(np.searchsorted(self._keys, values), self._keys.size - 1)
        earlier: Any = np.maximum(later - 1, 0)
        gap, other_gap = np.abs(self._keys[earlier] - values), np.abs(self._keys[later] - values)
        nearest: Any = np.where(gap < other_gap, earlier, later)  # pyright: ignore[reportUnknownVariableType] # indices
        unit = _UNITS * float(_eps(dtype))
        is_near = np.minimum(gap, other_gap) <= unit * np.abs(values).max(initial=0)
        is_near &= (numbers["value"][nearest] != values) & ~is_common
        result: Any = literals.copy()
        result[is_near] = numbers[nearest[is_near]]
        return result


def _wide(item: Computed) -> Array:
    """The rounded array in f64."""
    value = item.exact["value"] if item.rounded is None else item.rounded
    return np.asarray(value).astype(np.float64)


def _values(literals: Sequence[Array]) -> Any:
    return np.concatenate([np.zeros(0), *[literal["value"].reshape(-1) for literal in literals]])


def _sorted(pairs: Sequence[tuple[Array, Array]], literals: Any) -> tuple[Any, Any]:
    """Numbers in the order of their finite keys, one for each key, without constants that are only moved."""
    if not pairs:
        return np.empty(0), np.empty(0)
    numbers, keys = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
    is_new = np.isfinite(keys) & np.isfinite(numbers["value"]) & ~np.isin(numbers["value"], literals)
    keys, first = np.unique(keys[is_new], return_index=True)
    return numbers[is_new][first], keys


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
