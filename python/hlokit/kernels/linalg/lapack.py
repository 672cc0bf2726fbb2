"""LAPACK's factorisations on stacks of matrices, in compiled code, with the results of LAPACK's routines.

Names are LAPACK's. Results depend on the matrices alone, not on their layout or number, the processor, or
threads. `info` is i32[batch].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract.threads import thread_count
from hlokit.engine.native.fused.copies import in_rows
from hlokit.kernels.elementwise.cache_blocking import Array

_run: Callable[..., None] = _kernels.lapack
_NAMES = {
    np.dtype("f4"): "f32",
    np.dtype("f8"): "f64",
    np.dtype("c8"): "complex<f32>",
    np.dtype("c16"): "complex<f64>",
}


def run(routine: str, like: Array, arrays: Sequence[Array], options: Sequence[int] = ()) -> None:
    """Call a routine for the type of `like`.

    `arrays` are contiguous and have the batch dimensions of `like`, all but its last two. Results replace
    operands.
    """
    batch = like.ndim - 2
    if batch:
        count = prod(like.shape[:batch])
        stacks = [array.reshape(count, *array.shape[batch:]) for array in arrays]
    else:
        stacks = [array[None] for array in arrays]
    _run(routine, _NAMES[like.dtype], stacks, options, thread_count())


def _in_rows(array: Array) -> Array:
    """The array, or a copy in row-major order."""
    flags = array.flags
    return array if flags.c_contiguous and flags.aligned else _copy(array)


# Elements of arrays whose copy takes long enough to be interrupted.
_LARGE = 1 << 20


def _copy(array: Array) -> Array:
    """A copy in row-major order; of a large array one that an interrupt ends early, which NumPy's are not."""
    return in_rows(array) if array.size >= _LARGE else np.array(array, order="C")


# Triangles -------------------------------------------------------------------------------------------


def potrf(matrices: Array, lower: bool) -> tuple[Array, Array]:
    """(Cholesky factor, info): 0 outside the triangle of the factor; all NaN if info is not 0."""
    a, info = _copy(matrices), np.zeros(matrices.shape[:-2], np.int32)
    run("potrf", a, (a, info), (lower,))
    return a, info


def trsm(a: Array, b: Array, *, left: bool, lower: bool, transpose: str, unit: bool) -> Array:
    """x with op(a) x = b, or x op(a) = b; op is N(one), T(ranspose) or C(onjugate transpose)."""
    x = _copy(b)
    run(
        "trsm",
        a,
        (_in_rows(a), x),
        (left, lower, transpose != "N", transpose == "C", unit),
    )
    return x


def getrf(matrices: Array) -> tuple[Array, Array, Array]:
    """(L below the unit diagonal and U, the row that was swapped with row i, counted from 1; info)."""
    a = _copy(matrices)
    *batch, rows, columns = a.shape
    pivots, info = np.zeros((*batch, min(rows, columns)), np.int32), np.zeros(batch, np.int32)
    run("getrf", a, (a, pivots, info))
    return a, pivots, info


