"""The machinery of element-wise operations: a row an operation, an entry a kind of element type.

    sine = elementwise("stablehlo.sine", "sin(operand)", float_=real(np.sin), complex_=wider(np.sin))

An entry makes the kernel for an operand type. The makers here know how each element type is computed:

- bool, integers from 8 bits, f32, f64, complex: as NumPy does, where that is exact or rounds once;
- integers below 8 bits: in 8 bits, then cut to the width (`integer`);
- arithmetic of floats below 32 bits: in f32, then rounded (`arithmetic`); that gives what rounding once
  would, because f32 has more than twice their bits;
- other functions of floats below 64 bits: in f64, then rounded once (`real`);
- functions of one float of 16 bits or less: by a table of all results;
- complex functions: in the next wider type, then rounded once (`wider`).

Scalars get special care: programs with loops spend their time there. A kernel for rank 0 has Python source
where an operator means the same, or a quick path for the NumPy scalar type. Since regions are vectorised, it
may get arrays all the same.
"""

# pyright: reportUnknownMemberType=false
# (the functions of `operator` have no types)

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from hlokit.errors import UnsupportedError
from hlokit.interpreter.registry import BindFunction, Kernel, KernelFunction, Operation, Value, op
from hlokit.interpreter.switches import is_on
from hlokit.ops.blocks import SMALL_PIECE, Array, PieceFunction, common_shape, in_pieces
from hlokit.ops.complex_functions import EXTENDED, HAS_EXTENDED
from hlokit.ops.kernels import QUICK_FIRST, DType, pieces
from hlokit.ops.narrow_floats import by_table, rounding, widen
from hlokit.ops.native import natively
from hlokit.values.element_types import BF16, COMPLEX_F64, F8E8M0FNU, F32, F64, I2, I4, ElementType, Kind
from hlokit.values.float_format import Special, float_format
from hlokit.values.types import TensorType

Maker = Callable[[TensorType], Kernel]

_F32 = np.dtype(np.float32)
_F64 = np.dtype(np.float64)


def elementwise(
    name: str,
    formula: str,
    *,
    bool_: Maker | None = None,
    integer: Maker | None = None,
    unsigned: Maker | None = None,
    float_: Maker | None = None,
    complex_: Maker | None = None,
) -> BindFunction:
    """Register an operation whose kernel depends on the type of its first operand.

    Args:
      name: of the operation.
      formula: what an element of the result is.
      bool_, integer, float_, complex_: make the kernel for a kind; absent where the operation is not defined.
      unsigned: for unsigned integers, where that differs.
    """
    makers = {
        Kind.BOOL: bool_,
        Kind.SIGNED: integer,
        Kind.UNSIGNED: unsigned or integer,
        Kind.FLOAT: float_,
        Kind.COMPLEX: complex_,
    }

    def bind(operation: Operation) -> Kernel:
        type_ = operation.operand()
        maker = makers.get(type_.element_type.kind)
        if maker is None:
            raise UnsupportedError(f"hlokit does not evaluate {name} of {type_.element_type}")
        kernel = natively(operation, maker(type_))
        return _by_operator(kernel) if type_.shape == () and is_on("scalars") else kernel

    bind.__doc__ = f'spec "{name.rsplit(".", maxsplit=1)[-1]}": result = {formula}.'
    return op(name)(bind)


# On NumPy scalars they take a twentieth of the time of their ufuncs; on arrays they are these.
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


def _by_operator(kernel: Kernel) -> Kernel:
    """The kernel of a ufunc, made one of the operator that it equals, for where no code is generated."""
    quick = _OPERATORS.get(kernel.source or "")
    return replace(kernel, function=quick) if quick and isinstance(kernel.function, np.ufunc) else kernel


def native(ufunc: np.ufunc, source: str | None = None) -> Maker:
    """A ufunc that is right as it is, and the operator that equals it."""
    kernel = Kernel(ufunc, pointwise=True, ufunc=ufunc, source=source)
    return lambda type_: kernel


# Integers ------------------------------------------------------------------------------------------

Extension = Callable[[Array, int], Array]


def by_value(operand: Array, width: int) -> Array:
    """An integer of less than a byte in a byte of the same signedness."""
    return by_sign(operand, width) if operand.dtype in _NARROW_SIGNED else by_zero(operand, width)


def by_zero(operand: Array, width: int) -> Array:
    """The bits of an integer of less than a byte as an unsigned byte."""
    return operand.view(np.uint8) & np.uint8((1 << width) - 1)


def by_amount(operand: Array, width: int) -> Array:
    """The bits of an integer of less than a byte as a signed byte that is not negative."""
    return by_zero(operand, width).view(np.int8)


