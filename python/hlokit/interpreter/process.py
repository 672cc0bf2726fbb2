"""What a process of a grid is to the operations, whatever it runs on. Knows no MLIR.

Collective operations use the method that asks for the least: on threads all are a meeting at which every
process sees the operands of all, but an engine that has to move values moves only what the method gives.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from hlokit.errors import EvaluationError, HlokitError, InternalError, UnsupportedError
from hlokit.interpreter.context import RunContext
from hlokit.interpreter.meetings import Meeting, Values
from hlokit.interpreter.process_groups import Grid, ProcessGroup, ProcessId, ReplicaGroups
from hlokit.interpreter.registry import Value

Together = Callable[[list[Values]], Any]


@dataclass(frozen=True, slots=True)
class ProcessRun:
    """What one process is to evaluate.

    Attributes:
      function: called with `arguments`; its identity is the program's.
      infeed: what the process reads from its infeed, entry by entry.
    """

    function: Callable[..., Any]
    arguments: Sequence[Value]
    infeed: Iterable[Values] = ()


class Engine(Protocol):
    """Evaluates grids of processes, in place of threads."""

    def run(self, replicas: int, partitions: int, runs: Sequence[ProcessRun]) -> list[Any]:
        """See `ProcessGrid.run`."""
        ...


@dataclass(frozen=True, slots=True)
class Reduction:
    """An elementwise reduction of the operands of several processes.

    Attributes:
      fold: reduces arrays of one shape, from left to right.
      dtype: what it reduces in; operands are converted.
      ufunc: what it applies to two values of `dtype`, if that is known.
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
        """The process groups of the grid."""
        return self.grid.groups(groups)

    def group(self, groups: ReplicaGroups) -> ProcessGroup | None:
        """The group that this process belongs to."""
        return next((group for group in self.groups(groups) if self.id in group), None)

    def next_infeed(self) -> Values | None:
        """The next entry of the infeed, None after the last."""
        return next(self._infeed, None)

    @abstractmethod
    def meet(
        self, meeting: Meeting, group: ProcessGroup, operands: Values, together: Together | None = None
    ) -> Any:
        """Wait until all processes of the group have come with their operands.

        Returns:
          The operands of all, in the group's order; with `together` what that makes of them, which must be
          the same whichever process calls it: it may be called once, and its result be shared.
        """

    @abstractmethod
    def send(self, channel: int, target: ProcessId | None, values: Values) -> None:
        """Send values to a process, or without a target to whoever receives from the channel. Never waits."""

    @abstractmethod
    def receive(self, channel: int, source: ProcessId | None) -> Values:
        """Wait for values from a process, or without a source from whoever sends to the channel."""

    @abstractmethod
    def require_no_mail(self) -> None:
        """Raises:
        EvaluationError: something was sent that nobody received.
        """

    # What collective operations need of a meeting -------------------------------------------------

    def reduce(self, meeting: Meeting, group: ProcessGroup, operands: Values, reduction: Reduction) -> Values:
        """Meet; the reduction of the operands of all."""

        def together(all_operands: list[Values]) -> Values:
            return tuple([reduction.fold(arrays) for arrays in zip(*all_operands, strict=True)])

        return self.meet(meeting, group, operands, together)

    def parts(
        self, meeting: Meeting, group: ProcessGroup, operands: Values, dimension: int
    ) -> list[tuple[Any, ...]]:
        """Meet; of the operands of each, split along a dimension, the part of this process."""
        index, count = group.index(self.id), len(group)
        return [
            tuple([part(array, dimension, index, count) for array in arrays])
            for arrays in self.meet(meeting, group, operands)
        ]

    def reduce_part(
        self, meeting: Meeting, group: ProcessGroup, operand: Value, dimension: int, reduction: Reduction
    ) -> Value:
        """Meet; the reduction of this process's part of the operands of all, see `parts`."""
        return reduction.fold([array for (array,) in self.parts(meeting, group, (operand,), dimension)])

    def of_roots(
        self, meeting: Meeting, group: ProcessGroup, operands: Values, roots: Sequence[int]
    ) -> Values:
        """Meet; each operand as it is in the process that stands at its root in the group."""
        gathered = self.meet(meeting, group, operands)
        return tuple([gathered[root][i] for i, root in enumerate(roots)])

    def of_source(
        self, meeting: Meeting, group: ProcessGroup, operand: Value, pairs: Sequence[ProcessGroup]
    ) -> Value | None:
        """Meet; the operand of the process that a pair (source, target) links to this one, None without."""
        operands = self.meet(meeting, group, (operand,))
        for source, target in pairs:
            if target == self.id:
                return operands[group.index(source)][0]
        return None


def part(array: Value, dimension: int, index: int, count: int) -> Any:
    """One of `count` equal parts of an array along a dimension."""
    size = array.shape[dimension] // count
    return array[(slice(None),) * dimension + (slice(index * size, (index + 1) * size),)]


def context_of_process(
    parent: RunContext,
    process: Process,
    number: int,
    write: Callable[[str], None],
    outfeed: Callable[[ProcessId, Values], object],
) -> RunContext:
    """The surroundings of one process of a grid that a run makes."""
    # The first process draws the random numbers of a program that runs alone.
    generator = np.random.default_rng([0, number]) if number else None
    return replace(
        parent,
        checks=0,
        write=write,
        outfeed=outfeed,
        generator=generator,
        process=process,
        # What a process runs on a grid of its own stays where the process is.
        engine=None,
    )


def name_process(failure: HlokitError, id_: ProcessId) -> None:
    """Make the message of what failed in a process say which one it was."""
    if isinstance(failure, EvaluationError | UnsupportedError | InternalError):
        failure.message = f"process {id_}: {failure.message}"
