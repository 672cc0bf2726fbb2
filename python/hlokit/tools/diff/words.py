"""Findings in words."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator

from hlokit.tools.diff.comparing.findings import Finding
from hlokit.tools.diff.comparing.verdicts import Comparison, Verdict

WIDTH = 80


def measured(comparison: Comparison) -> str:
    """Verdict and numbers in words."""
    verdict = comparison.verdict
    if verdict in ("crash", "killed", "time-out", "unsupported", "error"):
        return f"{verdict}: {comparison.note}"
    if verdict == "type":
        return f"{comparison.expected} and {comparison.actual}: {comparison.note}"
    if verdict in ("missing", "wiring"):
        return comparison.note
    parts = [_VERDICTS.get(verdict, verdict)]
    if verdict != "not-finite" and (comparison.differing or comparison.max_ulp):
        distance = (
            f"{_number(comparison.max_ulp)} ULP" if comparison.unit else f"off by {comparison.max_ulp:.10g}"
        )
        parts.append(distance)
        if comparison.differing:
            parts.append(f"{_number(comparison.relative)} relative")
    return ", ".join(parts) + (f" ({comparison.note})" if comparison.note else "")


_VERDICTS: dict[Verdict, str] = {
    "exact": "exact",
    "within": "within what is allowed",
    "follows": "follows from other operands",
    "open": "left open by the specification",
    "beyond": "beyond what is allowed",
    "not-finite": "NaN or infinity against a number",
}


def _number(value: float) -> str:
    return "inf" if math.isinf(value) else f"{value:.3g}"


def details(finding: Finding) -> Iterator[str]:
    """A finding in words, line by line."""
    comparison = finding.comparison
    is_called = f"@{finding.function}" in finding.path.split(" > ")  # then the path names the function
    function = f"@{finding.function}" if finding.function and not is_called else ""
    path = ", ".join(filter(None, (function, finding.path)))
    if finding.source:
        yield finding.source
    if path:
        yield f"in {path}"
    yield measured(comparison)
    if comparison.expected and comparison.verdict not in ("type", "wiring"):
        where = f"element {list(comparison.index)}: " if comparison.index else ""
        allowed = f"; allowed: {comparison.allowed}" if comparison.allowed else ""
        yield f"{where}{comparison.expected} here, {comparison.actual} there{allowed}"
    if comparison.explanation:
        yield f"explanation: {comparison.explanation}"
    for number, operand in enumerate(finding.operands):
        yield f"operand {number}: {operand}"


def wrapped(title: str, text: str) -> Iterator[str]:
    """A title and text, in lines of 80 columns."""
    lines = textwrap.wrap(text, WIDTH - 10, break_long_words=False, break_on_hyphens=False) or [""]
    for number, line in enumerate(lines):
        yield f"{title if not number else '':10}{line}"