def by_sign(operand: Array, width: int) -> Array:
    """The bits of an integer of less than a byte, the highest of them copied upward, as a signed byte."""
    highest = 1 << (width - 1)
    return (by_zero(operand, width) ^ np.uint8(highest)).view(np.int8) - np.int8(highest)


_NARROW_SIGNED = (I2.dtype, I4.dtype)


def integer(
    function: PieceFunction,
    source: str | None = None,
    quick: KernelFunction | None = None,
    *,
    extend: tuple[Extension, ...] = (by_value, by_value),
) -> Maker:
    """A function of integers of 8 to 64 bits, or a ufunc that is right as it is, made one of all widths.

    Args:
      source: an operator that means the same for 8 to 64 bits.
      quick: see `pieces`; for integers of 8 to 64 bits.
      extend: how each operand of less than a byte is extended to one; the result is cut to the width.
    """

    def make(type_: TensorType) -> Kernel:
        element_type = type_.element_type
        dtype = element_type.dtype
        if element_type.is_narrow_integer:
            return pieces(partial(_in_a_byte, function, extend, element_type.width, dtype), dtype)
        if isinstance(function, np.ufunc):
            kernel = function if quick is None else QUICK_FIRST[len(extend)](quick, dtype.type, function)
            return Kernel(kernel, pointwise=True, ufunc=function, source=source)
        return pieces(function, dtype, quick, operands=len(extend))

    return make


def _in_a_byte(
    function: PieceFunction, extend: tuple[Extension, ...], width: int, dtype: DType, *operands: Array
) -> Array:
    extended = [extension(operand, width) for extension, operand in zip(extend, operands, strict=True)]
    return by_zero(function(*extended), width).view(dtype)


# Floats --------------------------------------------------------------------------------------------


def arithmetic(
    function: PieceFunction,
    source: str | None = None,
    quick: KernelFunction | None = None,
    *,
    operands: int = 1,
    result: DType | None = None,
) -> Maker:
    """An IEEE operation of floats, or a function whose result is exact: a ufunc, or a function of pieces.

    Args:
      source: an operator that means the same.
      quick: see `pieces`; for f32 and f64, of a function of pieces.
      operands: how many a function of pieces takes.
      result: dtype of the result if it is not that of the operands.
    """
    if isinstance(function, np.ufunc):
        operands = function.nin

    def make(type_: TensorType) -> Kernel:
        element_type = type_.element_type
        dtype = element_type.dtype
        if element_type.is_narrow_float:
            source_of_scalar = _source_of_scalar(source, type_)
            if operands == 2:
                return Kernel(_in_f32(function, element_type), pointwise=True, source=source_of_scalar)
            return Kernel(by_table(function, dtype, result or dtype), pointwise=True, source=source_of_scalar)
        if isinstance(function, np.ufunc):
            return Kernel(function, pointwise=True, ufunc=function, source=source)
        return pieces(function, result or dtype, quick, operands=operands)

    return make


def _source_of_scalar(source: str | None, type_: TensorType) -> str | None:
    """The operator of a narrow float if it computes as `_in_f32` does, which it does for scalars quickly."""
    return None if type_.shape != () or type_.element_type is F8E8M0FNU else source


