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
from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.ir.instructions import SCALAR
from hlokit.engine.native.ir.target import TYPES, NotLowerable, bits_of, encode_instruction, is_enabled
from hlokit.engine.native.lowerings.blocks import BlockLowering
from hlokit.engine.native.lowerings.builder import tensor_type
from hlokit.engine.plan.block import plan_of
from hlokit.engine.plan.plan import last_of
from hlokit.errors import HlokitError
from hlokit.values.types import TensorType, ValueType

# Kernels evaluate longer bodies (with inlined calls), because lowering would take long.
_THRESHOLDS = DEFAULTS._replace(lowered_instructions=200)

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
        lowering = BlockLowering(_THRESHOLDS)
        plan = plan_of(block)
        arguments = [lowering.new(tensor_type(type_)) for type_ in plan.slot_types[: plan.argument_count]]
        outputs = [lowering.scalar(view) for view in last_of(lowering.block(block, arguments))]
        if any(register.count != SCALAR for register in lowering.registers):
            raise NotLowerable
        if any(
            instruction.operation < 0 for instruction in lowering.instructions
        ):  # not a pointwise operation
            raise NotLowerable
        inputs = [view.register for view in arguments]
        count = len(block.argument_types)
        self.program = _kernels.Body(
            [register.type for register in lowering.registers],
            [
                encode_instruction(instruction.operation, instruction.result, instruction.operands)
                for instruction in lowering.instructions
            ],
            inputs[:count],
            outputs,
        )
        self._captured = inputs[count:]
        self._constants = np.zeros(len(lowering.registers), np.uint64)
        for register, value in lowering.constants.items():
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
