"""Special functions of arrays, each written once for f64 and NumPy's longdouble.

In f64 these functions approximate functions of narrower types; in longdouble they compute the shadows of f64.
(Functions of f64 itself are compiled: lib/kernels/functions.) Between singularities a function is a Chebyshev
series (`special_tables`), truncated at the precision of the dtype; towards infinity it is an asymptotic
series. Factors that vanish (at the roots of lgamma and digamma, and at 0) stay outside the series, which
keeps the relative error small.

All functions are blockwise (`cache_blocking`) and keep the dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np

from hlokit.kernels.elementwise import special_roots, special_tables
from hlokit.kernels.elementwise.blocked_kernels import DType
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.kernels.elementwise.native import f64_function
from hlokit.kernels.elementwise.special_roots import bernoulli

_PI = "3.14159265358979323846264338327950288"
_SQRT_PI = "1.77245385090551602729816748334114518"
_HALF_LOG_TWO_PI = "0.918938533204672741780329736405617639861"


# Parts -----------------------------------------------------------------------------------------------


def _elementary(name: str, ufunc: np.ufunc) -> Callable[[Array], Array]:
    """A function without NumPy's dispatch, which would make the bits depend on the processor; longdouble uses
    NumPy."""
    return lambda operand: (f64_function(name) if operand.dtype == np.float64 else ufunc)(operand)


_exp, _log, _log1p = (
    _elementary("exponential", np.exp), _elementary("log", np.log), _elementary("log_plus_one", np.log1p)
)  # fmt: skip
_sin, _tan = _elementary("sine", np.sin), _elementary("tan", np.tan)


@cache
def _number(digits: str, dtype: DType) -> np.floating:
    return dtype.type(digits)


@cache
def _coefficients(table: str, dtype: DType) -> tuple[np.floating, ...]:
    """The terms of a series that matter at the precision of a dtype."""
    terms = np.array([dtype.type(term) for term in table.split()])
    sizes = np.abs(terms)
    (kept,) = np.nonzero(sizes > np.max(sizes) * np.finfo(dtype).eps / 16)
    return tuple(terms[: kept[-1] + 1])


def _chebyshev(table: str, operand: Array, low: float, high: float) -> Array:
    """The sum of a series from `low` to `high`, by Clenshaw's recurrence."""
    first, *terms = _coefficients(table, operand.dtype)
    twice = (operand - low) * (4 / (high - low)) - 2
    sum_, before = np.full_like(twice, terms[-1]), np.zeros_like(twice)
    for term in reversed(terms[:-1]):
        sum_, before = twice * sum_ - before + term, sum_
    return sum_ * twice / 2 - before + first


def _exact(fraction: Fraction, dtype: DType) -> np.floating:
    return dtype.type(fraction.numerator) / dtype.type(fraction.denominator)


def _update_where(result: Array, where: Array, function: Callable[..., Array], *operands: Array) -> None:
    """Update `result` with function(operands) at `where`; skipped if empty, since the function may be
    slow."""
    if where.any():
        result[where] = function(*[operand[where] for operand in operands])


def _cot_and_sin_of_pi(operand: Array) -> tuple[Array, Array]:
    """cot(pi x) and |sin(pi x)|, with an exact reduction of x to [-1/2, 1/2]."""
    angle = _number(_PI, operand.dtype) * (operand - np.rint(operand))
    return 1 / _tan(angle), np.abs(_sin(angle))


# Error functions ---------------------------------------------------------------------------------------


def erf(operand: Array) -> Array:
    """2 / sqrt(pi) times the integral of exp(-t**2) from 0 to x."""
    magnitude = np.abs(operand)
    result = operand * _chebyshev(special_tables.ERF, np.minimum(magnitude, 1) ** 2, 0, 1)
    _update_where(result, magnitude > 1, _erf_beyond_1, operand)
    return result


def _erf_beyond_1(operand: Array) -> Array:
    return np.copysign(1 - _erfc_beyond_1(np.abs(operand)), operand)


def erfc(operand: Array) -> Array:
    """1 - erf(x)."""
    result = 1 - erf(operand)
    _update_where(result, operand > 0.5, _erfc_positive, operand)
    return result


def _erfc_positive(operand: Array) -> Array:
    result = 1 - erf(np.minimum(operand, 1))
    _update_where(result, operand > 1, _erfc_beyond_1, operand)
    return result


