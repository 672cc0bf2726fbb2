"""The turns of unrolled loops: keys that repeat in the order of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hlokit.tools.view.grouping.paths import Key

# The first keys that repeat are tried as the beginning of a turn.
_MOST_TRIED = 12
# Branches and constants make the turns of a loop differ. Scopes repeat without a loop, too.
_ALIKE_LINES = 0.5


class Passes(NamedTuple):
    """The turns of a loop among units: turn n has the units from `starts[n]` to `starts[n + 1]`, the last one
    to `end`."""

    starts: tuple[int, ...]
    end: int

    def ranges(self) -> list[range]:
        return [range(*pair) for pair in zip(self.starts, (*self.starts[1:], self.end), strict=True)]


def passes_of(keys: Sequence[Key | None]) -> Passes | None:
    """The turns of the loop that covers the most units; None if no keys repeat so."""
    positions: dict[Key, list[int]] = {}
    for position, key in enumerate(keys):
        if key is not None:
            positions.setdefault(key, []).append(position)
    repeated = [starts for starts in positions.values() if len(starts) > 1]
    best: Passes | None = None
    most = 0.0
    for starts in repeated[:_MOST_TRIED]:
        passes = _cut(keys, starts)
        score = _alike(keys, passes) * (passes.end - passes.starts[0])
        if score > most:
            best, most = passes, score
    return best


def _cut(keys: Sequence[Key | None], starts: Sequence[int]) -> Passes:
    """The turns that begin at these units; the last one ends with the last key that others have, too."""
    before = {keys[position] for position in range(starts[0], starts[-1])}
    end = 1 + max(position for position in range(starts[-1], len(keys)) if keys[position] in before)
    return Passes(tuple(starts), end)


def _alike(keys: Sequence[Key | None], passes: Passes) -> float:
    """The part of the keys that all turns have; 0 if these are no turns of a loop."""
    sets = [{keys[position] for position in turn} for turn in passes.ranges()]
    if len(sets) > 2:  # the program may not need all of the last turn
        sets.pop()
    common = sets[0].intersection(*sets[1:])
    alike = len(common) / max(map(len, sets))
    has_lines = all(key is not None and key.line for key in common)
    return alike if len(common) > 1 and alike >= (_ALIKE_LINES if has_lines else 1) else 0.0
