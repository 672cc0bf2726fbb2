"""Residuals, orthogonality and special matrices of ops.linalg.lapack; values against mpmath where it is ill-conditioned."""

from __future__ import annotations

from collections.abc import Iterator

import mpmath
import numpy as np
import pytest

from hlokit import _kernels
from hlokit.kernels.linalg import lapack
from tests.unit.kernels.linalg.routines import Array, adjoint, hermitian, matrices

EPSILON = float(np.finfo(np.float64).eps)
SIZES = (0, 1, 2, 3, 8, 33, 80)


def special(dtype: str, m: int, n: int) -> Iterator[Array]:
    """Of magnitude 1 and not; with many equal eigenvalues and singular values, and without full rank."""
    a = matrices(dtype, m, n)
    yield a
    yield 0 * a
    yield 0 * a + 1
    yield np.eye(m, n, dtype=dtype)
    yield a * 1e300
    yield a * 1e-300
    yield np.round(a.real).astype(dtype)
    yield np.triu(a)
    yield a * 10.0 ** -np.arange(n)
    yield np.roll(np.eye(m, n, dtype=dtype), 1, 0)


def assert_small(error: Array, scale: float, size: int) -> None:
    """An error of at most a small multiple of size * eps * scale."""
    assert np.abs(error).max(initial=0) <= 20 * max(size, 1) * EPSILON * scale


def assert_unitary(q: Array) -> None:
    assert_small(adjoint(q) @ q - np.eye(q.shape[-1]), 1, q.shape[-2])


@pytest.mark.parametrize("dtype", ["f8", "c16"])
@pytest.mark.parametrize("size", SIZES)
def test_eigenproblems(dtype: str, size: int) -> None:
    for a in special(dtype, size, size):
        norm = float(np.abs(a).max(initial=0))
        symmetric = hermitian(a / 2)
        vectors, values, info = lapack.syevd(symmetric, True)
        assert info == 0
        assert np.array_equal(lapack.syevd(symmetric, False, False)[1], values)
        assert np.all(np.diff(values) >= 0)
        assert_unitary(vectors)
        assert_small(symmetric @ vectors - vectors * values, norm, size)
        form, z, eigenvalues, info = lapack.gees(a)
        assert info == 0
        assert_unitary(z)
        assert_small(z @ form @ adjoint(z) - a, norm, size)
        assert not np.tril(form, -1 if dtype == "c16" else -2).any()
        found, left, right, info = lapack.geev(a, True, True)
        assert info == 0
        assert found.shape == eigenvalues.shape
        assert_small(a @ right - right * found, norm, size)
        assert_small(adjoint(left) @ a - found[:, np.newaxis] * adjoint(left), norm, size)
        for side in (left, right):
            np.testing.assert_allclose(np.linalg.norm(side, axis=0), 1, rtol=1e-13)


@pytest.mark.parametrize("dtype", ["f8", "c16"])
@pytest.mark.parametrize("m", SIZES)
@pytest.mark.parametrize("n", (0, 1, 3, 33))
def test_singular_values(dtype: str, m: int, n: int) -> None:
    for a in special(dtype, m, n):
        norm = float(np.abs(a).max(initial=0))
        for full in (False, True):
            values, u, vt, info = lapack.gesvd(a, True, full)
            assert info == 0
            k = values.size
            assert np.all(values >= 0)
            assert np.all(np.diff(values) <= 0)
            assert np.array_equal(lapack.gesvd(a, False, False)[0], values)
            assert_unitary(u)
            assert_unitary(adjoint(vt))
            assert_small((u[:, :k] * values) @ vt[:k] - a, norm, max(m, n))


def test_small_singular_values_of_graded_matrices_are_accurate() -> None:
    """As mpmath has them, relative to each: those of a bidiagonal matrix are (Demmel and Kahan, 1990)."""
    a = np.diag(10.0 ** -np.arange(0, 24, 3)) + np.diag(10.0 ** -np.arange(1, 22, 3), 1)
    with mpmath.workdps(60):
        expected = [float(value) for value in mpmath.svd_r(mpmath.matrix(a.tolist()), compute_uv=False)]
    np.testing.assert_allclose(lapack.gesvd(a, False, False)[0], expected, rtol=1e-12)


