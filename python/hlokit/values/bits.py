"""Values as bit patterns: views, bitwise equality, distances in units in the last place.

Narrow types keep their value in the low bits of a byte; the other bits are ignored.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.values.element_types import ElementType, Kind, element_type_of
from hlokit.values.float_format import Special, float_format

_FAR = np.uint64(np.iinfo(np.uint64).max)


def bits(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The bit patterns of `array` as unsigned integers of the same item size.

    The result is a view if the layout of `array` allows it. A complex array gains a last dimension of size 2:
    the bits of the real part, then those of the imaginary part.

    Raises:
      TypeError: no StableHLO element type is stored in the array's dtype.
    """
    element_type = element_type_of(array.dtype)
    if element_type.kind is not Kind.COMPLEX:
        return array.view(element_type.bits_dtype)
    parts = np.ascontiguousarray(array).view(element_type.bits_dtype)
    return parts.reshape(*array.shape, 2)


def is_splat(array: npt.NDArray[Any]) -> bool:
    """Whether an array has one element, or repeats one element by strides of 0. Values are not compared."""
    return array.size == 1 or (
        array.size > 0
        and all(stride == 0 or size == 1 for stride, size in zip(array.strides, array.shape, strict=True))
    )


def aligned(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array itself if aligned, else a copy.

    Compiled kernels require aligned arrays. NumPy's own arrays are aligned; memory from elsewhere (files,
    buffers, bytes viewed as wider elements) need not be.
    """
    return array if array.flags.aligned else array.copy(order="C")


def is_masked(array: object) -> bool:
    """Whether NumPy hides elements of an array: `numpy.asarray` would show the values behind the mask."""
    # There is no such array where nobody has imported NumPy's module for them, which calls do not import.
    module = None if type(array) is np.ndarray else sys.modules.get("numpy.ma")
    return module is not None and bool(module.is_masked(array))


def storable(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array in a dtype that NumPy can read again from a file: raw bytes for dtypes that are not NumPy's.

    NumPy itself writes most foreign dtypes in this form, but writes one of the float8 dtypes under a name
    that NumPy cannot read. `restored` is the inverse.
    """
    if array.dtype.type.__module__ == "numpy":
        return array
    return np.ascontiguousarray(array).reshape(array.shape).view(f"V{array.dtype.itemsize}")


