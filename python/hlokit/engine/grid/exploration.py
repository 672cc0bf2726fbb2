"""Runs of a process grid in other orders of its processes. Without MLIR.

What a process receives does not depend on the speed of threads, so only what processes share outside of their
program can make results depend on the order: Python functions that custom calls name. Therefore a scheduled
grid runs one process at a time, and another process may have its turn where a process begins, waits or ends,
and before each call of a Python function. All orders of these calls are orders of turns.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

import numpy as np

from hlokit.engine.contract import run_context
from hlokit.engine.contract.process import ProcessRun, Values
from hlokit.engine.contract.process_groups import ProcessId
from hlokit.engine.contract.run_context import RunContext
from hlokit.engine.grid.rendezvous import ChannelKey
from hlokit.engine.grid.threads import GridEnded, ProcessGrid, ThreadProcess
from hlokit.errors import EvaluationError, HlokitError
from hlokit.values.tensor import Token

# The most turns of an order that a message has.
_SHOWN = 24


class Schedule:
    """Which process has the next turn.

    Args:
      pick: the index of the next process, of so many that are ready.

    Attributes:
      order: the processes that have had turns.
    """

    def __init__(self, pick: Callable[[int], int]) -> None:
        self._pick = pick
        self._picked: list[int] = []
        self.order: list[ProcessId] = []

    def choose(self, ready: Sequence[ProcessId]) -> ProcessId:
        """The process that runs next."""
        index = self._pick(len(ready))
        self._picked.append(index)
        self.order.append(ready[index])
        return ready[index]

    def again(self) -> Schedule:
        """The same order."""
        indices = iter(self._picked)
        return Schedule(lambda count: min(next(indices, 0), count - 1))


@dataclass(slots=True)
class _Turn:
    """A turn that several processes could have, after the same turns.

    Attributes:
      count: the number of these processes; 0 after the last turn.
      following: what follows if one of them has the turn.
      is_done: whether all orders from here on have run.
    """

    count: int = 0
    following: dict[int, _Turn] = field(default_factory=dict[int, "_Turn"])
    is_done: bool = False


class Orders:
    """The orders of the processes: the first process that is ready has each turn, then random orders, each
    once.

    Args:
      limit: the most orders that run. So many turns of an order are kept: with more turns there are more
        orders.
    """

    def __init__(self, limit: int, seed: int) -> None:
        self._limit, self._numbers = limit, random.Random(seed)
        self._start = _Turn()
        self._turns: list[_Turn] = []  # of the order that runs

    @property
    def are_done(self) -> bool:
        """Whether all orders have run."""
        return self._start.is_done

    def next(self) -> Schedule:
        """An order that has not run yet."""
        choose = self._numbers.choice if self._turns else min
        self._turns = [self._start]

        def pick(count: int) -> int:
            if count == 1:
                return 0
            turn = self._turns[-1]
            turn.count = count
            done = [index for index, following in turn.following.items() if following.is_done]
            index = choose([index for index in range(count) if index not in done] or range(count))
            if len(self._turns) <= self._limit:
                self._turns.append(turn.following.setdefault(index, _Turn()))
            return index

        return Schedule(pick)

    def end(self) -> None:
        """The latest order has run."""
        for turn in reversed(self._turns):
            turn.is_done = len(turn.following) == turn.count and all(
                following.is_done for following in turn.following.values()
            )


class ScheduledGrid(ProcessGrid):
    """A grid of which one process runs at a time, in the order of a schedule."""

    def __init__(self, replicas: int, partitions: int, schedule: Schedule) -> None:
        super().__init__(replicas, partitions)
        self._schedule = schedule
        self._turn: ProcessId | None = schedule.choose(self.ids)

    def pause(self, process: ThreadProcess) -> None:
        with self._lock:
            self._choose()
            self._wait_for_turn(process.id)

    def _wait(self, process: ThreadProcess, describe: Any, key: ChannelKey | None = None) -> None:
        super()._wait(process, describe, key)
        self._wait_for_turn(process.id)

    def _find_deadlock(self) -> None:  # called when a process waits or ends
        super()._find_deadlock()
        self._choose()

    def _run_process(
        self, id_: ProcessId, context: RunContext, run: ProcessRun, results: dict[ProcessId, Any]
    ) -> None:
        def in_turn(*arguments: Any) -> Any:
            with self._lock:
                self._wait_for_turn(id_)
            return run.function(*arguments)

        super()._run_process(id_, context, replace(run, function=in_turn), results)

    def _choose(self) -> None:
        ready = [id_ for id_ in self.ids if id_ not in self._waits and id_ not in self._ended]
        if ready and not self._is_failed:
            self._turn = self._schedule.choose(ready)
            self._wake[self._turn].notify()

    def _wait_for_turn(self, id_: ProcessId) -> None:
        while self._turn != id_ and not self._is_failed:
            self._wake[id_].wait()
        if self._is_failed:
            raise GridEnded


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The end of a run in one order.

    Attributes:
      results: of each process; None after an error.
      outfeeds: what each process has written to its outfeed.
    """

    schedule: Schedule
    results: list[Any] | None
    error: HlokitError | None
    outfeeds: dict[ProcessId, list[Values]]

    def difference(self, other: _Outcome) -> str | None:
        """What differs between two outcomes; None if both failed, or nothing differs."""
        if self.results is None or other.results is None:
            return None if self.results is other.results else "whether the run fails"
        for id_, one, two in zip(self.outfeeds, self.results, other.results, strict=True):
            if _bits(one) != _bits(two):
                return f"a result of process {id_}"
            if list(map(_bits, self.outfeeds[id_])) != list(map(_bits, other.outfeeds[id_])):
                return f"the outfeed of process {id_}"
        return None


