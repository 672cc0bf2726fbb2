"""Chains of elementwise operations and reductions; data that is sorted, scattered, summed and sampled."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

from benchmarks.case import CHAIN, Program, case, integers, lower, normal, values

CHAINS = "elementwise and reduction chains"
DATA = "sorting, scattering, reducing"
SAMPLING = "transforms and sampling"


@case("softmax of 512x1024 f32", CHAINS, CHAIN, is_quick=True)
def softmax() -> Program:
    return lower(lambda x: jax.nn.softmax(x, axis=-1), normal(512, 1024))


@case("layer norm of 512x1024 f32", CHAINS, CHAIN)
def layer_norm() -> Program:
    def normalise(x: Any, scale: Any, shift: Any) -> Any:
        centred = x - jnp.mean(x, -1, keepdims=True)
        return centred * lax.rsqrt(jnp.mean(centred**2, -1, keepdims=True) + 1e-5) * scale + shift

    return lower(normalise, normal(512, 1024), values(1024), values(1024))


@case("gelu (tanh) of 1e6 f32", CHAINS, CHAIN, is_quick=True)
def gelu() -> Program:
    return lower(lambda x: jax.nn.gelu(x, approximate=True), normal(1000, 1000))


@case("polynomial of degree 8 of 1e6 f32", CHAINS, CHAIN)
def polynomial() -> Program:
    def horner(x: Any) -> Any:
        total = jnp.full_like(x, 0.1)
        for n in range(8):
            total = total * x + (n - 3.5) / 7
        return total

    return lower(horner, normal(1000, 1000))


@case("polynomial of degree 8 of 1e6 bf16", CHAINS, CHAIN)
def polynomial_bf16() -> Program:
    def horner(x: Any) -> Any:
        total = jnp.full_like(x, 0.1)
        for n in range(8):
            total = total * x + jnp.asarray((n - 3.5) / 7, x.dtype)
        return total

    return lower(horner, normal(1000, 1000, dtype=ml_dtypes.bfloat16))


@case("Adam step of 1e6 parameters", CHAINS, CHAIN)
def adam() -> Program:
    def step(parameter: Any, gradient: Any, mean: Any, square: Any) -> Any:
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient * gradient
        return parameter - 1e-3 * mean / (jnp.sqrt(square) + 1e-8), mean, square

    size = (1000, 1000)
    return lower(step, normal(*size), normal(*size, seed=1), normal(*size, seed=2), values(*size))


@case("variance of 1000x1000 f32 over rows", CHAINS, CHAIN)
def variance() -> Program:
    return lower(lambda x: jnp.var(x, 0), normal(1000, 1000))


@case("logsumexp of 64x16384 f32", CHAINS, CHAIN)
def logsumexp() -> Program:
    return lower(
        lambda x: jax.scipy.special.logsumexp(x, axis=1),
        normal(64, 16384),
    )


@case("Mandelbrot, 20 steps of 200x300 f32", CHAINS, CHAIN)
def mandelbrot() -> Program:
    def count(real: Any, imaginary: Any) -> Any:
        a, b, inside = real, imaginary, jnp.zeros_like(real)
        for _ in range(20):
            a, b = a * a - b * b + real, 2 * a * b + imaginary
            inside = inside + jnp.where(a * a + b * b < 4, 1.0, 0.0)
        return inside

    real, imaginary = np.meshgrid(np.linspace(-2, 1, 300), np.linspace(-1, 1, 200))
    return lower(count, real.astype(np.float32), imaginary.astype(np.float32))


# Comparators, duplicates, reducers ----------------------------------------------------------------


@case("sort of 1e5 by two keys", DATA, is_quick=True)
def sort_by_keys() -> Program:
    def order(first: Any, second: Any, payload: Any) -> Any:
        return lax.sort((first, second, payload), num_keys=2)

    return lower(order, integers(50, 100_000), normal(100_000), values(100_000))


@case("sort of 1e5, descending by magnitude", DATA, reference=False)
def sort_descending() -> Program:
    text = """
func.func @main(%x: tensor<100000xf32>) -> tensor<100000xf32> {
  %r = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.abs %a : tensor<f32>
    %n = stablehlo.abs %b : tensor<f32>
    %c = stablehlo.compare GT, %m, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<100000xf32>) -> tensor<100000xf32>
  return %r : tensor<100000xf32>
}"""
    return Program(text, [normal(100_000)])


@case("sort of 1e4 by a comparator that is no key", DATA, reference=False)
def sort_by_residue() -> Program:
    text = """
