"""Loops whose every step the VM computes: routines of LAPACK, complex numbers, windows, products of nothing."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.lowerings.blocks import BlockLowering
from hlokit.engine.native.straight_line import with_straight_line_code
from tests.generate.same import copies, listed
from tests.unit.engine.plan.plans import names, plan_of

MATRIX = np.array([[4, 1, 0.5], [1, 3, -1], [0.5, -1, 2]])
RNG = np.random.default_rng(1)


def factor(a: Any, b: Any) -> Any:
    """Every routine, in its variants, of stacks and of single matrices."""

    def turn(i: Any, x: Any) -> Any:
        shifted = a + x[:, :1] * 0.01
        lower = lax.linalg.cholesky(shifted @ shifted.conj().T + jnp.eye(3, dtype=a.dtype))
        y = lax.linalg.triangular_solve(lower, x, left_side=True, lower=True, transpose_a=True)
        z = lax.linalg.triangular_solve(lower.T, y.T, left_side=False, lower=False, unit_diagonal=True)
        lu, pivots, permutation = lax.linalg.lu(jnp.stack([shifted, shifted.T]))
        q, r = lax.linalg.qr(jnp.concatenate([shifted, lower[:1] + i]), full_matrices=False)
        ends = jnp.zeros(1, a.dtype), jnp.ones(2, a.dtype)
        t = lax.linalg.tridiagonal_solve(
            jnp.concatenate(ends), jnp.diagonal(r) + 2, jnp.concatenate(ends[::-1]), x
        )
        return (y + z.T + t + lu.sum() * 1e-3 + q[:3, :2] + r[:, 1:] + pivots[0, 0] + permutation[1, 2]) * 0.1

    return lax.fori_loop(0, 80, turn, b)


def rotate(state: Any, gate: Any, angle: Any) -> Any:
    """A state vector of complex<f32>, its gates and its phase."""

    def turn(i: Any, carried: Any) -> Any:
        state, phase = carried
        turned = jnp.moveaxis(jnp.tensordot(gate, state, [[1], [1]]), 0, 1) * jnp.exp(1j * angle * i)
        turned = turned.at[0, 1].multiply(jnp.conj(phase)) if turned.ndim > 9 else turned
        phase = jnp.where(turned[0, 0, 0].real > 0, phase * (0.8 + 0.6j), lax.complex(phase.imag, angle))
        turned = lax.dynamic_update_slice(turned, phase.reshape(1, 1, 1), (i % 2, 0, 1))
        return turned / (1 + jnp.abs(turned)), phase

    return lax.fori_loop(0, 80, turn, (state, jnp.asarray(1j, state.dtype)))


def slide(x: Any, k: Any) -> Any:
    """Windows of floats, integers and bf16: with padding, strides and dilations."""

    def turn(_: Any, carried: Any) -> Any:
        x, k = carried
        y = lax.reduce_window(x, 0.25, lax.add, (1, 3), (1, 1), "SAME")
        z = lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (1, 2), "VALID")
        sums = jnp.cumsum(k, 1) - lax.cummax(k, 0, reverse=True)
        products = lax.reduce_window(k, 1, lax.mul, (2, 1), (2, 1), ((1, 0), (0, 1)), (2, 1))
        half = x.astype(jnp.bfloat16)
        w = lax.reduce_window(
            half, jnp.bfloat16(0.5), lax.add, (2, 2), (1, 1), ((-1, 2), (0, 1)), None, (1, 2)
        )
        return jnp.tanh(y * 0.3 + z.sum() * 0.01 + w.sum().astype(x.dtype)), sums % 17 + products.sum() % 7

    return lax.fori_loop(0, 80, turn, (x, k))


def nothing(x: Any, wide: Any) -> Any:
    """Products without terms, and products without results."""

    def turn(i: Any, x: Any) -> Any:
        zeros = jnp.dot(wide, wide.T, precision="highest")
        return x * 0.5 + jnp.dot(x, wide).sum() + zeros + jnp.float32(i)

    return lax.fori_loop(0, 80, turn, x)


ROOTS = np.complex64(0.9 * np.exp(0.5j * np.arange(12)))
COMPLEX = np.complex64(RNG.standard_normal((2, 2, 2)) + 1j * RNG.standard_normal((2, 2, 2)))


def total(x: Any, phase: Any) -> Any:
    """Sums of complex numbers, of all and of some dimensions, and running ones."""

    def turn(_: Any, carried: Any) -> Any:
        x, phase = carried
        rows = jnp.sum(x, (0, 2)) * 0.1 + jnp.cumsum(x[0, :, 1]) + lax.cumsum(x[1], reverse=False)[:, 0]
        long = jnp.cumsum(jnp.concatenate([rows] * 20), axis=0)[-2:] + lax.cumsum(x.reshape(-1))[:2]
        x = x / (1 + jnp.abs(jnp.sum(x))) + rows[None, :, None] * phase
        return x / (1 + jnp.abs(x)), phase * (0.8 + 0.6j) + long.sum() * 1e-3

    return lax.fori_loop(0, 80, turn, (x, phase))


def roots(z: Any, phase: Any) -> Any:
    """Products of complex numbers: of rows, of columns, of all, of one and of a number that halves unevenly."""

    def turn(_: Any, z: Any) -> Any:
        between = z[:, None] - z + jnp.eye(z.size)
        z = z - 0.1 * (z * z - phase) / (1 + jnp.abs(jnp.prod(between, 1)))
        of_all = jnp.prod(between[:7, :7].reshape(7, 7, 1), (0, 2)).sum() + jnp.prod(between[:8, 1:9])
        return z + 1e-3 * (jnp.prod(between, 0) + of_all + jnp.prod(between[:, :1], 1))

    return lax.fori_loop(0, 80, turn, z)


def decompose(a: Any, b: Any) -> Any:
    """Every routine for eigenvalues, singular values and condensed forms, of stacks and of single matrices."""

    def turn(i: Any, x: Any) -> Any:
        shifted = a + x[:, :1] * 0.01
        stack = jnp.stack([shifted, shifted.T * 0.5])
        vectors, values = lax.linalg.eigh(stack + stack.conj().mT, lower=False, symmetrize_input=False)
        sums = lax.linalg.eigh(shifted)[1] + jnp.linalg.eigvalsh(shifted) + values.sum(0)
        tall = jnp.concatenate([shifted, x.T])
        u, s, vt = lax.linalg.svd(jnp.stack([tall, tall * i]), full_matrices=False)
        full = lax.linalg.svd(tall, full_matrices=True)
        s = s.sum(0) + full[1] + lax.linalg.svd(tall.T, compute_uv=False)
        w, left, right = lax.linalg.eig(stack)
        w = w.sum(0) + jnp.linalg.eigvals(shifted) + (left * jnp.linalg.eig(stack)[1] + right).sum((0, 1))
        form, z = lax.linalg.schur(shifted)
        h, taus = lax.linalg.hessenberg(stack)
        lower, upper = (
            lax.linalg.tridiagonal(shifted + shifted.conj().T, lower=each) for each in (True, False)
        )
        q, r, pivots = lax.linalg.qr(tall, pivoting=True, full_matrices=False)
        reals = sums + s + w.real + w.imag + lower[1] + upper[1] + pivots
        matrix = vectors[0] @ vectors[1] + u[1, :3] @ vt[0] + full[0][:3, 2:] + full[2] + form + z + h[0]
        matrix += lower[0] + upper[0] + q[:3] + r + (taus.sum() + (lower[3] - upper[3]).sum()).real
        return (matrix @ x + (reals + lower[2].sum() + upper[2][0])[:, None]) * 0.02

    return lax.fori_loop(0, 80, turn, b)


def transform(x: Any, z: Any) -> Any:
    """Fourier transforms of real and of complex numbers, along one and several dimensions."""

    def turn(i: Any, carried: Any) -> Any:
        x, z = carried
        one = jnp.fft.irfft(jnp.fft.rfft(x) * (0.5 + 0.1j), x.shape[-1])
        two = jnp.fft.irfft2(jnp.fft.rfft2(x[:, :, :6]) * 0.3j, (x.shape[1], 6))
        y = jnp.fft.fft2(z) * 0.1 + jnp.fft.ifft(z.mT, axis=1) + jnp.fft.fftn(z)[:, :1]
        single = jnp.fft.fft(z[0, 0, :1]) + jnp.fft.fft(jnp.full(6, z[0, 1, 0]))[:1]
        return (one + two.sum(2, keepdims=True)) * 0.2 + i, (y + single) / (1 + jnp.abs(y))

    return lax.fori_loop(0, 80, turn, (x, z))


PROGRAMS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "factor f32": (factor, (np.float32(MATRIX), np.float32(MATRIX[:, :2]))),
    "factor f64": (factor, (MATRIX, MATRIX[:, :2])),
    "factor c64": (factor, (np.complex64(MATRIX + 0.5j * MATRIX[::-1]), np.complex64(MATRIX[:, :2] * 1j))),
    "factor c128": (factor, (MATRIX + 0.5j * MATRIX[::-1], MATRIX[:, :2] * 1j)),
    "decompose f32": (decompose, (np.float32(MATRIX), np.float32(MATRIX[:, :2]))),
    "decompose f64": (decompose, (MATRIX, MATRIX[:, :2])),
    "decompose c64": (
        decompose,
        (np.complex64(MATRIX + 0.5j * MATRIX[::-1]), np.complex64(MATRIX[:, :2] * 1j)),
    ),
    "decompose c128": (decompose, (MATRIX + 0.5j * MATRIX[::-1], MATRIX[:, :2] * 1j)),
    "transform": (
        transform,
        (np.float32(RNG.standard_normal((2, 3, 12))), np.complex64(RNG.standard_normal((2, 5, 5)) + 0.5j)),
    ),
    "transform c128": (transform, (RNG.standard_normal((2, 3, 12)), RNG.standard_normal((2, 5, 5)) + 0.5j)),
    "rotate": (rotate, (COMPLEX, COMPLEX[0], np.float32(0.3))),
    "rotate c128": (rotate, (np.complex128(COMPLEX), np.complex128(COMPLEX[0]), np.float64(0.3))),
    "slide": (slide, (np.float32(RNG.standard_normal((5, 8))), np.int32(RNG.integers(0, 9, (5, 8))))),
    "total": (total, (COMPLEX, np.complex64(0.5 - 0.25j))),
    "total c128": (total, (np.complex128(COMPLEX), np.complex128(0.5 - 0.25j))),
    "roots": (roots, (ROOTS, np.complex64(0.5 - 0.25j))),
    "roots c128": (roots, (np.complex128(ROOTS), np.complex128(0.5 - 0.25j))),
    "nothing": (nothing, (np.float32(MATRIX), np.zeros((3, 0), np.float32))),
}


def text_of(name: str) -> str:
    function, arguments = PROGRAMS[name]
    with jax.enable_x64(name.endswith(("f64", "c128"))):
        return jax.jit(function).lower(*arguments).as_text()


def no_call(self: BlockLowering, plan: Any, step: Any, operands: Any) -> Any:
    del self, plan, operands
    raise AssertionError(f"{step.name} is called")


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sample("factor f32", "decompose c64", "transform", "slide", "total c128")
def test_programs_without_calls_give_the_bytes_of_kernels(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BlockLowering, "_call", no_call)
    _, arguments = PROGRAMS[name]
    before, runs = copies(arguments), list[Any]()
    for disabled in ("", "native", "all"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        program = hlokit.load(text_of(name))
        runs += [copies(listed(program(*arguments))) for _ in range(3)]
    assert copies(arguments) == before
    assert all(run == runs[0] for run in runs)


def test_a_function_of_the_user_replaces_a_routine() -> None:
    name = "factor f64"
    own = hlokit.load(text_of(name))(*PROGRAMS[name][1])
    before = hlokit.engine.contract.custom_calls.find_custom_call("lapack_dgeqrf_ffi")
    assert before is not None

    @hlokit.custom_call("lapack_dgeqrf_ffi")
    def zeros(a: Any) -> Any:
        return np.zeros_like(a), np.zeros((*a.shape[:-2], min(a.shape[-2:])))

    try:
        program = hlokit.load(text_of(name))
        runs = [program(*PROGRAMS[name][1]) for _ in range(2)]
    finally:
        hlokit.custom_call("lapack_dgeqrf_ffi")(before)
    assert copies(runs[:1]) == copies(runs[1:])
    assert copies(runs[:1]) != copies([own])


def test_a_routine_without_its_options_fails_only_where_it_is_reached() -> None:
    call = """stablehlo.custom_call @lapack_dpotrf_ffi(%y) {mhlo.backend_config = {}, api_version = 4 : i32}
          : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<i32>)"""
    text = f"""func.func @main(%p: tensor<i1>, %x: tensor<2x2xf64>) -> tensor<2x2xf64> {{
      %y = stablehlo.add %x, %x : tensor<2x2xf64>
      %r = "stablehlo.if"(%p) ({{
        %f:2 = {call}
        stablehlo.return %f#0 : tensor<2x2xf64>
      }}, {{
        stablehlo.return %y : tensor<2x2xf64>
      }}) : (tensor<i1>) -> tensor<2x2xf64>
      return %r : tensor<2x2xf64>
    }}"""
    program = hlokit.load(text)
    for _ in range(4):
        assert program(np.bool_(False), np.eye(2)).tolist() == [[2, 0], [0, 2]]
        with pytest.raises(hlokit.EvaluationError, match="raised KeyError"):
            program(np.bool_(True), np.eye(2))


def test_contractions_of_many_dimensions_are_in_straight_line_code() -> None:
    shape = "x".join("2" * 8)
    step = f"""%{{1}} = stablehlo.dot_general %{{0}}, %gate, contracting_dims = [3] x [0]
      : (tensor<{shape}xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<{shape}xcomplex<f32>>"""
    body = "\n".join(step.format(n, n + 1) for n in range(6))
    text = f"""func.func @main(%0: tensor<{shape}xcomplex<f32>>, %gate: tensor<2x2xcomplex<f32>>)
      -> tensor<{shape}xcomplex<f32>> {{ {body} return %6 : tensor<{shape}xcomplex<f32>> }}"""
    plan = with_straight_line_code(plan_of(text), DEFAULTS)
    assert "dot_general" not in names(plan)[:-1]
    state = np.complex64(RNG.standard_normal((2,) * 8) + 1j * RNG.standard_normal((2,) * 8))
    program = hlokit.load(text)
    runs = [copies([program(state, COMPLEX[0])]) for _ in range(3)]
    assert runs[0] == runs[1] == runs[2] == copies([program(state, COMPLEX[0], tier="reference")])
