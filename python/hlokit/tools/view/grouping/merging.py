"""Runs of operations with one key, put together where that makes no circle."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import TypeVar

K = TypeVar("K")
# Each attempt walks through the runs: more runs stay as they are.
_MOST_RUNS = 300


def merged(keys: Sequence[K | None], edges: Sequence[set[int]]) -> list[list[int]]:
    """The runs of each unit, so that no unit reads a later one. Runs with the same key are a unit if no path
    between them leads through others.

    Args:
      keys: of each run; a run without a key stays alone.
      edges: for each run, the runs that read its results.
    """
    units = [[run] for run in range(len(keys))]
    if len(keys) > _MOST_RUNS:
        return units
    readers = [set(after) for after in edges]
    first: dict[K, int] = {}
    for run, key in enumerate(keys):
        if key is None:
            continue
        unit = first.setdefault(key, run)
        if unit == run:
            continue
        if _meets(readers, unit, run) or _meets(readers, run, unit):
            first[key] = run  # later runs may join this one
            continue
        units[unit] += units[run]
        units[run] = []
        readers[unit] = (readers[unit] | readers[run]) - {unit, run}
        for after in readers:
            if run in after:
                after.discard(run)
                after.add(unit)
        readers[unit].discard(unit)
        readers[run] = set()
    return [units[unit] for unit in _in_order(units, readers)]


def _in_order(units: Sequence[Sequence[int]], readers: Sequence[set[int]]) -> list[int]:
    """The numbers of units that have runs, readers after what they read, else as in the program."""
    waiting = [0] * len(units)
    for after in readers:
        for unit in after:
            waiting[unit] += 1
    ready = [number for number, runs in enumerate(units) if runs and not waiting[number]]
    order: list[int] = []
    while ready:
        unit = heappop(ready)
        order.append(unit)
        for after in readers[unit]:
            waiting[after] -= 1
            if not waiting[after]:
                heappush(ready, after)
    return order


def _meets(readers: Sequence[set[int]], start: int, end: int) -> bool:
    """Whether a path of several edges leads from a run to another."""
    waiting = [run for run in readers[start] if run != end]
    seen = set(waiting)
    while waiting:
        for after in readers[waiting.pop()]:
            if after == end:
                return True
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return False
