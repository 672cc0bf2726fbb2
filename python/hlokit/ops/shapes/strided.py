"""Views of arrays in which elements repeat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided


def strided(array: npt.NDArray[Any], shape: Sequence[int], strides: Sequence[int]) -> npt.NDArray[Any]:
    """A read-only view of this shape and these strides in bytes, starting at the array's first element."""
    dtype = array.dtype
    if dtype.kind == "f" and dtype.itemsize == 1:
        # NumPy writes float8_e5m2 as '<f1' internally, and then rejects this string.
        return as_strided(array.view(np.uint8), shape, strides, writeable=False).view(dtype)
    return as_strided(array, shape, strides, writeable=False)
