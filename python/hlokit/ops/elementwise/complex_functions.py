"""Functions of complex arrays, evaluated in a type wider than the operation's.

complex<f32> is computed in complex128, and complex<f64> in NumPy's clongdouble, which has 11 more bits on
x86; results are rounded once. In the wider type, squares of parts do not overflow, and the additional bits
absorb most cancellation. NumPy's own functions follow C99 and are right on branch cuts and at infinities,
except where a function below replaces them. All are blockwise (`cache_blocking`) and keep the dtype.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# (NumPy's stubs know no parts of arrays whose dtype they do not know)

from __future__ import annotations

from typing import Any

import numpy as np

from hlokit.ops.elementwise.error_free import two_product, two_sum

Array = Any  # NDArray[Any], which has no parts in NumPy's stubs

EXTENDED = np.dtype(np.clongdouble)
HAS_EXTENDED = np.finfo(np.longdouble).maxexp > np.finfo(np.float64).maxexp


def complex_of(real: Array, imag: Array) -> Array:
    """real + i imag without arithmetic, so that the parts keep their bits."""
    result = np.empty(np.broadcast_shapes(real.shape, imag.shape), np.result_type(real, np.complex64))
    result.real = real
    result.imag = imag
    return result


def greater(lhs: Array, rhs: Array) -> Array:
    """lhs > rhs in the lexicographic order of (real, imag)."""
    return (lhs.real > rhs.real) | ((lhs.real == rhs.real) & (lhs.imag > rhs.imag))


def maximum(lhs: Array, rhs: Array) -> Array:
    """lhs if it is greater, else rhs, also if they are unordered, as in XLA and the C++ interpreter."""
    return np.where(greater(lhs, rhs), lhs, rhs)


def minimum(lhs: Array, rhs: Array) -> Array:
    """lhs if rhs is greater, else rhs."""
    return np.where(greater(rhs, lhs), lhs, rhs)


def divide(lhs: Array, rhs: Array) -> Array:
    """lhs * conj(rhs) / |rhs|**2; division by zero and infinities follow C99, Annex G."""
    a, b, c, d = np.broadcast_arrays(lhs.real, lhs.imag, rhs.real, rhs.imag)
    norm = c * c + d * d
    real, imag = (a * c + b * d) / norm, (b * c - a * d) / norm
    lost = np.isnan(real) | np.isnan(imag)
    if lost.any():
        real[lost], imag[lost] = _recovered_quotient(
            real[lost], imag[lost], a[lost], b[lost], c[lost], d[lost]
        )
    return complex_of(real, imag)


def _recovered_quotient(
    real: Array, imag: Array, a: Array, b: Array, c: Array, d: Array
) -> tuple[Array, Array]:
    """Infinities and zeros of (a + ib) / (c + id) where a part came out as NaN."""

    def put(where: Array, new_real: Array, new_imag: Array) -> None:
        real[where] = new_real[where]
        imag[where] = new_imag[where]

    zero = (c == 0) & (d == 0)
    infinity = np.copysign(np.inf, c)
    put(zero & ~(np.isnan(a) & np.isnan(b)), infinity * a, infinity * b)
    unit_a, unit_b = np.copysign(np.isinf(a), a), np.copysign(np.isinf(b), b)
    put(
        (np.isinf(a) | np.isinf(b)) & np.isfinite(c) & np.isfinite(d) & ~zero,
        np.inf * (unit_a * c + unit_b * d),
        np.inf * (unit_b * c - unit_a * d),
    )
    unit_c, unit_d = np.copysign(np.isinf(c), c), np.copysign(np.isinf(d), d)
    put(
        (np.isinf(c) | np.isinf(d)) & np.isfinite(a) & np.isfinite(b),
        0.0 * (a * unit_c + b * unit_d),
        0.0 * (b * unit_c - a * unit_d),
    )
    return real, imag


def rsqrt(operand: Array) -> Array:
    """1 / sqrt(z); infinity + i NaN at 0."""
    root = np.sqrt(operand)
    c, d = root.real, root.imag
    norm = c * c + d * d
    infinite = np.isinf(c) | np.isinf(d)
    real = np.where(infinite, np.copysign(0.0, c), np.where(norm == 0, np.inf, c / norm))
    imag = np.where(infinite, np.copysign(0.0, -d), -d / norm)
    return complex_of(real, imag)


def cbrt(operand: Array) -> Array:
    """The principal cube root: |z|**(1/3) at a third of the angle of z; infinity + i NaN where that is
    undefined.
    """
    radius = np.cbrt(np.abs(operand))
    angle = np.arctan2(operand.imag, operand.real) / 3
    # On the positive real axis, 0 * infinity counts as 0.
    imag = np.where(angle == 0, angle, radius * np.sin(angle))
    return complex_of(np.where(np.isinf(radius) & np.isnan(angle), np.inf, radius * np.cos(angle)), imag)


def expm1(operand: Array) -> Array:
    """exp(z) - 1, with real part expm1(x) cos(y) - 2 sin(y/2)**2 where that formula does not overflow."""
    x, y = operand.real, operand.imag
    result = np.exp(operand)
    half = np.sin(y / 2)
    near = np.expm1(x) * np.cos(y) - 2 * half * half
    result.real = np.where((np.abs(x) < 40) & np.isfinite(y), near, result.real - 1)
    return result


def log1p(operand: Array) -> Array:
    """log(1 + z). The real part is log1p(2x + x**2 + y**2) / 2, a sum that cancels for |1 + z| near 1.

    The sum is accurate to twice the bits of f64. Takes and returns complex128 for both complex types.
    """
    x, y = operand.real, operand.imag
    one_plus, one_plus_error = two_sum(np.ones_like(x), x)
    imag = np.arctan2(y, one_plus)
    # Farther from 0 nothing cancels, and squares could overflow.
    near = (np.abs(x) < 4) & (np.abs(y) < 4)
    far = complex_of(one_plus, y)
    real = np.log(far).real
    if not near.any():
        return complex_of(real, imag)
    x, y = np.where(near, x, 0.0), np.where(near, y, 0.0)
    one_plus_error = np.where(near, one_plus_error, 0.0)
    total, total_error = _sum([(2 * x, np.zeros_like(x)), two_product(x, x), two_product(y, y)])
    shrinks = near & (total > -0.75)
    close = 0.5 * (np.log1p(total) + total_error / (1 + total))
    real = np.where(shrinks, close, real)
    norm = one_plus * one_plus + y * y
    turn = np.where(norm > 0, -y * one_plus_error / np.where(norm > 0, norm, 1.0), 0.0)
    zero = (operand == 0) & near
    return complex_of(np.where(zero, operand.real, real), np.where(turn == 0, imag, imag + turn))


def _sum(terms: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    """The sum of numbers, each given as the sum of two floats."""
    parts = [part for term in terms for part in term]
    # Two sweeps of error-free additions; the second one leaves the total in the last place.
    for _ in range(2):
        for index in range(1, len(parts)):
            parts[index], parts[index - 1] = two_sum(parts[index - 1], parts[index])
    rest = parts[0]
    for part in parts[1:-1]:
        rest = rest + part
    return two_sum(parts[-1], rest)


def logistic(operand: Array) -> Array:
    """1 / (1 + exp(-z)), as w / (1 + w) with w = exp(z) where z has a negative real part.

    So |w| <= 1. Near a pole 1 + w cancels, and its real part is computed as the sum of two positive terms.
    """
    x, y = operand.real, operand.imag
    negative = x < 0
    power = np.exp(np.where(negative, operand, -operand))
    size = -np.abs(x)
    cosine = np.cos(y / 2)
    near_pole = 2 * np.exp(size) * cosine * cosine - np.expm1(size)
    divisor = np.where(power.real < -0.5, near_pole, 1 + power.real)
    norm = divisor * divisor + power.imag * power.imag
    # Adding a square of 0 to a product of -0 would lose the sign.
    product, square = power.real * divisor, power.imag * power.imag
    dividend = np.where(negative, np.where(square == 0, product, product + square), divisor)
    return complex_of(dividend / norm, np.where(negative, power.imag, -power.imag) / norm)


def power(lhs: Array, rhs: Array) -> Array:
    """exp(rhs * log(lhs)). Real operands give the real power; 0 to a power with a positive real part is 0.

    rhs = 0.5 takes the square root, since the exponential gives roots of negative numbers a real part.
    """
    lhs, rhs = np.broadcast_arrays(lhs, rhs)
    result = np.power(lhs, rhs)
    real = (lhs.imag == 0) & (rhs.imag == 0) & (lhs.real >= 0)
    if real.any():
        base, exponent = lhs[real], rhs[real]
        negative_zero = np.signbit(base.imag) ^ (exponent.real < 0)
        result[real] = complex_of(
            np.power(base.real, exponent.real), np.where(negative_zero, -0.0, 0.0).astype(base.real.dtype)
        )
    root = (rhs == 0.5) & ~real
    if root.any():
        result[root] = np.sqrt(lhs[root])
    zero = (lhs == 0) & (rhs.real > 0)
    if zero.any():
        result[zero] = 0
    return result


def atan2(lhs: Array, rhs: Array) -> Array:
    """-i log((x + iy) / sqrt(x**2 + y**2)) for y = lhs and x = rhs, as atan(y / x) + k pi.

    With a and b the angles of x + iy and x - iy, the angle of the root is half of a + b, normalised to (-pi,
    pi]. So the real part of the result is (a - b) / 2, plus or minus pi beyond the root's branch cut. That
    formula cancels for small results and is used only to choose k.
    """
    lhs, rhs = np.broadcast_arrays(lhs, rhs)
    quotient = divide(lhs, rhs)
    infinite = np.isinf(quotient.real) | np.isinf(quotient.imag)
    principal: Array = np.arctan(np.where(infinite, np.inf, quotient))
    a_imag, b_imag = rhs.imag + lhs.real, rhs.imag - lhs.real
    a, b = np.arctan2(a_imag, rhs.real - lhs.imag), np.arctan2(b_imag, rhs.real + lhs.imag)
    # sin(a + b) and sin(a - b) have the signs of sums of products, whose exact signs tell the side of the
    # cut.
    lower, upper = np.signbit(a_imag) & np.signbit(b_imag), ~np.signbit(a_imag) & ~np.signbit(b_imag)
    is_sum_negative = _is_negative(rhs.real, rhs.imag, lhs.real, lhs.imag, at_zero=False)
    is_difference_negative = _is_negative(lhs.real, rhs.real, lhs.imag, rhs.imag, at_zero=True)
    beyond = (upper & is_sum_negative) | (lower & ~is_sum_negative)
    pi = np.arctan2(np.zeros_like(a), -np.ones_like(a))
    rough = (a - b) / 2 + np.where(beyond, np.where(is_difference_negative, pi, -pi), 0)
    turns = np.rint((rough - principal.real) / pi)
    principal.real += np.where(np.isfinite(turns), turns, 0) * pi
    real = (lhs.imag == 0) & (rhs.imag == 0) & ((lhs != 0) | (rhs != 0))
    if real.any():
        principal.real[real] = np.arctan2(lhs.real[real], rhs.real[real])
    return principal


def _is_negative(a: Array, b: Array, c: Array, d: Array, *, at_zero: bool) -> Array:
    """Whether ab + cd is negative. A zero sum counts by its sign, where products of two zeros are ignored.

    Args:
      at_zero: the answer for products that cancel, and for zeros of both signs.
    """
    first, second = a * b, c * d
    total = first + second
    negative = np.signbit(total)
    close = np.abs(total) <= np.abs(first) * 2.0**-40
    if not close.any():
        return negative
    a, b, c, d = (part[close] for part in (a, b, c, d))
    first, first_error = _exact_product(a, b)
    second, second_error = _exact_product(c, d)
    total = (first + second) + (first_error + second_error)
    both_zero = (first == 0) & (second == 0)
    zeros = (a == 0).astype(np.int8) + (b == 0) - (c == 0) - (d == 0)
    zero = np.where(zeros < 0, first, np.where(zeros > 0, second, first + second))
    total = np.where(both_zero, zero, total)
    open_ = (total == 0) & ~(both_zero & ((zeros != 0) | (np.signbit(first) == np.signbit(second))))
    negative[close] = np.where(open_, at_zero, np.signbit(total))
    return negative


def _exact_product(a: Array, b: Array) -> tuple[Array, Array]:
    """`two_product` for any float dtype, including longdouble, whose bits split elsewhere."""
    splitter = a.dtype.type(2) ** ((np.finfo(a.dtype).nmant + 2) // 2) + 1
    high = a * b
    (a_high, a_low), (b_high, b_low) = (
        (part, operand - part)
        for operand in (a, b)
        for part in (operand * splitter - (operand * splitter - operand),)
    )
    return high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low


def sign(operand: Array) -> Array:
    """z / |z|; 0 at 0; NaN + i NaN if either part is NaN."""
    size = np.abs(operand)
    real, imag = operand.real / size, operand.imag / size
    zero = size == 0
    nan = np.isnan(operand.real) | np.isnan(operand.imag)
    return complex_of(_with(real, zero, nan), _with(imag, zero, nan))


def _with(part: Array, zero: Array, nan: Array) -> Array:
    return np.where(nan, np.nan, np.where(zero, 0.0, part))
