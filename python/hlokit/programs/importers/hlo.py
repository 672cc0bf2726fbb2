"""Converts HLO, as text or protocol buffers, to StableHLO with XLA's own converter in a child process."""

from __future__ import annotations

import re
from typing import Any, BinaryIO, cast

from hlokit.errors import Diagnostic, ParseError
from hlokit.mlir.provider.bindings import xla_modules
from hlokit.mlir.sandbox import sandboxed_parse
from hlokit.programs.importers.protobuf import MalformedMessage, fields, parts

_TEXT = re.compile(rb"\s*HloModule\s")
# HloProto.hlo_module is field 1, and so is HloSnapshot.hlo.
_HLO_MODULE = 1
_MOST_WRAPPERS = 2
# Fields of HloModuleProto.
_NAME, _ENTRY, _COMPUTATIONS = 1, 2, 3
_FAILED = b"error:"


def is_hlo_text(data: bytes) -> bool:
    """Whether `data` is HLO text, as written by `--xla_dump_to` and `Lowered.as_text("hlo")`."""
    return _TEXT.match(data) is not None


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
    try:
        answer = sandboxed_parse.answer(bytes(data), convert, convert)
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
    try:
        proto: Any = data
        if is_hlo_text(data):
            proto = hlo.hlo_module_from_text(data.decode()).as_serialized_hlo_module_proto()
        written: bytes = jax.mlir.hlo_to_stablehlo(proto)
    except (RuntimeError, ValueError, UnicodeDecodeError) as error:  # JaxRuntimeError is a RuntimeError
        file.write(_FAILED + f"malformed HLO: {str(error) or type(error).__name__}".encode())
        return
    if b"\0mhlo\0" in written:  # the name of a dialect in the table of strings
        operations = sorted({name.decode() for name in cast("list[bytes]", _MHLO.findall(written))})
        what = f"operations of mhlo ({', '.join(operations)})" if operations else "operations of mhlo"
        file.write(
            _FAILED
            + f"StableHLO does not have {what}, which XLA's passes make: take the HLO before "
            f"optimization (*.before_optimizations.*)".encode()
        )
        return
    file.write(written)


# How XLA's parser names line and column of a syntax error.
_PLACE = re.compile(r"^was parsing (\d+):(\d+): error: (.*)$", re.MULTILINE)
_MHLO = re.compile(rb"\0(fusion|copy|topk|async_start|bitcast|copy_start|add_dependency)(?=\0)")


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0].strip()


def _failure(message: str, filename: str, line: int = 0, column: int = 0) -> ParseError:
    return ParseError((Diagnostic("error", message, filename, line, column),))
