"""The bytes that a device sends and receives in a collective, by ring algorithms, which send the fewest
bytes.

A ring all-gather or reduce-scatter of n devices sends (n - 1) pieces; an all-reduce is both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hlokit.engine.contract.process_groups import GroupMode

# The bytes of a device, from the bytes of its operands, the devices of its group, and its place in it.
Bytes = Callable[[int, tuple[int, ...], int], int]


class Traffic(NamedTuple):
    """The price of a collective.

    Attributes:
      sent, received: the bytes of a device.
      mode_of_channels: the meaning of `replica_groups` if the operation has a channel.
    """

    sent: Bytes
    received: Bytes
    mode_of_channels: GroupMode


def _of_pieces(size: int, group: tuple[int, ...], place: int) -> int:
    """All pieces of the operand but one."""
    del place
    return size * (len(group) - 1) // len(group)


def _of_operands(size: int, group: tuple[int, ...], place: int) -> int:
    """The operands of all other devices."""
    del place
    return size * (len(group) - 1)


def _of_sums(size: int, group: tuple[int, ...], place: int) -> int:
    """All pieces of the operand but one, twice: first to add them, then to gather the sums."""
    del place
    return 2 * size * (len(group) - 1) // len(group)


def _on_to_the_next(size: int, group: tuple[int, ...], place: int) -> int:
    return size if place < len(group) - 1 else 0


def _from_the_source(size: int, group: tuple[int, ...], place: int) -> int:
    return size if group[place] != group[0] else 0


def _to_the_target(size: int, group: tuple[int, ...], place: int) -> int:
    """A group is a pair: source, target."""
    return size if place == 0 and group[0] != group[-1] else 0


ALL_REDUCE = Traffic(_of_sums, _of_sums, GroupMode.CROSS_REPLICA_AND_PARTITION)
# Priced as an all-reduce, although only one device needs the sum.
COLLECTIVE_REDUCE = Traffic(_of_sums, _of_sums, GroupMode.CROSS_PARTITION)
# It has no channel.
CROSS_REPLICA_SUM = Traffic(_of_sums, _of_sums, GroupMode.CROSS_PARTITION)
REDUCE_SCATTER = Traffic(_of_pieces, _of_pieces, GroupMode.CROSS_REPLICA_AND_PARTITION)
ALL_GATHER = Traffic(_of_operands, _of_operands, GroupMode.CROSS_REPLICA_AND_PARTITION)
ALL_TO_ALL = Traffic(_of_pieces, _of_pieces, GroupMode.CROSS_PARTITION)
BROADCAST = Traffic(_on_to_the_next, _from_the_source, GroupMode.CROSS_PARTITION)
PERMUTE = Traffic(_to_the_target, _from_the_source, GroupMode.CROSS_PARTITION)
