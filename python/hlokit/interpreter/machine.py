"""What the native machines (`hlokit._native.Loop`, `Chain`) have in common: which steps they compute.

They compute pointwise operations of the plain types bit for bit as the kernels in `ops` do, NaNs' signs and
payloads aside. `HLOKIT_DISABLE=native` leaves everything to the kernels.
"""

from __future__ import annotations

import os
from functools import cache

import numpy as np

from hlokit import _native
from hlokit.interpreter.registry import Value
from hlokit.interpreter.steps import Step
from hlokit.interpreter.switches import is_on
from hlokit.values.types import TensorType, ValueType

# An instruction: operation or jump, result, operands; registers are numbers.
Instruction = tuple[int, int, int, int, int]

TYPES = frozenset(("i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "f32", "f64", "bf16"))
ARRAY_TYPES = TYPES | {"complex<f32>", "complex<f64>"}  # of chains
COPY = "convert"  # from a type to itself

# Those that large arrays are divided among: as many as there are processors to run on.
THREADS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

_LAST_BUILTIN = np.dtype(np.float16).num


def is_enabled() -> bool:
    """Whether the environment leaves the machines on."""
    return is_on("native")


def type_name(type_: ValueType) -> str | None:
    """What a machine calls the elements of a tensor; None if it has no such."""
    if isinstance(type_, TensorType) and type_.element_type.name in TYPES:
        return type_.element_type.name
    return None


def array_type_name(type_: ValueType) -> str | None:
    """What a chain calls the elements of a tensor; None if it has no such."""
    if isinstance(type_, TensorType) and type_.element_type.name in ARRAY_TYPES:
        return type_.element_type.name
    return None


@cache
def operation(name: str, to: str, operand: str) -> int:
    """The number of an operation of the machines, by the types of result and last operand; -1 for none."""
    return _native.find_operation(name, to, operand)


def operation_of(step: Step) -> int:
    """The number of what a step computes; -1 if no machine does."""
    number = array_operation_of(step)
    if number < 0 or type_name(step.result_types[0]) is None or type_name(step.operand_types[-1]) is None:
        return -1
    return number


def array_operation_of(step: Step) -> int:
    """The number of what a step computes of arrays; -1 if no chain does."""
    if not step.kernel.pointwise or len(step.results) != 1 or not step.operands:
        return -1
    to, operand = array_type_name(step.result_types[0]), array_type_name(step.operand_types[-1])
    if to is None or operand is None:
        return -1
    name = step.kernel.native or step.name.removeprefix("stablehlo.")
    return operation(name, to, operand)


def instruction(number: int, to: int, operands: list[int]) -> Instruction:
    """An instruction of one to three operands. Those that are not read repeat the first."""
    a, b, c = (*operands, operands[0], operands[0])[:3]
    return number, to, a, b, c


def bits_of(value: Value) -> Value:
    """What goes to a machine: the buffer protocol has no bf16, whose bits go instead."""
    return value.view(np.uint16) if value.dtype.num > _LAST_BUILTIN else value
