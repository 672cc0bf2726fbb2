"""Replaces all NaNs of a value by the canonical NaN: positive and quiet, without a payload."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit import _kernels
from hlokit.engine.contract.registry import Kernel, KernelFunction, Value
from hlokit.engine.contract.threads import thread_count
from hlokit.values.element_types import ElementType, Kind, element_type_of
from hlokit.values.types import TensorType, ValueType

Array = npt.NDArray[Any]

# For types (and parts of complex types) with several NaNs: the bits of the last value before the NaNs (the
# positive infinity, if there is one), and the bits of the canonical NaN.
_BITS = {
    "f8E3M4": (0x70, 0x78),
    "f8E4M3": (0x78, 0x7C),
    "f8E4M3FN": (0x7E, 0x7F),
    "f8E5M2": (0x7C, 0x7E),
    "bf16": (0x7F80, 0x7FC0),
    "f16": (0x7C00, 0x7E00),
    "f32": (0x7F800000, 0x7FC00000),
    "f64": (0x7FF0000000000000, 0x7FF8000000000000),
}

_LAST_BUILTIN = np.dtype(np.float16).num


def canonical_nan(type_: ValueType) -> Kernel | None:
    """The kernel that makes all NaNs of a value canonical; None for types with at most one NaN."""
    return _kernel(type_.element_type) if isinstance(type_, TensorType) else None


@cache
def _kernel(element_type: ElementType) -> Kernel | None:
    if not element_type.kind.is_inexact or element_type.part.name not in _BITS:
        return None
    return Kernel(_function(element_type), pointwise=True)


def nan_bits(type_: TensorType) -> tuple[int, int] | None:
    """The bits of the last value before the NaNs of a type (or of its parts), and of the canonical NaN.

    None for types with at most one NaN.
    """
    return _BITS.get(type_.element_type.part.name)


def is_nan(value: Value) -> bool:
    """Whether a scalar, or a part of a complex scalar, is a NaN. All other values equal themselves."""
    return bool(value != value)  # noqa: PLR0124 # NumPy's isnan takes several times as long


def is_canonical(value: Value) -> bool:
    """Whether all NaNs of an array or scalar are canonical."""
    kernel = _kernel_of_dtype(value.dtype)
    if kernel is None:
        return True
    if not value.ndim:
        return not is_nan(value) or value.tobytes() == kernel.function(value).tobytes()
    return kernel.function(value) is value


def canonical_of(value: Value) -> Value:
    """An array or scalar with canonical NaNs; the same object if all its NaNs are canonical."""
    kernel = _kernel_of_dtype(value.dtype)
    return value if kernel is None else kernel.function(value)


@cache
def _kernel_of_dtype(dtype: np.dtype[Any]) -> Kernel | None:
    try:
        return _kernel(element_type_of(dtype))
    except TypeError:  # longdouble, which only occurs in shadow runs
        return None


def with_canonical_nans(function: KernelFunction, types: tuple[ValueType, ...]) -> KernelFunction:
    """A function whose results, of these types, have canonical NaNs."""
    kernels = [canonical_nan(type_) for type_ in types]
    if not any(kernels):
        return function
    functions = [_unchanged if kernel is None else kernel.function for kernel in kernels]
    if len(functions) == 1:
        (only,) = functions
        return lambda *operands: only(function(*operands))

    def canonical(*operands: Value) -> tuple[Value, ...]:
        results = function(*operands)
        return tuple([make(result) for make, result in zip(functions, results, strict=True)])

    return canonical


def _unchanged(value: Value) -> Value:
    return value


def _function(element_type: ElementType) -> KernelFunction:
    part = element_type.part
    infinity, nan_number = _BITS[part.name]
    nan = part.bits_dtype.type(nan_number).view(part.dtype)
    is_complex = element_type.kind is Kind.COMPLEX

    def replaced(array: Array) -> Array:
        """A copy, with canonical NaNs, of an array that is contiguous for some order of its dimensions."""
        result = array.copy(order="K")
        bits: Any = result.ravel(order="K").view(part.bits_dtype)
        _kernels.unify_nans(bits, infinity, nan_number, thread_count())
        return result

    def fallback(value: Value) -> Value:
        """The canonical value where the native search decides nothing: for scalars, for arrays with gaps,
        and for arrays with another NaN than the canonical one."""
        if not value.ndim:
            if not is_nan(value):
                return value
            return _complex_scalar(value, nan) if is_complex else nan
        flags = value.flags
        if flags.c_contiguous or flags.f_contiguous:
            return replaced(value)
        once = value[tuple([slice(None) if stride else slice(1) for stride in value.strides])]
        dense = np.array(once, order="K")
        result = dense.ravel(order="K")
        if search(result) is result:
            return value
        return np.broadcast_to(replaced(dense), value.shape)

    search = _kernels.canonical_nan(part.dtype.itemsize, infinity, nan_number, thread_count(), fallback)
    if element_type.dtype.num <= _LAST_BUILTIN:
        return search

    # The buffer protocol does not support the type.
    of_bits = _kernels.canonical_nan(part.dtype.itemsize, infinity, nan_number, thread_count(), _nothing)

    def canonical(value: Value) -> Value:
        if not value.ndim or not value.flags.forc:
            return fallback(value)
        return value if of_bits(value.view(part.bits_dtype)) is not None else replaced(value)

    search = canonical
    return canonical


def _nothing(value: Value) -> None:
    del value


def _complex_scalar(value: Value, nan: Any) -> Value:
    real, imag = (nan if is_nan(part) else part for part in (value.real, value.imag))
    parts = np.array([real, imag])
    return parts.view(value.dtype)[0]
