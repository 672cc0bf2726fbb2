"""Functions of mpmath's numbers, where the result is finite; complex functions on the principal branch. Cards
of operations have the functions that mpmath itself has.

mpmath has no signed zeros, which choose the side of a branch cut. So a zero part is replaced by a number of
the same sign that is far smaller than any float, and a part of the result that is as small counts as zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from hlokit.errors import ArgumentError

Number = Any  # mpf or mpc


@cache
def mp() -> Any:
    """The mpmath module, imported on demand because the import is slow; None if mpmath is not installed."""
    try:
        import mpmath  # pyright: ignore[reportMissingTypeStubs] # it has none
    except ImportError:
        return None
    return mpmath


# The initial precision in bits, and the precision at which a sum that still cancels counts as zero.
_PRECISION, _MOST_PRECISION = 130, 5000
# Replaces a zero part of a complex operand; results smaller than _VANISHED are zeros.
_TINY, _VANISHED = -6000, -2500
# The relative difference that results of two precisions may have.
AGREEMENT = 2.0**-90


def require() -> None:
    """Check that mpmath is installed.

    Raises:
      ArgumentError: mpmath is not installed.
    """
    if mp() is None:
        raise ArgumentError("accuracy: mpmath must be installed (pip install 'hlokit[accuracy]')")


def _is_complex(*values: Number) -> bool:
    return any(isinstance(value, mp().mpc) for value in values)


def sign(z: Number) -> Number:
    if mp().fabs(z) < mp().ldexp(1, _VANISHED):
        raise ValueError("a zero")
    return z / mp().fabs(z)


def cbrt(x: Number) -> Number:
    if not _is_complex(x):
        return mp().sign(x) * mp().cbrt(mp().fabs(x))
    return mp().cbrt(mp().fabs(x)) * mp().expj(mp().arg(x) / 3)


def exponential_minus_one(x: Number) -> Number:
    if not _is_complex(x):
        return mp().expm1(x)
    half = mp().sin(x.imag / 2)
    return mp().mpc(
        mp().expm1(x.real) * mp().cos(x.imag) - 2 * half * half, mp().exp(x.real) * mp().sin(x.imag)
    )


def log_plus_one(x: Number) -> Number:
    if not _is_complex(x):
        return mp().log1p(x)
    squares = x.real * (x.real + 2) + x.imag * x.imag
    return mp().mpc(mp().log1p(squares) / 2, mp().atan2(x.imag, 1 + x.real))


def acosh(x: Number) -> Number:
    if not _is_complex(x):
        return mp().acosh(x)
    # mpmath's function loses the side of the branch cut where the small part of the arc cosine vanishes.
    turned = mp().acos(x)
    return mp().mpc(-turned.imag, turned.real) if x.imag >= 0 else mp().mpc(turned.imag, -turned.real)


def atan(x: Number) -> Number:
    if not _is_complex(x):
        return mp().atan(x)
    turned = atanh(mp().mpc(-x.imag, x.real))
    return mp().mpc(turned.imag, -turned.real)


def atanh(x: Number) -> Number:
    if not _is_complex(x):
        return mp().atanh(x)
    # mpmath's function loses a small part beside a large one, and with it the side of the branch cut.
    a, b = mp().fabs(x.real), x.imag
    real = mp().log1p(4 * a / ((1 - a) ** 2 + b * b)) / 4
    return mp().mpc(real if x.real > 0 else -real, mp().atan2(2 * b, (1 - a) * (1 + a) - b * b) / 2)


def bessel_i1e(x: Number) -> Number:
    if 0 < mp().fabs(x) < mp().ldexp(1, -60):  # slightly less than x / 2, perhaps a midpoint
        with mp().extraprec(-mp().frexp(x)[1]):
            return x / 2 * (1 - mp().fabs(x))
    return mp().exp(-mp().fabs(x)) * mp().besseli(1, x)


def power(x: Number, y: Number) -> Number:
    if _is_complex(x, y):
        return mp().mpc(0) if x == 0 else mp().exp(y * mp().log(x))
    while x > 0 and not mp().isint(y):  # exact roots: logarithms are inexact for powers of a number near one
        root = mp().sqrt(x)
        if mp().fmul(root, root, exact=True) != x:
            break
        x, y = root, 2 * y
    return mp().power(x, y)


def atan2(y: Number, x: Number) -> Number:
    if not _is_complex(x, y):
        if y == 0:
            raise ValueError("depends on the sign of a zero")
        smaller = mp().frexp(y)[1] - mp().frexp(x)[1] if x > 0 else 0
        with mp().extraprec(max(0, -2 * smaller)):  # y / x may be slightly too large
            return mp().atan2(y, x)
    squares = x * x + y * y
    if mp().fabs(squares) < mp().ldexp(1, _VANISHED):
        raise ValueError("a pole")
    if squares.real < 0:
        _side(x.real * x.imag, y.real * y.imag)
    ratio = (x + 1j * y) / mp().sqrt(squares)
    result = -1j * mp().log(ratio)
    if (
        ratio.real < 0 and mp().fabs(ratio.imag) < -ratio.real * 2.0**-100
    ):  # the sum has lost the deciding bits
        result = mp().mpc(-mp().pi * _side(x.real * y.real, x.imag * y.imag), result.imag)
    return result


def _side(first: Number, second: Number) -> int:
    """The sign of a sum of products that chooses the side of a branch cut.

    Raises:
      ValueError: the sum consists of zeros of both signs.
    """
    total = first + second
    if mp().fabs(total) < mp().ldexp(1, _VANISHED) and first * second < 0:
        exponents = [mp().frexp(part)[1] for part in (first, second)]
        if total == 0 or max(exponents) - min(exponents) < -_TINY // 2:
            raise ValueError("zeros of both signs")
    return 1 if total > 0 else -1


def polygamma(n: Number, x: Number) -> Number:
    if not (0 <= n <= 64 and n == int(n) and 1e-3 < mp().fabs(x) < 1e6):
        raise ValueError("the operand is too large: the computation would take minutes")
    return mp().psi(int(n), x)


def zeta(x: Number, q: Number) -> Number:
    if not (1 < x <= 64 and 1e-3 < q < 1e6):
        raise ValueError("the operand is too large: the computation would take minutes")
    return mp().zeta(x, q)


def to_number(value: Any) -> Number:
    """An element of any float or complex type in mpmath; exact for f64 and narrower parts."""
    if np.iscomplexobj(value):
        return mp().mpc(_part(value.real), _part(value.imag))
    return mp().mpf(float(value))


def _part(value: Any) -> Number:
    number = float(value)
    return mp().mpf(number) if number else mp().ldexp(-1 if np.signbit(number) else 1, _TINY)


def evaluate(function: Callable[..., Number], operands: Sequence[Any]) -> Number | None:
    """The result for elements, at a precision at which more bits do not change it; None if the result is
    undefined.

    Args:
      operands: NumPy's or Python's floats or complex numbers.
    """
    numbers = [to_number(operand) for operand in operands]
    precision, previous, current = _PRECISION + _spread(numbers), None, None
    while precision <= _MOST_PRECISION:
        with mp().workprec(precision):
            try:
                current = function(*numbers)
            except (ValueError, ArithmeticError, NotImplementedError, mp().libmp.NoConvergence):
                return None
            if previous is not None and _agree(previous, current):
                return current
        previous, precision = current, precision * 2
    return None


def _spread(numbers: Sequence[Number]) -> int:
    """The precision for sums of terms of very different sizes, for which two lower precisions may agree on a
    wrong sum."""
    if not _is_complex(*numbers):
        return 0
    parts = [part for number in numbers for part in (number.real, number.imag)]
    exponents = [mp().frexp(part)[1] for part in parts]
    exponents = [0, *(exponent for exponent in exponents if exponent > _TINY // 2)]
    return 2 * (max(exponents) - min(exponents))


def _agree(first: Number, second: Number) -> bool:
    return all(
        mp().fabs(a - b) <= AGREEMENT * mp().fabs(b) or mp().fabs(b) < mp().ldexp(1, _VANISHED)
        for a, b in ((first.real, second.real), (first.imag, second.imag))
    )
