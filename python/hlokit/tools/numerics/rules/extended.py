"""Functions of longdouble and clongdouble numbers: the shadows of functions of f64.

These are NumPy's functions, or functions of hlokit that work for every width.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.tools.numerics.rules import extended_complex

Array = npt.NDArray[Any]
Function = Callable[..., Any]


def rsqrt(x: Array) -> Array:
    return 1 / np.sqrt(x)


def logistic(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def complex_(real: Array, imaginary: Array) -> Array:
    result: Array = np.empty(np.shape(real), np.result_type(np.asarray(real).dtype, np.complex64))
    result.real, result.imag = real, imaginary
    return result


def _either(of_real: Callable[..., Any], of_complex: Callable[..., Any]) -> Callable[..., Any]:
    """A function with separate definitions for real and complex numbers; scalars become arrays."""

    def choose(*operands: Array) -> Array:
        function = of_complex if np.iscomplexobj(operands[0]) else of_real
        shape = np.broadcast_shapes(*(np.shape(operand) for operand in operands))
        result = function(*[np.atleast_1d(operand) for operand in operands])
        return np.asarray(result).reshape(shape)

    return choose


def round_nearest_afz(x: Array) -> Array:
    whole = np.trunc(x)
    return np.copysign(np.abs(whole) + (np.abs(x - whole) >= 0.5), x)


def clamp(low: Array, x: Array, high: Array) -> Array:
    return np.minimum(np.maximum(x, low), high)


atan2 = _either(np.arctan2, extended_complex.atan2)
cbrt = _either(np.cbrt, extended_complex.cbrt)


def of_any_rank(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function for scalars as well: a function that takes slices needs operands with a rank."""
    return _either(function, function)


def cholesky(a: Array, *, lower: bool) -> Array:
    """The triangular factor of matrices, column by column; all NaN for a matrix without one."""
    matrix = a if lower else np.conj(np.swapaxes(a, -1, -2))
    factor = np.zeros_like(matrix)
    for column in range(matrix.shape[-1]):
        row = factor[..., column, np.newaxis, :column]
        rest: Array = matrix[..., column:, column] - np.sum(
            factor[..., column:, :column] * np.conj(row), axis=-1
        )
        pivot: Array = np.real(rest[..., :1])
        factor[..., column:, column] = rest / np.sqrt(np.where(pivot > 0, pivot, np.nan))
    lost = np.isnan(factor).any(axis=(-1, -2), keepdims=True)
    factor = np.where(lost, np.nan, factor)
    return factor if lower else np.conj(np.swapaxes(factor, -1, -2))


def triangular_solve(a: Array, b: Array, *, left: bool, lower: bool, transpose: str, unit: bool) -> Array:
    """x with op(a) x = b, or x op(a) = b, by substitution; op is "N", "T" or "C" (conjugate transpose)."""
    matrix = a if transpose == "N" else np.swapaxes(np.conj(a) if transpose == "C" else a, -1, -2)
    right = b
    is_lower = lower == (transpose == "N")
    if not left:  # x a = b is the transpose of a^T x^T = b^T
        matrix, right, is_lower = np.swapaxes(matrix, -1, -2), np.swapaxes(b, -1, -2), not is_lower
    x = np.array(right)
    size = matrix.shape[-1]
    for row in range(size) if is_lower else reversed(range(size)):
        solved = slice(0, row) if is_lower else slice(row + 1, size)
        factors = matrix[..., row, solved, np.newaxis]
        rest = x[..., row, :] - np.sum(factors * x[..., solved, :], axis=-2)
        x[..., row, :] = rest if unit else rest / matrix[..., row, row, np.newaxis]
    return x if left else np.swapaxes(x, -1, -2)
