"""Blocked triangular solve and LU for stacks of matrices: most of the work is in matrix products.

Arrays are [matrix, row, column], contiguous, of a type that NumPy computes in, and are changed in place.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.native.target import is_enabled
from hlokit.ops.contractions import native_products
from hlokit.ops.elementwise.cache_blocking import Array
from hlokit.values.element_types import F32, F64

# Triangles of at most this size are solved row by row, larger ones recursively in halves. LU eliminates this
# many columns before it updates the rest of the matrix with one product.
_BLOCK = 32
_solve: Callable[..., None] = _kernels.solve_triangle
_eliminate_natively: Callable[..., None] = _kernels.eliminate
_NATIVE = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64"}
_PARTS = {np.dtype(np.complex64): F32, np.dtype(np.complex128): F64}


def positions(count: int) -> Array:
    return np.arange(count)


def as_stack(array: Array) -> Array:
    """A view of a contiguous array as a stack with a single batch dimension."""
    count = int(np.prod(array.shape[:-2]))  # not -1: matrices may be empty
    return array.reshape(count, *array.shape[-2:])


def substitute(lower: Array, x: Array, unit_diagonal: bool) -> None:
    """Forward substitution: x becomes inverse(lower) * x."""
    _substitute(lower, x, 0, lower.shape[-1], 0, unit_diagonal)


def _substitute(a: Array, x: Array, start: int, stop: int, first: int, unit_diagonal: bool) -> None:
    """Forward substitution with the triangle in rows and columns start to stop, for x's columns from `first`
    on.
    """
    if stop - start > _BLOCK:
        middle = (start + stop) // 2
        _substitute(a, x, start, middle, first, unit_diagonal)
        _subtract_product(
            x[:, middle:stop, first:], a[:, middle:stop, start:middle], x[:, start:middle, first:]
        )
        _substitute(a, x, middle, stop, first, unit_diagonal)
        return
    if _is_native(a):
        _solve(_NATIVE[a.dtype], a, x, start, stop, first, unit_diagonal)
        return
    for row in range(start, stop):
        solved = x[:, row, np.newaxis, first:]
        if not unit_diagonal:
            solved /= a[:, row, row, np.newaxis, np.newaxis]
        x[:, row + 1 : stop, first:] -= a[:, row + 1 : stop, row, np.newaxis] * solved


def factorise(a: Array) -> tuple[Array, Array]:
    """LU with partial pivoting: `a` becomes L below its unit diagonal, and U.

    Returns:
      pivots: i32[matrix, min(rows, columns)], the row that was swapped with row i, counted from 1.
      info: i32[matrix], the first column without a nonzero pivot, counted from 1, or 0.
    """
    count = min(a.shape[1:])
    pivots = np.zeros((a.shape[0], count), np.int32)
    info = np.zeros(a.shape[0], np.int32)
    for start in range(0, count, _BLOCK):
        stop = min(start + _BLOCK, count)
        if _is_native(a):
            _eliminate_natively(_NATIVE[a.dtype], a, start, stop, pivots, info)
        else:
            for column in range(start, stop):
                _eliminate(a, column, stop, pivots, info)
        if stop < a.shape[2]:
            _substitute(a, a, start, stop, stop, True)
            _subtract_product(a[:, stop:, stop:], a[:, stop:, start:stop], a[:, start:stop, stop:])
    return pivots, info


def _eliminate(a: Array, column: int, stop: int, pivots: Array, info: Array) -> None:
    """Pivot one column and update the other columns of its block."""
    every = positions(a.shape[0])
    below = a[:, column:, column]
    row = column + np.argmax(np.abs(np.real(below)) + np.abs(np.imag(below)), axis=-1)
    pivots[:, column] = row + 1
    moved = a[every, row]
    a[every, row] = a[:, column]
    a[:, column] = moved
    pivot = a[:, column, column]
    singular = pivot == 0
    info[singular & (info == 0)] = column + 1
    divisor = np.where(singular, pivot.dtype.type(1), pivot)
    a[:, column + 1 :, column] /= divisor[:, np.newaxis]
    factors = a[:, column + 1 :, column, np.newaxis]
    a[:, column + 1 :, column + 1 : stop] -= factors * a[:, column, np.newaxis, column + 1 : stop]


def _is_native(a: Array) -> bool:
    return a.dtype in _NATIVE and is_enabled()


def _subtract_product(target: Array, a: Array, b: Array) -> None:
    """target -= a @ b, for stacks."""
    if not native_products.is_enabled():
        target -= a @ b
        return
    product = np.empty(target.shape, target.dtype)
    _product(a.dtype)(a, b, product)
    target -= product


@cache
def _product(dtype: np.dtype[Any]) -> Callable[[Array, Array, Array], None]:
    if dtype in _PARTS:
        return native_products.complex_strided_matmul(_PARTS[dtype], 1, 1)
    type_ = F32 if dtype == np.float32 else F64
    return native_products.strided_matmul(type_, type_, type_, type_, 1, 1)
