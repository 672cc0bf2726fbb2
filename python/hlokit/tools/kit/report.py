"""The report of a run of the kit: counts by operation and type, measured distances, failures."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, TypeVar, cast

from hlokit.errors import ArgumentError
from hlokit.tools.kit.judging import BINS, VERDICTS, Outcome, Verdict
from hlokit.tools.kit.recipes import TYPES, VERSION


@dataclass(frozen=True, slots=True)
class Cell:
    """The cases of an operation, or of an operation on a type.

    Attributes:
      counts: cases by verdict.
      ulps: the largest distance of values in cases that passed or failed, in ULP.
      mean: the mean of the cases' mean distances.
      histogram: numbers of values by distance: see `judging.BINS`.
    """

    counts: Counter[Verdict]
    ulps: float
    mean: float
    histogram: tuple[int, ...]

    @property
    def verdict(self) -> Verdict:
        """Failed if a case failed, passed only if all cases that are not open or unsupported passed."""
        for verdict in ("failed", "not run"):
            if self.counts[verdict]:
                return verdict
        if self.counts["passed"] or self.counts["open"]:
            return "unsupported" if self.counts["unsupported"] else "passed"
        return "unsupported"


class Baseline(NamedTuple):
    """What an earlier report says: verdicts by the ids of cases, largest distances by operation and type."""

    verdicts: dict[str, str]
    ulps: dict[tuple[str, str], float]


@dataclass(slots=True)
class KitReport:
    """The outcomes of a run.

    Attributes:
      side: the side's name.
      profile: the name of the profile; "" without one, when an unsupported case breaks no claim.
      outcomes: of all cases.
      notes: remarks, such as cases that are not repeatable.
      risen: what became worse than in the baseline.
      seconds: the time of the run.
      processor_seconds: the processor time of the run, its side's included.
    """

    side: str
    profile: str = ""
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    notes: list[str] = field(default_factory=list[str])
    risen: list[str] = field(default_factory=list[str])
    seconds: float = 0.0
    processor_seconds: float = 0.0

    @property
    def counts(self) -> Counter[Verdict]:
        """Cases by verdict."""
        return Counter(outcome.verdict for outcome in self.outcomes)

    @property
    def failures(self) -> list[Outcome]:
        """The cases that failed, and with a profile, those that the side does not support."""
        bad = ("failed", "unsupported") if self.profile else ("failed",)
        return [outcome for outcome in self.outcomes if outcome.verdict in bad]

    @property
    def status(self) -> int:
        """The exit status: 1 for failures, broken claims or a rise; 2 if no case was compared."""
        if self.failures or self.risen:
            return 1
        counts = self.counts
        return 0 if counts["passed"] + counts["open"] else 2

    def by_operation(self) -> dict[str, Cell]:
        """A cell for each operation."""
        return _cells(self.outcomes, lambda outcome: outcome.operation)

    def by_kind(self) -> dict[tuple[str, str], Cell]:
        """A cell for each operation and type."""
        return _cells(self.outcomes, lambda outcome: (outcome.operation, outcome.type_))

    def types(self) -> list[str]:
        """The types of the cases, in the order of the kit."""
        used = {outcome.type_ for outcome in self.outcomes}
        return [type_ for type_ in TYPES if type_ in used] + sorted(used - set(TYPES))

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values; distances that are not finite are strings."""
        document: dict[str, Any] = {
            "kit": VERSION,
            "side": self.side,
            "profile": self.profile,
            "counts": {verdict: self.counts[verdict] for verdict in VERDICTS},
            "status": self.status,
            "seconds": round(self.seconds, 1),
            "processor_seconds": round(self.processor_seconds, 1),
            "notes": self.notes,
            "risen": self.risen,
            "bins": list(BINS),
            "cells": [
                {"operation": operation, "type": type_, **_plain_cell(cell)}
                for (operation, type_), cell in self.by_kind().items()
            ],
            "cases": [asdict(outcome) for outcome in self.outcomes],
        }
        return cast("dict[str, Any]", _plain(document))

    def json(self) -> str:
        """The report as JSON."""
        return json.dumps(self.as_dict(), indent=1) + "\n"

    def compare_with(self, baseline: Baseline) -> None:
        """Fill `risen` from an earlier report."""
        self.risen = [
            f"{outcome.id}: {outcome.verdict}, was {baseline.verdicts[outcome.id]}"
            for outcome in self.outcomes
            if _is_worse(baseline.verdicts.get(outcome.id), outcome.verdict)
        ]
        for kind, cell in self.by_kind().items():
            before = baseline.ulps.get(kind)
            if before is not None and cell.ulps > before:
                self.risen.append(f"{'/'.join(kind)}: {cell.ulps:.4g} ULP, was {before:.4g}")


