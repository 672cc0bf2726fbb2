"""`--verify-diagnostics`: the diagnostics that comments of the input announce, and no others.

A comment `expected-error@+1 {{part of the message}}` at the end of a line announces a diagnostic for the
next line. The forms are those of the MLIR tools: `error`, `warning`, `remark`, `note`; `@+n` and `@-n` count
lines from the comment's, `@above` and `@below` mean the nearest line without such a comment, `@unknown` a
diagnostic without position; after `-re` what stands in double braces is a regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hlokit.errors import Diagnostic, Severity

_COMMENT = re.compile(
    r"expected-(?P<kind>error|note|remark|warning)(?P<regex>-re)? *"
    r"(?:@(?P<place>[+-]\d+|above|below|unknown))? *\{\{(?P<message>.*)\}\}$"
)
_PATTERN = re.compile(r"\{\{(.*?)\}\}")
# MLIR adds it to errors of verifiers, and leaves it out where it verifies diagnostics.
_OPERATION_NOTE = "see current operation"


@dataclass(frozen=True, slots=True)
class Expected:
    """An announced diagnostic.

    Attributes:
      line: where it must be, 0 for a diagnostic without position.
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

    def _pattern(self) -> re.Pattern[str]:
        parts = _PATTERN.split(self.message)
        literal = [re.escape(part) for part in parts[::2]]
        patterns = [f"(?:{part})" for part in parts[1::2]] + [""]
        return re.compile("".join(a + b for a, b in zip(literal, patterns, strict=True)))

    def problem(self) -> str | None:
        """What is wrong with the regular expression."""
        if not self.is_regex:
            return None
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
    for number, line in enumerate(text.split("\n"), start=1):
        match = _COMMENT.search(line.rstrip())
        if match is None:
            for expected in waiting:
                yield replace(expected, line=number)
            waiting = []
            last_line = number
            continue
        place = match["place"] or "+0"
        kind: Severity = match["kind"]  # pyright: ignore[reportAssignmentType] # the expression lists them
        expected = Expected(kind, match["message"], bool(match["regex"]), number, (number, match.start() + 1))
        if place == "below":
            waiting.append(expected)
        elif place == "above":
            yield replace(expected, line=last_line)
        elif place == "unknown":
            yield replace(expected, line=0)
        else:
            yield replace(expected, line=number + int(place))
    yield from waiting


def differences(
    text: str, filename: str, found: Iterable[Diagnostic], *, only_expected: bool = False
) -> list[Diagnostic]:
    """What is found but not announced, and what is announced but not found.

    Args:
      only_expected: let unannounced diagnostics pass.
    """
    expected = list(expectations(text))
    open_ = [item for item in expected if item.problem() is None]
    problems = [
        Diagnostic("error", problem, filename, *item.written)
        for item in expected
        if (problem := item.problem()) is not None
    ]
    for diagnostic in _flat(found):
        matched = _first(open_, diagnostic, filename)
        if matched is not None:
            open_.remove(matched)
        elif not only_expected:
            problems.append(_unexpected(open_, diagnostic, filename))
    problems += [
        Diagnostic(
            "error", f'expected {item.severity} "{item.message}" was not produced', filename, *item.written
        )
        for item in open_
    ]
    return problems


def _flat(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    for diagnostic in found:
        if not diagnostic.message.startswith(_OPERATION_NOTE):
            yield diagnostic
        yield from _flat(diagnostic.notes)


def _is_at(item: Expected, diagnostic: Diagnostic, filename: str) -> bool:
    if diagnostic.line == 0:
        return item.line == 0
    return diagnostic.file == filename and item.line == diagnostic.line


def _first(open_: Sequence[Expected], diagnostic: Diagnostic, filename: str) -> Expected | None:
    for item in open_:
        if (
            item.severity == diagnostic.severity
            and _is_at(item, diagnostic, filename)
            and item.matches(diagnostic.message)
        ):
            return item
    return None


def _unexpected(open_: Sequence[Expected], diagnostic: Diagnostic, filename: str) -> Diagnostic:
    for item in open_:
        if _is_at(item, diagnostic, filename) and item.matches(diagnostic.message):
            message = f"'{diagnostic.severity}' diagnostic emitted when expecting a '{item.severity}'"
            return replace(diagnostic, severity="error", message=f"{message}: {diagnostic.message}", notes=())
    message = f"unexpected {diagnostic.severity}: {diagnostic.message}"
    return replace(diagnostic, severity="error", message=message, notes=())
