"""Reports of a run of the suites: tables and JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hlokit.tools.conformance.run_file import FileResult

Standing = Literal["passed", "failed", "expected failure", "unexpected pass", "not run"]
STANDINGS: tuple[Standing, ...] = ("passed", "failed", "expected failure", "unexpected pass", "not run")
BAD: tuple[Standing, ...] = ("failed", "unexpected pass")

_SHOWN_REASONS = 20
_PLACE = re.compile(r"^\S+:\d+:\d+: (?:error: )?")


@dataclass(frozen=True, slots=True)
class Entry:
    """The actual and the expected result of a file. `reason` explains an expected failure."""

    result: FileResult
    reason: str | None

    @property
    def standing(self) -> Standing:
        match self.result.verdict:
            case "passed":
                return "passed" if self.reason is None else "unexpected pass"
            case "failed":
                return "failed" if self.reason is None else "expected failure"
            case "not run":
                return "not run"


def suites_table(entries: Sequence[Entry]) -> str:
    """A row for each suite: files by standing, and lines."""
    rows: list[list[str]] = []
    suites = list(dict.fromkeys(entry.result.file.suite for entry in entries))
    for suite in [*suites, *(["all"] if len(suites) > 1 else [])]:
        chosen = [entry for entry in entries if suite in ("all", entry.result.file.suite)]
        lines = sum(entry.result.lines for entry in chosen)
        not_run = sum(len(entry.result.lines_not_run) for entry in chosen)
        disabled = sum(entry.result.disabled for entry in chosen)
        rows.append([suite, *_counts(chosen), str(lines), str(not_run), str(disabled)])
    return _table(["suite", "files", *STANDINGS, "lines run", "not run", "off upstream"], rows)


def operations_table(entries: Sequence[Entry]) -> str:
    """A row for each operation: the files that contain the operation, by standing."""
    by_name: dict[str, list[Entry]] = {}
    for entry in entries:
        for name in entry.result.operations:
            by_name.setdefault(name, []).append(entry)
    rows = [[name, *_counts(by_name[name])] for name in sorted(by_name)]
    return _table(["operation", "files", *STANDINGS], rows)


def reasons_not_run(entries: Iterable[Entry]) -> str:
    """The reasons for lines that were not run, with counts: the most frequent ones, without places."""
    reasons = Counter(_PLACE.sub("", reason) for entry in entries for reason in entry.result.lines_not_run)
    shown = [f"{count} not run: {reason}\n" for reason, count in reasons.most_common(_SHOWN_REASONS)]
    rest = sum(reasons.values()) - sum(count for _, count in reasons.most_common(_SHOWN_REASONS))
    return "".join(shown) + f"{rest} not run for other reasons\n" * bool(rest)


def as_json(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Everything about every file."""
    return [
        {
            "file": entry.result.file.name,
            "suite": entry.result.file.suite,
            "standing": entry.standing,
            "reason": entry.reason,
            "message": entry.result.message,
            "lines": entry.result.lines,
            "lines_not_run": list(entry.result.lines_not_run),
            "lines_off_upstream": entry.result.disabled,
            "operations": list(entry.result.operations),
            "seconds": round(entry.result.seconds, 3),
        }
        for entry in entries
    ]


def _counts(entries: Sequence[Entry]) -> list[str]:
    counts = Counter(entry.standing for entry in entries)
    return [str(len(entries)), *(str(counts[standing]) for standing in STANDINGS)]


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in (header, *rows)
    ]
    return "".join(f"{line.rstrip()}\n" for line in lines)
