"""Operations of two modules that correspond to each other, and places of one in the other."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (the bindings are partly untyped)

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from hlokit.mlir.bindings import ir
from hlokit.recording.places import Place

# Longer parts are not aligned by their order, but by their locations.
_MOST_ALIGNED = 4_000_000


def align(ours: Sequence[ir.Operation], theirs: Sequence[ir.Operation]) -> dict[int, int]:
    """Corresponding operations of two modules, by number: operations in the same order, and others with the
    same location."""
    one, other = [_signature(op) for op in ours], [_signature(op) for op in theirs]
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end] == other[-1 - end]:
        end += 1
    pairs = {number: number for number in range(start)}
    pairs.update((len(one) - 1 - n, len(other) - 1 - n) for n in range(end))
    a, b = one[start : len(one) - end], other[start : len(other) - end]
    if len(a) == len(b) and all(x[1] == y[1] for x, y in zip(a, b, strict=True)):
        # Operations with other names at the same positions: changed operations.
        pairs.update((start + n, start + n) for n in range(len(a)))
    elif len(a) * len(b) <= _MOST_ALIGNED:
        for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
            pairs.update((start + block.a + n, start + block.b + n) for n in range(block.size))
    else:
        pairs.update(_by_location(ours, theirs, range(start, len(one) - end), range(start, len(other) - end)))
    return pairs


def _signature(operation: ir.Operation) -> tuple[str, str]:
    return operation.name, " ".join([str(result.type) for result in operation.results])


def _by_location(
    ours: Sequence[ir.Operation], theirs: Sequence[ir.Operation], mine: range, others: range
) -> Iterator[tuple[int, int]]:
    where: dict[tuple[Any, ...], list[int]] = {}
    for number in others:
        where.setdefault((*_signature(theirs[number]), str(theirs[number].location)), []).append(number)
    for number in mine:
        found = where.get((*_signature(ours[number]), str(ours[number].location)))
        if found:
            yield number, found.pop(0)


def moved(place: Place, pairs: dict[int, int]) -> Place | None:
    """The corresponding place in the other program."""
    moved = list(place)
    for position in range(0, len(place), 2):
        number = pairs.get(place[position])
        if number is None:
            return None
        moved[position] = number
    return tuple(moved)
