"""Arithmetic, logic and bit counts: operations that NumPy computes exactly by one operator or in a few
passes."""

from __future__ import annotations

import math
import operator
from typing import Any, NoReturn

import numpy as np

from hlokit.engine.contract.registry import IDENTITY, Kernel
from hlokit.errors import UnsupportedError
from hlokit.kernels.elementwise import complex_functions, integer_functions
from hlokit.kernels.elementwise.blocked_kernels import blocked_kernel
from hlokit.kernels.elementwise.cache_blocking import Array, blend
from hlokit.kernels.elementwise.kernel_factories import (
    KernelFactory,
    arithmetic,
    complex_native,
    elementwise,
    extend,
    in_complex_f64,
    integer,
    ordered,
    plain_ufunc,
    sign_bit,
    sign_extend,
    zero_extend,
    zero_extend_signed,
)
from hlokit.values.element_types import F32
from hlokit.values.types import TensorType

# Kernel factories that the rows below name ---------------------------------------------------------


def _complex(type_: TensorType) -> Kernel:
    dtype = np.dtype(np.complex64 if type_.element_type is F32 else np.complex128)
    return blocked_kernel(complex_functions.complex_of, dtype)


def _count_leading_zeros(type_: TensorType) -> Kernel:
    width = type_.element_type.width
    if width >= 8:
        fast_path = _count_leading_zeros_of_scalar
        return integer(integer_functions.count_leading_zeros, fast_path=fast_path, extensions=(zero_extend,))(
            type_
        )

    def within_width(bits: Array) -> Array:
        return integer_functions.count_leading_zeros(bits) - (8 - width)

    return integer(within_width, extensions=(zero_extend,))(type_)


# Blockwise functions -------------------------------------------------------------------------------


def maximum(lhs: Array, rhs: Array) -> Array:
    """The greater operand, with +0 > -0 (which NumPy does not define); NaN if either operand is NaN."""
    result = np.maximum(lhs, rhs)
    for bound in (lhs, rhs):
        if bound.ndim == 0 and (bound != 0 or not np.signbit(bound)):
            if bound == 0:
                result += bound  # -0 + 0 is +0, so that max(x, 0) is correct
            return result
    zero = result == 0
    if not zero.any():
        return result
    total = lhs + rhs  # the sum of two zeros is -0 only if both are
    return blend(zero & (total == 0), total, result)


def minimum(lhs: Array, rhs: Array) -> Array:
    """The smaller operand, with -0 < +0; NaN if either operand is NaN."""
    result = np.minimum(lhs, rhs)
    for bound in (lhs, rhs):
        if bound.ndim == 0 and bound != 0:
            return result
    zero = result == 0
    if not zero.any():
        return result
    total = (-lhs) + (-rhs)
    return blend(zero & (total == 0), -total, result)


def _sign(operand: Array) -> Array:
    return np.copysign(np.sign(operand), operand)


def _keeping_nans(factory: KernelFactory) -> KernelFactory:
    """The factory with kernels that keep the bits of NaNs, which rounding to a type below 32 bits would
    change."""

    def make(type_: TensorType) -> Kernel:
        kernel = factory(type_)
        if type_.element_type.width >= 32:
            return kernel
        function = kernel.function

        def with_nans(operand: Array) -> Array:
            result: Array = function(operand)
            is_nan = np.isnan(operand)
            return np.where(is_nan, operand, result) if is_nan.any() else result

        return kernel._replace(function=with_nans)

    return make


def _zeros(operand: Array) -> Array:
    return np.zeros_like(operand)


def _round_nearest_afz(operand: Array) -> Array:
    """Adds the largest number below 0.5, so that the sum never rounds up to the next integer."""
    below_half = np.nextafter(operand.dtype.type(0.5), operand.dtype.type(0))
    return np.trunc(operand + np.copysign(below_half, operand))


