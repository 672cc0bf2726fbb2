"""The report of a comparison: a verdict, the first and the worst operation, the growth of errors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from hlokit.display import html
from hlokit.display.junit import Case, suite
from hlokit.tools.diff.comparing.findings import Finding, details
from hlokit.tools.diff.comparing.verdicts import DIFFERING, NOT_COMPARED, Comparison, Verdict
from hlokit.tools.diff.words import WIDTH, wrapped

Mode = Literal["auto", "whole", "isolated", "values", "programs", "recording"]
Outcome = Literal["same", "within", "differs", "unknown"]

# The number of names that a list of operations shows.
_NAMES = 4
# The number of results that the text shows, and of operations that a notebook shows.
_RESULTS = 8
_ROWS = 500
_OUTCOMES: dict[Outcome, str] = {
    "same": "the same",
    "within": "the same within roundings",
    "differs": "differs",
    "unknown": "could not be compared",
}
_STATUS: dict[Outcome, int] = {"same": 0, "within": 0, "differs": 1, "unknown": 2}


@dataclass(frozen=True, slots=True)
class DiffReport:
    """The outcome of `hlokit.diff`. `print` shows the report; a notebook shows the same content.

    Attributes:
      program: the name of the program.
      side: the name of the other side.
      modes: the modes of the comparison: `whole`, `isolated`, `values`, `programs`, `recording`.
      results: the comparison of each result of the program; () if the other side returned no results.
      findings: results of operations that are not exactly the same, in the order of the run.
      first: the first operation that differs; None if no operation differs.
      exact: the number of results of operations with the same bits.
      skipped: the number of evaluations that could not be compared, by operation.
      notes: further remarks.
      seconds: the time of each mode.
      changes: two programs of the same structure: their differences, in words.
      stage: the stage of the compiler at fault, in words, where no operation alone shows the difference.
    """

    program: str
    side: str
    modes: tuple[Mode, ...]
    results: tuple[Comparison, ...]
    findings: tuple[Finding, ...]
    first: Finding | None
    exact: int = 0
    skipped: dict[str, int] = field(default_factory=dict[str, int])
    notes: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    changes: tuple[str, ...] = ()
    stage: str = ""

    @property
    def outcome(self) -> Outcome:
        """`same`, `within` (the same within roundings), `differs`, `unknown` (nothing could be compared)."""
        verdicts = {finding.comparison.verdict for finding in self.findings}
        whole = {comparison.verdict for comparison in self.results}
        if (whole or verdicts) & (DIFFERING - NOT_COMPARED):
            return "differs"
        if "killed" in verdicts | whole:  # a lack of resources says nothing about the program
            return "unknown"
        # Where all results could be compared, operations are only compared to find a fault.
        if whole & NOT_COMPARED or (not whole and self.not_compared):
            return "unknown"
        if not whole and not self.exact and not verdicts:
            return "unknown" if self.modes and self.notes else "same"
        return "same" if verdicts | whole <= {"exact", "missing", "follows", *NOT_COMPARED} else "within"

    @property
    def is_hidden(self) -> bool:
        """Whether an operation differs, but no result by more than is allowed."""
        return self.outcome in ("same", "within") and bool(self.differing)

    @property
    def not_compared(self) -> int:
        """The number of results of operations that the other side did not return."""
        return sum(finding.comparison.verdict in NOT_COMPARED for finding in self.findings)

    @property
    def status(self) -> int:
        """The exit status of the command: 0; 1 if the sides differ; 2 if they could not be compared."""
        return _STATUS[self.outcome]

    @property
    def headline(self) -> str:
        """The outcome in words."""
        outcome = _OUTCOMES[self.outcome]
        if self.outcome == "unknown":
            outcome += self._unknown_values()
        elif self.skipped and self.modes == ("isolated",):
            outcome += f"; {sum(self.skipped.values())} evaluations cannot be isolated"
        elif self.is_hidden and not self.changes:
            outcome += "; no result shows the difference of an operation"
        if self.changes and self.outcome != "differs":
            where = "" if self.outcome == "unknown" else " on these inputs"
            outcome += f"{where}; the programs differ at {self.changes[0]}"
        return outcome

    def _unknown_values(self) -> str:
        total = self.exact + len(self.findings)
        parts = ["the results"] if self._failed_results else []
        if self.not_compared:
            parts.append(f"{self.not_compared} of {total} values of operations")
        return f": {' and '.join(parts)}" * bool(parts)

    @property
    def _failed_results(self) -> bool:
        return any(comparison.verdict in NOT_COMPARED for comparison in self.results)

    @property
    def differing(self) -> list[Finding]:
        """The findings whose verdict is a difference."""
        return [finding for finding in self.findings if finding.comparison.verdict in DIFFERING]

    @property
    def explanations(self) -> dict[str, int]:
        """What the other side did instead, in words, with the numbers of differences that it explains."""
        words = [finding.comparison.explanation for finding in self._explainable]
        return dict(Counter(filter(None, words)))

    @property
    def _explainable(self) -> list[Finding]:
        """The findings that differ, or, if none does, those within what is allowed."""
        within = [finding for finding in self.findings if finding.comparison.verdict == "within"]
        return self.differing or within

    @property
    def worst(self) -> Finding | None:
        """The finding that exceeds the allowed difference most; None if there is none."""
        return max(self.findings, key=lambda finding: finding.comparison.severity, default=None)

    @property
    def counts(self) -> dict[Verdict, int]:
        """The number of results of operations with each verdict."""
        counts = Counter[Verdict](finding.comparison.verdict for finding in self.findings)
        counts["exact"] += self.exact
        return dict(counts)

    @property
    def growth(self) -> list[Finding]:
        """The findings whose distance from hlokit's values, including errors of operands, is more than twice
        that of the previous such finding."""
        grown: list[Finding] = []
        most = 0.0
        for finding in self.findings:
            if finding.inherited is not None and finding.inherited > 2 * most:
                most = finding.inherited
                grown.append(finding)
        return grown

    def as_dict(self) -> dict[str, Any]:
        """The report as plain Python values, for JSON; numbers that are not finite are strings."""
        return _plain(
            {
                "program": self.program,
                "side": self.side,
                "outcome": self.outcome,
                "headline": self.headline,
                "status": self.status,
                "not_compared": self.not_compared,
                "modes": list(self.modes),
                "results": [asdict(comparison) for comparison in self.results],
                "first": None if self.first is None else self.first.as_dict(),
                "worst": None if self.worst is None else self.worst.as_dict(),
                "counts": self.counts,
                "skipped": self.skipped,
                "findings": [finding.as_dict() for finding in self.findings],
                "notes": list(self.notes),
                "changes": list(self.changes),
                "stage": self.stage,
                "explanations": self.explanations,
                "seconds": self.seconds,
            }
        )

    def junit(self) -> str:
        """A test suite in JUnit's XML: a case for each operation at fault, and one for the results."""
        lines = [f"result {n}: {comparison!s}" for n, comparison in enumerate(self.results)]
        text = "\n".join([self.headline, *lines, *filter(None, [self.stage])])
        is_bad = self.outcome == "differs" and not self.differing  # otherwise an operation is at fault
        skipped = self.headline if self.outcome == "unknown" else None
        cases = [_case("results", self.headline if is_bad else None, text, skipped)]
        for finding in self.findings:
            measure = str(finding.comparison)
            is_skipped = finding.comparison.verdict in NOT_COMPARED
            is_bad = finding.comparison.verdict in DIFFERING and not is_skipped and self.outcome == "differs"
            name = " ".join(filter(None, (finding.op, finding.type, finding.path, finding.source)))
            if is_bad or is_skipped:
                text = "\n".join(details(finding))
                cases.append(_case(name, measure if is_bad else None, text, measure))
        for op, count in self.skipped.items():
            cases.append(_case(op, skipped=f"{count} not compared"))
        return suite(f"{self.program} against {self.side}", cases, round(sum(self.seconds.values()), 3))

    def __str__(self) -> str:
        return "\n".join(self._lines())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        outcome = html.escape(self.headline)
        kind = ' class="bad"' if self.outcome == "differs" else ""
        head = html.facts(
            (self.program, f"<span{kind}>{outcome}</span>"),
            ("against", html.escape(self.side)),
            ("values", ", ".join(f"{count:,} {verdict}" for verdict, count in self.counts.items() if count)),
        )
        named = "".join(
            f'<div class="head"><b>{title}</b> '
            f'<span class="mono">{html.escape(finding.op)} {html.escape(finding.type)}</span>'
            f"<br>{'<br>'.join(map(html.escape, details(finding)))}</div>"
            for title, finding in self._named()
        )
        notes = "".join(f'<div class="dim">{html.escape(note)}</div>' for note in self.notes)
        results = "".join(
            f'<div class="dim">{html.escape(f"{title} {text}")}</div>' for title, text in self._results()
        )
        rows = [finding for finding in self.findings if finding.comparison.verdict != "exact"]
        if len(rows) > _ROWS:
            results += f'<div class="dim">the first {_ROWS:,} of {len(rows):,} operations</div>'
        columns = ("#", "operation", "type", "verdict", "ULP", "relative", "where", "source")
        return html.fragment(head + results + named + html.table(columns, map(_row, rows[:_ROWS])) + notes)

    def _lines(self) -> Iterator[str]:
        yield f"{self.program} against {self.side}: {self.headline}"
        for title, text in self._results():
            yield from wrapped(title, text)
        if self.stage:
            yield from wrapped("stage", self.stage)
        for title, finding in self._named():
            yield ""
            yield from wrapped(title, " ".join(filter(None, (finding.op, finding.type))))
            for detail in details(finding):
                yield from wrapped("", detail)
        growth = self.growth
        if len(growth) > 1:
            yield ""
            yield "growth    relative error  operation"
            for finding in growth[-8:]:
                assert finding.inherited is not None
                line = f"{finding.inherited:24.1e}  {finding.op}  {finding.source}"
                yield line if len(line) <= WIDTH else line[: WIDTH - 3] + "..."
        if self.exact or self.findings or self.skipped:
            yield ""
            counts = [f"{count} {verdict}" for verdict, count in self.counts.items() if count]
            if self.skipped:
                names = list(self.skipped)
                which = ", ".join(names[:_NAMES]) + (", ..." if len(names) > _NAMES else "")
                counts.append(f"{sum(self.skipped.values())} not compared ({which})")
            yield from wrapped("values", ", ".join(counts))
        for words, count in self.explanations.items():
            yield from wrapped("explained", f"{words} ({count} of {len(self._explainable)} differences)")
        for note in self.notes:
            yield from wrapped("note", note)

    def _results(self) -> Iterator[tuple[str, str]]:
        """Results that are not exactly the same: if there are many, the first that differ, or the first."""
        inexact = [
            (n, comparison) for n, comparison in enumerate(self.results) if comparison.verdict != "exact"
        ]
        shown = [(n, comparison) for n, comparison in inexact if comparison.verdict in DIFFERING] or inexact
        for number, comparison in shown[:_RESULTS]:
            yield f"result {number}", str(comparison)
            if comparison.explanation:
                yield "", f"explanation: {comparison.explanation}"
        more = len(inexact) - min(len(shown), _RESULTS)
        if more:
            yield "", f"and {more} more that differ by less or are within what is allowed"

    def _named(self) -> list[tuple[str, Finding]]:
        if self.first is None:
            return list(self._noteworthy())
        worst = max(self.differing, key=lambda finding: finding.comparison.severity, default=self.first)
        return [("first", self.first)] + ([("worst", worst)] if worst is not self.first else [])

    def _noteworthy(self) -> Iterator[tuple[str, Finding]]:
        """The largest difference, and the first operation that could not be compared."""
        compared = [finding for finding in self.findings if finding.comparison.verdict not in NOT_COMPARED]
        largest = max(compared, key=lambda finding: finding.comparison.severity, default=None)
        if largest is not None and largest.comparison.verdict != "exact":
            yield "largest", largest
        unknown = next(
            (finding for finding in self.findings if finding.comparison.verdict in NOT_COMPARED), None
        )
        if unknown is not None:
            yield "unknown", unknown


def _row(finding: Finding) -> tuple[str, ...]:
    comparison = finding.comparison
    verdict = comparison.verdict
    kind = "bad" if verdict in DIFFERING else ""
    return (
        html.number(finding.order),
        finding.op,
        finding.type,
        html.Cell(f'<span class="{kind}">{html.escape(verdict)}</span>'),
        html.number(comparison.max_ulp),
        html.number(comparison.relative),
        finding.path or f"@{finding.function}",
        finding.source,
    )


def _case(name: str, failure: str | None = None, text: str = "", skipped: str | None = None) -> Case:
    return Case(name, "hlokit.diff", failure, text, skipped)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] # JSON
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]  # pyright: ignore[reportUnknownVariableType] # JSON
    return value


def first_of(findings: Sequence[Finding]) -> Finding | None:
    """The first finding whose verdict is a difference."""
    return next((finding for finding in findings if finding.comparison.verdict in DIFFERING), None)
