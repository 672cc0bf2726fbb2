"""Operations whose kernels sum in another order than the reference: compared within a bound. This is the whole list."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from tests.unit.kernels.one_op import program, type_of

# Operation -> attributes, and the bound of the difference in n * eps * (largest magnitude of the result), for matrices
# of n columns with a condition of about 10.
BOUNDS = {
    "cholesky": ("lower = true", 4),
    "triangular_solve": (
        "left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>",
        4,
    ),
}


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("size", [1, 5, 20])
@pytest.mark.parametrize("name", BOUNDS)
def test_within_the_bound(name: str, size: int, dtype: str) -> None:
    attributes, bound = BOUNDS[name]
    random = np.random.default_rng(size)
    noise = random.standard_normal((size, size)) + 1j * random.standard_normal((size, size))
    a: Any = noise + np.conj(noise.T) + 8 * size * np.eye(size)
    operands = [a if dtype[0] == "c" else a.real]
    if name == "triangular_solve":
        operands.append(operands[0][:, :3])
    values = [operand.astype(dtype) for operand in operands]
    run = hlokit.load(program(name, attributes, values, [type_of(values[-1])]))
    actual, expected = run(*values), run(*values, tier="reference")
    limit = bound * size * np.finfo(dtype).eps * np.abs(expected).max()
    assert np.abs(actual - expected).max() <= limit
