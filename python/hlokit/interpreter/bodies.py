"""Bodies of regions for the native loops over arrays (`hlokit._native.Body`, `combine` and `reduce`).

A region of pointwise operations on scalars of types that the machines have becomes one program, functions
that it calls included. `HLOKIT_DISABLE=native-regions` leaves regions to the kernels, as `native` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit import _native
from hlokit.errors import HlokitError
from hlokit.interpreter.block import Block
from hlokit.interpreter.machine import (
    TYPES,
    Instruction,
    bits_of,
    instruction,
    is_enabled,
    operation_of,
    type_name,
)
from hlokit.interpreter.registry import Value
from hlokit.interpreter.switches import is_on
from hlokit.values.types import TensorType, ValueType

Array = npt.NDArray[Any]
# Typed as what the stubs of NumPy do not say it is, a buffer.
Buffer = Any

_MOST_INSTRUCTIONS = 200


def are_native() -> bool:
    """Whether the environment leaves native loops over arrays on."""
    return is_on("native-regions") and is_enabled()


def in_rows(array: Array) -> Buffer:
    """The same in row-major order, for the machines."""
    return np.ascontiguousarray(bits_of(array))


def as_bytes(array: Array) -> Buffer:
    """A contiguous array of any type as its bytes."""
    return array.reshape(-1).view(np.uint8)


def combination(name: str | None, type_: ValueType) -> tuple[str, str] | None:
    """(operation, type) as `_native.combine` and `reduce` take them; None if they do not.

    Args:
      name: of the operation that a region is.
      type_: of its arguments.
    """
    if name is None or not are_native() or not isinstance(type_, TensorType):
        return None
    names = name.removeprefix("stablehlo."), type_.element_type.name
    return names if names[1] in TYPES and _native.has_combination(*names) else None


class NativeBody:
    """A region as a native program.

    Attributes:
      program: its inputs are the arguments of the region.
    """

    def __init__(self, block: Block) -> None:
        writer = _Writer()
        plan = block.plan
        arguments = [writer.register(plan.slot_types[slot]) for slot in range(plan.argument_count)]
        outputs = writer.block(block, arguments)
        count = len(block.argument_types)
        self.program = _native.Body(writer.types, writer.code, arguments[:count], outputs)
        self._captured = arguments[count:]
        self._image = np.zeros(len(writer.types), np.uint64)
        for register, value in writer.constants:
            _put(self._image, register, value)

    def image(self, captured: Sequence[Value]) -> Buffer:
        """Constants and captured values in their registers."""
        if not captured:
            return self._image
        image = self._image.copy()
        for register, value in zip(self._captured, captured, strict=True):
            _put(image, register, value)
        return image


def words_of(values: Sequence[Value]) -> Buffer:
    """Scalars, each in the first bytes of an item."""
    words = np.zeros(len(values), np.uint64)
    for index, value in enumerate(values):
        _put(words, index, value)
    return words


def _put(words: Array, index: int, value: Value) -> None:
    scalar = np.asarray(value)
    words[index : index + 1].view(scalar.dtype)[0] = scalar


def native_body(block: Block) -> NativeBody | None:
    """The native program of a region; None if there is none."""
    if not are_native() or block.is_observed:
        return None
    try:
        return NativeBody(block)
    except (_Unfit, HlokitError):  # an error of a region that perhaps never runs
        return None


class _Unfit(Exception):
    """A region has something that the machines do not do."""


class _Writer:
    """Writes the program of a block.

    Attributes:
      types: of the registers.
      code: instructions so far.
      constants: registers and their values.
    """

    def __init__(self) -> None:
        self.types: list[str] = []
        self.code: list[Instruction] = []
        self.constants: list[tuple[int, Value]] = []
        self._blocks: list[Block] = []  # those being inlined

    def register(self, type_: ValueType) -> int:
        name = type_name(type_)
        if name is None or not isinstance(type_, TensorType) or type_.shape != ():
            raise _Unfit
        self.types.append(name)
        return len(self.types) - 1

    def block(self, block: Block, arguments: list[int]) -> list[int]:
        """Write what a block does; gives the registers of what it returns."""
        if block.is_observed or block in self._blocks or len(self.code) > _MOST_INSTRUCTIONS:
            raise _Unfit
        self._blocks.append(block)
        plan = block.plan
        registers = dict(enumerate(arguments))
        for slot, value in plan.constants:
            registers[slot] = self.register(plan.slot_types[slot])
            self.constants.append((registers[slot], value))
        for step in plan.steps:
            operands = [registers[slot] for slot in step.operands]
            number = operation_of(step)
            if number >= 0:
                results = [self.register(step.result_types[0])]
                self.code.append(instruction(number, results[0], operands))
            elif isinstance(step.kernel.function, Block):
                results = self.block(step.kernel.function, operands)
            else:
                raise _Unfit
            registers.update(zip(step.results, results, strict=True))
        self._blocks.pop()
        return [registers[slot] for slot in plan.outputs]
