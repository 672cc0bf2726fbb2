"""Instructions over virtual registers.

`lowerings.builder` gives every value its own virtual register, and `register_allocation` determines which of
them may be the same register of the VM.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

# Opcodes of the VM besides the pointwise operations, which `target.operation` numbers from 0.
(
    *(JUMP, JUMP_IF, JUMP_IF_NOT, MOVE, READ_WINDOWS, WRITE_WINDOWS, REDUCE, DOT, CALL, LAPACK, SORT, SCAN),
    BROADCAST,
    FFT,
    THREEFRY,
    RANDOM_BITS,
) = range(-1, -17, -1)
# Pseudo instructions: COPY gives one register the value of another, and becomes a move, or nothing where
# coalescing makes them one register; IMPLICIT_DEF begins the live range of an array that is written in parts.
COPY, IMPLICIT_DEF = -100, -101

# The element count of a scalar register.
SCALAR = -1


class VirtualRegister:
    """The type of a virtual register: a scalar, or `count` elements.

    Attributes:
      type: the element type.
      is_constant: no instruction writes the register: it holds an operand of the program or a constant.
      is_window: the elements are a row of a constant register, so the VM needs no memory for them.
    """

    __slots__ = ("count", "is_constant", "is_window", "type")

    def __init__(self, type_: str, count: int, *, is_constant: bool = False) -> None:
        self.type, self.count, self.is_constant, self.is_window = type_, count, is_constant, False


class Instruction:
    """An instruction over virtual registers. (No dataclass, because defining one takes 1 ms.)

    Attributes:
      operation: the opcode.
      result: the register that the instruction defines; of a jump, the index of the target instruction.
      operands: registers that the instruction uses.
      immediates: shapes, offsets and strides of instructions on arrays.
      register_immediates: indices of the immediates that are registers.
      more_results: further registers that the instruction defines. Only calls, sorts, routines of LAPACK and
        generators of random bits have several results.
      is_partial: the instruction writes a part of the result, and the rest keeps its value.
      loop_depth: the number of loops around the instruction.
      work: the number of elements that the instruction computes.
    """

    __slots__ = (
        *("immediates", "is_partial", "loop_depth", "more_results", "operands", "operation"),
        *("register_immediates", "result", "work"),
    )

    def __init__(
        self,
        operation: int,
        result: int,
        operands: tuple[int, ...] = (),
        immediates: list[int] | None = None,
        register_immediates: tuple[int, ...] = (),
        *,
        is_partial: bool = False,
        work: int = 0,
        more_results: tuple[int, ...] = (),
    ) -> None:
        self.operation, self.result, self.operands = operation, result, operands
        self.immediates, self.register_immediates = immediates, register_immediates
        self.is_partial, self.loop_depth, self.work, self.more_results = is_partial, 0, work, more_results

    @property
    def results(self) -> tuple[int, ...]:
        """The registers that the instruction defines."""
        return () if self.is_jump else (self.result, *self.more_results)

    @property
    def is_jump(self) -> bool:
        return JUMP_IF_NOT <= self.operation <= JUMP

    @property
    def is_early_clobber(self) -> bool:
        """Whether a result must not share memory with anything that the instruction uses: it writes elements
        before it has read all."""
        return self.immediates is not None

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
    for at, each in enumerate(instructions):
        positions.append(new + len(kept))
        if at not in deleted:
            kept.append(each)
    positions.append(new + len(kept))
    for each in kept:
        if each.is_jump:
            each.result = positions[each.result - old]
    return kept
