"""Traces in Chrome's trace event format, which Perfetto and chrome://tracing open.

One track per process of the grid; operations in regions and calls nest by their times. Times are in
microseconds.
"""

from __future__ import annotations

import json
import math
from typing import Any, Protocol

from hlokit.engine.observe.observers import Record


class Output(Protocol):
    """A file for text."""

    def write(self, text: str, /) -> object: ...


class ChromeTrace:
    """Writes events to a file as they occur; `finish` completes the file."""

    def __init__(self, file: Output) -> None:
        self._file = file
        self._tracks: dict[tuple[int, int] | None, int] = {}
        file.write('{"displayTimeUnit":"ns","traceEvents":[\n')
        self._write({"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "hlokit"}}, "")

    def take(self, record: Record) -> None:
        """Write the event of an evaluated operation."""
        track = self._tracks.get(record.process)
        lines: list[dict[str, Any]] = []
        if track is None:
            track = self._tracks[record.process] = len(self._tracks) + 1
            name = "run"
            if record.process is not None:
                name = f"replica {record.process[0]}, partition {record.process[1]}"
            names = {"name": "thread_name", "ph": "M", "pid": 1, "tid": track, "args": {"name": name}}
            order = {"name": "thread_sort_index", "ph": "M", "pid": 1, "tid": track}
            number = 0 if record.process is None else record.process[0] * 65536 + record.process[1]
            lines += [names, {**order, "args": {"sort_index": number}}]
        lines.append(
            {
                "name": record.op,
                "cat": record.op.partition(".")[0],
                "ph": "X",
                "pid": 1,
                "tid": track,
                "ts": record.start * 1e6,
                "dur": record.seconds * 1e6,
                "args": _arguments(record),
            }
        )
        # One call writes the whole event, because processes write concurrently.
        self._file.write("".join(f",\n{json.dumps(line)}" for line in lines))

    def finish(self) -> None:
        """Complete the file."""
        self._file.write("\n]}\n")

    def _write(self, event: dict[str, Any], separator: str) -> None:
        self._file.write(f"{separator}{json.dumps(event)}")


def _arguments(record: Record) -> dict[str, Any]:
    """The details of an event for the viewer."""
    arguments: dict[str, Any] = {"function": f"@{record.function}"}
    if record.source:
        arguments["source"] = record.source
    if record.region_runs:
        arguments["region runs"] = record.region_runs
    if record.failed:
        arguments["failed"] = True
    for number, summary in enumerate(record.results):
        arguments[f"result {number}"] = str(summary)
        if summary.mean is not None and math.isfinite(summary.mean):
            arguments[f"mean {number}"] = summary.mean
        if summary.nan:
            arguments[f"NaN {number}"] = summary.nan
    return arguments
