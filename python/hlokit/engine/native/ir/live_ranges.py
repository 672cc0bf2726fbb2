"""Liveness: which instructions have an effect, and where each register is live.

Point `n` of a program is before instruction `n`; the last point is the end. A register is live at a point if
a later instruction may read the value that it has there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence, Set
from itertools import pairwise

from hlokit.engine.native.ir.instructions import CALL, JUMP, JUMPS, Instruction

# The registers that are live at the end of each basic block, the last block first. Another order of the
# instructions within a block changes none.
LiveAtEnds = dict[range, Set[int]]
# They have an effect, whatever reads their results.
_EFFECTIVE = frozenset((*JUMPS, CALL))


class LiveRange:
    """Where a register is live, and where it is written; or the same of several registers that become one.

    Attributes:
      starts, ends: the first points of the disjoint parts in which the register is live, in order, and for
        each part the first point after it.
      writes: the instructions that write the register, in order.
    """

    __slots__ = ("ends", "starts", "writes")

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.writes: list[int] = []

    def begin(self, start: int, end: int) -> None:
        """Append a part."""
        self.starts.append(start)
        self.ends.append(end)

    def reverse(self) -> None:
        """Reverse the order of the parts, and of the writes."""
        self.starts.reverse()
        self.ends.reverse()
        self.writes.reverse()

    def _parts(self) -> Iterable[tuple[int, int]]:
        return zip(self.starts, self.ends, strict=True)

    def is_live(self, point: int) -> bool:
        """Whether the register is live at a point."""
        index = bisect_right(self.starts, point) - 1
        return index >= 0 and self.ends[index] > point

    def writes_within(self, other: LiveRange) -> Iterable[int]:
        """The writes after which another register is live, or for which an instruction reads it."""
        if len(self.writes) <= len(other.starts):
            return [at for at in self.writes if other.is_live(at + 1) or other.is_live(at)]
        writes: list[int] = []
        for start, end in other._parts():
            writes += self.writes[bisect_left(self.writes, start - 1) : bisect_left(self.writes, end)]
        return writes

    def merge(self, other: LiveRange) -> None:
        """Add the live range of another register."""
        if self.starts and other.starts and other.starts[0] > self.ends[-1]:
            self.starts += other.starts
            self.ends += other.ends
        else:
            parts = sorted([*self._parts(), *other._parts()])
            self.starts, self.ends = [], []
            for start, end in parts:
                if self.ends and start <= self.ends[-1]:
                    self.ends[-1] = max(self.ends[-1], end)
                else:
                    self.starts.append(start)
                    self.ends.append(end)
        self.writes = sorted([*self.writes, *other.writes])


def effects(instructions: Sequence[Instruction], live_at_ends: LiveAtEnds) -> list[bool]:
    """For each instruction whether it has an effect; see `find_live_ranges`."""
    has_effect = [False] * len(instructions)
    for block, out in live_at_ends.items():
        _live_in(instructions, block, out, has_effect)
    return has_effect


def find_live_ranges(
    instructions: Sequence[Instruction], operands: Iterable[int], live_at_ends: LiveAtEnds
) -> tuple[dict[int, LiveRange], list[bool]]:
    """The live ranges of the registers, and for each instruction whether it has an effect.

    An instruction without an effect only computes values that nothing reads. It counts neither as a read nor
    as a write.

    Args:
      operands: registers with values at the start, as if an instruction -1 wrote them.
    """
    ranges: defaultdict[int, LiveRange] = defaultdict(LiveRange)
    has_effect = [False] * len(instructions)
    ends: dict[int, int] = {}  # of the registers that are live at the current point
    for block, out in live_at_ends.items():
        for register in ends.keys() - out:
            ranges[register].begin(block.stop, ends.pop(register))
        for register in out - ends.keys():
            ends[register] = block.stop + 1
        for at in reversed(block):
            instruction = instructions[at]
            written = instruction.results
            if ends.keys().isdisjoint(written) and instruction.operation not in _EFFECTIVE:
                continue
            has_effect[at] = True
            for register in written:
                live_range = ranges[register]
                if instruction.is_partial:
                    ends.setdefault(register, at + 1)
                else:
                    live_range.begin(at + 1, ends.pop(register, at + 2))
                live_range.writes.append(at)
            for register in instruction.operands:
                ends.setdefault(register, at + 1)
    for register, end in ends.items():
        ranges[register].begin(0, end)
    ranges.default_factory = None
    for live_range in ranges.values():
        live_range.reverse()
    for register in operands:
        if register in ranges:
            ranges[register].writes.insert(0, -1)
    return ranges, has_effect


def _blocks(instructions: Sequence[Instruction]) -> list[range]:
    """The basic blocks."""
    starts = {0}
    for index, instruction in enumerate(instructions):
        if instruction.is_jump:
            starts.update((instruction.target, index + 1))
    bounds = sorted({*starts, len(instructions)})
    return [range(start, stop) for start, stop in pairwise(bounds)]


def find_live_at_ends(instructions: Sequence[Instruction], results: Collection[int]) -> LiveAtEnds:
    """The registers that are live at the ends of blocks.

    Args:
      results: registers that are live at the end of the program.
    """
    blocks = _blocks(instructions)
    live_in: dict[int, Set[int]] = {block.start: frozenset() for block in blocks}
    live_in[len(instructions)] = frozenset(results)
    live_out: LiveAtEnds = {}
    is_changed = True
    while is_changed:
        is_changed = False
        for block in reversed(blocks):
            last = instructions[block.stop - 1]
            out = live_in[last.target] if last.is_jump else live_in[block.stop]
            if last.is_jump and last.operation != JUMP:
                out = out | live_in[block.stop]
            if block in live_out and len(out) == len(live_out[block]):  # these sets only grow
                continue
            live_out[block] = out
            if len(blocks) == 1:
                break
            live = _live_in(instructions, block, out)
            is_changed = is_changed or len(live) != len(live_in[block.start])
            live_in[block.start] = live
    return live_out


def _live_in(
    instructions: Sequence[Instruction], block: range, out: Set[int], has_effect: list[bool] | None = None
) -> Set[int]:
    """The registers that are live at the start of a block. Marks instructions with an effect."""
    live = {*out}
    for at in reversed(block):
        instruction = instructions[at]
        results = instruction.results
        if not live.isdisjoint(results) or instruction.operation in _EFFECTIVE:
            if has_effect is not None:
                has_effect[at] = True
            if not instruction.is_partial:
                live.difference_update(results)
            live.update(instruction.operands)
    return live
