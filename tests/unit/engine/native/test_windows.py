"""Rows of operands that native loops read without copying them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.engine.contract.switches import VARIABLE

TABLE = np.random.default_rng(6).normal(size=(7, 12)).astype(np.float32)


def of_layers(table: Any) -> Any:
    return lax.scan(lambda x, row: (jnp.tanh(x * row), x.sum()), jnp.ones(12), table)


def next_to_each_other(table: Any) -> Any:
    return lax.fori_loop(0, 9, lambda i, x: x + table[i] * table[i - 1], jnp.zeros(12))


def carried(table: Any) -> Any:
    """The row of an iteration is used in the next one, and after the loop."""
    return lax.fori_loop(0, 9, lambda i, state: (table[i], state[1] + state[0]), (table[3], jnp.zeros(12)))


def conditional(table: Any) -> Any:
    def body(i: Any, x: Any) -> Any:
        return lax.cond(i % 3 == 1, lambda: x + table[i], lambda: x * table[i // 2])

    return lax.fori_loop(0, 9, body, jnp.ones(12))


def nested(table: Any) -> Any:
    def body(i: Any, x: Any) -> Any:
        row = table[i]
        return lax.fori_loop(0, i, lambda j, y: y + row * table[j] + lax.sort(row), x)

    return lax.fori_loop(0, 7, body, jnp.ones(12))


def called(table: Any) -> Any:
    """A kernel that no instruction replaces gets the row."""
    return lax.fori_loop(
        0, 7, lambda i, x: x + lax.reduce_window(table[i], 0.0, lax.add, (3,), (1,), "SAME"), jnp.ones(12)
    )


def written(table: Any) -> Any:
    """The rows of a table that the loop writes."""
    return lax.fori_loop(0, 7, lambda i, t: t.at[(i + 1) % 7].set(t[i] + table[i]), table)


def several_rows(table: Any) -> Any:
    def body(i: Any, x: Any) -> Any:
        return x + lax.dynamic_slice(table, (i, 0), (3, 12)) - lax.dynamic_slice(table, (0, i), (3, 12))

    return lax.fori_loop(0, 9, body, jnp.ones((3, 12)))


@pytest.mark.parametrize(
    "function",
    [of_layers, next_to_each_other, carried, conditional, nested, called, written, several_rows],
)
def test_rows_have_the_same_bytes_as_copies(
    function: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = TABLE.copy()
    program = hlokit.from_jax(function, TABLE)
    native = [program(TABLE) for _ in range(6)][-1]
    monkeypatch.setenv(VARIABLE, "native")
    expected = hlokit.from_jax(function, TABLE)(TABLE)
    for found, wanted in zip(jax.tree.leaves(native), jax.tree.leaves(expected), strict=True):
        assert found.tobytes() == wanted.tobytes()
    assert (kept == TABLE).all()


def elements(table: Any, indices: Any) -> Any:
    """One element at a time, some of them out of bounds or NaN."""

    def body(i: Any, t: Any) -> Any:
        t = t.at[indices[i], i].add(t[i, indices[i]] * 3 - t[0, 0], mode="drop")
        t = t.at[i, indices[i]].mul(-table[i, 1], mode="clip")
        return t.at[1, indices[i]].max(t[i, i], mode="drop")

    return lax.fori_loop(0, 7, body, table)


def columns(table: Any, indices: Any) -> Any:
    """Elements that are apart, in both arrays or in one."""

    def body(i: Any, t: Any) -> Any:
        t = t.at[:, indices[i]].add(table[:, i], mode="drop")
        t = t.at[:, indices[i]].min(table.reshape(12, 7)[i], mode="drop")
        return t.at[indices[i]].add(table.T[:, i], mode="drop")

    return lax.fori_loop(0, 7, body, table)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.uint8])
@pytest.mark.parametrize("function", [elements, columns])
def test_updates_of_parts_have_the_bytes_of_kernels(
    function: Callable[[Any, Any], Any], dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with np.errstate(all="ignore"):
        table = (4 * TABLE).astype(dtype)
    if table.dtype.kind == "f":
        table[2, 3], table[0, 5] = np.nan, -np.nan
    for indices in (np.int32([3, 0, 11, 6, 20, 2, 5]), np.int32([-1, 6, 0, -30, 3, 3, 4])):
        program = hlokit.from_jax(function, table, indices)
        native = [program(table, indices) for _ in range(6)][-1]
        with monkeypatch.context() as patched:
            patched.setenv(VARIABLE, "native")
            expected = hlokit.from_jax(function, table, indices)(table, indices)
        assert native.tobytes() == expected.tobytes()
