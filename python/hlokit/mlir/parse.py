"""Programs from MLIR text, MLIR bytecode and portable artifacts."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (the bindings' diagnostics and collections are partly untyped)

from __future__ import annotations

import re

from hlokit import _native
from hlokit.errors import Diagnostic, ParseError, Severity, VerificationError
from hlokit.mlir.bindings import ir, stablehlo
from hlokit.mlir.check_assembly import CHECK_OPERATIONS, to_generic
from hlokit.mlir.module import walk
from hlokit.mlir.nesting import require_shallow

BYTECODE_MAGIC = b"ML\xefR"
_FILE_LOCATION = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_SEVERITIES: dict[str, Severity] = {
    "ERROR": "error",
    "WARNING": "warning",
    "NOTE": "note",
    "REMARK": "remark",
}
# MLIR calls an input without a file so.
_NO_FILE = "-"


def parse_text(context: ir.Context, text: str, filename: str = _NO_FILE) -> ir.Module:
    """A verified module from MLIR text. `filename` stands in the diagnostics.

    Raises:
      ParseError: the text is not MLIR, uses operations that no dialect has, or is nested too deep.
      VerificationError: an operation in it is invalid.
    """
    require_shallow(text, filename)
    if "check." in text:
        return _parse(context, to_generic(text, filename), filename, may_check=True)
    return _parse(context, text, filename, may_check=False)


def parse_bytecode(context: ir.Context, data: bytes, filename: str = _NO_FILE) -> ir.Module:
    """A verified module from MLIR bytecode or a portable artifact.

    Raises:
      ParseError: the data is truncated or malformed, or of a version that the bindings do not read.
      VerificationError: an operation in it is invalid.
    """
    try:
        names = {dialect.name for dialect in _native.Bytecode(data).dialects}
    except _native.BytecodeError as error:
        raise ParseError((Diagnostic("error", f"malformed bytecode: {error}", filename),)) from error
    if "vhlo" in names:
        return _deserialize(context, data, filename)
    return _parse(context, data, filename, may_check="check" in names)


def verify_module(module: ir.Module, filename: str = _NO_FILE) -> list[Diagnostic]:
    """What the verifiers say of a module; [] if it is valid."""
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        return list(_error(error, filename).diagnostics)
    return []


def _parse(context: ir.Context, source: str | bytes, filename: str, *, may_check: bool) -> ir.Module:
    context.allow_unregistered_dialects = may_check
    try:
        module = ir.Module.parse(source, context)
    except ir.MLIRError as error:
        raise _error(error, filename) from None
    finally:
        context.allow_unregistered_dialects = True
    if may_check:
        _reject_unknown_operations(context, module, filename)
    return module


def _deserialize(context: ir.Context, data: bytes, filename: str) -> ir.Module:
    try:
        return stablehlo.deserialize_portable_artifact(context, data)
    except ir.MLIRError as error:
        raise _error(error, filename) from None
    except ValueError as error:
        raise ParseError((Diagnostic("error", f"not a portable artifact: {error}", filename),)) from error


def _reject_unknown_operations(context: ir.Context, module: ir.Module, filename: str) -> None:
    unknown: list[Diagnostic] = []

    def visit(operation: ir.Operation) -> None:
        name = operation.name
        if not context.is_registered_operation(name) and name not in CHECK_OPERATIONS:
            message = f"operation '{name}' is unknown"
            unknown.append(diagnostic("error", message, str(operation.location), filename))

    walk(module.operation, visit)
    if unknown:
        raise ParseError(tuple(unknown))


def _error(error: ir.MLIRError, filename: str) -> ParseError | VerificationError:
    diagnostics = tuple(_read_diagnostic(raw, filename) for raw in error.error_diagnostics)
    if not diagnostics:
        return ParseError((Diagnostic("error", error.message, filename),))
    # The bindings raise one error for both. Only the verifier shows the operation that it stands at.
    verified = any(
        note.message.startswith("see current operation") for raw in diagnostics for note in raw.notes
    )
    return (VerificationError if verified else ParseError)(diagnostics)


def _read_diagnostic(raw: ir.DiagnosticInfo, filename: str) -> Diagnostic:
    severity = _SEVERITIES[str(raw.severity).rpartition(".")[2]]
    notes = tuple(_read_diagnostic(note, filename) for note in raw.notes)
    return diagnostic(severity, raw.message, str(raw.location), filename, notes)


def diagnostic(
    severity: Severity, message: str, location: str, filename: str, notes: tuple[Diagnostic, ...] = ()
) -> Diagnostic:
    """A diagnostic at a location that is spelled as MLIR does."""
    found = _FILE_LOCATION.search(location)
    if found is None:
        return Diagnostic(severity, message, filename, notes=notes)
    file = filename if found[1] == _NO_FILE else found[1]
    return Diagnostic(severity, message, file, int(found[2]), int(found[3]), notes)
