"""What processes come to, wait for and send: the records of a process grid. Knows no MLIR."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hlokit.errors import EvaluationError
from hlokit.interpreter.process_groups import ProcessGroup, ProcessId
from hlokit.interpreter.registry import Value
from hlokit.interpreter.run import Place, place

Values = tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """A collective operation of a program, at which processes meet. Compared by identity.

    Attributes:
      channel: its channel id, 0 for none.
      signature: what it has in common with the operations of other programs that it may meet.
    """

    channel: int
    signature: tuple[object, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """Where a process came to, and by which program."""

    program: object
    meeting: Meeting
    where: Place | None

    def fits(self, other: Arrival) -> bool:
        """Processes of one program meet at the very same operation, others at one that looks the same."""
        if self.program is other.program:
            return self.meeting is other.meeting
        return self.meeting.signature == other.meeting.signature


@dataclass(slots=True)
class Rendezvous:
    """Processes of one group on their way to one meeting."""

    group: ProcessGroup
    arrivals: dict[ProcessId, Arrival] = field(default_factory=lambda: {})
    operands: dict[ProcessId, Values] = field(default_factory=lambda: {})
    result: Any = None

    def arrive(self, process: ProcessId, program: object, meeting: Meeting, operands: Values) -> None:
        """A process comes to a meeting.

        Raises:
          EvaluationError: others of the group have come to another one.
        """
        arrival = Arrival(program, meeting, place())
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
    where: Place | None
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
    """What was sent, by whom and where."""

    sender: ProcessId
    values: Values
    where: Place | None
