"""Functions of integer arrays of 8 to 64 bits; narrower integers are computed in 8 bits
(`kernel_factories.integer`).

Cases that C leaves undefined follow XLA:CPU: x / 0 has all bits set, x % 0 is x, the quotient of the smallest
integer and -1 wraps, and shift amounts are unsigned.
"""

from __future__ import annotations

import numpy as np

from hlokit.kernels.elementwise.cache_blocking import Array


def as_unsigned(operand: Array) -> Array:
    """The same bits as unsigned integers."""
    return operand.view(np.dtype(f"u{operand.dtype.itemsize}"))


def as_signed(operand: Array) -> Array:
    """The same bits as signed integers."""
    return operand.view(np.dtype(f"i{operand.dtype.itemsize}"))


def divide_signed(lhs: Array, rhs: Array) -> Array:
    """The quotient truncated toward zero, computed as the unsigned quotient of magnitudes.

    `np.floor_divide` of signed integers rounds down and takes four times as long.
    """
    quotient = as_signed(np.floor_divide(as_unsigned(np.abs(lhs)), as_unsigned(np.abs(rhs))))
    sign = lhs ^ rhs
    sign >>= 8 * sign.dtype.itemsize - 1
    quotient = (quotient ^ sign) - sign
    by_zero = rhs == 0
    return np.where(by_zero, np.array(-1, lhs.dtype), quotient) if by_zero.any() else quotient


def divide_unsigned(lhs: Array, rhs: Array) -> Array:
    """The quotient rounded down."""
    quotient = np.floor_divide(lhs, rhs)
    by_zero = rhs == 0
    return np.where(by_zero, ~np.zeros((), lhs.dtype), quotient) if by_zero.any() else quotient


def remainder(lhs: Array, rhs: Array) -> Array:
    """lhs - (lhs / rhs) * rhs, with the sign of lhs."""
    result = np.fmod(lhs, rhs)
    by_zero = rhs == 0
    return np.where(by_zero, lhs, result) if by_zero.any() else result


def power(lhs: Array, rhs: Array) -> Array:
    """lhs ** rhs modulo 2**width. For negative rhs, 1 / lhs ** -rhs truncated, and 0 for lhs = 0.

    For a negative exponent, only powers of 1 and -1 are not 0; the last bit of rhs determines their sign.
    """
    if rhs.dtype.kind == "u":
        return np.power(lhs, rhs)
    negative = rhs < 0
    if not negative.any():
        return np.power(lhs, rhs)
    result = np.power(lhs, np.where(negative, rhs & 1, rhs))
    result *= ~negative | (lhs == 1) | (lhs == -1)
    return result


def shift_right_logical(lhs: Array, rhs: Array) -> Array:
    """lhs >> rhs with zeros from the left; 0 if the amount is the width or more."""
    return np.right_shift(as_unsigned(lhs), as_unsigned(rhs)).view(lhs.dtype)


def shift_right_arithmetic(lhs: Array, rhs: Array) -> Array:
    """lhs >> rhs with copies of the highest bit from the left, also for unsigned types."""
    return np.right_shift(as_signed(lhs), as_signed(rhs)).view(lhs.dtype)


def popcnt(operand: Array) -> Array:
    """The number of bits set."""
    return np.bitwise_count(as_unsigned(operand)).astype(operand.dtype)


def count_leading_zeros(operand: Array) -> Array:
    """The number of bits above the highest set bit: copy that bit to all lower positions, then count the
    remaining zeros.
    """
    bits = as_unsigned(operand).copy()
    width = 8 * bits.dtype.itemsize
    step = 1
    while step < width:
        bits |= bits >> step
        step *= 2
    return (width - np.bitwise_count(bits)).astype(operand.dtype)


def sign(operand: Array) -> Array:
    """-1, 0 or 1."""
    return np.sign(operand)
