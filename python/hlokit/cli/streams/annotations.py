"""Diagnostics for other programs: SARIF, GitHub's annotations, JUnit's XML."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from hlokit.display.printable import printable
from hlokit.errors import Diagnostic

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Checked(NamedTuple):
    """What a command found in a file.

    Attributes:
      rules: the rule of each diagnostic, "" without one.
    """

    file: str
    diagnostics: Sequence[Diagnostic]
    rules: Sequence[str] = ()

    def with_rules(self) -> list[tuple[Diagnostic, str]]:
        """Each diagnostic with its rule."""
        rules = self.rules or [""] * len(self.diagnostics)
        return list(zip(self.diagnostics, rules, strict=True))


def sarif(checked: Sequence[Checked]) -> str:
    """A log in SARIF 2.1.0."""
    from hlokit import __version__

    results = [_result(item, rule) for one in checked for item, rule in one.with_rules()]
    rules = sorted({result["ruleId"] for result in results})
    driver = {"name": "hlokit", "version": __version__, "rules": [{"id": rule} for rule in rules]}
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}
    return json.dumps(log, indent=2) + "\n"


def _result(item: Diagnostic, rule: str) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": item.file.replace("\\", "/")}}
    if item.line:
        place["region"] = {"startLine": item.line, "startColumn": max(item.column, 1)}
    return {
        "ruleId": rule or item.severity,
        "level": {"remark": "note"}.get(item.severity, item.severity),
        "message": {"text": _whole(item)},
        "locations": [{"physicalLocation": place}],
    }


def github(checked: Sequence[Checked]) -> str:
    """Commands that GitHub Actions shows beside the lines of a change."""
    lines: list[str] = []
    for one in checked:
        for item, rule in one.with_rules():
            kind = item.severity if item.severity in ("error", "warning") else "notice"
            fields = {"file": item.file, "line": item.line or "", "col": item.column or "", "title": rule}
            stated = ",".join(f"{key}={_field(str(value))}" for key, value in fields.items() if value)
            lines.append(f"::{kind} {stated}::{_data(_whole(item))}\n")
    return "".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _field(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def junit(checked: Sequence[Checked]) -> str:
    """A test suite in JUnit's XML, with a case for each file."""
    failures = 0
    cases: list[str] = []
    for one in checked:
        text = "\n".join(f"{item.place}: {item.severity}: {_whole(item)}" for item in one.diagnostics)
        errors = [item for item in one.diagnostics if item.severity == "error"]
        failures += bool(errors)
        message = quoteattr(printable(errors[0].message)) if errors else ""
        body = f"<failure message={message}>{escape(printable(text))}</failure>" if errors else ""
        output = "" if errors or not text else f"<system-out>{escape(printable(text))}</system-out>"
        cases.append(f"<testcase name={quoteattr(printable(one.file))}>{body}{output}</testcase>")
    head = f'<testsuite name="hlokit" tests="{len(cases)}" failures="{failures}">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *cases, "</testsuite>", ""])


def _whole(item: Diagnostic) -> str:
    """The message with its notes."""
    return "\n".join([item.message, *(f"{note.place}: note: {note.message}" for note in item.notes)])


FORMATS: dict[str, Callable[[Sequence[Checked]], str]] = {"sarif": sarif, "github": github, "junit": junit}
