"""Scatters in native programs give the bytes of their kernels, without a call of a kernel."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.engine.native.lowerings.calls import Call

SCATTERS = {
    "an element": lambda x, i: x.at[i, (i + 1) % 8].add(x[1, 2]),
    "a product": lambda x, i: x.at[i, i].multiply(x[0, 0]),
    "a row": lambda x, i: x.at[i].add(x[3]),
    "a column": lambda x, i: x.at[:, i].add(x[:, 3]),
    "rows, one of them twice": lambda x, i: x.at[jnp.stack([i, i + 1, i])].add(x[:3]),
    "elements, one of them twice": lambda x, i: x.at[jnp.stack([i, i + 1, i]), jnp.stack([i] * 3)].add(
        x[0, :3]
    ),
    "a batch of two dimensions": lambda x, i: x.at[
        jnp.stack([i, i + 1])[:, None], jnp.stack([i, 7 - i])[None]
    ].add(x[:2, :2]),
}


def values(dtype: str) -> np.ndarray[Any, Any]:
    random = np.random.default_rng(0)
    real, imaginary = 10 * random.standard_normal((2, 8, 8))
    x = (real + 1j * imaginary if dtype == "complex64" else real).astype(dtype)
    if dtype != "int32":
        x[0, 0], x[1, 1], x[2, 2] = np.nan, np.inf, -np.nan
    return x


def scattered(scatter: Callable[[Any, Any], Any], x: Any, indices: Any) -> Any:
    return lax.scan(lambda x, index: (scatter(x, index), index), x, indices)[0]


@pytest.mark.parametrize("dtype", ["complex64", "float16", "int32"])
def test_updates_of_a_few_elements(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        pytest.fail("a native program calls a kernel")

    x, indices = values(dtype), np.random.default_rng(1).integers(-2, 10, 40, np.int32)
    wrong: list[str] = []
    for name, scatter in SCATTERS.items():
        text = jax.jit(partial(scattered, scatter)).lower(x, indices).as_text()
        program = hlokit.load(text)
        results = [program(x, indices).tobytes() for _ in range(4)]
        with monkeypatch.context() as patched:
            patched.setattr(Call, "evaluate", fail)
            results.append(program(x, indices).tobytes())
            patched.setenv("HLOKIT_DISABLE", "native")
            expected = hlokit.load(text)(x, indices).tobytes()
        wrong += [name] * (results != [expected] * 5)
    assert wrong == []
