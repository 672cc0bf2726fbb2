"""Statistics and learning: filters, Gaussian processes, flows, random numbers, training."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tests.verdict.models import Traced, model, normal


@model()
def kalman() -> Traced:
    """A filter with missing measurements, and the smoother that runs backwards."""
    step = np.array([[1, 0.1], [-0.2, 0.95]], np.float32)

    def inverse(m: Any) -> Any:
        (a, b), (c, d) = m
        return jnp.array([[d, -b], [-c, a]]) / (a * d - b * c)

    def forward(state: Any, measured: Any) -> Any:
        mean, covariance = state
        mean, covariance = step @ mean, step @ covariance @ step.T + 0.05 * jnp.eye(2)
        off = measured - mean
        spread = covariance + 0.3 * jnp.eye(2)
        gain = covariance @ inverse(spread)
        is_there = ~jnp.isnan(measured).any()
        likelihood = -0.5 * (off @ inverse(spread) @ off + jnp.log(jnp.linalg.det(spread)))
        new = mean + gain @ off, covariance - gain @ covariance
        new = jax.tree.map(lambda a, b: jnp.where(is_there, a, b), new, (mean, covariance))
        return new, (*new, jnp.where(is_there, likelihood, 0))

    def backward(later: Any, row: Any) -> Any:
        mean, covariance = row
        gain = covariance @ step.T @ inverse(step @ covariance @ step.T + 0.05 * jnp.eye(2))
        smooth = mean + gain @ (later - step @ mean)
        return smooth, smooth

    def smoothed(measured: Any) -> Any:
        last, (means, covariances, terms) = jax.lax.scan(forward, (jnp.zeros(2), jnp.eye(2)), measured)
        _, smooth = jax.lax.scan(backward, last[0], (means, covariances), reverse=True)
        return smooth, terms.sum()

    measured = normal(8, 2, seed=4)
    measured[3] = np.nan
    return smoothed, (measured,)


@model("tpu")
def gaussian_process() -> Traced:
    """A posterior: mean, variance and evidence, by Cholesky's factor and triangular solves."""

    def kernel(a: Any, b: Any, length: Any) -> Any:
        r = jnp.sqrt(jnp.maximum(((a[:, None] - b) ** 2).sum(-1), 1e-12)) / length
        return (1 + np.sqrt(3).astype(np.float32) * r) * jnp.exp(-np.sqrt(3).astype(np.float32) * r)

    def posterior(x: Any, y: Any, at: Any, length: Any, noise: Any) -> Any:
        factor = jnp.linalg.cholesky(kernel(x, x, length) + noise * jnp.eye(len(x)))
        half = jax.scipy.linalg.solve_triangular(factor, y, lower=True)
        alpha = jax.scipy.linalg.solve_triangular(factor, half, lower=True, trans=1)
        across = kernel(x, at, length)
        explained = jax.scipy.linalg.solve_triangular(factor, across, lower=True)
        evidence = -0.5 * half @ half - jnp.log(jnp.diag(factor)).sum()
        return across.T @ alpha, 1 + noise - (explained**2).sum(0), evidence

    arguments = (
        normal(7, 2, seed=1),
        normal(7, seed=2),
        normal(4, 2, seed=3),
        np.float32(1.3),
        np.float32(0.1),
    )
    return posterior, arguments


