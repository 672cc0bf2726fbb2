"""`a * b + c` rounded once, as a fused multiply-add computes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.kernels.elementwise.error_free import two_product, two_sum

Array = npt.NDArray[Any]
# Two factors for each operand that is a product, by the operand's number.
Factors = Mapping[int, tuple[Array, Array]]


def multiply_add(a: Array, b: Array, c: Array) -> Array:
    """a * b + c of floats of one type, rounded once; for finite values.

    The sum is rounded to odd in f64 first, so that the second rounding is right (Boldo and Melquiond,
    "Emulation of a fused multiply-add", 2008).
    """
    x, y, z = (value.astype(np.float64) for value in (a, b, c))
    if a.dtype != np.float64:
        return _to_odd(*two_sum(x * y, z)).astype(a.dtype)  # products are exact
    product, product_error = two_product(x, y)
    low, low_error = two_sum(z, product_error)
    high, high_error = two_sum(product, low)
    return high + _to_odd(*two_sum(low_error, high_error))


def _to_odd(total: Array, error: Array) -> Array:
    """The sum of a rounded sum and its error: if it is inexact, the neighbour whose last bit is 1."""
    is_even = (np.atleast_1d(total).view(np.int64) & 1 == 0).reshape(np.shape(total))
    neighbour = np.nextafter(total, np.copysign(np.inf, error))
    return np.where((error != 0) & is_even & np.isfinite(error), neighbour, total)


def fused(name: str, operands: tuple[Array, Array], factors: Factors) -> Iterator[Array]:
    """Results of an addition or subtraction that is fused with the product that computes an operand."""
    first, second = operands
    sign = np.asarray(-1 if name == "stablehlo.subtract" else 1, first.dtype)
    if 0 in factors:
        yield multiply_add(*factors[0], sign * second)
    if 1 in factors:
        left, right = factors[1]
        yield multiply_add(sign * left, right, first)
