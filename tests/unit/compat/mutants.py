"""Mutants of portable artifacts that stay close to well-formed ones.

Changes of random bytes mostly break the container. So most changes are made where sections are lists of small
numbers: an index becomes another, two change places, an operation gets the name of another.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from hlokit import _bytecode

_SECTIONS = ("attr_type", "ir", "properties", "attr_type_offset", "dialect")
_WEIGHTS = (8, 6, 3, 1, 1)


def mutants(seeds: Sequence[bytes], chance: random.Random) -> Iterator[bytes]:
    """Yields mutants without end: each is a seed with one to six changes."""
    names = _operation_names(seeds)
    places = [_places(seed) for seed in seeds]
    while True:
        number = chance.randrange(len(seeds))
        mutant = bytearray(seeds[number])
        for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
            _change(mutant, places[number], names, chance)
        yield bytes(mutant)


def _places(data: bytes) -> dict[str, range]:
    sections = {section.name: section for section in _bytecode.Bytecode(data).sections}
    return {
        name: range(sections[name].offset, sections[name].offset + sections[name].size)
        for name in (*_SECTIONS, "string")
        if name in sections and sections[name].size
    }


def _operation_names(seeds: Sequence[bytes]) -> dict[int, list[bytes]]:
    """Names of operations in the table of strings, by length."""
    found: dict[int, set[bytes]] = {}
    for seed in seeds:
        for op in _bytecode.Bytecode(seed).op_names:
            name = b"\0" + op.name.encode() + b"\0"
            if op.dialect == "vhlo":
                found.setdefault(len(name), set()).add(name)
    return {size: sorted(names) for size, names in found.items()}


def _change(
    mutant: bytearray, places: dict[str, range], names: dict[int, list[bytes]], chance: random.Random
) -> None:
    kind = chance.randrange(12)
    if kind == 0:
        mutant[chance.randrange(len(mutant))] ^= 1 << chance.randrange(8)
        return
    if kind == 1:
        _rename(mutant, places["string"], names, chance)
        return
    sections = [name for name in _SECTIONS if name in places]
    weights = [_WEIGHTS[_SECTIONS.index(name)] for name in sections]
    place = places[chance.choices(sections, weights)[0]]
    position = chance.choice(place)
    if kind <= 3:
        mutant[position] = chance.randrange(256)
    elif kind <= 7:  # a number of one byte: its lowest bit is 1
        mutant[position] = 2 * chance.randrange(1 << chance.randrange(1, 8)) + 1
    elif kind <= 9:  # one more or less
        mutant[position] = (mutant[position] + chance.choice((-4, -2, 2, 4))) % 256
    else:
        length = chance.randrange(1, 5)
        other = chance.choice(place)
        if max(position, other) + length <= place.stop and abs(position - other) >= length:
            here, there = mutant[position : position + length], mutant[other : other + length]
            mutant[position : position + length], mutant[other : other + length] = there, here


def _rename(mutant: bytearray, strings: range, names: dict[int, list[bytes]], chance: random.Random) -> None:
    """Give an operation the name of another operation, of the same length."""
    sizes = list(names)
    chance.shuffle(sizes)
    for size in sizes:
        for name in chance.sample(names[size], len(names[size])):
            found = mutant.find(name, strings.start - 1, strings.stop)
            if found >= 0:
                mutant[found : found + size] = chance.choice(names[size])
                return