func.func @main(%x: tensor<10000xi32>) -> tensor<10000xi32> {
  %r = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %d = stablehlo.subtract %a, %b : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %c = stablehlo.compare LT, %d, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<10000xi32>) -> tensor<10000xi32>
  return %r : tensor<10000xi32>
}"""
    return Program(text, [integers(1 << 20, 10_000)])


@case("scatter maximum of 1e5 into 1000", DATA)
def scatter_max() -> Program:
    return lower(
        lambda x, i, u: x.at[i].max(u), normal(1000), integers(1000, 100_000), normal(100_000, seed=3)
    )


@case("scatter multiply of 1e5 rows into 1000x16", DATA, reference=False)
def scatter_rows() -> Program:
    return lower(
        lambda x, i, u: x.at[i].multiply(u),
        values(1000, 16),
        integers(1000, 100_000),
        np.exp(normal(100_000, 16, scale=1e-2)),
    )


@case("scatter by a body of its own, 1e5 into 1000", DATA, is_quick=True)
def scatter_custom() -> Program:
    text = """
func.func @main(%x: tensor<1000xf32>, %i: tensor<100000x1xi32>, %u: tensor<100000xf32>) -> tensor<1000xf32> {
  %r = "stablehlo.scatter"(%x, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %h = stablehlo.constant dense<0.5> : tensor<f32>
    %p = stablehlo.multiply %a, %h : tensor<f32>
    %c = stablehlo.add %p, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<1000xf32>, tensor<100000x1xi32>, tensor<100000xf32>) -> tensor<1000xf32>
  return %r : tensor<1000xf32>
}"""
    return Program(text, [values(1000), integers(1000, 100_000, 1), normal(100_000)])


@case("segment sum of 1e5 rows of 8 into 100", DATA)
def segment_sum() -> Program:
    return lower(
        lambda data, ids: jax.ops.segment_sum(data, ids, num_segments=100),
        normal(100_000, 8),
        np.sort(integers(100, 100_000)),
    )


@case("reduction by a body of its own, 1000x1000 f32", DATA, CHAIN, is_quick=True)
def custom_reducer() -> Program:
    def combine(x: Any, y: Any) -> Any:
        return x + y + x * y

    return lower(lambda x: lax.reduce(x, np.float32(0), combine, (1,)), normal(1000, 1000, scale=1e-3))


@case("reduction of two values (mean and count), 1000x1000 f32", DATA, CHAIN, reference=False)
def two_value_reducer() -> Program:
    def welford(x: Any, y: Any) -> Any:
        (mean_x, count_x), (mean_y, count_y) = x, y
        count = count_x + count_y
        mean = mean_x + (mean_y - mean_x) * count_y / jnp.maximum(count, 1e-6)
        return mean, count

    def reduce(x: Any) -> Any:
        initial = (np.float32(0), np.float32(0))
        return lax.reduce((x, jnp.ones_like(x)), initial, welford, (0,))

    return lower(reduce, normal(1000, 1000))


@case("reduce_window by a body of its own, 3x3 of 512x512 f32", DATA, CHAIN, reference=False)
def custom_window() -> Program:
    def combine(x: Any, y: Any) -> Any:
        return jnp.sqrt(x * x + y * y)

    return lower(
        lambda x: lax.reduce_window(x, np.float32(0), combine, (3, 3), (1, 1), "SAME"), normal(512, 512)
    )


# Transforms and sampling --------------------------------------------------------------------------


@case("real FFT and back of 256x1024 f32", SAMPLING, reference=False)
def real_fft() -> Program:
    return lower(lambda x: jnp.fft.irfft(jnp.fft.rfft(x) * 0.5), normal(256, 1024))


@case("two-dimensional FFT of 512x512 c64", SAMPLING, reference=False)
def fft2() -> Program:
    return lower(lambda x: jnp.fft.fft2(lax.complex(x, -x)), normal(512, 512))


@case("1e6 normal numbers (threefry)", SAMPLING, reference=False, is_quick=True)
def normal_numbers() -> Program:
    return lower(lambda key: jax.random.normal(key, (1000, 1000)), np.array([1, 2], np.uint32))


@case("categorical samples of 1000x512 logits", SAMPLING, reference=False)
def categorical() -> Program:
    return lower(
        jax.random.categorical,
        np.array([1, 2], np.uint32),
        normal(1000, 512),
    )


@case("Metropolis sampling, 500 steps of 256 chains", SAMPLING, reference=False)
def metropolis() -> Program:
    def sample(key: Any, start: Any) -> Any:
        def step(state: Any, key: Any) -> Any:
            proposal_key, accept_key = jax.random.split(key)
            proposal = state + 0.3 * jax.random.normal(proposal_key, state.shape)
            energy = lambda x: jnp.sum((x**2 - 1) ** 2, -1)  # noqa: E731 # as the formula reads
            accepted = jnp.log(jax.random.uniform(accept_key, state.shape[:1])) < energy(state) - energy(
                proposal
            )
            return jnp.where(accepted[:, None], proposal, state), None

        return lax.scan(step, start, jax.random.split(key, 500))[0]

    return lower(sample, np.array([1, 2], np.uint32), normal(256, 2))