def test_systems_of_the_hilbert_matrix() -> None:
    """Backward stable: the residual is small although the condition is 1e16; and the factor is that of mpmath."""
    n = 10
    hilbert = np.array([[1 / (i + j + 1) for j in range(n)] for i in range(n)])
    packed, pivots, info = lapack.getrf(hilbert)
    order = lapack.permutation(pivots - 1, n)
    lower, upper = np.tril(packed, -1) + np.eye(n), np.triu(packed)
    assert info == 0
    assert_small(lower @ upper - hilbert[order], 1, n)
    factor, info = lapack.potrf(hilbert, True)
    assert info == 0
    assert_small(factor @ factor.T - hilbert, 1, n)
    with mpmath.workdps(60):
        expected = mpmath.cholesky(mpmath.matrix(hilbert.tolist()))
    np.testing.assert_allclose(
        factor[:, :5], np.array(expected.tolist(), float)[:, :5], rtol=1e-9, atol=1e-15
    )


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_nonfinite_matrices_are_reported_and_do_not_affect_others(value: float) -> None:
    a = matrices("f8", 2, 4, 4)
    good = a[1].copy()
    a[0, 1, 1] = value
    for routine in (
        lambda x: lapack.syevd(x, True),
        lambda x: lapack.gesvd(x, True, True),
        lapack.gees,
        lambda x: lapack.geev(x, True, True),
    ):
        *results, info = routine(a)
        alone = routine(good)
        assert info.tolist() == [1, 0]
        for result, expected in zip(results, alone[:-1], strict=True):
            assert np.isnan(result[0]).all()
            assert np.array_equal(result[1], expected)


def test_info_of_minors_and_pivots() -> None:
    a = np.diag([1.0, 2, -3, 4])
    factor, info = lapack.potrf(a, True)
    assert info == 3
    assert np.isnan(factor).all()
    a = np.ones((3, 3))
    packed, pivots, info = lapack.getrf(a)
    assert info == 2
    assert pivots.tolist() == [1, 2, 3]
    assert packed.tolist() == [[1, 1, 1], [1, 0, 0], [1, 0, 0]]


def test_wrong_arguments() -> None:
    a, info = np.zeros((2, 3, 3)), np.zeros(2, np.int32)
    wrong = [
        ("nothing", "f64", [a, info], [1]),
        ("potrf", "f16", [a, info], [1]),
        ("potrf", "f32", [a, info], [1]),
        ("potrf", "f64", [a, info], []),
        ("potrf", "f64", [a], [1]),
        ("potrf", "f64", [a, info, info], [1]),
        ("potrf", "f64", [a[:, :2].copy(), info], [1]),
        ("potrf", "f64", [a, info[:1]], [1]),
        ("potrf", "f64", [a, info.astype(np.int64)], [1]),
        ("getrf", "f64", [a, info, info], []),
        ("syevd", "f32", [a.astype("f4"), np.zeros((2, 3), "f4"), info], [1, 1]),
        ("gehrd", "f64", [a, np.zeros((2, 2))], [0, 4]),
        ("trsm", "f64", [a, a], [1, 1, 0, 0, 0]),
        ("trsm", "f64", [a, np.zeros((2, 2, 3))], [1, 1, 0, 0, 0]),
    ]
    for routine, type_, arrays, options in wrong:
        with pytest.raises(ValueError):
            _kernels.lapack(routine, type_, arrays, options)
    frozen = a.copy()
    frozen.flags.writeable = False
    for array in (frozen, np.swapaxes(a, 1, 2)):
        with pytest.raises((ValueError, BufferError)):
            _kernels.lapack("potrf", "f64", [array, info], [1])
