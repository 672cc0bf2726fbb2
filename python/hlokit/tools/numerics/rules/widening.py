"""The wider type of each element type: f64 for narrower floats, longdouble for f64.

On systems whose longdouble is no wider than double, f64 stays f64.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.values.element_types import COMPLEX_F64, F64, ElementType, Kind, element_type_of

Array = npt.NDArray[Any]

HAS_EXTENDED = np.finfo(np.longdouble).nmant > np.finfo(np.float64).nmant
# The wider type of f64; MLIR has f80.
EXTENDED = ElementType("f80", Kind.FLOAT, 80, np.dtype(np.longdouble)) if HAS_EXTENDED else F64
COMPLEX_EXTENDED = (
    ElementType("complex<f80>", Kind.COMPLEX, 160, np.dtype(np.clongdouble)) if HAS_EXTENDED else COMPLEX_F64
)


def widened_type(element_type: ElementType) -> ElementType:
    """The wider type of a float or complex type; any other type itself."""
    match element_type.kind:
        case Kind.FLOAT:
            return EXTENDED if element_type.width >= 64 else F64
        case Kind.COMPLEX:
            return COMPLEX_EXTENDED if element_type.width >= 128 else COMPLEX_F64
        case _:
            return element_type


def widened(value: Value) -> Value:
    """A value converted to the wider types; tuples item by item."""
    if isinstance(value, tuple):
        return tuple([widened(item) for item in value])  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] # values
    if not isinstance(value, np.ndarray | np.generic):
        return value
    array: Array = np.asarray(cast("Any", value))
    dtype = widened_type(element_type_of(array.dtype)).dtype
    return array if dtype == array.dtype else array.astype(dtype)


def in_f64(value: Value) -> Array:
    """The values of floats of all types, or of integers, in f64; those of complex numbers in complex<f64>."""
    array = np.asarray(value)
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
