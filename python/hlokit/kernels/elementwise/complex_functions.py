"""Complex numbers from parts, and their lexicographic order; blockwise (`cache_blocking`).

Functions of complex numbers are native: `kernel_factories.complex_native`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any  # NDArray[Any], which has no parts in NumPy's stubs


def complex_of(real: Array, imag: Array) -> Array:
    """real + i imag without arithmetic, so that the parts keep their bits."""
    result = np.empty(np.broadcast_shapes(real.shape, imag.shape), np.result_type(real, np.complex64))
    result.real = real
    result.imag = imag
    return result


def greater(lhs: Array, rhs: Array) -> Array:
    """lhs > rhs in the lexicographic order of (real, imag)."""
    return (lhs.real > rhs.real) | ((lhs.real == rhs.real) & (lhs.imag > rhs.imag))


def maximum(lhs: Array, rhs: Array) -> Array:
    """The greater operand; for equal operands the operand with +0; NaN if a part of either operand is NaN."""
    return _unless_nan(lhs, rhs, np.where(_is_above(lhs, rhs), lhs, rhs))


def minimum(lhs: Array, rhs: Array) -> Array:
    """The lesser operand; for equal operands the operand with -0; NaN if a part of either operand is NaN."""
    return _unless_nan(lhs, rhs, np.where(_is_above(lhs, rhs), rhs, lhs))


def _is_above(lhs: Array, rhs: Array) -> Array:
    """lhs > rhs, or lhs == rhs and lhs has +0 in the first part whose zeros have different signs."""
    real, imag = _below_zero(lhs.real, rhs.real), _below_zero(lhs.imag, rhs.imag)
    return greater(lhs, rhs) | ((lhs == rhs) & ((real > 0) | ((real == 0) & (imag > 0))))


def _below_zero(lhs: Array, rhs: Array) -> Array:
    """1 if only rhs has a sign, -1 if only lhs has a sign."""
    return np.signbit(rhs).astype(np.int8) - np.signbit(lhs).astype(np.int8)


def _unless_nan(lhs: Array, rhs: Array, chosen: Array) -> Array:
    return np.where(np.isnan(lhs) | np.isnan(rhs), lhs.dtype.type(complex(np.nan, np.nan)), chosen)  # pyright: ignore[reportUnknownVariableType] # an array
