"""Programs of the native `Loop` while they are being written: lines over any number of registers.

`assembler.py` writes each result into a register of its own and copies values between them as the program
asks for. `share` then finds registers that may be one, so that most copies go and few arrays are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hlokit.interpreter.machine import COPY, Instruction, instruction, operation

# Instructions of the machine.
JUMP, JUMP_IF, JUMP_IF_NOT, MOVE, READ_WINDOWS, WRITE_WINDOWS, REDUCE, DOT = range(-1, -9, -1)
# Lines that are no instructions: a register gets the value of another; a register's parts are written next.
ASSIGN, BEGIN = -100, -101

SCALAR = -1


@dataclass(frozen=True, slots=True)
class Register:
    """What a register holds: a scalar or `count` elements.

    Attributes:
      is_outside: an array that a run is given.
      is_constant: nothing writes it.
    """

    type: str
    count: int
    is_outside: bool = False
    is_constant: bool = False


@dataclass(slots=True)
class Line:
    """An instruction to be.

    Attributes:
      to: register that it writes, or the index of the line that it jumps to.
      operands: registers that it reads.
      numbers: for instructions on arrays; `places` are those that are registers.
      keeps: what it does not write of `to` stays.
      is_apart: must write none of what it reads.
      depth: of loops around it.
      work: elements that it takes.
    """

    operation: int
    to: int
    operands: tuple[int, ...] = ()
    numbers: list[int] | None = None
    places: tuple[int, ...] = ()
    keeps: bool = False
    is_apart: bool = False
    depth: int = 0
    work: int = 0

    @property
    def is_jump(self) -> bool:
        return JUMP_IF_NOT <= self.operation <= JUMP

    @property
    def reads(self) -> Iterable[int]:
        if self.numbers is None or not self.places:
            return self.operands
        return (*self.operands, *[self.numbers[place] for place in self.places])

    def place(self, places: dict[int, int] | Sequence[int]) -> None:
        """Give its registers other numbers."""
        if not self.is_jump:
            self.to = places[self.to]
        self.operands = tuple([places[operand] for operand in self.operands])
        if self.numbers is not None:
            for place in self.places:
                self.numbers[place] = places[self.numbers[place]]


def live_after(lines: Sequence[Line], at_end: int) -> list[int]:
    """For each line the registers whose values are needed later, as bits; `at_end` are needed at the end.

    What is read only to compute what nothing needs is not needed.
    """
    count = len(lines)
    uses: list[int] = []
    keeps: list[int] = []  # all bits but that of what is overwritten
    for line in lines:
        bits = 0
        for register in line.reads:
            bits |= 1 << register
        if line.is_jump:
            keeps.append(-1)
        else:
            bits |= (1 << line.to) if line.keeps else 0
            keeps.append(~(1 << line.to))
        uses.append(bits)
    before = [0] * count + [at_end]
    after = [0] * count
    changed = True
    while changed:
        changed = False
        for index in range(count - 1, -1, -1):
            line = lines[index]
            if not line.is_jump:
                live = before[index + 1]
            elif line.operation == JUMP:
                live = before[line.to]
            else:
                live = before[index + 1] | before[line.to]
            after[index] = live
            if line.is_jump or live >> line.to & 1:
                live = (live & keeps[index]) | uses[index]
            if live != before[index]:
                before[index] = live
                changed = True
    return after


def without(lines: Sequence[Line], dropped: Sequence[bool]) -> list[Line]:
    """The lines but for some; jumps lead to what is left."""
    places: list[int] = []
    kept: list[Line] = []
    for line, drop in zip(lines, dropped, strict=True):
        places.append(len(kept))
        if not drop:
            kept.append(line)
    places.append(len(kept))
    for line in kept:
        if line.is_jump:
            line.to = places[line.to]
    return kept


def share(
    lines: list[Line], registers: Sequence[Register], given: Sequence[int], results: Sequence[int]
) -> list[Line]:
    """The lines without those that nothing needs, over fewer registers.

    Args:
      given: registers that hold values when the program starts; they stay what they are.
      results: those whose values are needed when it ends.
    """
    at_end = 0
    for register in results:
        at_end |= 1 << register
    after = live_after(lines, at_end)
    dead = [not line.is_jump and not live >> line.to & 1 for line, live in zip(lines, after, strict=True)]
    lines = without(lines, dead)
    after = [live for live, is_dead in zip(after, dead, strict=True) if not is_dead]
    classes = _Classes(registers, lines, after, given)
    for line in sorted((line for line in lines if line.operation == ASSIGN), key=lambda line: -line.depth):
        classes.join(line.to, line.operands[0])
    classes.pack()
    found = [classes.find(register) for register in range(len(registers))]
    for line in lines:
        line.place(found)
    return without(
        lines,
        [
            line.operation == BEGIN or (line.operation == ASSIGN and line.to == line.operands[0])
            for line in lines
        ],
    )


class _Classes:
    """Registers that are one."""

    def __init__(
        self, registers: Sequence[Register], lines: Sequence[Line], after: Sequence[int], given: Sequence[int]
    ) -> None:
        self._registers = registers
        self._parent = list(range(len(registers)))
        self._members = [1 << register for register in range(len(registers))]
        # Those whose values are needed when a register is written; and for arrays also what a line reads.
        self._conflicts = [0] * len(registers)
        self._reads = [0] * len(registers)
        self._is_used = [False] * len(registers)
        self._given = frozenset(given)
        at_start = sum(1 << register for register in self._given)
        for register in self._given:
            self._conflicts[register] = at_start & ~(1 << register)
        for line, live in zip(lines, after, strict=True):
            if line.is_jump:
                continue
            reads = 0
            for register in line.reads:
                reads |= 1 << register
            conflicts = live | reads if line.is_apart else live
            if line.operation == ASSIGN:
                conflicts &= ~reads
            own = ~(1 << line.to)
            self._conflicts[line.to] |= conflicts & own
            self._reads[line.to] |= reads & own
            self._is_used[line.to] = True

    def find(self, register: int) -> int:
        """The register that stands for its class."""
        while self._parent[register] != register:
            register = self._parent[register]
        return register

    def join(self, one: int, two: int) -> None:
        """Make two registers one, if they can be."""
        one, two = self.find(one), self.find(two)
        left, right = self._registers[one], self._registers[two]
        if one == two or (left.type, left.count) != (right.type, right.count):
            return
        if left.is_constant or right.is_constant or self._conflict(one, two):
            return
        if one in self._given:
            self._merge(two, one)
        else:
            self._merge(one, two)

    def _conflict(self, one: int, two: int) -> bool:
        return bool(self._conflicts[one] & self._members[two] or self._conflicts[two] & self._members[one])

    def _merge(self, one: int, into: int) -> None:
        self._parent[one] = into
        self._members[into] |= self._members[one]
        self._conflicts[into] |= self._conflicts[one]
        self._reads[into] |= self._reads[one]

    def pack(self) -> None:
        """Let arrays share memory whose values are never needed at the same time."""
        kept: dict[tuple[str, int], list[int]] = {}
        for number, register in enumerate(self._registers):
            is_free = not register.is_outside and not register.is_constant and register.count != SCALAR
            if not is_free or not self._is_used[number] or self.find(number) != number:
                continue
            others = kept.setdefault((register.type, register.count), [])
            for other in others:
                if (
                    not self._conflict(number, other)
                    and not self._reads[number] & self._members[other]
                    and not self._reads[other] & self._members[number]
                ):
                    self._merge(number, other)
                    break
            else:
                others.append(number)


class Code(NamedTuple):
    """What `hlokit._native.Loop` takes."""

    types: list[str]
    code: list[Instruction]
    counts: list[int]
    numbers: list[list[int]]


def encode(lines: Sequence[Line], registers: Sequence[Register]) -> Code:
    """The program that the lines are."""
    code: list[Instruction] = []
    numbers: list[list[int]] = []
    for line in lines:
        operands = line.operands
        if line.is_jump:
            pred = operands[0] if operands else 0
            code.append((line.operation, line.to, pred, pred, pred))
        elif line.operation == ASSIGN:
            register = registers[line.to]
            if register.count == SCALAR:
                code.append(instruction(operation(COPY, register.type, register.type), line.to, [*operands]))
            else:
                code.append((MOVE, line.to, operands[0], len(numbers), 0))
                numbers.append([1, register.count, 0, 1, 0, 1])
        elif line.numbers is None:
            code.append(instruction(line.operation, line.to, [*operands]))
        else:
            b, c = (operands[1], len(numbers)) if line.operation in (REDUCE, DOT) else (len(numbers), 0)
            code.append((line.operation, line.to, operands[0], b, c))
            numbers.append(line.numbers)
    return Code([r.type for r in registers], code, [r.count for r in registers], numbers)
