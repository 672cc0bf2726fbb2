"""Between which processes of a grid a value may differ, and why.

Labels are a number for each process: processes with the same number have the same value.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

Labels = tuple[int, ...]
# Groups of processes, by their numbers in the grid.
Groups = tuple[tuple[int, ...], ...]


class Reason(IntEnum):
    """Why a value differs between processes; the greater reason counts."""

    ARGUMENT = 1
    DATA = 2
    ID = 3

    def __str__(self) -> str:
        return _REASONS[self]

    @property
    def is_sure(self) -> bool:
        """Whether the value does differ; a process's arguments may be those of all others."""
        return self is not Reason.ARGUMENT


_REASONS = {
    Reason.ARGUMENT: "an argument of the process",
    Reason.DATA: "the process's own data",
    Reason.ID: "the id of the process",
}


class Spread(NamedTuple):
    """The processes with other values than the rest, and the reason."""

    reason: Reason
    labels: Labels

    def joined(self, other: Spread) -> Spread:
        """That of a value which depends on two values."""
        return Spread(max(self.reason, other.reason), joined(self.labels, other.labels))

    def separates(self, group: Sequence[int]) -> bool:
        """Whether processes of a group may have other values than others of the group."""
        labels = self.labels
        return len({labels[process] if process < len(labels) else -process for process in group}) > 1


def numbered(keys: Iterable[Hashable]) -> Labels:
    """The labels of processes by what they have."""
    numbers: dict[Hashable, int] = {}
    return tuple([numbers.setdefault(key, len(numbers)) for key in keys])


@lru_cache(4096)
def joined(first: Labels, second: Labels) -> Labels:
    """The labels of processes that have the same of both values."""
    if len(first) != len(second):  # values of different grids
        return tuple(range(max(len(first), len(second))))
    return numbered(zip(first, second, strict=True))


def of_collective(groups: Groups, operand: Labels, *, is_equal: bool) -> Labels:
    """The labels of a collective's result, which depends on the operands of a group, in their order.

    Args:
      operand: labels of the operand.
      is_equal: whether all processes of a group get the same result.
    """
    keys: dict[int, Hashable] = {}
    for group in groups:
        operands = tuple([operand[process] for process in group])
        for position, process in enumerate(group):
            keys[process] = (operands, 0 if is_equal else position)
    return numbered(keys.get(process, (-1, process)) for process in range(len(operand)))


def of_permutation(pairs: Groups, operand: Labels) -> Labels:
    """The labels of what processes get from the sources of pairs; processes without a source get zeros."""
    sources = {target: source for source, target in pairs}
    return numbered(operand[sources[n]] if n in sources else -1 for n in range(len(operand)))
