"""The engine: runs grids of processes on MPI, rank n as process n of every grid. Without MLIR.

All ranks run the same program. A thread of rank 0 is the coordinator (`coordinator.py`), to which each
process reports before it waits; MPI's own collective operations move values (`collectives.py`). A thread of
each rank listens for the failure of others.

The values that a process receives depend on the program only. Therefore the results equal those of
`ProcessGrid`, bit by bit.
"""

from __future__ import annotations

import atexit
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np

from hlokit.engine.contract import run_context
from hlokit.engine.contract.process import ProcessRun
from hlokit.engine.contract.process_groups import Grid
from hlokit.engine.contract.run_context import context_of_process
from hlokit.engine.grid.mpi.coordinator import (
    Close,
    Closed,
    Coordinator,
    Enter,
    Fault,
    Join,
    Leave,
    Over,
    Quit,
    Receive,
    Request,
    Send,
    Stop,
    Write,
)
from hlokit.engine.grid.mpi.interrupts import Ended, Interrupts
from hlokit.engine.grid.mpi.process import MpiProcess
from hlokit.engine.grid.mpi.transport import Pause, Transport, abort, finalize
from hlokit.engine.plan.evaluate import calling_frames, frames_of, unexpected
from hlokit.engine.plan.executors import place
from hlokit.errors import ArgumentError, EvaluationError, HlokitError, InternalError, UnsupportedError

T = TypeVar("T")

# Seconds between polls for requests while rank 0 computes, and between polls for failures of others.
_COORDINATING = 1e-3
_LISTENING = 2e-2
# Seconds after a failure until the engine abandons ranks that do not end.
PATIENCE = 10.0
# Seconds for MPI's launcher to forward the output before all ranks end.
_FORWARDING = 0.3


