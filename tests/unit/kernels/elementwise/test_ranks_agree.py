"""Rank 0 and rank 1 give the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.values.element_types import ELEMENT_TYPES


def results(operation: str, type_: str, operands: list[Any], size: str) -> Any:
    tensor = f"tensor<{size}{type_}>"
    names = ", ".join(f"%x{number}" for number in range(len(operands)))
    arguments = ", ".join(f"%x{number}: {tensor}" for number in range(len(operands)))
    types = tensor if operation.startswith("stablehlo") else f"{tensor} -> {tensor}"
    text = f"func.func @main({arguments}) -> {tensor} {{ %r = {operation} {names} : {types} return %r : {tensor} }}"
    program = hlokit.load(text)
    if size:
        return np.asarray(program(*operands)).tobytes()
    rows = zip(*operands, strict=True)
    return b"".join(np.asarray(program(*row)).tobytes() for row in rows)


def assert_ranks_agree(operation: str, type_: str, *operands: Any) -> None:
    with np.errstate(all="ignore"):
        whole = results(operation, type_, list(operands), f"{operands[0].size}x")
        assert results(operation, type_, list(operands), "") == whole


@pytest.mark.parametrize("operation", ["add", "subtract", "multiply", "divide"])
@pytest.mark.parametrize("type_", ["f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E5M2", "f8E4M3FN"])
def test_narrow_floats(operation: str, type_: str) -> None:
    """0 / 0 too, and infinity - infinity: NaN has one sign, and so has the value that represents NaN."""
    element_type = ELEMENT_TYPES[type_]
    values = np.arange(1 << element_type.width).astype(np.uint8).view(element_type.dtype)
    values = np.concatenate([values[:2], values[:: values.size // 16], values[-9:]])
    assert_ranks_agree(
        f"stablehlo.{operation}", type_, np.repeat(values, values.size), np.tile(values, values.size)
    )


def test_lgamma_of_f32() -> None:
    rng = np.random.default_rng(4)
    x = np.concatenate(
        [rng.uniform(-20, 60, 300), 10.0 ** rng.uniform(-30, 30, 100), [0, 1, 2, np.inf, np.nan]]
    )
    assert_ranks_agree("chlo.lgamma", "f32", x.astype(np.float32))


def test_power_of_f64() -> None:
    x = np.random.default_rng(5).uniform(0.1, 20, 500)
    assert_ranks_agree("stablehlo.power", "f64", x, np.full_like(x, 7.3))
