"""Kernel factories of element-wise operations: one row per operation, one entry per kind of element type.

    ceil = elementwise(float_=arithmetic(np.ceil))

An entry creates the kernel for an operand type. The factories of this module determine the type in which each
element type is computed:

- bool, integers from 8 bits, f32, f64, complex: by NumPy, which is exact or rounds once;
- integers below 8 bits: in 8 bits, then truncated to the width (`integer`);
- arithmetic of floats below 32 bits: in f32, then rounded (`arithmetic`). The result equals that of a single
  rounding, because f32 has more than twice the bits;
- other functions of floats below 64 bits: in f64, then rounded once more (`single_rounding.native_function`);
- functions of one float of at most 16 bits: by a lookup table of all results;
- complex functions: by native kernels, whose parts are each rounded once (`complex_native`).

Scalars matter because programs with loops spend their time on scalars. A kernel for rank 0 has Python source
if an operator computes the same result, or a fast path for the NumPy scalar type. Such a kernel must accept
arrays as well, since regions are vectorised.
"""

# pyright: reportUnknownMemberType=false
# (the functions of `operator` have no types)

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial

import numpy as np

from hlokit.engine.contract.registry import BindFunction, Kernel, KernelFunction, Operation, Value
from hlokit.errors import UnsupportedError
from hlokit.kernels.elementwise.blocked_kernels import WITH_FAST_PATH, DType, blocked_kernel
from hlokit.kernels.elementwise.cache_blocking import (
    SMALL_BLOCK,
    Array,
    BlockwiseFunction,
    common_shape,
    in_blocks,
)
from hlokit.kernels.elementwise.narrow_floats import rounding, tabulated, widen
from hlokit.kernels.elementwise.native import complex_function, prefer_native
from hlokit.values.element_types import BF16, COMPLEX_F64, F8E8M0FNU, I2, I4, ElementType, Kind
from hlokit.values.float_format import Special, float_format
from hlokit.values.types import TensorType

KernelFactory = Callable[[TensorType], Kernel]

_F32 = np.dtype(np.float32)
_F64 = np.dtype(np.float64)


def elementwise(
    *,
    bool_: KernelFactory | None = None,
    integer: KernelFactory | None = None,
    unsigned: KernelFactory | None = None,
    float_: KernelFactory | None = None,
    complex_: KernelFactory | None = None,
) -> BindFunction:
    """The bind function of an operation whose kernel depends on the type of its first operand.

    Args:
      bool_, integer, float_, complex_: the kernel factory of a kind; None if the operation is not defined for
        the kind.
      unsigned: the kernel factory of unsigned integers, if it differs from `integer`.
    """
    factories = {
        Kind.BOOL: bool_,
        Kind.SIGNED: integer,
        Kind.UNSIGNED: unsigned or integer,
        Kind.FLOAT: float_,
        Kind.COMPLEX: complex_,
    }

    def bind(operation: Operation) -> Kernel:
        type_ = operation.operand()
        factory = factories.get(type_.element_type.kind)
        if factory is None:
            raise UnsupportedError(f"hlokit does not evaluate {operation.name} of {type_.element_type}")
        kernel = prefer_native(operation, factory(type_))
        return _with_operator(kernel) if type_.shape == () else kernel

    return bind


# On NumPy scalars, an operator takes a twentieth of the time of its ufunc; on arrays, it calls the ufunc.
_OPERATORS: dict[str, KernelFunction] = {
    "{0} + {1}": operator.add,
    "{0} - {1}": operator.sub,
    "{0} * {1}": operator.mul,
    "{0} / {1}": operator.truediv,
    "{0} & {1}": operator.and_,
    "{0} | {1}": operator.or_,
    "{0} ^ {1}": operator.xor,
    "-{0}": operator.neg,
    "~{0}": operator.invert,
    "abs({0})": abs,
}


def _with_operator(kernel: Kernel) -> Kernel:
    """The kernel with an equivalent operator in place of its ufunc, for executors that generate no code."""
    fast_path = _OPERATORS.get(kernel.source or "")
    return (
        kernel._replace(function=fast_path) if fast_path and isinstance(kernel.function, np.ufunc) else kernel
    )


def plain_ufunc(ufunc: np.ufunc, source: str | None = None) -> KernelFactory:
    """A factory for a ufunc that requires no adaptation; `source` is the equivalent operator."""
    kernel = Kernel(ufunc, pointwise=True, ufunc=ufunc, source=source)
    return lambda type_: kernel


# Integers ------------------------------------------------------------------------------------------

