"""Applications: quantum dynamics, decoding, statistics, unknown sizes, narrow numbers."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

from benchmarks.case import (
    DECODING,
    DYNAMIC,
    NARROW,
    QUANTUM,
    STATISTICS,
    Array,
    Program,
    case,
    integers,
    lower,
    lower_with_sizes,
    normal,
)

FAMILY = "applications"


def _complex(*shape: int, seed: int, scale: float = 1.0) -> Array:
    parts = normal(2, *shape, seed=seed, scale=scale)
    return (parts[0] + 1j * parts[1]).astype(np.complex64)


# Quantum dynamics -----------------------------------------------------------------------------------


@case("master equation of 8 levels, 100 steps of Runge and Kutta", FAMILY, QUANTUM, reference=False)
def master_equation() -> Program:
    def change(density: Any, hamiltonian: Any, jump: Any) -> Any:
        decay = jump.conj().T @ jump
        rate = jump @ density @ jump.conj().T - 0.5 * (decay @ density + density @ decay)
        return -1j * (hamiltonian @ density - density @ hamiltonian) + rate

    def evolve(density: Any, hamiltonian: Any, jump: Any) -> Any:
        def step(density: Any, _: Any) -> Any:
            first = change(density, hamiltonian, jump)
            second = change(density + 0.005 * first, hamiltonian, jump)
            third = change(density + 0.005 * second, hamiltonian, jump)
            fourth = change(density + 0.01 * third, hamiltonian, jump)
            density = density + 0.01 / 6 * (first + 2 * second + 2 * third + fourth)
            return density, jnp.trace(density).real

        return lax.scan(step, density, None, length=100)

    return lower(evolve, *(_complex(8, 8, seed=seed, scale=0.1) for seed in range(3)))


@case("wave function of 16 levels, steps of an adapted length", FAMILY, QUANTUM, reference=False)
def adapted_steps() -> Program:
    def solve(state: Any, hamiltonian: Any) -> Any:
        def change(time: Any, state: Any) -> Any:
            return -1j * (hamiltonian @ state) * (1 + 0.1 * jnp.sin(time))

        def step(values: Any) -> Any:
            time, state, length = values
            first = change(time, state)
            second = change(time + length / 2, state + length / 2 * first)
            third = change(time + length * 3 / 4, state + length * 3 / 4 * second)
            new = state + length * (2 / 9 * first + 1 / 3 * second + 4 / 9 * third)
            fourth = change(time + length, new)
            error = length * (-5 / 72 * first + 1 / 12 * second + 1 / 9 * third - 1 / 8 * fourth)
            size = jnp.sqrt((jnp.abs(error) ** 2).mean()) / 1e-5
            is_good = size < 1
            end = jnp.where(is_good, jnp.nextafter(time + length, jnp.inf), time)
            length = length * jnp.clip(0.9 * size ** (-1 / 3), 0.2, 5.0)
            rest = jnp.maximum(1 - end, 1e-6)
            return end, jnp.where(is_good, new, state), jnp.minimum(length, rest)

        return lax.while_loop(lambda values: values[0] < 1, step, (0.0, state, 0.01))

    return lower(solve, _complex(16, seed=0), _complex(16, 16, seed=1))


@case("64 updates of single complex numbers", FAMILY, QUANTUM, reference=False)
def single_updates() -> Program:
    def update(matrix: Any, places: Any) -> Any:
        def turn(matrix: Any, place: Any) -> Any:
            matrix = matrix.at[place, (place + 1) % 8].add(1j * matrix[place, place])
            rows, columns = jnp.array([0, 1]), jnp.array([2, 3])
            return matrix.at[rows, columns].set(matrix[columns - 2, rows]), place

        return lax.scan(turn, matrix, places)[0]

    return lower(update, _complex(8, 8, seed=0), integers(8, 64))


# Decoding ------------------------------------------------------------------------------------------


@case("32 tokens with a cache of int4", FAMILY, DECODING, reference=False)
def narrow_cache() -> Program:
    def decode(query: Any, cache: Any, places: Any) -> Any:
        def token(state: Any, place: Any) -> Any:
            query, cache = state
            keys = cache.astype(jnp.float32)
            query = jnp.tanh(jax.nn.softmax(keys @ query / 8) @ keys)
            new = jnp.clip(jnp.round(query * 7), -8, 7).astype(jnp.int4)
            return (query, lax.dynamic_update_slice(cache, new[None], (place, 0))), query.sum()

        return lax.scan(token, (query, cache), places)

    cache = (integers(16, 128, 64) - 8).astype(ml_dtypes.int4)
    return lower(decode, normal(64), cache, np.arange(32, dtype=np.int32))


# Statistics ----------------------------------------------------------------------------------------


@case("quantiles of 256 gamma distributions by bisection", FAMILY, STATISTICS, reference=False)
def quantiles() -> Program:
    def quantile(shape: Any, probability: Any) -> Any:
        def halve(_: int, bounds: Any) -> Any:
            low, high = bounds
            middle = (low + high) / 2
            is_below = jax.scipy.special.gammainc(shape, middle) < probability
            return jnp.where(is_below, middle, low), jnp.where(is_below, high, middle)

        return lax.fori_loop(0, 30, halve, (jnp.zeros_like(shape), jnp.full_like(shape, 100.0)))[0]

    random = np.random.default_rng(0)
    uniform = random.uniform(0.05, 0.95, (2, 256)).astype(np.float32)
    return lower(quantile, 10 * uniform[0], uniform[1])


@case("quadrature of a likelihood with 64 nodes", FAMILY, STATISTICS, reference=False)
def quadrature() -> Program:
    def likelihood(counts: Any, means: Any, nodes: Any, weights: Any) -> Any:
        rates = jnp.exp(means[:, None] + nodes)
        terms = counts[:, None] * jnp.log(rates) - rates - jax.scipy.special.gammaln(counts[:, None] + 1)
        return jax.scipy.special.logsumexp(terms, axis=1, b=weights).sum()

    nodes, weights = np.polynomial.hermite_e.hermegauss(64)
    arrays = (nodes.astype(np.float32), (weights / weights.sum()).astype(np.float32))
    return lower(jax.value_and_grad(likelihood, 1), integers(9, 500).astype(np.float32), normal(500), *arrays)


# Unknown sizes -------------------------------------------------------------------------------------


@case("attention with unknown batch and length", FAMILY, DYNAMIC, reference=False)
def open_attention() -> Program:
    def attend(tokens: Any, weights: Any) -> Any:
        batch, length, width = tokens.shape
        heads = [(tokens @ weight).reshape(batch, length, 4, width // 4) for weight in weights]
        query, keys, values = (head.transpose(0, 2, 1, 3) for head in heads)
        scores = query @ keys.transpose(0, 1, 3, 2) / 4
        scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
        return (jax.nn.softmax(scores) @ values).transpose(0, 2, 1, 3).reshape(tokens.shape)

    weights = ("3,64,64", normal(3, 64, 64, scale=0.1))
    return lower_with_sizes(attend, "b,s", ("b,s,64", normal(2, 32, 64)), weights)


@case("perceptron with an unknown batch", FAMILY, DYNAMIC, reference=False)
def open_perceptron() -> Program:
    def predict(batch: Any, first: Any, second: Any) -> Any:
        hidden = jax.nn.gelu(batch @ first)
        hidden = (hidden - hidden.mean(-1, keepdims=True)) / jnp.sqrt(hidden.var(-1, keepdims=True) + 1e-5)
        return jax.nn.log_softmax(hidden @ second)

    layers = ("32,64", normal(32, 64, scale=0.1)), ("64,10", normal(64, 10, scale=0.1))
    return lower_with_sizes(predict, "b", ("b,32", normal(16, 32)), *layers)


@case("recurrence with unknown length and batch", FAMILY, DYNAMIC, reference=False)
def open_recurrence() -> Program:
    def run(inputs: Any, weights: Any) -> Any:
        def step(state: Any, value: Any) -> Any:
            state = jnp.tanh(state @ weights + value)
            return state, state.sum(-1)

        return lax.scan(step, jnp.zeros_like(inputs[0]), inputs)

    return lower_with_sizes(run, "t,b", ("t,b,8", normal(50, 4, 8)), ("8,8", normal(8, 8, scale=0.3)))


# Narrow numbers ------------------------------------------------------------------------------------


@case("i8 product of 1024, sums in i32", FAMILY, NARROW, reference=False)
def integer_product() -> Program:
    def product(a: Any, b: Any) -> Any:
        return lax.dot(a, b, preferred_element_type=jnp.int32)

    a, b = ((integers(256, 1024, 1024, seed=seed) - 128).astype(np.int8) for seed in (0, 1))
    return lower(product, a, b)


@case("bf16 product of 1024", FAMILY, NARROW, reference=False)
def short_product() -> Program:
    a, b = (normal(1024, 1024, dtype=ml_dtypes.bfloat16, seed=seed) for seed in (0, 1))
    return lower(jnp.matmul, a, b)


@case("maxima of 2x2 windows of 8x56x56x64 f32", FAMILY, NARROW, reference=False)
def pooling() -> Program:
    def pool(images: Any) -> Any:
        return lax.reduce_window(images, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    return lower(pool, normal(8, 56, 56, 64))
