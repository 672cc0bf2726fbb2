"""A program that answers requests, one after the other, for as long as hlokit has any: `cmd:PROGRAM --serve`.

A request is a line of JSON on the standard input: `id`, a number; the paths `module`, `inputs` and `outputs`;
the name of the `function`. The answer is a line of JSON on the standard output: the same `id`; `status`:
`ok`, `unsupported` or `error`; `reason` if the status is not `ok`. Other lines are ignored. docs/diff.md has
an example.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from typing import Any, cast

from hlokit.children.commands import Command
from hlokit.children.lifetimes import is_readable
from hlokit.tools.backends.children import failed, last_words
from hlokit.tools.backends.side import SideFailed

SERVE = "--serve"
_STATUS = "ok", "unsupported", "error"
_PIECE = 1 << 16
# The longest line that is read, in bytes, and the longest reason that is shown, in characters.
_LONGEST_LINE, _LONGEST_REASON = 1 << 20, 500
# Seconds in which a program that has closed its output should end.
_GRACE = 5


class Server:
    """The program, which starts with the first request, and again after a crash or a time-out."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._process: Command | None = None
        self._unread = b""
        self._requests = 0
        self._other_answer = ""

    def run(self, files: Mapping[str, str], time_limit: float) -> None:
        """See `Runner`: a request, and its answer.

        Raises:
          SideFailed: the program died, took too long, or has no results.
        """
        end = time.monotonic() + time_limit
        try:
            process = self._process = self._process or Command(self._words, is_piped=True)
            self._requests += 1
            self._other_answer = ""
            request = json.dumps({"id": self._requests, **files})
            answer = self._answer(process, request.encode() + b"\n", end)
        except TimeoutError:
            self.close()
            raise SideFailed("time-out", f"took longer than {time_limit:g} s{self._other_answer}") from None
        except BaseException:
            self.close()
            raise
        status = answer.get("status")
        if status != "ok":
            reason = "; ".join(str(answer.get("reason", "")).split("\n"))[:_LONGEST_REASON]
            if status not in _STATUS:
                reason = f"the status of its answer must be ok, unsupported or error, got {status!r}"
            raise SideFailed("unsupported" if status == "unsupported" else "error", reason)

    def _answer(self, process: Command, request: bytes, end: float) -> Mapping[str, Any]:
        assert process.input is not None
        try:
            process.input.write(request)  # fits into an empty pipe
            process.input.flush()
        except BrokenPipeError:
            raise _end_of(process) from None
        while True:
            answer = _read_answer(self._line(process, end))
            if answer is not None and answer.get("id") == self._requests:
                return answer
            if answer is not None and answer.get("status") in _STATUS:
                self._other_answer = f", and answered the id {answer.get('id')!r}, not {self._requests}"

    def _line(self, process: Command, end: float) -> bytes:
        """The next line of the program's output.

        Raises:
          TimeoutError: there is none in time.
          SideFailed: the program has ended, or its line is too long.
        """
        assert process.output is not None
        output = process.output.fileno()
        while b"\n" not in self._unread:
            if len(self._unread) > _LONGEST_LINE:
                raise SideFailed("error", f"a line of its output must have at most {_LONGEST_LINE} bytes")
            if not is_readable(output, end - time.monotonic()):
                raise TimeoutError
            piece = os.read(output, _PIECE)
            if not piece:
                raise _end_of(process)
            self._unread += piece
        line, _, self._unread = self._unread.partition(b"\n")
        if time.monotonic() > end:
            raise TimeoutError  # a program that never stops printing
        return line

    def close(self) -> None:
        """End the program."""
        process, self._process, self._unread = self._process, None, b""
        if process is not None:
            process.close()


def _end_of(process: Command) -> SideFailed:
    """The failure of a program that has closed its input or output."""
    try:
        end = process.wait(_GRACE)
    except TimeoutError:
        return SideFailed("crash", "it closed its standard input or output without an answer")
    return failed(end.status, last_words(end.errors))


def _read_answer(line: bytes) -> Mapping[str, Any] | None:
    """A line as an object of JSON; None if it is something else, such as a message for people."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", answer) if isinstance(answer, dict) else None
