"""Numerical methods: conjugate gradients, functions that call functions, sums of many kinds."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tests.verdict.models import Traced, model, normal


@model()
def conjugate_gradient() -> Traced:
    """A heat equation: a stencil of five points with a varying coefficient, preconditioned, to a tolerance."""

    def apply(u: Any, c: Any) -> Any:
        padded = jnp.pad(u, 1)
        around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
        return (4 + c) * u - around

    def solve(b: Any, c: Any, tolerance: Any) -> Any:
        def step(state: Any) -> Any:
            x, r, p, rho, n = state
            q = apply(p, c)
            alpha = rho / (p * q).sum()
            x, r = x + alpha * p, r - alpha * q
            z = r / (4 + c)
            new = (r * z).sum()
            return x, r, z + new / rho * p, new, n + 1

        def is_off(state: Any) -> Any:
            return (jnp.sqrt((state[1] ** 2).sum()) > tolerance) & (state[4] < 40)

        z = b / (4 + c)
        x, r, _, _, n = jax.lax.while_loop(is_off, step, (jnp.zeros_like(b), b, z, (b * z).sum(), 0))
        return x, jnp.abs(r).max(), n

    return solve, (normal(5, 6, seed=1), np.abs(normal(5, 6, seed=2)), np.float32(0.05))


@model()
def functions() -> Traced:
    """Functions that call functions, with several arguments and results of one type."""

    @jax.jit
    def mixed(a: Any, b: Any, c: Any) -> Any:
        return a * 2 - b, b * c, c - a * 0.5

    @jax.jit
    def turned(a: Any, b: Any, angle: Any) -> Any:
        return a * jnp.cos(angle) - b * jnp.sin(angle), a * jnp.sin(angle) + b * jnp.cos(angle)

    @jax.jit
    def shrunk(a: Any, b: Any, angle: Any) -> Any:
        u, v = turned(a, b, angle * 0.5)
        return u * jnp.exp(-angle), v / (1 + angle)

    @jax.jit
    def measured(a: Any, b: Any) -> Any:
        return jnp.sqrt((a * a + 3 * b * b).sum())

    @jax.jit
    def weighed(a: Any, b: Any) -> Any:
        return jnp.log1p((jnp.abs(a) + b * b).sum())

    def program(x: Any, y: Any, z: Any) -> Any:
        p, q, r = mixed(x, y, z)
        u, v = turned(p, q, jnp.float32(0.3))
        s, t = shrunk(v, r, jnp.float32(0.8))
        lengths = jnp.stack([measured(u, s), weighed(t, v), measured(s, u), weighed(q, r)])
        a, b, c = mixed(s, t, u)
        return lengths, a + b * c, turned(a, c, lengths[0] - lengths[1])

    return program, tuple(normal(4, seed=n) for n in range(3))


@model()
def reductions() -> Traced:
    """Reductions by own functions: moments that merge, the place of the largest, a sum of exponentials; windows,
    prefixes, counts."""

    def merged(a: Any, b: Any) -> Any:
        n, m = a[0] + b[0], b[1] - a[1]
        safe = jnp.maximum(n, 1)
        return n, a[1] + m * b[0] / safe, a[2] + b[2] + m * m * a[0] * b[0] / safe

    def exponentials(a: Any, b: Any) -> Any:
        most = jnp.maximum(a[0], b[0])
        return most, a[1] * jnp.exp(a[0] - most) + b[1] * jnp.exp(b[0] - most)

    def largest(a: Any, b: Any) -> Any:
        is_first = (a[0] > b[0]) | ((a[0] == b[0]) & (a[1] < b[1]))
        return jnp.where(is_first, a[0], b[0]), jnp.where(is_first, a[1], b[1])

    def sums(x: Any) -> Any:
        zero, one = np.float32(0), jnp.ones_like(x)
        moments = jax.lax.reduce((one, x, one * 0), (zero, zero, zero), merged, (1,))
        total = jax.lax.reduce((x, one), (np.float32(-np.inf), zero), exponentials, (0,))
        places = jax.lax.broadcasted_iota(jnp.int32, x.shape, 1)
        best = jax.lax.reduce((x, places), (np.float32(-np.inf), np.int32(99)), largest, (1,))
        windows = jax.lax.reduce_window(x, zero, jax.lax.add, (2, 3), (1, 2), ((1, 0), (0, 1)))
        prefix = jnp.cumsum(x, 1), jax.lax.cummax(x, 0, reverse=True), jnp.cumprod(x[0])
        linear = jax.lax.associative_scan(lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1]), (x[0], x[1]))
        flags = (x > 0).all(1) | (x < -1).any(1)
        return (
            moments,
            total,
            best,
            windows,
            prefix,
            linear,
            flags,
            jnp.bincount(places.ravel() % 3, length=4),
        )

    return sums, (normal(4, 6, seed=8),)
