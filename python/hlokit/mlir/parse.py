"""Programs from MLIR text, MLIR bytecode and portable artifacts."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (the bindings' diagnostics and collections are partly untyped)

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import cache, partial
from typing import Any, BinaryIO

from hlokit import _native
from hlokit.errors import Diagnostic, ParseError, Severity, VerificationError, VersionError
from hlokit.mlir.bindings import ir, passmanager, stablehlo
from hlokit.mlir.context import context_of_bytecode
from hlokit.mlir.diagnostics import collected, errors_collected
from hlokit.mlir.hazards import require_harmless
from hlokit.mlir.module import functions, walk
from hlokit.mlir.nesting import require_shallow
from hlokit.mlir.portable import parse_version, producer_version
from hlokit.mlir.versions import stablehlo_version

# The newest version of the bytecode format that the native reader knows.
NEWEST_BYTECODE = 6
BYTECODE_MAGIC = b"ML\xefR"
_FILE_LOCATION = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_SEVERITIES: dict[str, Severity] = {
    "ERROR": "error",
    "WARNING": "warning",
    "NOTE": "note",
    "REMARK": "remark",
}
_FAILURES = {error.__name__: error for error in (ParseError, VerificationError, VersionError)}
_CONVERSION = "builtin.module(vhlo-legalize-to-stablehlo)"
# The name of an operation, in generic form or with its dialect.
_OPERATION = re.compile(r'"[\w$]+\.[\w$.-]+"\(|[a-z_]\w*\.\w[\w$.-]*[\s(]')
# MLIR calls an input without a file so.
_NO_FILE = "-"


def parse_text(
    context: ir.Context, source: str, filename: str = _NO_FILE, *, allow_unregistered: bool = False
) -> ir.Module:
    """A verified module from MLIR text. `filename` stands in the diagnostics.

    Args:
      allow_unregistered: let operations pass that no dialect has.

    Raises:
      ParseError: the text is not MLIR, uses operations that no dialect has, or is nested too deep.
      VerificationError: an operation in it is invalid.
    """
    require_shallow(source, filename)
    require_harmless(context, source, filename)
    if "check." in source:
        from hlokit.mlir.check_assembly import to_generic  # few programs check themselves

        source = to_generic(source, filename)
        return _parse(context, source, filename, may_check=True, allow_unregistered=allow_unregistered)
    return _parse(context, source, filename, may_check=False, allow_unregistered=allow_unregistered)


def parse_bytecode(
    context: ir.Context | None,
    data: bytes,
    filename: str = _NO_FILE,
    *,
    is_trusted: bool = False,
    trusts_reader: bool = True,
    keeps_vhlo: bool = False,
    allow_unregistered: bool = False,
) -> ir.Module:
    """A verified module from MLIR bytecode or a portable artifact.

    Args:
      context: one of its own if None, with as few dialects as will do.
      is_trusted: the bytes come from the bindings themselves. Others are read in a child process, which
        writes what it read as bytecode again, unless they are known to be without fault: malformed ones can
        kill the bindings' reader.
      trusts_reader: take the native reader's word for it that a portable artifact is without fault.
      keeps_vhlo: a portable artifact gives the VHLO operations that are in it, not StableHLO.
      allow_unregistered: let operations pass that no dialect has.

    Raises:
      ParseError: the data is truncated or malformed.
      VerificationError: an operation in it is invalid.
      VersionError: it uses what the bindings do not know yet.
    """
    try:
        bytecode = _native.Bytecode(data)
        if bytecode.version > NEWEST_BYTECODE:
            message = (
                f"bytecode version {bytecode.version} of {bytecode.producer} is newer than {NEWEST_BYTECODE}"
            )
            raise VersionError((Diagnostic("error", message, filename),))
        is_known = is_trusted or (trusts_reader and _is_known(bytecode))
        if not is_known:
            # What is malformed in a table shows when it is read.
            _ = bytecode.attributes, bytecode.types, bytecode.resources
            _ = bytecode.operations(), bytecode.dense_attributes()
    except _native.BytecodeError as error:
        raise ParseError((Diagnostic("error", f"malformed bytecode: {error}", filename),)) from error
    if context is None:
        context = context_of_bytecode(bytecode, len(data), is_known=is_known)
    if not is_known:
        data = _rewritten(context, data, filename, keeps_vhlo)
        bytecode = _native.Bytecode(data)
    if not keeps_vhlo and _has_dialect(bytecode, "vhlo"):
        converted = _converted(context, data, bytecode) if is_known else None
        return converted or _deserialize(context, data, filename, bytecode)
    may_check = _has_dialect(bytecode, "check")
    return _parse(context, data, filename, may_check=may_check, allow_unregistered=allow_unregistered)


def _is_known(bytecode: _native.Bytecode) -> bool:
    """Whether it is a portable artifact of which the native reader knows that the bindings survive it."""
    version = _known_version()
    if version is None or not _has_dialect(bytecode, "vhlo"):
        return False
    try:
        bytecode.require_known(version)
    except _native.BytecodeError:
        return False
    return True


@cache
def _known_version() -> int | None:
    """The StableHLO version of the bindings, as the native reader spells it."""
    current = parse_version(stablehlo_version())
    return None if current is None else 1000 * current.major + current.minor


def _rewritten(context: ir.Context, data: bytes, filename: str, keeps_vhlo: bool) -> bytes:
    """Bytecode of the same program that the bindings wrote themselves, after a child process read it."""
    import json  # this and `trial` take milliseconds to import, and most programs need no child process

    from hlokit.mlir import trial

    work = rewrite_bytecode_as_it_is if keeps_vhlo else rewrite_bytecode
    try:
        answer = trial.answer(data, work, partial(_rewrite, context, keeps_vhlo=keeps_vhlo))
    except trial.ChildDied as death:
        raise ParseError((Diagnostic("error", f"malformed bytecode: {death}", filename),)) from None
    verdict, _, rewritten = answer.partition(b"\n")
    failure = json.loads(verdict)
    if failure is not None:
        raise _FAILURES[failure["error"]](_diagnostics_from(failure["diagnostics"], filename))
    return rewritten


def rewrite_bytecode(data: bytes, file: BinaryIO) -> None:
    """In a child process: read bytecode, and write it again, or why it cannot be read."""
    _rewrite(_context_for(data), data, file)


def rewrite_bytecode_as_it_is(data: bytes, file: BinaryIO) -> None:
    """The same, but VHLO stays VHLO."""
    _rewrite(_context_for(data), data, file, keeps_vhlo=True)


def _context_for(data: bytes) -> ir.Context:
    return context_of_bytecode(_native.Bytecode(data), len(data), is_known=False)


def _rewrite(context: ir.Context, data: bytes, file: BinaryIO, keeps_vhlo: bool = False) -> None:
    import json

    bytecode = _native.Bytecode(data)
    try:
        if not keeps_vhlo and _has_dialect(bytecode, "vhlo"):
            module = _deserialize(context, data, _NO_FILE, bytecode)
        else:
            # Whether unregistered operations may pass is asked when what is written here is read.
            module = _parse(context, data, _NO_FILE, may_check=True, allow_unregistered=True)
        functions(module)
    except (ParseError, VerificationError, VersionError) as error:
        record = {"error": type(error).__name__, "diagnostics": [asdict(item) for item in error.diagnostics]}
        file.write(json.dumps(record).encode())
        return
    file.write(b"null\n")
    module.operation.write_bytecode(file)


def _diagnostics_from(records: Iterable[dict[str, Any]], filename: str) -> tuple[Diagnostic, ...]:
    return tuple(
        Diagnostic(
            record["severity"],
            record["message"],
            filename if record["file"] == _NO_FILE else record["file"],
            record["line"],
            record["column"],
            _diagnostics_from(record["notes"], filename),
        )
        for record in records
    )


def _has_dialect(bytecode: _native.Bytecode, name: str) -> bool:
    return any(dialect.name == name for dialect in bytecode.dialects)


def verify_module(module: ir.Module, filename: str = _NO_FILE) -> list[Diagnostic]:
    """What the verifiers say of a module; [] if it is valid."""
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        return list(read_error(error, filename).diagnostics)
    return []


def _parse(
    context: ir.Context, source: str | bytes, filename: str, *, may_check: bool, allow_unregistered: bool
) -> ir.Module:
    context.allow_unregistered_dialects = may_check or allow_unregistered
    module, message = None, ""
    with errors_collected(context) as found:
        try:
            module = ir.Module.parse(source, context)
        except ir.MLIRError as error:
            message = error.message
        finally:
            context.allow_unregistered_dialects = True
    # The bindings may find an attribute invalid, say so, and go on.
    if module is None or found:
        raise _failure(found, message, filename, source if isinstance(source, str) else "")
    if may_check and not allow_unregistered:
        _reject_unknown_operations(context, module, filename)
    return module


def _converted(context: ir.Context, data: bytes, bytecode: _native.Bytecode) -> ir.Module | None:
    """The program of an artifact that needs no upgrade; None if it does, or is not valid.

    `_deserialize` does the same, but upgrades every artifact first, which takes about as long. It also tells
    what is wrong.
    """
    used = (op.name.rpartition("_v") for op in bytecode.op_names if op.dialect == "vhlo")
    if any(context.is_registered_operation(f"vhlo.{name}_v{int(version) + 1}") for name, _, version in used):
        return None
    context.allow_unregistered_dialects = False
    with collected(context):
        try:
            module = ir.Module.parse(data, context)
            passmanager.PassManager.parse(_CONVERSION, context).run(module.operation)
        except ir.MLIRError:
            return None
        finally:
            context.allow_unregistered_dialects = True
    return module


def _deserialize(context: ir.Context, data: bytes, filename: str, bytecode: _native.Bytecode) -> ir.Module:
    context.allow_unregistered_dialects = False
    with collected(context) as found:
        try:
            return stablehlo.deserialize_portable_artifact(context, data)
        except ir.MLIRError as error:
            raise read_error(error, filename) from None
        except ValueError:
            diagnostics = tuple(raw_diagnostic(raw, filename) for raw in found)
        finally:
            context.allow_unregistered_dialects = True
    version, current = producer_version(bytecode.producer), parse_version(stablehlo_version())
    if version is None or current is None or version <= current:
        raise ParseError(diagnostics or (Diagnostic("error", "not a portable artifact", filename),))
    used = (f"{op.dialect}.{op.name}" for op in bytecode.op_names if op.dialect == "vhlo")
    names = [name for name in used if not context.is_registered_operation(name)]
    what = f"operations {', '.join(names)}" if names else "something"
    message = (
        f"the artifact uses {what} unknown to StableHLO {current}, and needs StableHLO {version.opset} "
        "or later to be read"
    )
    if names:
        diagnostics = (_unregistered(names[0], diagnostics, bytecode, filename),)
    failed = Diagnostic(
        "error", f"failed to deserialize portable artifact using StableHLO_v{current}", filename
    )
    raise VersionError((*diagnostics, failed, Diagnostic("error", message, filename)))


def _unregistered(
    name: str, diagnostics: tuple[Diagnostic, ...], bytecode: _native.Bytecode, filename: str
) -> Diagnostic:
    """What some bindings say of an operation from the future, and others in other words."""
    place = diagnostics[0] if diagnostics else Diagnostic("error", "", filename)
    message = (
        f"unregistered operation '{name}' found in dialect ('vhlo') that does not allow unknown operations"
    )
    origin = f"in bytecode version {bytecode.version} produced by: {bytecode.producer}"
    note = Diagnostic("note", origin, place.file, place.line, place.column)
    return Diagnostic("error", message, place.file, place.line, place.column, (note,))


def _reject_unknown_operations(context: ir.Context, module: ir.Module, filename: str) -> None:
    from hlokit.mlir.check_assembly import CHECK_OPERATIONS

    unknown: list[Diagnostic] = []

    def visit(operation: ir.Operation) -> None:
        name = operation.name
        if not context.is_registered_operation(name) and name not in CHECK_OPERATIONS:
            message = f"operation '{name}' is unknown"
            unknown.append(diagnostic("error", message, str(operation.location), filename))

    walk(module.operation, visit)
    if unknown:
        raise ParseError(tuple(unknown))


def read_error(error: ir.MLIRError, filename: str) -> ParseError | VerificationError:
    """What the bindings raised, as an error with positions."""
    return _failure(error.error_diagnostics, error.message, filename)


def _failure(
    found: Sequence[ir.DiagnosticInfo], message: str, filename: str, source: str = ""
) -> ParseError | VerificationError:
    """What the bindings raised, as one of ours with its diagnostics."""
    diagnostics = tuple(raw_diagnostic(raw, filename) for raw in found)
    if not diagnostics:
        return ParseError((Diagnostic("error", message, filename),))
    # The bindings raise one error for both. Only verifiers show the operation that they stand at; what infers
    # types shows nothing, but stands at an operation, too.
    lines = source.split("\n")
    verified = any(
        note.message.startswith("see current operation") for raw in diagnostics for note in raw.notes
    ) or any(_is_of_operation(item, filename, lines) for item in diagnostics)
    return (VerificationError if verified else ParseError)(diagnostics)


def _is_of_operation(item: Diagnostic, filename: str, lines: Sequence[str]) -> bool:
    """It is about an operation that has been read, not about its spelling."""
    if item.message.startswith("custom op '") or "unregistered" in item.message:
        return False
    if item.file != filename or not 0 < item.line <= len(lines):
        return item.file != filename  # operations have other locations, texts have not
    return _OPERATION.match(lines[item.line - 1], item.column - 1) is not None


def raw_diagnostic(raw: ir.DiagnosticInfo, filename: str) -> Diagnostic:
    severity = _SEVERITIES[str(raw.severity).rpartition(".")[2]]
    notes = tuple(raw_diagnostic(note, filename) for note in raw.notes)
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
