"""Integers and flags that no example has: programs that differ only for these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit

WORDS = np.arange(8, dtype=np.int32)
BYTES, BITS = WORDS.astype(np.int8), WORDS.astype(np.uint32)
FLOATS = np.ones(3, np.float32)
FLAG = np.bool_(True)
Row = tuple[Callable[..., Any], Callable[..., Any], Sequence[Any]]

DIFFERENT: dict[str, Row] = {
    "quotients round toward zero": (lambda x: lax.div(x, np.int32(2)), lambda x: x >> 1, [WORDS]),
    "remainders of negative numbers": (lambda x: lax.rem(x, np.int32(8)), lambda x: x & 7, [WORDS]),
    "shifts with and without signs": (lambda x: x >> 27, lambda x: lax.shift_right_logical(x, 27), [WORDS]),
    "unsigned maximum": (
        lambda x, y: jnp.maximum(x.astype(jnp.uint32), y.astype(jnp.uint32)).astype(jnp.int32),
        jnp.maximum,
        [WORDS, WORDS],
    ),
    "unsigned order": (
        jnp.sort,
        lambda x: jnp.sort(x.astype(jnp.uint32)).astype(jnp.int32),
        [WORDS],
    ),
    "products of eight bits": (
        lambda x, y: x.astype(jnp.int32) * y.astype(jnp.int32),
        lambda x, y: (x * y).astype(jnp.int32),
        [BYTES, BYTES],
    ),
    "sums of eight bits": (
        lambda x, w: jnp.dot(x.astype(jnp.int32), w.astype(jnp.int32)),
        lambda x, w: lax.dot(x, w).astype(jnp.int32),
        [BYTES, BYTES],
    ),
    "extension of the sign": (
        lambda x: x.astype(jnp.float32),
        lambda x: x.astype(jnp.uint8).astype(jnp.float32),
        [BYTES],
    ),
    "a branch": (
        lambda flag, x: lax.cond(flag, lambda: x * 2, lambda: x * 3),
        lambda flag, x: lax.cond(flag, lambda: x * 2, lambda: x * 4),
        [FLAG, FLOATS],
    ),
    "the other branch": (
        lambda flag, x: lax.cond(flag, lambda: x * 2, lambda: x * 3),
        lambda flag, x: lax.cond(flag, lambda: x * 5, lambda: x * 3),
        [FLAG, FLOATS],
    ),
}
EQUAL: dict[str, Row] = {
    "quotients round down": (lambda x: x // 2, lambda x: x >> 1, [WORDS]),
    "remainders": (lambda x: x % 8, lambda x: x & 7, [WORDS]),
    "a rotation": (lambda x: (x << 5) | (x >> 27), lambda x: (x << 5) + (x >> 27), [BITS]),
    "the absolute value": (jnp.abs, lambda x: (x ^ (x >> 31)) - (x >> 31), [WORDS]),
    "products of eight bits": (
        lambda x, y: (x.astype(jnp.int32) * y.astype(jnp.int32)).astype(jnp.int8),
        lambda x, y: x * y,
        [BYTES, BYTES],
    ),
    "sums of eight bits": (
        lambda x, w: jnp.dot(x.astype(jnp.int32), w.astype(jnp.int32)),
        lambda x, w: lax.dot(x, w, preferred_element_type=jnp.int32),
        [BYTES, BYTES],
    ),
    "indices stay indices": (lambda i: jnp.arange(10)[i] * 2, lambda i: jnp.clip(i, 0, 9) * 2, [WORDS]),
    "the number of turns": (
        lambda n: lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] + c[0]), (0, 0))[1],
        lambda n: jnp.where(n > 0, n * (n - 1) // 2, 0),
        [np.int32(5)],
    ),
}


def pair(row: Row) -> list[hlokit.Program]:
    return [hlokit.from_jax(function, *row[2]) for function in row[:2]]


@pytest.mark.parametrize("name", DIFFERENT)
def test_differences_beyond_examples_are_seen(name: str) -> None:
    one, other = pair(DIFFERENT[name])
    verdict = hlokit.equal(one, other)
    assert verdict.status == "differs"
    values = one(*verdict.arguments), other(*verdict.arguments)
    assert not np.array_equal(values[0], values[1])  # a counterexample


@pytest.mark.parametrize("name", EQUAL)
def test_what_is_equal_stays_equal(name: str) -> None:
    verdict = hlokit.equal(*pair(EQUAL[name]))
    assert verdict.is_equal
    assert "--prove decides" in str(verdict)
