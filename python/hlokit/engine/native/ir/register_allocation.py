"""Register allocation: dead-code elimination, copy coalescing, and registers with disjoint live ranges.

The VM has as many registers as a program needs, so nothing is ever spilled. The goal is to minimise copies
and memory: coalescing merges registers that copies connect, and a linear scan over live ranges lets other
registers share memory.
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Collection, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from hlokit.engine.native.ir.instructions import COPY, IMPLICIT_DEF, Instruction, VirtualRegister, without
from hlokit.engine.native.ir.live_ranges import LiveAtEnds, LiveRange, find_live_ranges


class Allocation(NamedTuple):
    """A program whose registers have been allocated.

    Attributes:
      places: for each virtual register in use, the allocated register.
      registers: the allocated registers.
    """

    instructions: list[Instruction]
    registers: list[VirtualRegister]
    places: dict[int, int]


def allocate(
    instructions: list[Instruction],
    registers: Sequence[VirtualRegister],
    operands: Sequence[int],
    results: Sequence[int],
    live_at_ends: LiveAtEnds,
) -> Allocation:
    """Eliminate dead instructions and allocate registers; instructions are renamed in place.

    Args:
      operands: registers that hold values when the program starts, which the caller fills.
      results: other registers, which the caller reads when the program has ended. One of the last
        instructions copies to each result. Operands and results remain separate registers.
    """
    ranges, has_effect = find_live_ranges(instructions, operands, live_at_ends)
    classes = _Coalescing(registers, instructions, ranges, (*operands, *results))
    copies = [
        at for at, instruction in enumerate(instructions) if instruction.operation == COPY and has_effect[at]
    ]
    # The copies of inner loops run most often, so they come first.
    for at in sorted(copies, key=lambda at: -instructions[at].loop_depth):
        classes.coalesce(instructions[at].result, instructions[at].operands[0])
    kept = [*operands, *results, *[register for register in ranges if registers[register].is_constant]]
    places, allocated = _share_memory(registers, kept, classes)
    for register in classes.merged:
        places[register] = places[classes.find(register)]
    for instruction, is_kept in zip(instructions, has_effect, strict=True):
        if is_kept:
            instruction.rename(places)
    deleted = {
        at for at, instruction in enumerate(instructions) if not has_effect[at] or _is_empty(instruction)
    }
    return Allocation(without(instructions, deleted), allocated, places)


def _is_empty(instruction: Instruction) -> bool:
    """Whether an instruction emits no code: it copies a register to itself, or only begins a live range."""
    return instruction.operation == IMPLICIT_DEF or (
        instruction.operation == COPY and instruction.result == instruction.operands[0]
    )


class _Coalescing:
    """Classes of virtual registers that become one register.

    Args:
      kept: registers of which no two become one.

    Attributes:
      ranges: the live ranges of the classes, by the registers that represent them.
    """

    def __init__(
        self,
        registers: Sequence[VirtualRegister],
        instructions: Sequence[Instruction],
        ranges: dict[int, LiveRange],
        kept: Sequence[int],
    ) -> None:
        self.ranges = dict(ranges)
        self._registers, self._instructions, self._kept = registers, instructions, frozenset(kept)
        self._parent: dict[int, int] = {}

    @property
    def merged(self) -> Collection[int]:
        """The registers that others represent."""
        return self._parent.keys()

    def find(self, register: int) -> int:
        """The register that represents the class."""
        while register in self._parent:
            register = self._parent[register]
        return register

    def coalesce(self, one: int, two: int) -> None:
        """Merge the classes of two registers, unless the classes interfere."""
        one, two = self.find(one), self.find(two)
        left, right = self._registers[one], self._registers[two]
        if one == two or (left.type, left.count) != (right.type, right.count):
            return
        if left.is_constant or right.is_constant or (one in self._kept and two in self._kept):
            return
        if self._overwrites(one, two) or self._overwrites(two, one):
            return
        if one in self._kept:
            one, two = two, one
        self._parent[one] = two
        self.ranges[two].merge(self.ranges.pop(one))

    def _overwrites(self, one: int, two: int) -> bool:
        """Whether a write of one class would destroy a value of the other.

        A copy from the other class does not: both registers have the same value.
        """
        other = self.ranges[two]
        for at in self.ranges[one].writes_within(other):
            if at < 0:  # an operand of the program
                return True
            instruction = self._instructions[at]
            is_copy = instruction.operation == COPY and self.find(instruction.operands[0]) == two
            if not is_copy and (instruction.is_early_clobber or other.is_live(at + 1)):
                return True
        return False


def _share_memory(
    registers: Sequence[VirtualRegister], kept: Sequence[int], classes: _Coalescing
) -> tuple[dict[int, int], list[VirtualRegister]]:
    """A linear scan over the live ranges of classes: allocated registers by class, and the registers.

    A register becomes free after the instruction that last uses it, so no instruction overwrites its
    operands. A window shares no memory, unless copies were coalesced with it: it has none.
    """
    places = {register: number for number, register in enumerate(dict.fromkeys(kept))}
    allocated = [registers[register] for register in places]
    free: dict[tuple[str, int], list[int]] = {}
    active: list[tuple[int, int]] = []  # ends of live ranges, and the registers that become free then
    ordered = sorted([(live_range.starts[0], register) for register, live_range in classes.ranges.items()])
    for start, register in ordered:
        if register in places:
            continue
        while active and active[0][0] < start:
            _, number = heappop(active)
            free.setdefault((allocated[number].type, allocated[number].count), []).append(number)
        virtual = registers[register]
        is_window = virtual.is_window and len(classes.ranges[register].writes) == 1
        reusable = [] if is_window else free.get((virtual.type, virtual.count))
        if reusable:
            places[register] = reusable.pop()
        else:
            places[register] = len(allocated)
            allocated.append(virtual)
        if not is_window:
            heappush(active, (classes.ranges[register].ends[-1], places[register]))
    return places, allocated
