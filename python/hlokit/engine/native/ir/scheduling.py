"""Scheduling: in loops, scalars are computed directly before the one instruction that reads them.

The VM computes two neighbours at a time if one reads the result of the other. And where the last reader of
the old value of a state comes before the new value, the two are one register, without a copy.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hlokit.engine.native.ir.instructions import (
    READ_WINDOWS,
    SCALAR,
    WRITE_WINDOWS,
    Instruction,
    VirtualRegister,
)
from hlokit.engine.native.ir.live_ranges import LiveAtEnds, effects


def scheduled(
    instructions: list[Instruction],
    registers: Sequence[VirtualRegister],
    results: Collection[int],
    live_at_ends: LiveAtEnds,
) -> list[Instruction]:
    """The instructions, in another order within each basic block of a loop.

    Args:
      results: registers that the caller reads at the end.
    """
    if not any(instruction.loop_depth for instruction in instructions):
        return instructions
    readers = _only_readers(instructions, effects(instructions, live_at_ends), results)
    order: list[Instruction] = []
    for block in reversed(live_at_ends):
        if instructions[block.start].loop_depth:
            order += _Block(instructions, registers, block, readers).ordered()
        else:
            order += instructions[block.start : block.stop]
    return order


def _only_readers(
    instructions: Sequence[Instruction], has_effect: Sequence[bool], results: Collection[int]
) -> dict[int, int]:
    """For each position of an instruction, whose result no other instruction writes, that of the only
    instruction with an effect that reads the result."""
    readers: dict[int, set[int]] = {}
    writers: dict[int, list[int]] = {}
    for at, instruction in enumerate(instructions):
        if has_effect[at]:
            for register in instruction.operands:
                readers.setdefault(register, set()).add(at)
        for register in instruction.results:
            writers.setdefault(register, []).append(at)
    return {
        ats[0]: next(iter(readers[register]))
        for register, ats in writers.items()
        if len(ats) == 1 and len(readers.get(register, ())) == 1 and register not in results
    }


class _Block:
    """A basic block, whose scalars move to their readers.

    Attributes:
      moves: the positions of instructions that move, and for each that of the instruction that stays where it
        is, before which this one is in the end.
    """

    def __init__(
        self,
        instructions: Sequence[Instruction],
        registers: Sequence[VirtualRegister],
        block: range,
        readers: dict[int, int],
    ) -> None:
        self._instructions, self._registers, self._block = instructions, registers, block
        self._moves: dict[int, int] = {}
        self._sources: dict[int, list[int]] = {}  # what moves before an instruction
        next_write: dict[int, int] = {}  # of registers, behind the present position
        for at in reversed(block):
            instruction, reader = instructions[at], readers.get(at, -1)
            if at < reader < block.stop and self._may_move(instruction):
                to = self._moves.get(reader, reader)
                if self._is_on_scalars(instructions[to]) and all(
                    [next_write.get(register, to) >= to for register in instruction.operands]
                ):
                    self._moves[at] = to
                    self._sources.setdefault(reader, []).append(at)
            for register in instruction.results:
                next_write[register] = at

    def ordered(self) -> list[Instruction]:
        """The instructions in their new order.

        Of the operands of an instruction, that comes last which may pair with it: an element that is read,
        else what takes the fewest instructions, since the last of several may be one of a pair already.
        """
        sizes: dict[int, int] = {}
        for at in self._block:
            sizes[at] = 1 + sum([sizes[source] for source in self._sources.get(at, ())])
        order: list[Instruction] = []
        for at in self._block:
            if at in self._moves:
                continue
            place, pending = len(order), [at]
            while pending:  # in reverse order
                last = pending.pop()
                order.append(self._instructions[last])
                pending += sorted(
                    self._sources.get(last, ()), key=lambda source: (self._is_read(source), -sizes[source])
                )
            order[place:] = reversed(order[place:])
        return order

    def _is_read(self, at: int) -> bool:
        return self._instructions[at].operation == READ_WINDOWS

    def _may_move(self, instruction: Instruction) -> bool:
        is_value = instruction.operation >= 0 or instruction.operation == READ_WINDOWS
        return is_value and self._registers[instruction.result].count == SCALAR

    def _is_on_scalars(self, instruction: Instruction) -> bool:
        """Whether an instruction may stand alone: operations on arrays run a block of elements at a time if
        they are neighbours."""
        may_stand_alone = instruction.is_jump or instruction.operation == WRITE_WINDOWS
        return may_stand_alone or self._registers[instruction.result].count == SCALAR
