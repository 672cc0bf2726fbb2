"""The data of a run, a shadow and a comparison for each operation of a listing, as plain values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from hlokit.mlir.queries.module import location_of, operations_within
from hlokit.tools.tracing.listings import ProgramListing
from hlokit.tools.tracing.run_trace import RunTrace
from hlokit.tools.view.overview import as_numbers

Overlay = dict[int, Any]


class ShadowRecordLike(Protocol):
    """The part of `ShadowRecord` that pages need."""

    op: str
    function: str
    location: str
    max_ulp: float
    bits_lost: float
    note: str


class ComparisonLike(Protocol):
    """The part of `Comparison` that pages need."""

    @property
    def verdict(self) -> str: ...
    @property
    def max_ulp(self) -> float: ...
    @property
    def relative(self) -> float: ...
    @property
    def severity(self) -> Any: ...


class FindingLike(Protocol):
    """The part of `Finding` that pages need."""

    @property
    def number(self) -> int: ...
    @property
    def path(self) -> str: ...
    @property
    def comparison(self) -> Any: ...


def plain(value: float | int | None) -> float | int | str | None:
    """A number for JSON, which has no infinities."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def run_overlay(trace: RunTrace) -> Overlay:
    """For each operation: evaluations, seconds, bytes and range of all its results, and the last
    histogram."""
    overlay: Overlay = {}
    for row in trace:
        if row.number < 0:
            continue
        measures: dict[str, Any] | None = overlay.get(row.number)
        if measures is None:
            overlay[row.number] = measures = {
                "runs": 0,
                "s": 0.0,
                "self": 0.0,
                "bytes": 0,
                "min": None,
                "max": None,
                "mean": None,
                "nan": 0,
                "inf": 0,
                "made": 0,
            }
        is_hidden = trace.listing.ops[row.number].name != row.op
        measures["self"] += row.self_seconds
        if is_hidden:  # an operation in a region that is not printed: only its time counts
            continue
        measures["runs"] += 1
        measures["s"] += row.seconds
        measures["bytes"] = max(measures["bytes"], row.collected.bytes)
        measures["made"] += row.collected.made_nan
        for summary in row.results:
            measures["nan"] += summary.nan
            measures["inf"] += summary.infinite
            if summary.minimum is not None and summary.maximum is not None:
                low, high = measures["min"], measures["max"]
                measures["min"] = summary.minimum if low is None else min(low, summary.minimum)
                measures["max"] = summary.maximum if high is None else max(high, summary.maximum)
                measures["mean"] = plain(summary.mean)
        if row.operands and "operands" not in measures:
            measures["operands"] = [list(map(plain, as_numbers(summary))) for summary in row.operands]
        histogram = row.collected.histogram
        if histogram is not None:
            measures["hist"] = [histogram.low, histogram.high, list(histogram.counts)]
    return overlay


def shadow_overlay(listing: ProgramListing, records: Iterable[ShadowRecordLike], filename: str) -> Overlay:
    """For each operation: the largest error in ULP, lost bits, a note. Equal operations share a record."""
    numbers: dict[tuple[str, str, str], list[int]] = {}
    for number, operation in listing.operations().items():
        op = listing.ops[number]
        key = (op.name, op.function, location_of(operation, filename))
        numbers.setdefault(key, []).append(number)
    overlay: Overlay = {}
    for record in records:
        for number in numbers.get((record.op, record.function, record.location), ()):
            entry = overlay.get(number)
            if entry is None or record.bits_lost > entry[1]:
                overlay[number] = [plain(record.max_ulp), record.bits_lost, record.note]
    return overlay


def diff_overlay(listing: ProgramListing, findings: Sequence[FindingLike]) -> Overlay:
    """For each operation: the worst verdict, its ULP, relative error and position. Findings number operations
    in walk order."""
    order = operations_within(listing.module.operation)
    overlay: Overlay = {}
    severities: dict[int, Any] = {}
    for finding in findings:
        if not 0 <= finding.number < len(order):
            continue
        number = listing.number(order[finding.number])
        comparison: ComparisonLike = finding.comparison
        if number < 0 or (number in severities and severities[number] >= comparison.severity):
            continue
        severities[number] = comparison.severity
        overlay[number] = [
            comparison.verdict,
            plain(comparison.max_ulp),
            plain(comparison.relative),
            finding.path,
        ]
    return overlay


def memory(trace: RunTrace) -> dict[str, Any] | None:
    """The peak of live values, and the bytes of live values by step as at most `_POINTS` points, each the
    highest of its interval."""
    peak = trace.peak
    if peak.at is None:
        return None
    highest = max(trace, key=lambda row: row.live).record.process
    rows = [row for row in trace if row.record.process == highest]
    size = -(-len(rows) // _POINTS)
    points = [max(rows[at : at + size], key=lambda row: row.live) for at in range(0, len(rows), size)]
    position = {row.index: number for number, row in enumerate(rows)}
    return {
        "steps": len(rows),
        "points": [(position[row.index], row.live, row.number) for row in points],
        "peak": peak.bytes,
        "at": [peak.at.label, peak.at.op, peak.at.source, peak.at.number],
        "alive": [
            (value.bytes, value.label, value.op, value.source, value.number)
            for value in peak.alive[:_MOST_ALIVE]
        ],
        "more": max(0, len(peak.alive) - _MOST_ALIVE),
    }


_POINTS = 600
_MOST_ALIVE = 200
