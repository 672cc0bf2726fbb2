"""Rounding of f64 arrays, and of single mpmath numbers, to f32, f16 and bf16."""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (neither mpmath nor NumPy's views have types)

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from hlokit.tools.numerics.rules import exact
from hlokit.values.element_types import F32
from hlokit.values.float_format import FloatFormat, float_format
from tools.accuracy.formats import least_exponent

Array = Any

_F32 = float_format(F32)
# Exponents outside of all types' ranges, whose powers of two are still quick to compute.
_FAR = 20_000


def nearest(values: Array, layout: FloatFormat) -> tuple[Array, Array]:
    """f64 numbers rounded to a type by bit operations, and the type's ULP at each number."""
    bits, least = values.view(np.uint64), least_exponent(layout)
    ulp = (bits & np.uint64(0x7FF << 52)).view(np.float64)
    np.maximum(ulp, 2.0**least, out=ulp)
    ulp *= 2.0**-layout.mantissa_bits
    if layout == _F32:
        return values.astype(np.float32).astype(np.float64), ulp
    dropped = np.uint64(52 - layout.mantissa_bits)
    one = np.uint64(1)
    rounded = bits >> dropped
    rounded &= one
    rounded += bits
    rounded += (one << (dropped - one)) - one
    rounded &= ~((one << dropped) - one)
    result = rounded.view(np.float64)
    size = np.abs(values)
    subnormal = size < 2.0**least
    if subnormal.any():  # a number so large that its last bit has the value of the subnormals' last bit
        magic = 1.5 * 2.0 ** (52 + least - layout.mantissa_bits)
        result[subnormal] = np.copysign((values[subnormal] + magic) - magic, values[subnormal])
    beyond = size >= overflow(layout)
    if beyond.any():
        result[beyond] = np.copysign(np.inf, values[beyond])
    return result, ulp


def overflow(layout: FloatFormat) -> float:
    """The least number that is rounded to infinity."""
    largest = layout.decode(layout.largest)
    return largest + (largest - layout.decode(layout.largest - 1)) / 2


def nearest_number(number: Any, layout: FloatFormat) -> float:
    """A nonzero mpmath number, rounded once, ties to even."""
    sign, exponent = -1 if number < 0 else 1, _exponent(number)
    if abs(exponent) > _FAR:
        return math.copysign(math.inf if exponent > 0 else 0.0, sign)
    mantissa, shift = int(number.man), int(number.exp)  # the mantissa without the sign
    value = Fraction(mantissa << shift) if shift >= 0 else Fraction(mantissa, 1 << -shift)
    return math.copysign(layout.decode(layout.encode(value)), sign)


def error(number: Any, result: float, layout: FloatFormat) -> float:
    """|result - number| in ULP of the type at the number."""
    if not math.isfinite(result):
        return math.inf
    unit = max(_exponent(number), least_exponent(layout)) - layout.mantissa_bits
    with exact.mp().workprec(400):
        return float(exact.mp().fabs(exact.mp().mpf(result) - number) / exact.mp().ldexp(1, unit))


def _exponent(number: Any) -> int:
    return int(number.man).bit_length() + int(number.exp) - 1
