"""Blocks of which one has one operation more: the operation that was left out, or added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hlokit.mlir.provider.bindings import ir

# The number of places that are tried, where several operations in a row are alike.
_MOST_PLACES = 64


class Gap(NamedTuple):
    """One operation that only one of two blocks has.

    Attributes:
      position: where it is in the longer block.
      is_left_out: whether the second block lacks it; otherwise the first one does.
    """

    position: int
    is_left_out: bool


def find_gap(
    mine: Sequence[ir.Operation], its: Sequence[ir.Operation], values: Mapping[ir.Value, ir.Value]
) -> Gap | None:
    """The operation without which two blocks have the same operations; None if there is none.

    Args:
      values: values of the second program in the first.
    """
    if abs(len(mine) - len(its)) != 1:
        return None
    is_left_out = len(mine) > len(its)
    longer, shorter = (mine, its) if is_left_out else (its, mine)
    start = 0
    while start < len(shorter) and _are_alike(longer[start], shorter[start]):
        start += 1
    end = 0
    while end < len(shorter) and _are_alike(longer[-1 - end], shorter[-1 - end]):
        end += 1
    places = [
        position for position in range(len(longer)) if position <= start and len(shorter) - position <= end
    ]
    if not places:
        return None
    gaps = [Gap(position, is_left_out) for position in places[-_MOST_PLACES:]]
    return min(gaps, key=lambda gap: _other_operands(gap, mine, its, values))


def _are_alike(one: ir.Operation, other: ir.Operation) -> bool:
    return (
        one.name == other.name
        and len(one.operands) == len(other.operands)
        and len(one.regions) == len(other.regions)
        and [str(result.type) for result in one.results] == [str(result.type) for result in other.results]
    )


def _other_operands(
    gap: Gap,
    mine: Sequence[ir.Operation],
    its: Sequence[ir.Operation],
    values: Mapping[ir.Value, ir.Value],
) -> int:
    """The number of operands with other sources, if the blocks correspond but for the gap.

    What the second block reads first instead of an operation that was left out is no other source.
    """
    here, there = list(mine), list(its)
    extra = (here if gap.is_left_out else there).pop(gap.position)
    counterparts = dict(values)
    instead: dict[ir.Value, ir.Value] = {}
    count = 0
    for one, other in zip(here, there, strict=True):
        for read, its_read in zip(one.operands, other.operands, strict=True):
            counterpart = counterparts.get(its_read)
            if counterpart is None:
                count += 1
            elif gap.is_left_out and read in list(extra.results):
                count += counterpart != instead.setdefault(read, counterpart)
            else:
                count += counterpart != read
        counterparts.update(zip(other.results, one.results, strict=True))
    return count