@model()
def flow() -> Traced:
    """Affine couplings with permutations, their density, and an inverse by bisection."""

    def coupling(z: Any, layer: Any) -> Any:
        w, u, order = layer
        kept, moved = jnp.split(z, 2)
        scale, shift = jnp.split(jnp.tanh(kept @ w) @ u, 2)
        return jnp.concatenate([kept, moved * jnp.exp(scale) + shift])[order], scale.sum()

    def monotone(x: Any, a: Any) -> Any:
        return x + a * jnp.tanh(x) + 0.1 * jnp.log1p(jnp.exp(x))

    def density(x: Any, layers: Any, a: Any) -> Any:
        z, terms = jax.lax.scan(coupling, x, layers)
        slope = jax.vmap(jax.grad(monotone), (0, None))(z, a)

        def halve(state: Any) -> Any:
            low, high, n = state
            middle = (low + high) / 2
            is_low = monotone(middle, a) < z
            return jnp.where(is_low, middle, low), jnp.where(is_low, high, middle), n + 1

        start = jnp.full_like(z, -10.0), jnp.full_like(z, 10.0), 0
        low, high, _ = jax.lax.while_loop(lambda state: state[2] < 12, halve, start)
        base = -0.5 * (monotone(z, a) ** 2).sum() - 0.5 * z.size * np.log(2 * np.pi).astype(np.float32)
        return base + terms.sum() + jnp.log(slope).sum(), (low + high) / 2

    orders = np.array([[3, 0, 2, 1], [1, 2, 3, 0], [2, 3, 0, 1]], np.int32)
    layers = normal(3, 2, 5, seed=1), normal(3, 5, 4, seed=2, scale=0.5), orders
    return density, (normal(4, seed=3), layers, np.float32(0.4))


@model()
def random_numbers() -> Traced:
    """Uniform, normal, integer and categorical numbers, a permutation, a rejection sampler."""

    def draws(key: Any, logits: Any) -> Any:
        a, b, c, d, e = jax.random.split(jax.random.wrap_key_data(key), 5)
        uniform = jax.random.uniform(a, (5,), minval=-2, maxval=3)
        bell = jax.random.normal(b, (4,))
        whole = jax.random.randint(c, (6,), -5, 17)
        shuffled = jax.random.permutation(d, 9)
        chosen = jax.random.categorical(e, logits, shape=(5,))

        def again(state: Any) -> Any:
            n, key, _ = state
            key, use = jax.random.split(key)
            return n + 1, key, jax.random.uniform(use, (2,), minval=-1)

        def is_outside(state: Any) -> Any:
            return (state[2] ** 2).sum() > 0.3

        tries, _, point = jax.lax.while_loop(is_outside, again, (0, a, jnp.ones(2)))
        return uniform, bell, whole, shuffled, chosen, tries, point

    return draws, (np.array([17, 4], np.uint32), normal(6, seed=1))


@model()
def training() -> Traced:
    """Six steps of Adam with clipped gradients and a schedule, on minibatches that a loop slices."""

    def loss(weights: Any, x: Any, y: Any) -> Any:
        w, v = weights
        return ((jax.nn.elu(x @ w) @ v - y) ** 2).mean()

    def fit(weights: Any, x: Any, y: Any) -> Any:
        def step(state: Any, n: Any) -> Any:
            weights, first, second = state
            rows = [jax.lax.dynamic_slice_in_dim(part, n % 3 * 4, 4) for part in (x, y)]
            value, slope = jax.value_and_grad(loss)(weights, *rows)
            norm = jnp.sqrt(sum((g**2).sum() for g in slope))
            slope = [g * jnp.minimum(1, 0.5 / norm) for g in slope]
            first = [0.9 * m + 0.1 * g for m, g in zip(first, slope, strict=True)]
            second = [0.99 * m + 0.01 * g * g for m, g in zip(second, slope, strict=True)]
            t = n.astype(jnp.float32) + 1
            rate = 0.1 * jnp.where(n < 2, t / 2, jnp.cos(0.3 * (t - 2)))
            a, b = 1 - 0.9**t, 1 - 0.99**t
            weights = [
                w - rate * (m / a) / (jnp.sqrt(q / b) + 1e-6)
                for w, m, q in zip(weights, first, second, strict=True)
            ]
            return (weights, first, second), (value, norm)

        zeros = [jnp.zeros_like(w) for w in weights]
        (weights, _, _), history = jax.lax.scan(step, (weights, zeros, zeros), jnp.arange(6))
        return weights, history

    return fit, ([normal(3, 5, seed=1), normal(5, seed=2)], normal(12, 3, seed=3), normal(12, seed=4))