def _erfc_beyond_1(operand: Array) -> Array:
    # From 28 on, exp(-x**2) is far below the smallest f64, but not 0.
    beyond = np.where(np.isinf(operand), 0, np.finfo(operand.dtype).tiny)
    operand = np.minimum(operand, 28)
    # The square of a 26-bit number is exact; the rest of x**2 is small.
    scaled = np.rint(operand * 2.0**20) / 2.0**20
    power = _exp(-scaled * scaled) * _exp(-(operand - scaled) * (operand + scaled))
    return np.where(operand < 28, power * _scaled_erfc(operand) / operand, beyond)


def _scaled_erfc(operand: Array) -> Array:
    """x exp(x**2) erfc(x) for x from 1 to 28."""
    mapped = (operand - 3) / (operand + 3)
    return _chebyshev(special_tables.ERFC, mapped, -1 / 2, 25 / 31)


def erf_inv(operand: Array) -> Array:
    """y with erf(y) = x: an estimate with an error of 0.2 %, refined by Halley's method, which cubes the
    error.
    """
    x = np.abs(operand)
    inside = x < 1
    x = np.where(inside, x, 0)
    dtype = operand.dtype
    half_root = _number(_SQRT_PI, dtype) / 2
    # Winitzki's approximation; near 0, where it cancels, the Taylor series.
    logarithm = _log1p(-x * x)
    half = 2 / (np.pi * 0.147) + logarithm / 2
    guess = np.sqrt(np.maximum(np.sqrt(half * half - logarithm / 0.147) - half, 0))
    guess = np.where(x < 0.3, half_root * x * (1 + np.pi / 12 * x * x), guess).astype(dtype)
    for _ in range(2 if np.finfo(dtype).bits <= 64 else 3):
        square = _exp(guess * guess) * half_root
        # Near 1, erf(y) - x cancels, so the residual uses erfc(y).
        excess = np.where(x < 0.5, erf(guess) - x, (1 - x) - _erfc_positive(guess))
        step = excess * square
        guess = guess - step / (1 + guess * step)
    result = np.copysign(guess, operand)
    beyond = np.where(np.abs(operand) == 1, np.copysign(np.inf, operand), np.nan)
    return np.where(inside, result, beyond)


# Gamma -------------------------------------------------------------------------------------------------

# From this argument on, the asymptotic series is accurate.
_ASYMPTOTIC = 16
_ASYMPTOTIC_TERMS = 14


def lgamma(operand: Array) -> Array:
    """log(|gamma(x)|); infinity at 0, -1, -2 ... and at both infinities."""
    result = np.abs(operand)  # the result for infinities and NaN
    finite = np.isfinite(operand)
    _update_where(result, finite & (operand > 0), _lgamma_positive, operand)
    _update_where(result, finite & (operand <= 0), _lgamma_reflected, operand)
    return special_roots.refine(result, operand, special_roots.lgamma, np.abs(operand))


def _lgamma_positive(operand: Array) -> Array:
    small = operand < _ASYMPTOTIC
    x = np.where(small, operand, 2)
    below_1 = x < 1
    product = np.where(below_1, x, 1)
    shifted = np.where(below_1, x + 1, x)
    while (large := shifted > 3).any():
        shifted = np.where(large, shifted - 1, shifted)
        product = np.where(large, product * shifted, product)
    series = (shifted - 1) * (shifted - 2) * _chebyshev(special_tables.LGAMMA, shifted, 1, 3)
    logarithm = _log(product)
    result = np.where(below_1, series - logarithm, series + logarithm)
    _update_where(result, ~small, _lgamma_asymptotic, operand)
    return result


def _lgamma_asymptotic(operand: Array) -> Array:
    dtype = operand.dtype
    series = np.zeros_like(operand)
    square = operand * operand
    for index, number in reversed(list(enumerate(bernoulli(_ASYMPTOTIC_TERMS), 1))):
        series = series / square + _exact(number / (2 * index * (2 * index - 1)), dtype)
    logarithm = _log(operand)
    return (operand - 0.5) * (logarithm - 1) + (_number(_HALF_LOG_TWO_PI, dtype) - 0.5 + series / operand)


def _lgamma_reflected(operand: Array) -> Array:
    """log(pi / |sin(pi x)|) - lgamma(1 - x)."""
    _, sine = _cot_and_sin_of_pi(operand)
    pole = operand == np.rint(operand)
    pi = _number(_PI, operand.dtype)
    tiny = operand > -0.25  # 1 - x would lose bits of x: gamma(x) = gamma(1 + x) / x
    small = _lgamma_positive(1 + np.where(tiny, operand, 0)) - _log(np.where(tiny, -operand, 1))
    far = _log(pi / np.where(pole, 1, sine)) - _lgamma_positive(1 - np.where(tiny, -1, operand))
    return np.where(pole, np.inf, np.where(tiny, small, far))


