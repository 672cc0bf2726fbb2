"""`--verify-diagnostics`: the diagnostics that comments of the input announce, and no others.

A comment `expected-error@+1 {{part of the message}}` at the end of a line announces a diagnostic on the next
line. The forms are those of the MLIR tools: `error`, `warning`, `remark`, `note`; `@+n` and `@-n` count lines
from the comment's, `@above` and `@below` mean the nearest line without such a comment, `@unknown` a
diagnostic without position; after `-re`, text in double braces is a regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from hlokit.errors import Diagnostic, Severity

_COMMENT = re.compile(
    r"expected-(?P<kind>error|note|remark|warning)(?P<regex>-re)? *"
    r"(?:@(?P<place>[+-]\d+|above|below|unknown))? *\{\{(?P<message>.*)\}\}$"
)
_PATTERN = re.compile(r"\{\{(.*?)\}\}")
# MLIR adds this note to errors of verifiers, but the MLIR tools omit it when they verify diagnostics.
_OPERATION_NOTE = "see current operation"


@dataclass(frozen=True, slots=True)
class Expected:
    """An announced diagnostic.

    Attributes:
      line: where the diagnostic must be, 0 for a diagnostic without position.
      written: the line of the comment, and its column.
    """

    severity: Severity
    message: str
    is_regex: bool
    line: int
    written: tuple[int, int]

    def matches(self, message: str) -> bool:
        if not self.is_regex:
            return self.message in message
        return self._pattern().search(message) is not None

    def is_near(self, diagnostic: Diagnostic, filename: str) -> bool:
        """Whether the comment announces the diagnostic, perhaps with another severity."""
        if diagnostic.line == 0:
            is_there = self.line == 0
        else:
            is_there = diagnostic.file == filename and self.line == diagnostic.line
        return is_there and self.matches(diagnostic.message)

    def _pattern(self) -> re.Pattern[str]:
        parts = _PATTERN.split(self.message)
        literal = [re.escape(part) for part in parts[::2]]
        patterns = [f"(?:{part})" for part in parts[1::2]] + [""]
        return re.compile("".join(a + b for a, b in zip(literal, patterns, strict=True)))

    def problem(self) -> str | None:
        """The error of the regular expression."""
        if not self.is_regex:
            return None
        if _PATTERN.sub("", self.message).count("{{"):
            return "found start of regex with no end '}}'"
        try:
            self._pattern()
        except re.error as error:
            return f"invalid regex: {error}"
        return None


def expectations(text: str) -> Iterator[Expected]:
    """The announced diagnostics of a text, in order.

    `@above` and `@below` of neighbouring comments mean the same line.
    """
    waiting: list[Expected] = []
    last_line = 1
    number = 1
    for number, line in enumerate(text.split("\n"), start=1):
        match = _COMMENT.search(line.rstrip())
        if match is None:
            for expected in waiting:
                yield replace(expected, line=number)
            waiting = []
            last_line = number
            continue
        where = match["place"] or "+0"
        kind: Severity = match["kind"]  # pyright: ignore[reportAssignmentType] # the expression lists them
        expected = Expected(kind, match["message"], bool(match["regex"]), number, (number, match.start() + 1))
        if where == "below":
            waiting.append(expected)
        elif where == "above":
            yield replace(expected, line=last_line)
        elif where == "unknown":
            yield replace(expected, line=0)
        else:
            yield replace(expected, line=number + int(where))
    for expected in waiting:
        yield replace(expected, line=number)


def differences(
    text: str, filename: str, diagnostics: Iterable[Diagnostic], *, only_expected: bool = False
) -> list[Diagnostic]:
    """Diagnostics that occurred but were not announced, and announced diagnostics that did not occur.

    Args:
      only_expected: accept unannounced diagnostics.
    """
    expected = [item for item in expectations(text) if item.problem() is None]
    problems = [
        Diagnostic("error", problem, filename, *item.written)
        for item in expectations(text)
        if (problem := item.problem()) is not None
    ]
    # One comment may announce several diagnostics: MLIR emits some twice.
    matched: set[Expected] = set()
    for diagnostic in _flat(diagnostics):
        near = [item for item in expected if item.is_near(diagnostic, filename)]
        same = [item for item in near if item.severity == diagnostic.severity]
        if same:
            matched.add(same[0])
        elif near:
            message = f"'{diagnostic.severity}' diagnostic emitted when expecting a '{near[-1].severity}'"
            problems.append(Diagnostic("error", message, filename, *near[-1].written))
        elif not only_expected:
            message = f"unexpected {diagnostic.severity}: {diagnostic.message}"
            problems.append(diagnostic._replace(severity="error", message=message, notes=()))
    problems += [
        Diagnostic(
            "error", f'expected {item.severity} "{item.message}" was not produced', filename, *item.written
        )
        for item in expected
        if item not in matched
    ]
    return problems


def _flat(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    for diagnostic in diagnostics:
        if not diagnostic.message.startswith(_OPERATION_NOTE):
            yield diagnostic
        yield from _flat(diagnostic.notes)
