"""Programs from MLIR text, MLIR bytecode and portable artifacts."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import BinaryIO, NamedTuple

from hlokit import _bytecode
from hlokit.errors import Diagnostic, ParseError, VerificationError, VersionError
from hlokit.files.formats import foreign
from hlokit.mlir.crash_signatures import require_harmless, require_survival
from hlokit.mlir.portable import parse_version, producer_version
from hlokit.mlir.provider.bindings import ir, passmanager, stablehlo
from hlokit.mlir.provider.context import context_of_bytecode
from hlokit.mlir.provider.diagnostics import (
    NO_FILE,
    collected,
    diagnostic,
    diagnostics_of_records,
    errors_collected,
    failure_of,
    raw_diagnostic,
    read_error,
)
from hlokit.mlir.provider.versions import stablehlo_version
from hlokit.mlir.queries.module import functions, walk
from hlokit.mlir.text.nesting import require_shallow

# The newest version of the bytecode format that the native reader supports.
NEWEST_BYTECODE = 6
_FAILURES = {error.__name__: error for error in (ParseError, VerificationError, VersionError)}
_CONVERSION = "builtin.module(vhlo-legalize-to-stablehlo)"
# A NUL byte in text, or the escape of a byte that is NUL or may not be UTF-8.
_ODD = r"\0|\\(?:00|[89A-Fa-f][\dA-Fa-f])"


class Accepted(NamedTuple):
    """What a module may hold beside StableHLO and the dialects of the bindings.

    Attributes:
      unregistered: operations that no dialect defines.
      foreign_attributes: attributes and types that no dialect defines. Only what needs them fails.
      vhlo: the VHLO operations of a portable artifact, which become StableHLO otherwise. VHLO in text is
        accepted in any case.
    """

    unregistered: bool = False
    foreign_attributes: bool = True
    vhlo: bool = False


LOADED = Accepted()  # what `load` accepts


def parse_text(
    context: ir.Context,
    source: str,
    filename: str = NO_FILE,
    accepted: Accepted = LOADED,
    searched: str | None = None,
) -> ir.Module:
    """A verified module from MLIR text. Diagnostics name `filename`; `searched` is the text without digits.

    Raises:
      ParseError: the text is not MLIR, uses operations that no dialect defines, or is nested too deep.
      VerificationError: an operation of the program is invalid.
    """
    try:
        return _parse_text(context, source, filename, accepted, searched or _bytecode.without_digits(source))
    except ParseError:
        kind = foreign(source)
        if kind is None:
            raise
        raise ParseError((Diagnostic("error", kind, filename),)) from None


def _parse_text(
    context: ir.Context, source: str, filename: str, accepted: Accepted, searched: str
) -> ir.Module:
    require_shallow(source, filename, searched=searched)
    require_harmless(context, source, filename, searched=searched)
    may_check = "check." in searched
    if may_check:
        from hlokit.mlir.text.check_assembly import to_generic  # few programs contain checks

        source = to_generic(source, filename)
    module = _parse(context, source, filename, accepted, may_check=may_check)
    if ("\\" in searched or "\0" in searched) and re.search(_ODD, searched):
        from hlokit.mlir.queries.names import require_names  # few programs have such strings

        require_names(module, filename)
    return module


def parse_bytecode(
    context: ir.Context | None,
    data: bytes,
    filename: str = NO_FILE,
    *,
    accepted: Accepted = LOADED,
    is_trusted: bool = False,
    trusts_reader: bool = True,
) -> ir.Module:
    """A verified module from MLIR bytecode or a portable artifact.

    Args:
      context: the context of the module; None for a new context with as few dialects as possible.
      is_trusted: whether the bindings themselves wrote the bytes. A child process reads other bytes and
        writes the module as bytecode again, unless the native reader finds the bytes safe: malformed bytecode
        can crash the bindings' reader.
      trusts_reader: skip the child process for portable artifacts that the native reader finds safe.

    Raises:
      ParseError: the data is truncated or malformed, nested too deep, or expands to too much.
      ResourceError: the machine lacks resources for the child process.
      VerificationError: an operation of the program is invalid.
      VersionError: the artifact uses features that the bindings do not support.
    """
    try:
        bytecode = _bytecode.Bytecode(data)
        if bytecode.version > NEWEST_BYTECODE:
            message = (
                f"bytecode version {bytecode.version} of {bytecode.producer} is newer than {NEWEST_BYTECODE}"
            )
            raise VersionError((Diagnostic("error", message, filename),))
        is_validated = is_trusted or (trusts_reader and _is_validated(bytecode))
        is_odd = not is_trusted and _has_odd_strings(bytecode)
        if not is_validated:
            # Reading a table finds malformed entries.
            _ = bytecode.attributes, bytecode.types, bytecode.resources
            _ = bytecode.operations(), bytecode.dense_attributes()
    except _bytecode.BytecodeError as error:
        raise ParseError((Diagnostic("error", f"malformed bytecode: {error}", filename),)) from error
    if context is None:
        context = context_of_bytecode(bytecode, len(data), is_validated=is_validated)
    if not is_validated:
        data = _rewritten(context, data, filename, keeps_vhlo=accepted.vhlo)
        bytecode = _bytecode.Bytecode(data)
    if not accepted.vhlo and _has_dialect(bytecode, "vhlo"):
        converted = _converted(context, data, bytecode) if is_validated else None
        module = converted or _deserialize(context, data, filename, bytecode)
    else:
        may_check = _has_dialect(bytecode, "check")
        module = _parse(context, data, filename, accepted, may_check=may_check)
    if is_odd:
        from hlokit.mlir.queries.names import require_names  # few programs have such strings

        require_names(module, filename)
    return module


def _has_odd_strings(bytecode: _bytecode.Bytecode) -> bool:
    """Whether a string cannot be a name."""
    strings = "".join(bytecode.strings)
    if strings.isascii():
        return "\0" in strings
    try:
        return b"\0" in strings.encode()
    except UnicodeEncodeError:
        return True


def _is_validated(bytecode: _bytecode.Bytecode) -> bool:
    """Whether the data is a portable artifact that the native reader finds safe for the bindings to read."""
    version = _reader_version()
    if version is None or not _has_dialect(bytecode, "vhlo"):
        return False
    try:
        bytecode.validate(version)
    except _bytecode.BytecodeError:
        return False
    return True


@cache
def _reader_version() -> int | None:
    """The StableHLO version of the bindings in the native reader's form."""
    current = parse_version(stablehlo_version())
    return None if current is None else 1000 * current.major + current.minor


