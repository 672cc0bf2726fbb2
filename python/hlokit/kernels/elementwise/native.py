"""Element-wise kernels of the native VM.

Fused code, native loops and these kernels execute the same instructions and therefore give the same bits.
`HLOKIT_DISABLE=native` selects NumPy for all operations.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract.registry import Kernel, Operation
from hlokit.engine.contract.threads import thread_count
from hlokit.engine.native.fused.copies import in_rows
from hlokit.engine.native.ir.target import (
    bits_of,
    encode_instruction,
    is_enabled,
    operation,
    type_name,
)
from hlokit.kernels.elementwise.blocked_kernels import WITH_FAST_PATH
from hlokit.kernels.elementwise.cache_blocking import Array, BlockwiseFunction, common_shape, uniform_value
from hlokit.operations.lookup import opcode_name, traits_of
from hlokit.values.element_types import BF16, F16, F32, F64, ElementType, Kind
from hlokit.values.types import TensorType

# Above this size, the kernel checks whether an operand has one value everywhere.
_LARGE = 4096
# Above this size, the native VM is faster than NumPy despite its overhead.
_MIN_NATIVE_SIZE = 1 << 7


def prefer_native(operation_: Operation, kernel: Kernel) -> Kernel:
    """The kernel of the native VM, if the VM has the operation; otherwise the given kernel."""
    name, traits = opcode_name(operation_.name), traits_of(operation_.name)
    if name is None:
        return kernel
    if traits.vm_complex and Kind.COMPLEX in (_kind(operation_.operand()), _kind(operation_.result())):
        return _of_complex(operation_, name, kernel)
    if not traits.ulps:
        return prefer_native_if_large(operation_, kernel)
    if not is_enabled():
        return kernel
    operands = [operation_.operand(index) for index in range(len(operation_.operand_types))]
    result = operation_.result()
    number = _number(name, operands, result)
    if number < 0 or operands[0].element_type is F64:  # `f64_kernel` has already made these native
        return kernel
    function = ArrayFunction(number, operands, result).run
    if operands[0].element_type is F32:
        function = _with_scalars(name, len(operands), np.float32, function)
    return kernel._replace(function=function, source=None, native=name)


def _kind(type_: TensorType) -> Kind:
    return type_.element_type.kind


def _of_complex(operation_: Operation, name: str, kernel: Kernel) -> Kernel:
    """The native kernel for arrays of complex numbers; scalars use the given kernel."""
    operands = [operation_.operand(index) for index in range(len(operation_.operand_types))]
    result, plain = operation_.result(), kernel.function
    number = _number(name, operands, result) if is_enabled() else -1
    if number < 0:
        return kernel
    of_arrays = ArrayFunction(number, operands, result).run

    def function(*operands: Any) -> Any:
        return of_arrays(*operands) if any([operand.ndim for operand in operands]) else plain(*operands)

    return kernel._replace(function=function)


def prefer_native_if_large(operation_: Operation, kernel: Kernel) -> Kernel:
    """The kernel of the native VM, if the result is large and NumPy is slow at the operation."""
    result = operation_.result_types[0]
    if not isinstance(result, TensorType) or not result.is_static or result.size < _MIN_NATIVE_SIZE:
        return kernel
    operands = [operation_.operand(index) for index in range(len(operation_.operand_types))]
    name = kernel.native or opcode_name(operation_.name)
    number = _number(name, operands, result) if name is not None and is_enabled() else -1
    if number < 0 or not _is_slow_in_numpy(operation_.name, operands, result):
        return kernel
    return kernel._replace(function=ArrayFunction(number, operands, result, kernel.function).run)


def _is_slow_in_numpy(name: str, operands: list[TensorType], result: TensorType) -> bool:
    if name == "stablehlo.select":
        return operands[0].shape == result.shape
    kinds = [type_.element_type.kind for type_ in operands]
    if name == "stablehlo.divide" and Kind.FLOAT not in kinds:
        return True
    if name == "stablehlo.convert":
        return Kind.FLOAT in kinds or result.element_type in (BF16, F16)
    return traits_of(name).vm_faster or any(type_.element_type in (BF16, F16) for type_ in operands)


def _number(name: str, operands: list[TensorType], result: TensorType) -> int:
    to, operand = type_name(result), type_name(operands[-1])
    return -1 if to is None or operand is None else operation(name, to, operand)


@cache
def f64_function(name: str, operands: int = 1) -> BlockwiseFunction:
    """A correctly rounded function of f64 arrays: the native kernel, even if native programs are disabled."""
    types = [TensorType((), F64)] * operands
    return ArrayFunction(_number(name, types, types[0]), types, types[0]).run


@cache
def complex_function(name: str, element_type: ElementType, operands: int = 1) -> BlockwiseFunction:
    """A function of complex arrays: the native kernel, even if native programs are disabled."""
    types = [TensorType((), element_type)] * operands
    result = TensorType((), element_type.part) if name == "abs" else types[0]
    return ArrayFunction(_number(name, types, result), types, result).run


def f64_kernel(name: str, operands: int) -> Kernel:
    """The kernel of a function of f64, even if native programs are disabled: no other code gives the same
    bits."""
    function = _with_scalars(name, operands, np.float64, f64_function(name, operands))
    return Kernel(function, pointwise=True, native=name)


def vm_kernel(name: str, element_type: ElementType, operands: int) -> Kernel:
    """The kernel of an operation of f32 or f64 that the VM alone has."""
    types = [TensorType((), element_type)] * operands
    function = ArrayFunction(_number(name, types, types[0]), types, types[0]).run
    return Kernel(function, pointwise=True, native=name)


def _with_scalars(
    name: str, count: int, scalar: type[np.float32 | np.float64], function: Callable[..., Any]
) -> Callable[..., Any]:
    """The function of arrays, with a fast path for NumPy's scalars."""
    native = _kernels.scalar_function(name, "f32" if scalar is np.float32 else "f64")
    one = scalar(1)  # multiplication by 1 is the fastest conversion of a Python float to a scalar

    def unary(operand: Any) -> Any:
        return one * native(operand)

    def binary(lhs: Any, rhs: Any) -> Any:
        return one * native(lhs, rhs)

    return WITH_FAST_PATH[count](unary if count == 1 else binary, scalar, function)


