"""ULPs and rounding of any float type, on arrays of NumPy's longdouble.

Everything here is exact: on x86, longdouble has more exponents and bits than f64. (On systems whose
longdouble is an f64, f64 results are compared with mpmath alone, and results of narrower types with f64.)
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's stubs know little of longdouble)

from __future__ import annotations

from typing import Any

import numpy as np

from hlokit.values.element_types import ElementType
from hlokit.values.float_format import FloatFormat, Special, float_format

Array = Any  # NDArray[longdouble], which NumPy's stubs hardly support

EXTENDED = np.dtype(np.longdouble)
HAS_EXTENDED = np.finfo(np.longdouble).nmant > np.finfo(np.float64).nmant


def widened(values: Array) -> Array:
    """Floats of any element type in longdouble."""
    if values.dtype.kind == "f" and values.dtype.itemsize >= 4:
        return values.astype(EXTENDED)
    return values.astype(np.float32).astype(EXTENDED)


def least_exponent(layout: FloatFormat) -> int:
    """The exponent of the smallest normal value, or of the smallest value of a format without subnormals."""
    return (0 if layout.special is Special.POWER else 1) - layout.bias


def quantum_exponents(layout: FloatFormat, values: Array) -> Array:
    """The exponent of one ULP at each value: that of its last bit, at least that of the subnormals."""
    _, exponent = np.frexp(np.where(np.isfinite(values) & (values != 0), values, 1))
    _, most = np.frexp(EXTENDED.type(layout.decode(layout.largest)))
    lowest = least_exponent(layout)
    exponent = np.where(values == 0, lowest, np.clip(exponent - 1, lowest, most - 1))
    return exponent - layout.mantissa_bits


def nearest(type_: ElementType, values: Array) -> Array:
    """Values rounded to a float type, ties to even, as longdouble; values out of range become infinity, NaN
    or the largest number, as the type specifies (`FloatFormat.encode`)."""
    layout = float_format(type_)
    values = np.asarray(values, EXTENDED)
    exponents = quantum_exponents(layout, values)
    if layout.special is Special.POWER:
        return _nearest_power(layout, values)
    result = np.ldexp(np.rint(np.ldexp(values, -exponents)), exponents)
    result = np.where(np.isfinite(values), result, values)
    largest = layout.decode(layout.largest)
    beyond = np.abs(result) > largest
    match layout.special:
        case Special.IEEE:
            result = np.where(beyond, np.copysign(np.inf, values), result)
        case Special.FINITE:
            result = np.where(beyond, np.copysign(largest, values), result)
            result = np.where(np.isnan(values), -0.0, result)
        case _:
            result = np.where(beyond, np.nan, result)
    result = np.where(result == 0, np.copysign(0, values), result)
    if layout.special is Special.FINITE:
        result = np.where(np.isnan(values), -0.0, result)
    if layout.special is Special.FNUZ:
        result = np.where(result == 0, 0, result)
    return result.astype(EXTENDED)


def _nearest_power(layout: FloatFormat, values: Array) -> Array:
    fraction, exponent = np.frexp(np.where(np.isfinite(values), values, 1))
    exponent = np.where(fraction >= 0.75, exponent, exponent - 1)
    exponent = np.maximum(exponent, -layout.bias)
    result = np.ldexp(EXTENDED.type(1), exponent)
    valid = np.isfinite(values) & (values > 0) & (result <= layout.decode(layout.largest))
    return np.where(valid, result, np.nan).astype(EXTENDED)


def ulp_errors(type_: ElementType, results: Array, exact: Array) -> Array:
    """|results - exact| in ULPs of the exact values; infinity where only one of them, rounded to the type, is
    infinite or NaN, and where a zero has the wrong sign."""
    layout = float_format(type_)
    rounded = nearest(type_, exact)
    ulp = np.ldexp(EXTENDED.type(1), quantum_exponents(layout, exact))
    errors = np.abs(results - exact) / ulp
    both_nan = np.isnan(results) & np.isnan(rounded)
    # These results are exact: an overflow that rounds to infinity, equal infinities, a saturated or smallest
    # value.
    equal = (results == rounded) & ~np.isfinite(errors)
    saturated = (results == rounded) & (np.abs(exact) > layout.decode(layout.largest))
    least = (results == rounded) & (layout.special is Special.POWER)
    errors = np.where(
        saturated | equal | both_nan | least, np.where(least, np.minimum(errors, 0.5), 0), errors
    )
    wrong = (np.isnan(results) != np.isnan(rounded)) | (np.isinf(results) != np.isinf(rounded))
    return np.where(wrong | is_sign_of_zero_wrong(results, rounded) | np.isnan(errors), np.inf, errors)


def is_sign_of_zero_wrong(results: Array, rounded: Array) -> Array:
    """Whether both values are zeros, of different signs."""
    return (results == 0) & (rounded == 0) & (np.signbit(results) != np.signbit(rounded))
