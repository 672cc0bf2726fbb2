"""Instructions over virtual registers, and their encoding for the native VM (`_kernels.Program`).

`lowerings.builder` gives every value its own virtual register, and `register_allocation` determines which of
them may be the same register of the VM.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hlokit.native.ir.target import EncodedInstruction, convert_operation, encode_instruction

# Opcodes of the VM besides the pointwise operations, which `target.operation` numbers from 0.
(
    *(JUMP, JUMP_IF, JUMP_IF_NOT, MOVE, READ_WINDOWS, WRITE_WINDOWS, REDUCE, DOT, CALL, LAPACK, SORT, SCAN),
    BROADCAST,
) = range(-1, -14, -1)
# Pseudo instructions: COPY gives one register the value of another, and becomes a move, or nothing where
# coalescing makes them one register; IMPLICIT_DEF begins the live range of an array that is written in parts.
COPY, IMPLICIT_DEF = -100, -101

# The element count of a scalar register.
SCALAR = -1


@dataclass(frozen=True, slots=True)
class VirtualRegister:
    """The type of a virtual register: a scalar, or `count` elements.

    Attributes:
      type: the element type.
      is_outside: an array that the caller of the program provides.
      is_constant: no instruction writes the register.
    """

    type: str
    count: int
    is_outside: bool = False
    is_constant: bool = False


@dataclass(slots=True, eq=False)
class Instruction:
    """An instruction over virtual registers.

    Attributes:
      operation: the opcode.
      result: the register that the instruction defines; of a jump, the index of the target instruction.
      operands: registers that the instruction uses.
      immediates: shapes, offsets and strides of instructions on arrays.
      register_immediates: indices of the immediates that are registers.
      more_results: further registers that the instruction defines. Only calls, sorts and routines of
        LAPACK have several results.
      is_partial: the instruction writes a part of the result, and the rest keeps its value.
      is_early_clobber: the result must not share memory with anything that the instruction uses.
      loop_depth: the number of loops around the instruction.
      work: the number of elements that the instruction computes.
    """

    operation: int
    result: int
    operands: tuple[int, ...] = ()
    immediates: list[int] | None = None
    register_immediates: tuple[int, ...] = ()
    is_partial: bool = False
    is_early_clobber: bool = False
    loop_depth: int = 0
    work: int = 0
    more_results: tuple[int, ...] = ()

    @property
    def results(self) -> tuple[int, ...]:
        """The registers that the instruction defines."""
        return () if self.is_jump else (self.result, *self.more_results)

    @property
    def is_jump(self) -> bool:
        return JUMP_IF_NOT <= self.operation <= JUMP

    @property
    def uses(self) -> Iterable[int]:
        """The registers that the instruction reads."""
        if self.immediates is None or not self.register_immediates:
            return self.operands
        return (*self.operands, *[self.immediates[index] for index in self.register_immediates])

    def rename(self, names: dict[int, int] | Sequence[int]) -> None:
        """Replace each register by `names[register]`."""
        if not self.is_jump:
            self.result = names[self.result]
            self.more_results = tuple([names[result] for result in self.more_results])
        self.operands = tuple([names[operand] for operand in self.operands])
        if self.immediates is not None:
            for index in self.register_immediates:
                self.immediates[index] = names[self.immediates[index]]


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
        elif each.operation in (CALL, LAPACK, SORT):
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