def _remainder(lhs: Array, rhs: Array) -> Array:
    """lhs - trunc(lhs / rhs) * rhs. f64 computes the result exactly if the quotient of two f32 is below
    2**28.

    `np.fmod` computes other operands, in 15 ns per element.
    """
    if lhs.dtype == np.float64:
        return np.fmod(lhs, rhs)
    dividend, divisor = lhs.astype(np.float64), rhs.astype(np.float64)
    quotient = np.trunc(dividend / divisor)
    result = np.copysign(dividend - quotient * divisor, dividend).astype(lhs.dtype)
    near = np.abs(quotient) < 2.0**28
    near &= np.isfinite(divisor)
    if not near.all():
        lhs, rhs = np.broadcast_arrays(lhs, rhs)
        far = np.nonzero(~near)
        result[far] = np.fmod(lhs[far], rhs[far])
    return result


# Fast paths for scalars; None selects the blockwise function ------------------------


def _greater(lhs: Any, rhs: Any) -> Any:
    if lhs > rhs or lhs == rhs != 0:
        return lhs
    return rhs if rhs > lhs else None


def _smaller(lhs: Any, rhs: Any) -> Any:
    if lhs < rhs or lhs == rhs != 0:
        return lhs
    return rhs if rhs < lhs else None


def _greater_integer(lhs: Any, rhs: Any) -> Any:
    return lhs if lhs > rhs else rhs


def _smaller_integer(lhs: Any, rhs: Any) -> Any:
    return lhs if lhs < rhs else rhs


def _divide_positive(lhs: Any, rhs: Any) -> Any:
    return lhs // rhs if rhs > 0 and lhs >= 0 else None


def _undecided_remainder(type_: TensorType) -> NoReturn:
    raise UnsupportedError(f"remainder of {type_.element_type}: the specification does not define it")


def _remainder_positive(lhs: Any, rhs: Any) -> Any:
    return lhs % rhs if rhs > 0 and lhs >= 0 else None


def _remainder_of_floats(lhs: Any, rhs: Any) -> Any:
    return type(lhs)(math.fmod(lhs, rhs)) if rhs and lhs - lhs == 0 else None


def _shift_positive(lhs: Any, rhs: Any) -> Any:
    return lhs >> rhs if lhs >= 0 else None


def _sign_of_float(operand: Any) -> Any:
    if operand > 0:
        return operand**0
    return -(operand**0) if operand < 0 else None


def _bits(operand: Any) -> int:
    return int(operand) & ((1 << 8 * operand.itemsize) - 1)


def _popcnt_of_scalar(operand: Any) -> Any:
    return (operand ^ operand) + _bits(operand).bit_count()


def _count_leading_zeros_of_scalar(operand: Any) -> Any:
    return (operand ^ operand) + (8 * operand.itemsize - _bits(operand).bit_length())


# The table -----------------------------------------------------------------------------------------

