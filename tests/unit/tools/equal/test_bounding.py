"""`hlokit.equal(..., bound=True)`: how far the floats of programs that mean the same may differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit

X = np.random.default_rng(0).normal(size=(6, 6)).astype(np.float32)
Function = Callable[[Any], Any]


def softmax(x: Any) -> Any:
    return jnp.exp(x) / jnp.exp(x).sum(-1, keepdims=True)


# Two functions that mean the same, and the first in f64.
BOUNDED: dict[str, tuple[Function, Function, Function]] = {
    "sums": (lambda x: x.sum(0), lambda x: x[::-1].sum(0), lambda x: x.sum(0)),
    "products": (lambda x: (x @ x) @ x, lambda x: x @ (x @ x), lambda x: x @ x @ x),
    "softmax": (jax.nn.softmax, softmax, lambda x: np.exp(x) / np.exp(x).sum(-1, keepdims=True)),
    "variance": (
        lambda x: jnp.var(x, -1),
        lambda x: (x * x).mean(-1) - x.mean(-1) ** 2,
        lambda x: np.var(x, -1),
    ),
    "tanh": (jnp.tanh, lambda x: 2 / (1 + jnp.exp(-2 * x)) - 1, np.tanh),
}


@pytest.mark.parametrize(
    ("dtype", "largest"), [pytest.param(np.float32, 1e-4, marks=pytest.mark.deep), (jnp.bfloat16, 1.0)]
)
def test_bounds_between_floats_are_proven(dtype: Any, largest: float) -> None:
    for name, (one, other, wide) in BOUNDED.items():
        x = X.astype(dtype)
        (bound,) = hlokit.equal(one, other, x, runs=1, bound=True).bounds
        assert bound.difference <= bound.bound < largest, f"{name}: {bound}"
        exact = wide(x.astype(np.float64))
        for function in (one, other):
            error = np.abs(np.asarray(hlokit.from_jax(function, x)(x)).astype(np.float64) - exact).max()
            assert 0 < error <= bound.bound, f"{name}: {error} and {bound}"


def test_where_there_is_no_bound() -> None:
    (bound,) = hlokit.equal(lambda x: x / 3, lambda x: x * np.float32(1 / 3), X, bound=True).bounds
    assert "constants are rounded" in str(bound)
    (bound,) = hlokit.equal(jnp.linalg.cholesky, jnp.linalg.cholesky, X @ X.T, bound=True).bounds
    assert "no bound is known" in str(bound)
    assert hlokit.equal(jnp.sin, jnp.cos, X, bound=True).bounds == ()
    # Regression: a difference of 0.04 was "at most 0 (proven)".
    (bound,) = hlokit.equal(lambda x: lax.reduce_precision(x, 5, 2), lambda x: x, X, bound=True).bounds
    assert bound.difference > 0.01 and "stablehlo.reduce_precision" in bound.reason
