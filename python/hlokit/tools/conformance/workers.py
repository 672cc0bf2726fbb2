"""Runs files in forked processes: a file that crashes or hangs does not affect other files."""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import IO, Any, Generic, TypeVar

from hlokit._bytecode import end_with_pipe

_Job = TypeVar("_Job")
_Result = TypeVar("_Result")

# The stored characters of the bindings' output before a crash.
_KEPT_BYTES = 2000


@dataclass(frozen=True, slots=True)
class Died:
    """Replaces a result: the process crashed during the job, or was ended at the job's time limit."""

    reason: str
    seconds: float


@dataclass(slots=True)
class _Worker(Generic[_Job]):
    process: ForkProcess
    connection: Connection
    errors: IO[bytes]
    job: _Job | None = None
    started: float = field(default_factory=time.monotonic)

    def give(self, job: _Job) -> None:
        self.errors.seek(0)
        self.errors.truncate()
        self.job = job
        self.started = time.monotonic()
        self.connection.send(job)

    def end(self) -> int:
        self.process.kill()
        return self.join()

    def join(self) -> int:
        self.process.join()
        self.connection.close()
        return self.process.exitcode or 0

    def fate(self) -> str:
        """The end of a dead process."""
        code = self.join()
        self.errors.seek(0)
        said = self.errors.read(_KEPT_BYTES).decode(errors="replace").strip()
        how = f"exit status {code}" if code >= 0 else signal.Signals(-code).name
        return f"the process died: {how}{chr(10) * bool(said)}{said}"


def run_all(
    jobs: Sequence[_Job], run: Callable[[_Job], _Result], processes: int, seconds: float
) -> Iterator[tuple[_Job, _Result | Died]]:
    """The result of each job, as soon as the job is done.

    Args:
      processes: the number of parallel jobs.
      seconds: the time that a job may take.
    """
    waiting = list(reversed(jobs))
    workers: list[_Worker[_Job]] = []
    try:
        while waiting or workers:
            while waiting and len(workers) < processes:
                workers.append(_start(run))
                workers[-1].give(waiting.pop())
            oldest = min(worker.started for worker in workers)
            ready = wait(
                [worker.connection for worker in workers], max(0.0, oldest + seconds - time.monotonic())
            )
            for worker in list(workers):
                job, passed = worker.job, time.monotonic() - worker.started
                assert job is not None
                if worker.connection in ready:
                    try:
                        result: Any = worker.connection.recv()
                    except EOFError:
                        workers.remove(worker)
                        yield job, Died(worker.fate(), passed)
                        continue
                    if waiting:
                        worker.give(waiting.pop())
                    else:
                        workers.remove(worker)
                        worker.connection.send(None)
                        worker.join()
                    yield job, result
                elif passed > seconds:
                    workers.remove(worker)
                    worker.end()
                    yield job, Died(f"took more than {seconds:g} s", passed)
    finally:
        for worker in workers:
            worker.end()


def _start(run: Callable[[Any], Any]) -> _Worker[Any]:
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    errors = tempfile.TemporaryFile()  # noqa: SIM115 # lives as long as the worker
    process = context.Process(target=_work, args=(run, here, there, errors.fileno()), daemon=True)
    process.start()
    there.close()
    return _Worker(process, here, errors)


def _work(run: Callable[[Any], Any], parents: Connection, connection: Connection, errors: int) -> None:
    parents.close()
    end_with_pipe(os.dup(connection.fileno()))  # a killed command leaves no worker behind
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(errors, 2)
    # This process inherits pipes of other workers, and would keep them open beyond their workers' ends.
    while (job := connection.recv()) is not None:
        connection.send(run(job))