abs_ = elementwise(
    integer=integer(np.absolute, "abs({0})", extensions=(extend,)),
    float_=sign_bit(np.absolute, np.bitwise_and, "abs({0})"),
    complex_=complex_native("abs"),
)
add = elementwise(
    bool_=plain_ufunc(np.logical_or, "{0} | {1}"),
    integer=integer(np.add, "{0} + {1}"),
    float_=arithmetic(np.add, "{0} + {1}"),
    complex_=plain_ufunc(np.add, "{0} + {1}"),
)
and_ = elementwise(
    bool_=plain_ufunc(np.logical_and, "{0} & {1}"),
    integer=integer(np.bitwise_and, "{0} & {1}"),
)
ceil = elementwise(float_=arithmetic(np.ceil))
complex_ = elementwise(float_=_complex)
count_leading_zeros = elementwise(integer=_count_leading_zeros)
divide = elementwise(
    integer=integer(integer_functions.divide_signed, fast_path=_divide_positive),
    unsigned=integer(integer_functions.divide_unsigned, fast_path=_divide_positive),
    float_=arithmetic(np.divide, "{0} / {1}"),
    complex_=complex_native("divide", operands=2),
)
floor = elementwise(float_=arithmetic(np.floor))
imag = elementwise(
    float_=arithmetic(_zeros),
    complex_=lambda type_: Kernel(operator.attrgetter("imag"), pointwise=True, source="{0}.imag"),
)
is_finite = elementwise(
    float_=arithmetic(np.isfinite, result=np.dtype(np.bool_)),
)
maximum_ = elementwise(
    bool_=plain_ufunc(np.logical_or, "{0} | {1}"),
    integer=integer(np.maximum, fast_path=_greater_integer),
    float_=ordered(maximum, _greater, np.maximum),
    complex_=in_complex_f64(complex_functions.maximum),
)
minimum_ = elementwise(
    bool_=plain_ufunc(np.logical_and, "{0} & {1}"),
    integer=integer(np.minimum, fast_path=_smaller_integer),
    float_=ordered(minimum, _smaller, np.minimum),
    complex_=in_complex_f64(complex_functions.minimum),
)
multiply = elementwise(
    bool_=plain_ufunc(np.logical_and, "{0} & {1}"),
    integer=integer(np.multiply, "{0} * {1}"),
    float_=arithmetic(np.multiply, "{0} * {1}"),
    complex_=complex_native("multiply", operands=2),
)
negate = elementwise(
    integer=integer(np.negative, "-{0}", extensions=(extend,)),
    float_=sign_bit(np.negative, np.bitwise_xor, "-{0}"),
    complex_=plain_ufunc(np.negative, "-{0}"),
)
not_ = elementwise(
    bool_=plain_ufunc(np.logical_not, "~{0}"),
    integer=integer(np.invert, "~{0}", extensions=(extend,)),
)
or_ = elementwise(
    bool_=plain_ufunc(np.logical_or, "{0} | {1}"),
    integer=integer(np.bitwise_or, "{0} | {1}"),
)
popcnt = elementwise(
    integer=integer(integer_functions.popcnt, fast_path=_popcnt_of_scalar, extensions=(zero_extend,)),
)
real_ = elementwise(
    float_=lambda type_: IDENTITY,
    complex_=lambda type_: Kernel(operator.attrgetter("real"), pointwise=True, source="{0}.real"),
)
remainder = elementwise(
    integer=integer(integer_functions.remainder, fast_path=_remainder_positive),
    float_=arithmetic(_remainder, fast_path=_remainder_of_floats, operands=2),
    complex_=_undecided_remainder,
)
round_nearest_afz = elementwise(
    float_=arithmetic(_round_nearest_afz),
)
round_nearest_even = elementwise(
    float_=arithmetic(np.rint),
)
shift_left = elementwise(
    integer=integer(np.left_shift, "{0} << {1}", extensions=(zero_extend, zero_extend)),
)
shift_right_arithmetic = elementwise(
    integer=integer(np.right_shift, "{0} >> {1}", extensions=(sign_extend, zero_extend_signed)),
    unsigned=integer(integer_functions.shift_right_arithmetic, extensions=(sign_extend, zero_extend)),
)
shift_right_logical = elementwise(
    integer=integer(
        integer_functions.shift_right_logical,
        fast_path=_shift_positive,
        extensions=(zero_extend, zero_extend),
    ),
    unsigned=integer(np.right_shift, "{0} >> {1}", extensions=(zero_extend, zero_extend)),
)
sign = elementwise(
    integer=integer(np.sign, extensions=(extend,)),
    float_=_keeping_nans(arithmetic(_sign, fast_path=_sign_of_float)),
    complex_=complex_native("sign"),
)
sqrt = elementwise(
    float_=arithmetic(np.sqrt),
    complex_=complex_native("sqrt"),
)
subtract = elementwise(
    integer=integer(np.subtract, "{0} - {1}"),
    float_=arithmetic(np.subtract, "{0} - {1}"),
    complex_=plain_ufunc(np.subtract, "{0} - {1}"),
)
xor = elementwise(
    bool_=plain_ufunc(np.logical_xor, "{0} ^ {1}"),
    integer=integer(np.bitwise_xor, "{0} ^ {1}"),
)
