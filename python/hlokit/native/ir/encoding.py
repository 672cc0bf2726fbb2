"""The encoding of instructions for the native VM (`_kernels.Program`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hlokit.native.ir.instructions import (
    CALL,
    COPY,
    DOT,
    LAPACK,
    MOVE,
    RANDOM_BITS,
    REDUCE,
    SCALAR,
    SCAN,
    SORT,
    THREEFRY,
    Instruction,
    VirtualRegister,
)
from hlokit.native.ir.target import EncodedInstruction, convert_operation, encode_instruction


class EncodedProgram(NamedTuple):
    """The first arguments of `_kernels.Program`.

    Attributes:
      types, counts: types and counts of the registers.
      code: the instructions.
      immediates: lists that instructions refer to by their index.
    """

    types: list[str]
    code: list[EncodedInstruction]
    counts: list[int]
    immediates: list[list[int]]


def encode(instructions: Sequence[Instruction], registers: Sequence[VirtualRegister]) -> EncodedProgram:
    """Encode instructions whose registers have been allocated."""
    code: list[EncodedInstruction] = []
    immediates: list[list[int]] = []
    for each in instructions:
        operands = each.operands
        if each.is_jump:
            pred = operands[0] if operands else 0
            code.append((each.operation, each.result, pred, pred, pred))
        elif each.operation == COPY:
            register = registers[each.result]
            if register.count == SCALAR:
                code.append(encode_instruction(convert_operation(register.type), each.result, [*operands]))
            else:
                code.append((MOVE, each.result, operands[0], len(immediates), 0))
                immediates.append([1, register.count, 0, 1, 0, 1])
        elif each.operation in (CALL, LAPACK, RANDOM_BITS, SORT, THREEFRY):
            code.append((each.operation, each.result, 0, len(immediates), 0))
            assert each.immediates is not None
            number, *others = each.immediates
            numbers = [number, len(each.results), *each.results, len(operands), *operands, *others]
            immediates.append(numbers)
        elif each.immediates is None:
            code.append(encode_instruction(each.operation, each.result, [*operands]))
        else:
            b, c = (
                (operands[1], len(immediates))
                if each.operation in (REDUCE, DOT, SCAN)
                else (len(immediates), 0)
            )
            code.append((each.operation, each.result, operands[0], b, c))
            immediates.append(each.immediates)
    return EncodedProgram([r.type for r in registers], code, [r.count for r in registers], immediates)
