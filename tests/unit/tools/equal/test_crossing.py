"""Comparisons that decide one way in all examples: arguments for which they decide otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit

X = np.ones((4, 8), np.float32)
Function = Callable[[Any], Any]

# Functions that differ only where no example of normal numbers lies.
DIFFERENT: dict[str, tuple[Function, Function]] = {
    "a branch that no example takes": (lambda x: jnp.where(x > 100, x * x, x), lambda x: x),
    "another constant of a comparison": (
        lambda x: jnp.where(x > 100, x * x, x),
        lambda x: jnp.where(x > 101, x * x, x),
    ),
    "on the other side": (lambda x: x, lambda x: jnp.where(x < -50, x * x, x)),
    "another constant of a clamp": (jax.nn.relu6, lambda x: jnp.clip(x, 0, 8)),
    "a minimum": (lambda x: jnp.minimum(x, 300), lambda x: x),
    "floats that equal 0": (
        lambda x: jnp.where(x > 0, 1.0, 0.0),
        lambda x: jnp.where(x >= 0, 1.0, 0.0),
    ),
    "ties to even": (jnp.round, lambda x: jnp.floor(x + 0.5)),
    "ties away from zero": (lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), jnp.round),
    "floats that equal 1/2": (lambda x: jnp.where(x == 0.5, 7.0, x), lambda x: x),
    "another branch that neither takes": (
        lambda x: lax.cond(x.sum() > 500, lambda y: y * 2, lambda y: y * 3, x),
        lambda x: lax.cond(x.sum() > 500, lambda y: y * 5, lambda y: y * 3, x),
    ),
    "of computed numbers": (
        lambda x: jnp.where(x[0] > x[1] * x[1] + 9, x[0] * 2, x[0]),
        lambda x: jnp.where(x[0] > x[1] * x[1] + 9, x[0] * 3, x[0]),
    ),
    "of a sum": (lambda x: x * jnp.minimum(1.0, 1000 / (x * x).sum()), lambda x: x),
    "in a function": (jax.jit(lambda x: jnp.clip(x, -90, 90)), lambda x: x),
    "in a loop": (
        lambda x: lax.fori_loop(0, 3, lambda i, y: jnp.where(y > 64, y - 1, y), x),
        lambda x: lax.fori_loop(0, 3, lambda i, y: y + 0, x),
    ),
}
# Functions that are equal, although only one of them has a constant.
EQUAL: dict[str, tuple[Function, Function]] = {
    "both sides are equal": (lambda x: jnp.where(x > 100, x + x, 2 * x), lambda x: x * 2),
    "a continuous branch": (jax.nn.relu, lambda x: jnp.where(x >= 0, x, 0)),
    "two extrema": (jax.nn.relu6, lambda x: jnp.clip(x, 0, 6)),
    "a slope": (jax.nn.leaky_relu, lambda x: jnp.maximum(x, 0.01 * x)),
    "swapped operands": (lambda x: jnp.where(x > 3, x, 0), lambda x: jnp.where(jnp.float32(3) < x, x, 0)),
    "other roundings": (jnp.floor, lambda x: -jnp.ceil(-x)),
    "the same branches": (
        lambda x: lax.cond(x.sum() > 500, lambda y: y * 2, lambda y: y * 3, x),
        lambda x: x * lax.cond(x.sum() > 500, lambda: 2.0, lambda: 3.0),
    ),
    "a narrow constant": (
        lambda x: jnp.where(x.astype(jnp.bfloat16) > jnp.bfloat16(0.1), x, 0),
        lambda x: jnp.where(x > 0.1, x, 0),
    ),
}


def program(function: Function) -> hlokit.Program:
    return hlokit.load(jax.jit(function).lower(X).as_text())


@pytest.mark.parametrize("name", DIFFERENT)
def test_differences_beyond_constants_are_seen(name: str) -> None:
    verdict = hlokit.equal(*map(program, DIFFERENT[name]))
    assert verdict.status == "differs"
    one, other = (np.asarray(program(function)(*verdict.arguments)) for function in DIFFERENT[name])
    assert not np.allclose(one, other)  # a counterexample


@pytest.mark.parametrize("name", EQUAL)
def test_equal_functions_stay_equal_without_conditions(name: str) -> None:
    verdict = hlokit.equal(*map(program, EQUAL[name]))
    assert (verdict.status, verdict.conditions) == ("equal", ())


def test_a_verdict_says_which_comparisons_decided_one_way_only() -> None:
    one, other = (lambda x: jnp.log(jnp.maximum(x * x, 1e-30))), (lambda x: jnp.log(x * x))
    verdict = hlokit.equal(program(one), program(other))  # no square is below 0
    assert verdict.is_equal
    (condition,) = verdict.conditions
    assert condition.startswith("stablehlo.maximum with 1e-30 at ")
    assert condition.endswith(" of the first program")
    assert f"  where {condition} decides as in these runs" in str(verdict)
    assert verdict.as_dict()["conditions"] == [condition]


def test_arguments_of_the_caller_are_not_changed() -> None:
    one, other = map(program, DIFFERENT["a minimum"])
    x = np.random.default_rng(0).normal(size=X.shape).astype(np.float32)
    verdict = hlokit.equal(one, other, x)
    assert verdict.is_equal
    assert [condition.partition(" at ")[0] for condition in verdict.conditions] == [
        "stablehlo.minimum with 300"
    ]
    assert not hlokit.equal(one, other, 400 * x).is_equal


def test_a_search_ends() -> None:
    def many(x: Any) -> Any:
        return lax.fori_loop(0, 3000, lambda i, y: jnp.sin(y), jnp.minimum(x, 1e6))

    verdict = hlokit.equal(
        program(many), program(lambda x: lax.fori_loop(0, 3000, lambda i, y: jnp.sin(y), x))
    )
    assert verdict.is_equal
    assert len(verdict.conditions) == 1


def test_the_side_of_equal_floats_is_a_condition() -> None:
    one, other = (lambda x: jnp.where(x > 0, 1.0, 0.0)), (lambda x: jnp.where(x >= 0, 1.0, 0.0))
    verdict = hlokit.equal(program(one), program(other), X / 3)  # which is not 0
    assert verdict.is_equal and len(verdict.conditions) == 2