def _rewritten(context: ir.Context, data: bytes, filename: str, *, keeps_vhlo: bool) -> bytes:
    """Bytecode of the same program, which a child process has read and written with the bindings."""
    import json  # the import takes milliseconds, and most programs need no child process

    from hlokit.mlir.sandbox import sandboxed_parse

    work = rewrite_bytecode_keeping_vhlo if keeps_vhlo else rewrite_bytecode
    try:
        answer = sandboxed_parse.answer(data, work, partial(_rewrite, context, keeps_vhlo=keeps_vhlo))
    except sandboxed_parse.ChildDied as death:
        raise ParseError((Diagnostic("error", f"malformed bytecode: {death}", filename),)) from None
    verdict, _, rewritten = answer.partition(b"\n")
    failure = json.loads(verdict)
    if failure is not None:
        raise _FAILURES[failure["error"]](diagnostics_of_records(failure["diagnostics"], filename))
    return rewritten


def rewrite_bytecode(data: bytes, file: BinaryIO) -> None:
    """In a child process: read bytecode and write the module again, or write the reason of a failure."""
    _rewrite(_context_for(data), data, file)


def rewrite_bytecode_keeping_vhlo(data: bytes, file: BinaryIO) -> None:
    """In a child process: as `rewrite_bytecode`, but keep VHLO operations as VHLO."""
    _rewrite(_context_for(data), data, file, keeps_vhlo=True)


def _context_for(data: bytes) -> ir.Context:
    return context_of_bytecode(_bytecode.Bytecode(data), len(data), is_validated=False)


def _rewrite(context: ir.Context, data: bytes, file: BinaryIO, keeps_vhlo: bool = False) -> None:
    import json  # only a child process for one parse imports json

    from hlokit.mlir.text_size import require_printable

    bytecode = _bytecode.Bytecode(data)
    try:
        if not keeps_vhlo and _has_dialect(bytecode, "vhlo"):
            module = _deserialize(context, data, NO_FILE, bytecode)
        else:
            # The parent process checks for unregistered operations when it reads this output.
            module = _parse(context, data, NO_FILE, Accepted(unregistered=True))
        functions(module)
        require_printable(module, len(data))
    except (ParseError, VerificationError, VersionError) as error:
        record = {"error": type(error).__name__, "diagnostics": [item.record() for item in error.diagnostics]}
        file.write(json.dumps(record).encode())
        return
    file.write(b"null\n")
    module.operation.write_bytecode(file)


def _has_dialect(bytecode: _bytecode.Bytecode, name: str) -> bool:
    return any(dialect.name == name for dialect in bytecode.dialects)


def verify_module(module: ir.Module, filename: str = NO_FILE) -> list[Diagnostic]:
    """The verifiers' diagnostics for a module; [] if it is valid."""
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        return list(read_error(error, filename).diagnostics)
    return []


def _parse(
    context: ir.Context, source: str | bytes, filename: str, accepted: Accepted, *, may_check: bool = False
) -> ir.Module:
    # Operations of the check dialect, which the bindings lack, are unregistered to them.
    try:
        module = _read(context, source, filename, accepts_foreign=may_check or accepted.unregistered)
    except (ParseError, VerificationError) as error:
        if not accepted.foreign_attributes:
            raise
        module = _with_foreign_attributes(context, source, filename, error)
        if module is None:
            raise
    if may_check and not accepted.unregistered:
        unknown = _unknown_operations(context, module, filename)
        if unknown:
            raise ParseError(unknown)
    return module