class MpiEngine:
    """This rank's part in runs on MPI. Created once in a process; see `mpi_engine`.

    Args:
      patience: seconds after a failure until the engine abandons ranks that do not end.

    Attributes:
      rank, size: the number of this rank, and of all ranks.
      gathers_everywhere: whether all ranks receive the results of a grid; otherwise only rank 0 does, and the
        others receive [].
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._transport = Transport()
        self.rank = self._transport.rank
        self.size = self._transport.size
        # Protects the coordinator (only rank 0 has one) and its inbox.
        self._lock = threading.Lock()
        self._coordinator = Coordinator(self.size, self._reply, self._notify) if self.rank == 0 else None
        self._inbox: deque[Any] = deque()
        self._is_asking = False
        self._is_moving = False
        self._write_error: Exception | None = None
        self._failed_at: float | None = None
        self._interrupts = Interrupts()
        self._is_broken = False
        self.gathers_everywhere = True
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="hlokit MPI", daemon=True)
        self._thread.start()
        atexit.register(self.end)

    # Sessions -------------------------------------------------------------------------------------

    def session(self, body: Callable[[], T]) -> T:
        """Run a session: a function that may run grids, in every rank. All ranks call this method.

        Raises:
          HlokitError: the error of the first rank in which the body failed. For an exception of another kind,
            its rank raises that exception, and all other ranks raise an HlokitError.
        """
        if self._is_broken:
            raise ArgumentError("the MPI engine has lost ranks and cannot be used any more")
        failure: BaseException | None = None
        result: T | None = None
        try:
            result = body()
        except Ended:
            pass
        except Exception as error:
            failure = error
        except BaseException:
            self._is_broken = True
            raise
        if self._is_broken:
            assert failure is not None, "ranks are abandoned only after a failure"
            raise failure
        closed = self._ask(Close(None if failure is None else _as_hlokit_error(failure)))
        assert isinstance(closed, Closed), f"the answer to Close must be Closed, got {closed}"
        self._interrupts.next_epoch()
        if failure is not None and not isinstance(failure, HlokitError):
            raise failure
        if closed.error is not None:
            raise closed.error
        return result  # pyright: ignore[reportReturnType] # no error: the body has returned a T

    def broadcast(self, make: Callable[[], T]) -> T:
        """Send the result of `make` in rank 0 to all ranks. All ranks call this method within a session.

        Raises:
          HlokitError: `make` failed.
        """
        result: T | None = None
        failure: HlokitError | None = None
        if self.rank == 0:
            try:
                result = make()
            except Exception as error:
                failure = _as_hlokit_error(error)
        self._barrier("the exchange of a value")
        result, failure = self._transport.broadcast((result, failure))
        if failure is not None:
            raise failure
        return result  # pyright: ignore[reportReturnType] # no error: `make` has returned a T

    def close(self, error: Exception | None = None) -> None:
        """End MPI in this process, unless ranks have been lost; lost ranks end with this process.

        Args:
          error: the reason why this rank ends; the sessions of other ranks then fail.
        """
        if self._is_broken or self._closing.is_set():
            return
        self._say(Quit(None if error is None else _as_hlokit_error(error)))
        pause = Pause()
        while self._coordinator is not None and not self._coordinator.is_done and not self._is_broken:
            with self._lock:
                self._coordinate()
            pause()
        if not self._is_broken:
            self._closing.set()
            self._thread.join()

    def end(self, status: int = 0) -> None:
        """End MPI in this process; end all processes if ranks have been lost or rank 0 has failed.

        MPI's launcher may end the other processes, with any status, when one ends; so MPI itself ends them.
        """
        self.close()
        sys.stdout.flush()
        sys.stderr.flush()
        if self._is_broken or (status and self.rank == 0):
            time.sleep(_FORWARDING)
            abort()
        self._transport.barrier()
        finalize()

    def _barrier(self, what: str, shape: tuple[int, int] | None = None) -> None:
        self._ask(Enter(shape, what, str(place() or what)))

    # Grids ----------------------------------------------------------------------------------------

    def run(self, replicas: int, partitions: int, runs: Sequence[ProcessRun]) -> list[Any]:
        """See `ProcessGrid.run`. All ranks call this method within a session; each evaluates its own program.

        Raises:
          ArgumentError: the number of processes of the grid differs from the number of ranks.
        """
        if replicas * partitions != self.size:
            raise ArgumentError(
                f"a process grid of {replicas} x {partitions} must run on {replicas * partitions} ranks, got "
                f"{self.size}"
            )
        parent = run_context.current()
        if self._coordinator is not None:
            self._coordinator.write = partial(self._write, parent.write)
        self._barrier("the start of a grid", (replicas, partitions))
        grid, own = Grid(replicas, partitions), runs[self.rank]
        programs = [run.function for run in runs]
        process = MpiProcess(
            grid.ids[self.rank], grid, self, self._transport, programs.index(own.function), own.infeed
        )
        context = context_of_process(parent, process, self.rank, self._print, parent.outfeed)
        error: HlokitError | None = None
        result: Any = None
        try:
            with run_context.use(context), np.errstate(all="ignore"), self._interrupts.allowed():
                result = own.function(*own.arguments)
        except Ended:
            pass
        except Exception as caught:
            error = _as_hlokit_error(caught)
        over = self._ask(Leave(error, context.checks))
        assert isinstance(over, Over), f"the answer to Leave must be Over, got {over}"
        if not self._is_broken:
            for payload in over.unclaimed:
                self._transport.fetch(*payload)
            self._transport.finish_posts()
        self._interrupts.next_epoch()
        if self._write_error is not None:
            raise self._write_error
        if over.error is not None:
            if isinstance(over.error, EvaluationError | UnsupportedError | InternalError):
                over.error.frames = (*calling_frames(), *over.error.frames)
            raise over.error
        parent.checks += over.checks
        self._barrier("the exchange of results")
        return self._transport.gather(result, self.gathers_everywhere) or []

    def _print(self, text: str) -> None:
        self._say(Write(text))

    def _write(self, write: Callable[[str], None], text: str) -> None:
        try:
            if self._write_error is None:
                write(text)
        except Exception as error:
            # The coordinator must continue; `run` raises the error when all processes have ended.
            self._write_error = error

    # Requests and replies -------------------------------------------------------------------------

    def exchange(self, request: Join | Receive | Send, move: Callable[[Any], T]) -> T:
        """Ask the coordinator, then move values, without interrupts in between, because other ranks require
        the values."""
        self._interrupts.forbid()
        reply = self._ask(request)
        self._is_moving = True
        moved = move(reply)
        self._is_moving = False
        # Not after an error, because an interrupt would replace the error.
        self._interrupts.allow()
        return moved

    def tell(self, request: Request) -> None:
        """Send the coordinator a request without an answer."""
        self._say(request)

    def _ask(self, request: Request) -> Any:
        self._say(request)
        pause = Pause()
        self._is_asking = True
        try:
            while True:
                reply = self._next_reply()
                if reply is not None:
                    break
                pause()
        finally:
            self._is_asking = False
        match reply:
            case Stop():
                raise Ended
            case Fault(message):
                raise EvaluationError(message)
            case _:
                return reply

    def _say(self, request: Request) -> None:
        if self._coordinator is None:
            self._transport.request(request)
            return
        with self._lock:
            self._coordinator.handle(0, request)

    def _next_reply(self) -> Any:
        if self._coordinator is None:
            return self._transport.next_reply()
        with self._lock:
            self._coordinate()
            return self._inbox.popleft() if self._inbox else None

    # Rank 0 ---------------------------------------------------------------------------------------

    def _coordinate(self) -> None:
        """Handle the requests of ranks. The caller holds the lock."""
        coordinator = self._coordinator
        assert coordinator is not None, "rank 0 coordinates"
        received = self._transport.next_request()
        if received is None:
            self._abandon_lost_ranks(coordinator)
        while received is not None:
            coordinator.handle(*received)
            received = self._transport.next_request()

    def _abandon_lost_ranks(self, coordinator: Coordinator) -> None:
        """Stop waiting for ranks that have not ended some time after a failure."""
        if not coordinator.is_failed:
            self._failed_at = None
        elif self._failed_at is None:
            self._failed_at = time.monotonic()
        elif time.monotonic() > self._failed_at + self._patience:
            if coordinator.has_ended(0):
                self._is_broken = True
                coordinator.give_up()
            elif self._is_moving:
                # The values for which this rank waits will not arrive.
                self._is_moving, self._is_broken = False, True
                self._interrupts.interrupt()

    def _reply(self, rank: int, reply: object) -> None:
        if rank == 0:
            self._inbox.append(reply)
        else:
            self._transport.reply(rank, reply)

    def _notify(self, ranks: Sequence[int]) -> None:
        # All ranks are in one epoch: the next epoch begins when each rank knows that this epoch is over.
        for rank in ranks:
            if rank == 0:
                self._interrupts.record_failure(self._interrupts.epoch)
            else:
                self._transport.notice(rank, self._interrupts.epoch)

    # The thread -----------------------------------------------------------------------------------

    def _listen(self) -> None:
        try:
            self._listen_until_closed()
        finally:
            if not self._closing.is_set():
                # No other thread answers the ranks.
                abort()

    def _listen_until_closed(self) -> None:
        while not self._closing.wait(_LISTENING if self._coordinator is None else _COORDINATING):
            if self._coordinator is None:
                notice = self._transport.next_notice()
                if notice is not None:
                    self._interrupts.record_failure(notice)
            elif not self._is_asking:
                with self._lock:
                    self._coordinate()
            self._interrupts.interrupt_when_due()


def _as_hlokit_error(error: BaseException) -> HlokitError:
    """The form of an error that is sent to other ranks, with the active operations."""
    if isinstance(error, HlokitError):
        failure = error
    elif isinstance(error, Exception):
        failure = unexpected(error)
    else:
        failure = InternalError(f"{type(error).__name__}: {error}")
    if isinstance(failure, EvaluationError | UnsupportedError | InternalError) and not failure.frames:
        failure.frames = frames_of(error.__traceback__)
    return failure


# At most one.
_ENGINES: list[MpiEngine] = []


def mpi_engine(patience: float = PATIENCE) -> MpiEngine:
    """The engine of this process. The first call creates the engine, with this patience.

    Raises:
      UnsupportedError: mpi4py or an MPI library is missing.
    """
    if not _ENGINES:
        _ENGINES.append(MpiEngine(patience))
    return _ENGINES[0]
