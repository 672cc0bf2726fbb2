"""Copies of arrays to row-major order, on all threads: for code that needs the elements of a view in order.

NumPy copies on one thread, and element by element where neighbours of the last dimension are far apart.
`HLOKIT_DISABLE=native` leaves all copies to NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract.threads import thread_count
from hlokit.engine.native.ir.target import is_enabled

_copy: Callable[..., bool] = _kernels.copy
# NumPy copies smaller arrays faster than threads start.
_LARGE_BYTES = 1 << 15
_WORDS = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}


def in_rows(array: Any) -> Any:
    """A copy of an array in row-major order."""
    words = _WORDS.get(array.itemsize)
    if array.nbytes < _LARGE_BYTES or words is None or not is_enabled():
        return array.copy(order="C")
    result = np.empty(array.shape, array.dtype)
    if not _copy(array.view(words), result.view(words), thread_count()):
        result[...] = array
    return result
