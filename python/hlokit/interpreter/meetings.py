"""What processes come to, wait for and send: the records of a process grid. Knows no MLIR."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from hlokit.errors import EvaluationError
from hlokit.interpreter.process_groups import ProcessGroup, ProcessId
from hlokit.interpreter.registry import Value

Values = tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """A collective operation of a program, at which processes meet. Compared by identity.

    Attributes:
      channel: its channel id, 0 for none.
      signature: what it has in common with the operations of other programs that it may meet.
      position: gives where it stands in its module: its identity where there are several copies of that.
    """

    channel: int
    signature: tuple[object, ...]
    position: Callable[[], tuple[int, ...]] = tuple


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where a process came to, and by which program.

    Attributes:
      program, operation: what is equal for processes at the very same operation of one program.
      signature: see `Meeting`.
      where: for messages.
    """

    program: object
    operation: object
    signature: object
    where: object

    def fits(self, other: Arrival) -> bool:
        """Processes of one program meet at the very same operation, others at one that looks the same."""
        if self.program == other.program:
            return self.operation == other.operation
        return self.signature == other.signature


@dataclass(slots=True)
class Rendezvous:
    """Processes of one group on their way to one meeting."""

    group: ProcessGroup
    arrivals: dict[ProcessId, Arrival] = field(default_factory=lambda: {})
    operands: dict[ProcessId, Any] = field(default_factory=lambda: {})
    result: Any = None

    def arrive(self, process: ProcessId, arrival: Arrival, operands: Any) -> None:
        """A process comes to a meeting.

        Raises:
          EvaluationError: others of the group have come to another one.
        """
        others = list(self.arrivals.values())
        self.arrivals[process] = arrival
        if not all(arrival.fits(other) for other in others):
            lines = [f"  process {id_} is at {other.where}" for id_, other in sorted(self.arrivals.items())]
            raise EvaluationError("\n".join(["the processes of a group must meet at one operation", *lines]))
        self.operands[process] = operands

    def missing(self) -> str:
        """The processes that have not come yet."""
        return ", ".join(str(member) for member in self.group if member not in self.operands)


@dataclass(frozen=True, slots=True)
class Wait:
    """What a process waits for, and where it stands."""

    describe: Callable[[], str]
    where: object
    mail: MailKey | None = None


@dataclass(frozen=True, slots=True)
class MailKey:
    """A channel, or one of its connections: from a process to a process."""

    channel: int
    source: ProcessId | None
    target: ProcessId | None

    def __str__(self) -> str:
        sender = "a process" if self.source is None else f"process {self.source}"
        return f"what {sender} sends to channel {self.channel}"


@dataclass(frozen=True, slots=True)
class Mail:
    """What was sent, by whom and where. `values` is what the engine hands over for it."""

    sender: ProcessId
    values: Any
    where: object


def rendezvous_description(rendezvous: Rendezvous, channel: int) -> str:
    """What a process waits for that has come to a meeting."""
    return f"process {rendezvous.missing()}{f' on channel {channel}' if channel > 0 else ''}"


def deadlock_message(ids: Iterable[ProcessId], waits: Mapping[ProcessId, Wait]) -> str:
    """Says what each process waits for."""
    lines = ["deadlock: every process waits or has ended"]
    for id_ in ids:
        wait = waits.get(id_)
        state = "has ended" if wait is None else f"waits at {wait.where} for {wait.describe()}"
        lines.append(f"  process {id_} {state}")
    return "\n".join(lines)


class Mailboxes:
    """What has been sent and not been received yet, channel by channel."""

    def __init__(self) -> None:
        self._mail: dict[MailKey, deque[Mail]] = {}
        self._ends: dict[tuple[str, int], tuple[ProcessId, object]] = {}

    def put(self, key: MailKey, mail: Mail) -> None:
        """Add something at the end of its queue.

        Raises:
          EvaluationError: another process sends to the channel.
        """
        if key.target is None:
            self._claim("send to", key.channel, mail.sender, mail.where)
        self._mail.setdefault(key, deque()).append(mail)

    def claim(self, key: MailKey, receiver: ProcessId, where: object) -> None:
        """A process is about to receive.

        Raises:
          EvaluationError: another process receives from the channel.
        """
        if key.source is None:
            self._claim("receive from", key.channel, receiver, where)

    def take(self, key: MailKey) -> Mail | None:
        """The first of a queue, None if it is empty."""
        queue = self._mail.get(key)
        return queue.popleft() if queue else None

    def _claim(self, end: str, channel: int, process: ProcessId, where: object) -> None:
        """Two processes at one end of a channel would race for its values."""
        owner, its = self._ends.setdefault((end, channel), (process, where))
        if owner != process:
            (first, at), (second, and_at) = sorted([(owner, its), (process, where)], key=itemgetter(0))
            raise EvaluationError(
                f"one process may {end} channel {channel} without source_target_pairs, got "
                f"process {first} at {at} and process {second} at {and_at}"
            )

    def left(self) -> list[tuple[MailKey, Mail]]:
        """All that has not been received."""
        return [(key, mail) for key, queue in self._mail.items() for mail in queue]

    def require_none(self) -> None:
        """Called when all processes have ended.

        Raises:
          EvaluationError: something was sent that nobody received.
        """
        firsts = sorted((queue[0] for queue in self._mail.values() if queue), key=lambda mail: mail.sender)
        if firsts:
            lines = [f"  by process {mail.sender} at {mail.where}" for mail in firsts]
            raise EvaluationError("\n".join(["what was sent must be received, but this was not:", *lines]))
