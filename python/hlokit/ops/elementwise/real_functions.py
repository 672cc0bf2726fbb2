"""Functions of f64 arrays that NumPy lacks or computes with an error above 1 ULP.

`np.tanh` errs by 1.2 ULP, the obvious formulas of rsqrt and logistic by 1.4 and 1.8, the C library's cbrt by
2.5. The functions here carry intermediate values as unevaluated sums of two f64, so that only the last
rounding counts. All are blockwise (`cache_blocking`).
"""

from __future__ import annotations

import decimal
import math
from functools import cache

import numpy as np

from hlokit.ops.elementwise.cache_blocking import Array

# 2**27 + 1 cuts the 53 bits of an f64 into two halves whose products are exact (Veltkamp).
_SPLITTER = 134217729.0


def two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """a + b as the rounded sum and its exact error (Knuth)."""
    high = a + b
    part = high - a
    return high, (a - (high - part)) + (b - part)


def two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """a * b as the rounded product and its exact error (Dekker); for |a| and |b| below 2**996."""
    high = a * b
    a_high, a_low = split(a)
    b_high, b_low = (a_high, a_low) if a is b else split(b)
    return high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low


def split(a: Array) -> tuple[Array, Array]:
    """a as the sum of two numbers with half its bits (Veltkamp)."""
    scaled = a * _SPLITTER
    high = scaled - (scaled - a)
    return high, a - high


def rsqrt(operand: Array) -> Array:
    """1 / sqrt(x): one Newton step on the exact residuals of both operations."""
    tiny = (operand < _RESIDUALS_UNDERFLOW_BELOW) & (operand > 0)
    if tiny.any():
        scaled = np.where(tiny, operand * 2.0**200, operand)
        return rsqrt(scaled) * np.where(tiny, 2.0**100, 1.0)
    root = np.sqrt(operand)
    result = 1.0 / root
    square, square_error = two_product(root, root)
    unit, unit_error = two_product(root, result)
    residual = (1.0 - unit) - unit_error
    residual -= 0.5 * ((operand - square) - square_error) / operand
    correction = result * residual
    # At 0, infinity and NaN the residuals are NaN, and the plain quotient is right.
    return np.where(np.isfinite(correction), result + correction, result)


_RESIDUALS_UNDERFLOW_BELOW = 2.0**-900


def cbrt(operand: Array) -> Array:
    """The cube root. Where NumPy calls the C library, a Newton step on the exact residual corrects the
    result.
    """
    if _is_vectorised("cbrt"):
        return np.cbrt(operand)
    tiny = np.abs(operand) < _RESIDUALS_UNDERFLOW_BELOW
    operand = np.where(tiny, operand * 2.0**300, operand)
    result = np.cbrt(operand)
    square, square_error = two_product(result, result)
    cube, cube_error = two_product(square, result)
    residual = (cube - operand) + cube_error + square_error * result
    correction = residual / (3.0 * square)
    result = np.where(np.isfinite(correction), result - correction, result)
    return np.where(tiny, result * 2.0**-100, result)


def logistic(operand: Array) -> Array:
    """1 / (1 + exp(-x)), as exp(x) / (1 + exp(x)) for negative x."""
    magnitude = np.abs(operand)
    power, power_error = _exp_of_negative(magnitude)
    divisor, divisor_error = two_sum(np.ones_like(power), power)
    divisor_error += power_error
    negative = operand < 0
    dividend = np.where(negative, power, 1.0)
    dividend_error = np.where(negative, power_error, 0.0)
    return np.where(np.isnan(operand), operand, _quotient(dividend, dividend_error, divisor, divisor_error))


def tanh(operand: Array) -> Array:
    """(1 - exp(-2 |x|)) / (1 + exp(-2 |x|)) with the sign of x; the odd series near 0, where that cancels."""
    magnitude = np.abs(operand)
    power, power_error = _exp_of_negative(2.0 * magnitude)
    dividend, dividend_error = two_sum(np.ones_like(power), -power)
    divisor, divisor_error = two_sum(np.ones_like(power), power)
    result = _quotient(dividend, dividend_error - power_error, divisor, divisor_error + power_error)
    near_zero = magnitude < _SERIES_BELOW
    if near_zero.any():
        result = np.where(near_zero, _tanh_series(magnitude), result)
    return np.where(np.isnan(operand), operand, np.copysign(result, operand))


_SERIES_BELOW = 0.0625
# Of x**15, x**13, ... x**3. The next term is below 2**-60 of the first in the range.
_TANH_SERIES = (
    -929569 / 638512875,
    21844 / 6081075,
    -1382 / 155925,
    62 / 2835,
    -17 / 315,
    2 / 15,
    -1 / 3,
)


def _tanh_series(operand: Array) -> Array:
    square = operand * operand
    total = np.full_like(operand, _TANH_SERIES[0])
    for coefficient in _TANH_SERIES[1:]:
        total = total * square + coefficient
    return operand + operand * square * total


