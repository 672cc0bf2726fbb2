"""JAX's custom calls: programs of jax.numpy.linalg and friends against XLA:CPU."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg
import numpy as np
import pytest
from jax._src.lax import linalg as internal

import hlokit
from hlokit.engine.contract.custom_calls import find_custom_call
from hlokit.kernels.custom_calls.dispatch import reason_not_evaluated
from hlokit.kernels.custom_calls.jax import JAX_CALLS
from hlokit.kernels.linalg import lapack
from tests.unit.kernels.one_op import type_of

# XLA compiles slowly: one real and one complex type, of both widths.
DTYPES = (np.float32, np.complex128)
linalg, scipy, lax = jnp.linalg, jax.scipy.linalg, jax.lax.linalg


@pytest.fixture(autouse=True)
def wide_types() -> Any:
    with jax.enable_x64(True):
        yield


def matrices(dtype: type, *shape: int) -> np.ndarray:
    generator = np.random.default_rng(shape)
    array = generator.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        array = array + 1j * generator.normal(size=shape)
    return array.astype(dtype)


def positive(a: Any) -> Any:
    return a @ jnp.conj(jnp.swapaxes(a, -1, -2)) + jnp.eye(a.shape[-1], dtype=a.dtype)


def projectors(vectors: Any) -> Any:
    """Of eigenvectors and singular vectors, which are unique up to a factor of size 1."""
    return jnp.einsum("...ik,...jk->...kij", vectors, jnp.conj(vectors))


def eigh(a: Any) -> Any:
    values, vectors = linalg.eigh(positive(a))
    return values, projectors(vectors)


def svd(a: Any, full: bool) -> Any:
    u, s, vt = linalg.svd(a, full_matrices=full)
    k = s.shape[-1]
    return s, projectors(u[..., :k]), projectors(jnp.swapaxes(vt, -1, -2)[..., :k])


def orthogonal(a: Any) -> Any:
    """All vectors, including those beyond the rank."""
    u, _, vt = linalg.svd(a, full_matrices=True)
    identity = jnp.conj(jnp.swapaxes(u, -1, -2)) @ u
    return identity, vt @ jnp.conj(jnp.swapaxes(vt, -1, -2))


def eig(a: Any) -> Any:
    values, left, right = lax.eig(a)
    order = jnp.lexsort((jnp.imag(values), jnp.real(values)))
    return values[order], projectors(left)[order], projectors(right)[order]


def schur(a: Any) -> Any:
    """The product of the factors, whether they are unitary and triangular, and the sizes of the eigenvalues."""
    form, vectors = lax.schur(a)
    product = vectors @ form @ jnp.conj(vectors.swapaxes(-1, -2))
    unitary = vectors @ jnp.conj(vectors.swapaxes(-1, -2))
    below = jnp.tril(form, -1 if jnp.iscomplexobj(form) else -2)
    return product, unitary, below


def pivoted_qr(a: Any) -> Any:
    q, r, order = scipy.qr(a, mode="economic", pivoting=True)
    return q, r, order


def qr_product(a: Any, c: Any) -> Any:
    packed, tau = internal.geqrf(a)
    of_left = [internal.ormqr(packed, tau, c, left=True, transpose=flag) for flag in (False, True)]
    return [*of_left, internal.ormqr(packed, tau, c.swapaxes(-1, -2), left=False, transpose=True)]


def svd_by_qr(a: Any) -> Any:
    u, s, vt = lax.svd(a, full_matrices=False, algorithm=lax.SvdAlgorithm.QR)
    return s, projectors(u), projectors(jnp.swapaxes(vt, -1, -2))


FUNCTIONS: dict[str, tuple[Callable[..., Any], list[tuple[int, ...]]]] = {
    "cholesky": (lambda a: linalg.cholesky(positive(a)), [(4, 4), (2, 3, 3)]),
    "cholesky_upper": (lambda a: linalg.cholesky(positive(a), upper=True), [(4, 4)]),
    "cholesky_fails": (lambda a: linalg.cholesky(a - 10 * jnp.eye(3, dtype=a.dtype)), [(2, 3, 3)]),
    "qr": (linalg.qr, [(5, 3), (2, 3, 5)]),
    "qr_complete": (lambda a: linalg.qr(a, mode="complete"), [(5, 3)]),
    "svd": (lambda a: svd(a, True), [(5, 3), (3, 5)]),
    "svd_thin": (lambda a: svd(a, False), [(5, 3), (2, 3, 5)]),
    "svd_values": (lambda a: linalg.svd(a, compute_uv=False), [(5, 3), (2, 3, 5)]),
    "svd_all_vectors": (orthogonal, [(5, 3), (3, 5)]),
    "eigh": (eigh, [(4, 4), (2, 3, 3)]),
    "eigvalsh": (linalg.eigvalsh, [(4, 4)]),
    "eig": (eig, [(4, 4)]),
    "schur": (schur, [(1, 1), (6, 6), (2, 5, 5)]),
    "qr_pivoted": (pivoted_qr, [(5, 3), (3, 5)]),
    "qr_product": (qr_product, [(5, 3), (5, 2)]),
    "svd_by_qr": (svd_by_qr, [(5, 3), (2, 3, 5)]),
    "tridiagonal_solve_perturbed": (
        partial(lax.tridiagonal_solve, perturb_singular=True),
        [(6,), (6,), (6,), (6, 2)],
    ),
    "lu": (scipy.lu, [(5, 3), (3, 5)]),
    "lu_batch": (lax.lu, [(2, 3, 4, 4), (70, 70)]),
    "lu_singular": (lambda a: lax.lu(a.at[:, 0].set(0)), [(3, 3)]),
    "solve": (linalg.solve, [(4, 4), (4, 2)]),
    "inv": (linalg.inv, [(2, 3, 3)]),
    "det": (linalg.det, [(2, 3, 3)]),
    "lstsq": (lambda a, b: linalg.lstsq(a, b)[0], [(5, 3), (5, 2)]),
    "expm": (scipy.expm, [(3, 3)]),
    "hessenberg": (lambda a: scipy.hessenberg(a, calc_q=True), [(5, 5)]),
    "tridiagonal": (lambda a: lax.tridiagonal(positive(a), lower=True), [(5, 5), (2, 3, 3)]),
    "tridiagonal_upper": (lambda a: lax.tridiagonal(positive(a), lower=False), [(5, 5)]),
    "householder": (lambda a, tau: lax.householder_product(a, tau / 4), [(5, 3), (3,)]),
    "tridiagonal_solve_same": (lambda a, b: lax.tridiagonal_solve(a, a + 4, a, b), [(6,), (6, 2)]),
    "tridiagonal_solve": (lax.tridiagonal_solve, [(6,), (6,), (6,), (6, 2)]),
}


def calls(name: str) -> list[tuple[int, ...]]:
    shapes = FUNCTIONS[name][1]
    takes_many = name.removesuffix("_perturbed").removesuffix("_same") in (
        *("solve", "lstsq", "householder", "tridiagonal_solve", "qr_product"),
    )
    return [tuple(shapes)] if takes_many else [(shape,) for shape in shapes]


CASES = [(name, shapes) for name in FUNCTIONS for shapes in calls(name)]


def assert_agree(function: Callable[..., Any], *operands: np.ndarray) -> None:
    want = jax.tree_util.tree_leaves(jax.jit(function)(*operands))
    got = jax.tree_util.tree_leaves(hlokit.from_jax(function, *operands)(*operands))
    tolerance = 2e-4 if operands[0].dtype.itemsize // (1 + (operands[0].dtype.kind == "c")) == 4 else 1e-11
    for actual, expected in zip(got, want, strict=True):
        assert actual.dtype == expected.dtype
        np.testing.assert_allclose(actual, np.asarray(expected), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("name", "shapes"), CASES, ids=str)
@pytest.mark.sample("*-float32")
def test_linear_algebra(name: str, shapes: tuple[tuple[int, ...], ...], dtype: type) -> None:
    operands = [matrices(dtype, *shape) for shape in shapes]
    if len(operands) == 4:
        operands[0][0] = operands[2][-1] = 0
    assert_agree(FUNCTIONS[name][0], *operands)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("side", [True, False])
@pytest.mark.parametrize("transpose", [(False, False), (True, False), (True, True)])
@pytest.mark.sample(
    "transpose0-True-float32",
    "transpose0-False-complex128",
    "transpose1-False-float32",
    "transpose2-True-complex128",
)
def test_triangular_solve(dtype: type, side: bool, transpose: tuple[bool, bool]) -> None:
    def solve(a: Any, b: Any) -> Any:
        a = a + 4 * jnp.eye(5, dtype=a.dtype)
        return [
            lax.triangular_solve(
                a,
                b,
                left_side=side,
                lower=lower,
                transpose_a=transpose[0],
                conjugate_a=transpose[1],
                unit_diagonal=unit,
            )
            for unit in (False, True)
            for lower in (False, True)
        ]

    assert_agree(solve, matrices(dtype, 5, 5), matrices(dtype, 5, 3) if side else matrices(dtype, 3, 5))


def test_a_failure_of_one_matrix_does_not_affect_others() -> None:
    good = np.eye(3)
    factor, info = lapack.potrf(np.stack([good, -good, 4 * good]), True)
    assert (info != 0).tolist() == [False, True, False]
    assert np.isnan(factor[1]).all()
    np.testing.assert_array_equal(factor[2], 2 * good)


def test_nan_in_svd() -> None:
    a = matrices(np.float64, 2, 3, 3)
    a[0, 0, 0] = np.nan
    assert_agree(lambda x: jnp.linalg.svd(x, compute_uv=False), a)


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_top_k(dtype: type) -> None:
    operand = np.random.default_rng(0).integers(-9, 9, (3, 40)).astype(dtype)
    assert_agree(lambda x: jax.lax.top_k(x, 4), operand)


@pytest.mark.parametrize("function", [jax.lax.approx_max_k, jax.lax.approx_min_k])
def test_approximate_top_k(function: Callable[..., Any]) -> None:
    operand = np.random.default_rng(0).permutation(300).astype(np.float32).reshape(3, 100)
    assert_agree(lambda x: function(x, 4), operand)
    assert_agree(lambda x: function(x, 2, reduction_dimension=0), operand)


def run(target: str, results: str, attributes: str, *operands: np.ndarray) -> Any:
    types = ", ".join(str(type_of(operand)) for operand in operands)
    names = ", ".join(f"%{index}" for index in range(len(operands)))
    parameters = ", ".join(f"%{index}: {type_of(operand)}" for index, operand in enumerate(operands))
    count = results.count("tensor")
    values = ", ".join(f"%result#{index}" for index in range(count))
    return hlokit.load(
        f"func.func @main({parameters}) -> ({results}) {{\n"
        f"  %result:{count} = stablehlo.custom_call @{target}({names}) {attributes} : ({types}) -> ({results})\n"
        f"  return {values} : {results}\n}}"
    )(*operands)


@pytest.mark.parametrize("is_largest", [True, False])
def test_mhlo_topk(is_largest: bool) -> None:
    operand = np.array([[1.0, 5, 3, 5]], np.float32)
    attributes = f"{{mhlo.attributes = {{k = 2 : i64, largest = {str(is_largest).lower()}}}}}"
    values, indices = run("mhlo.topk", "tensor<1x2xf32>, tensor<1x2xi32>", attributes, operand)
    assert values.tolist() == [[5, 5] if is_largest else [1, 3]]
    assert indices.tolist() == [[1, 3] if is_largest else [0, 2]]


def test_dynamic_top_k() -> None:
    operand = np.array([1.0, 5, 3, 5], np.float32)
    k = np.array(3, np.int32)
    values, _ = run("stablehlo.dynamic_top_k", "tensor<?xf32>, tensor<?xi32>", "", operand, k)
    assert values.tolist() == [5, 5, 3]


@pytest.mark.parametrize("target", ["Sharding", "SPMDFullToShardShape", "LayoutConstraint", "MoveToHost"])
def test_markers_change_nothing(target: str) -> None:
    operand = np.arange(6, dtype=np.int8).reshape(2, 3)
    np.testing.assert_array_equal(run(target, "tensor<2x3xi8>", "", operand), operand)


def test_lu_decomposition_gives_the_permutation() -> None:
    a = matrices(np.float64, 2, 5, 5)
    packed, _, order = run("LuDecomposition", "tensor<2x5x5xf64>, tensor<2x5xi32>, tensor<2x5xi32>", "", a)
    lower, upper = np.tril(packed, -1) + np.eye(5), np.triu(packed)
    np.testing.assert_allclose(lower @ upper, np.take_along_axis(a, order[..., np.newaxis], 1))


@pytest.mark.parametrize("name", ["acos", "asinh", "atanh", "erf", "sinh", "tan"])
def test_operations_encoded_as_calls(name: str) -> None:
    operand = np.array([0.25, -0.5, 0.75], np.float32)
    want = jax.lax.erf(operand) if name == "erf" else getattr(jnp, name)(operand)
    got = run(f"mhlo.{name}", "tensor<3xf32>", "{mhlo.attributes = {}, mhlo.version = 1 : i64}", operand)
    np.testing.assert_allclose(got, want, rtol=1e-5)


def test_perturbed_solution_of_a_singular_system_is_finite_and_in_its_kernel() -> None:
    lower, diagonal, upper = np.array([0.0, 1, 1]), np.array([1.0, 2, 1]), np.array([1.0, 1, 0])
    b = np.array([[1.0], [2.0], [4.0]])
    operands = (lower, diagonal, upper, b)
    x = run("tridiagonal_solve_perturbed_ffi", "tensor<3x1xf64>", "", *operands)
    want = jax.jit(partial(lax.tridiagonal_solve, perturb_singular=True))(*operands)
    for solution in (x, np.asarray(want)):
        direction = solution[:, 0] / np.linalg.norm(solution)
        np.testing.assert_allclose(np.abs(direction), np.full(3, 3**-0.5), rtol=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.complex64, np.int32])
@pytest.mark.parametrize("columns", [None, 2])
def test_sparse_times_dense(dtype: type, columns: int | None) -> None:
    dense = np.array([[0, 2, 0], [0, 0, 0], [1, 0, 3], [0, 4, 0]], dtype)
    data, indices, ends = np.array([2, 1, 3, 4], dtype), np.array([1, 0, 2, 1], np.int32), [0, 1, 1, 3, 4]
    rhs = np.arange(1, 1 + 3 * (columns or 1)).astype(dtype).reshape((3, columns) if columns else (3,))
    result = f"tensor<4x{f'{columns}x' if columns else ''}{type_of(data).element_type}>"
    got = run("cpu_csr_sparse_dense_ffi", result, "", data, np.array(ends, np.int32), indices, rhs)
    np.testing.assert_array_equal(got, dense @ rhs)


@pytest.mark.deep
def test_sparse_matrices_of_jax() -> None:
    from jax.experimental import sparse

    matrix = sparse.BCSR.fromdense(np.array([[0, 2, 0], [1, 0, 3]], np.float32))

    def product(data: Any, rhs: Any) -> Any:
        return sparse.BCSR((data, matrix.indices, matrix.indptr), shape=(2, 3)) @ rhs

    assert_agree(product, np.asarray(matrix.data), np.ones((3, 2), np.float32))


def test_calls_that_split_tensors_need_a_partitioner() -> None:
    with pytest.raises(hlokit.UnsupportedError, match="programs must be partitioned before"):
        run("SPMDFullToShardShape", "tensor<1x4xf32>", "", np.ones((2, 4), np.float32))


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("xla_ffi_python_cpu_callback", "it calls Python code of the process that made the program"),
        ("xla_python_cpu_callback", "it calls Python code of the process that made the program"),
        ("tpu_custom_call", "it holds machine code of an accelerator"),
        ("tf.call_tf_function", "it calls a function of TensorFlow"),
    ],
)
def test_reasons_why_calls_are_not_evaluated(target: str, reason: str) -> None:
    program = hlokit.load(
        f"func.func @main() -> tensor<f32> {{\n%0 = stablehlo.custom_call @{target}() : () -> tensor<f32>\nreturn %0 : tensor<f32>\n}}"
    )
    with pytest.raises(hlokit.UnsupportedError, match=f"@{target} \\({reason}\\)"):
        program()
    (unsupported,) = program.unsupported()
    assert unsupported.reason == f"no function is registered for @{target} ({reason})"


def test_every_call_of_jaxlib_and_every_stable_one_of_jax_is_evaluated_or_has_a_reason() -> None:
    from jax._src.export import _export
    from jaxlib import lapack as jaxlib_lapack
    from jaxlib.cpu import _sparse

    targets = {*_export._CUSTOM_CALL_TARGETS_GUARANTEED_STABLE, *_sparse.registrations()}
    targets |= {name for rows in jaxlib_lapack.registrations().values() for name, *_ in rows}
    assert len(targets) > 80
    missing = {target for target in targets if reason_not_evaluated(target) is not None}
    assert all("(" in str(reason_not_evaluated(target)) for target in missing), sorted(missing)
    assert missing == {"tf.call_tf_function", "tpu_custom_call", "mosaic_gpu_v2"}


def test_every_target_is_registered() -> None:
    assert len(JAX_CALLS) > 150
    assert all(find_custom_call(target) is function for target, function in JAX_CALLS.items())