def _bits(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple([_bits(item) for item in value])  # pyright: ignore[reportUnknownVariableType] # of any values
    if value is None or isinstance(value, Token):
        return None
    array = np.asarray(value)
    return array.dtype.name, array.shape, array.tobytes()


@dataclass(slots=True)
class Exploration:
    """An engine that evaluates each grid in several orders of its processes, and requires the same results.

    Attributes:
      limit: the most orders of a grid. All orders run if there are no more.
      seed: determines which orders run, if there are more.
      explored: the number of different orders that have run.
      is_complete: whether these are all orders.
    """

    limit: int = 100
    seed: int = 0
    explored: int = 0
    is_complete: bool = True
    _parent: RunContext = field(default_factory=RunContext)

    def run(self, replicas: int, partitions: int, runs: Sequence[ProcessRun]) -> list[Any]:
        """See `ProcessGrid.run`.

        Raises:
          EvaluationError: the run fails, or its results depend on the order.
        """
        runs = [replace(run, infeed=tuple(run.infeed)) for run in runs]
        if len(runs) == 1:
            return ProcessGrid(replicas, partitions).run(runs)
        self._parent = run_context.current()
        shape = replicas, partitions
        orders = Orders(self.limit, self.seed)
        first = self._outcome(shape, runs, orders.next(), prints=True)
        orders.end()
        self.explored += 1
        for _ in range(self.limit - 1):
            if orders.are_done:
                break
            outcome = self._outcome(shape, runs, orders.next())
            orders.end()
            self.explored += 1
            if (difference := first.difference(outcome)) is not None:
                again = self._outcome(shape, runs, first.schedule.again())
                raise _error(first, outcome, difference, keeps_state=first.difference(again) is not None)
        self.is_complete &= orders.are_done
        if first.error is not None:
            raise first.error
        assert first.results is not None, "a run has results or an error"
        return first.results

    def summary(self) -> str:
        """What has been explored without a difference."""
        if not self.explored:
            return "explored nothing: no grid of several processes has run"
        count = f"{self.explored} order{'s' * (self.explored != 1)} of the processes"
        some = f"all {count}" if self.is_complete else f"{count} (more exist; seed {self.seed})"
        return f"explored {some}: the results are the same"

    def _outcome(
        self, shape: tuple[int, int], runs: Sequence[ProcessRun], schedule: Schedule, *, prints: bool = False
    ) -> _Outcome:
        """Evaluate the grid in one order; one run prints for all."""
        grid = ScheduledGrid(*shape, schedule)
        outfeeds: dict[ProcessId, list[Values]] = {id_: [] for id_ in grid.ids}
        parent = self._parent

        def outfeed(id_: ProcessId, values: Values) -> None:
            outfeeds[id_].append(values)
            if prints:
                parent.outfeed(id_, values)

        write = parent.write if prints else RunContext().write
        context = replace(parent, checks=0, write=write, outfeed=outfeed, engine=None)
        try:
            with run_context.use(context):
                results = grid.run(runs)
            return _Outcome(schedule, results, None, outfeeds)
        except HlokitError as error:
            return _Outcome(schedule, None, error, outfeeds)
        finally:
            if prints:
                parent.checks += context.checks


def _error(first: _Outcome, other: _Outcome, difference: str, *, keeps_state: bool) -> EvaluationError:
    """The error of results that depend on the order, with both orders."""
    if keeps_state:
        return EvaluationError(
            f"two runs in one order differ ({difference}): a Python function of the program keeps values "
            "between runs"
        )
    failed = next((outcome for outcome in (other, first) if outcome.error is not None), None)
    reason = "" if failed is None else f"\nthe error: {failed.error}"
    lines = [
        f"  {'fails' if outcome.error is not None else 'runs'} in the order {_shown(outcome, rest)}"
        for outcome, rest in ((first, other), (other, first))
    ]
    return EvaluationError(
        "\n".join([f"{difference} depends on the order of the processes", *lines]) + reason
    )


def _shown(outcome: _Outcome, other: _Outcome) -> str:
    """An order of turns, without the beginning that two long orders have in common."""
    order = outcome.schedule.order
    pairs = zip_longest(order, other.schedule.order)
    same = next((turn for turn, (one, two) in enumerate(pairs) if one != two), 0)
    start = max(0, same - 2) if len(order) > _SHOWN else 0
    turns = " ".join(map(str, order[start : start + _SHOWN])).replace(", ", ",")
    before = f"(after {start} turns) " if start else ""
    return f"{before}{turns}{' ...' if len(order) > start + _SHOWN else ''}"
