"""NaNs of bf16 and f16 keep their bits in operations that move, select, negate or take magnitude or sign."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import hlokit
from hlokit.values.bits import bits
from tests.same_bytes.worker import THRESHOLDS

TYPES = {"bf16": np.dtype(ml_dtypes.bfloat16), "f16": np.dtype(np.float16)}
# Quiet and signaling NaNs, infinities, zeros, numbers.
CODES = {
    "bf16": [0xFFFF, 0x7FFF, 0x7FC0, 0xFFC0, 0x7F81, 0xFF81, 0x7F80, 0xFF80, 0, 0x8000, 0x3F81, 0xBF81],
    "f16": [0xFFFF, 0x7FFF, 0x7E00, 0xFE00, 0x7C01, 0xFC01, 0x7C00, 0xFC00, 0, 0x8000, 0x3C01, 0xBC01],
}
SIGN, ONE = 0x8000, {"bf16": 0x3F80, "f16": 0x3C00}


def expected(name: str, type_: str, code: int) -> int:
    """By the bits of IEEE-754."""
    magnitude = code & ~SIGN
    is_nan = magnitude > CODES[type_][6]
    match name:
        case "abs":
            return magnitude
        case "negate":
            return code ^ SIGN
        case _:
            return code if is_nan or magnitude == 0 else ONE[type_] | code & SIGN


@pytest.mark.parametrize("disabled", ["", "all"])
@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", ["abs", "negate", "sign"])
def test_nans_keep_their_bits(name: str, type_: str, disabled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLOKIT_DISABLE", disabled)
    for count in (1, 400):
        codes = np.array(CODES[type_] * count, np.uint16)
        tensor = f"tensor<{codes.size}x{type_}>"
        program = hlokit.load(
            f"func.func @main(%p: tensor<i1>, %x: {tensor}) -> {tensor} {{\n"
            f"  %0 = stablehlo.select %p, %x, %x : tensor<i1>, {tensor}\n"
            f'  %1 = "stablehlo.{name}"(%0) : ({tensor}) -> {tensor}\n'
            f"  %2 = stablehlo.select %p, %1, %0 : tensor<i1>, {tensor}\n"
            f"  return %2 : {tensor}\n}}"
        )
        wanted = [expected(name, type_, code) for code in codes.tolist()]
        for thresholds in (None, *THRESHOLDS.values()):
            ready = program if thresholds is None else program.with_thresholds(thresholds)
            for _ in range(2):
                found = np.asarray(ready(np.bool_(True), codes.view(TYPES[type_])))
                assert bits(found).tolist() == wanted
