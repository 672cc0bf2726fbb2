"""Loops that update arrays in place: the results equal those of loops that copy, and operands do not
change."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.engine.contract.switches import VARIABLE
from hlokit.engine.native.in_place import InPlaceLoop

TABLE = np.random.default_rng(5).normal(size=(24, 16)).astype(np.float32)


def run(function: Any, *arguments: Any) -> tuple[Any, ...]:
    results = hlokit.from_jax(function, *arguments)(*arguments)
    return results if isinstance(results, tuple) else (results,)


def run_both(function: Any, *arguments: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [np.array(argument) for argument in arguments]
    native = run(function, *arguments)
    monkeypatch.setenv(VARIABLE, "native-loops")
    owning = run(function, *arguments)
    monkeypatch.setenv(VARIABLE, "in-place,native")
    copying = run(function, *arguments)
    assert copying
    for ours, got, expected in zip(native, owning, copying, strict=True):
        np.testing.assert_array_equal(ours, expected)
        np.testing.assert_array_equal(got, expected)
    for argument, before in zip(arguments, kept, strict=True):
        np.testing.assert_array_equal(argument, before)


def write(table: Any, row: Any, place: Any) -> Any:
    return lax.dynamic_update_slice(table, row[None], (place, 0))


def only_writes(table: Any) -> Any:
    return lax.fori_loop(0, 20, lambda i, t: write(t, jnp.full(16, i * 1.5), i), table)


def reads_before(table: Any) -> Any:
    return lax.fori_loop(0, 20, lambda i, t: write(t, t[i] * 0.5 + t[(i + 7) % 24], i + 2), table)


def keeps_the_old(table: Any) -> Any:
    """A loop that carries the old table beside the new one."""

    def turn(i: Any, state: Any) -> Any:
        new, _ = state
        return write(new, new[i] + 1, i), new

    return lax.fori_loop(0, 20, turn, (table, table))


def keeps_a_view(table: Any) -> Any:
    """A part of the old array is carried on: it may be a view."""

    def turn(i: Any, state: Any) -> Any:
        new, part = state
        return write(new, part[0] + 1, i), new[:2]

    return lax.fori_loop(0, 20, turn, (table, table[:2]))


def swaps(table: Any) -> Any:
    def turn(i: Any, state: Any) -> Any:
        first, second = state
        return second, write(first, second[i], i)

    return lax.fori_loop(0, 20, turn, (table, table * 2))


def reads_after(table: Any) -> Any:
    def turn(i: Any, state: Any) -> Any:
        new, total = state
        written = write(new, total, i)
        return written, total * 0.5 + new[i] + written[i]

    return lax.fori_loop(0, 20, turn, (table, table[0]))


def writes_twice(table: Any) -> Any:
    def turn(i: Any, t: Any) -> Any:
        once = write(t, t[0] + i, i)
        return write(once, once[i] * 2, i + 1)

    return lax.fori_loop(0, 20, turn, table)


def writes_itself(table: Any) -> Any:
    """The update is a view of what is written into, and overlaps it."""
    return lax.fori_loop(
        0,
        20,
        lambda i, t: lax.dynamic_update_slice(t, lax.dynamic_slice(t, (0, 0), (20, 16)), (i % 4, 0)),
        table,
    )


def chain_of_old(table: Any) -> Any:
    """Fused computations on large arrays read the old array, and may be evaluated late."""

    def turn(i: Any, state: Any) -> Any:
        big, total = state
        first = big * 2 + 1
        written = lax.dynamic_update_slice(big, jnp.ones((1, 128)), (i, 0))
        return written, first * total + 0.5

    big = jnp.tile(table[:16, :16], (4, 8))
    return lax.fori_loop(0, 12, turn, (big, big))


def scans(table: Any) -> Any:
    return lax.scan(lambda mean, row: (0.5 * mean + row, (mean, row * 2)), table[0], table)[1]


def scatters(table: Any) -> Any:
    def turn(i: Any, t: Any) -> Any:
        return t.at[jnp.array([1, 3, 1]), i % 16].add(t[i, 0] * 0.5).at[i].set(2.0)

    return lax.fori_loop(0, 20, turn, table)


def scatters_transposed(table: Any) -> Any:
    return lax.fori_loop(0, 12, lambda i, t: t.at[i, i].multiply(1.5), table.T)


def nested(table: Any) -> Any:
    def outer(i: Any, t: Any) -> Any:
        return lax.fori_loop(0, 10, lambda j, u: write(u, u[i] + j, j), t)

    return lax.fori_loop(0, 12, outer, table)


@pytest.mark.parametrize(
    "function",
    [
        only_writes, reads_before, keeps_the_old, keeps_a_view, swaps, reads_after, writes_twice, writes_itself,
        chain_of_old, scans, scatters, scatters_transposed, nested,
    ],
    ids=lambda function: function.__name__,
)  # fmt: skip
def test_the_same_as_copies(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run_both(function, TABLE, monkeypatch=monkeypatch)


@pytest.mark.parametrize(
    ("function", "expected"), [(only_writes, True), (reads_before, True), (writes_twice, True), (scans, True), (scatters, True), (keeps_the_old, False), (swaps, False), (keeps_a_view, False)]
)  # fmt: skip
def test_which_loops_own(function: Any, expected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "native-loops")
    found: list[bool] = []
    copies = InPlaceLoop.with_private_copies
    monkeypatch.setattr(
        InPlaceLoop, "with_private_copies", lambda loop, values: found.append(True) or copies(loop, values)
    )
    hlokit.from_jax(function, TABLE)(TABLE)
    assert bool(found) == expected


def test_arrays_that_python_code_kept_stay() -> None:
    kept: list[np.ndarray] = []

    @hlokit.custom_call("keep_for_test")
    def keep(operand: np.ndarray) -> np.ndarray:
        kept.append(operand)
        return operand[0, 0]

    program = hlokit.load("""
