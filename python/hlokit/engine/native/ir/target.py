"""The target of the compiler, the native VM in `lib/`: its element types, operations and encoding.

The VM's pointwise operations on the plain types give the same bits as the kernels in `ops/`, except the signs
and payloads of NaNs, which `canonical_nan` unifies. With `HLOKIT_DISABLE=native` hlokit compiles nothing for
the VM.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract.nan_bits import BLIND, CANONICAL_NAN, COMPUTES, EFFECTS, KEEPS, MOVES
from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.switches import is_on
from hlokit.engine.plan.plan import Step
from hlokit.operations.lookup import opcode_name, operation_of_opcode, traits_of
from hlokit.operations.traits import Nans
from hlokit.values.element_types import ELEMENT_TYPES
from hlokit.values.types import TensorType, ValueType

# An encoded instruction: opcode, result registers, operands, numbers.
EncodedInstruction = tuple[int, Sequence[int], Sequence[int], Sequence[int]]

TYPES = frozenset(
    ("i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "f32", "f64", "bf16", "f16")
)
COMPLEX = frozenset(("complex<f32>", "complex<f64>"))
FLOATS = COMPLEX | {"f32", "f64", "bf16", "f16"}
VM_TYPES = TYPES | COMPLEX
# Types whose bytes registers hold, as ui8.
NARROW = frozenset(
    name for name, row in ELEMENT_TYPES.items() if row.dtype.itemsize == 1 and name not in VM_TYPES
)

_LAST_BUILTIN = np.dtype(np.float16).num


class NotLowerable(Exception):
    """A step has no lowering to the VM. The step keeps its kernel."""


def is_enabled() -> bool:
    """Whether the environment allows native programs."""
    return is_on("native")


def type_name(type_: ValueType) -> str | None:
    """The name of a tensor's element type; None if the VM lacks it."""
    name = type_.element_type.name if isinstance(type_, TensorType) else None
    return name if name in VM_TYPES else None


def register_type(type_: ValueType) -> str | None:
    """The type of registers that hold a tensor's elements; None if there is none."""
    name = type_.element_type.name if isinstance(type_, TensorType) else None
    return name if name in VM_TYPES else "ui8" if name in NARROW else None


def is_narrow(type_: ValueType) -> bool:
    """Whether registers hold the bytes of a type that the VM lacks."""
    return isinstance(type_, TensorType) and type_.element_type.name in NARROW


@cache
def operation(name: str, to: str, operand: str) -> int:
    """The number of an operation, by the types of its result and last operand; -1 if the VM lacks it."""
    return _kernels.find_operation(name, to, operand) if {to, operand} <= VM_TYPES else -1


def convert_operation(type_: str) -> int:
    """The number of the operation that copies values of a type: conversion to the same type."""
    return operation("convert", type_, type_)


def operation_of(step: Step) -> int:
    """The number of the pointwise operation that a step computes; -1 if the VM lacks it."""
    if not step.kernel.pointwise or len(step.results) != 1 or not step.operands:
        return -1
    to, operand = type_name(step.result_types[0]), type_name(step.operand_types[-1])
    if to is None or operand is None:
        return -1
    name = step.kernel.native or opcode_name(step.name)
    return -1 if name is None else operation(name, to, operand)


@cache
def _signatures() -> list[tuple[str, str, str]]:
    return [(name, to, operands[-1]) for _, name, to, operands in _kernels.opcodes()]


@cache
def signature(number: int) -> tuple[str, str, str]:
    """The name of an operation, and the types of its result and last operand: the inverse of `operation`."""
    return _signatures()[number]


@cache
def nans_of_operation(number: int) -> int:
    """The effect of an operation on the bits of NaNs: `BLIND`, `COMPUTES`, `MOVES` or `KEEPS`
    (`nan_bits`)."""
    name, result, operand = signature(number)
    if operand not in FLOATS:
        return KEEPS if name == "bitcast_convert" else BLIND
    if result not in FLOATS:
        return KEEPS if name == "bitcast_convert" or name.startswith("TOTALORDER") else BLIND
    nans = traits_of(operation_of_opcode(name)).nans
    if nans is not Nans.BY_TYPE:
        return EFFECTS.get(nans, KEEPS)
    is_complex = operand.startswith("complex")
    if name == "convert":
        return MOVES if result in (operand, operand[len("complex<") : -1]) else COMPUTES
    return COMPUTES if is_complex else KEEPS if name == "abs" else MOVES


def canonical_nan_operation(type_: str) -> int:
    """The number of the operation that makes the NaNs of a float type canonical."""
    return operation(opcode_name(CANONICAL_NAN) or "", type_, type_)


@cache
def is_canonical_nan(number: int) -> bool:
    """Whether an operation makes NaNs canonical."""
    return number >= 0 and signature(number)[0] == opcode_name(CANONICAL_NAN)


@cache
def cost_of(number: int) -> int:
    """The cost of an element of an instruction, in additions."""
    return _kernels.cost_of(number) if number >= 0 else 2


def is_conversion(number: int) -> bool:
    """Whether an operation converts numbers."""
    return signature(number)[0] == "convert"


def encode_instruction(number: int, result: int, operands: Sequence[int]) -> EncodedInstruction:
    """Encode a pointwise operation."""
    return number, (result,), operands, ()


def bits_of(value: Value) -> Value:
    """An array in the VM's format: types that the buffer protocol lacks (bf16) as bits."""
    return value.view(f"u{value.dtype.itemsize}") if value.dtype.num > _LAST_BUILTIN else value