def _in_f32(function: PieceFunction, element_type: ElementType) -> KernelFunction:
    """A function of f32 as one of a narrower float, rounded once more.

    f8E8M0FNU has the exponents of f32 and no zero: it is computed in f64, where nothing underflows to 0.
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

        return lambda *operands: in_pieces(in_f64, operands, dtype)
    round_ = rounding(dtype, _F32)

    def in_f32(*operands: Array) -> Array:
        return round_(function(*map(widen, operands)))

    return lambda *operands: in_pieces(in_f32, operands, dtype)


def ordered(
    function: PieceFunction, quick: KernelFunction, ufunc: np.ufunc | None = None, *, operands: int = 2
) -> Maker:
    """A function of floats that gives one of its operands.

    Args:
      ufunc: gives the same but for the sign of a zero, which its reductions therefore leave open.
    """

    def make(type_: TensorType) -> Kernel:
        element_type = type_.element_type
        dtype = element_type.dtype
        if element_type.is_narrow_float:
            kernel = QUICK_FIRST[operands](quick, dtype.type, _in_f32(function, element_type))
            return Kernel(kernel, pointwise=True)
        kernel = pieces(function, dtype, quick, operands=operands, ufunc=ufunc)
        if ufunc is None or type_.shape == () or not is_on("scalars"):
            return kernel
        return _quick_if_small(kernel, ufunc)

    return make


# Arrays of so few elements take longer to be asked about zeros in pieces than to be computed.
_FEW = 64


def _quick_if_small(kernel: Kernel, ufunc: np.ufunc) -> Kernel:
    """The kernel of a ufunc that is right where its result has no zero: first tried on small arrays."""
    general = kernel.function

    def function(lhs: Value, rhs: Value) -> Value:
        if lhs.size <= _FEW and rhs.size <= _FEW and lhs.ndim:
            result = ufunc(lhs, rhs)
            if np.count_nonzero(result) == result.size:
                return result
        return general(lhs, rhs)

    return replace(kernel, function=function)


def sign_bit(ufunc: np.ufunc, bitwise: np.ufunc, source: str) -> Maker:
    """A function that only changes the sign bit, which `bitwise` of the bits and a mask does.

    The mask is the sign bit for xor, all others for and.
    """

    def make(type_: TensorType) -> Kernel:
        element_type = type_.element_type
        dtype = element_type.dtype
        if not element_type.is_narrow_float:
            return Kernel(ufunc, pointwise=True, ufunc=ufunc, source=source)
        source_of_scalar = _source_of_scalar(source, type_)
        layout = float_format(element_type)
        if layout.special in (Special.FNUZ, Special.POWER):  # they have no -0
            return Kernel(by_table(ufunc, dtype, dtype), pointwise=True, source=source_of_scalar)
        bits = element_type.bits_dtype
        mask = bits.type(layout.sign_bit if bitwise is np.bitwise_xor else layout.sign_bit - 1)

        def change_sign(operand: Array) -> Array:
            changed: Array = bitwise(operand.view(bits), mask)
            return changed.view(dtype)

        return Kernel(change_sign, pointwise=True, source=source_of_scalar)

    return make


def real(
    function: PieceFunction,
    quick: KernelFunction | None = None,
    *,
    rough: PieceFunction | None = None,
    operands: int = 1,
) -> Maker:
    """A function of f64 arrays, made one of all floats.

    Args:
      function: of pieces of f64.
      quick: the same of Python floats; may raise ValueError and ArithmeticError for what `function` decides.
      rough: what narrower types take instead, where some ULP of f64 do not matter.
      operands: how many each takes.
    """
    inner = rough or function

    def make(type_: TensorType) -> Kernel:
        element_type = type_.element_type
        dtype = element_type.dtype
        if element_type is F64:
            whole = isinstance(function, np.ufunc)
            return Kernel(function, pointwise=True) if whole else pieces(function, dtype, piece=SMALL_PIECE)
        if element_type is F32:
            quick_f32 = None if quick is None else _rounded(quick, operands)
            return pieces(partial(_through_f64, inner), dtype, quick_f32, operands=operands)
        if operands == 1:
            return Kernel(by_table(inner, dtype, dtype), pointwise=True)
        round_ = rounding(dtype, _F64)

        def in_f64(*operands: Array) -> Array:
            result = inner(*[widen(operand).astype(_F64) for operand in operands])
            if element_type is F8E8M0FNU:  # has no zero: what underflows becomes its least value
                result = np.where((result == 0) & ~np.signbit(result), np.finfo(_F64).tiny, result)
            return round_(result)

        return pieces(in_f64, dtype)

    return make


def _through_f64(function: PieceFunction, *operands: Array) -> Array:
    return function(*[operand.astype(_F64) for operand in operands])


def _rounded(quick: KernelFunction, operands: int) -> KernelFunction:
    """A function of Python floats as one of f32 scalars."""
    one = np.float32(1)  # times a Python float: the fastest way to an f32 scalar

    def unary(operand: Any) -> Any:
        try:
            return one * quick(operand)
        except (ValueError, ArithmeticError):
            return None

    def binary(lhs: Any, rhs: Any) -> Any:
        try:
            return one * quick(lhs, rhs)
        except (ValueError, ArithmeticError):
            return None

    return unary if operands == 1 else binary


# Complex -------------------------------------------------------------------------------------------


def wider(function: PieceFunction, *, extended: bool = True, part: bool = False) -> Maker:
    """A function of complex128 and, if `extended`, of clongdouble arrays, made one of complex types.

    Args:
      extended: complex<f64> is computed in clongdouble.
      part: the result is a float.
    """

    def make(type_: TensorType) -> Kernel:
        element_type = type_.element_type
        result = (element_type.part if part else element_type).dtype
        if element_type is COMPLEX_F64:
            wide = EXTENDED if extended and HAS_EXTENDED else element_type.dtype
        else:
            wide = COMPLEX_F64.dtype
        return pieces(
            lambda *operands: function(*[operand.astype(wide, copy=False) for operand in operands]),
            result,
            piece=SMALL_PIECE,
        )

    return make
