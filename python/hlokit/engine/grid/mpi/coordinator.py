"""The coordinator of MPI's ranks: the waits of all ranks, by the rules of the process grid.

Before a rank waits, it reports its operation to the coordinator, and continues when the coordinator answers;
values travel from rank to rank. Therefore the coordinator always knows the wait of every rank, and
immediately detects a deadlock: all ranks wait or have ended. When a rank fails, the coordinator answers all
other ranks, which then end.

A *session* is the time from one `Close` of all ranks to the next; within a session, the ranks enter and leave
grids of processes, one after the other. Rank n is process n of each grid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hlokit.engine.contract.process_groups import Grid, ProcessGroup, ProcessId
from hlokit.engine.contract.run_context import add_process_name
from hlokit.engine.grid.rendezvous import (
    Arrival,
    ChannelKey,
    Message,
    MessageQueues,
    Rendezvous,
    Wait,
    deadlock_message,
    rendezvous_description,
)
from hlokit.errors import EvaluationError, HlokitError

# Requests of ranks ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Enter:
    """A rank is at a barrier of all ranks, before a grid or before another common step. Answered by
    `Proceed`.

    Attributes:
      shape: the shape of the grid; None for another step.
      what: the next step, which must be the same in all ranks.
    """

    shape: tuple[int, int] | None
    what: str
    where: str


@dataclass(frozen=True, slots=True)
class Join:
    """A process has arrived at a collective operation. Answered by `Proceed`.

    Attributes:
      group: numbers of the participants.
      operands: the data that all participants receive.
    """

    channel: int
    group: tuple[int, ...]
    arrival: Arrival
    operands: Any


@dataclass(frozen=True, slots=True)
class Send:
    """A process has sent a message. Answered immediately by `Proceed` if the key has no target; else without
    answer.

    Attributes:
      payload: the data that the receiver requires to fetch the values.
    """

    key: ChannelKey
    payload: Any
    where: str


@dataclass(frozen=True, slots=True)
class Receive:
    """A process requests a message. Answered by `Delivery`, once the message has been sent."""

    key: ChannelKey
    where: str


@dataclass(frozen=True, slots=True)
class Write:
    """A process prints. Without answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Leave:
    """A process has ended. Answered by `Over`."""

    error: HlokitError | None
    checks: int


@dataclass(frozen=True, slots=True)
class Close:
    """A rank has completed its part of the session. Answered by `Closed`, when all ranks have done so."""

    error: HlokitError | None


@dataclass(frozen=True, slots=True)
class Quit:
    """A rank no longer participates. Without answer."""

    error: HlokitError | None


Request = Enter | Join | Send | Receive | Write | Leave | Close | Quit

# Replies to ranks --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Proceed:
    """All participants have arrived.

    Attributes:
      operands: the operands of all participants, in the group's order.
    """

    operands: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Delivery:
    """The message that a process requested."""

    payload: Any


@dataclass(frozen=True, slots=True)
class Stop:
    """Another rank has failed."""


@dataclass(frozen=True, slots=True)
class Fault:
    """This rank has failed: its request cannot be fulfilled."""

    message: str


@dataclass(frozen=True, slots=True)
class Over:
    """All processes have ended.

    Attributes:
      error: the error of the first process, in order, that failed.
      checks: the number of check operations that all processes have evaluated.
      unclaimed: payloads of messages that this process did not receive.
    """

    error: HlokitError | None
    checks: int = 0
    unclaimed: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Closed:
    """All ranks have completed their part of the session.

    Attributes:
      error: the error of the first rank, in order, that failed.
    """

    error: HlokitError | None


Reply = Proceed | Delivery | Stop | Fault | Over | Closed


@dataclass(slots=True)
class _State:
    """The state of one grid, or of the session between two grids.

    Attributes:
      waits: the wait of each process; a process that has an answer no longer waits.
      ended: the processes that have left, with their errors.
    """

    waits: dict[ProcessId, Wait] = field(default_factory=lambda: {})
    ended: dict[ProcessId, HlokitError | None] = field(default_factory=lambda: {})
    rendezvous: dict[tuple[int, ProcessGroup], Rendezvous] = field(default_factory=lambda: {})
    messages: MessageQueues = field(default_factory=MessageQueues)
    checks: int = 0
    is_failed: bool = False
    deadlocked: ProcessId | None = None


