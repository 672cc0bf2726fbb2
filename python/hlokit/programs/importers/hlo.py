"""Converts HLO, as text or protocol buffers, to StableHLO with XLA's own converter in a child process."""

from __future__ import annotations

import re
from typing import Any, BinaryIO

from hlokit.errors import Diagnostic, ParseError, UnsupportedError
from hlokit.files.formats import is_hlo_text
from hlokit.mlir.mhlo import replace_mhlo
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.provider.bindings import ir, register_mhlo, xla_modules
from hlokit.mlir.provider.context import small_context
from hlokit.mlir.sandbox import sandboxed_parse
from hlokit.programs.importers.library_calls import with_windows
from hlokit.programs.importers.protobuf import MalformedMessage, fields, parts

# A constant that XLA did not print. Its parser reads it as other numbers.
_ELIDED = re.compile(rb"\bconstant\(\{\.\.\.\}\)")
# HloProto.hlo_module is field 1, and so is HloSnapshot.hlo.
_HLO_MODULE = 1
_MOST_WRAPPERS = 2
# Fields of HloModuleProto.
_NAME, _ENTRY, _COMPUTATIONS = 1, 2, 3
_FAILED = b"error:"


def module_proto(data: bytes) -> memoryview | None:
    """The HloModuleProto in an input, which is an HloModuleProto, an HloProto or an HloSnapshot; None for
    other inputs."""
    if data[:1] != b"\x0a":
        return None
    message: memoryview | None = memoryview(data)
    for _ in range(_MOST_WRAPPERS + 1):
        try:
            if message is None or _is_module(message):
                return message
            message = next(parts(message, _HLO_MODULE), None)
        except MalformedMessage:
            return None
    return None


def _is_module(data: memoryview) -> bool:
    texts: dict[int, memoryview] = {}
    computations = 0
    for number, value in fields(data):
        if number in (_NAME, _ENTRY) and isinstance(value, memoryview):
            texts[number] = value
        computations += number == _COMPUTATIONS
    return computations > 0 and len(texts) == 2 and b"\0" not in bytes(texts[_ENTRY])


def to_stablehlo(data: bytes | memoryview, filename: str) -> bytes:
    """MLIR bytecode of the program in HLO text or in an HloModuleProto.

    Raises:
      ParseError: the HLO is malformed, or has operations that StableHLO lacks.
    """
    try:
        xla_modules()
    except ImportError as error:
        raise _failure(f"reading HLO needs jaxlib: {error}", filename) from None
    text = bytes(data)
    elided = _ELIDED.search(text) if is_hlo_text(text) else None
    if elided is not None:
        line = text.count(b"\n", 0, elided.start()) + 1
        column = elided.start() - text.rfind(b"\n", 0, elided.start())
        raise _failure(_WHOLE, filename, line, column)
    try:
        answer = sandboxed_parse.answer(text, convert, convert)
    except sandboxed_parse.ChildDied as death:
        raise _failure(f"malformed HLO: {death}", filename) from None
    if answer.startswith(_FAILED):
        message = answer.removeprefix(_FAILED).decode(errors="replace")
        position = _PLACE.search(message)
        if position is None:
            raise _failure(_first_line(message), filename)
        raise _failure(f"malformed HLO: {position[3]}", filename, int(position[1]), int(position[2]))
    return answer


def convert(data: bytes, file: BinaryIO) -> None:
    """Write the bytecode, or the reason for a failure; runs in a child process."""
    _, jax, hlo = xla_modules()
    proto: Any = data
    try:
        if is_hlo_text(data):
            proto = hlo.hlo_module_from_text(data.decode()).as_serialized_hlo_module_proto()
        written: bytes = jax.mlir.hlo_to_stablehlo(with_windows(proto))
    except (RuntimeError, ValueError, UnicodeDecodeError) as error:  # JaxRuntimeError is a RuntimeError
        reason = f"malformed HLO: {str(error) or type(error).__name__}"
        file.write(_FAILED + (_unknown(str(error), proto) or reason).encode())
        return
    # The names of a dialect and of an operation in the table of strings.
    if b"\0mhlo\0" in written or b"\0get_tuple_element\0" in written:
        try:
            written = _without_mhlo(written)
        except UnsupportedError as error:
            file.write(_FAILED + error.message.encode())
            return
        except ir.MLIRError as error:
            reason = error.error_diagnostics[0].message if error.error_diagnostics else error.message
            reason = f"XLA's converter makes an invalid program: {reason}"
            file.write(_FAILED + (_unknown(str(error), proto) or reason).encode())
            return
    file.write(written)


def _unknown(message: str, proto: bytes) -> str:
    """The message about an instruction that the converter does not know; empty for other messages of MLIR."""
    unknown = _UNKNOWN.search(message)
    if unknown is None:
        return ""
    module = xla_modules()[2].HloModule.from_serialized_hlo_module_proto(proto)
    opcodes = {
        instruction.name: instruction.opcode.name.removeprefix("k")
        for computation in module.computations()
        for instruction in computation.instructions()
    }
    opcode = _CAPITAL.sub("-", opcodes.get(unknown[1], "")).lower()
    of_opcode = f" ({opcode})" if opcode else ""
    return f"XLA's converter to StableHLO does not know the instruction {unknown[1]}{of_opcode}"


def _without_mhlo(data: bytes) -> bytes:
    context = small_context()
    register_mhlo(context)
    module = ir.Module.parse(data, context)
    replace_mhlo(module)
    return write_bytecode(module)


_WHOLE = (
    "the text lacks the values of a large constant: take an HLO proto (--xla_dump_hlo_as_proto), "
    "or text with --xla_dump_large_constants"
)
# How XLA's parser names line and column of a syntax error.
_PLACE = re.compile(r"^was parsing (\d+):(\d+): error: (.*)$", re.MULTILINE)
# How the converter names an instruction that it cannot convert.
_UNKNOWN = re.compile(r"error: (?:loc\()?\"([^\"]*)\"\)?: unregistered operation 'mhlo.unknown'")
# The words of the names of opcodes: ScaledDot.
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0].strip()


def _failure(message: str, filename: str, line: int = 0, column: int = 0) -> ParseError:
    return ParseError((Diagnostic("error", message, filename, line, column),))
