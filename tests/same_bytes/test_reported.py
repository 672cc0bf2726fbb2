"""Regression tests: programs that gave other bytes in the second call, in another layout or in another
iteration."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.sparse.linalg
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.programs.program import Program


def all_runs(program: Program, *arguments: Any) -> set[bytes]:
    """The bytes of the results of three runs, an observed one and the reference."""
    runs = [program(*arguments) for _ in range(3)]
    runs.append(program(*arguments, tier="reference"))
    runs.append(program.trace(*arguments).results)
    return {b"".join(np.asarray(leaf).tobytes() for leaf in jax.tree.leaves(run)) for run in runs}


def test_conjugate_gradients() -> None:
    random = np.random.default_rng(0)
    square = random.standard_normal((40, 40)).astype(np.float32)
    matrix, vector = square @ square.T + 40 * np.eye(40, dtype=np.float32), square[0]

    def solve(matrix: Any, vector: Any) -> Any:
        return jax.scipy.sparse.linalg.cg(lambda x: matrix @ x, vector, tol=0.0, maxiter=30)[0]

    assert len(all_runs(hlokit.from_jax(solve, matrix, vector), matrix, vector)) == 1


def test_loops_over_dot() -> None:
    def loop(a: Any) -> Any:
        return lax.fori_loop(0, 12, lambda _, x: x / (1 + jnp.dot(x, x)), a)

    random = np.random.default_rng(1)
    for size in (3, 17, 33, 100):
        program = hlokit.from_jax(loop, np.zeros(size, np.float32))
        for _ in range(8):
            operand = random.standard_normal(size).astype(np.float32)
            assert len(all_runs(program, operand)) == 1


@pytest.mark.parametrize("name", ["sinh", "cosh", "tan", "exp", "log1p", "power"])
@pytest.mark.parametrize("size", [7, 64, 1000])
def test_functions_of_reversed_views(name: str, size: int) -> None:
    def function(x: Any) -> Any:
        return x**7.3 if name == "power" else getattr(jnp, name)(x)

    with jax.enable_x64(True):
        operand = np.random.default_rng(2).uniform(0, 4, size)
        program = hlokit.from_jax(function, operand)
    expected = np.asarray(program(operand))
    np.testing.assert_array_equal(program(operand[::-1].copy()[::-1]), expected)
    np.testing.assert_array_equal(program(np.repeat(operand, 2)[::2]), expected)


def test_sums_of_transposed_operands() -> None:
    with jax.enable_x64(True):
        operand = np.random.default_rng(3).standard_normal((70, 130))
        programs = [hlokit.from_jax(lambda x, axis=axis: x.sum(axis), operand) for axis in (0, 1, None)]
    for program in programs:
        expected = np.asarray(program(operand))
        np.testing.assert_array_equal(program(np.asfortranarray(operand)), expected)
        np.testing.assert_array_equal(program(operand[::-1, ::-1].copy()[::-1, ::-1]), expected)
