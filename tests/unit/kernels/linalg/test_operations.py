"""cholesky and triangular_solve against their definitions, SciPy and XLA."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.linalg

import hlokit
import oracles
from hlokit.values.element_types import BF16, COMPLEX_F32, COMPLEX_F64, F8E5M2, F16, F32, F64, ElementType
from tests.unit.kernels.one_op import Array, assert_near, assert_same, evaluate, program, sample, type_of

TYPES = (F32, F64, COMPLEX_F32, COMPLEX_F64, F16, BF16)


def epsilon(type_: ElementType) -> float:
    return {F16: 2.0**-10, BF16: 2.0**-7}.get(type_) or float(np.finfo(type_.dtype).eps)


def wide(array: Array) -> Array:
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def adjoint(array: Array) -> Array:
    return np.conj(np.swapaxes(array, -1, -2))


# Cholesky ----------------------------------------------------------------------------------------


def positive_definite(type_: ElementType, shape: tuple[int, ...], size: int) -> Array:
    factor = wide(sample(np.random.default_rng(size), type_, (*shape, size, size)))
    return (factor @ adjoint(factor) + size * np.eye(size)).astype(type_.dtype)


def cholesky(a: Array, lower: bool) -> Array:
    (result,) = evaluate(program("cholesky", f"lower = {str(lower).lower()}", [a], [type_of(a)]), a)
    return result


@pytest.mark.parametrize("type_", TYPES, ids=str)
@pytest.mark.parametrize("size", [1, 2, 5, 40])
def test_cholesky(type_: ElementType, size: int) -> None:
    a = positive_definite(type_, (2, 3), size)
    outside = np.tril(np.ones((size, size), bool), -1)
    for lower in (True, False):
        # The other triangle is not read.
        poisoned = a.copy()
        poisoned[..., outside.T if lower else outside] = np.nan
        factor = wide(cholesky(poisoned, lower))
        assert np.all(factor[..., outside.T if lower else outside] == 0)
        assert np.all(np.diagonal(factor, axis1=-1, axis2=-2).real > 0)
        back = factor @ adjoint(factor) if lower else adjoint(factor) @ factor
        assert np.abs(back - wide(a)).max() <= 4 * size * epsilon(type_) * np.abs(wide(a)).max()


@pytest.mark.sample("complex<f32>", "bf16")
@pytest.mark.parametrize("type_", [F32, F64, COMPLEX_F32, BF16], ids=str)
def test_cholesky_against_xla(type_: ElementType) -> None:
    a = positive_definite(type_, (2,), 6)
    for lower in ("true", "false"):
        text = program("cholesky", f"lower = {lower}", [a], [type_of(a)])
        (actual,), (expected,) = evaluate(text, a), oracles.xla(text, a)
        assert_near(actual, expected, 8 * epsilon(type_))


def test_cholesky_of_a_matrix_that_is_not_positive_definite_is_nan() -> None:
    """As in XLA; the other matrices of a batch are not affected."""
    a = positive_definite(F32, (2, 3), 4)
    a[0, 1, 2, 2] = -1
    a[1, 2] = 0
    text = program("cholesky", "lower = true", [a], [type_of(a)])
    (actual,), (expected,) = evaluate(text, a), oracles.xla(text, a)
    assert np.isnan(actual[0, 1]).all()
    assert np.isnan(actual[1, 2]).all()
    assert np.array_equal(np.isnan(actual).any((-1, -2)), np.isnan(expected).any((-1, -2)))
    good = ~np.isnan(actual).any((-1, -2))
    assert_near(actual[good], expected[good], 1e-6)


# Triangular solve --------------------------------------------------------------------------------


def triangular_solve(
    a: Array, b: Array, *, left: bool, lower: bool, unit: bool = False, transpose: str = "NO_TRANSPOSE"
) -> str:
    def boolean(value: bool) -> str:
        return str(value).lower()

    attributes = (
        f"left_side = {boolean(left)}, lower = {boolean(lower)}, unit_diagonal = {boolean(unit)}, "
        f"transpose_a = #stablehlo<transpose {transpose}>"
    )
    return program("triangular_solve", attributes, [a, b], [type_of(b)])


def well_conditioned(type_: ElementType, shape: tuple[int, ...], size: int) -> Array:
    noise = wide(sample(np.random.default_rng(size), type_, (*shape, size, size)))
    return (noise / (2 * size) + np.eye(size)).astype(type_.dtype)


CASES = list(product((True, False), (True, False), (True, False), ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")))


@pytest.mark.parametrize("type_", TYPES, ids=str)
@pytest.mark.parametrize("size", [1, 3, 16, 45])
def test_triangular_solve(type_: ElementType, size: int) -> None:
    a = well_conditioned(type_, (2,), size)
    for left, lower, unit, transpose in CASES:
        b = sample(np.random.default_rng(0), type_, (2, size, 3) if left else (2, 3, size))
        # Elements that the operation does not read may have any value.
        poisoned = a.copy()
        outside = np.tril(np.ones((size, size), bool), -1)
        poisoned[..., outside.T if lower else outside] = np.nan
        if unit:
            poisoned[..., np.eye(size, dtype=bool)] = np.nan
        text = triangular_solve(poisoned, b, left=left, lower=lower, unit=unit, transpose=transpose)
        (x,) = evaluate(text, poisoned, b)
        assert x.dtype == type_.dtype
        matrix = wide(np.tril(a) if lower else np.triu(a))
        if unit:
            matrix[..., range(size), range(size)] = 1
        if transpose != "NO_TRANSPOSE":
            matrix = np.swapaxes(matrix, -1, -2)
        if transpose == "ADJOINT":
            matrix = np.conj(matrix)
        back = matrix @ wide(x) if left else wide(x) @ matrix
        assert np.abs(back - wide(b)).max() <= 8 * np.sqrt(size) * epsilon(type_) * np.abs(wide(b)).max()


@pytest.mark.parametrize("size", [5, 200])
@pytest.mark.parametrize("lower", [True, False])
def test_triangular_solve_against_scipy(size: int, lower: bool) -> None:
    a, b = well_conditioned(F64, (), size), sample(np.random.default_rng(1), F64, (size, 7))
    (x,) = evaluate(triangular_solve(a, b, left=True, lower=lower), a, b)
    assert_near(x, scipy.linalg.solve_triangular(a, b, lower=lower), 1e-13)


@pytest.mark.sample("complex<f64>", "bf16")
@pytest.mark.parametrize("type_", [F32, COMPLEX_F64, BF16, F8E5M2], ids=str)
def test_triangular_solve_against_xla(type_: ElementType) -> None:
    a = well_conditioned(type_, (3,), 4)
    for left, lower, unit, transpose in CASES[::5]:
        b = sample(np.random.default_rng(0), type_, (3, 4, 2) if left else (3, 2, 4))
        text = triangular_solve(a, b, left=left, lower=lower, unit=unit, transpose=transpose)
        (actual,), (expected,) = evaluate(text, a, b), oracles.xla(text, a, b)
        assert_near(actual, expected, 0.2 if type_ is F8E5M2 else 4 * epsilon(type_))


def test_triangular_solve_of_a_singular_matrix() -> None:
    """Results of a division by 0. XLA multiplies with inverses, which gives NaN: only other elements are
    compared."""
    a = np.array([[2, 0, 0], [1, 0, 0], [1, 1, 1]], np.float32)
    b = np.array([[2, 2], [2, 1], [0, 0]], np.float32)
    (x,) = evaluate(triangular_solve(a, b, left=True, lower=True), a, b)
    assert_same(x[0], np.array([1, 1], np.float32))
    assert x[1, 0] == np.inf
    assert np.isnan(x[1, 1])
    assert x[2, 0] == -np.inf


def test_triangular_solve_leaves_its_operands_alone() -> None:
    a, b = well_conditioned(F64, (), 20), sample(np.random.default_rng(0), F64, (20, 20))
    copies = a.copy(), b.copy()
    for operand in (a, b):
        operand.flags.writeable = False
    for left, lower in product((True, False), repeat=2):
        solve = hlokit.load(triangular_solve(a, b, left=left, lower=lower))
        first = solve(a, b)
        assert_same(solve(np.asfortranarray(a), np.asfortranarray(b)), first)
    assert_same(a, copies[0])
    assert_same(b, copies[1])


@pytest.mark.parametrize("shapes", [((0, 0), (0, 3)), ((3, 3), (3, 0)), ((0, 2, 2), (0, 2, 1))], ids=str)
def test_empty(shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    a, b = (np.zeros(shape, np.float32) for shape in shapes)
    assert_same(evaluate(triangular_solve(a, b, left=True, lower=True), a, b)[0], b)
    assert_same(cholesky(a[..., :0, :0], True), a[..., :0, :0])
