"""What moved between two printed programs: lines that differ in more than the names of values.

A pass that adds an operation renames all values after it. A line stays the same if its text without names
does, and each of its values stands for the same value of the other program as in the lines before.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher

from hlokit.display.listing import VALUES, Listing

# Lines before one that tell it apart from others with the same text.
_CONTEXT = 8

# "equal" or what happened to lines of the first program, these lines, and those of the second one.
Change = tuple[str, int, int, int, int]


def grouped_changes(before: Listing, after: Listing, context: int) -> Iterator[Sequence[Change]]:
    """Changes with their neighbours, as `SequenceMatcher.get_grouped_opcodes` gives them."""
    keys = [("before", number) for number in range(len(before.lines))]
    others = [("after", number) for number in range(len(after.lines))]
    for line, other in _same_lines(before, after):
        others[other] = keys[line]
    return iter(SequenceMatcher(None, keys, others, autojunk=False).get_grouped_opcodes(context))


def _same_lines(before: Listing, after: Listing) -> Iterator[tuple[int, int]]:
    values: dict[int, int] = {}
    values_back: dict[int, int] = {}
    for line, other in _same_texts(
        *[list(map(_without_names, program.lines)) for program in (before, after)]
    ):
        pairs = zip(before.values_of_line[line], after.values_of_line[other], strict=True)
        if all([values.setdefault(a, b) == b and values_back.setdefault(b, a) == a for a, b in pairs]):
            yield line, other


def _same_texts(lines: list[str], others: list[str]) -> Iterator[tuple[int, int]]:
    """Corresponding lines: first those with the same lines before them, which are few, then those between."""
    line = other = 0
    for start, other_start, size in _blocks(_in_context(lines), _in_context(others)):
        gap, other_gap = lines[line:start], others[other:other_start]
        for first, other_first, length in _blocks(gap, other_gap):
            yield from _pairs(line + first, other + other_first, length)
        yield from _pairs(start, other_start, size)
        line, other = start + size, other_start + size


def _in_context(lines: list[str]) -> list[tuple[str, ...]]:
    return [tuple(lines[max(number - _CONTEXT, 0) : number + 1]) for number in range(len(lines))]


def _blocks(lines: Sequence[Hashable], others: Sequence[Hashable]) -> Sequence[tuple[int, int, int]]:
    return SequenceMatcher(None, lines, others, autojunk=False).get_matching_blocks()


def _pairs(line: int, other: int, count: int) -> Iterator[tuple[int, int]]:
    return zip(range(line, line + count), range(other, other + count), strict=True)


def _without_names(line: str) -> str:
    return VALUES.sub(lambda match: f"%{match[3] or ''}{match[4] or ''}" if match[1] else match[0], line)
