"""The numbers of element types in PJRT's C API: `PJRT_Buffer_Type`."""

from __future__ import annotations

from typing import Any

import numpy as np

from hlokit.values import element_types
from hlokit.values.element_types import ELEMENT_TYPES, ElementType

# In the order of their numbers, from 0; without a type: an invalid one, and tokens, which are empty arrays.
_NAMES = """
    - i1 i8 i16 i32 i64 ui8 ui16 ui32 ui64 f16 f32 f64 bf16 complex<f32> complex<f64>
    f8E5M2 f8E4M3FN f8E4M3B11FNUZ f8E5M2FNUZ f8E4M3FNUZ i4 ui4 - i2 ui2 f8E4M3 f8E3M4 f8E8M0FNU f4E2M1FN
"""
_TYPES: list[ElementType | None] = [ELEMENT_TYPES.get(name) for name in _NAMES.split()]
TOKEN = 23
_NUMBERS = {element_type: number for number, element_type in enumerate(_TYPES) if element_type is not None}

DTYPES: list[np.dtype[Any] | None] = [None if row is None else row.dtype for row in _TYPES]
DTYPES[TOKEN] = np.dtype(bool)


def number_of(element_type: ElementType) -> int | None:
    """The number of an element type; None if PJRT does not have the type."""
    stored = element_types.I64 if element_type is element_types.INDEX else element_type.stored
    return _NUMBERS.get(stored)
