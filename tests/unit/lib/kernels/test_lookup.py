"""`_kernels.look_up`: functions of few bits by tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hlokit import _kernels


@pytest.mark.parametrize("value", ["u1", "u2", "u4", "u8"])
@pytest.mark.parametrize("code", ["u1", "u2", "u4"])
def test_values_at_codes(code: str, value: str) -> None:
    rng = np.random.default_rng(1)
    table: Any = rng.integers(0, np.iinfo(value).max, 256 if code == "u1" else 1 << 16, value, endpoint=True)
    codes: Any = rng.integers(0, np.iinfo(code).max, (3, 50), code, endpoint=True)
    codes[0, :4] = 0, 1, np.iinfo(code).max, np.iinfo(code).max - 1
    places = (codes >> 16) | ((codes & 0xFFFF) != 0) if code == "u4" else codes
    result: Any = np.empty(codes.shape, value)
    _kernels.look_up(table, codes, result)
    assert np.array_equal(result, table[places])


def unaligned() -> Any:
    return np.zeros(9, np.uint8)[1:].view("u2")


@pytest.mark.parametrize(
    ("table", "codes", "result", "message"),
    [
        (np.zeros(255, "u1"), np.zeros(3, "u1"), np.zeros(3, "u1"), "a value for each code"),
        (np.zeros(256, "u1"), np.zeros(3, "u2"), np.zeros(3, "u1"), "a value for each code"),
        (np.zeros(256, "u1"), np.zeros(3, "u1"), np.zeros(2, "u1"), "the shape of the codes"),
        (np.zeros(256, "u1"), np.zeros(3, "u1"), np.zeros(3, "u2"), "the item size of the table"),
        (np.zeros(256, "c16"), np.zeros(3, "u1"), np.zeros(3, "c16"), "1, 2, 4 or 8 bytes"),
        (np.zeros(256, "u1"), np.zeros(3, "u8"), np.zeros(3, "u1"), "1, 2 or 4 bytes"),
        (np.zeros(1 << 16, "u1"), unaligned(), np.zeros(4, "u1"), "must be aligned"),
    ],
)
def test_wrong_arrays(table: Any, codes: Any, result: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _kernels.look_up(table, codes, result)


def test_shared_memory() -> None:
    codes: Any = np.zeros(3, np.uint8)
    table: Any = np.zeros(256, np.uint8)
    with pytest.raises(ValueError, match="share no memory"):
        _kernels.look_up(table, codes, codes)
