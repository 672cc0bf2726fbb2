"""Where traces of a command go: the standard error, or a file of text or JSON lines."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, TextIO

from hlokit.errors import ArgumentError
from hlokit.interpreter.observers import Record, Trace

_JSON_LINES = ".jsonl"


@contextmanager
def open_trace(wanted: bool, path: str | None) -> Generator[Trace | None]:
    """An observer that writes a line an operation; None if none is wanted.

    Args:
      wanted: on the standard error, unless there is a path.
      path: of a file, of JSON lines if its name ends in `.jsonl`.

    Raises:
      ArgumentError: the file cannot be written.
    """
    if path is None:
        yield Trace(_writer(sys.stderr, str)) if wanted else None
        return
    try:
        file = open(path, "w", encoding="utf-8")  # noqa: SIM115 # only opening is guarded
    except OSError as error:
        raise ArgumentError(f"cannot open trace file '{path}': {(error.strerror or '').lower()}") from None
    with file:
        yield Trace(_writer(file, _json_line if path.endswith(_JSON_LINES) else str))


def _writer(stream: TextIO, text_of: Callable[[Record], str]) -> Callable[[Record], object]:
    # One call a line: processes write at the same time.
    return lambda record: stream.write(f"{text_of(record)}\n")


def _json_line(record: Record) -> str:
    return json.dumps(_finite(record.as_dict()))


def _finite(value: Any) -> Any:
    """JSON has no infinities: ranges that overflow a double become null."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType] # of a record
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]  # pyright: ignore[reportUnknownVariableType] # of a record
    return None if isinstance(value, float) and not math.isfinite(value) else value