class Coordinator:
    """Answers the ranks.

    Args:
      size: the number of ranks.
      reply: called with a rank and the answer to the rank's last request.
      notify: called when a rank has failed, with the ranks that have not ended yet.

    Attributes:
      write: called with the output of processes.
    """

    def __init__(
        self, size: int, reply: Callable[[int, Reply], None], notify: Callable[[Sequence[int]], None]
    ) -> None:
        self._size = size
        self._reply = reply
        self._notify = notify
        self.write: Callable[[str], object] = lambda text: None
        self._ranks = Grid(size, 1)
        self._grid: Grid | None = None
        self._quit: dict[int, HlokitError | None] = {}
        self._session = _State()
        self._state = self._session

    @property
    def is_done(self) -> bool:
        """Whether no rank participates any more."""
        return len(self._quit) == self._size

    @property
    def is_failed(self) -> bool:
        """Whether a rank has failed, so that the others end."""
        return self._state.is_failed

    def has_ended(self, rank: int) -> bool:
        """Whether the rank has left its grid, or completed its part of the session."""
        return self._ids[rank] in self._state.ended

    def handle(self, rank: int, request: Request) -> None:
        """Handle a request of a rank."""
        id_ = self._ids[rank]
        match request:
            case Write(text):
                self.write(text)
            case Leave(error, checks):
                self._state.checks += checks
                self._end(id_, error)
            case Close(error):
                self._end(id_, error)
            case Quit(error):
                self._quit[rank] = error
                self._end(id_, error)
            case Send(key) if key.target is not None:
                self._put(id_, request)
            case _ if self._state.is_failed:
                self._reply(rank, Stop())
            case Enter(shape, what, where):
                self._join(id_, 0, self._ids, Arrival(None, (shape, what), what, where), None, shape)
            case Join(channel, numbers, arrival, operands):
                group = tuple(self._ids[number] for number in numbers)
                self._join(id_, channel, group, arrival, operands)
            case Send():
                try:
                    self._put(id_, request)
                except EvaluationError as error:
                    self._reply(rank, Fault(error.message))
                else:
                    self._reply(rank, Proceed())
            case Receive():
                self._receive(id_, request)

    def give_up(self) -> None:
        """Stop waiting for ranks that should have ended, and answer the ranks that have ended."""
        self._finish()

    @property
    def _ids(self) -> tuple[ProcessId, ...]:
        return self._ranks.ids if self._grid is None else self._grid.ids

    def _join(
        self,
        id_: ProcessId,
        channel: int,
        group: ProcessGroup,
        arrival: Arrival,
        operands: Any,
        shape: tuple[int, int] | None = None,
    ) -> None:
        rendezvous = self._state.rendezvous.setdefault((channel, group), Rendezvous(group))
        try:
            rendezvous.arrive(id_, arrival, operands)
        except EvaluationError as error:
            self._reply(self._ids.index(id_), Fault(error.message))
            return
        if len(rendezvous.operands) < len(group):
            self._wait(id_, Wait(lambda: rendezvous_description(rendezvous, channel), arrival.where))
            return
        del self._state.rendezvous[channel, group]
        ids, go = self._ids, Proceed(tuple(rendezvous.operands[member] for member in group))
        for member in group:
            self._state.waits.pop(member, None)
        if shape is not None:
            self._grid, self._state = Grid(*shape), _State()
        for member in group:
            self._reply(ids.index(member), go)

    def _put(self, id_: ProcessId, request: Send) -> None:
        key = request.key
        self._state.messages.put(key, Message(id_, request.payload, request.where))
        for receiver in [waiting for waiting, wait in self._state.waits.items() if wait.key == key]:
            self._hand_over(receiver, key)

    def _receive(self, id_: ProcessId, request: Receive) -> None:
        try:
            self._state.messages.claim(request.key, id_, request.where)
        except EvaluationError as error:
            self._reply(self._ids.index(id_), Fault(error.message))
            return
        if not self._hand_over(id_, request.key):
            self._wait(id_, Wait(lambda: str(request.key), request.where, request.key))

    def _hand_over(self, receiver: ProcessId, key: ChannelKey) -> bool:
        message = self._state.messages.take(key)
        if message is None:
            return False
        self._state.waits.pop(receiver, None)
        self._reply(self._ids.index(receiver), Delivery(message.values))
        return True

    def _wait(self, id_: ProcessId, wait: Wait) -> None:
        self._state.waits[id_] = wait
        self._find_deadlock()

    def _find_deadlock(self) -> None:
        state = self._state
        if state.is_failed or not state.waits or len(state.waits) + len(state.ended) < self._size:
            return
        message = deadlock_message(self._ids, state.waits)
        state.deadlocked = min(state.waits)
        del state.waits[state.deadlocked]
        self._reply(self._ids.index(state.deadlocked), Fault(message))
        self._fail()

    def _fail(self) -> None:
        state = self._state
        if state.is_failed:
            return
        state.is_failed = True
        waiting, state.waits = list(state.waits), {}
        for id_ in waiting:
            self._reply(self._ids.index(id_), Stop())
        self._notify([rank for rank, id_ in enumerate(self._ids) if id_ not in state.ended])

    def _end(self, id_: ProcessId, error: HlokitError | None) -> None:
        state = self._state
        state.ended[id_] = error
        if error is not None:
            self._fail()
        if len(state.ended) == self._size:
            self._finish()
        else:
            self._find_deadlock()

    def _finish(self) -> None:
        """Answer all processes that have ended."""
        state, ids, grid = self._state, self._ids, self._grid
        failed = [id_ for id_ in sorted(state.ended) if state.ended[id_] is not None]
        error = state.ended[failed[0]] if failed else None
        here = [id_ for id_ in state.ended if ids.index(id_) not in self._quit]
        if grid is None:
            self._session = self._state = _State()
            self._count_ranks_that_quit()
            for id_ in here:
                self._reply(ids.index(id_), Closed(error))
            return
        if error is not None and state.deadlocked is None and self._size > 1:
            add_process_name(error, failed[0])
        if error is None:
            try:
                state.messages.require_all_received()
            except EvaluationError as unreceived:
                error = unreceived
        self._grid, self._state = None, self._session
        self._count_ranks_that_quit()
        left = state.messages.unreceived()
        for id_ in here:
            unclaimed = tuple(message.values for key, message in left if key.target == id_)
            self._reply(ids.index(id_), Over(error, state.checks, unclaimed))

    def _count_ranks_that_quit(self) -> None:
        """Count ranks that have quit: they do not participate in the next epoch."""
        self._state.ended.update({self._ids[rank]: error for rank, error in self._quit.items()})
        self._state.is_failed |= any(error is not None for error in self._quit.values())
