"""Operations on the bits of values: bitcast_convert and reduce_precision."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from hlokit.engine.contract import array_ops
from hlokit.engine.contract.registry import IDENTITY, Kernel, Operation, Value
from hlokit.kernels.elementwise.blocked_kernels import blocked_kernel
from hlokit.kernels.elementwise.cache_blocking import Array, blend
from hlokit.kernels.shapes.specialization import checked_shape
from hlokit.values.bits import aligned
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.float_format import FloatFormat, Special, float_format


def bitcast_convert(operation: Operation) -> Kernel:
    """spec "bitcast_convert": bits(result) = bits(operand); little-endian between types of different width.

    Sub-byte elements are packed for the conversion, the first element in the lowest bits.
    """
    operand, result = operation.operand(), operation.result()
    source, target = operand.element_type, result.element_type
    count = max(source.width, target.width) // min(source.width, target.width)
    splits = source.width > target.width
    if operand.is_static:
        shape = operand.dims if count == 1 else (*operand.dims, count) if splits else operand.dims[:-1]
        checked_shape(shape, result, "the shape of the same bits")
    if count == 1:
        return Kernel(partial(_viewed, target.dtype), pointwise=True)
    convert = _repack if _is_packed(source) or _is_packed(target) else _reinterpret

    def kernel(operand: Value) -> Value:
        shape = (*operand.shape, count) if splits else operand.shape[:-1]
        result = convert(np.ascontiguousarray(operand).reshape(-1), source, target).reshape(shape)
        return result if shape else result[()]

    return Kernel(kernel, array_op=array_ops.Bitcast() if convert is _reinterpret else None)


def _viewed(dtype: np.dtype[Any], operand: Array) -> Array:
    return operand.view(dtype)


def _is_packed(type_: ElementType) -> bool:
    """Whether several elements share a byte in the packed layout."""
    return type_.kind is Kind.BOOL or type_.width % 8 != 0


def _reinterpret(operand: Array, source: ElementType, target: ElementType) -> Array:
    del source
    return aligned(operand.view(target.dtype))


def _repack(operand: Array, source: ElementType, target: ElementType) -> Array:
    """Reinterpret bit by bit: slow, but correct for every pair of widths."""
    octets = operand.view(np.uint8).reshape(-1, source.dtype.itemsize)
    bits = np.unpackbits(octets, axis=1, bitorder="little")[:, : source.width]
    elements = np.zeros((operand.size * source.width // target.width, 8 * target.dtype.itemsize), np.uint8)
    elements[:, : target.width] = bits.reshape(-1, target.width)
    return np.packbits(elements, axis=1, bitorder="little").reshape(-1).view(target.dtype)


def reduce_precision(operation: Operation) -> Kernel:
    """spec "reduce_precision": output = operand, rounded to a float format of `exponent_bits` and
    `mantissa_bits`.

    The target format has the layout of IEEE-754, but no subnormals: values below its normal range become 0.
    If its exponent range is not smaller than the operand's, exponents are unchanged. Overflow gives infinity,
    or the result of `convert` for infinity if the type has no infinity. NaN is unchanged; without mantissa
    bits, NaN becomes infinity, as in the C++ interpreter (XLA keeps NaN).
    """
    element_type = operation.operand().element_type
    layout = float_format(element_type)
    exponent_bits = operation.attributes.int_("exponent_bits")
    mantissa_bits = operation.attributes.int_("mantissa_bits")
    if mantissa_bits >= layout.mantissa_bits and exponent_bits >= layout.exponent_bits:
        return IDENTITY
    bits: Any = element_type.bits_dtype
    all_bits = bits.type((1 << layout.width) - 1)
    sign_bit = bits.type(layout.sign_bit)
    magnitude_bits = all_bits ^ sign_bit
    largest = bits.type(layout.largest)
    beyond, has_infinity = _beyond(layout)
    nan_is_infinite = has_infinity and mantissa_bits == 0

    zero = (
        all_bits if layout.special is Special.POWER else bits.type(0)
    )  # f8E8M0FNU has no zero and takes NaN instead
    dropped = layout.mantissa_bits - mantissa_bits

    def reduce(operand: Array) -> Array:
        code: Any = operand.view(bits)
        sign, original = code & sign_bit, code & magnitude_bits
        magnitude: Array = _rounded(original, dropped, layout) if dropped > 0 else original
        overflows = magnitude > largest
        if exponent_bits < layout.exponent_bits:
            exponent: Any = magnitude >> layout.mantissa_bits
            range_ = (1 << (exponent_bits - 1)) - 1
            magnitude = blend(exponent <= layout.bias - range_, zero, magnitude)
            overflows |= exponent > layout.bias + range_
        magnitude = blend(overflows, bits.type(beyond), magnitude)
        if layout.special is Special.FNUZ:  # these formats have no signed zero and no signed NaN
            magnitude = blend(magnitude == 0, magnitude, sign | magnitude)
            return blend(overflows | (code == sign_bit), sign_bit, magnitude).view(operand.dtype)
        is_nan = original > largest
        if has_infinity:
            is_nan &= original != beyond
        nan = bits.type(beyond) if nan_is_infinite else code
        if layout.special is Special.FN:  # a NaN that is computed is positive
            sign = blend(overflows, bits.type(0), sign)
        return blend(is_nan, nan, sign | magnitude).view(operand.dtype)

    return blocked_kernel(reduce, element_type.dtype)


def _beyond(layout: FloatFormat) -> tuple[int, bool]:
    """The magnitude that encodes overflow, and whether it is infinity."""
    match layout.special:
        case Special.IEEE:
            return layout.largest + 1, True
        case Special.FINITE:
            return layout.largest, False
        case _:
            return layout.nan & ~layout.sign_bit, False


def _rounded(magnitude: Array, dropped: int, layout: FloatFormat) -> Array:
    """Magnitudes rounded to nearest even, with the lowest `dropped` bits cleared.

    Without mantissa bits, the last bit belongs to the exponent. 1.5 then becomes 2, as in all IEEE-754
    formats, whose biases are odd.
    """
    one: Any = magnitude.dtype.type(1)
    odd: Any = (magnitude >> dropped) & one
    if dropped == layout.mantissa_bits and layout.bias % 2 == 0:
        odd ^= (magnitude >> dropped) != 0
    half: Any = magnitude.dtype.type((1 << (dropped - 1)) - 1)
    rounded: Array = ((magnitude + half + odd) >> dropped) << dropped
    return rounded