def approximate_sin(operand: Array) -> Array:
    """sin within a few ULP, as 2t / (1 + t**2) with t = tan(x / 2), where `np.tan` is the faster function."""
    if not _is_vectorised("tan"):
        return np.sin(operand)
    tangent = np.tan(0.5 * operand)
    result = tangent + tangent
    tangent *= tangent
    tangent += 1.0
    return np.divide(result, tangent, out=result)


def approximate_cos(operand: Array) -> Array:
    """cos within a few ULP, as (1 - t**2) / (1 + t**2) with t = tan(x / 2); `np.cos` where that cancels."""
    if not _is_vectorised("tan"):
        return np.cos(operand)
    square = np.tan(0.5 * operand)
    square *= square
    result = 1.0 - square
    square += 1.0
    result /= square
    cancels = np.nonzero(np.abs(result) < 2.0**-8)
    result[cancels] = np.cos(operand[cancels])
    return result


def approximate_atan2(lhs: Array, rhs: Array) -> Array:
    """atan2; tiny results are moved one step toward 0.

    A tiny result is next to lhs / rhs but smaller. The quotient may be the midpoint of two numbers of the
    narrower type that the result is rounded to, so that rounding needs to know the side.
    """
    result = np.arctan2(lhs, rhs)
    is_tiny = (np.abs(result) < _QUOTIENT_BELOW) & (result != 0)
    return np.where(is_tiny, np.nextafter(result, 0), result) if is_tiny.any() else result


def approximate_atan2_of_scalars(lhs: float, rhs: float) -> float:
    """`approximate_atan2` for Python floats."""
    result = math.atan2(lhs, rhs)
    return math.nextafter(result, 0.0) if 0 < abs(result) < _QUOTIENT_BELOW else result


_QUOTIENT_BELOW = 2.0**-27


@cache
def _is_vectorised(name: str) -> bool:
    """Whether NumPy has a SIMD loop for this function of f64, as with AVX-512, instead of calling the C
    library.

    For tan, SIMD takes 1 ns per element; sin and cos, which NumPy never vectorises in f64, take 8 ns.
    """
    found = np.lib.introspect.opt_func_info(f"^{name}$", "float64")
    targets = [loop["current"] for loops in found.values() for loop in loops.values()]
    return any(not target.startswith("baseline") for target in targets)


def _quotient(dividend: Array, dividend_error: Array, divisor: Array, divisor_error: Array) -> Array:
    """(dividend + its error) / (divisor + its error), with an error slightly above that of one rounding."""
    result = dividend / divisor
    product, product_error = two_product(result, divisor)
    remainder = ((dividend - product) - product_error) + (dividend_error - result * divisor_error)
    return result + remainder / divisor


# exp(-x) = 2**(-k / 64) * exp(-r) with |r| <= log(2) / 128. log(2) / 64 is split into two parts, the first of
# 32 bits, so that its product with k is exact.
_STEPS_BITS = 6
_STEPS = 1 << _STEPS_BITS
_STEPS_BY_LOG2 = float.fromhex("0x1.71547652b82fep+6")
_LOG2_BY_STEPS = float.fromhex("0x1.62e42fee00000p-7")
_LOG2_BY_STEPS_ERROR = float.fromhex("0x1.a39ef35793c76p-39")
# Beyond this value the result is 0, and the product with k would not be exact.
_LARGEST = 800.0


def _exp_of_negative(operand: Array) -> tuple[Array, Array]:
    """exp(-x) for x >= 0 as a sum of two f64, with a relative error of 2**-60."""
    operand = np.fmin(operand, _LARGEST)
    steps = np.rint(operand * _STEPS_BY_LOG2)
    rest = (steps * _LOG2_BY_STEPS - operand) + steps * _LOG2_BY_STEPS_ERROR
    series = rest * (1 / 720) + 1 / 120
    for coefficient in (1 / 24, 1 / 6, 1 / 2):
        series = series * rest + coefficient
    series = series * rest * rest + rest
    count = np.negative(steps).astype(np.int32)  # np.ldexp takes 20 times as long with int64
    powers, errors = _powers_of_two()
    index = count & (_STEPS - 1)
    exponent = count >> _STEPS_BITS
    high = np.take(powers, index)
    low = np.take(errors, index) + high * series
    total = high + low
    low = (high - total) + low
    return np.ldexp(total, exponent), np.ldexp(low, exponent)


@cache
def _powers_of_two() -> tuple[Array, Array]:
    """2**(k / 64) for k < 64 as sums of two f64."""
    with decimal.localcontext(prec=50):
        exact = [decimal.Decimal(2) ** (decimal.Decimal(k) / _STEPS) for k in range(_STEPS)]
        high = [float(value) for value in exact]
        low = [float(value - decimal.Decimal(rounded)) for value, rounded in zip(exact, high, strict=True)]
    return np.array(high), np.array(low)
