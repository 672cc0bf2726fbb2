"""Copies of arrays on all threads: to row-major order, for code that needs the elements of a view in order,
and to parts of other arrays.

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
# NumPy copies smaller arrays faster than threads start: those of any strides, and those in row-major order.
_LARGE_BYTES, _LARGE_ROWS = 1 << 15, 1 << 20
_WORDS = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}


def in_rows(array: Any) -> Any:
    """A copy of an array in row-major order."""
    if array.nbytes < (_LARGE_ROWS if array.flags.c_contiguous else _LARGE_BYTES):
        return array.copy(order="C")
    result = np.empty(array.shape, array.dtype)
    copy_into(result, array)
    return result


def copy_into(result: Any, array: Any) -> None:
    """Copy an array to another one, or a part of one, of its shape and dtype; they share no memory."""
    words = _WORDS.get(array.itemsize)
    is_native = array.nbytes >= _LARGE_BYTES and words is not None and is_enabled()
    if not (is_native and _copy(array.view(words), result.view(words), thread_count())):
        result[...] = array
