"""The division of the process grid into groups by collective operations. Without MLIR.

Source: spec "Collective ops".
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple

from hlokit.errors import ArgumentError, EvaluationError


class ProcessId(NamedTuple):
    """The position of a process in the grid."""

    replica: int
    partition: int

    def __str__(self) -> str:
        return f"({self.replica}, {self.partition})"


ProcessGroup = tuple[ProcessId, ...]


class GroupMode(enum.Enum):
    """The meaning of the ids in `replica_groups`. The value is the spec's name of the strategy."""

    CROSS_REPLICA = "cross_replica"
    CROSS_PARTITION = "cross_partition"
    CROSS_REPLICA_AND_PARTITION = "cross_replica_and_partition"
    FLATTENED_IDS = "flattened_ids"


@dataclass(frozen=True, slots=True)
class ReplicaGroups:
    """Groups of ids, and the meaning of the ids.

    Attributes:
      mode: the strategy that maps ids to processes.
      groups: groups of ids; None is one group of all ids.
      name: the name of the attribute with the groups, for messages.
    """

    mode: GroupMode
    groups: tuple[tuple[int, ...], ...] | None
    name: str = "replica_groups"

    def processes(self, replicas: int, partitions: int) -> tuple[ProcessGroup, ...]:
        """The process groups in a grid of `replicas` x `partitions`.

        Raises:
          EvaluationError: the grid has no process for one of the ids.
        """
        count = self._id_count(replicas, partitions)
        groups = (tuple(range(count)),) if self.groups is None else self.groups
        for id_ in (id_ for group in groups for id_ in group):
            if not 0 <= id_ < count:
                is_default = replicas == partitions == 1
                raise EvaluationError(
                    f"{self.name} must hold ids below {count} ({self.mode.value} in a process grid of "
                    f"{replicas} x {partitions}), got {id_}"
                    f"{'; num_replicas and num_partitions set the grid' * is_default}"
                )
        match self.mode:
            case GroupMode.CROSS_REPLICA:
                return tuple(
                    tuple(ProcessId(replica, partition) for replica in group)
                    for group in groups
                    for partition in range(partitions)
                )
            case GroupMode.CROSS_PARTITION:
                return tuple(
                    tuple(ProcessId(replica, partition) for partition in group)
                    for group in groups
                    for replica in range(replicas)
                )
            case GroupMode.CROSS_REPLICA_AND_PARTITION:
                return tuple(
                    tuple(
                        ProcessId(replica, partition) for partition in range(partitions) for replica in group
                    )
                    for group in groups
                )
            case GroupMode.FLATTENED_IDS:
                return tuple(tuple(ProcessId(*divmod(id_, partitions)) for id_ in group) for group in groups)

    def _id_count(self, replicas: int, partitions: int) -> int:
        match self.mode:
            case GroupMode.CROSS_PARTITION:
                return partitions
            case GroupMode.FLATTENED_IDS:
                return replicas * partitions
            case _:
                return replicas


class Grid:
    """A grid of `replicas` rows of `partitions` processes.

    Attributes:
      ids: the ids of all processes, row by row; the index of an id is the number of the process.
    """

    def __init__(self, replicas: int, partitions: int) -> None:
        self.replicas = replicas
        self.partitions = partitions
        self.ids = tuple(
            ProcessId(replica, partition) for replica in range(replicas) for partition in range(partitions)
        )
        self._groups: dict[ReplicaGroups, tuple[ProcessGroup, ...]] = {}

    def groups(self, groups: ReplicaGroups) -> tuple[ProcessGroup, ...]:
        """The process groups of an operation in this grid."""
        process_groups = self._groups.get(groups)
        if process_groups is None:
            process_groups = self._groups[groups] = groups.processes(self.replicas, self.partitions)
        return process_groups


def connected(groups: tuple[ProcessGroup, ...], process: ProcessId) -> ProcessGroup:
    """The processes, sorted, that overlapping groups connect with `process`; () if no group contains it."""
    members: set[ProcessId] = set()
    reached = {process}
    while reached - members:
        members = reached
        reached = members.union(*(group for group in groups if not members.isdisjoint(group)))
    return tuple(sorted(members)) if any(process in group for group in groups) else ()


def grid_of(
    count: int, stated: tuple[int, int] | None, num_replicas: int | None, num_partitions: int | None
) -> tuple[int, int]:
    """The grid of `count` processes: as requested, else as stated in the program, else one replica per
    process.

    Raises:
      ArgumentError: the grid has another number of processes.
    """
    if num_replicas is None and num_partitions is None and stated is None:
        stated = (count, 1)
    replicas, partitions = stated or (1, 1)
    replicas = replicas if num_replicas is None else num_replicas
    partitions = partitions if num_partitions is None else num_partitions
    if replicas < 1 or partitions < 1:
        raise ArgumentError(f"process grid must not be empty, got {replicas} x {partitions}")
    if replicas * partitions != count:
        raise ArgumentError(
            f"arguments must be given for {replicas} x {partitions} processes, got {count} of them"
        )
    return replicas, partitions
