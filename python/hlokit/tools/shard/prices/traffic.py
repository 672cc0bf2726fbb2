"""What collectives cost: the bytes and the time of each device, and what `lint` knows about their groups.

Bytes are those of ring algorithms, which send the fewest: a ring all-gather or reduce-scatter of n devices
sends (n - 1) pieces; an all-reduce is both. Times are those of the alpha-beta model: a message takes latency
+ bytes / bandwidth. With n devices in a group and m bytes on each (for an all-gather: in each piece), a ring
takes

    all_reduce        2 (n - 1) (latency + m / n / bandwidth)
    reduce_scatter    (n - 1) (latency + m / n / bandwidth)
    all_gather        (n - 1) (latency + m / bandwidth)
    all_to_all        (n - 1) (latency + m / n / bandwidth)

and a tree, for collectives with a tree algorithm,

    all_reduce        2 ceil(log2 n) (latency + m / bandwidth)
    all_gather        ceil(log2 n) latency + (n - 1) m / bandwidth      (recursive doubling)
    reduce_scatter    ceil(log2 n) latency + (n - 1) / n m / bandwidth  (recursive halving)
    broadcast         ceil(log2 n) (latency + m / bandwidth)

Source: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH" (2005).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from hlokit.engine.contract.process_groups import GroupMode


class Link(Protocol):
    """The link between two devices: seconds until the first byte arrives, and bytes per second."""

    @property
    def latency(self) -> float: ...

    @property
    def bandwidth(self) -> float: ...


# The bytes of a device, from the bytes of its operands, the devices of its group, and its place in it.
Bytes = Callable[[int, tuple[int, ...], int], int]
# The seconds of a collective, from the bytes of a device's operands, the number of devices, and the link.
Seconds = Callable[[int, int, Link], float]


class Traffic(NamedTuple):
    """The price of a collective, and its groups.

    Attributes:
      sent, received: the bytes of a device.
      ring, tree: the seconds by each algorithm.
      mode_of_channels: the meaning of `replica_groups` if the operation has a channel.
      covers_all: whether the groups must name every process.
      gives_equal_results: whether all processes of a group get the same result.
    """

    sent: Bytes
    received: Bytes
    ring: Seconds
    tree: Seconds
    mode_of_channels: GroupMode
    covers_all: bool
    gives_equal_results: bool


# Bytes ----------------------------------------------------------------------------------------------


def _bytes_of_pieces(size: int, group: tuple[int, ...], position: int) -> int:
    """All pieces of the operand but one."""
    del position
    return size * (len(group) - 1) // len(group)


def _bytes_of_operands(size: int, group: tuple[int, ...], position: int) -> int:
    """The operands of all other devices."""
    del position
    return size * (len(group) - 1)


def _bytes_of_sums(size: int, group: tuple[int, ...], position: int) -> int:
    """All pieces of the operand but one, twice: first to add them, then to gather the sums."""
    del position
    return 2 * size * (len(group) - 1) // len(group)


def _on_to_the_next(size: int, group: tuple[int, ...], position: int) -> int:
    return size if position < len(group) - 1 else 0


def _from_the_source(size: int, group: tuple[int, ...], position: int) -> int:
    return size if group[position] != group[0] else 0


def _to_the_target(size: int, group: tuple[int, ...], position: int) -> int:
    """A group is a pair: source, target."""
    return size if position == 0 and group[0] != group[-1] else 0


# Seconds --------------------------------------------------------------------------------------------


def _depth(count: int) -> int:
    """ceil(log2(count))"""
    return (count - 1).bit_length()


def _one_message(size: int, count: int, link: Link) -> float:
    del count
    return link.latency + size / link.bandwidth


def _ring_of_pieces(size: int, count: int, link: Link) -> float:
    return (count - 1) * (link.latency + size / count / link.bandwidth)


def _ring_of_sums(size: int, count: int, link: Link) -> float:
    return 2 * (count - 1) * (link.latency + size / count / link.bandwidth)


def _ring_of_operands(size: int, count: int, link: Link) -> float:
    return (count - 1) * (link.latency + size / link.bandwidth)


def _tree(size: int, count: int, link: Link) -> float:
    return _depth(count) * (link.latency + size / link.bandwidth)


def _tree_of_sums(size: int, count: int, link: Link) -> float:
    return 2 * _depth(count) * (link.latency + size / link.bandwidth)


def _doubling(size: int, count: int, link: Link) -> float:
    return _depth(count) * link.latency + (count - 1) * size / link.bandwidth


def _halving(size: int, count: int, link: Link) -> float:
    return _depth(count) * link.latency + (count - 1) / count * size / link.bandwidth


def _tree_of_halves(size: int, count: int, link: Link) -> float:
    return _depth(count) * (link.latency + size / 2 / link.bandwidth)


# Collectives ----------------------------------------------------------------------------------------

ALL_REDUCE = Traffic(
    sent=_bytes_of_sums,
    received=_bytes_of_sums,
    ring=_ring_of_sums,
    tree=_tree_of_sums,
    mode_of_channels=GroupMode.CROSS_REPLICA_AND_PARTITION,
    covers_all=True,
    gives_equal_results=True,
)
# It has no channel.
CROSS_REPLICA_SUM = ALL_REDUCE._replace(mode_of_channels=GroupMode.CROSS_PARTITION, gives_equal_results=False)
# The bytes are those of an all-reduce, although only one device needs the sum.
COLLECTIVE_REDUCE = Traffic(
    sent=_bytes_of_sums,
    received=_bytes_of_sums,
    ring=_ring_of_pieces,
    tree=_tree,
    mode_of_channels=GroupMode.CROSS_PARTITION,
    covers_all=False,
    gives_equal_results=False,
)
REDUCE_SCATTER = Traffic(
    sent=_bytes_of_pieces,
    received=_bytes_of_pieces,
    ring=_ring_of_pieces,
    tree=_halving,
    mode_of_channels=GroupMode.CROSS_REPLICA_AND_PARTITION,
    covers_all=True,
    gives_equal_results=False,
)
ALL_GATHER = Traffic(
    sent=_bytes_of_operands,
    received=_bytes_of_operands,
    ring=_ring_of_operands,
    tree=_doubling,
    mode_of_channels=GroupMode.CROSS_REPLICA_AND_PARTITION,
    covers_all=True,
    gives_equal_results=True,
)
ALL_TO_ALL = Traffic(
    sent=_bytes_of_pieces,
    received=_bytes_of_pieces,
    ring=_ring_of_pieces,
    tree=_tree_of_halves,
    mode_of_channels=GroupMode.CROSS_PARTITION,
    covers_all=True,
    gives_equal_results=False,
)
BROADCAST = Traffic(
    sent=_on_to_the_next,
    received=_from_the_source,
    ring=_ring_of_operands,
    tree=_tree,
    mode_of_channels=GroupMode.CROSS_PARTITION,
    covers_all=False,
    gives_equal_results=True,
)
PERMUTE = Traffic(
    sent=_to_the_target,
    received=_from_the_source,
    ring=_one_message,
    tree=_one_message,
    mode_of_channels=GroupMode.CROSS_PARTITION,
    covers_all=False,
    gives_equal_results=False,
)
