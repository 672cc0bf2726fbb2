"""Element-wise operations that the native machine computes, as kernels of arrays.

Chains, loops of scalars and these kernels run the same instructions, and so give the same bits.
`HLOKIT_DISABLE=native` leaves all of them to NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from hlokit import _native
from hlokit.interpreter.machine import (
    THREADS,
    array_type_name,
    bits_of,
    instruction,
    is_enabled,
    operation,
)
from hlokit.interpreter.registry import Kernel, Operation
from hlokit.ops.blocks import Array, common_shape, scalar_of
from hlokit.ops.kernels import QUICK_FIRST
from hlokit.values.element_types import BF16, F32, Kind
from hlokit.values.types import TensorType

# Functions of real numbers: computed in f64 and rounded once to f32 or less.
FUNCTIONS = frozenset(
    (
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "cbrt",
        "cosh",
        "cosine",
        "erf",
        "erf_inv",
        "erfc",
        "exponential",
        "exponential_minus_one",
        "log",
        "log_plus_one",
        "logistic",
        "power",
        "rsqrt",
        "sine",
        "sinh",
        "tan",
        "tanh",
    )
)
# What NumPy computes in several passes, or an element at a time: large arrays of it, to the same bits.
_SLOW_IN_NUMPY = frozenset(
    (
        "clamp",
        "count_leading_zeros",
        "maximum",
        "minimum",
        "popcnt",
        "round_nearest_afz",
        "select",
        "shift_left",
        "shift_right_arithmetic",
        "shift_right_logical",
        "sign",
    )
)
# Of complex numbers: what NumPy computes in several passes.
_OF_COMPLEX = frozenset(("abs", "complex", "divide", "multiply"))
# From here on, operands are looked at for having one value everywhere.
_LARGE = 4096
# From here on, the machine is worth its overhead for what NumPy gives as well.
_WORTH_IT = 1 << 15


def natively(operation_: Operation, kernel: Kernel) -> Kernel:
    """The kernel of an element-wise operation, made one of the machine if that computes it."""
    name = operation_.name.partition(".")[2]
    if name in _OF_COMPLEX and Kind.COMPLEX in (_kind(operation_.operand()), _kind(operation_.result())):
        return _of_complex(operation_, name, kernel)
    if name not in FUNCTIONS:
        return natively_if_large(operation_, kernel)
    if not is_enabled():
        return kernel
    operands = [operation_.operand(index) for index in range(len(operation_.operand_types))]
    result = operation_.result()
    number = _number(name, operands, result)
    if number < 0:
        return kernel
    function = array_function(number, operands, result)
    if operands[0].element_type is F32:
        function = QUICK_FIRST[len(operands)](_of_scalars(name, len(operands)), np.float32, function)
    return replace(kernel, function=function, source=None, native=name)


def _kind(type_: TensorType) -> Kind:
    return type_.element_type.kind


def _of_complex(operation_: Operation, name: str, kernel: Kernel) -> Kernel:
    """A kernel that takes or gives complex numbers, made one of the machine for arrays."""
    operands = [operation_.operand(index) for index in range(len(operation_.operand_types))]
    result, plain = operation_.result(), kernel.function
    number = _number(name, operands, result) if is_enabled() else -1
    if number < 0:
        return kernel
    of_arrays = array_function(number, operands, result)

    def function(*operands: Any) -> Any:
        return of_arrays(*operands) if any([operand.ndim for operand in operands]) else plain(*operands)

    return replace(kernel, function=function)


def natively_if_large(operation_: Operation, kernel: Kernel) -> Kernel:
    """The kernel of an element-wise operation, made one of the machine if its arrays are worth that."""
    result = operation_.result_types[0]
    if not isinstance(result, TensorType) or not result.is_static or result.size < _WORTH_IT:
        return kernel
    operands = [operation_.operand(index) for index in range(len(operation_.operand_types))]
    name = kernel.native or operation_.name.partition(".")[2]
    number = _number(name, operands, result) if is_enabled() else -1
    if number < 0 or not _is_slow_in_numpy(name, operands, result):
        return kernel
    return replace(kernel, function=array_function(number, operands, result, kernel.function))


def _is_slow_in_numpy(name: str, operands: list[TensorType], result: TensorType) -> bool:
    if name == "select":
        return operands[0].shape == result.shape
    kinds = [type_.element_type.kind for type_ in operands]
    if name in ("divide", "remainder") and Kind.FLOAT not in kinds:
        return True
    if name == "convert":
        return Kind.FLOAT in kinds or result.element_type is BF16
    if name == "remainder":
        return False
    return name in _SLOW_IN_NUMPY or any(type_.element_type is BF16 for type_ in operands)


def _number(name: str, operands: list[TensorType], result: TensorType) -> int:
    to, operand = array_type_name(result), array_type_name(operands[-1])
    return -1 if to is None or operand is None else operation(name, to, operand)


def _of_scalars(name: str, count: int) -> Callable[..., Any]:
    function = _native.scalar_function(name)
    one = np.float32(1)  # times a Python float: the fastest way to an f32 scalar

    def unary(operand: Any) -> Any:
        return one * function(operand)

    def binary(lhs: Any, rhs: Any) -> Any:
        return one * function(lhs, rhs)

    return unary if count == 1 else binary


def _is_by_columns(operand: Array) -> bool:
    flags = operand.flags
    return flags.f_contiguous and flags.aligned and not flags.c_contiguous


def _reduced(operand: Array, is_one: bool) -> Array:
    """An operand, of which one value is left if it has no other."""
    return operand[(0,) * operand.ndim + (...,)] if is_one and operand.ndim else operand


def array_function(
    number: int,
    operand_types: list[TensorType],
    result_type: TensorType,
    plain: Callable[..., Any] | None = None,
) -> Callable[..., Array]:
    """An operation of the machine on arrays of one shape, or rank 0.

    Args:
      plain: gives the same, and takes operands of layouts that the machine does not take as they are.
    """
    types = [array_type_name(type_) or "" for type_ in (*operand_types, result_type)]
    count = len(operand_types)
    registers = list(range(count))
    code = [instruction(number, count, registers)]

    @cache
    def chain_for(ones: tuple[bool, ...]) -> _native.Chain:
        """By which operands are one value."""
        inputs = [(register, 0 if is_one else 2, (), ()) for register, is_one in enumerate(ones)]
        return _native.Chain(types, code, inputs, [count])

    chain_of_arrays = chain_for((False,) * count)
    dtype = result_type.element_type.dtype
    has_bf16 = "bf16" in types

    def function(*operands: Any) -> Array:
        shape = common_shape(operands)
        if not shape:
            return function(*[np.reshape(operand, 1) for operand in operands])[0]
        result: Any = np.empty(shape, dtype)
        chain = chain_of_arrays
        if result.size > _LARGE:
            values: list[Any] = [scalar_of(operand) for operand in operands]
            ones = tuple([value is not None for value in values])
            if all(ones):
                return np.broadcast_to(function(*values), shape)
            if any(ones):
                chain = chain_for(ones)
                operands = tuple(map(_reduced, operands, ones))
        if has_bf16:
            done = chain.run([bits_of(operand) for operand in operands], [bits_of(result)], THREADS)
        else:
            done = chain.run(operands, [result], THREADS)
        return result if done else (plain or other_layouts)(*operands)

    def other_layouts(*operands: Array) -> Array:
        if all(operand.ndim == 0 or _is_by_columns(operand) for operand in operands):
            return function(*[operand.T for operand in operands]).T
        from hlokit.interpreter.copies import in_rows  # few operands lie so

        return function(*map(in_rows, operands))

    return function