def _read(context: ir.Context, source: str | bytes, filename: str, *, accepts_foreign: bool) -> ir.Module:
    context.allow_unregistered_dialects = accepts_foreign
    module, message = None, ""
    with errors_collected(context) as errors:
        try:
            module = ir.Module.parse(source, context)
        except ir.MLIRError as error:
            message = error.message
        finally:
            context.allow_unregistered_dialects = True
    # The bindings may report an invalid attribute and continue.
    if module is None or errors:
        raise failure_of(errors, message, filename, source if isinstance(source, str) else "")
    return module


def _with_foreign_attributes(
    context: ir.Context, source: str | bytes, filename: str, failure: ParseError | VerificationError
) -> ir.Module | None:
    """The module, if only attributes and types of unknown dialects are unknown in it."""
    from hlokit.display.suggestions import SUGGESTS

    are_misspelt = any(SUGGESTS in item.message for item in failure.diagnostics)  # `stablhlo` is not foreign
    if not _is_about_dialects(failure.diagnostics) or are_misspelt:
        return None
    try:
        if isinstance(source, str):  # a child process has read untrusted bytecode in this way
            require_survival(context, source, filename)
        module = _read(context, source, filename, accepts_foreign=True)
    except (ParseError, VerificationError):
        return None
    return None if _unknown_operations(context, module, filename) else module


def _converted(context: ir.Context, data: bytes, bytecode: _bytecode.Bytecode) -> ir.Module | None:
    """The program of an artifact that requires no upgrade; None if the artifact requires an upgrade or is
    invalid.

    `_deserialize` does the same, but upgrades every artifact first, which doubles the time. `_deserialize`
    also reports errors.
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


def _deserialize(context: ir.Context, data: bytes, filename: str, bytecode: _bytecode.Bytecode) -> ir.Module:
    context.allow_unregistered_dialects = False
    with collected(context) as raw_diagnostics:
        try:
            return stablehlo.deserialize_portable_artifact(context, data)
        except ir.MLIRError as error:
            raise read_error(error, filename) from None
        except ValueError:
            diagnostics = tuple(raw_diagnostic(raw, filename) for raw in raw_diagnostics)
        finally:
            context.allow_unregistered_dialects = True
    if (module := _artifact_with_foreign_attributes(context, data, filename, diagnostics)) is not None:
        return module
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
    failure = f"failed to deserialize portable artifact using StableHLO_v{current}"
    failed = Diagnostic("error", failure, filename)
    raise VersionError((*diagnostics, failed, Diagnostic("error", message, filename)))


def _artifact_with_foreign_attributes(
    context: ir.Context, data: bytes, filename: str, diagnostics: tuple[Diagnostic, ...]
) -> ir.Module | None:
    """As `_with_foreign_attributes`, for an artifact."""
    if not _is_about_dialects(diagnostics):
        return None
    with collected(context):
        try:
            module = stablehlo.deserialize_portable_artifact(context, data)
        except (ir.MLIRError, ValueError):
            return None
    return None if _unknown_operations(context, module, filename) else module


def _is_about_dialects(diagnostics: tuple[Diagnostic, ...]) -> bool:
    from hlokit.mlir.foreign import UNREGISTERED  # few programs are invalid

    return any(UNREGISTERED in diagnostic.message for diagnostic in diagnostics)


def _unregistered(
    name: str, diagnostics: tuple[Diagnostic, ...], bytecode: _bytecode.Bytecode, filename: str
) -> Diagnostic:
    """The diagnostic for an operation of a newer version, in the same words for all bindings."""
    reported = diagnostics[0] if diagnostics else Diagnostic("error", "", filename)
    rule = "found in dialect ('vhlo') that does not allow unknown operations"
    message = f"unregistered operation '{name}' {rule}"
    origin = f"in bytecode version {bytecode.version} produced by: {bytecode.producer}"
    note = Diagnostic("note", origin, reported.file, reported.line, reported.column)
    return Diagnostic("error", message, reported.file, reported.line, reported.column, (note,))


def _unknown_operations(context: ir.Context, module: ir.Module, filename: str) -> tuple[Diagnostic, ...]:
    """An error for each operation that no dialect defines."""
    from hlokit.mlir.text.check_assembly import CHECK_OPERATIONS

    unknown: list[Diagnostic] = []

    def visit(operation: ir.Operation) -> None:
        name = operation.name
        if not context.is_registered_operation(name) and name not in CHECK_OPERATIONS:
            message = f"operation '{name}' is unknown"
            unknown.append(diagnostic("error", message, str(operation.location), filename))

    walk(module.operation, visit)
    return tuple(unknown)
