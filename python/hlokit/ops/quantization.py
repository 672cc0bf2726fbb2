"""Between quantized values and the floats that they stand for.

Every step is rounded to the expressed type, as in the spec's "Quantization computations".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from hlokit.interpreter.registry import KernelFunction, Value
from hlokit.ops.blocks import Array, in_pieces
from hlokit.ops.elementwise import by_value, by_zero
from hlokit.ops.narrow_floats import all_values, bits_dtype, rounding, widen
from hlokit.values.element_types import F64, ElementType
from hlokit.values.quantized import QuantizedType

DType = np.dtype[Any]

_F32 = np.dtype(np.float32)
_F64 = np.dtype(np.float64)


def dequantizer(type_: QuantizedType) -> KernelFunction:
    """dequantize(x) = (x - zero_points) * scales: from storage integers to floats of the expressed type.

    The difference is exact, as the type's definition has it; taken in the storage type it would wrap.
    """
    expressed = type_.expressed
    wide = _wide(type_)
    to_expressed = rounding(expressed.dtype, wide)
    multiplied = _in_expressed(np.multiply, expressed)
    zero_points = np.array(type_.zero_points, wide)
    has_zero_points = bool(zero_points.any())
    is_narrow, width = type_.storage.is_narrow_integer, type_.width

    def dequantize(operand: Array, zero_points: Array, scales: Array) -> Array:
        difference = (by_value(operand, width) if is_narrow else operand).astype(wide)
        if has_zero_points:
            difference -= zero_points
        return multiplied(to_expressed(difference), scales)

    scales = _in_type(type_.scales, expressed)
    if type_.axis is not None:
        return _per_axis(dequantize, type_.axis, zero_points, scales)
    whole = _per_tensor(dequantize, zero_points, scales, expressed.dtype)
    # Looking up is quicker than arithmetic that NumPy does not have.
    return by_codes(whole, type_) if is_narrow or expressed.is_narrow_float else whole


def quantizer(type_: QuantizedType) -> KernelFunction:
    """quantize(x) = round_nearest_even(clamp(storage_min, x / scales + zero_points, storage_max)).

    From floats of the expressed type to storage integers. NaN becomes 0, as when `convert` makes it an
    integer, or what is nearest to 0 between storage_min and storage_max.
    """
    expressed = type_.expressed
    divided, added = _in_expressed(np.divide, expressed), _in_expressed(np.add, expressed)
    low, high = type_.storage_min, type_.storage_max
    zero_points = _in_type(type_.zero_points, expressed)
    has_zero_points = bool((zero_points != 0).any())
    least, most = _bounds(type_)
    # In the expressed type they may have been rounded to more than the storage type holds. Only Python
    # compares floats and integers without rounding one to the other.
    cuts_again = float(least) < low or float(most) > high
    of_nan = min(max(0, low), high)
    to_storage = _to_storage(type_.storage)

    def quantize(operand: Array, zero_points: Array, scales: Array) -> Array:
        scaled = divided(operand, scales)
        if has_zero_points:
            scaled = added(scaled, zero_points)
        rounded = _widened(scaled)
        np.maximum(rounded, least, out=rounded)
        np.minimum(rounded, most, out=rounded)
        np.rint(rounded, out=rounded)
        if np.isnan(np.max(rounded, initial=-np.inf)):
            rounded[np.isnan(rounded)] = of_nan
        return to_storage(np.clip(rounded.astype(_F64), low, high) if cuts_again else rounded)

    scales = _in_type(type_.scales, expressed)
    if type_.axis is not None:
        return _per_axis(quantize, type_.axis, zero_points, scales)
    return _per_tensor(quantize, zero_points, scales, type_.dtype)


def by_codes(function: KernelFunction, type_: ElementType) -> KernelFunction:
    """A pointwise function of integers by a table of all results, for arrays at least as large."""
    dtype = type_.dtype
    if dtype.itemsize > 2:
        return function
    table = _Table(function, dtype)
    unsigned, size = bits_dtype(dtype), 1 << 8 * dtype.itemsize

    def kernel(operand: Value) -> Value:
        if operand.size < size:
            return function(operand)
        return np.take(table.results, operand.view(unsigned))

    return kernel


class _Table:
    def __init__(self, function: KernelFunction, dtype: DType) -> None:
        self._function = function
        self._dtype = dtype

    @cached_property
    def results(self) -> Array:
        """For each value of the dtype, in the order of their bits; made when first needed."""
        return self._function(all_values(self._dtype))


def _per_tensor(
    function: Callable[[Array, Array, Array], Array], zero_points: Array, scales: Array, dtype: DType
) -> KernelFunction:
    """Of arrays of any shape, in pieces."""

    def of_piece(piece: Array) -> Array:
        return function(piece, zero_points, scales)

    def kernel(operand: Value) -> Value:
        return in_pieces(of_piece, (operand,), dtype)

    return kernel


def _per_axis(
    function: Callable[[Array, Array, Array], Array], axis: int, zero_points: Array, scales: Array
) -> KernelFunction:
    def kernel(operand: Value) -> Value:
        shape = (-1, *(1,) * (operand.ndim - axis - 1))
        return function(operand, zero_points.reshape(shape), scales.reshape(shape))

    return kernel


def _wide(type_: QuantizedType) -> DType:
    """A float dtype that holds differences of storage values, and all expressed values."""
    return _F64 if type_.storage.width > 16 or type_.expressed is F64 else _F32


def _in_type(numbers: tuple[float, ...], type_: ElementType) -> Array:
    return rounding(type_.dtype, _F64)(np.array(numbers, _F64))


def _bounds(type_: QuantizedType) -> tuple[Any, Any]:
    """storage_min and storage_max in the expressed type; infinite where it has no such numbers."""
    least, most = _widened(_in_type((type_.storage_min, type_.storage_max), type_.expressed))
    infinity = least.dtype.type(np.inf)
    return (-infinity if np.isnan(least) else least), (infinity if np.isnan(most) else most)


def _widened(array: Array) -> Array:
    """Floats below 32 bits in f32, others as they are."""
    return array if array.dtype in (_F32, _F64) else widen(array)


def _in_expressed(ufunc: np.ufunc, expressed: ElementType) -> Callable[[Array, Array], Array]:
    """A function of arithmetic, rounded once: f32 has more than twice the bits of the narrow types."""
    if not expressed.is_narrow_float:
        return ufunc
    round_ = rounding(expressed.dtype, _F32)
    return lambda lhs, rhs: round_(ufunc(widen(lhs), widen(rhs)))


def _to_storage(storage: ElementType) -> Callable[[Array], Array]:
    dtype = storage.dtype
    if storage.is_narrow_integer:
        return lambda array: by_zero(array.astype(np.int8), storage.width).view(dtype)
    return lambda array: array.astype(dtype)
