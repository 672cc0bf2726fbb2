"""Index vectors of native gathers and scatters: every type of integers, in any layout, and very long arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from hlokit import _kernels

Array = np.ndarray[Any, Any]

# Sizes of an array, and for each component the extent of its indices and its step in rows.
SIZES = (5, 7)
COMPONENTS = [(5, 7), (7, 1)]
# Numbers around the bounds of the array, and of i32.
POWERS = [sign * 2**power for power in (31, 32, 63, 64) for sign in (-1, 1)]
NUMBERS = [*range(-9, 10), *[power + step for power in POWERS for step in (-1, 0, 1)]]


def vectors_of(dtype: np.dtype[Any]) -> Array:
    """All pairs [component, vector] of the numbers that a type has."""
    limits = np.iinfo(dtype)
    numbers = np.array([number for number in NUMBERS if limits.min <= number <= limits.max], dtype)
    return np.stack(np.meshgrid(numbers, numbers, indexing="ij")).reshape(2, -1)


def clamped(vectors: Array) -> list[int]:
    """The row of each vector."""
    rows, columns = (
        [max(0, min(int(index), size - 1)) for index in component]
        for component, size in zip(vectors, SIZES, strict=True)
    )
    return [row * SIZES[1] + column for row, column in zip(rows, columns, strict=True)]


@pytest.mark.parametrize("width", [8, 16, 32, 64])
@pytest.mark.parametrize("sign", ["i", "u"])
@pytest.mark.parametrize("layout", ["components", "vectors", "backwards"])
def test_indices_of_all_types(sign: str, width: int, layout: str) -> None:
    dtype = np.dtype(f"{sign}{width // 8}")
    vectors = vectors_of(dtype)
    if layout == "vectors":
        vectors = np.ascontiguousarray(vectors.T).T
    elif layout == "backwards":
        vectors = vectors[:, ::-1]
    name = f"{'u' if sign == 'u' else ''}i{width}"
    rows = np.arange(35, dtype=np.int32)
    assert gathered(rows, vectors, name, COMPONENTS).tolist() == clamped(vectors)


def gathered(rows: Any, vectors: Any, name: str, components: Sequence[tuple[int, int]]) -> Array:
    result: Any = np.empty(vectors.shape[1], rows.dtype)
    _kernels.gather(rows.view(np.uint8), vectors, name, components, len(rows), result.view(np.uint8))
    return result


def test_rows_beyond_i32() -> None:
    count = (1 << 31) + 5
    rows = np.zeros(count, np.int8)  # pages that nobody writes take no memory
    rows[[0, 1, count - 2, count - 1]] = 1, 2, 3, 4
    for name, dtype in (("i64", np.int64), ("ui64", np.uint64)):
        vectors = np.array([[0, 1, count - 2, count - 1, count, 2**62]], dtype)
        assert gathered(rows, vectors, name, [(count, 1)]).tolist() == [1, 2, 3, 4, 4, 4]
    vectors = np.array([[-1, -(2**40), -(2**63)]], np.int64)
    assert gathered(rows, vectors, "i64", [(count, 1)]).tolist() == [1, 1, 1]