# The positive root of digamma as the sum of two f64, so that subtracting it from x is accurate.
_ROOT = "1.4616321449683623412626595423257213284681962"


@cache
def _root(dtype: DType) -> tuple[np.floating, np.floating]:
    high = dtype.type(float.fromhex("0x1.762d86356be3fp+0"))
    rest = Fraction(_ROOT) - Fraction(float.fromhex("0x1.762d86356be3fp+0"))
    return high, _exact(rest, dtype)


def digamma(operand: Array) -> Array:
    """The derivative of log(gamma(x)); NaN at 0, -1, -2 ... and -infinity."""
    result = np.where(operand > 0, operand, np.nan)  # the result for infinities and poles
    finite = np.isfinite(operand)
    _update_where(result, finite & (operand > 0), _digamma_positive, operand)
    _update_where(result, finite & (operand < 0) & (operand != np.rint(operand)), _digamma_reflected, operand)
    return special_roots.refine(result, operand, special_roots.digamma, 1 + _log1p(np.abs(operand)))


def _digamma_positive(operand: Array) -> Array:
    small = operand < _ASYMPTOTIC
    x = np.where(small, operand, 1)
    below_1 = x < 1
    total = np.where(below_1, -1 / x, 0)
    shifted = np.where(below_1, x + 1, x)
    while (large := shifted > 2).any():
        shifted = np.where(large, shifted - 1, shifted)
        total = np.where(large, total + 1 / shifted, total)
    high, low = _root(operand.dtype)
    result = ((shifted - high) - low) * _chebyshev(special_tables.DIGAMMA, shifted, 1, 2) + total
    _update_where(result, ~small, _digamma_asymptotic, operand)
    return result


def _digamma_asymptotic(operand: Array) -> Array:
    series = np.zeros_like(operand)
    square = operand * operand
    for index, number in reversed(list(enumerate(bernoulli(_ASYMPTOTIC_TERMS), 1))):
        series = (series + _exact(number / (2 * index), operand.dtype)) / square
    return _log(operand) - 0.5 / operand - series


def _digamma_reflected(operand: Array) -> Array:
    """digamma(1 - x) - pi cot(pi x), or near 0 digamma(1 + x) - 1 / x."""
    tiny = operand > -0.25
    cotangent, _ = _cot_and_sin_of_pi(operand)
    far = _digamma_positive(1 - np.where(tiny, -1, operand)) - _number(_PI, operand.dtype) * cotangent
    return np.where(tiny, _digamma_positive(1 + np.where(tiny, operand, 0)) - 1 / operand, far)


# Zeta ----------------------------------------------------------------------------------------------------

# The number of terms that are summed directly, before the Euler-Maclaurin formula, and the terms of the
# formula.
_ZETA_SUMMED = 16
_ZETA_TERMS = 14


def zeta(x: Array, q: Array, even: Array | None = None) -> Array:
    """sum((q + n)**-x for n = 0, 1, ...); infinity for x = 1, NaN for x < 1.

    For q = 0, -1, -2, ... one term is infinite: the result is infinity for even x and NaN for other x. The
    result is also NaN for negative q if x is not an integer.

    Args:
      even: whether x is an even integer, if x is too large to represent its parity.
    """
    x, q = np.broadcast_arrays(x, q)
    result = np.full(x.shape, np.nan, x.dtype)
    integer = x == np.rint(x)
    even = np.asarray(integer & (x / 2 == np.rint(x / 2)) if even is None else even)
    pole = (q <= 0) & (q == np.rint(q)) & np.isfinite(q)
    result[((x == 1) & ~np.isnan(q)) | (pole & even & (x > 1) & np.isfinite(x))] = np.inf
    defined = (x > 1) & np.isfinite(x) & np.isfinite(q)
    _update_where(result, defined & (q > 0), _zeta_positive, x, q)
    _update_where(result, defined & (q < 0) & ~pole & integer, _zeta_reflected, x, q, even)
    result[(x > 1) & (q == np.inf)] = 0
    infinite = (x == np.inf) & (q > 0)
    result[infinite] = np.where(q > 1, 0, np.where(q == 1, 1, np.inf))[infinite]
    return result


