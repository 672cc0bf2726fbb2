"""Sums and products of f64 with their exact errors."""

from __future__ import annotations

from hlokit.kernels.elementwise.cache_blocking import Array

# 2**27 + 1 divides the 53 bits of an f64 into two halves whose products are exact (Veltkamp).
_SPLITTER = 134217729.0


def two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """a + b as the rounded sum and its exact error (Knuth)."""
    high = a + b
    part = high - a
    return high, (a - (high - part)) + (b - part)


def two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """a * b as the rounded product and its exact error (Dekker); for |a| and |b| below 2**996."""
    high = a * b
    a_high, a_low = split(a)
    b_high, b_low = (a_high, a_low) if a is b else split(b)
    return high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low


def split(a: Array) -> tuple[Array, Array]:
    """a as the sum of two numbers with half its bits (Veltkamp)."""
    scaled = a * _SPLITTER
    high = scaled - (scaled - a)
    return high, a - high
