"""The report of the kit as files: JSON, JUnit, Markdown, HTML, SARIF or a badge, by the end of a name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hlokit.display import html
from hlokit.display.junit import Case, suite
from hlokit.display.sarif import log as sarif_log
from hlokit.tools.kit.judging import BINS, VERDICTS, Outcome
from hlokit.tools.kit.recipes import VERSION, kind_of
from hlokit.tools.kit.report import Cell, KitReport, lines

# The signs of cells in tables.
_SIGNS = MappingProxyType({"passed": "✓", "open": "○", "failed": "✗", "unsupported": "-", "not run": "?"})


def text_of(report: KitReport, path: str) -> str:
    """The report in the form that a file's name asks for; plain text for other names."""
    form = _FORMS.get(Path(path).suffix)
    return "\n".join(lines(report)) + "\n" if form is None else form(report)


def markdown(report: KitReport) -> str:
    """Tables for a page: all operations by type, then distances, then failures."""
    types = report.types()
    cells = report.by_kind()
    rows = [f"| operation | {' | '.join(types)} |", f"|---|{'---|' * len(types)}"]
    for operation in report.by_operation():
        signs = [_signed(cells.get((operation, type_))) for type_ in types]
        rows.append(f"| {operation} | {' | '.join(signs)} |")
    counts = ", ".join(f"{report.counts[verdict]} {verdict}" for verdict in VERDICTS)
    distances = [
        f"| {operation} | {type_} | {cell.ulps:.4g} | {cell.mean:.3g} |"
        for (operation, type_), cell in cells.items()
        if cell.ulps and cell.verdict != "failed"
    ]
    return "\n".join(
        [
            f"## {report.side}",
            "",
            f"{counts}; kit {VERSION}.",
            "",
            "✓ passed, ○ open, ✗ failed, - unsupported (✓- in part), ? not run; empty: no case.",
            "",
            *rows,
            "",
            "### Distances of passing cases",
            "",
            "| operation | type | largest, ULP | mean, ULP |",
            "|---|---|---|---|",
            *distances,
            "",
            "### Failures",
            "",
            "The first case of each operation and type, with a program for each kind of them:",
            *(_failures(report) or ["", "none"]),
            "",
        ]
    )


def _signed(cell: Cell | None) -> str:
    if cell is None:
        return ""
    if cell.verdict == "unsupported" and cell.counts["passed"]:
        return _SIGNS["passed"] + _SIGNS["unsupported"]
    if cell.verdict == "passed" and not cell.counts["passed"]:
        return _SIGNS["open"]
    return _SIGNS[cell.verdict]


def _one_of_each(report: KitReport) -> Iterator[Outcome]:
    """The first failure of each operation and type."""
    listed: set[tuple[str, str]] = set()
    for outcome in report.outcomes:
        kind = (outcome.operation, outcome.type_)
        if outcome.verdict == "failed" and kind not in listed:
            listed.add(kind)
            yield outcome


def _failures(report: KitReport) -> list[str]:
    """The first failures of operations and types, by their kinds."""
    kinds: dict[str, list[Outcome]] = {}
    for outcome in _one_of_each(report):
        kinds.setdefault(kind_of(outcome.operation, outcome.type_), []).append(outcome)
    texts: list[str] = []
    for kind, outcomes in kinds.items():
        texts += ["", f"#### {kind}", "", *map(_as_item, outcomes)]
        program = next((outcome.program for outcome in outcomes if outcome.program), "")
        if program:
            texts += ["", "```mlir", *program.splitlines(), "```"]
    return texts


def _as_item(outcome: Outcome) -> str:
    explained = f" ({outcome.explanation})" if outcome.explanation else ""
    stage = f" [{outcome.stage}]" if outcome.stage else ""
    return f"- `{outcome.id}`: {' '.join(outcome.reason.split())}{explained}{stage}".replace("<", "&lt;")


