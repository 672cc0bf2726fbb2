"""Loops over arrays as native programs: cases that random programs (`test_loops.py`) do not contain."""

from __future__ import annotations

import contextlib
import ctypes
import threading
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.native.loops import NativeLoop
from tests.unit.engine.native.interrupting import SOON, interrupted_after


def is_native(function: Any, *arguments: Any) -> bool:
    """Whether the first loop of a function has a native program."""
    module = hlokit.from_jax(function, *arguments)
    (step,) = (s for s in Planner(module.module).function("main").plan.steps if s.name == "stablehlo.while")
    cond, body = step.kernel.regions
    return NativeLoop(cond, body, len(body.argument_types)).is_lowerable


def both(function: Any, *arguments: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    native = np.asarray(hlokit.from_jax(function, *arguments)(*arguments))
    monkeypatch.setenv("HLOKIT_DISABLE", "native")
    return native, np.asarray(hlokit.from_jax(function, *arguments)(*arguments))


def test_sums_are_as_accurate_as_those_of_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(1).normal(size=(30, 70)).astype(np.float32)

    def sums(x: Any) -> Any:
        def turn(i: Any, state: Any) -> Any:
            total, columns, rows = state
            return total + x.sum() * i, columns + x.sum(0), rows + (x * 1.5).sum(1)

        total, columns, rows = lax.fori_loop(0, 20, turn, (jnp.float32(0), x[0], x[:, 0]))
        return jnp.concatenate([total[None], columns, rows])

    assert is_native(sums, x)
    native, plain = both(sums, x, monkeypatch=monkeypatch)
    np.testing.assert_array_almost_equal_nulp(native, plain, 4)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_products(dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    a, b = (rng.integers(-4, 5, shape).astype(dtype) for shape in ((3, 4, 5), (3, 5, 4)))

    def products(a: Any, b: Any) -> Any:
        def turn(i: Any, state: Any) -> Any:
            batched = jnp.einsum("bij,bjk->bik", state, b)
            turned = jnp.einsum("bik,bkl->bil", batched, b.transpose(0, 2, 1)[:, ::-1])
            vector = turned[0] @ a[1, 0] + jnp.einsum("ijk,jik->", a, a.transpose(1, 0, 2))
            return jnp.where(abs(turned) > 1e3, 1, turned) + vector[None, :, None] % 3

        with jax.enable_x64(dtype is np.float64):
            return lax.fori_loop(0, 20, turn, a)

    with jax.enable_x64(dtype is np.float64):
        assert is_native(products, a, b)
        native, plain = both(products, a, b, monkeypatch=monkeypatch)
    assert native.dtype == dtype
    np.testing.assert_array_equal(native, plain)


@pytest.mark.parametrize("value", [1.0, np.nan])
def test_arg_extrema(value: float, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(3).integers(-3, 3, (6, 5)).astype(np.float32)
    x[2, 3] = value
    x[4] = -np.inf

    def extrema(x: Any) -> Any:
        def turn(i: Any, state: Any) -> Any:
            total, x = state
            found = x.argmax(1).sum() * 100 + x.argmin() * 7 + x.astype(jnp.int32).argmax(0)[1]
            found += (x == i % 3).argmax(0).sum() + (x < 0).argmin(1)[0]
            return total + found * i, jnp.roll(x, 1, 0)

        return lax.fori_loop(0, 20, turn, (0, x))[0]

    assert is_native(extrema, x)
    native, plain = both(extrema, x, monkeypatch=monkeypatch)
    np.testing.assert_array_equal(native, plain)


def test_captured_scalars_may_change() -> None:
    def power(x: Any, factor: Any, start: Any) -> Any:
        return lax.fori_loop(0, 12, lambda i, v: v.at[(i + start) % 4].multiply(factor), x)

    x = np.ones(4, np.float32)
    loaded = hlokit.from_jax(power, x, np.float32(0), np.int32(0))
    for factor, start in ((2, 0), (2, 0), (3, 0), (3, 1), (2, 0), (5, 3)):
        result = np.asarray(loaded(x, np.float32(factor), np.int32(start)))
        assert np.array_equal(result, np.full(4, factor**3, np.float32)), (factor, start)


def test_large_arrays_are_left_to_kernels() -> None:
    x = np.zeros(1 << 17, np.float32)
    assert not is_native(lambda x: lax.fori_loop(0, 20, lambda i, v: v * 0.5 + 1, x), x)
    # unless a turn takes a part of them
    assert is_native(lambda x: lax.fori_loop(0, 20, lambda i, v: v.at[i].add(1), x), x)


def test_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLOKIT_DISABLE", "native-loops")
    x = np.zeros(4, np.float32)
    assert not is_native(lambda x: lax.fori_loop(0, 20, lambda i, v: v.at[i].add(1), x), x)


def test_a_signal_ends_a_loop_of_much_work() -> None:
    x = np.ones(30_000, np.float32)
    endless = hlokit.from_jax(lambda x: lax.while_loop(lambda v: v[0] < 3, lambda v: v * 0.5 + 0.5, x), x)

    with interrupted_after(0.3):
        endless(x)


def test_an_exception_that_another_thread_sets_ends_an_endless_loop() -> None:
    class Ended(BaseException):
        pass

    endless = hlokit.from_jax(
        lambda x: lax.while_loop(lambda v: v < 3, lambda v: v * 0.5 + 0.5, x), np.float32(1)
    )
    ended = threading.Event()

    def run() -> None:
        with contextlib.suppress(Ended):
            endless(np.float32(1))
        ended.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert not ended.wait(0.3)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(Ended))
    assert ended.wait(SOON)
