"""`--trace`, `--trace-output`: traces to the standard error, or to a file of text, JSON lines or events."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from typing import Any

from hlokit.cli.frame.flags import Flag, Values
from hlokit.engine.observe.observers import Record, Trace
from hlokit.errors import ArgumentError
from hlokit.files.reading import reason
from hlokit.tools.tracing.chrome_trace import ChromeTrace, Output

TRACE = Flag("trace", "list every evaluated operation on the standard error: time, results, source line")
TRACE_OUTPUT = Flag(
    "trace-output",
    "write the trace to a file: as JSON lines if the name ends in .jsonl, for Perfetto if in .perfetto.json",
    "FILE",
)
FLAGS = (TRACE, TRACE_OUTPUT)

_JSON_LINES = ".jsonl"
_PERFETTO = ".perfetto.json"


@contextmanager
def open_trace(values: Values) -> Generator[Trace | None]:
    """An observer that writes one line per operation, as the flags request; None without the flags.

    Raises:
      ArgumentError: the file cannot be written.
    """
    path: str | None = values.trace_output
    if path is None:
        yield Trace(_writer(sys.stderr, str)) if values.trace else None
        return
    with closing(_TraceFile(path)) as file:
        if path.endswith(_PERFETTO):
            chrome = ChromeTrace(file)
            try:
                yield Trace(chrome.take)
            finally:
                chrome.finish()
            return
        yield Trace(_writer(file, _json_line if path.endswith(_JSON_LINES) else str))


class _TraceFile:
    """A file that is written during a run, so that the trace of a run that ends early can be read.

    Raises:
      ArgumentError: the file cannot be written; each method raises it, too.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            # Names of files in a trace may be no UTF-8.
            self._file = open(path, "w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115 # closed by close
        except OSError as error:
            raise ArgumentError(f"cannot open trace file '{path}': {reason(error)}") from None

    def write(self, text: str, /) -> object:
        """Write text."""
        try:
            return self._file.write(text)
        except OSError as error:
            raise self._failure(error) from None

    def close(self) -> None:
        """Write what is left, and close the file."""
        try:
            self._file.close()
        except OSError as error:
            raise self._failure(error) from None

    def _failure(self, error: OSError) -> ArgumentError:
        return ArgumentError(f"cannot write trace file '{self._path}': {reason(error)}")


def _writer(stream: Output, text_of: Callable[[Record], str]) -> Callable[[Record], object]:
    # One call writes a whole line, because several processes write.
    return lambda record: stream.write(f"{text_of(record)}\n")


def _json_line(record: Record) -> str:
    return json.dumps(_finite(record.as_dict()))


def _finite(value: Any) -> Any:
    """The value with null for numbers that JSON lacks: ranges that overflow a double."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType] # of a record
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]  # pyright: ignore[reportUnknownVariableType] # of a record
    return None if isinstance(value, float) and not math.isfinite(value) else value
