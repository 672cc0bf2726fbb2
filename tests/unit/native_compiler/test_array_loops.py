"""Loops over arrays as native programs: what random programs (`test_loops.py`) do not show."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit import _kernels
from hlokit.interpreter.planner import Planner
from hlokit.native.loops import ENDED, NativeLoop
from tests.unit.native_compiler.interrupting import interrupted_after


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


# Malformed programs ------------------------------------------------------------------------------

# ProgramBuilder: 0 and 1 are f32 scalars, 2 and 3 arrays of 6 f32, 4 an array of 5 i32, 5 a scalar i32.
TYPES = ["f32", "f32", "f32", "f32", "i32", "i32"]
COUNTS = [-1, -1, 6, 6, 5, -1]
ADD = _kernels.find_operation("add", "f32", "f32")
WINDOW = [0, 1, 2, 0, 1, 0, 1, 1, -1, 1, 5, 0, 4, 1, -1]
MALFORMED = {
    "sizes differ": ([(ADD, 2, 3, 4, 0)], []),
    "array for a scalar": ([(ADD, 0, 2, 1, 0)], []),
    "no numbers": ([(-4, 2, 3, 0, 0)], []),
    "too few numbers": ([(-4, 2, 3, 0, 0)], [[1, 6, 0, 1, 0]]),
    "too many numbers": ([(-4, 2, 3, 0, 0)], [[1, 6, 0, 1, 0, 1, 0]]),
    "reads beyond": ([(-4, 2, 3, 0, 0)], [[1, 6, 1, 1, 0, 1]]),
    "reads before": ([(-4, 2, 3, 0, 0)], [[1, 6, 4, -1, 0, 1]]),
    "writes beyond": ([(-4, 2, 3, 0, 0)], [[1, 3, 0, 1, 0, 3]]),
    "reads what it writes": ([(-4, 2, 2, 0, 0)], [[1, 6, 0, 1, 0, 1]]),
    "other type": ([(-4, 2, 4, 0, 0)], [[1, 5, 0, 1, 0, 1]]),
    "huge": ([(-4, 2, 3, 0, 0)], [[2, 1 << 20, 1 << 20, 0, 0, 0, 0, 0, 0]]),
    "window beyond": ([(-5, 2, 3, 0, 0)], [[*WINDOW[:12], 5, *WINDOW[13:]]]),
    "no such start": ([(-5, 2, 3, 0, 0)], [[*WINDOW[:10], 9, *WINDOW[11:]]]),
    "start of floats": ([(-5, 2, 3, 0, 0)], [[*WINDOW[:10], 1, *WINDOW[11:]]]),
    "combined reads": ([(-5, 2, 3, 0, 0)], [[*WINDOW[:8], ADD, *WINDOW[9:]]]),
    "reduces beyond": ([(-7, 0, 2, 1, 0)], [[ADD, 0, 0, 1, 7, 1]]),
    "reduces to too few": ([(-7, 0, 2, 1, 0)], [[ADD, 0, 1, 2, 3, 1, 3, 1]]),
    "products beyond": ([(-8, 0, 2, 3, 0)], [[0, 0, 0, 0, 1, 7, 1, 1, 0]]),
    "products of integers": ([(-8, 5, 4, 4, 0)], [[0, 0, 0, 0, 1, 5, 1, 1, 0]]),
    "products that do not fill": ([(-8, 2, 3, 1, 0)], [[0, 0, 0, 1, 3, 1, 1, 0, 0]]),
    "a call without numbers": ([(-9, 2, 0, 0, 0)], []),
    "a call of less than 0": ([(-9, 2, 0, 0, 0)], [[-1, 1, 2, 0]]),
    "a call of fewer operands": ([(-9, 2, 0, 0, 0)], [[0, 1, 2, 2, 3]]),
    "a call with more numbers": ([(-9, 2, 0, 0, 0)], [[0, 1, 2, 0, 3]]),
    "a call of no register": ([(-9, 2, 0, 0, 0)], [[0, 1, 2, 1, 6]]),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_programs(name: str) -> None:
    code, numbers = MALFORMED[name]
    with pytest.raises(ValueError, match=r"must|no operation|no numbers|no register|no products"):
        _kernels.Loop(TYPES, code, COUNTS, numbers, [])


def test_well_formed_programs() -> None:
    """The valid programs that the malformed ones were made of."""
    for code, numbers in (
        ((-4, 2, 3, 0, 0), [1, 6, 0, 1, 0, 1]),
        ((-5, 2, 3, 0, 0), WINDOW),
        ((-7, 0, 2, 1, 0), [ADD, 0, 0, 1, 6, 1]),
        ((-8, 0, 2, 3, 0), [0, 0, 0, 0, 1, 6, 1, 1, 0]),
    ):
        loop = _kernels.Loop(TYPES, [code], COUNTS, [numbers], [3])
        registers, arena = np.zeros(9, np.uint64), np.zeros(loop.arena_bytes, np.uint8)
        assert _kernels.LoopRun(loop, registers, [np.zeros(6, np.float32)], arena).resume(1) == ENDED


def test_registers_of_a_call_are_those_among_its_numbers() -> None:
    loop = _kernels.Loop(TYPES, [(-9, 99, 99, 0, 99)], COUNTS, [[7, 1, 2, 1, 3]], [3])
    registers, arena = np.zeros(9, np.uint64), np.zeros(loop.arena_bytes, np.uint8)
    run = _kernels.LoopRun(loop, registers, [np.zeros(6, np.float32)], arena)
    assert (run.resume(1), run.resume(1)) == (7, ENDED)


def test_wrong_memory() -> None:
    loop = _kernels.Loop(TYPES, [(-4, 2, 3, 0, 0)], COUNTS, [[1, 6, 0, 1, 0, 1]], [2, 3])
    registers, arena = np.zeros(9, np.uint64), np.zeros(loop.arena_bytes, np.uint8)
    x, y = np.zeros(6, np.float32), np.arange(6, dtype=np.float32)
    for arrays in ([x], [x, y[:5]], [x, x], [np.zeros(7, np.uint32)[1:], np.zeros(25, np.uint8)[1:]]):
        with pytest.raises(ValueError, match="must"):
            _kernels.LoopRun(loop, registers, arrays, arena).resume(1)
    read_only = np.zeros(6, np.float32)
    read_only.flags.writeable = False
    with pytest.raises((BufferError, ValueError)):
        _kernels.LoopRun(loop, registers, [read_only, y], arena).resume(1)
    with pytest.raises(ValueError, match="arena"):
        _kernels.LoopRun(loop, registers, [x, y], arena[1:]).resume(1)
    assert _kernels.LoopRun(loop, registers, [x, read_only + y], arena).resume(1) == ENDED
    assert np.array_equal(x, y)


def test_a_run_does_not_go_on_after_its_end() -> None:
    loop = _kernels.Loop(["f32", "f32"], [(ADD, 0, 0, 1, 0)])
    registers, arena = np.zeros(5, np.uint64), np.zeros(loop.arena_bytes, np.uint8)
    values = registers[3:].view(np.float32)
    values[0], values[2] = 1, 2
    run = _kernels.LoopRun(loop, registers, [], arena)
    assert run.resume(1) == ENDED
    with pytest.raises(ValueError, match="must go on where it stopped"):
        run.resume(1)
    assert values[0] == 3
