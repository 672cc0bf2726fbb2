"""Functions of clongdouble numbers that NumPy lacks: the shadows of functions of complex numbers."""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# (NumPy's stubs know no parts of arrays whose dtype they do not know)

from __future__ import annotations

from typing import Any

import numpy as np

from hlokit.kernels.elementwise.complex_functions import complex_of

Array = Any  # NDArray[Any], which has no parts in NumPy's stubs


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
    """The parts of (a + ib) / (c + id), with infinities and zeros in place of NaNs that C99 excludes."""

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


def cbrt(operand: Array) -> Array:
    """The principal cube root: |z|**(1/3) at a third of the angle of z; infinity + i NaN where the root is
    undefined.
    """
    radius = np.cbrt(np.abs(operand))
    angle = np.arctan2(operand.imag, operand.real) / 3
    # On the positive real axis, 0 * infinity counts as 0.
    imag = np.where(angle == 0, angle, radius * np.sin(angle))
    return complex_of(np.where(np.isinf(radius) & np.isnan(angle), np.inf, radius * np.cos(angle)), imag)


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
    # sin(a + b) and sin(a - b) have the signs of sums of products, whose exact signs determine the side of
    # the cut.
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
