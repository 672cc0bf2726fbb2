"""Register allocation: liveness, dead-code elimination, copy coalescing, and arrays that share memory.

The VM has as many registers as a program needs, so nothing is ever spilled. The goal is to minimise copies
and arrays. Programs with jumps get an analysis of liveness over loops and branches: it coalesces registers
that copies connect, and lets arrays with disjoint live ranges share memory. One forward pass does the same
for a program that is a single basic block.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from hlokit.native.ir.instructions import CALL, COPY, IMPLICIT_DEF, JUMP, SCALAR, Instruction, VirtualRegister
from hlokit.records import Record


class Allocation(Record):
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
) -> Allocation:
    """Eliminate dead instructions and allocate registers; instructions are renamed in place.

    Args:
      operands: registers that hold values when the program starts, which the caller fills.
      results: other registers, which the caller reads when the program has ended. One of the last
        instructions copies to each result. Operands and results remain separate registers.
    """
    if any(each.is_jump or each.operation == CALL for each in instructions):
        return _allocate_blocks(instructions, registers, operands, results)
    return _allocate_block(instructions, registers, operands, results)


# Any control flow ------------------------------------------------------------------------------------


def _allocate_blocks(
    instructions: list[Instruction],
    registers: Sequence[VirtualRegister],
    operands: Sequence[int],
    results: Sequence[int],
) -> Allocation:
    live_at_end = _bits(results)
    live = live_out(instructions, live_at_end)
    dead = [not _is_live(each, after) for each, after in zip(instructions, live, strict=True)]
    instructions = _deleted(instructions, dead)
    live = [after for after, is_dead in zip(live, dead, strict=True) if not is_dead]
    coalescing = _Coalescing(registers, instructions, live, operands, results)
    # The copies of inner loops run most often, so they come first.
    copies = [each for each in instructions if each.operation == COPY]
    for copy in sorted(copies, key=lambda each: -each.loop_depth):
        coalescing.coalesce(copy.result, copy.operands[0])
    coalescing.share_memory()
    names = [coalescing.find(register) for register in range(len(registers))]
    for each in instructions:
        each.rename(names)
    instructions = _deleted(instructions, [_is_empty(each) for each in instructions])
    used = {register for each in instructions for register in (*each.uses, *each.results)}
    places = {register: place for place, register in enumerate(dict.fromkeys([*operands, *results, *used]))}
    for each in instructions:
        each.rename(places)
    allocated = [registers[register] for register in places]
    return Allocation(
        instructions,
        allocated,
        {register: places[name] for register, name in enumerate(names) if name in places},
    )


def live_out(instructions: Sequence[Instruction], live_at_end: int) -> list[int]:
    """For each instruction, the set of registers that are live after it, as bits.

    An instruction that only computes dead values does not count as a use.
    """
    count = len(instructions)
    uses: list[int] = []
    kept: list[int] = []  # all bits except that of the register that the instruction overwrites
    for each in instructions:
        bits = _bits(each.uses)
        written = _bits(each.results)
        bits |= written if each.is_partial else 0
        kept.append(~written)
        uses.append(bits)
    before = [0] * count + [live_at_end]
    after = [0] * count
    changed = True
    while changed:
        changed = False
        for index in range(count - 1, -1, -1):
            each = instructions[index]
            if not each.is_jump:
                live = before[index + 1]
            elif each.operation == JUMP:
                live = before[each.result]
            else:
                live = before[index + 1] | before[each.result]
            after[index] = live
            if _is_live(each, live):
                live = (live & kept[index]) | uses[index]
            if live != before[index]:
                before[index] = live
                changed = True
    return after


def _is_live(instruction: Instruction, live: int) -> bool:
    """Whether an instruction must run if these registers are live after it. Calls may have effects."""
    return instruction.is_jump or instruction.operation == CALL or bool(live & _bits(instruction.results))


def _bits(registers: Iterable[int]) -> int:
    bits = 0
    for register in registers:
        bits |= 1 << register
    return bits


def _is_empty(instruction: Instruction) -> bool:
    """Whether an instruction emits no code: it copies a register to itself, or only begins a live range."""
    return instruction.operation == IMPLICIT_DEF or (
        instruction.operation == COPY and instruction.result == instruction.operands[0]
    )


def _deleted(instructions: Sequence[Instruction], is_deleted: Sequence[bool]) -> list[Instruction]:
    """The instructions that are not deleted, with the targets of their jumps adjusted."""
    positions: list[int] = []
    kept: list[Instruction] = []
    for each, is_gone in zip(instructions, is_deleted, strict=True):
        positions.append(len(kept))
        if not is_gone:
            kept.append(each)
    positions.append(len(kept))
    for each in kept:
        if each.is_jump:
            each.result = positions[each.result]
    return kept


class _Coalescing:
    """Classes of virtual registers that become one register, and the interference between classes."""

    def __init__(
        self,
        registers: Sequence[VirtualRegister],
        instructions: Sequence[Instruction],
        live: Sequence[int],
        operands: Sequence[int],
        results: Sequence[int],
    ) -> None:
        self._registers = registers
        self._parent = list(range(len(registers)))
        self._members = [1 << register for register in range(len(registers))]
        # The registers that are live where a register is written.
        self._interference = [0] * len(registers)
        # The registers that are used where a register is written: arrays must not share memory with these.
        self._uses = [0] * len(registers)
        self._is_written = [False] * len(registers)
        self._kept = frozenset((*operands, *results))
        live_at_start = _bits(operands)
        for register in operands:
            self._interference[register] = live_at_start & ~(1 << register)
        for each, after in zip(instructions, live, strict=True):
            if each.is_jump:
                continue
            uses = _bits(each.uses)
            interference = after | uses if each.is_early_clobber else after
            if each.operation == COPY:  # both registers hold the same value
                interference &= ~uses
            for result in each.results:
                others = ~(1 << result)
                self._interference[result] |= (interference | _bits(each.results)) & others
                self._uses[result] |= uses & others
                self._is_written[result] = True

    def find(self, register: int) -> int:
        """The register that represents the class."""
        while self._parent[register] != register:
            register = self._parent[register]
        return register

    def coalesce(self, one: int, two: int) -> None:
        """Merge the classes of two registers, unless the classes interfere."""
        one, two = self.find(one), self.find(two)
        left, right = self._registers[one], self._registers[two]
        if one == two or (left.type, left.count) != (right.type, right.count):
            return
        if left.is_constant or right.is_constant or self._interfere(one, two):
            return
        if one in self._kept and two in self._kept:
            return
        if one in self._kept:
            self._merge(two, one)
        else:
            self._merge(one, two)

    def _interfere(self, one: int, two: int) -> bool:
        return bool(
            self._interference[one] & self._members[two] or self._interference[two] & self._members[one]
        )

    def _merge(self, one: int, into: int) -> None:
        self._parent[one] = into
        self._members[into] |= self._members[one]
        self._interference[into] |= self._interference[one]
        self._uses[into] |= self._uses[one]

    def share_memory(self) -> None:
        """Merge arrays with disjoint live ranges: first fit among those of one type and size."""
        bins: dict[tuple[str, int], list[int]] = {}
        for number, register in enumerate(self._registers):
            is_temporary = not register.is_outside and not register.is_constant and register.count != SCALAR
            if not is_temporary or not self._is_written[number] or self.find(number) != number:
                continue
            others = bins.setdefault((register.type, register.count), [])
            for other in others:
                if (
                    not self._interfere(number, other)
                    and not self._uses[number] & self._members[other]
                    and not self._uses[other] & self._members[number]
                ):
                    self._merge(number, other)
                    break
            else:
                others.append(number)


# One basic block -------------------------------------------------------------------------------------


def _allocate_block(
    instructions: Sequence[Instruction],
    registers: Sequence[VirtualRegister],
    operands: Sequence[int],
    results: Sequence[int],
) -> Allocation:
    instructions, last_use = _live_instructions(instructions, results)
    kept = {
        *operands,
        *results,
        *[register for register in last_use if registers[register].is_constant],
    }
    names = _coalesced_copies(instructions, last_use, kept, set(results))
    find = names.get
    for index, each in enumerate(instructions):  # the last use of any register of a class
        for register in (*each.results, *each.uses):
            last_use[find(register, register)] = index
    places = {register: place for place, register in enumerate(dict.fromkeys([*operands, *kept]))}
    kept_count = len(places)
    allocated = [registers[register] for register in places]
    free: dict[tuple[str, int], list[int]] = {}
    renamed: list[Instruction] = []
    for index, each in enumerate(instructions):
        here: dict[int, int] = {}
        for result in each.results:
            name = find(result, result)
            if name not in places:
                register = registers[name]
                reusable = free.get((register.type, register.count))
                if reusable:
                    places[name] = reusable.pop()
                else:
                    places[name] = len(allocated)
                    allocated.append(register)
            here[result] = places[name]
        for register in each.uses:
            here[register] = places[find(register, register)]
        # Registers become free only after the results have registers, so no instruction overwrites its
        # operands.
        for register, place in here.items():
            if place >= kept_count and last_use[name := find(register, register)] == index:
                last_use[name] = -1
                free.setdefault((allocated[place].type, allocated[place].count), []).append(place)
        each.rename(here)
        if not _is_empty(each):
            renamed.append(each)
    return Allocation(renamed, allocated, places)


def _live_instructions(
    instructions: Sequence[Instruction], results: Sequence[int]
) -> tuple[list[Instruction], dict[int, int]]:
    """The instructions that the results depend on, and for each register the index of its last use."""
    live = set(results)
    found: list[Instruction] = []
    for each in reversed(instructions):
        if live.isdisjoint(each.results):
            continue
        if not each.is_partial:
            live.difference_update(each.results)
        live.update(each.uses)
        found.append(each)
    found.reverse()
    last_use: dict[int, int] = {}
    for index, each in enumerate(found):
        for register in each.uses:
            last_use[register] = index
    return found, last_use


def _coalesced_copies(
    instructions: Sequence[Instruction],
    last_use: dict[int, int],
    kept: Collection[int],
    results: Collection[int],
) -> dict[int, int]:
    """The new names of registers that copies coalesce: a source takes the name of its destination."""
    names: dict[int, int] = {}
    for index in range(len(instructions) - 1, -1, -1):
        each = instructions[index]
        if each.operation != COPY:
            continue
        (source,) = each.operands
        # Nothing writes a result after its copy, but other destinations may be written: there the copy must
        # be the last use of the source.
        is_safe = each.result in results or last_use[source] == index
        if is_safe and source not in kept and source not in names:
            names[source] = names.get(each.result, each.result)
    return names
