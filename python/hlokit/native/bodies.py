"""Bodies of regions as native programs, for the loops over arrays (`_kernels.Body`, `combine`, `reduce`).

The body of a reduction, window, scatter or comparator has a program if it consists of pointwise operations on
scalars, calls included. With `HLOKIT_DISABLE=native` NumPy evaluates all regions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit import _kernels
from hlokit.contract.region import Region
from hlokit.contract.registry import Value
from hlokit.errors import HlokitError
from hlokit.native.ir.target import (
    TYPES,
    EncodedInstruction,
    NotLowerable,
    bits_of,
    encode_instruction,
    is_enabled,
    operation_of,
    type_name,
)
from hlokit.plan.block import Block, plan_of
from hlokit.values.types import TensorType, ValueType

# Kernels evaluate longer bodies (with inlined calls), because lowering would take long.
_MOST_INSTRUCTIONS = 200

Array = npt.NDArray[Any]
# An array as a buffer: NumPy's stubs do not declare arrays as buffers.
Buffer = Any


def in_rows(array: Array) -> Buffer:
    """The array in row-major order, which the VM requires."""
    return np.ascontiguousarray(bits_of(array))


def as_bytes(array: Array) -> Buffer:
    """The bytes of a contiguous array."""
    return array.reshape(-1).view(np.uint8)


def combination(name: str | None, type_: ValueType) -> tuple[str, str] | None:
    """(operation, element type) for `_kernels.combine` and `reduce`; None if these lack it.

    Args:
      name: name of the only operation of a region.
      type_: type of the region's arguments.
    """
    if name is None or not is_enabled() or not isinstance(type_, TensorType):
        return None
    names = name.removeprefix("stablehlo."), type_.element_type.name
    return names if names[1] in TYPES and _kernels.has_combination(*names) else None


def native_body(block: Region) -> NativeBody | None:
    """The native program of a region; None if the region has no lowering."""
    if not is_enabled() or block.is_observed:
        return None
    try:
        return NativeBody(block)
    except (NotLowerable, HlokitError):  # an error of a region that may never run
        return None


class NativeBody:
    """The native program of a region.

    Attributes:
      program: its inputs are the arguments of the region.
    """

    def __init__(self, block: Region) -> None:
        builder = _BodyBuilder()
        plan = plan_of(block)
        arguments = [builder.new_register(plan.slot_types[slot]) for slot in range(plan.argument_count)]
        outputs = builder.block(block, arguments)
        count = len(block.argument_types)
        self.program = _kernels.Body(builder.types, builder.code, arguments[:count], outputs)
        self._captured = arguments[count:]
        self._constants = np.zeros(len(builder.types), np.uint64)
        for register, value in builder.constants:
            _set_word(self._constants, register, value)

    def initial_registers(self, captured: Sequence[Value]) -> Buffer:
        """The registers before a run: constants and captured values."""
        if not captured:
            return self._constants
        words = self._constants.copy()
        for register, value in zip(self._captured, captured, strict=True):
            _set_word(words, register, value)
        return words


def words_of(values: Sequence[Value]) -> Buffer:
    """Scalars, each in the first bytes of a word."""
    words = np.zeros(len(values), np.uint64)
    for index, value in enumerate(values):
        _set_word(words, index, value)
    return words


def _set_word(words: Array, index: int, value: Value) -> None:
    scalar = np.asarray(value)
    words[index : index + 1].view(scalar.dtype)[0] = scalar


class _BodyBuilder:
    """Builds the program of a block of pointwise operations on scalars.

    Attributes:
      types: of the registers.
      code: the instructions.
      constants: registers and their values.
    """

    def __init__(self) -> None:
        self.types: list[str] = []
        self.code: list[EncodedInstruction] = []
        self.constants: list[tuple[int, Value]] = []
        self._inlining: list[Region] = []  # the blocks whose steps are being lowered, outermost first

    def new_register(self, type_: ValueType) -> int:
        """The number of a new register for a scalar."""
        name = type_name(type_)
        if name is None or not isinstance(type_, TensorType) or type_.shape != ():
            raise NotLowerable
        self.types.append(name)
        return len(self.types) - 1

    def block(self, block: Region, arguments: list[int]) -> list[int]:
        """Lower the steps of a block; returns the registers of the block's results."""
        is_recursive = block in self._inlining
        if block.is_observed or is_recursive or len(self.code) > _MOST_INSTRUCTIONS:
            raise NotLowerable
        self._inlining.append(block)
        plan = plan_of(block)
        registers = dict(enumerate(arguments))
        for slot, value in plan.constants:
            registers[slot] = self.new_register(plan.slot_types[slot])
            self.constants.append((registers[slot], value))
        for step in plan.steps:
            operands = [registers[slot] for slot in step.operands]
            number = operation_of(step)
            if number >= 0:
                results = [self.new_register(step.result_types[0])]
                self.code.append(encode_instruction(number, results[0], operands))
            elif isinstance(step.kernel.function, Block):
                results = self.block(step.kernel.function, operands)
            else:
                raise NotLowerable
            registers.update(zip(step.results, results, strict=True))
        self._inlining.pop()
        return [registers[slot] for slot in plan.outputs]
