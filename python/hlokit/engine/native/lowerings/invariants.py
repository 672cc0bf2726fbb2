"""Loop-invariant code motion: what is the same in every iteration is computed in front of the loop.

Bodies of loops broadcast constants and captured values, vectorised bodies for each of their operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hlokit.engine.native.ir.instructions import IMPLICIT_DEF, MOVE, Instruction, without


def hoisted(
    instructions: list[Instruction],
    entry: int,
    first_register: int,
    may_move: Callable[[Instruction], bool] = lambda _: True,
) -> list[Instruction]:
    """The instructions, with those that a loop need not repeat in front of the loop.

    Args:
      entry: the position of the jump to the condition; the last instruction jumps back to the body.
      first_register: the first register that the loop itself defines. The registers of its state come before.
      may_move: whether the result of an instruction is its only effect, since the loop may run no iteration.
    """
    loop = instructions[entry:]
    writers: dict[int, list[int]] = {}
    for at, instruction in enumerate(loop):
        for register in instruction.results:
            writers.setdefault(register, []).append(at)
    is_conditional = _conditional(loop, entry)
    moved: set[int] = set()
    invariant: set[int] = set()  # registers that only moved instructions write
    for at, instruction in enumerate(loop):
        if (
            at in moved
            or instruction.is_jump
            or instruction.result < first_register
            or not may_move(instruction)
        ):
            continue
        group = writers[instruction.result]
        if any(is_conditional[other] for other in group) or not _is_one_value([loop[n] for n in group]):
            continue
        inputs = {register for n in group for register in loop[n].operands}
        if all(register not in writers or register in invariant for register in inputs):
            moved.update(group)
            invariant.update(instruction.results)
    if not moved:
        return instructions
    front = [loop[at] for at in sorted(moved)]
    for instruction in front:
        instruction.loop_depth -= 1
    rest = without(loop, moved, old=entry, new=entry + len(front))
    return [*instructions[:entry], *front, *rest]


def _is_one_value(writers: Sequence[Instruction]) -> bool:
    """Whether the instructions that write a register compute one value of the register: one instruction, or
    several that fill its parts."""
    if len(writers) == 1:
        return len(writers[0].results) == 1 and not writers[0].is_partial
    first, *parts = writers
    return first.operation == IMPLICIT_DEF and all(instruction.operation == MOVE for instruction in parts)


def _conditional(loop: Sequence[Instruction], entry: int) -> list[bool]:
    """Whether an iteration may skip an instruction: one in a branch or in an inner loop."""
    is_conditional = [False] * len(loop)
    end = 0
    for at, instruction in enumerate(loop):
        is_conditional[at] = at < end
        if instruction.is_jump and at > 0:  # the first one leads to the condition
            end = max(end, instruction.target - entry)
    return is_conditional
