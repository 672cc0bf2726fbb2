"""The process grid: processes, the groups of collective operations, and their rendezvous.

Each process is a thread. Results do not depend on the order of threads: processes communicate only at
rendezvous, where all processes of a group wait, and through channels with one sender and one receiver. If
every process waits or has ended, no process can continue: this deadlock raises an error immediately.

Source: spec "Parallel execution", "Collective ops".
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hlokit.errors import EvaluationError
from hlokit.reference.model.execution import Execution
from hlokit.reference.model.tensors import Value

Values = tuple[Value, ...]
# Lists of ids; the strategy determines their meaning.
Groups = Sequence[Sequence[int]]


class ProcessId(NamedTuple):
    """The position of a process in the grid."""

    replica: int
    partition: int

    def __str__(self) -> str:
        return f"({self.replica}, {self.partition})"


ProcessGroup = tuple[ProcessId, ...]


@dataclass(frozen=True, slots=True)
class ProcessGrid:
    """`num_replicas` by `num_partitions` processes, and the four strategies that split them into groups."""

    num_replicas: int = 1
    num_partitions: int = 1

    @property
    def process_ids(self) -> ProcessGroup:
        return tuple(ProcessId(r, p) for r in range(self.num_replicas) for p in range(self.num_partitions))

    def cross_replica(self, replica_groups: Groups | None) -> Iterator[ProcessGroup]:
        """spec "cross_replica": communication within a partition."""
        for replica_group in self._ids(replica_groups, self.num_replicas):
            for partition in range(self.num_partitions):
                yield tuple(ProcessId(replica, partition) for replica in replica_group)

    def cross_partition(self, partition_groups: Groups | None) -> Iterator[ProcessGroup]:
        """spec "cross_partition": communication within a replica."""
        for partition_group in self._ids(partition_groups, self.num_partitions):
            for replica in range(self.num_replicas):
                yield tuple(ProcessId(replica, partition) for partition in partition_group)

    def cross_replica_and_partition(self, replica_groups: Groups | None) -> Iterator[ProcessGroup]:
        """spec "cross_replica_and_partition": groups of replicas, with all their partitions."""
        for replica_group in self._ids(replica_groups, self.num_replicas):
            partitions = range(self.num_partitions)
            yield tuple(ProcessId(replica, p) for p in partitions for replica in replica_group)

    def flattened_ids(self, flattened_id_groups: Groups | None) -> Iterator[ProcessGroup]:
        """spec "flattened_ids": ids of processes, counted replica by replica."""
        for group in self._ids(flattened_id_groups, self.num_replicas * self.num_partitions):
            yield tuple(ProcessId(*divmod(id_, self.num_partitions)) for id_ in group)

    def _ids(self, groups: Groups | None, count: int) -> Groups:
        """The groups; one group of all ids for None."""
        if groups is None:
            return (range(count),)
        for id_ in (id_ for group in groups for id_ in group):
            if not 0 <= id_ < count:
                raise EvaluationError(
                    f"ids of groups must be below {count} in a process grid of {self.num_replicas} x "
                    f"{self.num_partitions}, got {id_}"
                )
        return groups


@dataclass(slots=True)
class Process:
    """One process of a grid: its interface to operations.

    Attributes:
      program: the name of the function that the process runs.
      infeed: the entries of the process's infeed.
      execution: the run of the process.
    """

    id: ProcessId
    grid: ProcessGrid
    communication: Communication
    execution: Execution
    program: str = "main"
    infeed: Iterator[Values] = field(default_factory=lambda: iter(()))

    @classmethod
    def alone(cls, execution: Execution | None = None) -> Process:
        """The only process of its grid."""
        grid = ProcessGrid()
        (id_,) = grid.process_ids
        return cls(id_, grid, Communication(grid.process_ids), execution or Execution())


@dataclass(frozen=True, slots=True)
class Arrival:
    """A process at a rendezvous: its program, the position in the program, and its operands."""

    program: str
    position: tuple[int, ...]
    operands: Values


class StoppedError(Exception):
    """Ends a process because another process has failed."""


# Channel, sender and receiver. A channel without source-target pairs is one connection, without both.
Connection = tuple[int, ProcessId | None, ProcessId | None]


class Communication:
    """The rendezvous and the messages of the processes of a grid."""

    def __init__(self, process_ids: ProcessGroup) -> None:
        self._changed = threading.Condition()
        self._running = set(process_ids)
        self._waiting: dict[ProcessId, tuple[Callable[[], bool], str]] = {}
        self._open: dict[Hashable, dict[ProcessId, Arrival]] = {}
        self._mail: dict[Connection, deque[Values]] = {}
        self.failure: BaseException | None = None

    def rendezvous(
        self, process: ProcessId, group: ProcessGroup, signature: Hashable, arrival: Arrival
    ) -> list[Values]:
        """Wait until all processes of a group are at an operation with this signature; returns the operands
        of each process, in order.

        Raises:
          EvaluationError: processes of one program are at different operations, or in a deadlock.
        """
        with self._changed:
            arrivals = self._open.setdefault((signature, group), {})
            for other_id, other in arrivals.items():
                if other.program == arrival.program and other.position != arrival.position:
                    raise EvaluationError(
                        "the processes of a group must meet at one operation, "
                        f"but {process} and {other_id} do not"
                    )
            arrivals[process] = arrival
            members = set(group)
            if len(arrivals) == len(members):
                del self._open[signature, group]  # the next call is another rendezvous
                self._changed.notify_all()
            everyone = ", ".join(map(str, group))
            self._wait(process, lambda: len(arrivals) == len(members), f"the processes {everyone}")
            return [arrivals[member].operands for member in group]

    def send(self, connection: Connection, values: Values) -> None:
        """Send values without waiting for the receiver."""
        with self._changed:
            self._mail.setdefault(connection, deque()).append(values)
            self._changed.notify_all()

    def receive(self, process: ProcessId, connection: Connection) -> Values:
        """Wait for the values of a sender."""
        with self._changed:
            mail = self._mail.setdefault(connection, deque())
            self._wait(process, lambda: bool(mail), f"a message on channel {connection[0]}")
            return mail.popleft()

    def end(self, process: ProcessId, failure: BaseException | None = None) -> None:
        """Record the end of a process."""
        with self._changed:
            self._running.discard(process)
            if self.failure is None and not isinstance(failure, StoppedError):
                self.failure = failure
            self._changed.notify_all()

    def require_no_mail(self) -> None:
        """Check that all messages have been received.

        Raises:
          EvaluationError: a message was not received.
        """
        for (channel, _, _), mail in self._mail.items():
            if mail:
                raise EvaluationError(f"messages on channel {channel} must be received")

    def _wait(self, process: ProcessId, is_ready: Callable[[], bool], what: str) -> None:
        self._waiting[process] = is_ready, what
        while not is_ready():
            if self.failure is not None:
                raise StoppedError
            if len(self._waiting) == len(self._running) and not any(
                ready() for ready, _ in self._waiting.values()
            ):
                lines = [
                    f"  process {id_} waits for {event}" for id_, (_, event) in sorted(self._waiting.items())
                ]
                raise EvaluationError("\n".join(["deadlock: every process waits or has ended", *lines]))
            self._changed.wait()
        del self._waiting[process]


def run_processes(
    grid: ProcessGrid, make: Callable[[ProcessId, Communication], Callable[[], Values]]
) -> list[Values]:
    """The results of all processes of a grid, in order.

    Args:
      make: returns the function that a process runs.
    """
    communication = Communication(grid.process_ids)
    results: dict[ProcessId, Values] = {}

    def run(id_: ProcessId, evaluate: Callable[[], Values]) -> None:
        try:
            results[id_] = evaluate()
        except BaseException as error:  # raised again below, in the thread that waits for all processes
            communication.end(id_, error)
        else:
            communication.end(id_)

    threads = [threading.Thread(target=run, args=(id_, make(id_, communication))) for id_ in grid.process_ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if communication.failure is not None:
        raise communication.failure
    communication.require_no_mail()
    return [results[id_] for id_ in grid.process_ids]
