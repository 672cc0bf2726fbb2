"""Finds all errors of a program, not only the first, in a child process, which the program may crash."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from hlokit.constraints.runnable import violations
from hlokit.errors import Diagnostic, Diagnostics, ParseError, VerificationError, VersionError, for_callers
from hlokit.files.formats import decode, find_bytecode
from hlokit.files.reading import NO_FILE, is_text, read_file
from hlokit.mlir.parse import parse_bytecode, parse_text
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.provider.diagnostics import collected, diagnostics_of_records, raw_diagnostic
from hlokit.mlir.sandbox import sandboxed_parse
from hlokit.programs.loading import converted
from hlokit.tools.service.contexts import shared_context
from hlokit.tools.service.masking import without_body, without_operation

if TYPE_CHECKING:
    from collections.abc import Callable

# Each error after the first requires another pass over the whole text.
_MOST_ERRORS = 100
_MOST_TEXT = 32 << 20
# An unknown operation, which the parser reports if it reaches the end of the text.
_UNKNOWN = "hlokit.end_of_text"


@for_callers
def verify(
    source: str | bytes | os.PathLike[str], *, filename: str | None = None, strict: bool = False
) -> Diagnostics:
    """The errors of a program.

        for diagnostic in hlokit.verify(text):
            print(diagnostic)

    A child process reads the program, because some invalid operations crash the reader.

    Args:
      source: a path, or MLIR text, or the bytes of MLIR text, MLIR bytecode, a portable artifact or a
        `jax.export` blob. A string without line breaks and braces is a path.
      filename: the name in diagnostics; by default the path, or `-`.
      strict: also enforce the constraints of the specification that the bindings do not check.

    Returns:
      Diagnostics in the order in which they were found, including warnings; [] if the program is valid. For
      text, these are errors of all functions: the first syntax error of each function, or all invalid
      operations.
    """
    try:
        data, name = _read(source, filename)
        data = converted(data, name)
    except ParseError as error:
        return Diagnostics(error.diagnostics)
    work = verify_strictly if strict else verify_bytes
    try:
        with shared_context(len(data)) as context:
            here: Callable[[bytes, BinaryIO], None] = partial(_answer, context, strict)
            answer = sandboxed_parse.answer(data, work, here)
    except sandboxed_parse.ChildDied as death:
        message = f"the program cannot be verified: {death}"
        return Diagnostics([Diagnostic("error", message, name)])
    return Diagnostics(diagnostics_of_records(json.loads(answer), name))


def verify_in_context(
    context: ir.Context, data: bytes, name: str = NO_FILE, *, strict: bool = False
) -> list[Diagnostic]:
    """`verify` in this process, which the program may crash."""
    start = find_bytecode(data)
    if start is not None:
        return _verify_bytecode(context, data[start], name, strict)
    try:
        text = decode(data, name)
    except ParseError as error:
        return list(error.diagnostics)
    return _verify_text(context, text, name, strict)


def verify_bytes(data: bytes, file: BinaryIO) -> None:
    """Verify, and write the diagnostics as JSON; runs in a child process."""
    _answer(make_context(), False, data, file)


def verify_strictly(data: bytes, file: BinaryIO) -> None:
    """Verify, also against the specification's constraints, and write the diagnostics as JSON; runs in a
    child process."""
    _answer(make_context(), True, data, file)


def _answer(context: ir.Context, strict: bool, data: bytes, file: BinaryIO) -> None:
    diagnostics = verify_in_context(context, data, strict=strict)
    file.write(json.dumps([diagnostic.record() for diagnostic in diagnostics]).encode())


def _read(source: str | bytes | os.PathLike[str], filename: str | None) -> tuple[bytes, str]:
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source), filename or NO_FILE
    if is_text(source):
        return source.encode(errors="surrogateescape"), filename or NO_FILE
    path = os.fspath(source)
    return read_file(path), filename or path


def _verify_bytecode(context: ir.Context, data: bytes, name: str, strict: bool) -> list[Diagnostic]:
    try:
        # The child process runs this code, and may crash.
        module = parse_bytecode(context, data, name, is_trusted=True)
    except (ParseError, VerificationError, VersionError) as error:
        return list(error.diagnostics)
    return _check(module, name, strict)


def _verify_text(context: ir.Context, text: str, name: str, strict: bool) -> list[Diagnostic]:
    errors: list[Diagnostic] = []
    read = 0
    has_been_parsed = False
    with collected(context) as raw:
        while True:
            read += len(text)
            try:
                module = parse_text(context, text, name)
            except (ParseError, VerificationError) as error:
                is_invalid = isinstance(error, VerificationError) or _is_well_formed(context, text)
                if has_been_parsed and not is_invalid:
                    # The error comes from the replacement of an operation.
                    break
                has_been_parsed = has_been_parsed or is_invalid
                errors += error.diagnostics
                first = error.diagnostics[0]
                rest = (
                    _without_invalid(text, error.diagnostics)
                    if is_invalid
                    else without_body(text, first.line, first.column)
                )
            else:
                errors += _check(module, name, strict)
                break
            if rest is None or rest == text or len(errors) >= _MOST_ERRORS or read + len(rest) > _MOST_TEXT:
                break
            text = rest
    warnings = {raw_diagnostic(item, name): None for item in raw}
    return [item for item in warnings if item.severity in ("warning", "remark")] + list(dict.fromkeys(errors))


def _check(module: ir.Module, name: str, strict: bool) -> list[Diagnostic]:
    """What the bindings' verifier accepts, but no run can evaluate; warnings of violations on which results
    depend. If `strict`, all that the specification forbids."""
    from hlokit.constraints import strict as constraints  # slow to import

    errors = violations(module, name)
    if strict:
        return errors + constraints.check(module, name)
    warnings = constraints.check(module, name, only=constraints.DECISIVE)
    return [
        *errors,
        *constraints.check(module, name, only=constraints.WITHOUT_RESULTS),
        *[violation._replace(severity="warning") for violation in warnings],
    ]


def _is_well_formed(context: ir.Context, text: str) -> bool:
    """Whether the parser reaches the end of the text, so that errors come from verifiers.

    An error that shows an operation comes from a verifier, but not all errors of verifiers show one.
    """
    try:
        parse_text(context, f"{text}\n{_UNKNOWN}")
    except (ParseError, VerificationError) as error:
        return _UNKNOWN in error.diagnostics[0].message
    return False


def _without_invalid(text: str, diagnostics: Iterable[Diagnostic]) -> str | None:
    """The text without the operations that the verifier rejects; None if there are none."""
    notes: dict[tuple[int, int], list[str]] = {}
    for diagnostic in diagnostics:
        of_place = notes.setdefault((diagnostic.line, diagnostic.column), [])
        of_place += [note.message for note in diagnostic.notes]
    masked: str | None = None
    # Replace the last operation first, so that the columns of earlier operations do not change.
    for line, column in sorted(notes, reverse=True):
        rest = without_operation(text, line, column, notes[line, column])
        if rest is not None:
            text = masked = rest
    return masked