func.func @main(%table: tensor<20x16xf32>) -> tensor<20x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<20> : tensor<i32>
  %row = stablehlo.constant dense<3.0> : tensor<1x16xf32>
  %r:2 = stablehlo.while(%i = %zero, %t = %table) : tensor<i32>, tensor<20x16xf32> cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %x = stablehlo.custom_call @keep_for_test(%t) : (tensor<20x16xf32>) -> tensor<f32>
    %u = stablehlo.dynamic_update_slice %t, %row, %i, %zero : (tensor<20x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<20x16xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %u : tensor<i32>, tensor<20x16xf32>
  }
  return %r#1 : tensor<20x16xf32>
}""")
    program(np.zeros((20, 16), np.float32))
    assert [int((table == 3).all(1).sum()) for table in kept] == list(range(20))


RECURSIVE = """
func.func @fill(%n: tensor<i32>, %a: tensor<100xf32>) -> tensor<100xf32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.compare GT, %n, %0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %2 = "stablehlo.if"(%1) ({
    %3 = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.subtract %n, %3 : tensor<i32>
    %5 = func.call @fill(%4, %a) : (tensor<i32>, tensor<100xf32>) -> tensor<100xf32>
    %6 = stablehlo.add %5, %5 : tensor<100xf32>
    stablehlo.return %6 : tensor<100xf32>
  }, {
    stablehlo.return %a : tensor<100xf32>
  }) : (tensor<i1>) -> tensor<100xf32>
  return %2 : tensor<100xf32>
}
func.func @main(%n: tensor<i32>, %a: tensor<100xf32>) -> tensor<100xf32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.while(%i = %0, %x = %a) : tensor<i32>, tensor<100xf32>
  cond {
    %2 = stablehlo.constant dense<20> : tensor<i32>
    %3 = stablehlo.compare LT, %i, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %2 = stablehlo.constant dense<1> : tensor<i32>
    %3 = stablehlo.add %i, %2 : tensor<i32>
    %4 = func.call @fill(%n, %x) : (tensor<i32>, tensor<100xf32>) -> tensor<100xf32>
    %5 = stablehlo.slice %4 [99:100] : (tensor<100xf32>) -> tensor<1xf32>
    %6 = stablehlo.dynamic_update_slice %x, %5, %i : (tensor<100xf32>, tensor<1xf32>, tensor<i32>) -> tensor<100xf32>
    stablehlo.return %3, %6 : tensor<i32>, tensor<100xf32>
  }
  return %1#1 : tensor<100xf32>
}"""


def test_functions_that_call_themselves() -> None:
    result = hlokit.load(RECURSIVE)(3, np.ones(100, np.float32))
    np.testing.assert_array_equal(result, np.where(np.arange(100) < 20, 8, 1))
