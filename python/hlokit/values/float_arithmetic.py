"""Float arithmetic that rounds once, and complex arithmetic by the usual formulas, on numbers decoded to f64.

Finite results of floats are computed as rational numbers. Zeros, infinities and NaNs come from f64
arithmetic, which computes them correctly because its operands are exact. Source: spec "Element", IEEE-754,
C99 Annex G.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction

from hlokit.values.float_format import FloatFormat

Binary = Callable[[FloatFormat, float, float], int]
ComplexBinary = Callable[[FloatFormat, complex, complex], tuple[int, int]]


def _binary(
    exact: Callable[[Fraction, Fraction], Fraction], plain: Callable[[float, float], float]
) -> Binary:
    def operate(layout: FloatFormat, lhs: float, rhs: float) -> int:
        special = plain(lhs, rhs)
        if not (math.isfinite(lhs) and math.isfinite(rhs)) or math.isnan(special) or _is_pole(rhs, special):
            return layout.encode(special)
        result = exact(Fraction(lhs), Fraction(rhs))
        return layout.encode(result if result else special)

    return operate


def _is_pole(rhs: float, result: float) -> bool:
    return rhs == 0 and math.isinf(result)


def _divide(lhs: float, rhs: float) -> float:
    if rhs != 0:
        return lhs / rhs
    return math.nan if lhs == 0 else lhs * math.copysign(math.inf, rhs)


def _remainder(lhs: float, rhs: float) -> float:
    return math.nan if math.isinf(lhs) or rhs == 0 else math.fmod(lhs, rhs)


def _exact_quotient(lhs: Fraction, rhs: Fraction) -> Fraction:
    return lhs / rhs


def _exact_remainder(lhs: Fraction, rhs: Fraction) -> Fraction:
    return lhs - rhs * math.trunc(lhs / rhs)


# Each function takes a format and two of its values, and returns the bits of the result.
add = _binary(operator.add, operator.add)
subtract = _binary(operator.sub, operator.sub)
multiply = _binary(operator.mul, operator.mul)
divide = _binary(_exact_quotient, _divide)
remainder = _binary(_exact_remainder, _remainder)


def multiply_complex(layout: FloatFormat, lhs: complex, rhs: complex) -> tuple[int, int]:
    """Bits of the parts of (a + bi)(c + di) = (ac - bd) + (ad + bc)i, with every operation rounded to f64.

    Intermediate exponents are unbounded if a part would otherwise overflow.
    """
    a, b, c, d = lhs.real, lhs.imag, rhs.real, rhs.imag
    real, imag = a * c - b * d, a * d + b * c
    if all(map(math.isfinite, (a, b, c, d))):
        real = real if math.isfinite(real) else _bounded(*_sum_of_products(a, c, -b, d))
        imag = imag if math.isfinite(imag) else _bounded(*_sum_of_products(a, d, b, c))
    return layout.encode(real), layout.encode(imag)


def divide_complex(layout: FloatFormat, lhs: complex, rhs: complex) -> tuple[int, int]:
    """Bits of the parts of (a + bi) / (c + di) = ((ac + bd) + (bc - ad)i) / (cc + dd), with every operation
    rounded to f64; intermediate exponents are unbounded.

    Division by zero, by an infinity and of an infinity follows C99, Annex G.5.1.
    """
    a, b, c, d = lhs.real, lhs.imag, rhs.real, rhs.imag
    if not rhs:
        pole = math.copysign(math.inf, c)
        return layout.encode(pole * a), layout.encode(pole * b)
    if all(map(math.isfinite, (a, b, c, d))):
        norm, exponent = _sum_of_products(c, c, d, d)
        real, real_exponent = _sum_of_products(a, c, b, d)
        imag, imag_exponent = _sum_of_products(b, c, -a, d)
        parts = (
            _bounded(real / norm, real_exponent - exponent),
            _bounded(imag / norm, imag_exponent - exponent),
        )
        return layout.encode(parts[0]), layout.encode(parts[1])
    infinite_lhs = math.isinf(a) or math.isinf(b)
    infinite_rhs = math.isinf(c) or math.isinf(d)
    if infinite_lhs and math.isfinite(c) and math.isfinite(d):
        a, b = _unit(a), _unit(b)
        factor = math.inf
    elif infinite_rhs and math.isfinite(a) and math.isfinite(b):
        c, d = _unit(c), _unit(d)
        factor = 0.0
    else:
        return layout.nan, layout.nan
    return layout.encode(factor * (a * c + b * d)), layout.encode(factor * (b * c - a * d))


def _sum_of_products(a: float, b: float, c: float, d: float) -> tuple[float, int]:
    """(x, e) with x 2**e = ab + cd, where products and sum are rounded to the precision of f64."""
    fractions, exponents = zip(*map(math.frexp, (a, b, c, d)), strict=True)
    first, second = fractions[0] * fractions[1], fractions[2] * fractions[3]
    left, right = exponents[0] + exponents[1], exponents[2] + exponents[3]
    exponent = right if first == 0 else left if second == 0 else max(left, right)
    return math.ldexp(first, left - exponent) + math.ldexp(second, right - exponent), exponent


def _bounded(x: float, exponent: int) -> float:
    """x 2**exponent, rounded to f64."""
    try:
        return math.ldexp(x, exponent)
    except OverflowError:
        return math.copysign(math.inf, x)


def _unit(value: float) -> float:
    """1 for an infinity, 0 for other numbers, with the sign of `value`; +0 for any NaN."""
    return 0.0 if math.isnan(value) else math.copysign(1.0 if math.isinf(value) else 0.0, value)


def multiply_add(layout: FloatFormat, a: float, b: float, c: float) -> int:
    """Bits of ab + c, rounded once."""
    if not all(map(math.isfinite, (a, b, c))):
        return layout.encode(a * b + c)
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact:
        return layout.encode(exact)
    is_product_zero = not (a and b)
    return layout.encode(a * b + c if is_product_zero else 0.0)


def magnitude(layout: FloatFormat, value: complex) -> int:
    """Bits of the square root of the sum of the squares of the parts; infinite if a part is infinite."""
    if not (math.isfinite(value.real) and math.isfinite(value.imag)):
        is_infinite = math.isinf(value.real) or math.isinf(value.imag)
        return layout.encode(math.inf if is_infinite else math.nan)
    square = Fraction(value.real) ** 2 + Fraction(value.imag) ** 2
    # The denominator is a power of 2; doubling an odd power gives a power of 4.
    places = square.denominator.bit_length() - 1
    scaled = square.numerator << (256 + places % 2)
    # One bit more than any format, then a sticky bit.
    root = math.isqrt(scaled)
    return layout.encode(Fraction(2 * root + (root * root != scaled), 1 << (129 + (places + 1) // 2)))
