"""The error of values against more precise values: absolute, in units in the last place (ULP), and
relative."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.values.element_types import ElementType
from hlokit.values.float_format import float_format

Array = npt.NDArray[Any]

# The number of elements that are compared at a time.
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class Deviation:
    """The error of a value against a more precise value.

    Attributes:
      max_ulp, mean_ulp: over the elements, in units in the last place of the value's type at the precise
        value; for a complex number, at its magnitude. Infinite where only one of the two values is finite.
      relative: |value - precise| / |precise|, of the norms of all finite elements.
    """

    max_ulp: float = 0.0
    mean_ulp: float = 0.0
    relative: float = 0.0

    def bits(self, element_type: ElementType) -> float:
        """The number of leading bits that agree, at most the number of bits in the type's significand."""
        most = significant_bits(element_type)
        if not math.isfinite(self.max_ulp) or not math.isfinite(self.relative):
            return 0.0
        return most if not self.relative else min(max(-math.log2(self.relative), 0.0), most)


def significant_bits(element_type: ElementType) -> float:
    """The bits of a significand, including the implicit bit."""
    return float_format(element_type).mantissa_bits + 1.0


def unit_in_last_place(precise: Array, element_type: ElementType) -> Array:
    """The distance between neighbours of a float type at finite values of a wider type."""
    layout = float_format(element_type)
    _, exponents = np.frexp(precise)
    # frexp gives fractions from 1/2 on; its exponent for 0 is meaningless.
    _, largest = math.frexp(layout.decode(layout.largest))
    exponents = np.where(precise == 0, -(1 << 20), exponents)
    exponents = np.minimum(np.maximum(exponents, 2 - layout.bias), largest)  # several times as fast as clip
    return np.ldexp(precise.dtype.type(1), exponents - (layout.mantissa_bits + 1))


def error_of(value: Value, precise: Value, element_type: ElementType) -> Deviation:
    """The error of an array of a float or complex type against an array of a wider type."""
    real, wide = np.asarray(value).reshape(-1), np.asarray(precise).reshape(-1)
    is_lost, largest, total, count, norm, distance = False, 0.0, 0.0, 0, 0.0, 0.0
    for start in range(0, wide.size, _BLOCK):
        block = slice(start, start + _BLOCK)
        expected = wide[block]
        actual = real[block].astype(wide.dtype)
        finite = np.isfinite(expected)
        same = np.isfinite(actual) == finite
        is_lost = is_lost or not same.all()
        both = finite & same
        magnitudes = np.abs(expected[both])
        differences = np.abs(actual[both] - expected[both])
        ulps = differences / unit_in_last_place(magnitudes, element_type)
        largest = max(largest, float(ulps.max(initial=0)))
        total += float(ulps.sum())
        count += ulps.size
        norm, distance = math.hypot(norm, _norm(magnitudes)), math.hypot(distance, _norm(differences))
    relative = distance / norm if norm else math.inf if distance else 0.0
    if is_lost:
        largest = math.inf
    return Deviation(largest, total / count if count else largest, relative)


def _norm(values: Array) -> float:
    largest = values.max(initial=0)
    if not largest or not np.isfinite(largest):
        return float(largest)
    return float(largest * np.sqrt(np.square(values / largest).sum()))