def _is_column_major(operand: Array) -> bool:
    flags = operand.flags
    return flags.f_contiguous and flags.aligned and not flags.c_contiguous


def _reduced(operand: Array, is_one: bool) -> Array:
    """The operand, or its single value if it has one value everywhere."""
    return operand[(0,) * operand.ndim + (...,)] if is_one and operand.ndim else operand


class ArrayFunction:
    """A kernel that runs one operation of the VM on arrays of one shape or rank 0.

    Args:
      number: the operation's opcode.
      plain: an equivalent function for memory layouts that the VM does not accept.
    """

    def __init__(
        self,
        number: int,
        operand_types: list[TensorType],
        result_type: TensorType,
        plain: Callable[..., Any] | None = None,
    ) -> None:
        self._types = [type_name(type_) or "" for type_ in (*operand_types, result_type)]
        self._count = count = len(operand_types)
        self._code = [encode_instruction(number, count, list(range(count)))]
        self._specialised: dict[tuple[bool, ...], _kernels.FusedProgram] = {}
        self._fused = self._fused_for((False,) * count)
        self._dtype = result_type.element_type.dtype
        self._has_bf16 = "bf16" in self._types
        self._plain = plain or self._other_layouts

    def _fused_for(self, ones: tuple[bool, ...]) -> _kernels.FusedProgram:
        """The program, specialised for the operands that have one value everywhere."""
        fused = self._specialised.get(ones)
        if fused is None:
            inputs = [(register, 0 if is_one else 2, (), ()) for register, is_one in enumerate(ones)]
            fused = _kernels.FusedProgram(self._types, self._code, inputs, [self._count])
            self._specialised[ones] = fused
        return fused

    def run(self, *operands: Any) -> Array:
        shape = common_shape(operands)
        if not shape:
            return self.run(*[np.reshape(operand, 1) for operand in operands])[0]
        result: Any = np.empty(shape, self._dtype)
        fused = self._fused
        if result.size > _LARGE:
            values: list[Any] = [uniform_value(operand) for operand in operands]
            ones = tuple([value is not None for value in values])
            if all(ones):
                return np.broadcast_to(self.run(*values), shape)
            if any(ones):
                fused = self._fused_for(ones)
                operands = tuple(map(_reduced, operands, ones))
        if self._has_bf16:
            done = fused.run([bits_of(operand) for operand in operands], [bits_of(result)], thread_count())
        else:
            done = fused.run(operands, [result], thread_count())
        return result if done else self._plain(*operands)

    def _other_layouts(self, *operands: Array) -> Array:
        if all(operand.ndim == 0 or _is_column_major(operand) for operand in operands):
            return self.run(*[operand.T for operand in operands]).T
        return self.run(*map(in_rows, operands))
