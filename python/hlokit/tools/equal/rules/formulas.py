"""Element-wise operations on exact numbers, as the cards name them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial

import numpy as np

from hlokit.tools.equal.rules import field, laws
from hlokit.tools.equal.rules.field import Array
from hlokit.tools.equal.rules.laws import Law
from hlokit.tools.equal.rules.meanings import (
    Applied,
    Chosen,
    Identity,
    Native,
    Note,
    Polynomial,
    Uninterpreted,
    settled,
    told_apart,
)
from hlokit.tools.equal.rules.numbers import Number, constant, exact_number, is_same, where

Apply = Callable[..., Number]

# Products of at most this many factors.
_MOST_FACTORS = 64


# Sums, products and parts ----------------------------------------------------------------------------


def _difference(lhs: Number, rhs: Number) -> Number:
    return (lhs - rhs).shifted(rhs)


def _quotient(lhs: Number, rhs: Number) -> Number:
    return lhs / rhs


def _square(operand: Number) -> Number:
    return operand * operand


def _cube(operand: Number) -> Number:
    return operand * operand * operand


def _one_over_square(operand: Number) -> Number:
    return (operand * operand).inverse()


def _complex(real: Number, imaginary: Number) -> Number:
    return Number(real.real, imaginary.real, None, np.maximum(real.degree, imaginary.degree))


def _real(operand: Number) -> Number:
    return Number(operand.real, degree=operand.degree)


def _imaginary(operand: Number) -> Number:
    part = np.zeros_like(operand.real) if operand.imaginary is None else operand.imaginary
    return Number(part, degree=operand.degree)


ADD = Polynomial(operator.add, native=Native("add", takes_complex=True))
SUBTRACT = Polynomial(_difference, native=Native("subtract", takes_complex=True))
MULTIPLY = Polynomial(operator.mul, native=Native("multiply", takes_complex=True))
DIVIDE = Polynomial(_quotient, is_quotient=True, native=Native("divide"))
NEGATE = Polynomial(operator.neg, native=Native("negate", takes_complex=True))
SQUARE = Polynomial(_square, native=Native("square"))
COMPLEX = Polynomial(_complex)
REAL = Polynomial(_real)
IMAGINARY = Polynomial(_imaginary)
CONJUGATE = Polynomial(Number.conjugate)


# Choices ---------------------------------------------------------------------------------------------


def _itself(floats: Array, applied: Applied) -> Number:
    """Floats that stand for themselves."""
    return exact_number(floats, is_lawful=applied.numbers[0].law is not None)


def _absolute(applied: Applied) -> tuple[Array, Number]:
    (value,), (number,) = applied.values, applied.numbers
    result = applied.evaluate(value)
    if number.imaginary is not None:
        size = (number * number.conjugate()).real
        return result, Number(field.hashed(field.salt_of("sqrt"), size))
    return result, where(value < 0, -number, number)


def _extremum(applied: Applied) -> tuple[Array, Number]:
    if applied.numbers[0].imaginary is not None:
        applied.note(Note("orders complex numbers"))
        result = applied.evaluate(*applied.values)
        return result, where(result == applied.values[0], *applied.numbers)
    one, two = told_apart(applied.values, applied.numbers, applied.note)
    result = applied.evaluate(one, two)
    return result, where(result == one, *applied.numbers)


def _clamp(applied: Applied) -> tuple[Array, Number]:
    low, operand, high = applied.numbers
    low_value, value, high_value = applied.values
    value, low_value = told_apart((value, low_value), (operand, low), applied.note)
    value, high_value = told_apart((value, high_value), (operand, high), applied.note)
    result = applied.evaluate(low_value, value, high_value)
    return result, where(result == value, operand, where(result == low_value, low, high))


def _rounded(applied: Applied) -> tuple[Array, Number]:
    """floor, ceil and rounding: integers that the floats decide."""
    result = applied.evaluate(settled(applied.values[0], applied.numbers[0], applied.note))
    return result, _itself(result, applied)


def _sign(applied: Applied) -> tuple[Array, Number]:
    (value,), (number,) = applied.values, applied.numbers
    if number.imaginary is not None:
        result = applied.evaluate(value)
        size = (number * number.conjugate()).real
        return result, number / Number(field.hashed(field.salt_of("sqrt"), size))
    result = applied.evaluate(np.where(number.real == 0, 0.0, value))
    return result, _itself(result, applied)


def _remainder(applied: Applied) -> tuple[Array, Number]:
    dividend, divisor = applied.numbers
    quotient = dividend / divisor
    count = np.trunc(settled(applied.values[0] / applied.values[1], quotient, applied.note))
    count = np.where(np.isfinite(count), count, 0)
    return applied.evaluate(*applied.values), dividend - divisor * _itself(count, applied)


def _power(applied: Applied) -> tuple[Array, Number]:
    """Repeated products, where the exponent is a small integer."""
    base, exponent = applied.numbers
    result = applied.evaluate(*applied.values)
    values = np.broadcast_to(applied.values[1], result.shape)
    real: Array = np.real(values)
    is_integer = (np.rint(real) == values) & (np.abs(values) <= _MOST_FACTORS)
    is_integer &= np.broadcast_to(is_same(exponent, _itself(applied.values[1], applied)), result.shape)
    salt = field.salt_of("power")
    total = Number(field.hashed(salt, *base.parts, *exponent.parts))
    if base.law is not None:
        total = Number(total.real, None, _raised(total.real, laws.opaque(total.real), base, exponent))
    if base.imaginary is not None:
        total = Number(total.real, field.hashed(salt + 1, *base.parts, *exponent.parts))
    for count in np.unique(real[is_integer]):
        product = _ONE
        for _ in range(int(abs(count))):
            product = product * base
        product = product.inverse() if count < 0 else product
        total = where(is_integer & (values == count), product, total)
    return result, total


ABSOLUTE = Chosen(_absolute, Native("absolute"), compared=((0, None),))
EXTREMUM = Chosen(_extremum, Native("extremum"), compared=((0, 1),))
CLAMP = Chosen(_clamp, compared=((1, 0), (1, 2)))
ROUNDED = Chosen(_rounded, Native("rounded"))
SIGN = Chosen(_sign, compared=((0, None),))
REMAINDER = Chosen(_remainder, Native("remainder"))
POWER = Chosen(_power, Native("power"), is_function=True)


# Functions and their identities ----------------------------------------------------------------------


def _exponential(apply: Apply, x: Number) -> Number:
    """exp(a + b) = exp(a) exp(b); the shift stays known to the logarithm."""
    if x.law is None:
        return apply("exponential of complex numbers", x)
    power = laws.power(x.law.exponent)
    law = laws.opaque(power)._replace(shift=x.law.shift, shift_exponent=x.law.shift_exponent)
    log = laws.Logarithm(x.real, x.law.exponent)
    return Number(power, None, laws.with_log(power, law, log))


def _log(apply: Apply, x: Number) -> Number:
    """log(s) = log(s exp(m)) - m, where m is the shift of s."""
    if x.law is None:
        return apply("log of complex numbers", x)
    log = laws.log_of_unknown(x.real, x.law)
    return Number(log.number, None, laws.unshifted(log.exponent))


def _log_of_product(apply: Apply, x: Number) -> Number:
    """log(a b) = log(a) + log(b), and so for quotients, powers and exponentials."""
    if x.law is None:
        return apply("log of complex numbers", x)
    log = laws.log_of(x.real, x.law)
    return Number(log.number, None, laws.unshifted(log.exponent))


def _logistic(apply: Apply, x: Number) -> Number:
    return (_ONE + apply("exponential", -x)).inverse()


def _tanh(apply: Apply, x: Number) -> Number:
    return _TWO * _logistic(apply, _TWO * x) - _ONE


def _cosh(apply: Apply, x: Number) -> Number:
    return (apply("exponential", x) + apply("exponential", -x)) / _TWO


def _sinh(apply: Apply, x: Number) -> Number:
    return (apply("exponential", x) - apply("exponential", -x)) / _TWO


def _rsqrt(apply: Apply, x: Number) -> Number:
    return apply("sqrt", x).inverse()


def _exponential_minus_one(apply: Apply, x: Number) -> Number:
    return apply("exponential", x) - _ONE


def _log_plus_one(apply: Apply, x: Number) -> Number:
    return apply("log", _ONE + x)


def _tan(apply: Apply, x: Number) -> Number:
    return apply("sine", x) / apply("cosine", x)


def _erfc(apply: Apply, x: Number) -> Number:
    return _ONE - apply("erf", x)


_ONE, _TWO = constant(1.0), constant(2.0)
_HYPERBOLIC = "hyperbolic functions by exponential"

FUNCTION = Uninterpreted()
ODD = Uninterpreted(parity=-1)
EVEN = Uninterpreted(parity=1)
SQRT = Uninterpreted((), _square, Native("function", "square"), exponent=constant(1 / 2))
CBRT = Uninterpreted((), _cube, Native("function", "cube"), exponent=_ONE / constant(3.0), parity=-1)
EXPONENTIAL = Uninterpreted((Identity("exponential of a sum", _exponential, is_law=True),))
LOG_OF_PRODUCT = "logarithm of a product"
LOG = Uninterpreted(
    (
        Identity(LOG_OF_PRODUCT, _log_of_product, is_law=True),
        Identity("logarithm of shifted exponentials", _log, is_law=True),
    )
)
LOGISTIC = Uninterpreted((Identity("logistic by exponential", _logistic),))
TANH = Uninterpreted((Identity("tanh by exponential", _tanh),), parity=-1)
COSH = Uninterpreted((Identity(_HYPERBOLIC, _cosh),), parity=1)
SINH = Uninterpreted((Identity(_HYPERBOLIC, _sinh),), parity=-1)
RSQRT = Uninterpreted(
    (Identity("rsqrt by sqrt", _rsqrt),),
    _one_over_square,
    Native("function", "reciprocal_square"),
    exponent=constant(-1 / 2),
)
EXPONENTIAL_MINUS_ONE = Uninterpreted((Identity("exponential minus one", _exponential_minus_one),))
LOG_PLUS_ONE = Uninterpreted((Identity("log plus one", _log_plus_one),))
TAN = Uninterpreted((Identity("tan by sine and cosine", _tan),), parity=-1)
ERFC = Uninterpreted((Identity("erfc by erf", _erfc),))

# The names of the identities that need laws.
LAWS = frozenset(
    identity.name for meaning in (EXPONENTIAL, LOG) for identity in meaning.identities if identity.is_law
)
# Functions by which others are expressed.
_BASIC = {"exponential": EXPONENTIAL, "log": LOG, "sine": ODD, "cosine": EVEN, "erf": ODD}
# That f(-x) is f(x), or -f(x).
SYMMETRY = "odd and even functions"


def function_of(name: str, meaning: Uninterpreted, identities: frozenset[str]) -> Callable[..., Number]:
    """A function of numbers, in a run that assumes some identities."""
    for identity in meaning.identities:
        if identity.name in identities:
            return partial(identity.formula, partial(_apply, identities))
    function = partial(_uninterpreted, name, meaning.exponent)
    return (
        partial(_symmetric, function, meaning.parity)
        if SYMMETRY in identities and meaning.parity
        else function
    )


def _symmetric(function: Callable[[Number], Number], parity: int, x: Number) -> Number:
    """Of two numbers with opposite signs, by the function of one of them."""
    if x.imaginary is not None:
        return function(x)
    is_turned = x.real > field.PRIME // 2
    result = function(where(is_turned, -x, x))
    if parity > 0:
        return result
    return where(x.real == 0, constant(0.0), where(is_turned, -result, result))


def _apply(identities: frozenset[str], name: str, *operands: Number) -> Number:
    return function_of(name, _BASIC.get(name, FUNCTION), identities)(*operands)


def _uninterpreted(name: str, exponent: Number | None, *operands: Number) -> Number:
    salt = field.salt_of(name)
    parts = [part for operand in operands for part in operand.parts]
    real = field.hashed(salt, *parts)
    if any(operand.imaginary is not None for operand in operands):
        return Number(real, field.hashed(salt + 1, *parts))
    if any(operand.law is None for operand in operands):
        return Number(real)
    law = laws.opaque(real)
    return Number(real, None, law if exponent is None else _raised(real, law, operands[0], exponent))


def _raised(real: Array, law: Law, base: Number, exponent: Number) -> Law:
    """The law of a power, by its logarithm."""
    assert base.law is not None and exponent.law is not None, "both numbers have laws"
    factor = laws.Logarithm(exponent.real, exponent.law.exponent)
    return laws.with_log(real, law, laws.log_of(base.real, base.law).times(factor))
