"""Reductions of rows by kernels: rows of any length, and any number of rows, side by side or apart."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from hlokit import _kernels

TYPES: dict[str, Any] = {
    "i1": np.bool_,
    "i8": np.int8,
    "ui8": np.uint8,
    "i16": np.int16,
    "ui16": np.uint16,
    "i32": np.int32,
    "ui64": np.uint64,
    "f32": np.float32,
    "f64": np.float64,
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
}
FUNCTIONS = {
    "or": np.bitwise_or,
    "and": np.bitwise_and,
    "xor": np.bitwise_xor,
    "maximum": np.maximum,
    "minimum": np.minimum,
}


def values(name: str, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    dtype = np.dtype(TYPES[name])
    if dtype.kind in "fV":
        return rng.choice([-np.inf, -2.5, -1, 0, 0.5, 3, np.inf, np.nan], shape).astype(dtype)
    bits = rng.integers(0, 256, (*shape, dtype.itemsize)).astype(np.uint8).view(f"u{dtype.itemsize}")[..., 0]
    return (bits & 1).astype(bool) if name == "i1" else bits.view(dtype)


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("operation", FUNCTIONS)
def test_rows(name: str, operation: str) -> None:
    is_float = np.dtype(TYPES[name]).kind in "fV"
    if is_float and operation not in ("maximum", "minimum"):
        assert not _kernels.has_combination(operation, name)
        return
    rng = np.random.default_rng(len(name))
    for outer in (1, 7, 8, 9, 30):
        for size in (*range(1, 20), 31, 32, 33, 63, 64, 65, 130):
            for inner in (1, 3):
                x = values(name, (outer, size, inner), rng)
                init = values(name, (1,), rng)
                if is_float and np.isnan(init.astype(np.float32)).any():
                    init = np.ones_like(init)
                result = np.empty((outer, inner), x.dtype)
                bits = f"u{x.dtype.itemsize}" if name == "bf16" else x.dtype
                _kernels.reduce(
                    operation, name, x.view(bits), init.view(bits), result.view(bits), (outer, size, inner)
                )
                with np.errstate(invalid="ignore"):
                    expected = FUNCTIONS[operation](FUNCTIONS[operation].reduce(x, axis=1), init)
                assert np.array_equal(
                    result.astype(np.float64) if is_float else result,
                    expected.astype(np.float64) if is_float else expected,
                    equal_nan=is_float,
                ), (outer, size, inner)
