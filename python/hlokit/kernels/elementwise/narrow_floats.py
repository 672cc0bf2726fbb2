"""Conversions between narrow floats (below 32 bits) and f32 or f64, in which their arithmetic runs.

Widening is exact, and narrowing rounds once. ml_dtypes converts f32 exactly, but slowly below 16 bits (8 ns
per element), and it rounds f64 twice, through f32. Therefore lookup tables convert types of up to 8 bits, and
f64 is first rounded to odd in f32: such an f32 lies halfway between two neighbours of a narrower type only if
the f64 does, so the second rounding gives the result of one rounding from f64.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from hlokit import _kernels
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.values.bits import aligned

ArrayFunction = Callable[[Array], Array]
DType = np.dtype[Any]

_F32 = np.dtype(np.float32)
_F64 = np.dtype(np.float64)
_F16 = np.dtype(np.float16)
_POWERS_OF_TWO = np.dtype(ml_dtypes.float8_e8m0fnu)
# Creating a table of 65,536 entries takes a millisecond or two; smaller arrays are computed directly.
_TABLE_SIZE = 8192


def widen(array: Array) -> Array:
    """Narrow floats converted to f32, exactly."""
    dtype = array.dtype
    if dtype.itemsize == 1 or (dtype == _F16 and array.size >= _TABLE_SIZE):
        return looked_up(_decoded(dtype), array)
    return array.astype(_F32)


def rounding(dtype: DType, source: DType) -> ArrayFunction:
    """A function that rounds arrays of dtype `source` (f32 or f64) to the float dtype `dtype`, once."""
    if dtype.itemsize == 1:
        return _round_f64_to_byte(dtype) if source == _F64 else _round_f32_to_byte(dtype)
    if source == _F64 and dtype not in (_F16, _F32, _F64):
        return lambda array: round_to_odd_f32(array).astype(dtype)
    return lambda array: array.astype(dtype, copy=False)


def round_to_odd_f32(array: Array) -> Array:
    """f64 rounded to f32 by "round to odd": an inexact value becomes the neighbour whose last bit is set."""
    result = array.astype(_F32)
    rounded = result.astype(_F64)
    bits = result.view(np.int32)
    bits -= np.abs(rounded) > np.abs(array)
    bits |= rounded != array
    return result


def _round_f32_to_byte(dtype: DType) -> ArrayFunction:
    # The upper half of an f32 holds 7 mantissa bits. Its last bit is made sticky: set if the lower half is
    # not 0. This suffices to round once to any 8-bit type.
    return lambda array: looked_up(_encoded(dtype), array)


def _round_f64_to_byte(dtype: DType) -> ArrayFunction:
    round_f32 = _round_f32_to_byte(dtype)
    return lambda array: round_f32(round_to_odd_f32(array))


def looked_up(table: Array, codes: Array) -> Array:
    """The values of a table at the bits of codes: of their upper half, made sticky, for f32."""
    codes = aligned(np.asarray(codes, order="C"))  # np.ascontiguousarray would add a dimension to a scalar
    result = np.empty(codes.shape, table.dtype)
    arrays: list[Any] = [array.view(bits_dtype(array.dtype)) for array in (table, codes, result)]
    _kernels.look_up(*arrays)
    return result[()]


@cache
def bits_dtype(dtype: DType) -> DType:
    """The unsigned integer dtype of the same item size."""
    return np.dtype(f"u{dtype.itemsize}")


def all_values(dtype: DType) -> Array:
    """All values of a dtype of one or two bytes, in the order of their bits."""
    unsigned = bits_dtype(dtype)
    return np.arange(1 << 8 * dtype.itemsize, dtype=np.uint32).astype(unsigned).view(dtype)


@cache
def _decoded(dtype: DType) -> Array:
    return all_values(dtype).astype(_F32)


@cache
def _encoded(dtype: DType) -> Array:
    """The 8-bit value for each upper half of an f32."""
    uppers = np.arange(1 << 16, dtype=np.uint32) << np.uint32(16)
    values = uppers.view(_F32)
    if dtype == _POWERS_OF_TWO:
        return _encoded_as_power_of_two(values)
    # A type without NaN encodes every NaN as -0, as XLA does for the NaNs that operations return.
    return np.where(np.isnan(values), np.float32(np.nan), values).astype(dtype)


def _encoded_as_power_of_two(values: Array) -> Array:
    """The nearest power of two, ties upward; NaN for values that are not positive or too large.

    ml_dtypes would round all values below the smallest normal f32 up.
    """
    fraction, exponent = np.frexp(values)
    code = exponent + np.where(fraction >= 0.75, 127, 126)
    valid = (values > 0) & np.isfinite(values) & (code < 255)
    return np.where(valid, np.maximum(code, 0), 255).astype(np.uint8).view(_POWERS_OF_TWO)


def tabulated(function: ArrayFunction, dtype: DType, result: DType) -> ArrayFunction:
    """A function of a narrow float dtype, by a lookup table of the results of a function of f64.

    Small arrays of 16-bit types are computed without the table.

    Args:
      function: a function from f64 to f64, or to `result` itself. Tables are cached per function, so pass one
        object per operation.
      dtype: the dtype of the operand.
      result: the dtype of the result, to which f64 is rounded once.
    """
    smallest = 0 if dtype.itemsize == 1 else _TABLE_SIZE

    def kernel(operand: Array) -> Array:
        if operand.size >= smallest:
            return looked_up(_table(function, dtype, result), operand)
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
