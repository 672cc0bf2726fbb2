"""LAPACK's factorisations on stacks of matrices, as its routines return them, by compiled code.

Names are LAPACK's. Results depend on the matrices alone: not on their layout or number, the processor, or
threads. `info` is i32[batch].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from hlokit import _kernels
from hlokit.contract.threads import thread_count
from hlokit.ops.elementwise.cache_blocking import Array

_run: Callable[..., None] = _kernels.lapack
_NAMES = {"f4": "f32", "f8": "f64", "c8": "complex<f32>", "c16": "complex<f64>"}


def run(routine: str, like: Array, arrays: Sequence[Array], options: Sequence[int] = ()) -> None:
    """Call a routine for the type of `like`.

    `arrays` are contiguous and have the batch dimensions of `like`, all but its last two. Results take the
    place of operands.
    """
    batch = like.ndim - 2
    count = prod(like.shape[:batch])
    stacks = [array.reshape(count, *array.shape[batch:]) for array in arrays]
    _run(routine, _NAMES[like.dtype.str[1:]], stacks, options, thread_count())


def _copy(matrices: Array) -> Array:
    return np.array(matrices, order="C")


# Triangles -------------------------------------------------------------------------------------------


def potrf(matrices: Array, lower: bool) -> tuple[Array, Array]:
    """(Cholesky factor, info): 0 outside its triangle; all NaN where info is not 0."""
    a, info = _copy(matrices), np.zeros(matrices.shape[:-2], np.int32)
    run("potrf", a, (a, info), (lower,))
    return a, info


def trsm(a: Array, b: Array, *, left: bool, lower: bool, transpose: str, unit: bool) -> Array:
    """x with op(a) x = b, or x op(a) = b; op is N(one), T(ranspose) or C(onjugate transpose)."""
    x = _copy(b)
    run(
        "trsm",
        a,
        (np.require(a, requirements=["C", "A"]), x),
        (left, lower, transpose != "N", transpose == "C", unit),
    )
    return x


def getrf(matrices: Array) -> tuple[Array, Array, Array]:
    """(L below the unit diagonal and U, rows that were swapped with row i, counted from 1, info)."""
    a = _copy(matrices)
    *batch, rows, columns = a.shape
    pivots, info = np.zeros((*batch, min(rows, columns)), np.int32), np.zeros(batch, np.int32)
    run("getrf", a, (a, pivots, info))
    return a, pivots, info


def permutation(pivots: Array, rows: int) -> Array:
    """The order of rows after swaps that count from 0."""
    order = np.broadcast_to(np.arange(rows, dtype=np.int32), (*pivots.shape[:-1], rows)).copy()
    flat = order.reshape(prod(pivots.shape[:-1]), rows)
    every: Array = np.arange(flat.shape[0])
    for index in range(pivots.shape[-1]):
        other = pivots[..., index].reshape(-1)
        moved = flat[every, other]
        flat[every, other] = flat[:, index]
        flat[:, index] = moved
    return order


# Householder -----------------------------------------------------------------------------------------


def geqrf(matrices: Array) -> tuple[Array, Array]:
    """(R, with the reflectors' vectors below the diagonal; their factors tau)."""
    a = _copy(matrices)
    tau = np.zeros((*a.shape[:-2], min(a.shape[-2:])), a.dtype)
    run("geqrf", a, (a, tau))
    return a, tau


def geqp3(matrices: Array, pivots: Array) -> tuple[Array, Array, Array]:
    """(R, with the reflectors' vectors below the diagonal; columns in their new order, from 1; tau).

    The column with the largest rest comes next, the ones that `pivots` is not 0 at before all others.
    """
    a, order = _copy(matrices), np.array(pivots, np.int32, order="C")
    tau = np.zeros((*a.shape[:-2], min(a.shape[-2:])), a.dtype)
    run("geqp3", a, (a, order, tau))
    return a, order, tau


def orgqr(packed: Array, tau: Array) -> Array:
    """The first columns of the product of reflectors 1 - tau v v*, as many as `packed` has."""
    q = _copy(packed)
    run("orgqr", q, (q, np.require(tau, requirements=["C", "A"])))
    return q


def ormqr(packed: Array, tau: Array, c: Array, left: bool, adjoint: bool) -> Array:
    """Q c, or c Q, for the product Q of reflectors, or its adjoint."""
    product = _copy(c)
    vectors = np.require(packed[..., : tau.shape[-1]], requirements=["C", "A"])
    run("ormqr", product, (vectors, np.require(tau, requirements=["C", "A"]), product), (left, adjoint))
    return product


# By NumPy -------------------------------------------------------------------------------------------


def per_matrix(function: Callable[[Array], tuple[Array, ...]], matrices: Array) -> tuple[Array, ...]:
    """The results of a NumPy routine for a stack, and LAPACK's `info`: 1 for matrices at which it failed.

    NumPy does not say which one failed: after a failure they are tried one by one. Results are NaN then.
    """
    batch = matrices.shape[:-2]
    try:
        return (*function(matrices), np.zeros(batch, np.int32))
    except np.linalg.LinAlgError:
        pass
    identity = np.eye(*matrices.shape[-2:], dtype=matrices.dtype)
    likes = function(identity)
    results = [np.full((*batch, *like.shape), np.nan, like.dtype) for like in likes]
    info = np.ones(batch, np.int32)
    for index in np.ndindex(batch):
        try:
            parts = function(matrices[index])
        except np.linalg.LinAlgError:
            continue
        info[index] = 0
        for result, part in zip(results, parts, strict=True):
            result[index] = part
    return (*results, info)


def _reflect(matrices: Array, vector: Array, tau: Array) -> None:
    """Multiply by 1 - tau v v* from the left, in place."""
    weights = np.conj(np.swapaxes(vector, -1, -2)) @ matrices
    matrices -= tau[..., np.newaxis, np.newaxis] * (vector @ weights)


def _reflector(column: Array) -> tuple[Array, Array, Array]:
    """(v with v[0] = 1, tau, beta): (1 - tau v v*)* column = (beta, 0, ..., 0) with a real beta (larfg)."""
    alpha = column[..., 0]
    rest = np.linalg.norm(column[..., 1:], axis=-1)
    beta = -np.copysign(np.hypot(np.abs(alpha), rest), np.real(alpha))
    trivial = (rest == 0) & (np.imag(alpha) == 0)
    beta = np.where(trivial, np.real(alpha), beta).astype(rest.dtype)
    divisor = np.where(trivial, 1, beta)
    tau = np.where(trivial, 0, (beta - alpha) / divisor).astype(column.dtype)
    vector = column / np.where(trivial, 1, alpha - beta)[..., np.newaxis]
    vector[..., 0] = 1
    return vector, tau, beta


def gehrd(matrices: Array, low: int, high: int) -> tuple[Array, Array]:
    """(H, with vectors below the first subdiagonal; tau): H = Q* a Q has zeros there.

    Rows and columns before `low` and after `high` (counted from 1) are triangular already.
    """
    a = np.array(matrices, order="C")
    size = a.shape[-1]
    tau = np.zeros((*a.shape[:-2], max(size - 1, 0)), a.dtype)
    for index in range(low - 1, high - 1):
        vector, factor, beta = _reflector(a[..., index + 1 : high, index].copy())
        tau[..., index] = factor
        column = vector[..., np.newaxis]
        right = np.swapaxes(a[..., :high, index + 1 : high], -1, -2)
        _reflect(right, np.conj(column), factor)  # a (1 - tau v v*), transposed
        _reflect(a[..., index + 1 : high, index + 1 :], column, np.conj(factor))
        a[..., index + 1 : high, index] = vector
        a[..., index + 1, index] = beta
    return a, tau


def sytrd(matrices: Array, lower: bool) -> tuple[Array, Array, Array, Array]:
    """(packed, diagonal, off-diagonal, tau) of the tridiagonal Q* a Q of a symmetric or Hermitian matrix."""
    if not lower:  # the same from the other end
        packed, diagonal, off_diagonal, tau = sytrd(matrices[..., ::-1, ::-1], True)
        return packed[..., ::-1, ::-1], diagonal[..., ::-1], off_diagonal[..., ::-1], tau[..., ::-1]
    triangle = np.tril(matrices)
    a = triangle + np.conj(np.swapaxes(np.tril(matrices, -1), -1, -2))
    every: Array = np.arange(int(matrices.shape[-1]))
    a[..., every, every] = np.real(a[..., every, every])  # as it is if the matrix is Hermitian
    packed = np.array(matrices, order="C")
    size = a.shape[-1]
    off_diagonal = np.zeros((*a.shape[:-2], max(size - 1, 0)), np.real(a).dtype)
    tau = np.zeros((*a.shape[:-2], max(size - 1, 0)), a.dtype)
    for index in range(size - 1):
        vector, factor, beta = _reflector(a[..., index + 1 :, index].copy())
        off_diagonal[..., index], tau[..., index] = beta, factor
        column = vector[..., np.newaxis]
        block = a[..., index + 1 :, index + 1 :]
        _reflect(block, column, np.conj(factor))
        _reflect(np.swapaxes(block, -1, -2), np.conj(column), factor)
        packed[..., index + 1 :, index] = vector
        packed[..., index + 1, index] = beta
    diagonal = np.real(np.diagonal(a, axis1=-2, axis2=-1))
    packed[..., every, every] = diagonal
    return packed, diagonal, off_diagonal, tau


# Tridiagonal systems and eigenvalues --------------------------------------------------------------------


def gtsv(lower: Array, diagonal: Array, upper: Array, b: Array, perturb: bool = False) -> tuple[Array, Array]:
    """(x, info) with T x = b for a tridiagonal T, by elimination with swaps of neighbouring rows.

    `perturb` moves pivots that are almost 0 away from it, so that x is finite for a singular T too.
    """
    size = diagonal.shape[-1]
    # A row is its elements at and after the diagonal, and its right side.
    rows = [np.stack([part.astype(b.dtype) for part in parts], -1) for parts in _band(lower, diagonal, upper)]
    right = [b[..., index, :] for index in range(size)]
    info = np.zeros(diagonal.shape[:-1], np.int32)
    for index in range(size - 1):
        current, following = rows[index], _shifted(lower[..., index], rows[index + 1])
        swap = (np.abs(current[..., 0]) < np.abs(following[..., 0]))[..., np.newaxis]
        pivot, other = np.where(swap, following, current), np.where(swap, current, following)
        pivot_b = np.where(swap, right[index + 1], right[index])
        other_b = np.where(swap, right[index], right[index + 1])
        info[(pivot[..., 0] == 0) & (info == 0)] = index + 1
        # With a pivot of 0, `other` is 0 as well: there is nothing to eliminate.
        divisor = np.where(pivot[..., 0] == 0, pivot.dtype.type(1), pivot[..., 0])
        factor = (other[..., 0] / divisor)[..., np.newaxis]
        reduced = other - factor * pivot
        rows[index], right[index] = pivot, pivot_b
        rows[index + 1] = np.concatenate([reduced[..., 1:], np.zeros_like(reduced[..., :1])], -1)
        right[index + 1] = other_b - factor * pivot_b
    if size:
        info[(rows[-1][..., 0] == 0) & (info == 0)] = size
    if perturb and size:
        _perturb(rows)
    x: list[Array] = [np.zeros_like(b[..., 0, :])] * (size + 2)
    for index in reversed(range(size)):
        row = rows[index][..., np.newaxis]
        rest = right[index] - row[..., 1, :] * x[index + 1] - row[..., 2, :] * x[index + 2]
        x[index] = rest / row[..., 0, :]
    return (np.stack(x[:size], -2) if size else b), info


def _perturb(rows: list[Array]) -> None:
    """Make pivots at least as large as the rounding errors of the largest element."""
    largest = np.max([np.abs(row).max(-1) for row in rows], axis=0)
    least = np.where(largest > 0, largest, 1) * np.finfo(rows[0].dtype).eps
    for row in rows:
        pivot = row[..., 0]
        sign = np.where(np.real(pivot) < 0, -1, 1)
        row[..., 0] = np.where(np.abs(pivot) < least, sign * least, pivot)


def _band(lower: Array, diagonal: Array, upper: Array) -> list[tuple[Array, Array, Array]]:
    del lower
    size = diagonal.shape[-1]
    zero = np.zeros_like(diagonal[..., 0]) if size else diagonal
    return [
        (diagonal[..., index], upper[..., index] if index + 1 < size else zero, zero) for index in range(size)
    ]


def _shifted(first: Array, row: Array) -> Array:
    """A row that begins one column before its diagonal."""
    return np.concatenate([first[..., np.newaxis], row[..., :2]], -1)


def geev(matrices: Array) -> tuple[Array, Array, Array]:
    """(eigenvalues, left and right eigenvectors of length 1), complex."""
    values, right = np.linalg.eig(matrices)
    right = right.astype(np.result_type(right, np.complex64))
    left = np.conj(np.swapaxes(np.linalg.pinv(right), -1, -2))
    left = left / np.linalg.norm(left, axis=-2, keepdims=True)
    return values.astype(right.dtype), left, right
