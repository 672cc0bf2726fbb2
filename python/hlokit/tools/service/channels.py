"""The events for which the loop of `hlokit serve` waits: requests, answers of the worker, and room in the
worker's pipe.

Where the system can wait for several pipes at once, one thread serves all pipes, so that workers can be
forks. Elsewhere (Windows) each pipe has a thread.
"""

from __future__ import annotations

import os
import queue
import select
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from hlokit.tools.service.workers import Worker

_CHUNK = 1 << 16


@dataclass(slots=True)
class Ready:
    """The events that have arrived.

    Attributes:
      requests: bytes of requests; b"" at their end.
      answers: bytes of the worker's answers; b"" if the worker has ended.
      takes: whether the worker's pipe has room for requests.
    """

    requests: bytes | None = None
    answers: bytes | None = None
    takes: bool = False


class Channels(Protocol):
    """The requests, and the pipes of one worker at a time."""

    def connect(self, worker: Worker) -> None:
        """Use the pipes of a new worker."""
        ...

    def disconnect(self) -> str:
        """End the worker; returns how it ended."""
        ...

    def wait(self, *, reads: bool, sends: bool, seconds: float | None) -> Ready:
        """Wait for answers.

        Args:
          reads: whether to wait for requests, too.
          sends: whether to wait for room in the worker's pipe, too.
          seconds: the time limit; None for no limit.
        """
        ...

    def send(self, data: bytearray) -> int:
        """Send these bytes to the worker; returns the number of bytes sent."""
        ...


class PolledChannels:
    """One thread polls all pipes."""

    def __init__(self, requests: int) -> None:
        self._requests = requests

    def connect(self, worker: Worker) -> None:
        """See `Channels`."""
        os.set_blocking(worker.requests, False)
        self._worker = worker

    def disconnect(self) -> str:
        """See `Channels`."""
        return self._worker.stop()

    def wait(self, *, reads: bool, sends: bool, seconds: float | None) -> Ready:
        """See `Channels`."""
        wanted = select.poll()
        if reads:
            wanted.register(self._requests, select.POLLIN)
        if sends:
            wanted.register(self._worker.requests, select.POLLOUT)
        wanted.register(self._worker.answers, select.POLLIN)
        ready = {descriptor for descriptor, _ in wanted.poll(None if seconds is None else seconds * 1000)}
        return Ready(
            os.read(self._requests, _CHUNK) if self._requests in ready else None,
            os.read(self._worker.answers, _CHUNK) if self._worker.answers in ready else None,
            self._worker.requests in ready,
        )

    def send(self, data: bytearray) -> int:
        """See `Channels`."""
        try:
            return os.write(self._worker.requests, data[:_CHUNK])
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            return len(data)  # the worker is dead; the loop learns this from the end of its answers


class ThreadedChannels:
    """A thread reads the requests, and two serve the pipes of each worker."""

    def __init__(self, requests: int) -> None:
        self._requests = requests
        # (None, data): requests; (worker, data): answers of a worker, perhaps an earlier one.
        self._arrived: queue.SimpleQueue[tuple[Worker | None, bytes]] = queue.SimpleQueue()
        self._reads = threading.Semaphore(0)
        self._is_reading = False
        _start(self._read_requests)

    def connect(self, worker: Worker) -> None:
        """See `Channels`."""
        self._worker = worker
        self._sent: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        sent = self._sent
        self._threads = [
            _start(lambda: self._read_answers(worker)),
            _start(lambda: _write_requests(worker, sent)),
        ]

    def disconnect(self) -> str:
        """See `Channels`."""
        # A pipe must not be closed while a thread waits for it: its other end closes first.
        self._worker.kill()
        self._sent.put(b"")
        for thread in self._threads:
            thread.join()
        return self._worker.stop()

    def wait(self, *, reads: bool, sends: bool, seconds: float | None) -> Ready:
        """See `Channels`."""
        if reads and not self._is_reading:
            self._is_reading = True
            self._reads.release()
        if sends:
            return Ready(takes=True)
        with suppress(queue.Empty):
            source, data = self._arrived.get(timeout=seconds)
            if source is None:
                self._is_reading = False
                return Ready(requests=data)
            if source is self._worker:
                return Ready(answers=data)
        return Ready()

    def send(self, data: bytearray) -> int:
        """See `Channels`."""
        if data:
            self._sent.put(bytes(data))
        return len(data)

    def _read_requests(self) -> None:
        data = b"more"
        while data:
            self._reads.acquire()
            data = os.read(self._requests, _CHUNK)
            self._arrived.put((None, data))

    def _read_answers(self, worker: Worker) -> None:
        data = b"more"
        while data:
            data = os.read(worker.answers, _CHUNK)
            self._arrived.put((worker, data))


def _write_requests(worker: Worker, sent: queue.SimpleQueue[bytes]) -> None:
    """Write until an empty piece arrives or the worker is dead; the loop learns the latter from the end of
    the worker's answers."""
    with suppress(OSError):
        while data := memoryview(sent.get()):
            while data:
                data = data[os.write(worker.requests, data) :]


def _start(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def channels(requests: int) -> Channels:
    """The channels for this system."""
    return PolledChannels(requests) if hasattr(select, "poll") else ThreadedChannels(requests)
