"""Special functions of elements, correctly rounded: CHLO's error functions, gamma functions, zeta, Bessel.

mpmath computes most of these functions, which MPFR lacks.
"""

from __future__ import annotations

import math

from hlokit.reference.numbers import complex_limits
from hlokit.reference.numbers.precise import Library, Number, rounded, rounded_parts
from hlokit.reference.numbers.rounded_functions import element_from_parts, one_at_zero, real_function
from hlokit.reference.numbers.rules import canonical_nan
from hlokit.values.element import Element
from hlokit.values.float_format import float_format

_NAN, _INF = math.nan, math.inf


def _is_pole_of_gamma(x: float) -> bool:
    return x <= 0 and math.isfinite(x) and x == math.floor(x)


erf = real_function(lambda m, x: m.erf(x), limits=(-1.0, 1.0))
erfc = real_function(lambda m, x: m.erfc(x), limits=(2.0, 0.0), at=one_at_zero)
erf_inv = real_function(
    lambda m, x: m.erfinv(x),
    domain=(-1.0, 1.0),
    at=lambda x: math.copysign(_INF, x) if abs(x) == 1 else None,
    needs_mpmath=True,
)
lgamma = real_function(
    lambda m, x: m.re(m.loggamma(x)),
    limits=(_INF, _INF),
    at=lambda x: _INF if _is_pole_of_gamma(x) else 0.0 if x in (1, 2) else None,
    needs_mpmath=True,
)
digamma = real_function(
    lambda m, x: m.digamma(x),
    limits=(_NAN, _INF),
    at=lambda x: _NAN if _is_pole_of_gamma(x) else None,
    needs_mpmath=True,
)
bessel_i1e = real_function(
    lambda m, x: m.exp(-abs(x)) * m.besseli(1, x), limits=(-0.0, 0.0), needs_mpmath=True
)


def zeta(x: Element, q: Element) -> Element:
    """sum((q + n)**-x for n = 0, 1, ...)

    Infinity for x = 1, NaN for x < 1. For q = 0, -1, -2, ... a term is infinite: the sum is infinite for even
    x and NaN for other x. The sum is also NaN for negative q if x is not an integer.
    """
    is_even = float(x) % 2 == 0
    exact = _special_zeta(float(x), float(q), is_even=is_even)
    layout = float_format(x.type)
    if exact is not None:
        return canonical_nan(x.type) if math.isnan(exact) else Element.from_bits(x.type, layout.encode(exact))

    def formula(m: Library, x: Number, q: Number) -> Number:
        return _zeta(m, x, q, is_even=is_even)

    bits = rounded(formula, layout, float(x), float(q), needs_mpmath=True)
    return Element.from_bits(x.type, bits)


def _special_zeta(x: float, q: float, *, is_even: bool) -> float | None:
    if math.isnan(x) or math.isnan(q) or x < 1:
        return _NAN
    if x == 1:
        return _INF
    if x == _INF:
        return _NAN if q <= 0 else 0.0 if q > 1 else 1.0 if q == 1 else _INF
    if q == _INF:
        return 0.0
    if q == -_INF or (q < 0 and x != math.floor(x)):
        return _NAN
    if _is_pole_of_gamma(q):
        return _INF if is_even else _NAN
    return None


def _zeta(m: Library, x: Number, q: Number, *, is_even: bool) -> Number:
    """The sum, where terms with q + n < 0 equal the terms of 1 - fraction(q), up to 1 - q, times (-1)**x."""
    if q > 0:
        return _zeta_of_positive(m, x, q)
    fraction = q - m.floor(q)
    beyond = _zeta_of_positive(m, x, 1 - q)
    if fraction == 0.5 and not is_even:  # all other terms cancel
        return beyond
    negative = _zeta_of_positive(m, x, m.floor(q) + 1 - q) - beyond
    return _zeta_of_positive(m, x, fraction) + (negative if is_even else -negative)


def _zeta_of_positive(m: Library, x: Number, q: Number) -> Number:
    """The sum by the Euler-Maclaurin formula, because mpmath's own zeta loses digits for large q.

    The remainder is less than the next term.
    """
    bits = m.mp.prec
    with m.workprec(2 * bits):
        count = max(0, int(m.ceil(x + bits - q))) if x < 4 * bits else 1
        last, total = q + count, sum(((q + n) ** -x for n in range(count)), m.mpf(0))
        power = last**-x
        total += power * (last / (x - 1) + m.mpf(1) / 2)
        factor = x * power / last
        for k in range(1, bits):
            term = m.bernoulli(2 * k) / m.factorial(2 * k) * factor
            total += term
            if abs(term) <= abs(total) * m.ldexp(1, -2 * bits):
                break
            factor *= (x + 2 * k - 1) * (x + 2 * k) / (last * last)
    return total


def polygamma(n: Element, x: Element) -> Element:
    """The derivative of order n of digamma(x): (-1)**(n + 1) n! zeta(n + 1, x); NaN unless n is natural."""
    order = float(n)
    if order == 0:
        return digamma(x)
    if not (order > 0 and math.isfinite(order) and order == math.floor(order)):
        return canonical_nan(x.type)
    layout, sign = float_format(x.type), -1 if order % 2 == 0 else 1
    is_even = order % 2 == 1  # n + 1
    exact = _special_zeta(order + 1, float(x), is_even=is_even)
    if exact is not None:
        return (
            canonical_nan(x.type)
            if math.isnan(exact)
            else Element.from_bits(x.type, layout.encode(sign * exact))
        )

    def formula(m: Library, n: Number, x: Number) -> Number:
        return sign * m.factorial(n) * _zeta(m, n + 1, x, is_even=is_even)

    return Element.from_bits(x.type, rounded(formula, layout, order, float(x), needs_mpmath=True))


def asin_acos_kernel(z: Element) -> Element:
    """sqrt(a² - x²) + i acosh(a), where a = (|z + 1| + |z - 1|) / 2 and x = |real part of z|.

    The imaginary part equals that of acos(z). Source: Hull, Fairgrieve and Tang, Implementing the complex
    arcsine and arccosine functions (1997).
    """
    layout, value = float_format(z.type), complex(z)
    x, y = abs(value.real), abs(value.imag)
    if not (math.isfinite(x) and math.isfinite(y)):
        is_infinite = math.isinf(x) or math.isinf(y)
        result = complex(y if is_infinite else _NAN, abs(complex_limits.acos(value).imag))
        return element_from_parts(z, layout.encode(result.real), layout.encode(result.imag))
    return element_from_parts(z, *rounded_parts(_asin_acos, layout, complex(x, y)))


def _asin_acos(m: Library, z: Number) -> Number:
    """The differences a - x and a - 1, which may cancel, are computed from r - (x + 1) and l - |x - 1|,
    rewritten without a difference of roots.
    """
    x, y = z.real, z.imag
    right, left = m.sqrt((x + 1) ** 2 + y * y), m.sqrt((x - 1) ** 2 + y * y)
    mean = (right + left) / 2
    left_excess = left + (1 - x) if x <= 1 else y * y / (left + (x - 1))
    difference = (y * y / (right + x + 1) + left_excess) / 2  # mean - x
    above = (
        y * y / (right + x + 1) + (y * y / (left + (1 - x)) if x <= 1 else left + (x - 1))
    ) / 2  # mean - 1
    return m.mpc(m.sqrt((mean + x) * difference), m.log1p(above + m.sqrt(above * (mean + 1))))
