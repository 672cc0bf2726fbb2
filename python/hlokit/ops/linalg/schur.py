"""The Schur form of a matrix, which NumPy lacks: the QR algorithm with implicit shifts, in f64.

Formulas: Golub and Van Loan, Matrix Computations, chapter 7.
"""

from __future__ import annotations

from math import hypot, sqrt
from typing import Any

import numpy as np

from hlokit.ops.elementwise.cache_blocking import Array

_EPSILON = float(np.finfo(np.float64).eps)
# Sweeps an eigenvalue may take, and the ones at which an unusual shift breaks a cycle.
_SWEEPS = 60
_UNUSUAL = (10, 20, 40)


def schur(matrix: Array) -> tuple[Array, Array, bool]:
    """(T, Z, whether it converged) with matrix = Z T Z*, Z unitary.

    T is upper triangular if the matrix is complex. If it is real, a pair of conjugate eigenvalues is a 2x2
    block on the diagonal, with equal diagonal elements and others of opposite signs, as LAPACK has it.
    """
    is_complex = matrix.dtype.kind == "c"
    form = np.array(matrix, np.complex128 if is_complex else np.float64)
    vectors = np.eye(form.shape[0], dtype=form.dtype)
    if not np.isfinite(form).all():
        return np.full_like(form, np.nan), np.full_like(form, np.nan), False
    _to_hessenberg(form, vectors)
    converged = _complex_form(form, vectors) if is_complex else _real_form(form, vectors)
    below = np.tril(form, -2 if not is_complex else -1)
    return form - below, vectors, converged


def _to_hessenberg(a: Array, z: Array) -> None:
    for column in range(a.shape[0] - 2):
        vector = _householder(a[column + 1 :, column])
        if vector is not None:
            _reflect(a, z, vector, column + 1, 0, a.shape[0])


def _householder(x: Array) -> Array | None:
    """v of length 1 such that 1 - 2 v v* takes x to a multiple of the first unit vector; None if x is one."""
    if not x[1:].any():
        return None
    v = x / np.abs(x).max()
    v[0] += (v[0] / abs(v[0]) if v[0] else 1) * np.linalg.norm(v)
    return v / np.linalg.norm(v)


def _reflect(a: Array, z: Array, v: Array, start: int, first: int, stop: int) -> None:
    """A similarity by 1 - 2 v v* from row `start` on; columns before `first`, rows from `stop` on are 0."""
    rows = slice(start, start + v.shape[0])
    a[rows, first:] -= 2 * np.outer(v, np.conj(v) @ a[rows, first:])
    a[:stop, rows] -= 2 * np.outer(a[:stop, rows] @ v, np.conj(v))
    z[:, rows] -= 2 * np.outer(z[:, rows] @ v, np.conj(v))


def _start_of_block(a: Array, last: int) -> int:
    """The first row of the connected block that ends at `last`; small elements below the diagonal go."""
    for row in range(last, 0, -1):
        scale = abs(a[row - 1, row - 1]) + abs(a[row, row]) or float(np.abs(a).max())
        if abs(a[row, row - 1]) <= _EPSILON * scale:
            a[row, row - 1] = 0
            return row
    return 0


# Complex -------------------------------------------------------------------------------------------------


def _complex_form(a: Array, z: Array) -> bool:
    last, sweeps = a.shape[0] - 1, 0
    while last > 0:
        first = _start_of_block(a, last)
        if first == last:
            last, sweeps = last - 1, 0
            continue
        sweeps += 1
        if sweeps > _SWEEPS:
            return False
        _single_shift_sweep(a, z, first, last, _shift(a, last, sweeps))
    return True


def _shift(a: Array, last: int, sweeps: int) -> complex:
    """The eigenvalue of the last 2x2 block that is nearer to its last element."""
    if sweeps in _UNUSUAL:
        return complex(a[last, last] + abs(a[last, last - 1]))
    block = a[last - 1 : last + 1, last - 1 : last + 1]
    half, product = (block[0, 0] - block[1, 1]) / 2, block[0, 1] * block[1, 0]
    root = np.sqrt(complex(half * half + product))
    divisor = half + root if abs(half + root) > abs(half - root) else half - root
    return complex(block[1, 1] - product / divisor) if divisor else complex(block[1, 1])


