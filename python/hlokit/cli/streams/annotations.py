"""Diagnostics for other programs: SARIF, GitHub's annotations, JUnit's XML."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hlokit.display.junit import Case, suite
from hlokit.display.sarif import log as sarif_log
from hlokit.errors import Diagnostic


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
    return json.dumps(sarif_log({"name": "hlokit", "version": __version__}, results), indent=2) + "\n"


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
    return suite("hlokit", list(map(_case, checked)))


def _case(checked: Checked) -> Case:
    text = "\n".join(f"{item.place}: {item.severity}: {_whole(item)}" for item in checked.diagnostics)
    errors = [item.message for item in checked.diagnostics if item.severity == "error"]
    return Case(checked.file, failure=errors[0] if errors else None, details=text, output=text)


def _whole(item: Diagnostic) -> str:
    """The message with its notes."""
    return "\n".join([item.message, *(f"{note.place}: note: {note.message}" for note in item.notes)])


FORMATS: dict[str, Callable[[Sequence[Checked]], str]] = {"sarif": sarif, "github": github, "junit": junit}
