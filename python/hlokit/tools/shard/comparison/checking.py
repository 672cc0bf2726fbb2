"""Compares the results of a sharded run with those of the whole program.

Integers and booleans must be the same bit by bit. Sums of floats may have another order, since each device
adds its part first. `tools.bounds` proves a bound of the resulting difference. If there is no useful
bound, hlokit measures the effect of rounding: it repeats both runs with sums and products of many values
accumulated in higher precision, and results may differ by a multiple of the change of either run, plus some
units in the last place of the largest element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

# The allowed multiple of the measured effect of rounding, and units of the largest element.
_TIMES = 8
_UNITS = 16
# A proven bound is useful up to this part of the largest element, or up to `_UNITS` units of it.
_USEFUL = 0.01


_MEANINGS = {True: "equal, exactly; ", False: "NOT equal in exact arithmetic; "}


@dataclass(frozen=True, slots=True)
class Compared:
    """A result of both runs.

    Attributes:
      name: name of the result.
      is_same: whether both results have the same bits.
      difference: the largest difference; for integers and booleans the number of elements that differ.
      bound: the allowed difference. With a proven bound for each element, `difference` and `bound` are those
        of the element whose difference is the largest multiple of its bound, or, if some are beyond their
        bounds, of that among them which differs most.
      is_proven: whether the bound is proven, not measured.
      disagree: two devices that hold different values where they should hold the same.
      is_equal: whether the programs mean the same over exact arithmetic (`tools.equal`); None if not known.
    """

    name: str
    is_same: bool
    difference: float
    bound: float
    is_proven: bool = False
    disagree: tuple[int, int] | None = None
    is_equal: bool | None = None

    @property
    def is_right(self) -> bool:
        """Whether no fault shows.

        What is equal in exact arithmetic may overflow, underflow or cancel where the whole program does not,
        as a softmax without its maximum does: a proven bound must hold as well, and numbers must not become
        NaN. A measured bound is an estimate, which exact arithmetic overrules.
        """
        if self.is_same or self.is_equal is None:
            return self.is_within
        return self.is_equal and (self.is_within or (not self.is_proven and np.isfinite(self.difference)))

    @property
    def is_within(self) -> bool:
        """Whether the difference is within the bound."""
        return self.is_same or self.difference <= self.bound

    def __str__(self) -> str:
        if self.disagree is None:
            return f"{self.name}: {self._described()}"
        first, second = self.disagree
        apart = f"devices {first} and {second} hold different values, which should be copies of one"
        return f"{self.name}: {'' if self.is_same else f'{self._described()}; '}{apart}"

    def _described(self) -> str:
        if self.is_same:
            return "the same bit by bit"
        word = "within" if self.is_within else "NOT within"
        which = "the proven bound" if self.is_proven else "the measured bound"
        meaning = "" if self.is_equal is None else _MEANINGS[self.is_equal]
        return f"{meaning}differs by {self.difference:.3g}, {word} {which} {self.bound:.3g}"


def compare(
    names: Sequence[str],
    expected: Sequence[Array],
    actual: Sequence[Array],
    precise: Callable[[], tuple[Sequence[Array], Sequence[Array]]],
    proofs: Sequence[Callable[[], Sequence[Array]]] = (),
) -> list[Compared]:
    """Compare the results of the whole program with those of the sharded one.

    Args:
      precise: returns both results with sums in higher precision. Called if a float differs and there is no
        proven bound.
      proofs: each returns the allowed difference of each element of the whole program's results. Called in
        order if a float differs, until a result is within its bound; only the last one can prove that a
        result is wrong.
    """
    radii = [cache(proof) for proof in proofs]
    again: tuple[Sequence[Array], Sequence[Array]] | None = None
    comparisons: list[Compared] = []
    for index, name in enumerate(names):
        left, right = np.asarray(expected[index]), np.asarray(actual[index])
        if left.tobytes() == right.tobytes():
            comparisons.append(Compared(name, True, 0.0, 0.0))
        elif not _is_float(left):
            comparisons.append(Compared(name, False, float((left != right).sum()), 0.0))
        else:
            within: Compared | None = None
            for proof in radii:
                within = _proven(name, left, right, proof()[index])
                if within is not None and within.is_right:
                    break
            if within is not None:
                comparisons.append(within)
                continue
            again = again or precise()
            bound = _bound(left, right, again[0][index], again[1][index])
            comparisons.append(Compared(name, _same_values(left, right), _distance(left, right), bound))
    return comparisons


def _proven(name: str, expected: Array, actual: Array, radius: Array) -> Compared | None:
    """The comparison with a proven bound; None if the bound is too wide to exclude wrong results."""
    left, right = _wide(expected), _wide(actual)
    same = (left == right) | (np.isnan(left) & np.isnan(right))
    magnitudes = np.abs(left)
    largest = float(np.where(np.isfinite(magnitudes), magnitudes, 0.0).max(initial=0.0))
    if not (radius <= max(_USEFUL, _UNITS * _unit(expected.dtype)) * largest).all():
        return None
    with np.errstate(all="ignore"):
        difference = np.where(same, 0.0, np.abs(left - right))
        difference = np.where(np.isnan(difference), np.inf, difference)
        excess = np.where(difference == 0, 0.0, difference / radius).ravel()
    beyond = np.where(excess > 1, difference.ravel(), 0.0)
    worst = int((beyond if beyond.any() else excess).argmax())
    return Compared(
        name, bool(same.all()), float(difference.flat[worst]), float(radius.flat[worst]), is_proven=True
    )


def _is_float(array: Array) -> bool:
    return array.dtype.kind not in "biu" and not array.dtype.name.startswith(("int", "uint"))


def _wide(array: Array) -> Array:
    return np.asarray(array).astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def _same_values(a: Array, b: Array) -> bool:
    """Whether values are equal; all NaNs are equal, and so are zeros of either sign."""
    left, right = _wide(a), _wide(b)
    return bool(np.all((left == right) | (np.isnan(left) & np.isnan(right))))


def _distance(a: Array, b: Array) -> float:
    """The largest difference; infinite if one value is not finite and the other differs."""
    left, right = _wide(a), _wide(b)
    with np.errstate(all="ignore"):
        difference = np.abs(left - right)
    same = (left == right) | (np.isnan(left) & np.isnan(right))
    difference = np.where(same, 0.0, np.where(np.isnan(difference), np.inf, difference))
    return float(difference.max(initial=0.0))


def _bound(expected: Array, actual: Array, expected_precise: Array, actual_precise: Array) -> float:
    measured = sum(
        _finite(_distance(np.asarray(rough), np.asarray(precise)))
        for rough, precise in ((expected, expected_precise), (actual, actual_precise))
    )
    magnitudes = np.abs(_wide(expected))
    largest = float(np.where(np.isfinite(magnitudes), magnitudes, 0.0).max(initial=0.0))
    return _TIMES * measured + _UNITS * _unit(expected.dtype) * largest


def _finite(value: float) -> float:
    return value if np.isfinite(value) else 0.0


def _unit(dtype: np.dtype[Any]) -> float:
    """The distance from 1 to the next number."""
    import ml_dtypes

    info: Any = ml_dtypes.finfo
    try:
        return float(info(dtype).eps)
    except (TypeError, ValueError):
        return float(np.finfo(np.float32).eps)