def baseline_of(text: str) -> Baseline:
    """What an earlier report, as JSON, says.

    Raises:
      ArgumentError: the text is no report.
    """
    try:
        document = json.loads(text)
        return Baseline(
            {case["id"]: case["verdict"] for case in document["cases"]},
            {(cell["operation"], cell["type"]): float(cell["ulps"]) for cell in document["cells"]},
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ArgumentError("--baseline: the file must be a report of this command as JSON") from None


def _is_worse(before: str | None, now: Verdict) -> bool:
    return before in ("passed", "open") and now not in ("passed", "open")


_Key = TypeVar("_Key")


def _cells(outcomes: Sequence[Outcome], key: Callable[[Outcome], _Key]) -> dict[_Key, Cell]:
    groups: defaultdict[_Key, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[key(outcome)].append(outcome)
    return {name: _cell(group) for name, group in groups.items()}


def _cell(outcomes: Sequence[Outcome]) -> Cell:
    measured = [
        outcome for outcome in outcomes if outcome.verdict in ("passed", "failed") and outcome.histogram
    ]
    histograms = [outcome.histogram for outcome in measured]
    return Cell(
        Counter(outcome.verdict for outcome in outcomes),
        max((outcome.ulps for outcome in measured), default=0.0),
        sum(outcome.mean for outcome in measured) / len(measured) if measured else 0.0,
        tuple(map(sum, zip(*histograms, strict=True))),
    )


def _plain_cell(cell: Cell) -> dict[str, Any]:
    counts = {verdict: cell.counts[verdict] for verdict in VERDICTS if cell.counts[verdict]}
    return {
        "verdict": cell.verdict,
        "counts": counts,
        "ulps": cell.ulps,
        "mean": cell.mean,
        "histogram": cell.histogram,
    }


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in cast("list[Any]", value)]
    return value


# The failures that the terminal shows of each operation and type.
_SHOWN = 1


def lines(report: KitReport) -> Iterator[str]:
    """The report for a terminal."""
    heads = f"{'operation':34} {'passed':>7} {'open':>5} {'failed':>6} {'unsupp.':>7} {'not run':>7}"
    yield f"{heads} {'max ULP':>9} {'mean':>9}"
    for operation, cell in report.by_operation().items():
        counts = " ".join(
            f"{cell.counts[verdict] or '':>{width}}"
            for verdict, width in zip(VERDICTS, (7, 5, 6, 7, 7), strict=True)
        )
        yield f"{operation:34} {counts} {cell.ulps:9.3g} {cell.mean:9.3g}"
    shown: Counter[tuple[str, str, str]] = Counter()
    for outcome in report.failures:
        kind = (outcome.operation, outcome.type_, outcome.verdict)
        shown[kind] += 1
        if shown[kind] <= _SHOWN:
            yield ""
            yield f"{outcome.verdict}  {outcome.id}"
            yield f"        {outcome.reason}"
            for what, text in (("explained", outcome.explanation), ("stage", outcome.stage)):
                if text:
                    yield f"        {what}: {text}"
            yield from (f"    {line}" for line in outcome.program.splitlines())
    more = sum(count - _SHOWN for count in shown.values() if count > _SHOWN)
    if more:
        yield f"\nand {more} more failures of the same operations and types"
    for text in report.risen:
        yield f"worse   {text}"
    for note in report.notes:
        yield f"note    {note}"
    counts = ", ".join(f"{report.counts[verdict]} {verdict}" for verdict in VERDICTS)
    yield f"\n{report.side}: {counts} of {len(report.outcomes)} cases, {report.seconds:.0f} s"
