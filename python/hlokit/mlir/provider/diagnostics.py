"""Diagnostics of the bindings, and hlokit's errors that contain them."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Any

from hlokit.display.printable import abridged
from hlokit.errors import Diagnostic, ParseError, Severity, VerificationError
from hlokit.mlir.provider.bindings import ir

# MLIR's name for an input without a file.
NO_FILE = "-"
# Few programs have diagnostics: `re` compiles the patterns when they are used.
_FILE_LOCATION = r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)'
_SEVERITIES: dict[str, Severity] = {
    "ERROR": "error",
    "WARNING": "warning",
    "NOTE": "note",
    "REMARK": "remark",
}
# The name of an operation, in generic form or with its dialect.
_OPERATION = r'"[\w$]+\.[\w$.-]+"\(|[a-z_]\w*\.\w[\w$.-]*[\s(]'


@contextmanager
def collected(context: ir.Context) -> Generator[list[ir.DiagnosticInfo]]:
    """Collect the diagnostics that the bindings emit inside the block; otherwise some of them would be
    printed to standard error."""
    diagnostics: list[ir.DiagnosticInfo] = []

    def keep(diagnostic: ir.Diagnostic) -> bool:
        diagnostics.append(ir.DiagnosticInfo(diagnostic))
        return True

    handler: Any = context.attach_diagnostic_handler(keep)
    try:
        yield diagnostics
    finally:
        handler.detach()


@contextmanager
def errors_collected(context: ir.Context) -> Generator[list[ir.DiagnosticInfo]]:
    """Collect the errors that the bindings emit inside the block, including those that raise no exception."""
    errors: list[ir.DiagnosticInfo] = []

    def keep(diagnostic: ir.Diagnostic) -> bool:
        is_error = diagnostic.severity == ir.DiagnosticSeverity.ERROR
        if is_error:
            errors.append(ir.DiagnosticInfo(diagnostic))
        return is_error

    handler: Any = context.attach_diagnostic_handler(keep)
    context.emit_error_diagnostics = True
    try:
        yield errors
    finally:
        context.emit_error_diagnostics = False
        handler.detach()


def read_error(error: ir.MLIRError, filename: str) -> ParseError | VerificationError:
    """The bindings' exception as an error with positions."""
    return failure_of(error.error_diagnostics, error.message, filename)


def failure_of(
    errors: Sequence[ir.DiagnosticInfo], message: str, filename: str, source: str = ""
) -> ParseError | VerificationError:
    """The bindings' exception as one of hlokit's errors, with its diagnostics."""
    diagnostics = tuple(raw_diagnostic(raw, filename) for raw in errors)
    if not diagnostics:
        return ParseError((Diagnostic("error", message, filename),))
    # The bindings raise one error for both kinds. Only verifiers show the operation of an error; type
    # inference does not, but its errors have the location of an operation.
    lines = source.split("\n")
    verified = any(
        note.message.startswith("see current operation") for raw in diagnostics for note in raw.notes
    ) or any(_is_of_operation(item, filename, lines) for item in diagnostics)
    return (VerificationError if verified else ParseError)(_with_suggestion(diagnostics, filename, lines))


def _with_suggestion(
    diagnostics: tuple[Diagnostic, ...], filename: str, lines: Sequence[str]
) -> tuple[Diagnostic, ...]:
    """The diagnostics; the first diagnostic gains a suggestion."""
    from hlokit.mlir.provider.suggestions import meant  # few programs are invalid

    first, *others = diagnostics
    in_source = first.file == filename and 0 < first.line <= len(lines)
    more = meant(first.message, lines[first.line - 1] if in_source else "", first.column)
    return (first._replace(message=first.message.rstrip() + more), *others) if more else diagnostics


def _is_of_operation(item: Diagnostic, filename: str, lines: Sequence[str]) -> bool:
    """Whether the diagnostic is about a parsed operation, not about the syntax."""
    if item.message.startswith("custom op '") or "unregistered" in item.message:
        return False
    if item.file != filename or not 0 < item.line <= len(lines):
        return item.file != filename  # operations may have locations outside of the text
    return re.compile(_OPERATION).match(lines[item.line - 1], item.column - 1) is not None


def raw_diagnostic(raw: ir.DiagnosticInfo, filename: str) -> Diagnostic:
    """The bindings' diagnostic, with its notes, as one of hlokit's."""
    severity = _SEVERITIES[str(raw.severity).rpartition(".")[2]]
    notes = tuple(raw_diagnostic(note, filename) for note in raw.notes)
    message = raw.message
    if "If this is intended" in message:
        from hlokit.mlir.provider.suggestions import clearer  # few programs are invalid

        message = clearer(message)
    return diagnostic(severity, message, str(raw.location), filename, notes)


def diagnostic(
    severity: Severity, message: str, location: str, filename: str, notes: tuple[Diagnostic, ...] = ()
) -> Diagnostic:
    """A diagnostic at a location in MLIR's spelling."""
    message = abridged(message)
    position = re.search(_FILE_LOCATION, location)
    if position is None:
        return Diagnostic(severity, message, filename, notes=notes)
    file = filename if position[1] == NO_FILE else position[1]
    return Diagnostic(severity, message, file, int(position[2]), int(position[3]), notes)


def diagnostics_of_records(records: Iterable[dict[str, Any]], filename: str) -> tuple[Diagnostic, ...]:
    """Diagnostics that a child process has written with `Diagnostic.record`, with the name of the input."""
    return tuple(
        Diagnostic(
            record["severity"],
            record["message"],
            filename if record["file"] == NO_FILE else record["file"],
            record["line"],
            record["column"],
            diagnostics_of_records(record["notes"], filename),
        )
        for record in records
    )
