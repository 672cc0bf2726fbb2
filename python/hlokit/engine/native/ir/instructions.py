"""Instructions over virtual registers.

`lowerings.builder` gives every value its own virtual register, and `register_allocation` determines which of
them may be the same register of the VM.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import lru_cache

from hlokit import _kernels
from hlokit.engine.native.ir.parameters import Jump, Parameters

_OPCODES = {name: opcode for name, (opcode, _) in _kernels.instructions().items()}

# Opcodes of the VM besides the pointwise operations, which `target.operation` numbers from 0.
JUMP, JUMP_IF, JUMP_IF_NOT = _OPCODES["jump"], _OPCODES["jump_if"], _OPCODES["jump_if_not"]
MOVE = _OPCODES["move"]
READ_WINDOWS, WRITE_WINDOWS = _OPCODES["read_windows"], _OPCODES["write_windows"]
REDUCE, SCAN, DOT = _OPCODES["reduce"], _OPCODES["scan"], _OPCODES["dot"]
CALL = _OPCODES["call"]
LAPACK, SORT, FFT = _OPCODES["lapack"], _OPCODES["sort"], _OPCODES["fft"]
THREEFRY, RANDOM_BITS = _OPCODES["threefry"], _OPCODES["random_bits"]
BROADCAST, REDUCE_ROWS, GATHER = _OPCODES["broadcast"], _OPCODES["reduce_rows"], _OPCODES["gather"]
# Pseudo instructions: COPY gives one register the value of another, and becomes a move, or nothing where
# coalescing makes them one register; IMPLICIT_DEF begins the live range of an array that is written in parts.
COPY, IMPLICIT_DEF = -100, -101

JUMPS = (JUMP, JUMP_IF, JUMP_IF_NOT)

# The element count of a scalar register.
SCALAR = -1


class VirtualRegister:
    """The type of a virtual register: a scalar, or `count` elements. Registers share it: nothing changes it.

    Attributes:
      type: the element type.
      is_constant: no instruction writes the register: it holds an operand of the program or a constant.
      is_window: the elements are a row of a constant register, so the VM needs no memory for them.
    """

    __slots__ = ("count", "is_constant", "is_window", "type")

    def __init__(self, type_: str, count: int, *, is_constant: bool = False, is_window: bool = False) -> None:
        self.type, self.count, self.is_constant, self.is_window = type_, count, is_constant, is_window


# Equal types are one object: the garbage collector takes time for each, and programs have many.
virtual_register = lru_cache(4096)(VirtualRegister)


class Instruction:
    """An instruction over virtual registers. (No dataclass, because defining one takes 1 ms.)

    Attributes:
      operation: the opcode.
      results: registers that the instruction defines.
      operands: registers that the instruction uses.
      parameters: the target of a jump; shapes, offsets and strides of instructions on arrays.
      is_partial: the instruction writes a part of the result, and the rest keeps its value.
      loop_depth: the number of loops around the instruction.
      work: the number of elements that the instruction computes.
    """

    __slots__ = ("is_partial", "loop_depth", "operands", "operation", "parameters", "results", "work")

    def __init__(
        self,
        operation: int,
        results: tuple[int, ...],
        operands: tuple[int, ...] = (),
        parameters: Parameters | None = None,
        *,
        is_partial: bool = False,
        work: int = 0,
    ) -> None:
        self.operation, self.results, self.operands = operation, results, operands
        self.parameters, self.is_partial, self.loop_depth, self.work = parameters, is_partial, 0, work

    @property
    def result(self) -> int:
        """The first register that the instruction defines."""
        return self.results[0]

    @property
    def is_jump(self) -> bool:
        return self.operation in JUMPS

    @property
    def target(self) -> int:
        """The index of the instruction to which a jump leads."""
        assert isinstance(self.parameters, Jump)
        return self.parameters.target

    @property
    def is_early_clobber(self) -> bool:
        """Whether a result must not share memory with anything that the instruction uses: it writes elements
        before it has read all."""
        return self.operation < 0 and self.operation not in (COPY, IMPLICIT_DEF)

    def rename(self, names: dict[int, int] | Sequence[int]) -> None:
        """Replace each register by `names[register]`."""
        self.results = tuple([names[result] for result in self.results])
        self.operands = tuple([names[operand] for operand in self.operands])


def without(
    instructions: Sequence[Instruction], deleted: Container[int], *, old: int = 0, new: int = 0
) -> list[Instruction]:
    """The instructions that are not deleted, with the targets of their jumps adjusted.

    Args:
      deleted: indices of instructions.
      old, new: the position of the first instruction in the program, before and afterwards.
    """
    positions: list[int] = []
    kept: list[Instruction] = []
    for at, instruction in enumerate(instructions):
        positions.append(new + len(kept))
        if at not in deleted:
            kept.append(instruction)
    positions.append(new + len(kept))
    for instruction in kept:
        if instruction.is_jump:
            instruction.parameters = Jump(positions[instruction.target - old])
    return kept
