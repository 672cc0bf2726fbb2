"""Reports as data: paragraphs and tables, stored as JSON in docs/measured, shown as Markdown by the site."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Table:
    """Rows of cells below the names of their columns."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


Report = Sequence[str | Table]


def markdown(report: Report) -> str:
    """A report as Markdown."""
    return "\n\n".join(part if isinstance(part, str) else _table(part) for part in report) + "\n"


def _table(table: Table) -> str:
    head = [_row(table.columns), f"|{'---|' * len(table.columns)}"]
    return "\n".join([*head, *map(_row, table.rows)])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def write(path: Path, report: Report) -> None:
    """Store a report as JSON, with a line for each row."""
    parts = [
        json.dumps(part)
        if isinstance(part, str)
        else "[\n  " + ",\n  ".join(json.dumps(row) for row in (part.columns, *part.rows)) + "\n ]"
        for part in report
    ]
    path.write_text("[\n " + ",\n ".join(parts) + "\n]\n")


def read(path: Path) -> Report:
    """A report that `write` has stored."""
    parts: list[str | list[list[str]]] = json.loads(path.read_text())
    return [part if isinstance(part, str) else Table(part[0], part[1:]) for part in parts]
