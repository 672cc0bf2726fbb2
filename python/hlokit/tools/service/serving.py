"""The loop of `hlokit serve`: a worker process answers requests; if it dies, this process answers.

The loop passes lines to the worker as they arrive, several at a time, and the worker returns the answers in
order, each as soon as it is known. The first missing answer of a dead worker therefore belongs to the request
that killed the worker; later requests go to a new worker.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hlokit.tools.service.channels import channels
from hlokit.tools.service.protocol import encode, failure
from hlokit.tools.service.workers import Worker

# The answer to a longer line is an error, and the line is discarded.
LONGEST_LINE = 64 << 20
# The loop ends a worker that takes longer for a request.
LONGEST_SECONDS = 60.0
# Bytes of requests that wait for the worker; the loop reads more requests when the worker has answered these.
_MOST_WAITING = 1 << 20


def serve(
    requests: int,
    responses: int,
    *,
    longest_line: int = LONGEST_LINE,
    longest_seconds: float = LONGEST_SECONDS,
) -> None:
    """Answer requests until their end, or until a request ends the service.

    Args:
      requests: file descriptor with one JSON request per line.
      responses: file descriptor for one JSON answer per line, in the order of the requests.
      longest_line: bytes of the longest accepted request.
      longest_seconds: the time limit of one request.

    Raises:
      BrokenPipeError: the reader of the answers is gone.
    """
    loop = _Loop(requests, responses, longest_line, longest_seconds)
    try:
        loop.run()
    finally:
        loop.stop()


@dataclass(slots=True)
class _Pending:
    """A request without its answer, or an answer that waits for earlier ones."""

    line: bytes
    answer: bytes | None = None


class _Loop:
    """The state of the service between reads and writes, which never block."""

    def __init__(self, requests: int, responses: int, longest_line: int, longest_seconds: float) -> None:
        self._channels = channels(requests)
        self._responses = responses
        self._longest_line = longest_line
        self._longest_seconds = longest_seconds
        self._lines = _Lines(longest_line)
        self._answers = _Lines(None)
        self._pending: deque[_Pending] = deque()
        self._waiting = 0
        self._unsent = bytearray()
        self._has_ended = False
        # When the worker began with the first of the pending requests.
        self._since = 0.0
        self._channels.connect(Worker())

    def run(self) -> None:
        while not self._has_ended or self._pending:
            ready = self._channels.wait(
                reads=not self._has_ended and self._waiting < _MOST_WAITING,
                sends=bool(self._unsent),
                seconds=self._seconds_left(),
            )
            # Answers first: they show whether the worker lives.
            if ready.answers is not None:
                self._receive(ready.answers)
            elif self._pending and time.monotonic() - self._since > self._longest_seconds:
                self._restart(f"the request took more than {self._longest_seconds:g} s")
            elif ready.takes and self._unsent:
                del self._unsent[: self._channels.send(self._unsent)]
            if ready.requests is not None:
                self._read(ready.requests)
            self._write_answers()

    def stop(self) -> None:
        """End the worker."""
        self._channels.disconnect()

    def _seconds_left(self) -> float | None:
        if not self._pending:
            return None
        return max(0.0, self._since + self._longest_seconds - time.monotonic()) + 1e-3

    def _read(self, data: bytes) -> None:
        lines = self._lines.add(data)
        if not data:
            self._has_ended = True
            lines = self._lines.rest()
        for line in lines:
            self._accept(line)
            if self._has_ended and data:
                return

    def _accept(self, line: bytes | None) -> None:
        if line is None:
            message = f"the request must not be longer than {self._longest_line} bytes"
            self._append(_Pending(b"", encode(failure(None, message))))
            return
        if not line.strip():
            return
        if b"shutdown" in line and _method_of(line) == "shutdown":
            self._append(_Pending(b"", encode({"id": _id_of(line), "result": {}})))
            self._has_ended = True
            return
        self._append(_Pending(line))
        self._unsent += line + b"\n"

    def _append(self, item: _Pending) -> None:
        if not self._pending:
            self._since = time.monotonic()
        self._pending.append(item)
        self._waiting += len(item.line)

    def _receive(self, data: bytes) -> None:
        if not data:
            self._restart("")
            return
        for line in self._answers.add(data):
            if line is None:
                continue
            first = next((item for item in self._pending if item.answer is None), None)
            if first is not None:
                first.answer = line + b"\n"
                self._since = time.monotonic()

    def _restart(self, reason: str) -> None:
        """Answer the request that ended the worker, and give the other requests to a new worker."""
        died = self._channels.disconnect()
        self._channels.connect(Worker())
        self._answers = _Lines(None)
        self._since = time.monotonic()
        open_ = [item for item in self._pending if item.answer is None]
        if open_:
            message = reason or f"the request killed the worker ({died})"
            first = open_.pop(0)
            first.answer = encode(failure(_id_of(first.line), f"{message}; a new worker continues"))
        self._unsent = bytearray(b"".join(item.line + b"\n" for item in open_))

    def _write_answers(self) -> None:
        ready: list[bytes] = []
        while self._pending and self._pending[0].answer is not None:
            item = self._pending.popleft()
            self._waiting -= len(item.line)
            ready.append(item.answer or b"")
        data = memoryview(b"".join(ready))
        while data:
            data = data[os.write(self._responses, data) :]


class _Lines:
    """Assembles lines from pieces of any size."""

    def __init__(self, longest: int | None) -> None:
        self._longest = longest
        self._pieces: list[bytes] = []
        self._size = 0
        self._is_too_long = False

    def add(self, data: bytes) -> Iterator[bytes | None]:
        """The lines that end in this piece; None for a line that is too long."""
        *ends, rest = data.split(b"\n")
        for end in ends:
            self._keep(end)
            yield from self.rest()
        self._keep(rest)

    def rest(self) -> Iterator[bytes | None]:
        """The rest as a line; no line if the rest is empty."""
        line = None if self._is_too_long else b"".join(self._pieces)
        self._pieces, self._size, self._is_too_long = [], 0, False
        if line != b"":
            yield line

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._longest is not None and self._size > self._longest:
            self._is_too_long = True
            self._pieces.clear()
        elif piece:
            self._pieces.append(piece)


def _id_of(line: bytes) -> Any:
    id_ = _field(line, "id")
    return None if isinstance(id_, dict | list) else id_


def _method_of(line: bytes) -> Any:
    return _field(line, "method")


def _field(line: bytes, name: str) -> Any:
    with contextlib.suppress(ValueError, RecursionError):
        request: Any = json.loads(line)
        if isinstance(request, dict):
            return request.get(name)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # of JSON
    return None
