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


# Elements of extrema: numbers of both signs (of one instruction each), zeros of both signs, and NaNs of both signs among
# numbers, which no comparison sees.
POOLS = {
    "numbers": ([-np.inf, -2.5, -1, 0.5, 3, np.inf], []),
    "negative": ([-7.0, -2.5, -1], []),
    "zeros": ([-0.0, -0.0, -0.0, -0.0, -0.0, 0.0], []),
    "zeros and below": ([-3.0, -0.0, -0.0, -0.0], []),
    "zeros and above": ([3.0, 0.0, 0.0, -0.0], []),
    "a NaN": ([-2.5, -1, 0.5, 3], [np.nan]),
    "a negative NaN": ([-2.5, -1, 0.5, 3], [-np.nan]),
}


def extremum(numbers: list[float], sign: int) -> float:
    """IEEE 754's maximum (sign 1) or minimum (-1): a NaN wins, and -0 is below 0."""
    if any(np.isnan(numbers)):
        return np.nan
    return max(numbers, key=lambda number: (sign * number, sign * float(np.copysign(1, number))))


@pytest.mark.parametrize("name", ["f32", "f64", "bf16", "f16"])
@pytest.mark.parametrize("pool", POOLS)
def test_extrema_of_zeros_and_nans(name: str, pool: str) -> None:
    rng = np.random.default_rng(len(pool))
    choices, special = POOLS[pool]
    for shape in ((3, 8, 1), (3, 16, 1), (5, 40, 1), (2, 64, 1), (2, 130, 1), (1, 600, 1), (2, 9, 20)):
        x: Any = rng.choice(choices, shape)
        for number in special:
            x[tuple(rng.integers(0, size) for size in shape)] = number
        array: Any = x.astype(TYPES[name])
        bits: Any = f"u{array.dtype.itemsize}" if name == "bf16" else array.dtype
        for sign, operation in ((1, "maximum"), (-1, "minimum")):
            init: Any = np.full(1, -sign * np.inf).astype(TYPES[name])
            result: Any = np.empty((shape[0], shape[2]), array.dtype)
            _kernels.reduce(operation, name, array.view(bits), init.view(bits), result.view(bits), shape)
            expected = [[extremum(list(x[i, :, j]), sign) for j in range(shape[2])] for i in range(shape[0])]
            wide = result.astype(np.float64)
            assert np.array_equal(wide, expected, equal_nan=True), (shape, operation)
            is_number = ~np.isnan(wide)
            assert np.array_equal(np.signbit(wide)[is_number], np.signbit(expected)[is_number]), (
                shape,
                operation,
            )
