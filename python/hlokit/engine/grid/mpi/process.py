"""The process of an MPI rank: its interface to operations. Without MLIR.

Each operation first asks the coordinator: all participants agree on shapes and on the method to move values.
Then `collectives.py` moves the values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any, Protocol, TypeVar

import numpy as np

from hlokit.engine.contract.process import Collective, Combine, Process, Reduction, Values
from hlokit.engine.contract.process_groups import Grid, ProcessGroup, ProcessId
from hlokit.engine.contract.registry import Value
from hlokit.engine.grid.mpi import collectives
from hlokit.engine.grid.mpi.coordinator import Delivery, Join, Receive, Send
from hlokit.engine.grid.mpi.transport import MPI, Transport
from hlokit.engine.grid.rendezvous import Arrival, ChannelKey
from hlokit.engine.plan.executors import place

T = TypeVar("T")
Shapes = Sequence[Sequence[tuple[int, ...]]]


class CoordinatorLink(Protocol):
    """The connection of a process to the coordinator; the engine implements it."""

    def exchange(self, request: Join | Receive | Send, move: Callable[[Any], T]) -> T:
        """Ask the coordinator, then move values. No interrupt occurs in between, because other ranks require
        the values."""
        ...

    def tell(self, request: Send) -> None:
        """Send the coordinator a request without an answer."""
        ...


class MpiProcess(Process):
    """The process of this rank."""

    def __init__(
        self,
        id_: ProcessId,
        grid: Grid,
        coordinator: CoordinatorLink,
        transport: Transport,
        program: int,
        infeed: Iterable[Values],
    ) -> None:
        super().__init__(id_, grid, infeed)
        self._coordinator = coordinator
        self._transport = transport
        self._program = program
        self._numbers = {member: number for number, member in enumerate(grid.ids)}
        self._number = count()
        self._arrivals: dict[Collective, Arrival] = {}

    def all_gather(
        self, collective: Collective, group: ProcessGroup, operands: Values, combine: Combine | None = None
    ) -> Any:
        gathered = self._run(
            collective, group, operands, lambda comm, shapes: collectives.all_gather(comm, operands, shapes)
        )
        return gathered if combine is None else combine(gathered)

    def all_reduce(
        self, collective: Collective, group: ProcessGroup, operands: Values, reduction: Reduction
    ) -> Values:
        def move(comm: MPI.Intracomm, shapes: Shapes, is_common: bool) -> Values:
            if not is_common:
                gathered = collectives.all_gather(comm, operands, shapes)
                return tuple([reduction.fold(arrays) for arrays in zip(*gathered, strict=True)])
            return tuple(
                [
                    collectives.all_reduce(comm, operand, [of_one[i] for of_one in shapes], reduction)
                    for i, operand in enumerate(operands)
                ]
            )

        return self._run_planned(collectives.reduction_kind(reduction), collective, group, operands, move)

    def all_to_all(
        self, collective: Collective, group: ProcessGroup, operands: Values, dimension: int
    ) -> list[Values]:
        return self._run(
            collective,
            group,
            operands,
            lambda comm, shapes: collectives.all_to_all(comm, operands, shapes, dimension),
        )

    def reduce_scatter(
        self,
        collective: Collective,
        group: ProcessGroup,
        operand: Value,
        dimension: int,
        reduction: Reduction,
    ) -> Value:
        def move(comm: MPI.Intracomm, shapes: Shapes, is_common: bool) -> Value:
            if not is_common:
                received = collectives.all_to_all(comm, (operand,), shapes, dimension)
                return reduction.fold([array for (array,) in received])
            return collectives.reduce_scatter(
                comm, operand, [shape for (shape,) in shapes], dimension, reduction
            )

        return self._run_planned(collectives.reduction_kind(reduction), collective, group, (operand,), move)

    def broadcast(
        self, collective: Collective, group: ProcessGroup, operands: Values, roots: Sequence[int]
    ) -> Values:
        def move(comm: MPI.Intracomm, shapes: Shapes, is_common: bool) -> Values:
            if not is_common:
                gathered = collectives.all_gather(comm, operands, shapes)
                return tuple([gathered[root][i] for i, root in enumerate(roots)])
            return collectives.broadcast(comm, operands, shapes, roots)

        return self._run_planned(tuple(roots), collective, group, operands, move)

    def permute(
        self, collective: Collective, group: ProcessGroup, operand: Value, pairs: Sequence[ProcessGroup]
    ) -> Value | None:
        ranks = [(group.index(source), group.index(target)) for source, target in pairs if source in group]
        return self._run(
            collective,
            group,
            (operand,),
            lambda comm, shapes: collectives.permute(comm, operand, [shape for (shape,) in shapes], ranks),
        )

    def _run(
        self,
        collective: Collective,
        group: ProcessGroup,
        operands: Values,
        move: Callable[[MPI.Intracomm, Shapes], T],
    ) -> T:
        return self._run_planned(
            None, collective, group, operands, lambda comm, shapes, _: move(comm, shapes)
        )

    def _run_planned(
        self,
        plan: object,
        collective: Collective,
        group: ProcessGroup,
        operands: Values,
        move: Callable[[MPI.Intracomm, Shapes, bool], T],
    ) -> T:
        """Wait for all participants, then move values.

        Args:
          plan: the method with which this process would move values.
          move: called with a communicator, the shapes of all operands, and whether all participants have the
            same plan. Plans may differ if participants run different programs, or if operands name roots.
        """
        ranks = tuple([self._numbers[member] for member in group])
        offer = (tuple([np.shape(value) for value in operands]), plan)

        def go(offers: Sequence[Any]) -> T:
            shapes, plans = zip(*offers, strict=True)
            collective.require_same_sizes(shapes)
            return move(self._transport.group(ranks), shapes, all(other == plan for other in plans))

        if len(ranks) == 1:
            return go((offer,))
        arrival = self._arrivals.get(collective)
        if arrival is None:
            arrival = Arrival(self._program, collective.position(), repr(collective.signature), str(place()))
            self._arrivals[collective] = arrival
        request = Join(collective.channel, ranks, arrival, offer)
        return self._coordinator.exchange(request, lambda reply: go(reply.operands))

    def send(self, channel: int, target: ProcessId | None, values: Values) -> None:
        key, where = ChannelKey(channel, None if target is None else self.id, target), str(place())
        if target is None:
            # The receiver is unknown, so the coordinator keeps the values.
            self._coordinator.exchange(Send(key, values, where), lambda go: None)
            return
        number = next(self._number)
        size = self._transport.post(self._numbers[target], number, values)
        self._coordinator.tell(Send(key, (self._transport.rank, number, size), where))

    def receive(self, channel: int, source: ProcessId | None) -> Values:
        key = ChannelKey(channel, source, None if source is None else self.id)

        def move(delivery: Delivery) -> Values:
            return delivery.payload if source is None else self._transport.fetch(*delivery.payload)

        return self._coordinator.exchange(Receive(key, str(place())), move)

    def require_all_received(self) -> None:
        """Do nothing: the coordinator checks messages when all processes have ended."""
