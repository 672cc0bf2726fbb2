"""CHLO's element-wise operations, apart from functions that native kernels compute alone (`transcendental`).
CHLO has no specification; formulas follow its op definitions.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from hlokit.engine.contract.registry import IDENTITY, Constant, Kernel, Operation, Value
from hlokit.kernels.elementwise import complex_functions, special_functions
from hlokit.kernels.elementwise.blocked_kernels import DType, blocked_kernel
from hlokit.kernels.elementwise.cache_blocking import Array, common_shape
from hlokit.kernels.elementwise.convert import converter
from hlokit.kernels.elementwise.error_free import two_product, two_sum
from hlokit.kernels.elementwise.kernel_factories import (
    arithmetic,
    elementwise,
    extend,
    in_complex_f64,
    plain_ufunc,
    zero_extend,
)
from hlokit.kernels.elementwise.narrow_floats import widen
from hlokit.kernels.elementwise.native import complex_function
from hlokit.kernels.elementwise.single_rounding import native_function
from hlokit.values.element_types import COMPLEX_F64, F64, ElementType, Kind
from hlokit.values.float_format import Special, float_format
from hlokit.values.types import TensorType

_BOOL = np.dtype(np.bool_)


# Complex functions ----------------------------------------------------------------------------------


def _square_complex(operand: Array) -> Array:
    """(x - y) (x + y) + 2 i x y of complex128. Away from the ends of the range, the real part is computed
    from sums and a product with their errors; zeros and NaN are those of operand * operand.
    """
    x, y = np.real(operand), np.imag(operand)
    product = complex_function("multiply", COMPLEX_F64, 2)(operand, operand)
    unusual = np.where(np.isinf(x) | np.isinf(y), np.abs(x) - np.abs(y), np.real(product))
    size = np.maximum(np.abs(x), np.abs(y))
    exponent = np.where(size > 2.0**400, -600, np.where(size < 2.0**-400, 600, 0))
    x, y = np.ldexp(x, exponent), np.ldexp(y, exponent)
    (less, less_error), (more, more_error) = two_sum(x, -y), two_sum(x, y)
    high, low = two_product(less, more)
    scaled = high + (low + (less * more_error + more * less_error))
    is_usual = np.isfinite(scaled) & (scaled != 0)
    real_part = np.where(is_usual, np.ldexp(np.where(is_usual, scaled, 0), -2 * exponent), unusual)
    return complex_functions.complex_of(real_part, np.imag(product))


# Neighbours -----------------------------------------------------------------------------------------


def _next_after(type_: TensorType) -> Kernel:
    """nextafter; for narrow floats, computed on ordinals (values numbered in increasing order)."""
    element_type = type_.element_type
    dtype = element_type.dtype
    if not element_type.is_narrow_float:
        return Kernel(np.nextafter, pointwise=True)
    return blocked_kernel(partial(_next_after_narrow, element_type), dtype)


def _next_after_narrow(element_type: ElementType, x: Array, y: Array) -> Array:
    layout = float_format(element_type)
    unsigned, dtype = element_type.bits_dtype, element_type.dtype
    x, y = np.broadcast_arrays(x, y)
    bits = np.ascontiguousarray(x).view(unsigned).astype(np.int32)
    wide_x, wide_y = widen(x), widen(y)
    upward = wide_y > wide_x
    if layout.special is Special.POWER:
        next_bits = np.where(upward, bits + 1, bits - 1)
    else:
        sign_bit = layout.sign_bit
        magnitude = bits & (sign_bit - 1)
        negative = (bits & sign_bit) != 0
        ordinal = np.where(negative, -magnitude, magnitude) + np.where(upward, 1, -1)
        next_bits = np.where(ordinal < 0, sign_bit - ordinal, ordinal)
        if layout.special is not Special.FNUZ:
            next_bits = np.where((ordinal == 0) & negative, sign_bit, next_bits)
    result = next_bits.astype(unsigned).view(dtype)
    equal = wide_x == wide_y
    result = np.where(equal, y, result)
    nan = np.isnan(wide_x) | np.isnan(wide_y)
    return np.where(nan, np.where(np.isnan(wide_x), x, y), result)


# Integers -------------------------------------------------------------------------------------------


def _mulhi(type_: TensorType) -> Kernel:
    element_type = type_.element_type
    width, dtype = element_type.width, element_type.dtype
    if width == 64:
        return blocked_kernel(
            _mulhi_signed_64 if element_type.kind is Kind.SIGNED else _mulhi_unsigned_64, dtype
        )
    wide = np.dtype(np.int64 if element_type.kind is Kind.SIGNED else np.uint64)

    def high(lhs: Array, rhs: Array) -> Array:
        if element_type.is_narrow_integer:
            lhs, rhs = extend(lhs, width), extend(rhs, width)
        product = (lhs.astype(wide) * rhs.astype(wide)) >> wide.type(width)
        if element_type.is_narrow_integer:
            return zero_extend(product.astype(np.uint8), width).view(dtype)
        return product.astype(dtype)

    return blocked_kernel(high, dtype)


def _mulhi_unsigned_64(lhs: Array, rhs: Array) -> Array:
    """The upper 64 bits of a product, from halves of 32 bits, whose products and carries fit 64 bits."""
    half, mask = np.uint64(32), np.uint64(0xFFFFFFFF)
    lhs_high, lhs_low, rhs_high, rhs_low = lhs >> half, lhs & mask, rhs >> half, rhs & mask
    middle = lhs_high * rhs_low + ((lhs_low * rhs_low) >> half)
    other = lhs_low * rhs_high + (middle & mask)
    return lhs_high * rhs_high + (middle >> half) + (other >> half)


def _mulhi_signed_64(lhs: Array, rhs: Array) -> Array:
    """The unsigned result, corrected: a negative operand is read 2**64 too large, which adds the other
    operand to the upper half.
    """
    unsigned = _mulhi_unsigned_64(lhs.view(np.uint64), rhs.view(np.uint64)).view(np.int64)
    return unsigned - np.where(lhs < 0, rhs, 0) - np.where(rhs < 0, lhs, 0)


def _same(type_: TensorType) -> Kernel:
    del type_
    return IDENTITY


# Special functions of one float ----------------------------------------------------------------------

# Narrow types have a faster approximation.
bessel_i1e = elementwise(float_=native_function("bessel_i1e", approximate=special_functions.bessel_i1e))
digamma = elementwise(float_=native_function("digamma"))
lgamma = elementwise(float_=native_function("lgamma"))

# Other operations -----------------------------------------------------------------------------------

conj = elementwise(
    bool_=_same,
    integer=_same,
    float_=_same,
    complex_=plain_ufunc(np.conjugate),
)
is_inf = elementwise(float_=arithmetic(np.isinf, result=_BOOL))
is_neg_inf = elementwise(float_=arithmetic(np.isneginf, result=_BOOL))
is_pos_inf = elementwise(float_=arithmetic(np.isposinf, result=_BOOL))
mulhi = elementwise(integer=_mulhi)
next_after = elementwise(float_=_next_after)
square = elementwise(
    float_=arithmetic(np.square, "{0} * {0}"),
    complex_=in_complex_f64(_square_complex),
)


# Constants ------------------------------------------------------------------------------------------


def constant(operation: Operation) -> Constant:
    """output = value."""
    return Constant(operation.attributes.elements("value"))


def constant_like(operation: Operation) -> Kernel:
    """result = value everywhere, in the shape of operand."""
    element = _element(operation, operation.result().element_type)

    def kernel(operand: Value) -> Value:
        return np.broadcast_to(element, common_shape([operand]))

    return Kernel(kernel)


def _element(operation: Operation, element_type: ElementType) -> Array:
    """Attribute `value` as an array of rank 0."""
    attributes = operation.attributes
    dtype: DType = element_type.dtype
    match element_type.kind:
        case Kind.BOOL:
            return np.asarray(attributes.bool_("value"), dtype)
        case Kind.COMPLEX:
            # `#complex.number<:f32 1.0, 2.0>`: the bindings have no class for this attribute.
            _, _, parts = str(attributes.raw("value")).partition("<:")
            real_part, imaginary_part = parts.partition(">")[0].split(" ", 1)[1].split(",")
            return np.asarray(complex(float(real_part), float(imaginary_part)), dtype)
        case Kind.FLOAT:
            number = np.asarray(attributes.float_("value"))
            return converter(F64, element_type)(number.reshape(1)).reshape(())
        case _:
            return np.asarray(attributes.int_("value")).astype(dtype)
