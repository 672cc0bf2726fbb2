"""Constants that stand for the unrounded numbers of which they are the rounding.

A compiler may compute a part of a program that depends on no argument and round the result to a constant, or
multiply by the rounded reciprocal of a constant of few bits, or combine two constants that it applies one
after the other. Over exact arithmetic the constant differs from that part. A run that assumes
`ROUNDED_CONSTANTS` gives the constant the number that the other program has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from hlokit.tools.equal.rules.field import Array
from hlokit.tools.equal.rules.numbers import COMPLEX, embedded, number_of, packed

ROUNDED_CONSTANTS = "rounded constants"
# The most significant bits of a constant whose reciprocal may stand in the other program.
_SHORT = 16
# Units in the last place of an array's largest element by which a constant may differ from its number.
_UNITS = 2
# Constants of at most so many values are combined.
_MOST_COMBINED = 32


class Computed(NamedTuple):
    """An array that a program computes from constants alone.

    Attributes:
      exact: its exact numbers.
      rounded: the array if each operation rounds to the program's own type; None if that is not known.
    """

    exact: Array
    rounded: Any


class _Sorted(NamedTuple):
    """Numbers in the order of their keys, which are what they may be rounded to."""

    numbers: Any
    keys: Any

    def nearest(self, values: Array) -> tuple[Any, Any]:
        """The numbers whose keys are nearest, and how far these are."""
        later: Any = np.minimum(np.searchsorted(self.keys, values), self.keys.size - 1)
        earlier: Any = np.maximum(later - 1, 0)
        gap, other_gap = np.abs(self.keys[earlier] - values), np.abs(self.keys[later] - values)
        return self.numbers[np.where(gap < other_gap, earlier, later)], np.minimum(gap, other_gap)


class ConstantTable:
    """Real numbers that programs compute from constants alone, reciprocals of constants of few bits, and, for
    one of the programs, sums, products and quotients of two constants of the other one.

    Constants that both programs have stand for themselves, unless they are shared: one that a program has may
    also be the rounding of what the other one computes. Then both programs take the unrounded number.

    Args:
      computed: arrays of one exact dtype, of both programs.
      literals: the constants of both programs, as exact arrays of this dtype.
      combined: 0 or 1: the program whose constants may be combinations. If both may, 1 / c and c would
        change places.
      is_shared: whether constants that both programs have may be roundings.
    """

    def __init__(
        self,
        computed: tuple[Sequence[Computed], Sequence[Computed]],
        literals: tuple[Sequence[Array], Sequence[Array]],
        combined: int = 1,
        *,
        is_shared: bool = False,
    ) -> None:
        of_both = tuple({literal["value"].tobytes() for literal in own} for own in literals)
        self._common = set[bytes]() if is_shared else of_both[0] & of_both[1]
        self._may_be_combined = of_both[0] | of_both[1] if is_shared else of_both[combined]
        values = [_values(own) for own in literals]
        self._common_values: Any = np.zeros(0) if is_shared else np.intersect1d(*values)
        pairs = [(item.exact.reshape(-1), _wide(item).reshape(-1)) for own in computed for item in own]
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
        every = np.concatenate(values)
        self._numbers = _sorted(pairs, every)
        together = combinations(literals[1 - combined], computed[1 - combined])
        self._combined = _sorted([(numbers, numbers["value"].copy()) for numbers in together], every)

    def replaced(self, literals: Array, dtype: np.dtype[Any]) -> Array:
        """An exact array of literals, with the numbers of which these are the rounding.

        Args:
          dtype: the program's own type of the literals.
        """
        values = np.asarray(literals["value"])
        is_common = np.isin(values, self._common_values)
        is_splat = not values.size or (values == values.flat[0]).all()
        if values.tobytes() in self._common or (is_splat and is_common.all()):
            return literals
        whole = self._arrays.get(values.tobytes())
        if whole is not None and whole.dtype == literals.dtype:
            return whole.reshape(literals.shape)
        is_fixed = is_common | ~np.isfinite(values)  # infinities stand for themselves
        allowed = _UNITS * float(_eps(dtype)) * np.abs(values[np.isfinite(values)]).max(initial=0)
        result = literals.copy()
        table = self._combined
        may_be_combined = values.tobytes() in self._may_be_combined and literals.dtype == table.numbers.dtype
        if table.numbers.size and may_be_combined:
            numbers, _ = table.nearest(values)
            is_rounded = (numbers["value"] != values) & (numbers["value"].astype(dtype) == values)
            if _eps(dtype) < 2.0**-_SHORT:  # a constant of few bits is no rounding
                is_rounded &= ~_is_short(values)
            result[is_rounded & ~is_fixed] = numbers[is_rounded & ~is_fixed]
        if self._numbers.numbers.size and literals.dtype == self._numbers.numbers.dtype:
            numbers, gap = self._numbers.nearest(values)
            is_near = (gap <= allowed) & (numbers["value"] != values) & ~is_fixed
            result[is_near] = numbers[is_near]
        return result


def uniform(arrays: Sequence[Array]) -> list[Array]:
    """An element of each array in which all elements are the same."""
    return [array.reshape(-1)[:1] for array in arrays if array.size and (array == array.reshape(-1)[0]).all()]


def combinations(literals: Sequence[Array], computed: Sequence[Computed]) -> list[Array]:
    """Sums, differences, products and quotients of two numbers of a program, or of one and 1, and their
    negatives: of arrays in which all elements are the same; none if there are too many."""
    arrays = uniform([*literals, *[item.exact for item in computed]])
    if not arrays:
        return []
    numbers = _distinct([*arrays, embedded(np.ones(1), arrays[0].dtype)])
    if numbers.size > _MOST_COMBINED:
        return []
    one, other = (np.broadcast_to(part, (numbers.size,) * 2) for part in (numbers[:, None], numbers))
    left, right = number_of(one), number_of(other)
    with np.errstate(all="ignore"):
        combined = [
            packed(one["value"] + other["value"], left + right, numbers.dtype),
            packed(one["value"] - other["value"], left - right, numbers.dtype),
            packed(one["value"] * other["value"], left * right, numbers.dtype),
            packed(one["value"] / other["value"], left / right, numbers.dtype),
        ]
        negatives = [packed(-array["value"], -number_of(array), numbers.dtype) for array in combined]
    return [array.reshape(-1) for array in (*combined, *negatives)]


def _wide(item: Computed) -> Array:
    """The rounded array in f64."""
    value = item.exact["value"] if item.rounded is None else item.rounded
    return np.asarray(value).astype(np.float64)


def _values(literals: Sequence[Array]) -> Any:
    return np.concatenate([np.zeros(0), *[literal["value"].reshape(-1) for literal in literals]])


def _sorted(pairs: Sequence[tuple[Array, Array]], literals: Any) -> _Sorted:
    """Numbers in the order of their finite keys, one for each key, without constants that are only moved."""
    if not pairs:
        return _Sorted(np.empty(0), np.empty(0))
    numbers, keys = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
    is_new = np.isfinite(keys) & np.isfinite(numbers["value"]) & ~np.isin(numbers["value"], literals)
    keys, first = np.unique(keys[is_new], return_index=True)
    return _Sorted(numbers[is_new][first], keys)


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
