"""The laws of the exponential, for runs that assume them: exp(a + b) = exp(a) exp(b), and logarithms of sums
of shifted exponentials.

A number g of the field has the order `ORDER`; its powers are the values of the exponential: exp(x) is g^e,
where e is x modulo `ORDER`. So a real number has a second residue, its exponent. A real number also has a
shift: the number that was subtracted before its exponential was taken. The logarithm of a sum s of
exponentials, all shifted by m, is that of s exp(m), minus m.

The logarithm of a product is a sum: a product knows what its logarithm is beyond that of a number of which
nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from hlokit.tools.equal.rules import field
from hlokit.tools.equal.rules.field import PRIME, Array

# Three prime factors of PRIME - 1.
ORDER = 151 * 331 * 1321
_ORDER = np.uint64(ORDER)
# x^_UNITS is 1 modulo each factor that does not divide x.
_UNITS = 6600
_BASE = pow(3, (PRIME - 1) // ORDER, PRIME)
_LIMB = 13


class Law(NamedTuple):
    """What laws need beside a number of the field.

    Attributes:
      exponent: the number modulo `ORDER`.
      shift, shift_exponent: the number that was subtracted last, in the field and modulo `ORDER`; 0 if none.
      log, log_exponent: the logarithm of a product, without that of a number of which nothing is known.
    """

    exponent: Array
    shift: Array
    shift_exponent: Array
    log: Array
    log_exponent: Array


@dataclass(frozen=True, slots=True)
class Logarithm:
    """A logarithm, in the field and modulo `ORDER`."""

    number: Array
    exponent: Array

    def __add__(self, other: Logarithm) -> Logarithm:
        return Logarithm(
            field.add(self.number, other.number), np.asarray((self.exponent + other.exponent) % _ORDER)
        )

    def __neg__(self) -> Logarithm:
        return Logarithm(field.negative(self.number), _negative(self.exponent))

    def times(self, factor: Logarithm) -> Logarithm:
        return Logarithm(
            field.multiply(self.number, factor.number), np.asarray(self.exponent * factor.exponent % _ORDER)
        )


def unshifted(exponent: Array) -> Law:
    zero = np.zeros_like(exponent)
    return Law(exponent, zero, zero, zero, zero)


def log_of_unknown(number: Array, law: Law) -> Logarithm:
    """That of a number of which only the shift is known; 0 of 1."""
    shifted = field.multiply(number, power(law.shift_exponent))
    log = np.asarray(field.hashed(field.salt_of("log"), shifted))
    is_one = (number == 1) & (law.shift == 0) & (law.shift_exponent == 0)
    log = np.where(is_one, np.uint64(0), log)
    exponent = np.where(is_one, np.uint64(0), opaque(log).exponent)
    return Logarithm(log, exponent) + -Logarithm(law.shift, law.shift_exponent)


def log_of(number: Array, law: Law) -> Logarithm:
    """The logarithm of a number of the field."""
    return log_of_unknown(number, law) + Logarithm(law.log, law.log_exponent)


def log_of_one_more(number: Array, law: Law) -> Logarithm:
    """That of 1 + x for a number x with a known logarithm: log(x) + log(1 + 1 / x) for half of all x."""
    log = log_of(number, law)
    is_turned = log.number > PRIME // 2
    small = np.where(is_turned, field.inverse(number), number)
    total = field.add(np.ones_like(small), small)
    rest = log_of_unknown(total, opaque(total))
    turned = log + rest
    return Logarithm(
        np.where(is_turned, turned.number, rest.number), np.where(is_turned, turned.exponent, rest.exponent)
    )


def with_log(number: Array, law: Law, log: Logarithm) -> Law:
    """The law of a number whose logarithm is known."""
    rest = log + -log_of_unknown(number, law)
    return law._replace(log=rest.number, log_exponent=rest.exponent)


def opaque(number: Array) -> Law:
    """That of a result of which no law is known: a function of the number."""
    return unshifted(np.asarray(field.hashed(3, number) % _ORDER))


def of_floats(values: Array) -> Law:
    """That of floats (f64) that stand for themselves."""
    finite = np.where(np.isfinite(values), values, 0)
    fractions, exponents = np.frexp(finite)
    integers = np.abs(np.ldexp(fractions, 53)).astype(np.uint64) % _ORDER
    numbers = integers * _powers_of_two()[(exponents.astype(np.int64) - 53) % _UNITS] % _ORDER
    return unshifted(np.asarray(np.where(values < 0, _negative(numbers), numbers)))


def of_integers(integers: Array) -> Law:
    """That of integers."""
    if integers.dtype.kind != "i":
        return unshifted(np.asarray(integers.astype(np.uint64) % _ORDER))
    return unshifted(np.asarray((integers.astype(np.int64) % ORDER).astype(np.uint64)))


def of_unknown(bits: Array, salt: int) -> Law:
    """That of unknown numbers, one for each word of bits."""
    return unshifted(np.asarray(field.hashed(salt, bits) % _ORDER))


# Arithmetic ------------------------------------------------------------------------------------------


def add(one: Law, two: Law, is_one_zero: Array, is_two_zero: Array) -> Law:
    """Of a sum: terms with the same shift keep it, and 0 has any shift."""
    exponent = np.asarray((one.exponent + two.exponent) % _ORDER)
    is_same = (one.shift == two.shift) & (one.shift_exponent == two.shift_exponent)
    is_zero = is_one_zero & (one.exponent == 0), is_two_zero & (two.exponent == 0)
    shifts: list[Array] = []
    for mine, other in ((one.shift, two.shift), (one.shift_exponent, two.shift_exponent)):
        shifts.append(np.where(is_same | is_zero[1], mine, np.where(is_zero[0], other, np.uint64(0))))
    logs = [
        np.where(is_zero[1], mine, np.where(is_zero[0], other, np.uint64(0)))
        for mine, other in ((one.log, two.log), (one.log_exponent, two.log_exponent))
    ]
    return Law(exponent, *shifts, *logs)


def negative(law: Law) -> Law:
    return unshifted(_negative(law.exponent))


def multiply(one: Law, two: Law) -> Law:
    return unshifted(np.asarray(one.exponent * two.exponent % _ORDER))


def inverse(law: Law) -> Law:
    """Modulo each factor of `ORDER`; 0 for 0."""
    result, square, count = np.ones_like(law.exponent), law.exponent, _UNITS - 1
    while count:
        if count & 1:
            result = result * square % _ORDER
        square = square * square % _ORDER
        count >>= 1
    return unshifted(np.asarray(result))


def sum_of_products(product: Callable[[Array, Array], Any], lhs: Array, rhs: Array) -> Array:
    """A bilinear function of exponents; see `field.sum_of_products`. Sums may have 2^27 terms."""
    rows, columns = _limbs(lhs), _limbs(rhs)
    total: Any = np.uint64(0)
    for high in range(2):
        for low in range(2):
            part = np.asarray(product(rows[high], columns[low])).astype(np.uint64) % _ORDER
            total = (total + part * np.uint64((1 << _LIMB * (high + low)) % ORDER)) % _ORDER
    return np.asarray(total)


def _limbs(numbers: Array) -> tuple[Array, Array]:
    low = numbers & np.uint64((1 << _LIMB) - 1)
    return low.astype(np.float64), (numbers >> np.uint64(_LIMB)).astype(np.float64)


def _negative(numbers: Array) -> Array:
    return np.asarray((_ORDER - numbers) % _ORDER)


# Functions -------------------------------------------------------------------------------------------


def power(exponent: Array) -> Array:
    """The exponential: g^exponent in the field."""
    low, high = _tables()
    mask = np.uint64((1 << _LIMB) - 1)
    return field.multiply(low[exponent & mask], high[exponent >> np.uint64(_LIMB)])


@cache
def _tables() -> tuple[Array, Array]:
    """The powers of g by the lower and by the higher 13 bits of the exponent."""
    tables: list[Array] = []
    for base in (_BASE, pow(_BASE, 1 << _LIMB, PRIME)):
        powers = [1]
        for _ in range((1 << _LIMB) - 1):
            powers.append(powers[-1] * base % PRIME)
        tables.append(np.array(powers, np.uint64))
    return tables[0], tables[1]


@cache
def _powers_of_two() -> Array:
    return np.array([pow(2, count, ORDER) for count in range(_UNITS)], np.uint64)
