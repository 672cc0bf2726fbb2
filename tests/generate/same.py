"""Whether two results are the same: type, shape and bits, where all NaNs are equal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def same(one: Any, two: Any) -> bool:
    one, two = np.ascontiguousarray(one), np.ascontiguousarray(two)
    if one.dtype != two.dtype or one.shape != two.shape:
        return False
    if one.dtype.kind == "c":
        return same(one.real, two.real) and same(one.imag, two.imag)
    if "float" in one.dtype.name:
        nan = np.isnan(one)
        if not np.array_equal(nan, np.isnan(two)):
            return False
        one, two = one[~nan], two[~nan]
    return one.tobytes() == two.tobytes()


def listed(results: Any) -> list[Any]:
    """The results of a function as a list; a single result is not in a tuple."""
    return list(results) if isinstance(results, tuple) else [results]


def assert_same(ours: Any, theirs: Any, text: str) -> None:
    """Assert that all results of a function are the same."""
    one, two = listed(ours), listed(theirs)
    assert len(one) == len(two)
    for number, (first, second) in enumerate(zip(one, two, strict=True)):
        assert same(first, second), f"result {number} of\n{text}\n{first}\n{second}"


def copies(arguments: Sequence[Any]) -> list[bytes]:
    """The contents of arguments, to detect writes to them."""
    return [np.asarray(each).tobytes() for each in arguments]
