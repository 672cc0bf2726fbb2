"""Programs of any kind for the commands that look at versions."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from hlokit.compat.deserialize import to_stablehlo
from hlokit.compat.info import locate
from hlokit.errors import ArgumentError, Diagnostic, ParseError
from hlokit.loading import load
from hlokit.mlir.parse import parse_bytecode

if TYPE_CHECKING:
    from hlokit.mlir.bindings import ir


def only_file(name: str, inputs: list[str]) -> str:
    """The one argument of a command that takes a file."""
    if len(inputs) != 1:
        raise ArgumentError(f"{name}: one file must be given, got {len(inputs)}")
    return inputs[0]


def read_module(path: str, data: bytes | None = None) -> ir.Module:
    """The program in a file, or in `data`; of a jax.export blob without JAX."""
    if data is None:
        data = read_file(path)
    found = locate(data)
    if found is None:
        return to_stablehlo(load(data, filename=path).module, path)
    return parse_bytecode(None, data[found], path)


def read_file(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ParseError((Diagnostic("error", f"cannot open input file '{path}': {reason}", path),)) from None


def read_stdin() -> bytes:
    return sys.stdin.buffer.read()


def as_bytecode(module: ir.Module) -> bytes:
    """The module as it is in the newest bytecode."""
    buffer = io.BytesIO()
    module.operation.write_bytecode(buffer)
    return buffer.getvalue()