def page(report: KitReport) -> str:
    """A page of HTML that loads nothing: the table of operations and types, failures, histograms."""
    cells = report.by_kind()
    types = report.types()
    counts = ", ".join(f"{report.counts[verdict]:,} {verdict}" for verdict in VERDICTS)
    head = html.facts((report.side, html.escape(counts)), ("kit", html.escape(str(VERSION))))
    grid = html.table(
        ("operation", *types),
        [
            (operation, *(_coloured(cells.get((operation, type_))) for type_ in types))
            for operation in report.by_operation()
        ],
    )
    names = [f"≤ {bin_:g}" for bin_ in BINS[:-1]] + ["more"]
    distances = html.table(
        ("operation", "type", "largest, ULP", "mean, ULP", *names),
        [
            (
                operation,
                type_,
                html.number(cell.ulps),
                html.number(cell.mean),
                *map(html.number, cell.histogram),
            )
            for (operation, type_), cell in cells.items()
            if cell.histogram
        ],
    )
    failures = html.table(
        ("case", "verdict", "reason", "explanation", "stage", "program"),
        [
            (
                outcome.id,
                outcome.verdict,
                outcome.reason,
                outcome.explanation,
                outcome.stage,
                html.Cell(f"<pre>{html.escape(outcome.program)}</pre>" if outcome.program else ""),
            )
            for outcome in report.failures
        ],
    )
    body = head + "<h3>Operations</h3>" + grid + "<h3>Failures</h3>" + failures
    body += "<h3>Distances</h3>" + distances
    title = html.escape(f"Conformance of {report.side}")
    return f'<!doctype html>\n<meta charset="utf-8"><title>{title}</title>\n{html.fragment(body)}\n'


def _coloured(cell: Cell | None) -> html.Cell:
    if cell is None:
        return html.Cell("")
    kind = ' class="bad"' if cell.verdict == "failed" else ""
    words = ", ".join(f"{count} {verdict}" for verdict, count in cell.counts.items())
    return html.Cell(f'<span{kind} title="{html.escape(words)}">{_signed(cell)}</span>')


def junit(report: KitReport) -> str:
    """A suite in JUnit's XML, with a case for each case of the kit."""
    failed = {outcome.id for outcome in report.failures}
    cases = [_case(outcome, outcome.id in failed) for outcome in report.outcomes]
    return suite(f"conformance of {report.side}", cases, report.seconds)


def _case(outcome: Outcome, has_failed: bool) -> Case:
    reason = " ".join(outcome.reason.split())
    is_skipped = outcome.verdict in ("unsupported", "not run")
    return Case(
        outcome.id.partition("/")[2],
        outcome.operation,
        failure=reason if has_failed else None,
        details="\n".join(filter(None, (outcome.explanation, outcome.program))),
        skipped=reason if is_skipped else None,
        seconds=outcome.seconds,
    )


def sarif(report: KitReport) -> str:
    """Failures as results of SARIF 2.1.0, with operations as rules."""
    results: list[dict[str, Any]] = [
        {
            "ruleId": outcome.operation,
            "level": "error" if outcome.verdict == "failed" else "warning",
            "message": {"text": f"{outcome.id}: {outcome.reason or outcome.verdict}"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": f"{outcome.id}.mlir"},
                        "region": {"startLine": 1},
                    }
                }
            ],
            "partialFingerprints": {"case": outcome.id},
        }
        for outcome in report.failures
    ]
    return json.dumps(sarif_log({"name": "hlokit conformance"}, results), indent=1) + "\n"


def badge(report: KitReport) -> str:
    """A badge: the share of tried cases that passed or are open."""
    counts = report.counts
    tried = counts["passed"] + counts["open"] + counts["failed"]
    # Rounded down: one failure is never "100 %".
    share = f"{(counts['passed'] + counts['open']) * 1000 // tried / 10:g} %" if tried else "not run"
    colour = "#9f9f9f" if not tried else "#3c8b3c" if not counts["failed"] else "#c05621"
    label, width = f"StableHLO kit {VERSION}", 104
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 60}" height="20" role="img" '
        f'aria-label="{label}: {share}"><rect width="{width}" height="20" fill="#555"/>'
        f'<rect x="{width}" width="60" height="20" fill="{colour}"/>'
        f'<g fill="#fff" text-anchor="middle" font-family="sans-serif" font-size="11">'
        f'<text x="{width // 2}" y="14">{label}</text>'
        f'<text x="{width + 30}" y="14">{share}</text></g></svg>\n'
    )


_FORMS: MappingProxyType[str, Callable[[KitReport], str]] = MappingProxyType(
    {
        ".json": KitReport.json,
        ".md": markdown,
        ".html": page,
        ".xml": junit,
        ".sarif": sarif,
        ".svg": badge,
    }
)
