"""The collectives of a program: kind, groups, and the bytes that each device sends and receives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from hlokit.engine.contract.process_groups import GroupMode, ReplicaGroups
from hlokit.engine.plan.locations import source_position, source_text
from hlokit.errors import EvaluationError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.dimension_numbers import ChannelHandle
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import functions, in_file, location_of
from hlokit.operations.cards import card_of
from hlokit.operations.cards.card import Without
from hlokit.operations.lookup import traits_of
from hlokit.tools.shard.cost_model.costs import trip_count
from hlokit.tools.shard.prices.flops import size_of
from hlokit.tools.shard.prices.traffic import Bytes, Traffic

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Collective:
    """A collective operation of a program that all devices run.

    Attributes:
      kind: `all_reduce`, `all_gather`, ...
      groups: groups of devices; for a `collective_permute`, (source, target) pairs.
      bytes: bytes of the operands of one device.
      result_bytes: bytes of the results of one device.
      runs: the number of runs in one run of the program; a loop with an unknown trip count counts as one
        iteration.
      location: location in MLIR's syntax.
      channel: channel id; 0 if there is none.
    """

    kind: str
    groups: Groups
    bytes: int
    result_bytes: int
    runs: int
    location: str
    channel: int

    @property
    def line(self) -> str:
        """File and line of the source; the name in the location if the location has no line."""
        position = source_position(self.location)
        if position is not None:
            return f"{position[0]}:{position[1]}"
        return source_text(self.location) or "unknown line"

    @property
    def group_size(self) -> int:
        return max((len(group) for group in self.groups), default=1)

    @cached_property
    def sent(self) -> dict[int, int]:
        """Bytes that each device sends in one run of the operation."""
        return self._sums(self._traffic.sent)

    @cached_property
    def received(self) -> dict[int, int]:
        """Bytes that each device receives."""
        return self._sums(self._traffic.received)

    @property
    def _traffic(self) -> Traffic:
        return traffic_of(self.kind)

    def _sums(self, bytes_of: Bytes) -> dict[int, int]:
        sums: dict[int, int] = {}
        for group in self.groups:
            for position, device in enumerate(group):
                sums[device] = sums.get(device, 0) + bytes_of(self.bytes, group, position)
        return sums

    def total(self, device: int) -> int:
        """Bytes that a device sends in a run of the program."""
        return self.runs * self.sent.get(device, 0)


def collectives_of(
    module: ir.Module, entry: ir.Operation, grid: tuple[int, int], filename: str = "-"
) -> list[Collective]:
    """The collectives that a run reaches, in order of the program.

    Args:
      grid: replicas and partitions.
      filename: the program's file name in locations.
    """
    return [collective for _, collective in collective_operations(module, entry, grid, filename)]


def collective_operations(
    module: ir.Module, entry: ir.Operation, grid: tuple[int, int], filename: str = "-"
) -> list[tuple[ir.Operation, Collective]]:
    """As `collectives_of`, together with the operations."""
    collectives = _in_block(entry.regions[0].blocks[0], functions(module), grid, 1, ())
    return [
        (operation, replace(collective, location=in_file(collective.location, filename)))
        for operation, collective in collectives
    ]


def _in_block(
    block: ir.Block,
    by_name: dict[str, ir.Operation],
    grid: tuple[int, int],
    runs: int,
    callers: tuple[str, ...],
) -> Iterator[tuple[ir.Operation, Collective]]:
    for view in block.operations:
        operation = view.operation
        if traits_of(operation.name).collective:
            yield operation, read_collective(operation, grid, runs)
        elif operation.name == "func.call":
            callee = operation.attributes["callee"].value
            if callee in by_name and callee not in callers:
                inner = by_name[callee].regions[0].blocks[0]
                yield from _in_block(inner, by_name, grid, runs, (*callers, callee))
        elif len(operation.regions):
            often = runs * (trip_count(operation) or 1) if operation.name == "stablehlo.while" else runs
            for region in operation.regions:
                for inner in region.blocks:
                    yield from _in_block(inner, by_name, grid, often, callers)


def traffic_of(kind: str) -> Traffic:
    """The price of a collective: `all_reduce`, ..."""
    card = card_of(f"stablehlo.{kind}")
    assert card is not None and not isinstance(card.traffic, Without), "the card of a collective has a price"
    return card.traffic


def channel_of(operation: ir.Operation) -> int:
    """`channel_id` of a collective, 0 if it has none."""
    attributes = Attributes(operation)
    if "channel_handle" in attributes:
        return attributes.read("channel_handle", ChannelHandle.read).handle
    return attributes.int_("channel_id", 0)


def groups_of(operation: ir.Operation) -> ReplicaGroups:
    """The groups of ids of a collective, and the meaning of the ids."""
    attributes = Attributes(operation)
    channel = channel_of(operation)
    if "use_global_device_ids" in attributes:
        mode = GroupMode.FLATTENED_IDS
    elif channel == 0:
        mode = GroupMode.CROSS_REPLICA
    else:
        mode = traffic_of(operation.name.partition(".")[2]).mode_of_channels
    if operation.name == "stablehlo.collective_permute":
        return ReplicaGroups(mode, attributes.pairs("source_target_pairs", ()), "source_target_pairs")
    return ReplicaGroups(mode, attributes.replica_groups())


def read_collective(operation: ir.Operation, grid: tuple[int, int], runs: int = 1) -> Collective:
    """A collective operation. Its groups are empty if they name devices outside of the grid; `lint` reports
    this error."""
    try:
        groups = groups_of(operation).processes(*grid)
    except EvaluationError:
        groups = ()
    return Collective(
        operation.name.partition(".")[2],
        tuple(tuple(replica * grid[1] + partition for replica, partition in group) for group in groups),
        sum(size_of(operand) for operand in operation.operands),
        sum(size_of(result) for result in operation.results),
        runs,
        location_of(operation),
        channel_of(operation),
    )
