"""Traces hold what the trace event format demands, and nest as Perfetto reads them: in whole nanoseconds."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.tools.tracing.chrome_trace import ChromeTrace
from unit.tools.view.test_viewers import GRID, LOOP, X

# The format's keys of the file and of an event, and the argument of each kind of metadata.
TOP = {
    "traceEvents": list,
    "displayTimeUnit": str,
    "systemTraceEvents": str,
    "otherData": dict,
    "stackFrames": dict,
    "samples": list,
    "controllerTraceDataKey": str,
    "powerTraceAsString": str,
}
COMPLETE = {"name", "cat", "ph", "ts", "dur", "tts", "tdur", "pid", "tid", "args", "cname", "id", "sf", "esf"}
METADATA = {
    "process_name": ("name", str),
    "process_labels": ("labels", str),
    "process_sort_index": ("sort_index", int),
    "thread_name": ("name", str),
    "thread_sort_index": ("sort_index", int),
}
NAN = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.divide %x, %x : tensor<2xf32> loc("\\22a\\22 \\5C \\C3\\A9\\0A"("m.py":1:1))
  return %0 : tensor<2xf32>
}"""
FAILING = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @nobody(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


def refuse(word: str) -> Any:
    raise AssertionError(f"{word} is no number of JSON")


def read(path: Path) -> list[dict[str, Any]]:
    """The events of a file of the format, every one checked."""
    trace = json.loads(path.read_text(), parse_constant=refuse)
    assert all(isinstance(value, TOP[key]) for key, value in trace.items())
    assert trace.get("displayTimeUnit", "ms") in ("ms", "ns")
    for event in trace["traceEvents"]:
        assert all(
            type(event[key]) is int and 0 <= event[key] < 1 << 32 for key in ("pid", "tid") if key in event
        )
        assert isinstance(event["name"], str) and isinstance(event["pid"], int)
        check: dict[str, Callable[[dict[str, Any]], None]] = {"M": check_metadata, "X": check_complete}
        check[event["ph"]](event)
    return trace["traceEvents"]


def check_metadata(event: dict[str, Any]) -> None:
    key, type_ = METADATA[event["name"]]
    assert set(event) <= {"name", "ph", "pid", "tid", "ts", "cat", "args"}
    assert list(event["args"]) == [key] and type(event["args"][key]) is type_
    assert event["name"].startswith("process_") or "tid" in event
    if key == "sort_index":
        assert -(1 << 31) <= event["args"][key] < 1 << 31


def check_complete(event: dict[str, Any]) -> None:
    assert {"name", "cat", "ph", "ts", "dur", "pid", "tid"} <= set(event) <= COMPLETE
    assert event["name"] and isinstance(event["cat"], str)
    assert all(type(event[key]) in (int, float) and event[key] >= 0 for key in ("ts", "dur"))
    for name, value in event["args"].items():
        assert isinstance(name, str) and type(value) in (str, int, float, bool)
        assert not isinstance(value, float) or math.isfinite(value)


def check_nesting(events: list[dict[str, Any]]) -> None:
    """The slices of a track are apart or nested after their times were cut to nanoseconds: Perfetto drops
    other ones."""
    for track in {(event["pid"], event["tid"]) for event in events if event["ph"] == "X"}:
        slices = [
            (int(event["ts"] * 1000.0), int(event["dur"] * 1000.0))
            for event in events
            if event["ph"] == "X" and (event["pid"], event["tid"]) == track
        ]
        ends: list[int] = []
        for start, duration in sorted(slices, key=lambda each: (each[0], -each[1])):
            while ends and ends[-1] <= start:
                ends.pop()
            assert not ends or start + duration <= ends[-1]
            ends.append(start + duration)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (LOOP, [X]),
        (GRID, [np.float32(1), np.float32(2)]),
        (NAN, [np.zeros(2, np.float32)]),
        (FAILING, [X]),
    ],
    ids=["loop", "grid", "nan", "failing"],
)
def test_every_event_is_one_of_the_format(tmp_path: Path, text: str, arguments: list[Any]) -> None:
    program = hlokit.load(text)
    with (tmp_path / "t.json").open("w") as file:
        chrome = ChromeTrace(file)
        observer = hlokit.Trace(chrome.take)
        try:
            if len(arguments) > 1:
                program.run_parallel([(argument,) for argument in arguments], observer=observer)
            else:
                program(*arguments, observer=observer)
        except hlokit.HlokitError:
            assert text is FAILING
        chrome.finish()
    events = read(tmp_path / "t.json")
    complete = [event for event in events if event["ph"] == "X"]
    assert complete
    check_nesting(events)
    named = {event["tid"] for event in events if event["name"] == "thread_name"}
    assert {event["tid"] for event in complete} == named
    assert any(event["args"].get("failed") for event in complete) == (text is FAILING)
