"""Linear algebra gives the same bytes on every processor, with any threads, layouts and neighbours in a stack."""

from __future__ import annotations

import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hlokit
from hlokit import _kernels
from tests.unit.kernels.linalg.routines import DTYPES, ROUTINES, digest, matrices

LEVELS = ("baseline", "avx2", "avx512", "amx")


def hashes(**environment: str) -> list[str]:
    command = [sys.executable, "-m", "tests.unit.kernels.linalg.routines"]
    result = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    return result.stdout.splitlines()


@pytest.mark.deep
def test_processors_and_threads() -> None:
    first = hashes(HLOKIT_CPU="baseline", HLOKIT_THREADS="1", OPENBLAS_NUM_THREADS="1")
    assert len(first) == 4 * len(DTYPES) * len(ROUTINES)
    for level in LEVELS[1 : LEVELS.index(_kernels.cpu_level()) + 1]:
        assert hashes(HLOKIT_CPU=level, HLOKIT_THREADS="2", OPENBLAS_NUM_THREADS="2") == first, level
    assert hashes(HLOKIT_THREADS="2", HLOKIT_DISABLE="all") == first


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ROUTINES)
def test_layouts_and_neighbours(name: str, dtype: str) -> None:
    routine = ROUTINES[name]
    for shape in ((6, 4, 4), (2, 40, 40)):
        a = matrices(dtype, *shape)
        expected = digest(routine(a))
        turned = np.swapaxes(np.ascontiguousarray(np.swapaxes(a, -1, -2)), -1, -2)
        wide = np.zeros((*shape[:2], 2 * shape[2]), dtype)
        wide[..., ::2] = a
        for other in (turned, wide[..., ::2], a[::-1, ::-1, ::-1].copy()[::-1, ::-1, ::-1]):
            assert digest(routine(other)) == expected
        alone = [routine(matrix[np.newaxis]) for matrix in a]
        stacked = tuple(np.concatenate(parts) for parts in zip(*alone, strict=True))
        assert digest(stacked) == expected
        assert digest(routine(a.reshape(2, -1, *shape[1:]))) == expected


def test_runs_and_loops() -> None:
    """First and later runs, observed ones, and turns of a loop."""

    def step(a: jax.Array) -> jax.Array:
        q, r = jnp.linalg.qr(a)
        values, vectors = jnp.linalg.eigh(r @ q + (r @ q).T)
        u, s, vt = jnp.linalg.svd(a)
        solved = jnp.linalg.solve(a + 9 * jnp.eye(5, dtype=a.dtype), vectors * values)
        return solved + (u * s) @ vt + jnp.linalg.cholesky(a @ a.T + 9 * jnp.eye(5, dtype=a.dtype))

    def loop(a: jax.Array) -> jax.Array:
        return jax.lax.fori_loop(0, 4, lambda _, x: step(x), a)

    a = matrices("f4", 5, 5)
    once, looped = hlokit.from_jax(step, a), hlokit.from_jax(loop, a)
    results = [once(a) for _ in range(4)]
    assert len({result.tobytes() for result in results}) == 1
    x = a
    for _ in range(4):
        x = once(x)
    assert {looped(a).tobytes() for _ in range(3)} == {x.tobytes()}
