"""Views of arrays in which elements occur many times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided


def strided(array: npt.NDArray[Any], shape: Sequence[int], strides: Sequence[int]) -> npt.NDArray[Any]:
    """A read-only view of this shape and these strides in bytes, beginning at the array's first element."""
    dtype = array.dtype
    if dtype.kind == "f" and dtype.itemsize == 1:
        # NumPy describes float8_e5m2 to itself as '<f1', which it does not know.
        return as_strided(array.view(np.uint8), shape, strides, writeable=False).view(dtype)
    return as_strided(array, shape, strides, writeable=False)
