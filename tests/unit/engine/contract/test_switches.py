"""HLOKIT_DISABLE: without any of the fast paths, a program has the same results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.cli.main import main
from hlokit.engine.contract import switches

RANDOM = np.random.default_rng(11)


def uniform(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return RANDOM.uniform(0.5, 2.0, shape).astype(dtype)


def small_integers(*shape: int, dtype: Any = np.int32) -> np.ndarray:
    return RANDOM.integers(-20, 20, shape).astype(dtype)


def chain(x: Any) -> Any:
    return jnp.tanh(x * 2 + 1) / (jnp.abs(x) + 1)


def scalar_loop(x: Any) -> Any:
    return lax.fori_loop(0, 50, lambda i, v: jnp.minimum(jnp.sin(v) * 0.5 + i * 0.01, 3.0), x)


def updating_loop(table: Any) -> Any:
    def turn(i: Any, state: Any) -> Any:
        table, total = state
        total = total + table[i]
        return lax.dynamic_update_slice(table, total[None] * 0.5, (i + 1, 0)), total

    return lax.fori_loop(0, 9, turn, (table, table[3]))


def scan(x: Any) -> Any:
    return lax.scan(lambda mean, row: (0.5 * mean + row, mean * 2), x[0], x)


def argmax(x: Any) -> Any:
    return jnp.argmax(x, 1), jnp.argmin(x, 0)


def sums(x: Any) -> Any:
    return (
        jnp.sum(x, 0),
        jnp.max(x, 1),
        jnp.prod(x[:3], 0),
        jnp.sum(x.reshape(-1, 4), 0),
        jnp.sum(x.reshape(-1, 4), 1),
    )


def sorts(x: Any, y: Any) -> Any:
    return jnp.sort(x), -jnp.sort(-x), lax.sort((y, x), num_keys=2)


def scatters(x: Any, places: Any, updates: Any) -> Any:
    return x.at[places].add(updates), x.at[places].max(updates), x.at[3].set(7.0)


def gathers(x: Any, places: Any) -> Any:
    return x[places], lax.dynamic_slice(x, (1, 2), (2, 3)), x[places[0], 1]


def convolutions(x: Any, kernel: Any, deep: Any) -> Any:
    numbers = lax.conv_dimension_numbers(x.shape, kernel.shape, ("NHWC", "HWIO", "NHWC"))
    plain = lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=numbers)
    return plain, lax.conv_general_dilated(
        x, deep, (2, 1), "VALID", dimension_numbers=numbers, feature_group_count=4
    )


def products(a: Any, b: Any) -> Any:
    return a @ b, jnp.fft.fft(a)


def integer_products(a: Any, b: Any) -> Any:
    return lax.dot(a, b, preferred_element_type=np.int32), a.astype(np.int32) @ b.astype(np.int32)


def narrow(x: Any) -> Any:
    return jnp.exp(x), x * x + x, jnp.sum(x, 0)


def windows(x: Any) -> Any:
    pooled = lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID")
    return pooled, lax.cumsum(x, 0), lax.cummax(x, 1)


def own_reducer(x: Any) -> Any:
    return lax.reduce(x, np.float32(0), lambda a, b: jnp.sqrt(a * a + b * b), (1,))


PROGRAMS: dict[str, tuple[Any, Sequence[np.ndarray]]] = {
    "chain": (chain, [uniform(200, 300)]),
    "scalar loop": (scalar_loop, [np.array(0.3, np.float32)]),
    "updating loop": (updating_loop, [uniform(10, 4)]),
    "scan": (scan, [uniform(30, 5)]),
    "argmax": (argmax, [uniform(20, 30)]),
    "sums": (sums, [uniform(60, 80)]),
    "integer sums": (sums, [small_integers(60, 80)]),
    "sorts": (sorts, [uniform(300), small_integers(300)]),
    "scatters": (scatters, [uniform(9), small_integers(40) % 9, uniform(40)]),
    "gathers": (gathers, [uniform(8, 6), small_integers(5) % 8]),
    "convolutions": (convolutions, [uniform(2, 9, 8, 4), uniform(3, 3, 4, 5), uniform(3, 3, 1, 8)]),
    "products": (products, [uniform(300, 200), uniform(200, 100)]),
    "integer products": (
        integer_products,
        [small_integers(40, 50, dtype=np.int8), small_integers(50, 30, dtype=np.int8)],
    ),
    "bf16": (narrow, [uniform(100, 90, dtype=ml_dtypes.bfloat16)]),
    "f8": (narrow, [uniform(3, 400, dtype=ml_dtypes.float8_e5m2)]),
    "windows": (windows, [uniform(20, 24)]),
    "own reducer": (own_reducer, [uniform(12, 15)]),
}


def results(program: hlokit.Program, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The results of the third run, when all code is compiled and arrays may be reused."""
    for _ in range(2):
        program(*arguments)
    import jax

    return [np.asarray(leaf) for leaf in jax.tree.leaves(program(*arguments))]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_without(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function, arguments = PROGRAMS[name]
    monkeypatch.delenv(switches.VARIABLE, raising=False)
    expected = results(hlokit.from_jax(function, *arguments), arguments)
    kept = [array.copy() for array in arguments]
    for switch in (*switches.SWITCHES, "all"):
        monkeypatch.setenv(switches.VARIABLE, switch)
        for got, wanted in zip(
            results(hlokit.from_jax(function, *arguments), arguments), expected, strict=True
        ):
            assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape), switch
            assert got.tobytes() == wanted.tobytes(), switch
        for array, before in zip(arguments, kept, strict=True):
            np.testing.assert_array_equal(array, before, switch)


def test_names_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(switches.VARIABLE, " fusion, native,")
    assert not switches.is_on("fusion")
    assert not switches.is_on("native")
    assert switches.is_on("in-place")
    monkeypatch.setenv(switches.VARIABLE, "all")
    assert not any(map(switches.is_on, switches.SWITCHES))


def test_unknown_names_are_errors(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(switches.VARIABLE, "fusion,turbo")
    text = "func.func @main() -> tensor<i32> {\n  %0 = stablehlo.constant dense<1> : tensor<i32>\n  return %0 : tensor<i32>\n}"
    with pytest.raises(hlokit.ArgumentError, match="no fast path 'turbo'"):
        hlokit.load(text)
    assert main(["run", "/dev/null"]) == 1
    assert "turbo" in capsys.readouterr().err


def test_the_page_lists_all_switches() -> None:
    page = (Path(__file__).parents[4] / "docs" / "performance.md").read_text()
    for name, without in switches.SWITCHES.items():
        assert f"| `{name}` | {without} |" in page
