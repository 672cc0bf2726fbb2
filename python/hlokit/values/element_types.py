"""Element types: the only table from MLIR spelling to NumPy dtype, kind and width.

Code that depends on the element type reads this table (kind, width, dtype) and nothing else. Values are
stored in the type's `dtype`, one element per item; narrow integers and floats take a byte each. Source: spec
"Types".
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np


class Kind(enum.Enum):
    """The arithmetic of an element type."""

    BOOL = "bool"
    SIGNED = "signed"
    UNSIGNED = "unsigned"
    FLOAT = "float"
    COMPLEX = "complex"
    QUANTIZED = "quantized"
    FIELD = "field"  # floats of runs in exact arithmetic (`tools.equal`)

    @property
    def is_integer(self) -> bool:
        return self in (Kind.SIGNED, Kind.UNSIGNED)

    @property
    def is_inexact(self) -> bool:
        """Whether arithmetic rounds: floats, and complex numbers."""
        return self in (Kind.FLOAT, Kind.COMPLEX)


_UNSIGNED: dict[int, np.dtype[Any]] = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}


@dataclass(frozen=True, slots=True)
class ElementType:
    """A StableHLO element type.

    Attributes:
      name: MLIR spelling, e.g. `f8E4M3FN`.
      kind: its arithmetic.
      width: significant bits (of both parts together for complex).
      dtype: NumPy dtype that stores one element.
    """

    name: str
    kind: Kind
    width: int
    dtype: np.dtype[Any]

    def __str__(self) -> str:
        return self.name

    @property
    def bits_dtype(self) -> np.dtype[Any]:
        """Unsigned integer dtype with the item size of `dtype` (the part's, for complex)."""
        size = self.dtype.itemsize // (2 if self.kind is Kind.COMPLEX else 1)
        return _UNSIGNED[size]

    @property
    def is_narrow_integer(self) -> bool:
        """Whether the type has fewer than 8 bits, a width at which NumPy has no wrapping arithmetic."""
        return self.kind.is_integer and self.width < 8

    @property
    def is_narrow_float(self) -> bool:
        """Whether the type is a float below 32 bits, whose arithmetic runs in f32 and is rounded once."""
        return self.kind is Kind.FLOAT and self.width < 32

    @property
    def stored(self) -> ElementType:
        """The type that stores the values: the storage type of a quantized type, else the type itself."""
        return self

    @property
    def part(self) -> ElementType:
        """The element type of the real and imaginary part; the type itself if not complex."""
        return {"complex<f32>": F32, "complex<f64>": F64}.get(self.name, self)


def _row(name: str, kind: Kind, width: int, dtype: object) -> ElementType:
    return ElementType(name, kind, width, np.dtype(dtype))  # pyright: ignore[reportArgumentType, reportCallIssue] # dtype-like


I1 = _row("i1", Kind.BOOL, 1, np.bool_)
I2 = _row("i2", Kind.SIGNED, 2, ml_dtypes.int2)
I4 = _row("i4", Kind.SIGNED, 4, ml_dtypes.int4)
I8 = _row("i8", Kind.SIGNED, 8, np.int8)
I16 = _row("i16", Kind.SIGNED, 16, np.int16)
I32 = _row("i32", Kind.SIGNED, 32, np.int32)
I64 = _row("i64", Kind.SIGNED, 64, np.int64)
UI2 = _row("ui2", Kind.UNSIGNED, 2, ml_dtypes.uint2)
UI4 = _row("ui4", Kind.UNSIGNED, 4, ml_dtypes.uint4)
UI8 = _row("ui8", Kind.UNSIGNED, 8, np.uint8)
UI16 = _row("ui16", Kind.UNSIGNED, 16, np.uint16)
UI32 = _row("ui32", Kind.UNSIGNED, 32, np.uint32)
UI64 = _row("ui64", Kind.UNSIGNED, 64, np.uint64)
F4E2M1FN = _row("f4E2M1FN", Kind.FLOAT, 4, ml_dtypes.float4_e2m1fn)
F6E2M3FN = _row("f6E2M3FN", Kind.FLOAT, 6, ml_dtypes.float6_e2m3fn)
F6E3M2FN = _row("f6E3M2FN", Kind.FLOAT, 6, ml_dtypes.float6_e3m2fn)
F8E3M4 = _row("f8E3M4", Kind.FLOAT, 8, ml_dtypes.float8_e3m4)
F8E4M3 = _row("f8E4M3", Kind.FLOAT, 8, ml_dtypes.float8_e4m3)
F8E4M3B11FNUZ = _row("f8E4M3B11FNUZ", Kind.FLOAT, 8, ml_dtypes.float8_e4m3b11fnuz)
F8E4M3FN = _row("f8E4M3FN", Kind.FLOAT, 8, ml_dtypes.float8_e4m3fn)
F8E4M3FNUZ = _row("f8E4M3FNUZ", Kind.FLOAT, 8, ml_dtypes.float8_e4m3fnuz)
F8E5M2 = _row("f8E5M2", Kind.FLOAT, 8, ml_dtypes.float8_e5m2)
F8E5M2FNUZ = _row("f8E5M2FNUZ", Kind.FLOAT, 8, ml_dtypes.float8_e5m2fnuz)
F8E8M0FNU = _row("f8E8M0FNU", Kind.FLOAT, 8, ml_dtypes.float8_e8m0fnu)
BF16 = _row("bf16", Kind.FLOAT, 16, ml_dtypes.bfloat16)
F16 = _row("f16", Kind.FLOAT, 16, np.float16)
F32 = _row("f32", Kind.FLOAT, 32, np.float32)
F64 = _row("f64", Kind.FLOAT, 64, np.float64)
COMPLEX_F32 = _row("complex<f32>", Kind.COMPLEX, 64, np.complex64)
COMPLEX_F64 = _row("complex<f64>", Kind.COMPLEX, 128, np.complex128)
# Not a StableHLO type, but front ends use it in exported shape computations. 64 bits, as in XLA.
INDEX = _row("index", Kind.SIGNED, 64, np.int64)

ELEMENT_TYPES: dict[str, ElementType] = {
    row.name: row
    for row in (
        *(I1, I2, I4, I8, I16, I32, I64),
        *(UI2, UI4, UI8, UI16, UI32, UI64),
        *(F4E2M1FN, F6E2M3FN, F6E3M2FN),
        *(F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0FNU),
        *(BF16, F16, F32, F64),
        *(COMPLEX_F32, COMPLEX_F64),
        INDEX,
    )
}

# The first row with a dtype wins: int64 is i64, not index.
_BY_DTYPE: dict[np.dtype[np.generic], ElementType] = {
    row.dtype: row for row in reversed(ELEMENT_TYPES.values())
}


def element_type_of(dtype: np.dtype[np.generic]) -> ElementType:
    """The element type that stores its values in `dtype`.

    Raises:
      TypeError: no StableHLO element type uses this dtype.
    """
    element_type = _BY_DTYPE.get(dtype)
    if element_type is None:
        raise TypeError(f"dtype must be one that stores a StableHLO element type, got {dtype}")
    return element_type
