"""Contractions of integers in native loops: the results of the reference and of XLA, and no call of a kernel."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.engine.native.lowerings.blocks import BlockLowering
from tests.generate.same import copies, listed
from tests.unit.engine.native.test_convolutions import no_call

DIMENSIONS: dict[str, Any] = {
    "matrices": ((5, 7), (7, 4), (([1], [0]), ([], []))),
    "batch": ((3, 7), (3, 7), (([1], [1]), ([0], [0]))),
    "vectors": ((7,), (7,), (([0], [0]), ([], []))),
    "two contractions": ((2, 3, 4), (4, 2, 3), (([1, 2], [2, 0]), ([0], [1]))),
    "one element": ((1, 1), (1, 1), (([1], [0]), ([], []))),
    "outer": ((2,), (3,), (([], []), ([], []))),
    "a column": ((2, 3), (3, 1), (([1], [0]), ([], []))),
}


@pytest.mark.parametrize("dimensions", DIMENSIONS)
@pytest.mark.parametrize(
    "types", ["int32,int32", "int8,int32", "uint8,uint32", "int16,int16", "int8,int8", "uint32,uint32"]
)
@pytest.mark.sample("int8,int32-*", "uint32,uint32-matrices")
def test_integers_are_multiplied_in_loops(
    types: str, dimensions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    operand, result = types.split(",")
    *shapes, numbers = DIMENSIONS[dimensions]
    rng = np.random.default_rng(len(types))
    arrays = [rng.integers(-100, 100, shape).astype(operand) for shape in shapes]

    def program(lhs: Any, rhs: Any) -> Any:
        def turn(_: Any, total: Any) -> Any:
            product = lax.dot_general(
                lhs + total.astype(operand), rhs, numbers, preferred_element_type=np.dtype(result)
            )
            return total + product.sum().astype(jnp.int32)

        product = lax.dot_general(lhs, rhs, numbers, preferred_element_type=np.dtype(result))
        return lax.fori_loop(0, 40, turn, jnp.int32(0)), product

    jitted = jax.jit(program)
    expected = copies(listed(jitted(*arrays)))
    loaded = hlokit.load(jitted.lower(*arrays).as_text())
    assert copies(listed(loaded(*arrays, tier="reference"))) == expected
    monkeypatch.setattr(BlockLowering, "_call", no_call)
    for _ in range(3):
        assert copies(listed(loaded(*arrays))) == expected
