"""Rules for the agreement of two values: bitwise, within a tolerance, within a number of ULPs.

A rule compares arrays of one dtype and shape element by element. Complex numbers agree if both parts agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from hlokit.values.bits import bitwise_equal, ulp_distance
from hlokit.values.element_types import ElementType, Kind

Array = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

# The distance between a finite and a non-finite value.
NOT_COMPARABLE = (1 << 64) - 1


class Rule(Protocol):
    """The condition of a check."""

    @property
    def requirement(self) -> str:
        """Completes "values must be ..."."""
        ...

    def agree(self, actual: Array, expected: Array, element_type: ElementType) -> Mask:
        """A mask of the elements that agree."""
        ...

    def distance(self, actual: Array, expected: Array, element_type: ElementType) -> list[str]:
        """The distances between the elements of two vectors, as text for messages."""
        ...


@dataclass(frozen=True, slots=True)
class Equal:
    """The same bits: 0.0 differs from -0.0, and a NaN agrees only with the same NaN."""

    @property
    def requirement(self) -> str:
        return "bitwise equal"

    def agree(self, actual: Array, expected: Array, element_type: ElementType) -> Mask:
        return bitwise_equal(actual, expected, element_type)

    def distance(self, actual: Array, expected: Array, element_type: ElementType) -> list[str]:
        if element_type.kind.is_inexact:
            return _ulp_texts(actual, expected, element_type)
        return [str(abs(int(a) - int(b))) for a, b in zip(actual.flat, expected.flat, strict=True)]


@dataclass(frozen=True, slots=True)
class AlmostEqual:
    """|actual - expected| <= tolerance + relative * |expected|, computed in f64.

    An infinity agrees with the same infinity, a NaN with any NaN, and 0.0 with -0.0.
    """

    tolerance: float
    relative: float = 0.0

    @property
    def requirement(self) -> str:
        more = f" + {self.relative!r} times the expected value" if self.relative else ""
        return f"within {self.tolerance!r}{more} of each other"

    def agree(self, actual: Array, expected: Array, element_type: ElementType) -> Mask:
        a, b = (_parts(x, element_type).astype(np.float64, copy=False) for x in (actual, expected))
        with np.errstate(all="ignore"):
            allowed = self.tolerance + self.relative * np.abs(b) if self.relative else self.tolerance
            close = (np.abs(a - b) <= allowed) & np.isfinite(a) & np.isfinite(b)
        return _all_parts(close | (a == b) | (np.isnan(a) & np.isnan(b)), element_type)

    def distance(self, actual: Array, expected: Array, element_type: ElementType) -> list[str]:
        wide = np.complex128 if element_type.kind is Kind.COMPLEX else np.float64
        with np.errstate(all="ignore"):
            differences = np.abs(actual.astype(wide) - expected.astype(wide))
        return [f"{difference:.6g}" for difference in differences.flat]


@dataclass(frozen=True, slots=True)
class Close:
    """minimum <= ULP distance <= maximum.

    The distance counts the values of the type between the two, so 0.0 and -0.0 are 0 apart. Any two NaNs have
    the distance 0; other non-finite values have an infinite distance to all other values.
    """

    minimum: int
    maximum: int

    @property
    def requirement(self) -> str:
        if self.minimum:
            return f"{self.minimum} to {self.maximum} ULP apart"
        return f"at most {self.maximum} ULP apart"

    def agree(self, actual: Array, expected: Array, element_type: ElementType) -> Mask:
        distance = ulp_distance(actual, expected, element_type)
        return (distance >= np.uint64(self.minimum)) & (distance <= np.uint64(self.maximum))

    def distance(self, actual: Array, expected: Array, element_type: ElementType) -> list[str]:
        return _ulp_texts(actual, expected, element_type)


def _ulp_texts(actual: Array, expected: Array, element_type: ElementType) -> list[str]:
    distances = (int(distance) for distance in ulp_distance(actual, expected, element_type).flat)
    return ["infinite" if distance == NOT_COMPARABLE else f"{distance} ULP" for distance in distances]


def _parts(values: Array, element_type: ElementType) -> Array:
    """Real and imaginary parts along a new last dimension; real values unchanged."""
    if element_type.kind is not Kind.COMPLEX:
        return values
    return np.ascontiguousarray(values).view(element_type.part.dtype).reshape(*values.shape, 2)


def _all_parts(mask: Mask, element_type: ElementType) -> Mask:
    return np.asarray(mask.all(axis=-1)) if element_type.kind is Kind.COMPLEX else mask
