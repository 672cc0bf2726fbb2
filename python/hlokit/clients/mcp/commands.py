"""Runs subcommands of hlokit in child processes: a program may not harm the server, and ends in time."""

from __future__ import annotations

import json
import os
import sys
import threading
from contextlib import suppress
from typing import IO, Any

from hlokit.children.commands import Command
from hlokit.clients.mcp.bounded import bounded

# Bytes of the output of a command that the server reads.
_MOST_BYTES = 1 << 24


class _Reader:
    """Reads a stream to its end, and keeps its beginning."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._data = stream, b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with suppress(ValueError, OSError):  # closed, since the command took too long
            while piece := os.read(self._stream.fileno(), 1 << 16):
                self._data += piece[: _MOST_BYTES - len(self._data)]

    def text(self) -> str:
        self._thread.join(timeout=5)
        return self._data.decode(errors="replace")


def run(words: list[str], time_limit: float) -> dict[str, Any]:
    """The answer of a module that is a command.

    Args:
      words: the module, and its arguments.
      time_limit: in seconds.

    Returns:
      `status`, the exit status, or None if the time was over; `result`, the output, as JSON where it is JSON;
      `errors`, what the command wrote to the standard error.
    """
    if not time_limit > 0:
        return _refused(f"time_limit must be positive, got {time_limit:g}")
    if any("\0" in word for word in words):
        return _refused("a program or an argument must have no zero byte")
    command = Command([sys.executable, "-m", *words], is_piped=True)
    try:
        assert command.input is not None and command.output is not None
        command.input.close()
        reader = _Reader(command.output)
        ended = command.wait(time_limit)
        result = _parsed(reader.text().strip())
        return bounded({"status": ended.status, "result": result, "errors": ended.errors.strip()})
    except TimeoutError:
        errors = f"ended after {time_limit:g} s: give it a longer time_limit, or a smaller program"
        return {"status": None, "result": None, "errors": errors}
    finally:
        command.close()


def _refused(errors: str) -> dict[str, Any]:
    return {"status": 2, "result": None, "errors": errors}


def _parsed(text: str) -> Any:
    """JSON, or a line of JSON each, or a text."""
    if not text:
        return None
    with suppress(ValueError):
        return json.loads(text)
    with suppress(ValueError):
        return [json.loads(line) for line in text.splitlines()]
    return text
