"""Conversion between quantized values and floats.

Every step is rounded to the expressed type, as in the spec's "Quantization computations".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import KernelFunction, Value
from hlokit.kernels.elementwise.cache_blocking import Array, in_blocks
from hlokit.kernels.elementwise.kernel_factories import extend, zero_extend
from hlokit.kernels.elementwise.narrow_floats import all_values, bits_dtype, rounding, widen
from hlokit.values.element_types import F64, ElementType
from hlokit.values.quantized import QuantizedType

DType = np.dtype[Any]

_F32 = np.dtype(np.float32)
_F64 = np.dtype(np.float64)


def dequantizer(type_: QuantizedType) -> KernelFunction:
    """dequantize(x) = (x - zero_points) * scales: from storage integers to floats of the expressed type.

    The difference is exact, as the definition of the type requires; in the storage type, it would wrap.
    """
    expressed = type_.expressed
    wide = _wide(type_)
    to_expressed = rounding(expressed.dtype, wide)
    multiplied = _in_expressed(np.multiply, expressed)
    zero_points = np.array(type_.zero_points, wide)
    has_zero_points = bool(zero_points.any())
    is_narrow, width = type_.storage.is_narrow_integer, type_.width

    def dequantize(operand: Array, zero_points: Array, scales: Array) -> Array:
        difference = (extend(operand, width) if is_narrow else operand).astype(wide)
        if has_zero_points:
            difference -= zero_points
        return multiplied(to_expressed(difference), scales)

    scales = _in_type(type_.scales, expressed)
    if type_.axis is not None:
        return _per_axis(dequantize, type_.axis, zero_points, scales)
    whole = _per_tensor(dequantize, zero_points, scales, expressed.dtype)
    # A lookup table is faster than arithmetic in types that NumPy lacks.
    return tabulated_by_code(whole, type_) if is_narrow or expressed.is_narrow_float else whole


def quantizer(type_: QuantizedType) -> KernelFunction:
    """quantize(x) = round_nearest_even(clamp(storage_min, x / scales + zero_points, storage_max)).

    From floats of the expressed type to storage integers. NaN becomes 0, as in `convert` to an integer,
    clamped to [storage_min, storage_max].
    """
    expressed = type_.expressed
    divided, added = _in_expressed(np.divide, expressed), _in_expressed(np.add, expressed)
    low, high = type_.storage_min, type_.storage_max
    zero_points = _in_type(type_.zero_points, expressed)
    has_zero_points = bool((zero_points != 0).any())
    least, most = _bounds(type_)
    # The bounds, rounded to the expressed type, may exceed the storage type. Only Python compares floats and
    # integers without rounding.
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


def tabulated_by_code(function: KernelFunction, type_: ElementType) -> KernelFunction:
    """A pointwise function of integers of at most 16 bits, by a lookup table for arrays at least as large as
    the table.
    """
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
        """The function's result for each value of the dtype, in the order of their bits; computed on first
        use.
        """
        return self._function(all_values(self._dtype))


def _per_tensor(
    function: Callable[[Array, Array, Array], Array], zero_points: Array, scales: Array, dtype: DType
) -> KernelFunction:
    """A kernel for arrays of any shape, computed in blocks."""

    def of_piece(piece: Array) -> Array:
        return function(piece, zero_points, scales)

    def kernel(operand: Value) -> Value:
        return in_blocks(of_piece, (operand,), dtype)

    return kernel


def _per_axis(
    function: Callable[[Array, Array, Array], Array], axis: int, zero_points: Array, scales: Array
) -> KernelFunction:
    def kernel(operand: Value) -> Value:
        shape = (-1, *(1,) * (operand.ndim - axis - 1))
        return function(operand, zero_points.reshape(shape), scales.reshape(shape))

    return kernel


def _wide(type_: QuantizedType) -> DType:
    """A float dtype that represents all differences of storage values and all expressed values."""
    return _F64 if type_.storage.width > 16 or type_.expressed is F64 else _F32


def _in_type(numbers: tuple[float, ...], type_: ElementType) -> Array:
    return rounding(type_.dtype, _F64)(np.array(numbers, _F64))


def _bounds(type_: QuantizedType) -> tuple[Any, Any]:
    """storage_min and storage_max in the expressed type; infinite if the type has no such numbers."""
    least, most = _widened(_in_type((type_.storage_min, type_.storage_max), type_.expressed))
    infinity = least.dtype.type(np.inf)
    return (-infinity if np.isnan(least) else least), (infinity if np.isnan(most) else most)


def _widened(array: Array) -> Array:
    """Narrow floats in f32; f32 and f64 unchanged."""
    return array if array.dtype in (_F32, _F64) else widen(array)


def _in_expressed(ufunc: np.ufunc, expressed: ElementType) -> Callable[[Array, Array], Array]:
    """An arithmetic function that rounds once: f32 has more than twice the bits of the narrow types."""
    if not expressed.is_narrow_float:
        return ufunc
    round_ = rounding(expressed.dtype, _F32)
    return lambda lhs, rhs: round_(ufunc(widen(lhs), widen(rhs)))


def _to_storage(storage: ElementType) -> Callable[[Array], Array]:
    dtype = storage.dtype
    if storage.is_narrow_integer:
        return lambda array: zero_extend(array.astype(np.int8), storage.width).view(dtype)
    return lambda array: array.astype(dtype)