Extension = Callable[[Array, int], Array]


def extend(operand: Array, width: int) -> Array:
    """Sign- or zero-extend sub-byte integers to 8 bits, by their signedness."""
    return sign_extend(operand, width) if operand.dtype in _NARROW_SIGNED else zero_extend(operand, width)


def zero_extend(operand: Array, width: int) -> Array:
    """Zero-extend sub-byte integers to ui8."""
    return operand.view(np.uint8) & np.uint8((1 << width) - 1)


def zero_extend_signed(operand: Array, width: int) -> Array:
    """Zero-extend sub-byte integers to nonnegative i8."""
    return zero_extend(operand, width).view(np.int8)


def sign_extend(operand: Array, width: int) -> Array:
    """Sign-extend sub-byte integers to i8, of any signedness."""
    highest = 1 << (width - 1)
    return (zero_extend(operand, width) ^ np.uint8(highest)).view(np.int8) - np.int8(highest)


_NARROW_SIGNED = (I2.dtype, I4.dtype)


def integer(
    function: BlockwiseFunction,
    source: str | None = None,
    fast_path: KernelFunction | None = None,
    *,
    extensions: tuple[Extension, ...] = (extend, extend),
) -> KernelFactory:
    """A factory for integers of all widths, from a ufunc or blockwise function of 8 to 64 bits.

    Args:
      source: an operator with the same results, for 8 to 64 bits.
      fast_path: see `blocked_kernel`; for 8 to 64 bits.
      extensions: the extension of each sub-byte operand to 8 bits. The result is truncated to the width.
    """

    def make(type_: TensorType) -> Kernel:
        element_type = type_.element_type
        dtype = element_type.dtype
        if element_type.is_narrow_integer:
            return blocked_kernel(partial(_in_8_bits, function, extensions, element_type.width, dtype), dtype)
        if isinstance(function, np.ufunc):
            kernel = (
                function
                if fast_path is None
                else WITH_FAST_PATH[len(extensions)](fast_path, dtype.type, function)
            )
            return Kernel(kernel, pointwise=True, ufunc=function, source=source)
        return blocked_kernel(function, dtype, fast_path, operands=len(extensions))

    return make


def _in_8_bits(
    function: BlockwiseFunction, extensions: tuple[Extension, ...], width: int, dtype: DType, *operands: Array
) -> Array:
    extended = [extension(operand, width) for extension, operand in zip(extensions, operands, strict=True)]
    return zero_extend(function(*extended), width).view(dtype)


# Floats --------------------------------------------------------------------------------------------


def arithmetic(
    function: BlockwiseFunction,
    source: str | None = None,
    fast_path: KernelFunction | None = None,
    *,
    operands: int = 1,
    result: DType | None = None,
) -> KernelFactory:
    """A factory for IEEE arithmetic, or for a function whose result is exact.

    Args:
      function: a ufunc or a blockwise function.
      source: an operator with the same results.
      fast_path: see `blocked_kernel`; for f32 and f64, if `function` is blockwise.
      operands: number of operands of a blockwise function.
      result: the dtype of the result, if it differs from that of the operands.
    """
    if isinstance(function, np.ufunc):
        operands = function.nin

    def make(type_: TensorType) -> Kernel:
        element_type = type_.element_type
        dtype = element_type.dtype
        if element_type.is_narrow_float:
            # Operators of ml_dtypes give other signs to NaN, and to the zero that replaces NaN.
            source_of_scalar = _source_of_scalar(source, type_) if element_type.width > 8 else None
            if operands == 2:
                return Kernel(_in_f32(function, element_type), pointwise=True, source=source_of_scalar)
            return Kernel(
                tabulated(function, dtype, result or dtype), pointwise=True, source=source_of_scalar
            )
        if isinstance(function, np.ufunc):
            return Kernel(function, pointwise=True, ufunc=function, source=source)
        return blocked_kernel(function, result or dtype, fast_path, operands=operands)

    return make


def _source_of_scalar(source: str | None, type_: TensorType) -> str | None:
    """The operator, if it gives the results of `_in_f32` on scalars of a narrow float type, but faster."""
    return None if type_.shape != () or type_.element_type is F8E8M0FNU else source


