"""Between narrow floats and the f32 or f64 that they are computed in: exact one way, one rounding back.

ml_dtypes converts between f32 and its types exactly, but takes its time below 16 bits (8 ns an element), and
rounds f64 twice, first to f32. So the types of a byte are converted by table, and f64 goes through an f32
that is rounded to odd: such a number is never halfway between two neighbours of a narrower type by accident,
so that the second rounding decides as one from f64 would.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from hlokit.interpreter.switches import is_on
from hlokit.ops.blocks import Array

ArrayFunction = Callable[[Array], Array]
DType = np.dtype[Any]

_F32 = np.dtype(np.float32)
_F64 = np.dtype(np.float64)
_F16 = np.dtype(np.float16)
_POWERS_OF_TWO = np.dtype(ml_dtypes.float8_e8m0fnu)
# Arrays below this size are not worth a table of 65,536 entries, which takes a millisecond or two to make.
_TABLE_SIZE = 8192


def widen(array: Array) -> Array:
    """A narrow float in f32; exact."""
    dtype = array.dtype
    if dtype.itemsize == 1 or (dtype == _F16 and array.size >= _TABLE_SIZE):
        return np.take(_decoded(dtype), array.view(bits_dtype(dtype)))
    return array.astype(_F32)


def rounding(dtype: DType, source: DType) -> ArrayFunction:
    """The function that rounds arrays of a dtype (f32 or f64) to a float dtype, once."""
    if dtype.itemsize == 1:
        return _round_f64_to_byte(dtype) if source == _F64 else _round_f32_to_byte(dtype)
    if source == _F64 and dtype not in (_F16, _F32, _F64):
        return lambda array: to_odd_f32(array).astype(dtype)
    return lambda array: array.astype(dtype, copy=False)


def to_odd_f32(array: Array) -> Array:
    """f64 in f32; what is not exact becomes the neighbour whose last bit is set ("round to odd")."""
    result = array.astype(_F32)
    rounded = result.astype(_F64)
    bits = result.view(np.int32)
    bits -= np.abs(rounded) > np.abs(array)
    bits |= rounded != array
    return result


def _round_f32_to_byte(dtype: DType) -> ArrayFunction:
    def round_(array: Array) -> Array:
        # The upper half of an f32 has 7 bits of its mantissa, and the last takes on whether the lower half
        # is 0: more than a type of a byte needs to round once.
        # np.ascontiguousarray would give a scalar a dimension.
        bits = np.asarray(array, order="C").view(np.uint32)
        upper = (bits >> np.uint32(16)).astype(np.uint16)
        upper |= (bits & np.uint32(0xFFFF)) != 0
        return np.take(_encoded(dtype), upper)

    return round_


def _round_f64_to_byte(dtype: DType) -> ArrayFunction:
    round_f32 = _round_f32_to_byte(dtype)
    return lambda array: round_f32(to_odd_f32(array))


def bits_dtype(dtype: DType) -> DType:
    """The unsigned integers of a dtype's item size."""
    return np.dtype(f"u{dtype.itemsize}")


def all_values(dtype: DType) -> Array:
    """Every value of a dtype of one or two bytes, in the order of their bits."""
    unsigned = bits_dtype(dtype)
    return np.arange(1 << 8 * dtype.itemsize, dtype=np.uint32).astype(unsigned).view(dtype)


@cache
def _decoded(dtype: DType) -> Array:
    return all_values(dtype).astype(_F32)


@cache
def _encoded(dtype: DType) -> Array:
    """The value of a type of a byte for each upper half of an f32."""
    uppers = np.arange(1 << 16, dtype=np.uint32) << np.uint32(16)
    values = uppers.view(_F32)
    if dtype == _POWERS_OF_TWO:
        return _encoded_as_power_of_two(values)
    # A type without NaN makes -0 of it, whatever its sign, as XLA does of the NaN that operations give there.
    return np.where(np.isnan(values), np.float32(np.nan), values).astype(dtype)


def _encoded_as_power_of_two(values: Array) -> Array:
    """The nearest power of two, the greater one in the middle; NaN for what is not positive or too large.

    ml_dtypes rounds up all below the smallest normal f32.
    """
    fraction, exponent = np.frexp(values)
    code = exponent + np.where(fraction >= 0.75, 127, 126)
    valid = (values > 0) & np.isfinite(values) & (code < 255)
    return np.where(valid, np.maximum(code, 0), 255).astype(np.uint8).view(_POWERS_OF_TWO)


def by_table(function: ArrayFunction, dtype: DType, result: DType) -> ArrayFunction:
    """A function of f64 arrays as one of arrays of a narrow float dtype.

    Args:
      function: from f64 to f64, or to `result` itself. One per operation: tables are kept per function.
      dtype: of the operand.
      result: dtype of the result; f64 is rounded to it once.
    """
    unsigned = bits_dtype(dtype)
    smallest = 0 if dtype.itemsize == 1 else _TABLE_SIZE
    if not is_on("tables"):
        smallest = 1 << 62

    def kernel(operand: Array) -> Array:
        if operand.size >= smallest:
            return np.take(_table(function, dtype, result), operand.view(unsigned))
        if operand.ndim:
            return _computed(function, operand, result)
        return _computed(function, operand.reshape(1), result)[0]

    return kernel


@cache
def _table(function: ArrayFunction, dtype: DType, result: DType) -> Array:
    return _computed(function, all_values(dtype), result)


def _computed(function: ArrayFunction, operand: Array, result: DType) -> Array:
    values = function(widen(operand).astype(_F64))
    return values if values.dtype == result else rounding(result, _F64)(values)
