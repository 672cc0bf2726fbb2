"""Conversion between element types."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import IDENTITY, Kernel, KernelFunction, Operation
from hlokit.kernels.elementwise.blocked_kernels import blocked_kernel
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.kernels.elementwise.kernel_factories import extend, zero_extend
from hlokit.kernels.elementwise.narrow_floats import rounding, tabulated, widen
from hlokit.kernels.elementwise.native import prefer_native_if_large
from hlokit.values.element_types import F32, F64, ElementType, Kind

ArrayFunction = Callable[[Array], Array]
DType = np.dtype[Any]

_F32 = np.dtype(np.float32)
_F64 = np.dtype(np.float64)


def convert(operation: Operation) -> Kernel:
    """spec "convert": result = the value of operand in the result's element type.

    Where the specification leaves the result open, hlokit follows XLA:CPU and the C++ interpreter: integers
    wrap; conversion of floats to integers saturates, and NaN becomes 0; conversion to a narrower float rounds
    once, to nearest even. Any number other than 0 is true. A complex number converts by its real part.
    """
    source, target = operation.operand().element_type, operation.result().element_type
    if source.dtype == target.dtype:
        return IDENTITY
    if target.kind is Kind.BOOL and _is_native(source):
        return Kernel(_nonzero, pointwise=True, source="{0} != 0")
    kernel = blocked_kernel(
        converter(source, target),
        target.dtype,
        _fast_path_converter(source, target),
        scalar_dtype=source.dtype,
    )
    return prefer_native_if_large(operation, kernel)


def converter(source: ElementType, target: ElementType) -> ArrayFunction:
    """A blockwise function that converts from one element type to another."""
    if source.kind is Kind.COMPLEX:
        if target.kind is Kind.COMPLEX:
            return lambda operand: operand.astype(target.dtype)
        from_part = converter(source.part, target)
        return lambda operand: from_part(_real_part(operand))
    if source is target:
        return lambda operand: operand
    if target.kind is Kind.COMPLEX:
        to_part = converter(source, target.part)
        return lambda operand: to_part(operand).astype(target.dtype)
    if source.kind is Kind.FLOAT:
        return _from_float(source, target)
    return _from_integer(source, target)


def _real_part(operand: Any) -> Array:
    return operand.real


def _from_integer(source: ElementType, target: ElementType) -> ArrayFunction:
    """From an integer or a boolean."""
    width = source.width
    if source.is_narrow_integer:
        inner = _from_byte(target)
        return lambda operand: inner(extend(operand, width))
    if width == 64 and target.is_narrow_float:
        round_ = rounding(target.dtype, _F64)
        return lambda operand: round_(_with_sticky_bit(operand).astype(_F64))
    return _from_byte(target)


def _from_byte(target: ElementType) -> ArrayFunction:
    """From an integer or boolean of 8 to 32 bits, or of 64 bits to any type except narrow floats."""
    if target.kind is Kind.BOOL:
        return _nonzero
    if target.is_narrow_integer:
        return lambda operand: zero_extend(operand.astype(np.uint8), target.width).view(target.dtype)
    if target.is_narrow_float:
        round_ = rounding(target.dtype, _F64)
        return lambda operand: round_(operand.astype(_F64))
    return lambda operand: operand.astype(target.dtype)


def _with_sticky_bit(operand: Array) -> Array:
    """64-bit integers, changed so that f64 represents them exactly and rounds them to 24 bits like the
    originals.

    Beyond 2**53, the low 12 bits matter only if any of them is not 0: one sticky bit replaces them.
    """
    exact = operand.dtype.type(1 << 53)
    if np.max(operand, initial=0) <= exact and (
        operand.dtype.kind == "u" or np.min(operand, initial=0) >= -exact
    ):
        return operand
    low = operand & operand.dtype.type(0xFFF)
    kept = (operand - low) | ((low != 0).astype(operand.dtype) << 11)
    top = operand >> 53
    return np.where((top == 0) | (top == -1 if operand.dtype.kind == "i" else False), operand, kept)


def _from_float(source: ElementType, target: ElementType) -> ArrayFunction:
    if source.dtype.itemsize == 1:
        return tabulated(_from_f64(target), source.dtype, target.dtype)
    if source.is_narrow_float:
        inner = _from_f32(target)
        return lambda operand: inner(widen(operand))
    return _from_f32(target) if source is F32 else _from_f64(target)


@cache
def _from_f32(target: ElementType) -> ArrayFunction:
    return _from_wide(_F32, target)


@cache
def _from_f64(target: ElementType) -> ArrayFunction:
    return _from_wide(_F64, target)


def _from_wide(source: DType, target: ElementType) -> ArrayFunction:
    match target.kind:
        case Kind.BOOL:
            return _nonzero
        case Kind.FLOAT:
            return rounding(target.dtype, source)
        case _ if target.is_narrow_integer:
            saturated = _saturated(source, np.dtype(np.int8), *_range(target))
            return lambda operand: zero_extend(saturated(operand), target.width).view(target.dtype)
        case _:
            return _saturated(source, target.dtype, *_range(target))


def _range(target: ElementType) -> tuple[int, int]:
    if target.kind is Kind.SIGNED:
        return -(1 << (target.width - 1)), (1 << (target.width - 1)) - 1
    return 0, (1 << target.width) - 1


def _saturated(source: DType, target: DType, least: int, most: int) -> ArrayFunction:
    """Floats truncated to integers and saturated to [least, most]; NaN becomes 0."""
    low = source.type(least)  # a power of 2, or 0: exact
    high = source.type(most)
    if int(high) > most:
        high = np.nextafter(high, source.type(0))

    def saturate(operand: Array) -> Array:
        # NaN fails both comparisons. Two reading passes are faster than clipping.
        if np.min(operand, initial=0) >= low and np.max(operand, initial=0) <= high:
            return operand.astype(target)
        inside = np.clip(np.where(np.isnan(operand), source.type(0), operand), low, high).astype(target)
        return np.where(operand > high, target.type(most), inside)

    return saturate


def _nonzero(operand: Array) -> Array:
    return operand != 0


def _is_native(type_: ElementType) -> bool:
    """Whether NumPy computes in the type itself."""
    return not (type_.is_narrow_integer or type_.is_narrow_float or type_.kind is Kind.COMPLEX)


def _fast_path_converter(source: ElementType, target: ElementType) -> KernelFunction | None:
    """A fast conversion of NumPy scalars through Python numbers; None if there is none."""
    if not _is_native(source) or not _is_native(target):
        return None
    zero: Any = target.dtype.type(0)
    one: Any = target.dtype.type(1)

    def from_boolean(operand: Any) -> Any:
        return one if operand else zero

    def to_integer(operand: Any) -> Any:
        try:
            return zero + int(operand)
        except (OverflowError, ValueError):
            return None

    def from_integer(operand: Any) -> Any:
        return one * int(operand)

    def narrowed(operand: Any) -> Any:
        return one * float(operand)

    if source.kind is Kind.BOOL:
        return from_boolean
    if target.kind.is_integer:
        return to_integer
    if source.kind.is_integer:
        return from_integer if source.width < 64 or target is F64 else None  # f64 would round twice
    return narrowed if source is F64 else np.float64