def _zeta_positive(x: Array, q: Array) -> Array:
    # The first term is factored out, so that the remaining sum of ratios does not underflow.
    total = np.ones_like(x)
    for n in range(1, _ZETA_SUMMED):
        total = total + _ratio_power(q, n, x)
    last = q + _ZETA_SUMMED
    power = _ratio_power(q, _ZETA_SUMMED, x)
    total = total + power * (last / (x - 1) + 0.5)
    factor, square = x / last, last * last
    for index, number in enumerate(bernoulli(_ZETA_TERMS), 1):
        # B(2k) / (2k)! x (x + 1) ... (x + 2k - 2) / last**(x + 2k - 1)
        factor = factor / (2 * index * (2 * index - 1))
        total = total + _exact(number, x.dtype) * factor * power
        factor = factor * ((x + 2 * index - 1) * (x + 2 * index)) / square
    return np.power(q, -x) * np.where(np.isfinite(total), total, 1)


def _ratio_power(q: Array, n: int, x: Array) -> Array:
    """(q / (q + n))**x."""
    return _exp(-x * _log1p(n / q))


def _zeta_reflected(x: Array, q: Array, even: Array) -> Array:
    """For q < 0: the terms with q + n < 0 equal the terms of 1 - fraction(q), up to 1 - q, times (-1)**x."""
    fraction = q - np.floor(q)
    sign = np.where(even, 1, -1)
    rest = np.floor(q) + 1 - q
    positive = _zeta_positive(x, fraction)
    total = positive + sign * (_zeta_positive(x, rest) - _zeta_positive(x, 1 - q))
    # If both terms are infinite, the term next to a pole is far larger.
    total = np.where(np.isnan(total), np.inf * np.where(fraction < rest, 1, sign), total)
    return np.where(~even & (fraction == 0.5), _zeta_positive(x, 1 - q), total)


def polygamma(n: Array, x: Array) -> Array:
    """The derivative of order n of digamma(x); NaN unless n is a natural number."""
    n, x = np.broadcast_arrays(n, x)
    result = np.full(x.shape, np.nan, x.dtype)
    natural = (n > 0) & (n == np.rint(n)) & np.isfinite(n)
    _update_where(result, n == 0, digamma, x)
    _update_where(result, natural, _polygamma_natural, n, x)
    return result


def _polygamma_natural(n: Array, x: Array) -> Array:
    """(-1)**(n + 1) n! zeta(n + 1, x)."""
    is_even = n / 2 == np.rint(n / 2)
    magnitude = _factorial(n) * zeta(n + 1, x, ~is_even)
    is_half = is_even & (x < 0) & (x - np.floor(x) == 0.5)  # other terms cancel than the terms from 1 - x on
    lost = np.isnan(magnitude) & ((x > 0) | is_half)  # infinity times 0
    _update_where(magnitude, lost, _polygamma_leading, n, np.where(is_half, 1 - x, x))
    return np.where(is_even, -magnitude, magnitude)


def _polygamma_leading(n: Array, x: Array) -> Array:
    """n! x**-(n + 1)"""
    return _exp(_lgamma_positive(n + 1) - (n + 1) * _log(x))


def _factorial(n: Array) -> Array:
    factorials = _factorials(n.dtype)
    return factorials[np.minimum(n, factorials.size - 1).astype(np.intp)]


@cache
def _factorials(dtype: DType) -> Array:
    """0!, 1!, ... up to infinity."""
    factors = np.arange(1800 if np.finfo(dtype).maxexp > 1024 else 172).astype(dtype)
    factors[0] = 1
    with np.errstate(over="ignore"):
        return np.multiply.accumulate(factors)


# Bessel --------------------------------------------------------------------------------------------------


def bessel_i1e(operand: Array) -> Array:
    """exp(-|x|) I1(x), the modified Bessel function of order 1, scaled."""
    magnitude = np.abs(operand)
    result = operand * _chebyshev(special_tables.BESSEL_SMALL, np.minimum(magnitude, 8), 0, 8)
    _update_where(result, magnitude > 8, _bessel_i1e_large, operand)
    return result


def _bessel_i1e_large(operand: Array) -> Array:
    magnitude = np.abs(operand)
    series = _chebyshev(special_tables.BESSEL_LARGE, 1 / magnitude, 0, 1 / 8)
    return np.copysign(series / np.sqrt(magnitude), operand)
