"""lgamma and digamma near their negative roots, where the formulas of `special_functions` cancel.

Both functions have one or two roots between neighbouring poles. Near a root, an error of 2**-63 is many ULP
of the result, so the result is recomputed in decimal arithmetic with digits to spare. This takes about 0.5 ms
per number, but few numbers are so close to a root.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np

from hlokit.kernels.elementwise.cache_blocking import Array

_DIGITS = 60
# Terms of the asymptotic series, and the least argument, to which recurrence shifts smaller ones: an error
# below 1e-48.
_TERMS, _SHIFTED = 30, 30
# Results smaller than this fraction of their terms are recomputed: for longdouble, and for f64.
_NEAR_WIDE, _NEAR = 2.0**-11, 2.0**-16
# Below -2**52, the roots of digamma are not near any float, and all floats are integers.
_FARTHEST = 2.0**52


def refine(result: Array, operand: Array, exact: Callable[[float], Decimal], terms: Array) -> Array:
    """`result`, recomputed for negative operands if the result is far smaller than its terms.

    f64 arithmetic is for results in f32, which require few of its bits.
    """
    wide = np.finfo(result.dtype).nmant > np.finfo(np.float64).nmant
    below = _NEAR_WIDE if wide else _NEAR
    near = (operand < 0) & (np.abs(result) < below * terms) & (operand > -_FARTHEST)
    if not near.any():
        return result
    values: list[np.floating] = []
    for element in operand[near]:
        decimal = exact(float(element))
        high = float(decimal)
        value = result.dtype.type(high)
        values.append(value + result.dtype.type(float(decimal - Decimal(high))) if wide else value)
    result[near] = values
    return result


def lgamma(operand: float) -> Decimal:
    """log(pi / |sin(pi x)|) - lgamma(1 - x) of a negative x that is not an integer."""
    with localcontext(prec=_DIGITS):
        x = Decimal(operand)
        sine, _ = _sine_and_cosine(x)
        return (_pi() / abs(sine)).ln() - _lgamma_positive(1 - x)


def digamma(operand: float) -> Decimal:
    """digamma(1 - x) - pi cot(pi x) of a negative x that is not an integer."""
    with localcontext(prec=_DIGITS):
        x = Decimal(operand)
        sine, cosine = _sine_and_cosine(x)
        return _digamma_positive(1 - x) - _pi() * cosine / sine


def _lgamma_positive(x: Decimal) -> Decimal:
    product = Decimal(1)
    while x < _SHIFTED:
        product *= x
        x += 1
    series, power = Decimal(0), 1 / x
    for index, number in enumerate(_decimal_bernoulli(), 1):
        series += number / (2 * index * (2 * index - 1)) * power
        power /= x * x
    return (x - Decimal("0.5")) * x.ln() - x + (2 * _pi()).ln() / 2 + series - product.ln()


def _digamma_positive(x: Decimal) -> Decimal:
    rest = Decimal(0)
    while x < _SHIFTED:
        rest += 1 / x
        x += 1
    square = 1 / (x * x)
    series, power = Decimal(0), square
    for index, number in enumerate(_decimal_bernoulli(), 1):
        series += number / (2 * index) * power
        power *= square
    return x.ln() - 1 / (2 * x) - series - rest


def _sine_and_cosine(x: Decimal) -> tuple[Decimal, Decimal]:
    """sin and cos of pi (x - n), where n is the nearest integer, which suffices for |sin(pi x)| and cot(pi
    x)."""
    angle = _pi() * (x - x.to_integral_value())
    sine, cosine, term = Decimal(0), Decimal(0), Decimal(1)
    for index in range(0, 60, 2):
        cosine += term
        term *= angle / (index + 1)
        sine += term
        term *= -angle / (index + 2)
    return sine, cosine


@cache
def bernoulli(count: int) -> tuple[Fraction, ...]:
    """B2, B4, ... B(2 count)."""
    numbers = [Fraction(1)]
    for m in range(1, 2 * count + 1):
        numbers.append(-sum((comb(m + 1, k) * numbers[k] for k in range(m)), Fraction(0)) / (m + 1))
    return tuple(numbers[2::2])


@cache
def _decimal_bernoulli() -> tuple[Decimal, ...]:
    return tuple([_decimal(number) for number in bernoulli(_TERMS)])


def _decimal(fraction: Fraction) -> Decimal:
    with localcontext(prec=_DIGITS):
        return Decimal(fraction.numerator) / Decimal(fraction.denominator)


@cache
def _pi() -> Decimal:
    return Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803")