def _single_shift_sweep(a: Array, z: Array, first: int, last: int, shift: complex) -> None:
    x = np.array([a[first, first] - shift, a[first + 1, first]])
    for row in range(first, last):
        v = _householder(x)
        if v is not None:
            _reflect(a, z, v, row, max(row - 1, first) if row > first else first, min(row + 3, last + 1))
        if row + 1 < last:
            x = a[row + 1 : row + 3, row].copy()


# Real ----------------------------------------------------------------------------------------------------


def _real_form(a: Array, z: Array) -> bool:
    last, sweeps = a.shape[0] - 1, 0
    while last > 0:
        first = _start_of_block(a, last)
        if first >= last - 1:
            if first == last - 1:
                _standardise(a, z, first)
            last, sweeps = first - 1, 0
            continue
        sweeps += 1
        if sweeps > _SWEEPS:
            return False
        _double_shift_sweep(a, z, first, last, sweeps)
    return True


def _double_shift_sweep(a: Array, z: Array, first: int, last: int, sweeps: int) -> None:
    """Francis's: both eigenvalues of the last 2x2 block are the shifts."""
    if sweeps in _UNUSUAL:
        scale = abs(a[last, last - 1]) + abs(a[last - 1, last - 2])
        trace, determinant = 1.5 * scale, scale * scale
    else:
        block = a[last - 1 : last + 1, last - 1 : last + 1]
        trace = block[0, 0] + block[1, 1]
        determinant = block[0, 0] * block[1, 1] - block[0, 1] * block[1, 0]
    h = a[first : first + 3, first : first + 2]
    x = np.array(
        [
            h[0, 0] * h[0, 0] + h[0, 1] * h[1, 0] - trace * h[0, 0] + determinant,
            h[1, 0] * (h[0, 0] + h[1, 1] - trace),
            h[1, 0] * h[2, 1],
        ]
    )
    for row in range(first, last):
        v = _householder(x)
        if v is not None:
            _reflect(a, z, v, row, row - 1 if row > first else first, min(row + 4, last + 1))
        if row + 1 < last:
            x = a[row + 1 : min(row + 4, last + 1), row].copy()


def _standardise(a: Array, z: Array, first: int) -> None:
    """Rotate a 2x2 block on the diagonal: triangular if its eigenvalues are real, else of equal diagonal."""
    (p, q), (r, s) = a[first : first + 2, first : first + 2].tolist()
    if r == 0:
        return
    half = (p - s) / 2
    discriminant = half * half + q * r
    if discriminant >= 0:
        # The eigenvector of the eigenvalue that is computed without cancellation.
        root = sqrt(discriminant)
        cosine, sine = half + (root if half >= 0 else -root), r
    else:
        # Turned by this angle, both diagonal elements are their mean.
        angle = np.arctan2(p - s, q + r) / 2
        cosine, sine = float(np.cos(angle)), -float(np.sin(angle))
    length = hypot(cosine, sine)
    cosine, sine = cosine / length, sine / length
    rotation: Any = np.array([[cosine, -sine], [sine, cosine]])
    rows = slice(first, first + 2)
    a[rows, first:] = rotation.T @ a[rows, first:]
    a[: first + 2, rows] = a[: first + 2, rows] @ rotation
    z[:, rows] = z[:, rows] @ rotation
    if discriminant >= 0:
        a[first + 1, first] = 0
    else:
        a[first, first] = a[first + 1, first + 1] = (p + s) / 2


def eigenvalues(form: Array) -> Array:
    """Of a Schur form, in its order; the one with the positive imaginary part of a pair first."""
    values = np.diagonal(form).astype(np.complex128)
    if form.dtype.kind != "c":
        for row in np.flatnonzero(np.diagonal(form, -1)):
            part = sqrt(abs(form[row, row + 1])) * sqrt(abs(form[row + 1, row]))
            values[row] += 1j * part
            values[row + 1] -= 1j * part
    return values
