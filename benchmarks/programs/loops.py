"""Loops: of scalars, of scans over arrays, of differential equations, of tokens."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from benchmarks.case import OTHER, SCALAR_LOOP, Program, case, lower, normal, values

SCALARS = "loops of scalar operations"
SCANS = "scans and solvers"
N = 10_000


@case("10,000 turns of x / 2 + 1 / 2", SCALARS, SCALAR_LOOP, is_quick=True)
def halving() -> Program:
    return lower(
        lambda n, x: lax.fori_loop(0, n, lambda i, v: v * 0.5 + 0.5, x),
        np.array(N, np.int32),
        np.array(3.0, np.float32),
    )


@case("10,000 turns of a linear congruential generator", SCALARS, SCALAR_LOOP)
def congruential() -> Program:
    def turn(i: Any, state: Any) -> Any:
        value, total = state
        value = value * np.uint32(1664525) + np.uint32(1013904223)
        return value, total + (value >> np.uint32(16))

    return lower(
        lambda n, x: lax.fori_loop(0, n, turn, (x, np.uint32(0))),
        np.array(N, np.int32),
        np.array(7, np.uint32),
    )


@case("10,000 turns of a Collatz walk", SCALARS, SCALAR_LOOP)
def collatz() -> Program:
    def turn(i: Any, value: Any) -> Any:
        return jnp.where(value == 1, 27, jnp.where(value % 2 == 0, value // 2, 3 * value + 1))

    return lower(lambda n, x: lax.fori_loop(0, n, turn, x), np.array(N, np.int32), np.array(27, np.int32))


@case("10,000 turns with a branch", SCALARS, SCALAR_LOOP)
def branching() -> Program:
    def turn(i: Any, value: Any) -> Any:
        return lax.cond(value > 1.0, lambda v: v * 0.25, lambda v: v + 0.375, value)

    return lower(lambda n, x: lax.fori_loop(0, n, turn, x), np.array(N, np.int32), np.array(0.3, np.float32))


@case("10,000 turns of sine and exponential", SCALARS, SCALAR_LOOP)
def transcendental() -> Program:
    return lower(
        lambda n, x: lax.fori_loop(0, n, lambda i, v: jnp.sin(v) * jnp.exp(-v) + 0.1, x),
        np.array(N, np.int32),
        np.array(0.3, np.float32),
    )


@case("10,000 turns that read and write an array of 64", SCALARS, SCALAR_LOOP)
def memory() -> Program:
    def turn(i: Any, table: Any) -> Any:
        place = i % 64
        return table.at[place].set(table[place] * 0.5 + table[(place + 7) % 64])

    return lower(lambda n, x: lax.fori_loop(0, n, turn, x), np.array(N, np.int32), values(64))


@case("10,000 turns of a bf16 recurrence", SCALARS, SCALAR_LOOP)
def narrow() -> Program:
    def turn(i: Any, v: Any) -> Any:
        return v * jnp.bfloat16(0.5) + jnp.bfloat16(0.5)

    return lower(
        lambda n, x: lax.fori_loop(0, n, turn, x), np.array(N, np.int32), np.asarray(jnp.bfloat16(3))
    )


# Scans --------------------------------------------------------------------------------------------


@case("scan: exponential moving average, 2000 steps of 64", SCANS, is_quick=True)
def moving_average() -> Program:
    def step(mean: Any, x: Any) -> Any:
        mean = 0.9 * mean + 0.1 * x
        return mean, mean

    return lower(lambda x: lax.scan(step, jnp.zeros(64), x)[1], normal(2000, 64))


@case("associative scan of 4096x32 f32", SCANS)
def associative() -> Program:
    def combine(x: Any, y: Any) -> Any:
        return x[0] * y[0], y[0] * x[1] + y[1]

    return lower(lambda a, b: lax.associative_scan(combine, (a, b)), values(4096, 32) / 2, normal(4096, 32))


@case("Runge-Kutta, 500 steps of the Lorenz system for 100 starts", SCANS)
def lorenz() -> Program:
    def derivative(state: Any) -> Any:
        x, y, z = state
        return jnp.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z])

    def step(state: Any, _: Any) -> Any:
        h = 0.01
        k1 = derivative(state)
        k2 = derivative(state + h / 2 * k1)
        k3 = derivative(state + h / 2 * k2)
        k4 = derivative(state + h * k3)
        return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

    return lower(lambda start: lax.scan(step, start, None, length=500)[0], values(3, 100))


@case("heat equation, 200 steps of 128x128", SCANS)
def heat() -> Program:
    def step(i: Any, u: Any) -> Any:
        around = jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1)
        return u + 0.2 * (around - 4 * u)

    return lower(lambda u: lax.fori_loop(0, 200, step, u), normal(128, 128))


@case("conjugate gradients, 50 steps of 256x256", SCANS)
def conjugate_gradients() -> Program:
    def solve(matrix: Any, right: Any) -> Any:
        return jax.scipy.sparse.linalg.cg(lambda x: matrix @ x, right, maxiter=50, tol=0.0)[0]

    factor = normal(256, 256)
    return lower(solve, factor @ factor.T / 256 + np.eye(256, dtype=np.float32), normal(256))


@case("dynamic programming: edit distance of 128 and 128", SCANS, OTHER)
def edit_distance() -> Program:
    def distance(first: Any, second: Any) -> Any:
        def row(previous: Any, letter: Any) -> Any:
            def cell(left: Any, inputs: Any) -> Any:
                above_left, above, other = inputs
                best = jnp.minimum(jnp.minimum(left, above) + 1, above_left + (letter != other))
                return best, best

            start = previous[0] + 1
            _, cells = lax.scan(cell, start, (previous[:-1], previous[1:], second))
            return jnp.concatenate([start[None], cells]), None

        return lax.scan(row, jnp.arange(second.size + 1), first)[0][-1]

    letters = np.random.default_rng(4).integers(0, 4, (2, 128)).astype(np.int32)
    return lower(distance, letters[0], letters[1])
