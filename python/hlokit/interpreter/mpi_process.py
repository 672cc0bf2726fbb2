"""The process of a rank of MPI, as operations see it. Knows no MLIR."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any, Protocol, TypeVar

import numpy as np

from hlokit.interpreter import mpi_collectives as collectives
from hlokit.interpreter.coordinator import Meet, Parcel, Receive, Send
from hlokit.interpreter.meetings import Arrival, MailKey, Meeting, Values
from hlokit.interpreter.mpi_transport import MPI, Transport
from hlokit.interpreter.process import Process, Reduction, Together
from hlokit.interpreter.process_groups import Grid, ProcessGroup, ProcessId
from hlokit.interpreter.registry import Value
from hlokit.interpreter.run import place

T = TypeVar("T")
Shapes = Sequence[Sequence[tuple[int, ...]]]


class Line(Protocol):
    """To the coordinator."""

    def meet(self, request: Meet | Receive | Send, move: Callable[[Any], T]) -> T:
        """Ask the coordinator, then move values; not interrupted in between, for others wait for them."""
        ...

    def tell(self, request: Send) -> None:
        """Tell the coordinator what it does not answer."""
        ...


class MpiProcess(Process):
    """The process of this rank."""

    def __init__(
        self,
        id_: ProcessId,
        grid: Grid,
        line: Line,
        transport: Transport,
        program: int,
        infeed: Iterable[Values],
    ) -> None:
        super().__init__(id_, grid, infeed)
        self._line = line
        self._transport = transport
        self._program = program
        self._numbers = {member: number for number, member in enumerate(grid.ids)}
        self._number = count()
        self._arrivals: dict[Meeting, Arrival] = {}

    def meet(
        self, meeting: Meeting, group: ProcessGroup, operands: Values, together: Together | None = None
    ) -> Any:
        gathered = self._meet(
            meeting, group, operands, lambda comm, shapes: collectives.gather(comm, operands, shapes)
        )
        return gathered if together is None else together(gathered)

    def reduce(self, meeting: Meeting, group: ProcessGroup, operands: Values, reduction: Reduction) -> Values:
        def move(comm: MPI.Intracomm, shapes: Shapes, is_common: bool) -> Values:
            if not is_common:
                gathered = collectives.gather(comm, operands, shapes)
                return tuple([reduction.fold(arrays) for arrays in zip(*gathered, strict=True)])
            return tuple(
                [
                    collectives.reduce(comm, operand, [of_one[i] for of_one in shapes], reduction)
                    for i, operand in enumerate(operands)
                ]
            )

        return self._meet_with(collectives.kind(reduction), meeting, group, operands, move)

    def parts(self, meeting: Meeting, group: ProcessGroup, operands: Values, dimension: int) -> list[Values]:
        return self._meet(
            meeting,
            group,
            operands,
            lambda comm, shapes: collectives.parts(comm, operands, shapes, dimension),
        )

    def reduce_part(
        self, meeting: Meeting, group: ProcessGroup, operand: Value, dimension: int, reduction: Reduction
    ) -> Value:
        def move(comm: MPI.Intracomm, shapes: Shapes, is_common: bool) -> Value:
            if not is_common:
                received = collectives.parts(comm, (operand,), shapes, dimension)
                return reduction.fold([array for (array,) in received])
            return collectives.reduce_part(
                comm, operand, [shape for (shape,) in shapes], dimension, reduction
            )

        return self._meet_with(collectives.kind(reduction), meeting, group, (operand,), move)

    def of_roots(
        self, meeting: Meeting, group: ProcessGroup, operands: Values, roots: Sequence[int]
    ) -> Values:
        def move(comm: MPI.Intracomm, shapes: Shapes, is_common: bool) -> Values:
            if not is_common:
                gathered = collectives.gather(comm, operands, shapes)
                return tuple([gathered[root][i] for i, root in enumerate(roots)])
            return collectives.of_roots(comm, operands, shapes, roots)

        return self._meet_with(tuple(roots), meeting, group, operands, move)

    def of_source(
        self, meeting: Meeting, group: ProcessGroup, operand: Value, pairs: Sequence[ProcessGroup]
    ) -> Value | None:
        known = [(group.index(source), group.index(target)) for source, target in pairs if source in group]
        return self._meet(
            meeting,
            group,
            (operand,),
            lambda comm, shapes: collectives.of_source(comm, operand, [shape for (shape,) in shapes], known),
        )

    def _meet(
        self,
        meeting: Meeting,
        group: ProcessGroup,
        operands: Values,
        move: Callable[[MPI.Intracomm, Shapes], T],
    ) -> T:
        return self._meet_with(None, meeting, group, operands, lambda comm, shapes, _: move(comm, shapes))

    def _meet_with(
        self,
        plan: object,
        meeting: Meeting,
        group: ProcessGroup,
        operands: Values,
        move: Callable[[MPI.Intracomm, Shapes, bool], T],
    ) -> T:
        """Meet, then move values.

        Args:
          plan: how this process would like to do it.
          move: called with a communicator, the shapes of all, and whether all have the same plan. They may
            not if they evaluate different programs, or operands say who the roots are.
        """
        ranks = tuple([self._numbers[member] for member in group])
        offer = (tuple([np.shape(value) for value in operands]), plan)

        def go(offers: Sequence[Any]) -> T:
            shapes, plans = zip(*offers, strict=True)
            return move(self._transport.group(ranks), shapes, all(other == plan for other in plans))

        if len(ranks) == 1:
            return go((offer,))
        arrival = self._arrivals.get(meeting)
        if arrival is None:
            arrival = Arrival(self._program, meeting.position(), repr(meeting.signature), str(place()))
            self._arrivals[meeting] = arrival
        request = Meet(meeting.channel, ranks, arrival, offer)
        return self._line.meet(request, lambda reply: go(reply.operands))

    def send(self, channel: int, target: ProcessId | None, values: Values) -> None:
        key, where = MailKey(channel, None if target is None else self.id, target), str(place())
        if target is None:
            # Nobody knows yet who will receive it: the coordinator keeps it.
            self._line.meet(Send(key, values, where), lambda go: None)
            return
        number = next(self._number)
        size = self._transport.post(self._numbers[target], number, values)
        self._line.tell(Send(key, (self._transport.rank, number, size), where))

    def receive(self, channel: int, source: ProcessId | None) -> Values:
        key = MailKey(channel, source, None if source is None else self.id)

        def move(parcel: Parcel) -> Values:
            return parcel.parcel if source is None else self._transport.fetch(*parcel.parcel)

        return self._line.meet(Receive(key, str(place())), move)

    def require_no_mail(self) -> None:
        """The coordinator does, when all have ended."""
