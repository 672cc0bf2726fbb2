"""The process grid on threads: one thread per process, collective operations, messages. Without MLIR.

One lock guards all state of a grid. A process that must wait records its wait. When every process of the grid
waits or has ended, no wait can end: the grid fails immediately, and the error of this deadlock lists the
waits. A process that fails ends the others: waiting processes immediately, computing processes at their next
wait or shortly after.

The values that a process receives depend on the program only, never on the speed of threads: the participants
of a group go from one collective operation to the next together, and a channel has one sender and one
receiver.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NoReturn

import numpy as np

from hlokit.engine.contract import run_context
from hlokit.engine.contract.interrupts import raise_in_thread
from hlokit.engine.contract.process import Collective, Combine, Process, ProcessRun, Values
from hlokit.engine.contract.process_groups import Grid, ProcessGroup, ProcessId
from hlokit.engine.contract.run_context import add_process_name, context_of_process
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
from hlokit.engine.plan.evaluate import unexpected
from hlokit.engine.plan.executors import place
from hlokit.errors import EvaluationError, HlokitError

# Seconds after a failure until processes that still compute are interrupted, and until the grid stops waiting
# for them; the longest single wait for all processes.
_GRACE = 0.2
_PATIENCE = 2.0
_SLICE = 0.5


class GridEnded(BaseException):
    """Ends the thread of a process whose grid has failed."""


class ThreadProcess(Process):
    """One process of a grid.

    Attributes:
      program: the function that the process evaluates; processes of one program must arrive at the same
        operations.
    """

    def __init__(
        self, id_: ProcessId, grid: ProcessGrid, program: object = None, infeed: Iterable[Values] = ()
    ) -> None:
        super().__init__(id_, grid, infeed)
        self._threads = grid
        self.program = program

    def all_gather(
        self, collective: Collective, group: ProcessGroup, operands: Values, combine: Combine | None = None
    ) -> Any:
        if len(group) == 1:
            return [operands] if combine is None else combine([operands])
        return self._threads.all_gather(self, collective, group, operands, combine)

    def send(self, channel: int, target: ProcessId | None, values: Values) -> None:
        self._threads.send(self, channel, target, values)

    def receive(self, channel: int, source: ProcessId | None) -> Values:
        return self._threads.receive(self, channel, source)

    def require_all_received(self) -> None:
        self._threads.require_all_received()

    def pause(self) -> None:
        self._threads.pause(self)


class ProcessGrid(Grid):
    """Processes on threads, in `replicas` rows of `partitions`."""

    def __init__(self, replicas: int, partitions: int) -> None:
        super().__init__(replicas, partitions)
        self._lock = threading.Lock()
        self._wake = {id_: threading.Condition(self._lock) for id_ in self.ids}
        self._changed = threading.Condition(self._lock)
        self._waits: dict[ProcessId, Wait] = {}
        self._ended: set[ProcessId] = set()
        self._errors: dict[ProcessId, BaseException] = {}
        self._is_failed = False
        self._deadlock: tuple[ProcessId, str] | None = None
        self._rendezvous: dict[tuple[int, ProcessGroup], Rendezvous] = {}
        self._messages = MessageQueues()

    # Collective operations ------------------------------------------------------------------------

    def all_gather(
        self,
        process: ThreadProcess,
        collective: Collective,
        group: ProcessGroup,
        operands: Values,
        combine: Combine | None,
    ) -> Any:
        """See `Process.all_gather`."""
        # All participants of a group proceed together from one collective of a channel to the next, because
        # each waits for the others. So a group has one rendezvous per channel at a time.
        key = (collective.channel, group)
        with self._lock:
            if self._is_failed:
                raise GridEnded
            rendezvous = self._rendezvous.setdefault(key, Rendezvous(group))
            arrival = Arrival(process.program, collective, collective.signature, place())
            rendezvous.arrive(process.id, arrival, operands)
            if len(rendezvous.operands) < len(group):
                self._wait(process, lambda: rendezvous_description(rendezvous, collective.channel))
                return rendezvous.result
            del self._rendezvous[key]
        result = [rendezvous.operands[member] for member in group]
        if collective.has_unknown_sizes:
            collective.require_same_sizes([tuple(map(np.shape, values)) for values in result])
        if combine is not None:
            result = combine(result)
        with self._lock:
            rendezvous.result = result
            for member in group:
                if member != process.id:
                    self._release(member)
        return result

    # Channels -------------------------------------------------------------------------------------

    def send(self, process: ThreadProcess, channel: int, target: ProcessId | None, values: Values) -> None:
        """See `Process.send`."""
        with self._lock:
            key = ChannelKey(channel, None if target is None else process.id, target)
            self._messages.put(key, Message(process.id, values, place()))
            for receiver in [id_ for id_, wait in self._waits.items() if wait.key == key]:
                self._release(receiver)

    def receive(self, process: ThreadProcess, channel: int, source: ProcessId | None) -> Values:
        """See `Process.receive`."""
        with self._lock:
            key = ChannelKey(channel, source, None if source is None else process.id)
            self._messages.claim(key, process.id, place())
            message = self._messages.take(key)
            if message is None:
                self._wait(process, lambda: str(key), key)
                message = self._messages.take(key)
            assert message is not None, "a message wakes its receiver up"
            return message.values

    def require_all_received(self) -> None:
        """See `MessageQueues.require_all_received`."""
        self._messages.require_all_received()

    def pause(self, process: ThreadProcess) -> None:
        """See `Process.pause`. Threads run at the same time in any case."""

    # Waiting --------------------------------------------------------------------------------------

    def _wait(
        self, process: ThreadProcess, describe: Callable[[], str], key: ChannelKey | None = None
    ) -> None:
        """Wait until another process calls `_release`. The caller holds the lock, which the wait releases."""
        self._waits[process.id] = Wait(describe, place(), key)
        self._find_deadlock()
        while process.id in self._waits and not self._is_failed:
            self._wake[process.id].wait()
        if self._is_failed:
            if self._deadlock is not None and self._deadlock[0] == process.id:
                raise EvaluationError(self._deadlock[1])
            raise GridEnded

    def _release(self, id_: ProcessId) -> None:
        # From here on, the process no longer counts as waiting, although its thread has not woken up yet.
        del self._waits[id_]
        self._wake[id_].notify()

    def _find_deadlock(self) -> None:
        if self._is_failed or not self._waits or len(self._waits) + len(self._ended) < len(self.ids):
            return
        self._deadlock = (min(self._waits), deadlock_message(self.ids, self._waits))
        self._fail()

    def _fail(self) -> None:
        if self._is_failed:
            return
        self._is_failed = True
        for condition in self._wake.values():
            condition.notify()
        self._changed.notify_all()

    # Running --------------------------------------------------------------------------------------

    def run(self, runs: Sequence[ProcessRun]) -> list[Any]:
        """Evaluate one program on each process, in the order of `ids`.

        Returns:
          The result of each function.

        Raises:
          EvaluationError: a process failed, the processes were in a deadlock, or a message was not received.
        """
        parent = run_context.current()
        output = _Output(parent)
        results: dict[ProcessId, Any] = {}
        contexts: list[run_context.RunContext] = []
        bodies: dict[ProcessId, Callable[[], None]] = {}
        for number, (id_, run) in enumerate(zip(self.ids, runs, strict=True)):
            process = ThreadProcess(id_, self, run.function, run.infeed)
            context = context_of_process(parent, process, number, output.write, output.outfeed)
            contexts.append(context)
            bodies[id_] = partial(self._run_process, id_, context, run, results)
        if len(bodies) == 1:
            bodies[self.ids[0]]()
        else:
            self._run_threads(bodies)
        parent.checks += sum(context.checks for context in contexts)
        if self._errors:
            self._raise_first_error()
        self.require_all_received()
        return [results[id_] for id_ in self.ids]

    def _run_process(
        self, id_: ProcessId, context: run_context.RunContext, run: ProcessRun, results: dict[ProcessId, Any]
    ) -> None:
        """Evaluate the program on a process, and store the result in `results`."""
        try:
            with run_context.use(context), np.errstate(all="ignore"):
                results[id_] = run.function(*run.arguments)
        except GridEnded:
            pass
        except BaseException as error:
            with self._lock:
                self._errors[id_] = error
                self._fail()
        finally:
            with self._lock:
                self._ended.add(id_)
                self._find_deadlock()
                self._changed.notify_all()

    def _run_threads(self, bodies: dict[ProcessId, Callable[[], None]]) -> None:
        threads = {
            id_: threading.Thread(
                target=contextvars.copy_context().run,
                args=(body,),
                name=f"hlokit process {id_}",
                daemon=True,
            )
            for id_, body in bodies.items()
        }
        self._start(threads)
        with self._lock:
            try:
                while not self._all_ended() and not self._is_failed:
                    # On systems where no signal ends a wait, Ctrl-C takes effect between two waits.
                    self._changed.wait(_SLICE)
            except BaseException:  # Ctrl-C
                self._fail()
                raise
            finally:
                if not self._changed.wait_for(self._all_ended, _GRACE):
                    for id_, thread in threads.items():
                        if id_ not in self._ended:
                            raise_in_thread(thread.ident, GridEnded)
                    self._changed.wait_for(self._all_ended, _PATIENCE)

    def _start(self, threads: dict[ProcessId, threading.Thread]) -> None:
        for id_, thread in threads.items():
            problem = ""
            try:
                if not self._is_failed:
                    thread.start()
                    continue
            except RuntimeError as error:
                problem = f"cannot start a thread for each of {len(threads)} processes: {error}"
            with self._lock:
                self._ended.update(id_ for id_, thread in threads.items() if thread.ident is None)
                if problem:
                    self._errors[id_] = EvaluationError(problem)
                self._fail()
            return

    def _all_ended(self) -> bool:
        return len(self._ended) == len(self.ids)

    def _raise_first_error(self) -> NoReturn:
        id_, error = min(self._errors.items())
        if not isinstance(error, Exception):
            raise error
        failure = error if isinstance(error, HlokitError) else unexpected(error)
        if len(self.ids) > 1 and self._deadlock is None:
            add_process_name(failure, id_)
        # The traceback of the thread leads to the operation.
        raise failure.with_traceback(error.__traceback__)


class _Output:
    """What the processes write, one at a time.

    Args:
      context: the run that began the processes, and receives their output.
    """

    def __init__(self, context: run_context.RunContext) -> None:
        self._context = context
        self._lock = threading.Lock()

    def write(self, text: str) -> None:
        with self._lock:
            self._context.write(text)

    def outfeed(self, id_: ProcessId, values: Values) -> None:
        with self._lock:
            self._context.outfeed(id_, values)


def current_process() -> Process:
    """The process of the current run; outside of any grid, the only process of a grid of 1 x 1."""
    context = run_context.current()
    if context.process is None:
        context.process = ThreadProcess(ProcessId(0, 0), ProcessGrid(1, 1))
    return context.process


def run_processes(replicas: int, partitions: int, runs: Sequence[ProcessRun]) -> list[Any]:
    """Evaluate a program on each process of a grid, row by row; see `ProcessGrid.run`.

    Processes are threads, unless the current run has another engine.
    """
    engine = run_context.current().engine
    if engine is not None:
        return engine.run(replicas, partitions, runs)
    return ProcessGrid(replicas, partitions).run(runs)
