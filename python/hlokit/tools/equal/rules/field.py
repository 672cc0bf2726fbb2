"""Arithmetic modulo the prime 2^61 - 1, on arrays of 64-bit integers below the prime.

In this field sums and products do not depend on their order, every number but 0 has an inverse, and every
float has an exact place: a float is m * 2^e, and 2 has an inverse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit import _kernels

Array = npt.NDArray[Any]

_BITS = 61
PRIME = (1 << _BITS) - 1

_PRIME, _SHIFT = np.uint64(PRIME), np.uint64(_BITS)
_HALF, _LOW_HALF = np.uint64(31), np.uint64((1 << 31) - 1)
_MIDDLE, _LOW_MIDDLE = np.uint64(30), np.uint64((1 << 30) - 1)
# Python inverts this many numbers one by one.
_FEW = 16
# The terms of a sum of products of limbs must stay below 2^53, up to which f64 holds all integers.
_EXACT_BITS = 53


def reduced(numbers: Array) -> Array:
    """Any 64-bit integers modulo the prime."""
    folded = np.asarray((numbers & _PRIME) + (numbers >> _SHIFT))
    return np.minimum(folded, folded - _PRIME)  # the difference wraps around where it is negative


def add(lhs: Array, rhs: Array) -> Array:
    """lhs + rhs"""
    total = np.asarray(lhs + rhs)
    return np.minimum(total, total - _PRIME)


def negative(numbers: Array) -> Array:
    """-numbers"""
    return np.where(numbers == 0, numbers, _PRIME - numbers)


def multiply(lhs: Array, rhs: Array) -> Array:
    """lhs * rhs, from products of halves of 31 bits, where 2^61 = 1."""
    if lhs.ndim == rhs.ndim == 0:  # Python is faster
        return np.asarray(int(lhs) * int(rhs) % PRIME, np.uint64)
    lhs_high, lhs_low = lhs >> _HALF, lhs & _LOW_HALF
    rhs_high, rhs_low = rhs >> _HALF, rhs & _LOW_HALF
    middle = lhs_high * rhs_low + lhs_low * rhs_high
    total = ((lhs_high * rhs_high) << np.uint64(1)) + (middle >> _MIDDLE)
    return reduced(total + ((middle & _LOW_MIDDLE) << _HALF) + lhs_low * rhs_low)


def inverse(numbers: Array) -> Array:
    """1 / numbers, and 0 for 0."""
    is_zero = numbers == 0
    units = np.where(is_zero, np.uint64(1), numbers).reshape(-1)
    return np.where(is_zero, np.uint64(0), _unit_inverse(units).reshape(numbers.shape))


def _unit_inverse(units: Array) -> Array:
    """The inverses of numbers other than 0: from the inverses of products of two numbers each."""
    if units.size <= _FEW:
        return np.array([pow(int(unit), -1, PRIME) for unit in units], np.uint64)
    if units.size % 2:
        return np.concatenate([_unit_inverse(units[:-1]), _unit_inverse(units[-1:])])
    even, odd = units[::2], units[1::2]
    products = _unit_inverse(multiply(even, odd))
    inverses = np.empty_like(units)
    inverses[::2], inverses[1::2] = multiply(products, odd), multiply(products, even)
    return inverses


def _times_power_of_two(numbers: Array, exponent: int | Array) -> Array:
    """numbers * 2^exponent, a rotation of 61 bits."""
    shift = np.asarray(exponent % _BITS, np.uint64)
    return reduced(((numbers << shift) & _PRIME) | (numbers >> (_SHIFT - shift)))


def embedded(values: Array) -> Array:
    """Floats (f64) as numbers of the field, m * 2^e; infinities and NaN have places of their own."""
    fractions, exponents = np.frexp(np.where(np.isfinite(values), values, 0))
    integers = np.abs(np.ldexp(fractions, 53)).astype(np.uint64)
    numbers = _times_power_of_two(integers, exponents.astype(np.int64) - 53)
    signed = np.where(values < 0, negative(numbers), numbers)
    return np.where(np.isfinite(values), signed, _special(values))


def of_integers(integers: Array) -> Array:
    """Integers as numbers of the field."""
    if integers.dtype.kind != "i":
        return reduced(integers.astype(np.uint64))
    wide = integers.astype(np.int64)
    sizes = reduced(np.abs(wide).view(np.uint64))
    return np.where(wide < 0, negative(sizes), sizes)


def hashed(salt: int, *numbers: Array) -> Array:
    """A pseudorandom function of numbers of the field; another salt gives another function."""
    shape = np.broadcast_shapes(*map(np.shape, numbers))
    state: Array = np.asarray(np.uint64(salt))
    for operand in numbers:
        state = _mixed(state ^ operand)
    return reduced(state).reshape(shape)


def _mixed(words: Array) -> Array:
    """A permutation of 64-bit words that spreads every bit (the finalizer of SplitMix64)."""
    words = np.atleast_1d(words)  # of scalars, NumPy would warn that products wrap around
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def salt_of(*parts: object) -> int:
    """A salt for a function with a name."""
    state = 0xCBF29CE484222325
    for byte in "\0".join(map(str, parts)).encode():
        state = (state ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return state


def _special(values: Array) -> Array:
    """Three arbitrary numbers: for infinity, its negative, and NaN."""
    infinity = np.uint64(salt_of("infinity") & PRIME)
    not_a_number = np.uint64(salt_of("nan") & PRIME)
    return np.where(np.isnan(values), not_a_number, np.where(values > 0, infinity, _PRIME - infinity))


# Sums of products -----------------------------------------------------------------------------------

Product = Callable[[Array, Array], Any]


def sum_of_products(product: Product, lhs: Array, rhs: Array, terms: int) -> Array:
    """A bilinear function, such as a contraction or a convolution.

    Args:
      product: the same function of f64 arrays. It is called with limbs, whose sums of products are exact.
      terms: the largest number of products that the function adds.
    """
    width = (_EXACT_BITS - max(terms - 1, 0).bit_length()) // 2
    rows, columns = _limbs(lhs, width), _limbs(rhs, width)
    total: Array | None = None
    for diagonal in range(len(rows) + len(columns) - 1):
        for index in range(max(0, diagonal - len(columns) + 1), min(len(rows), diagonal + 1)):
            part = np.asarray(product(rows[index], columns[diagonal - index])).astype(np.uint64)
            part = _times_power_of_two(part, width * diagonal)
            total = part if total is None else add(total, part)
    assert total is not None, "numbers have limbs"
    return total


def matrix_product(lhs: Array, rhs: Array) -> Array:
    """The products of two stacks of matrices of numbers of the field, or of exact real numbers."""
    result = np.empty((*lhs.shape[:-1], rhs.shape[-1]), lhs.dtype)
    stacks: list[Any] = [
        np.ascontiguousarray(array).reshape(prod(array.shape[:-2]), *array.shape[-2:])
        for array in (lhs, rhs, result)
    ]
    _kernels.multiply_stacks(*stacks)
    return result


def _limbs(numbers: Array, width: int) -> Sequence[Array]:
    """Parts of `width` bits each, the lowest first, as f64."""
    mask = np.uint64((1 << width) - 1)
    return [((numbers >> np.uint64(start)) & mask).astype(np.float64) for start in range(0, _BITS, width)]