def restored(array: npt.NDArray[Any], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """An array of `storable` in its original dtype. An array of any other dtype is returned unchanged."""
    return array.view(dtype) if array.dtype.kind == "V" and array.dtype.itemsize == dtype.itemsize else array


def significant_bits(array: npt.NDArray[Any], element_type: ElementType) -> npt.NDArray[Any]:
    """`bits(array)` with only the bits that belong to the value: 2 of a byte for `i2`."""
    view = bits(array)
    width = element_type.part.width
    if width == 8 * view.dtype.itemsize:
        return view
    return view & view.dtype.type((1 << width) - 1)


def with_mantissa_bits(
    values: npt.NDArray[Any], count: int, *, is_cut: bool = False
) -> npt.NDArray[np.float32]:
    """Finite numbers of f32 with fewer bits of mantissa: TF32 has 10.

    Args:
      is_cut: leave the other bits out, instead of rounding to the nearest, ties to even.
    """
    dropped, one = np.uint32(23 - count), np.uint32(1)
    codes = np.atleast_1d(np.asarray(values, np.float32)).view(np.uint32)
    if not is_cut:
        codes = codes + ((one << (dropped - one)) - one + ((codes >> dropped) & one))
    kept = codes & ~((one << dropped) - one)
    return kept.view(np.float32).reshape(values.shape)


def are_same(one: npt.NDArray[Any] | np.generic, other: npt.NDArray[Any] | np.generic) -> bool:
    """Whether two arrays have the same dtype, shape and bytes."""
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


def bitwise_equal(
    a: npt.NDArray[Any], b: npt.NDArray[Any], element_type: ElementType
) -> npt.NDArray[np.bool_]:
    """Whether `a` and `b`, two arrays of `element_type`, contain the same bits, element by element.

    +0 differs from -0, and NaNs are equal if and only if sign and payload are. A complex element is equal if
    both parts are.

    Returns:
      A mask of the arrays' shape.

    Raises:
      ValueError: the shapes differ.
      TypeError: a dtype is not that of `element_type`.
    """
    _require_alike("bitwise_equal", a, b, element_type)
    equal = np.asarray(significant_bits(a, element_type) == significant_bits(b, element_type))
    if element_type.kind is not Kind.COMPLEX:
        return equal
    return np.asarray(np.logical_and(equal[..., 0], equal[..., 1]))


def ulp_distance(
    a: npt.NDArray[Any], b: npt.NDArray[Any], element_type: ElementType
) -> npt.NDArray[np.uint64]:
    """The number of steps between representable values from `a` to `b`.

    The count is exact through subnormals and across zero, where +0 and -0 coincide. Equal bits and any two
    NaNs have the distance 0. The distance of an infinity or NaN to any other value is the largest uint64. A
    complex distance is the larger distance of the parts.

    Args:
      a: array of a float or complex element type.
      b: array of the same shape and type.
      element_type: that type.

    Returns:
      Distances, in the arrays' shape.

    Raises:
      ValueError: the shapes differ.
      TypeError: `element_type` is not float or complex, or a dtype is not that of `element_type`.
    """
    if not element_type.kind.is_inexact:
        raise TypeError(f"ulp_distance: element type must be float or complex, got {element_type}")
    _require_alike("ulp_distance", a, b, element_type)
    a_bits = significant_bits(a, element_type).astype(np.uint64)
    b_bits = significant_bits(b, element_type).astype(np.uint64)
    distance = _part_distance(a_bits, b_bits, element_type)
    return np.asarray(distance.max(axis=-1)) if element_type.kind is Kind.COMPLEX else distance


def _part_distance(
    a: npt.NDArray[np.uint64], b: npt.NDArray[np.uint64], element_type: ElementType
) -> npt.NDArray[np.uint64]:
    sign = np.uint64(float_format(element_type).sign_bit)
    a_magnitude, b_magnitude = a & ~sign, b & ~sign
    # Codes of one sign are numbered by magnitude, outward from the zeros, which are both number 0.
    same_side = np.maximum(a_magnitude, b_magnitude) - np.minimum(a_magnitude, b_magnitude)
    finite_distance = np.where((a ^ b) & sign != 0, a_magnitude + b_magnitude, same_side)
    a_class, b_class = _classes(a, element_type), _classes(b, element_type)
    both_nan = (a_class == _NAN) & (b_class == _NAN)
    distance = np.where((a_class == _FINITE) & (b_class == _FINITE), finite_distance, _FAR)
    return np.where((a == b) | both_nan, np.uint64(0), distance)


_FINITE, _INFINITE, _NAN = 0, 1, 2


def _classes(codes: npt.NDArray[np.uint64], element_type: ElementType) -> npt.NDArray[np.intp]:
    layout = float_format(element_type)
    if layout.special is Special.FNUZ:
        return np.where(codes == np.uint64(layout.sign_bit), _NAN, _FINITE)
    magnitudes = codes & ~np.uint64(layout.sign_bit)
    largest = np.uint64(layout.largest)
    infinity = largest + np.uint64(layout.special is Special.IEEE)
    return np.where(magnitudes <= largest, _FINITE, np.where(magnitudes <= infinity, _INFINITE, _NAN))


def _require_alike(what: str, a: npt.NDArray[Any], b: npt.NDArray[Any], element_type: ElementType) -> None:
    for array in (a, b):
        if array.dtype != element_type.dtype:
            raise TypeError(f"{what}: dtype must be that of {element_type}, got {array.dtype}")
    if a.shape != b.shape:
        raise ValueError(f"{what}: shapes must be equal, got {a.shape} and {b.shape}")
