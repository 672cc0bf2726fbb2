"""What compilers create is deleted with its program, without a garbage collection: the next program then gets
its MLIR context."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.engine.plan.plan import Plan, Step

X = np.linspace(0.5, 2, 12, dtype=np.float32).reshape(3, 4)


def fused(x: Any) -> Any:
    large = jnp.broadcast_to(x[:1], (5000, 4))
    return jnp.exp(large) * 2 + 1


def straight_line(x: Any) -> Any:
    return jnp.sort(x @ x.T, axis=0).sum(0) + lax.bitcast_convert_type(x[:, 0], jnp.int32)


def loop(x: Any) -> Any:
    def body(i: Any, v: Any) -> Any:
        key = jax.random.fold_in(jax.random.PRNGKey(0), i)
        return jnp.sort(jnp.sin(v)) + jax.random.normal(key, (3, 4)) + v[i % 3].max() + jnp.cumsum(v, axis=1)

    return lax.fori_loop(0, 30, body, x)


def of_scalars(x: Any) -> Any:
    def body(a: Any, b: Any) -> Any:
        return jnp.where(a > b, jnp.tanh(a), b * 0.5)

    return lax.reduce(x, np.float32(0), body, (0,)) + jax.vmap(jax.vmap(jax.jit(body)))(x, x)[0]


@pytest.mark.parametrize("function", [fused, straight_line, loop, of_scalars])
@pytest.mark.sample("fused", "loop")
def test_no_plan_is_left_to_the_garbage_collection(function: Callable[[Any], Any]) -> None:
    hlokit.from_jax(function, X)(X)  # imports
    module = hlokit.from_jax(function, X).serialize()
    jax.clear_caches()
    gc.collect()
    gc.disable()
    try:
        program = hlokit.load(module)
        for _ in range(6):
            program(X)
        del program
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        left = [each for each in gc.garbage if isinstance(each, Plan | Step)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert not left