def _in_f32(function: BlockwiseFunction, element_type: ElementType) -> KernelFunction:
    """Compute a narrow float type by a function of f32, then round.

    f8E8M0FNU has the exponent range of f32 and no zero, so its functions run in f64, where no value
    underflows to 0.
    """
    dtype = element_type.dtype
    if element_type is BF16 and isinstance(function, np.ufunc):
        ufunc = function

        def buffered(*operands: Array) -> Array:
            result = np.empty(common_shape(operands), dtype)
            ufunc(*operands, out=result, dtype=np.float32, casting="unsafe")
            return result if result.ndim else result[()]

        return buffered
    if element_type is F8E8M0FNU:
        round_f64 = rounding(dtype, _F64)

        def in_f64(*operands: Array) -> Array:
            return round_f64(function(*[widen(operand).astype(_F64) for operand in operands]))

        return lambda *operands: in_blocks(in_f64, operands, dtype)
    round_ = rounding(dtype, _F32)

    def in_f32(*operands: Array) -> Array:
        return round_(function(*map(widen, operands)))

    return lambda *operands: in_blocks(in_f32, operands, dtype)


def ordered(
    function: BlockwiseFunction,
    fast_path: KernelFunction,
    ufunc: np.ufunc | None = None,
    *,
    operands: int = 2,
) -> KernelFactory:
    """A factory for functions that return one of their operands: minimum, maximum, clamp.

    Args:
      ufunc: a ufunc with the same results, except that the sign of a zero result is unspecified.
    """

    def make(type_: TensorType) -> Kernel:
        element_type = type_.element_type
        dtype = element_type.dtype
        if element_type.is_narrow_float:
            kernel = WITH_FAST_PATH[operands](fast_path, dtype.type, _in_f32(function, element_type))
            return Kernel(kernel, pointwise=True)
        kernel = blocked_kernel(function, dtype, fast_path, operands=operands, ufunc=ufunc)
        if ufunc is None or type_.shape == ():
            return kernel
        return _ufunc_if_small(kernel, ufunc)

    return make


# Up to this many elements, one ufunc call and a test for zeros are faster than the blockwise function.
_FEW = 64


def _ufunc_if_small(kernel: Kernel, ufunc: np.ufunc) -> Kernel:
    """The kernel with a shortcut for small arrays: the ufunc alone, whose result is correct if it contains no
    zero."""
    general = kernel.function

    def function(lhs: Value, rhs: Value) -> Value:
        if lhs.size <= _FEW and rhs.size <= _FEW and lhs.ndim:
            result = ufunc(lhs, rhs)
            if np.count_nonzero(result) == result.size:
                return result
        return general(lhs, rhs)

    return kernel._replace(function=function)


def sign_bit(ufunc: np.ufunc, bitwise: np.ufunc, source: str) -> KernelFactory:
    """A factory for functions that only change the sign bit: `bitwise` applied to the bits and a mask.

    The mask is the sign bit for `xor`, and all other bits for `and`.
    """

    def make(type_: TensorType) -> Kernel:
        element_type = type_.element_type
        dtype = element_type.dtype
        if not element_type.is_narrow_float:
            return Kernel(ufunc, pointwise=True, ufunc=ufunc, source=source)
        source_of_scalar = _source_of_scalar(source, type_)
        layout = float_format(element_type)
        if layout.special in (Special.FNUZ, Special.POWER):  # formats without -0
            return Kernel(tabulated(ufunc, dtype, dtype), pointwise=True, source=source_of_scalar)
        bits = element_type.bits_dtype
        mask = bits.type(layout.sign_bit if bitwise is np.bitwise_xor else layout.sign_bit - 1)

        def change_sign(operand: Array) -> Array:
            changed: Array = bitwise(operand.view(bits), mask)
            return changed.view(dtype)

        return Kernel(change_sign, pointwise=True, source=source_of_scalar)

    return make


# Complex -------------------------------------------------------------------------------------------


def complex_native(name: str, *, operands: int = 1) -> KernelFactory:
    """A factory for complex types, from native kernels.

    Args:
      name: the name in the opcode table.
    """

    def make(type_: TensorType) -> Kernel:
        return Kernel(complex_function(name, type_.element_type, operands), pointwise=True)

    return make


def in_complex_f64(function: BlockwiseFunction) -> KernelFactory:
    """A factory for complex types, from a blockwise function of complex128 arrays."""

    def in_f64(*operands: Array) -> Array:
        return function(*[operand.astype(COMPLEX_F64.dtype, copy=False) for operand in operands])

    def make(type_: TensorType) -> Kernel:
        dtype = type_.element_type.dtype

        def in_small_blocks(*operands: Array) -> Array:
            return in_blocks(in_f64, operands, dtype, SMALL_BLOCK)

        return Kernel(in_small_blocks, pointwise=True)

    return make
