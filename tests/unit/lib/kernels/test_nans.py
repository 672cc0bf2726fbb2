"""NaNs in arrays of bits: found, and made the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hlokit import _kernels

FORMATS = [(1, 0x78, 0x7C), (2, 0x7C00, 0x7E00), (4, 0x7F800000, 0x7FC00000), (8, 0x7FF << 52, 0xFFF << 51)]


@pytest.mark.parametrize(("size", "infinity", "nan"), FORMATS)
@pytest.mark.parametrize("count", [0, 1, 7, 64, 5000, 1_100_000])
def test_all_nans_get_the_same_bits(size: int, infinity: int, nan: int, count: int) -> None:
    rng = np.random.default_rng(count)
    bits: Any = np.frombuffer(rng.bytes(count * size), f"u{size}").copy()
    nan &= (1 << (8 * size - 1)) - 1
    bits[::3] |= np.array(infinity, bits.dtype)  # infinities and NaNs of both signs
    bits[::6] &= ~np.array(1, bits.dtype)
    magnitude = bits & np.array((1 << (8 * size - 1)) - 1, bits.dtype)
    expected = np.where(magnitude > infinity, np.array(nan, bits.dtype), bits)
    is_canonical = bool((expected == bits).all())
    other = _kernels.canonical_nan(size, infinity, nan, 2, lambda array: "other")
    assert (other(bits) is bits) == is_canonical
    for threads in (1, 2):
        found = bits.copy()
        _kernels.unify_nans(found, infinity, nan, threads)
        assert found.tobytes() == expected.tobytes()
        assert other(found) is found


def test_arrays_that_are_refused() -> None:
    with pytest.raises(ValueError, match="must have 1, 2, 4 or 8 bytes, got 16"):
        _kernels.unify_nans(np.zeros(3, np.complex128), 1, 2, 1)
    fixed: Any = np.zeros(3)
    fixed.flags.writeable = False
    gaps: Any = np.zeros(6)[::2]
    for array in (fixed, gaps):
        with pytest.raises((BufferError, ValueError)):
            _kernels.unify_nans(array, 1, 2, 1)
