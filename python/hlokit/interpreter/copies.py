"""Copies of arrays in row-major order: views become arrays when somebody needs the elements in order.

NumPy copies on one thread, and an element at a time where the last dimension's neighbours are far apart.
`HLOKIT_DISABLE=copies` leaves all of it to NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hlokit import _native
from hlokit.interpreter.machine import THREADS
from hlokit.interpreter.switches import is_on

_copy: Callable[..., bool] = _native.copy
_LARGE_BYTES = 1 << 15
_WORDS = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}


def in_rows(array: Any) -> Any:
    """A copy of an array in row-major order."""
    words = _WORDS.get(array.itemsize)
    if array.nbytes < _LARGE_BYTES or words is None or not is_on("copies"):
        return array.copy(order="C")
    result = np.empty(array.shape, array.dtype)
    if not _copy(array.view(words), result.view(words), THREADS):
        result[...] = array
    return result
