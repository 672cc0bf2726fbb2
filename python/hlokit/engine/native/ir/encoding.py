"""The encoding of instructions for the native VM (`_kernels.Program`)."""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Sequence
from typing import NamedTuple

from hlokit.engine.native.ir.instructions import COPY, MOVE, SCALAR, Instruction, VirtualRegister
from hlokit.engine.native.ir.parameters import Move, MoveAxis, numbers_of
from hlokit.engine.native.ir.target import EncodedInstruction, convert_operation


class EncodedProgram(NamedTuple):
    """The first arguments of `_kernels.Program`.

    Attributes:
      types, counts: types and counts of the registers.
      code: the instructions.
    """

    types: list[str]
    code: list[EncodedInstruction]
    counts: list[int]


def encode(instructions: Sequence[Instruction], registers: Sequence[VirtualRegister]) -> EncodedProgram:
    """Encode instructions whose registers have been allocated."""
    for instruction in instructions:
        if instruction.operation == COPY:
            register = registers[instruction.result]
            if register.count == SCALAR:
                instruction.operation = convert_operation(register.type)
            else:
                instruction.operation, instruction.parameters = (
                    MOVE,
                    Move(0, 0, [MoveAxis(register.count, 1, 1)]),
                )
    return EncodedProgram(
        [register.type for register in registers],
        [encoded(instruction) for instruction in instructions],
        [register.count for register in registers],
    )


def encoded(instruction: Instruction) -> EncodedInstruction:
    """Encode an instruction of the VM."""
    numbers = () if instruction.parameters is None else numbers_of(instruction.parameters)
    return instruction.operation, instruction.results, instruction.operands, numbers
