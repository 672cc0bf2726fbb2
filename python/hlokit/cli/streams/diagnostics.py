"""Errors as the MLIR tools print them: `file:line:col: error: message`, the source line, a caret."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hlokit.cli.frame.standard_streams import write_styled
from hlokit.display.printable import abridged, printable
from hlokit.engine.plan.locations import source_position
from hlokit.errors import (
    Diagnostic,
    EvaluationError,
    Frame,
    HlokitError,
    InternalError,
    ParseError,
    PassError,
    Severity,
    UnsupportedError,
    VerificationError,
    VersionError,
)

# MLIR's name for text without a file.
_NO_FILE = "-"
# Longer source lines are cut around the position.
_WIDEST_SOURCE = 200


@dataclass(frozen=True, slots=True)
class Source:
    """An input: its name in messages, and its text if it is text."""

    name: str
    text: str = ""


def diagnostics_of(error: HlokitError, source: Source) -> tuple[Diagnostic, ...]:
    """An error as diagnostics with positions."""
    match error:
        case ParseError() | PassError() | VerificationError() | VersionError():
            return error.diagnostics
        case EvaluationError() | UnsupportedError() | InternalError():
            return (_of_traced(error, source),)
        case _:
            return (Diagnostic("error", str(error), source.name),)


def position_of(
    location: str, severity: Severity, message: str, source: Source, notes: tuple[Diagnostic, ...] = ()
) -> Diagnostic:
    """A diagnostic at a location in MLIR's syntax."""
    position = source_position(location)
    if position is None:
        return Diagnostic(severity, message, source.name, notes=notes)
    file, line, column = position
    return Diagnostic(severity, message, source.name if file == _NO_FILE else file, line, column, notes)


def _of_traced(error: EvaluationError | UnsupportedError | InternalError, source: Source) -> Diagnostic:
    prefix = "internal error of hlokit: " if isinstance(error, InternalError) else ""
    if not error.frames:
        return Diagnostic("error", f"{prefix}{error.message}", source.name)
    *callers, innermost = error.frames
    message = f"{prefix}{innermost.op}: {error.message}\n  in {_described(innermost)}"
    notes = tuple(
        position_of(frame.location, "note", f"called from {_described(frame)}", source)
        for frame in reversed(callers)
    )
    return position_of(innermost.location, "error", message, source, notes)


def _described(frame: Frame) -> str:
    operands = f" ({', '.join(frame.operand_types)})" if frame.operand_types else ""
    return f"@{frame.function}, {frame.op}{operands}"


@dataclass(frozen=True, slots=True)
class Colours:
    """Escape sequences for the parts of a message; all empty without colours."""

    position: str = ""
    severities: tuple[tuple[Severity, str], ...] = ()
    message: str = ""
    caret: str = ""
    end: str = ""

    def of(self, severity: Severity) -> str:
        """The colour of a severity."""
        return dict(self.severities).get(severity, "")


PLAIN = Colours()
# The colours of the LLVM tools.
COLOURED = Colours(
    position="\x1b[1m",
    severities=(
        ("error", "\x1b[1;31m"),
        ("warning", "\x1b[1;35m"),
        ("remark", "\x1b[1;34m"),
        ("note", "\x1b[1;36m"),
    ),
    message="\x1b[1m",
    caret="\x1b[1;32m",
    end="\x1b[0m",
)


def report(diagnostics: Iterable[Diagnostic], source: Source) -> None:
    """Print diagnostics on the standard error, in colour on a terminal (unless NO_COLOR is set)."""
    colours = COLOURED if sys.stderr.isatty() and not os.environ.get("NO_COLOR") else PLAIN
    write_styled(sys.stderr, render(diagnostics, source, colours))


def render(diagnostics: Iterable[Diagnostic], source: Source, colours: Colours = PLAIN) -> str:
    """Diagnostics as text that ends in a newline, with source lines where they are known."""
    lines = source.text.split("\n") if source.text else []
    rendered = (
        line for diagnostic in diagnostics for line in _rendered(diagnostic, source.name, lines, colours)
    )
    return "".join(f"{line}\n" for line in rendered)


def _rendered(diagnostic: Diagnostic, name: str, lines: list[str], colours: Colours) -> Iterator[str]:
    headline, *details = printable(abridged(diagnostic.message)).split("\n")
    yield (
        f"{colours.position}{diagnostic.place}: {colours.end}"
        f"{colours.of(diagnostic.severity)}{diagnostic.severity}: {colours.end}"
        f"{colours.message}{headline}{colours.end}"
    )
    if diagnostic.file == name and 0 < diagnostic.line <= len(lines):
        line, caret = _excerpt(lines[diagnostic.line - 1], diagnostic.column)
        yield printable(line)
        yield f"{colours.caret}{caret}{colours.end}"
    yield from details
    for note in diagnostic.notes:
        yield from _rendered(note, name, lines, colours)


def _excerpt(line: str, column: int) -> tuple[str, str]:
    """The source line around a column, and a line with a caret below it."""
    cut = max(0, column - _WIDEST_SOURCE // 2) if len(line) > _WIDEST_SOURCE else 0
    # Tabs stay tabs, so that the caret is below its column.
    return line[cut : cut + _WIDEST_SOURCE].rstrip(), re.sub(r"[^\t]", " ", line[cut : column - 1]) + "^"
