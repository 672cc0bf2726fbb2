"""The interface of a process of a grid to operations, for threads and MPI. Without MLIR.

A collective operation is a rendezvous of its participants, the processes of a group. Kernels call the method
that moves the least data: threads gather all operands in any case, but MPI moves only the results of the
method.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from hlokit.engine.contract.process_groups import Grid, ProcessGroup, ProcessId, ReplicaGroups
from hlokit.engine.contract.registry import Value
from hlokit.errors import EvaluationError

Values = tuple[Value, ...]
Combine = Callable[[list[Values]], Any]


@dataclass(frozen=True, slots=True, eq=False)
class Collective:
    """A collective operation of a program. Compared by identity.

    Attributes:
      channel: the channel id, 0 for none.
      signature: equal for matching operations of other programs.
      position: returns the position in the module, which identifies the operation in all copies of the
        module.
      has_unknown_sizes: whether the sizes of operands are known at run time only. They must be the same in
        all participants.
    """

    channel: int
    signature: tuple[object, ...]
    position: Callable[[], tuple[int, ...]] = tuple
    has_unknown_sizes: bool = False

    def require_same_sizes(self, shapes: Sequence[tuple[tuple[int, ...], ...]]) -> None:
        """Check the shapes of the operands of each participant.

        Raises:
          EvaluationError: sizes that the types leave open differ.
        """
        if not self.has_unknown_sizes:
            return
        for other in shapes[1:]:
            if other != shapes[0]:
                one, two = (", ".join(map(str, some)) for some in (shapes[0], other))
                raise EvaluationError(f"operands of all processes must have one shape, got {one} and {two}")


@dataclass(frozen=True, slots=True)
class ProcessRun:
    """The function and inputs of one process.

    Attributes:
      function: the function, called with `arguments`; two processes with the same function run the same
        program.
      infeed: entries that the process reads from its infeed.
    """

    function: Callable[..., Any]
    arguments: Sequence[Value]
    infeed: Iterable[Values] = ()


class Engine(Protocol):
    """An alternative to threads for the evaluation of process grids."""

    def run(self, replicas: int, partitions: int, runs: Sequence[ProcessRun]) -> list[Any]:
        """See `ProcessGrid.run`."""
        ...


@dataclass(frozen=True, slots=True)
class Reduction:
    """An elementwise reduction of the operands of several processes.

    Attributes:
      fold: a function that reduces arrays of one shape, from left to right.
      dtype: the dtype of the reduction, to which operands are converted.
      ufunc: the operation on two values of `dtype`, None if unknown.
    """

    fold: Callable[[Sequence[Value]], Value]
    dtype: np.dtype[np.generic]
    ufunc: np.ufunc | None


class Process(ABC):
    """One process of a grid."""

    def __init__(self, id_: ProcessId, grid: Grid, infeed: Iterable[Values] = ()) -> None:
        self.id = id_
        self.grid = grid
        self._infeed: Iterator[Values] = iter(infeed)

    def groups(self, groups: ReplicaGroups) -> tuple[ProcessGroup, ...]:
        """The process groups of an operation in the grid."""
        return self.grid.groups(groups)

    def group(self, groups: ReplicaGroups) -> ProcessGroup | None:
        """The group of this process; None if no group contains it."""
        return next((group for group in self.groups(groups) if self.id in group), None)

    def next_infeed(self) -> Values | None:
        """The next entry of the infeed; None after the last."""
        return next(self._infeed, None)

    @abstractmethod
    def all_gather(
        self, collective: Collective, group: ProcessGroup, operands: Values, combine: Combine | None = None
    ) -> Any:
        """The rendezvous: wait until all participants have arrived with their operands.

        Returns:
          The operands of all participants, in the group's order; with `combine`, the result of `combine` for
          these operands. One participant may call `combine` for all and share the result, so the result must
          not depend on the process.
        """

    @abstractmethod
    def send(self, channel: int, target: ProcessId | None, values: Values) -> None:
        """Send values to a process, or without a target to the receiver of the channel, without waiting."""

    @abstractmethod
    def receive(self, channel: int, source: ProcessId | None) -> Values:
        """Wait for values from a process, or without a source from the sender of the channel."""

    @abstractmethod
    def require_all_received(self) -> None:
        """Check that all messages have been received.

        Raises:
          EvaluationError: a message was not received.
        """

    def pause(self) -> None:  # noqa: B027 # only grids that explore orders have something to do
        """Let other processes run first, if the grid explores orders. Called before a Python function that
        may share values with other processes."""

    # Collectives that move less than `all_gather` ----------------------------------------------

    def all_reduce(
        self, collective: Collective, group: ProcessGroup, operands: Values, reduction: Reduction
    ) -> Values:
        """The reduction of the operands of all participants."""

        def combine(all_operands: list[Values]) -> Values:
            return tuple([reduction.fold(arrays) for arrays in zip(*all_operands, strict=True)])

        return self.all_gather(collective, group, operands, combine)

    def all_to_all(
        self, collective: Collective, group: ProcessGroup, operands: Values, dimension: int
    ) -> list[tuple[Any, ...]]:
        """This process's shard of each participant's operands, which are split along a dimension."""
        index, count = group.index(self.id), len(group)
        return [
            tuple([shard(array, dimension, index, count) for array in arrays])
            for arrays in self.all_gather(collective, group, operands)
        ]

    def reduce_scatter(
        self,
        collective: Collective,
        group: ProcessGroup,
        operand: Value,
        dimension: int,
        reduction: Reduction,
    ) -> Value:
        """The reduction of this process's shards of the operands of all participants."""
        return reduction.fold(
            [array for (array,) in self.all_to_all(collective, group, (operand,), dimension)]
        )

    def broadcast(
        self, collective: Collective, group: ProcessGroup, operands: Values, roots: Sequence[int]
    ) -> Values:
        """The value of each operand at its root, which is a position in the group."""
        gathered = self.all_gather(collective, group, operands)
        return tuple([gathered[root][i] for i, root in enumerate(roots)])

    def permute(
        self, collective: Collective, group: ProcessGroup, operand: Value, pairs: Sequence[ProcessGroup]
    ) -> Value | None:
        """The operand of the source whose pair (source, target) ends here; None without such a pair."""
        operands = self.all_gather(collective, group, (operand,))
        for source, target in pairs:
            if target == self.id:
                return operands[group.index(source)][0]
        return None


def shard(array: Value, dimension: int, index: int, count: int) -> Any:
    """One of `count` equal shards of an array along a dimension."""
    size = array.shape[dimension] // count
    return array[(slice(None),) * dimension + (slice(index * size, (index + 1) * size),)]
