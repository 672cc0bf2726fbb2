"""CHLO's element-wise functions: one table row per operation. CHLO has no specification; formulas follow its
op definitions.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from hlokit.contract.registry import IDENTITY, Constant, Kernel, Operation, Value, op
from hlokit.ops.elementwise import complex_functions, special_functions
from hlokit.ops.elementwise.blocked_kernels import DType, blocked_kernel
from hlokit.ops.elementwise.cache_blocking import Array, common_shape
from hlokit.ops.elementwise.convert import converter
from hlokit.ops.elementwise.error_free import two_product, two_sum
from hlokit.ops.elementwise.kernel_factories import (
    arithmetic,
    complex_native,
    elementwise,
    extend,
    in_complex_f64,
    plain_ufunc,
    zero_extend,
)
from hlokit.ops.elementwise.narrow_floats import widen
from hlokit.ops.elementwise.native import complex_function
from hlokit.ops.elementwise.single_rounding import native_function
from hlokit.values.element_types import COMPLEX_F64, F64, ElementType, Kind
from hlokit.values.float_format import Special, float_format
from hlokit.values.types import TensorType

_BOOL = np.dtype(np.bool_)


# Complex functions ----------------------------------------------------------------------------------


def _square_complex(operand: Array) -> Array:
    """(x - y) (x + y) + 2 i x y of complex128. Away from the ends of the range, the real part is computed
    from sums and a product with their errors; zeros, infinities and NaN are those of operand * operand.
    """
    x, y = np.real(operand), np.imag(operand)
    product = complex_function("multiply", COMPLEX_F64, 2)(operand, operand)
    size = np.maximum(np.abs(x), np.abs(y))
    exponent = np.where(size > 2.0**400, -600, np.where(size < 2.0**-400, 600, 0))
    x, y = np.ldexp(x, exponent), np.ldexp(y, exponent)
    (less, less_error), (more, more_error) = two_sum(x, -y), two_sum(x, y)
    high, low = two_product(less, more)
    scaled = high + (low + (less * more_error + more * less_error))
    is_usual = np.isfinite(scaled) & (scaled != 0)
    real_part = np.where(is_usual, np.ldexp(np.where(is_usual, scaled, 0), -2 * exponent), np.real(product))
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


# The table ------------------------------------------------------------------------------------------

acos = elementwise(
    "chlo.acos",
    "the angle whose cosine is operand",
    float_=native_function("acos"),
    complex_=complex_native("acos"),
)
acosh = elementwise(
    "chlo.acosh",
    "the number whose cosh is operand",
    float_=native_function("acosh"),
    complex_=complex_native("acosh"),
)
asin = elementwise(
    "chlo.asin",
    "the angle whose sine is operand",
    float_=native_function("asin"),
    complex_=complex_native("asin"),
)
asin_acos_kernel = elementwise(
    "chlo._asin_acos_kernel", "the common part of asin and acos", complex_=complex_native("asin_acos_kernel")
)
asinh = elementwise(
    "chlo.asinh",
    "the number whose sinh is operand",
    float_=native_function("asinh"),
    complex_=complex_native("asinh"),
)
atan = elementwise(
    "chlo.atan",
    "the angle whose tangent is operand",
    float_=native_function("atan"),
    complex_=complex_native("atan"),
)
atanh = elementwise(
    "chlo.atanh",
    "the number whose tanh is operand",
    float_=native_function("atanh"),
    complex_=complex_native("atanh"),
)
bessel_i1e = elementwise(
    "chlo.bessel_i1e",
    "exp(-|operand|) I1(operand), I1 being the modified Bessel function of order 1",
    float_=native_function("bessel_i1e", approximate=special_functions.bessel_i1e),
)
conj = elementwise(
    "chlo.conj",
    "the complex conjugate of operand",
    bool_=_same,
    integer=_same,
    float_=_same,
    complex_=plain_ufunc(np.conjugate),
)
cosh = elementwise(
    "chlo.cosh", "cosh(operand)", float_=native_function("cosh"), complex_=complex_native("cosh")
)
digamma = elementwise(
    "chlo.digamma",
    "the derivative of log(gamma(operand))",
    float_=native_function("digamma", approximate=special_functions.digamma),
)
erf = elementwise("chlo.erf", "erf(operand)", float_=native_function("erf"))
erf_inv = elementwise(
    "chlo.erf_inv",
    "the number whose erf is operand",
    float_=native_function("erf_inv"),
)
erfc = elementwise("chlo.erfc", "1 - erf(operand)", float_=native_function("erfc"))
is_inf = elementwise("chlo.is_inf", "whether operand is infinite", float_=arithmetic(np.isinf, result=_BOOL))
is_neg_inf = elementwise(
    "chlo.is_neg_inf", "whether operand is -infinity", float_=arithmetic(np.isneginf, result=_BOOL)
)
is_pos_inf = elementwise(
    "chlo.is_pos_inf", "whether operand is +infinity", float_=arithmetic(np.isposinf, result=_BOOL)
)
lgamma = elementwise(
    "chlo.lgamma",
    "log(|gamma(operand)|)",
    float_=native_function("lgamma", approximate=special_functions.lgamma),
)
mulhi = elementwise("chlo.mulhi", "the upper half of the bits of lhs * rhs", integer=_mulhi)
next_after = elementwise(
    "chlo.next_after", "the value next to x in the direction of y; y if they are equal", float_=_next_after
)
polygamma = elementwise(
    "chlo.polygamma",
    "the derivative of order n of digamma(x)",
    float_=native_function("polygamma", operands=2),
)
sinh = elementwise(
    "chlo.sinh", "sinh(operand)", float_=native_function("sinh"), complex_=complex_native("sinh")
)
square = elementwise(
    "chlo.square",
    "operand * operand",
    float_=arithmetic(np.square, "{0} * {0}"),
    complex_=in_complex_f64(_square_complex),
)
tan = elementwise("chlo.tan", "tan(operand)", float_=native_function("tan"), complex_=complex_native("tan"))
zeta = elementwise(
    "chlo.zeta", "sum((q + n)**-x for n = 0, 1, ...)", float_=native_function("zeta", operands=2)
)


# Constants ------------------------------------------------------------------------------------------


@op("chlo.constant")
def constant(operation: Operation) -> Constant:
    """output = value."""
    return Constant(operation.attributes.elements("value"))


@op("chlo.constant_like")
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
