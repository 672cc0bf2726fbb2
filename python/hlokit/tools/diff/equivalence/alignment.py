"""Finds corresponding operations of two modules, and the counterparts of places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from hlokit.tools.recording.places import Operations, Place

# Parts with more operations are aligned by locations only, not by order.
_MOST_ALIGNED = 4_000_000

Signature = tuple[str, ...]


def align(ours: Operations, theirs: Operations) -> dict[int, int]:
    """Corresponding operations of two modules, by number: operations with the same source locations in the
    same order, and between these, operations in the same order."""
    located = list(_signatures(ours, "one")), list(_signatures(theirs, "other"))
    pairs = _in_order(*located, is_exact=True)
    one, other = [signature[:2] for signature in located[0]], [signature[:2] for signature in located[1]]
    for mine, its in _gaps(pairs, len(one), len(other)):
        between = _in_order(one[mine.start : mine.stop], other[its.start : its.stop])
        pairs.update((mine.start + a, its.start + b) for a, b in between.items())
    return pairs


def sure_pairs(ours: Operations, theirs: Operations, pairs: dict[int, int]) -> frozenset[int]:
    """The operations of the first module that certainly correspond to the others: by their locations, or
    because the modules have the same structure."""
    count = len(ours.all)
    if count == len(theirs.all) and all(pairs.get(number) == number for number in range(count)):
        return frozenset(pairs)
    sure: set[int] = set()
    for number, there in pairs.items():
        location = ours.location(number)
        if _is_known(location) and location == theirs.location(there):
            sure.add(number)
    return frozenset(sure)


def _signatures(operations: Operations, side: str) -> Iterator[Signature]:
    """Name, types and location of each operation; unknown locations become unique."""
    for number, operation in enumerate(operations.all):
        types = " ".join([str(result.type) for result in operation.results])
        location = operations.location(number)
        yield operation.name, types, location if _is_known(location) else f"{number} of {side}"


def _is_known(location: str) -> bool:
    """Whether the location is a position in a source file, and not only in the text of a program without a
    file."""
    return location != "loc(unknown)" and '"-":' not in location


def _in_order(
    one: Sequence[Signature], other: Sequence[Signature], *, is_exact: bool = False
) -> dict[int, int]:
    """Equal signatures in the same order.

    Args:
      is_exact: signatures have locations; otherwise also operations with other names at the same positions
        correspond to each other: changed operations.
    """
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end] == other[-1 - end]:
        end += 1
    pairs = {number: number for number in range(start)}
    pairs.update((len(one) - 1 - n, len(other) - 1 - n) for n in range(end))
    a, b = one[start : len(one) - end], other[start : len(other) - end]
    if not is_exact and len(a) == len(b) and all(x[1] == y[1] for x, y in zip(a, b, strict=True)):
        pairs.update((start + n, start + n) for n in range(len(a)))
    elif len(a) * len(b) <= _MOST_ALIGNED:
        for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
            pairs.update((start + block.a + n, start + block.b + n) for n in range(block.size))
    elif is_exact:
        pairs.update((start + x, start + y) for x, y in _once_each(a, b))
    return pairs


def _once_each(one: Sequence[Signature], other: Sequence[Signature]) -> Iterator[tuple[int, int]]:
    """Positions of equal signatures, the first with the first."""
    where: dict[Signature, list[int]] = {}
    for number, signature in enumerate(other):
        where.setdefault(signature, []).append(number)
    for number, signature in enumerate(one):
        positions = where.get(signature)
        if positions:
            yield number, positions.pop(0)


def _gaps(pairs: dict[int, int], one: int, other: int) -> Iterator[tuple[range, range]]:
    """The parts between corresponding operations that are in the same order."""
    before = last = -1
    for number, there in (*sorted(pairs.items()), (one, other)):
        if there <= last:
            continue  # only its location identifies the operation
        if number - before > 1 and there - last > 1:
            yield range(before + 1, number), range(last + 1, there)
        before, last = number, there


def moved(place: Place, pairs: dict[int, int]) -> Place | None:
    """The corresponding place in the other program."""
    moved = list(place)
    for position in range(0, len(place), 2):
        number = pairs.get(place[position])
        if number is None:
            return None
        moved[position] = number
    return tuple(moved)
