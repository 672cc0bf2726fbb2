"""Native programs without jumps: which registers may be one. `lines.share` finds that for any program."""

from __future__ import annotations

from collections.abc import Sequence

from hlokit.interpreter.lines import ASSIGN, BEGIN, Line, Register


def allot(
    lines: Sequence[Line], registers: Sequence[Register], kept: Sequence[int], results: Sequence[int]
) -> tuple[list[Line], list[Register], dict[int, int]]:
    """Lines without those that nothing needs, over few registers.

    Args:
      kept: registers that a run is given, or that are read after it: each stays one of its own.
      results: those of them that are read after the run. Each is assigned once, by one of the last lines.

    Returns:
      The lines, their registers, and the places of those that are kept.
    """
    lines, last = _needed(lines, results)
    roots = _joined(lines, last, set(kept), set(results))
    find = roots.get
    for index, line in enumerate(lines):  # of a class: when the last of its registers is read or written
        last[find(line.to, line.to)] = index
        for register in line.reads:
            last[find(register, register)] = index
    places = {register: place for place, register in enumerate(dict.fromkeys(kept))}
    fixed = len(places)
    found = [registers[register] for register in places]
    free: dict[tuple[str, int], list[int]] = {}
    written: list[Line] = []
    for index, line in enumerate(lines):
        root = find(line.to, line.to)
        if root not in places:
            register = registers[root]
            others = free.get((register.type, register.count))
            if others:
                places[root] = others.pop()
            else:
                places[root] = len(found)
                found.append(register)
        here = {line.to: places[root]}
        for register in line.reads:
            here[register] = places[find(register, register)]
        # Only now, so that no line writes what it reads.
        for register, place in here.items():
            if place >= fixed and last[root := find(register, register)] == index:
                last[root] = -1
                free.setdefault((found[place].type, found[place].count), []).append(place)
        is_nothing = line.operation == BEGIN or (
            line.operation == ASSIGN and here[line.operands[0]] == here[line.to]
        )
        if not is_nothing:
            line.place(here)
            written.append(line)
    return written, found, places


def _needed(lines: Sequence[Line], results: Sequence[int]) -> tuple[list[Line], dict[int, int]]:
    """The lines that something needs, and for each register the last one that reads it."""
    needed = set(results)
    found: list[Line] = []
    for line in reversed(lines):
        if line.to not in needed:
            continue
        if not line.keeps:
            needed.discard(line.to)
        needed.update(line.reads)
        found.append(line)
    found.reverse()
    last: dict[int, int] = {}
    for index, line in enumerate(found):
        for register in line.reads:
            last[register] = index
    return found, last


def _joined(lines: Sequence[Line], last: dict[int, int], kept: set[int], results: set[int]) -> dict[int, int]:
    """Registers that are one with another, which stands for them: what is assigned, with what it becomes."""
    roots: dict[int, int] = {}
    for index in range(len(lines) - 1, -1, -1):
        line = lines[index]
        if line.operation != ASSIGN:
            continue
        (value,) = line.operands
        # A result is written no more; another copy may be, so nothing may need the original.
        if value not in kept and value not in roots and (line.to in results or last[value] == index):
            roots[value] = roots.get(line.to, line.to)
    return roots
