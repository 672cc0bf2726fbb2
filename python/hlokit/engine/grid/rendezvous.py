"""The state of a process grid: arrivals at collectives, waits, and messages. Without MLIR.

Threads (`threads.py`) and the coordinator of MPI's ranks (`mpi/coordinator.py`) share this code, so that both
give the same results and the same messages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from hlokit.engine.contract.process_groups import ProcessGroup, ProcessId
from hlokit.errors import EvaluationError


@dataclass(frozen=True, slots=True)
class Arrival:
    """The operation at which a process has arrived.

    Attributes:
      program, operation: the program and the operation; equal for processes at the same operation of one
        program.
      signature: see `Collective`.
      where: the position, for messages.
    """

    program: object
    operation: object
    signature: object
    where: object

    def fits(self, other: Arrival) -> bool:
        """Whether two arrivals match: processes of one program at the same operation, others at operations
        with equal signatures."""
        if self.program == other.program:
            return self.operation == other.operation
        return self.signature == other.signature


@dataclass(slots=True)
class Rendezvous:
    """The participants of one collective operation: those that have arrived, and their operands."""

    group: ProcessGroup
    arrivals: dict[ProcessId, Arrival] = field(default_factory=lambda: {})
    operands: dict[ProcessId, Any] = field(default_factory=lambda: {})
    result: Any = None

    def arrive(self, process: ProcessId, arrival: Arrival, operands: Any) -> None:
        """Record the arrival of a process.

        Raises:
          EvaluationError: other participants have arrived at another operation.
        """
        others = list(self.arrivals.values())
        self.arrivals[process] = arrival
        if not all(arrival.fits(other) for other in others):
            lines = [f"  process {id_} is at {other.where}" for id_, other in sorted(self.arrivals.items())]
            raise EvaluationError("\n".join(["the processes of a group must meet at one operation", *lines]))
        self.operands[process] = operands

    def missing(self) -> str:
        """The participants that have not arrived yet."""
        return ", ".join(str(member) for member in self.group if member not in self.operands)


@dataclass(frozen=True, slots=True)
class Wait:
    """The operation at which a process waits, and the cause.

    Attributes:
      key: the key of the message that ends the wait; None at a rendezvous.
    """

    describe: Callable[[], str]
    where: object
    key: ChannelKey | None = None


@dataclass(frozen=True, slots=True)
class ChannelKey:
    """A channel, or one connection of a channel from a process to a process."""

    channel: int
    source: ProcessId | None
    target: ProcessId | None

    def __str__(self) -> str:
        sender = "" if self.source is None else f" from process {self.source}"
        return f"a message{sender} on channel {self.channel}"


@dataclass(frozen=True, slots=True)
class Message:
    """The values of a message for its receiver, and the operation that sent them."""

    sender: ProcessId
    values: Any
    where: object


def rendezvous_description(rendezvous: Rendezvous, channel: int) -> str:
    """A description of the wait of a process that has arrived at a collective operation."""
    return f"process {rendezvous.missing()}{f' on channel {channel}' if channel > 0 else ''}"


def deadlock_message(ids: Iterable[ProcessId], waits: Mapping[ProcessId, Wait]) -> str:
    """A message with the wait of each process."""
    lines = ["deadlock: every process waits or has ended"]
    for id_ in ids:
        wait = waits.get(id_)
        state = "has ended" if wait is None else f"waits at {wait.where} for {wait.describe()}"
        lines.append(f"  process {id_} {state}")
    return "\n".join(lines)


class MessageQueues:
    """Messages that have been sent and not yet received, by channel."""

    def __init__(self) -> None:
        self._queues: dict[ChannelKey, deque[Message]] = {}
        self._ends: dict[tuple[str, int], tuple[ProcessId, object]] = {}

    def put(self, key: ChannelKey, message: Message) -> None:
        """Add a message at the end of its queue.

        Raises:
          EvaluationError: another process also sends to the channel.
        """
        if key.target is None:
            self._claim("send to", key.channel, message.sender, message.where)
        self._queues.setdefault(key, deque()).append(message)

    def claim(self, key: ChannelKey, receiver: ProcessId, where: object) -> None:
        """Record that a process will receive.

        Raises:
          EvaluationError: another process also receives from the channel.
        """
        if key.source is None:
            self._claim("receive from", key.channel, receiver, where)

    def take(self, key: ChannelKey) -> Message | None:
        """Remove and return the first message of a queue; None if there is none."""
        queue = self._queues.get(key)
        return queue.popleft() if queue else None

    def _claim(self, end: str, channel: int, process: ProcessId, where: object) -> None:
        """Claim one end of a channel for a process: two processes at one end would race for the values."""
        owner, its = self._ends.setdefault((end, channel), (process, where))
        if owner != process:
            (first, at), (second, and_at) = sorted([(owner, its), (process, where)], key=itemgetter(0))
            raise EvaluationError(
                f"one process may {end} channel {channel} without source_target_pairs, got "
                f"process {first} at {at} and process {second} at {and_at}"
            )

    def unreceived(self) -> list[tuple[ChannelKey, Message]]:
        """All messages that have not been received."""
        return [(key, message) for key, queue in self._queues.items() for message in queue]

    def require_all_received(self) -> None:
        """Check that all messages have been received; called when all processes have ended.

        Raises:
          EvaluationError: a message was not received.
        """
        firsts = sorted(
            (queue[0] for queue in self._queues.values() if queue), key=lambda message: message.sender
        )
        if firsts:
            lines = [f"  from process {message.sender} at {message.where}" for message in firsts]
            raise EvaluationError("\n".join(["every message must be received, but these were not:", *lines]))