def permutation(pivots: Array, rows: int) -> Array:
    """The order of rows after swaps, counted from 0."""
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

    The column with the largest remainder comes next; columns with nonzero `pivots` precede all others.
    """
    a, order = _copy(matrices), np.array(pivots, np.int32, order="C")
    tau = np.zeros((*a.shape[:-2], min(a.shape[-2:])), a.dtype)
    run("geqp3", a, (a, order, tau))
    return a, order, tau


def orgqr(packed: Array, tau: Array) -> Array:
    """The first columns of the product of reflectors 1 - tau v v*, as many as in `packed`."""
    q = _copy(packed)
    run("orgqr", q, (q, _in_rows(tau)))
    return q


def ormqr(packed: Array, tau: Array, c: Array, left: bool, adjoint: bool) -> Array:
    """Q c, or c Q, for the product Q of reflectors, or its adjoint."""
    product = _copy(c)
    vectors = _in_rows(packed[..., : tau.shape[-1]])
    run("ormqr", product, (vectors, _in_rows(tau), product), (left, adjoint))
    return product


# Eigenvalues and singular values -----------------------------------------------------------------------
# Computed in f64 and complex<f64>; callers round f32 results once.


def sytrd(matrices: Array, lower: bool) -> tuple[Array, Array, Array, Array]:
    """(packed, diagonal, off-diagonal, tau) of the tridiagonal Q* a Q of a symmetric or Hermitian matrix."""
    if not lower:  # the reduction of the reversed matrix from its other end
        packed, diagonal, off_diagonal, tau = sytrd(matrices[..., ::-1, ::-1], True)
        return packed[..., ::-1, ::-1], diagonal[..., ::-1], off_diagonal[..., ::-1], tau[..., ::-1]
    a = _wide_copy(matrices)
    *batch, size = a.shape[:-1]
    less = max(size - 1, 0)
    diagonal, off_diagonal = np.zeros((*batch, size)), np.zeros((*batch, less))
    tau = np.zeros((*batch, less), a.dtype)
    run("sytrd", a, (a, diagonal, off_diagonal, tau))
    return a, diagonal, off_diagonal, tau


def syevd(matrices: Array, lower: bool, vectors: bool = True) -> tuple[Array, Array, Array]:
    """(eigenvectors in columns, eigenvalues in ascending order, info); NaN if info is not 0.

    Without `vectors`, the first result has no meaning.
    """
    a = _wide_copy(matrices)
    values, info = np.zeros(a.shape[:-1]), np.zeros(a.shape[:-2], np.int32)
    run("syevd", a, (a, values, info), (lower, vectors))
    return a, values, info


def gesvd(matrices: Array, vectors: bool, full: bool) -> tuple[Array, Array, Array, Array]:
    """(singular values in descending order, u, vt, info); NaN if info is not 0.

    `u` and `vt` have all columns and rows if `full`, none without `vectors`.
    """
    a = _wide_copy(matrices)
    *batch, m, n = a.shape
    k = min(m, n)
    columns, rows = ((m, n) if full else (k, k)) if vectors else (0, 0)
    values, info = np.zeros((*batch, k)), np.zeros(batch, np.int32)
    u, vt = np.zeros((*batch, m, columns), a.dtype), np.zeros((*batch, rows, n), a.dtype)
    run("gesvd", a, (a, values, u, vt, info), (vectors,))
    return values, u, vt, info


def gehrd(matrices: Array, low: int, high: int) -> tuple[Array, Array]:
    """(H, with vectors below the first subdiagonal; tau), where H = Q* a Q has zeros below the first
    subdiagonal.

    Rows and columns before `low` and after `high` (counted from 1) are already triangular.
    """
    a = _wide_copy(matrices)
    tau = np.zeros((*a.shape[:-2], max(a.shape[-1] - 1, 0)), a.dtype)
    run("gehrd", a, (a, tau), (low - 1, high))
    return a, tau


def gees(matrices: Array) -> tuple[Array, Array, Array, Array]:
    """(T, Z, eigenvalues, info) with matrix = Z T Z*; NaN if info is not 0.

    T is upper triangular if the matrix is complex. If it is real, a pair of conjugate eigenvalues is a 2x2
    block on the diagonal, with equal diagonal elements, and off-diagonal elements of opposite signs.
    """
    form = _wide_copy(matrices)
    vectors, values = np.zeros_like(form), np.zeros(form.shape[:-1], np.complex128)
    info = np.zeros(form.shape[:-2], np.int32)
    run("gees", form, (form, vectors, values, info))
    return form, vectors, values, info


def geev(matrices: Array, left: bool, right: bool) -> tuple[Array, Array, Array, Array]:
    """(eigenvalues, left and right eigenvectors of length 1 in columns, info); NaN if info is not 0.

    All results are complex. Results for vectors that are not requested have no columns.
    """
    a = _wide_copy(matrices)
    *batch, size = a.shape[:-1]
    values, info = np.zeros((*batch, size), np.complex128), np.zeros(batch, np.int32)
    one, other = (np.zeros((*batch, size * wanted, size), np.complex128) for wanted in (left, right))
    run("geev", a, (a, values, one, other, info))
    return values, one, other, info


def _wide_copy(matrices: Array) -> Array:
    dtype = np.result_type(matrices.dtype, np.float64)
    return _copy(matrices) if matrices.dtype == dtype else matrices.astype(dtype, order="C")


# Tridiagonal systems -----------------------------------------------------------------------------------


def gtsv(lower: Array, diagonal: Array, upper: Array, b: Array, perturb: bool = False) -> tuple[Array, Array]:
    """(x, info) with T x = b for a tridiagonal T, by elimination with swaps of neighbouring rows.

    The first number of `lower` and the last number of `upper` are not read. `perturb` moves pivots that are
    almost 0 away from 0, so that x is finite even for a singular T.
    """
    x, info = _copy(b), np.zeros(b.shape[:-2], np.int32)
    parts = [_in_rows(part) for part in (lower, diagonal, upper)]
    run("gtsv", x, (*parts, x, info), (perturb,))
    return x, info
