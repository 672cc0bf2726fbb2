"""Programs and modules from files, bytes, text and JAX: the one loader of the API and of the commands.

`formats.py` says what the bytes of an input are; here each format meets the code that reads it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hlokit.contract.switches import is_on
from hlokit.errors import Diagnostic, ParseError
from hlokit.files import NO_FILE, is_text, read_file
from hlokit.formats import decode, find_bytecode, is_bytecode, is_export_blob
from hlokit.mlir.context import context_of_text
from hlokit.mlir.parse import parse_bytecode, parse_text
from hlokit.program import Backend, Program

if TYPE_CHECKING:
    from hlokit.mlir.bindings import ir


def load(
    source: str | bytes | os.PathLike[str], *, filename: str | None = None, backend: Backend = "numpy"
) -> Program:
    """A program from a file, or from its contents.

    Args:
      source: a path, or MLIR text, or the bytes of MLIR text, MLIR bytecode, a portable artifact of any
        StableHLO version that the bindings read, or a `jax.export` blob (needs the extra `jax`).
      filename: stands in messages instead of the path.
      backend: what runs the program: hlokit's own kernels (`numpy`), or XLA:CPU, which compiles the program
        first (`xla`).

    Raises:
      ParseError: the file cannot be read, or has none of these formats.
      VerificationError: an operation in the program is invalid.
      VersionError: an artifact uses what the bindings do not know yet.
    """
    if is_text(source):
        return load_text(source, filename or NO_FILE, backend)
    if isinstance(source, bytes | bytearray | memoryview):
        return load_bytes(bytes(source), filename or NO_FILE, backend)
    path = os.fspath(source)
    return load_bytes(read_file(path), filename or path, backend)


def load_bytes(data: bytes, filename: str = NO_FILE, backend: Backend = "numpy") -> Program:
    """The program in the bytes of an input; see `load`."""
    if is_bytecode(data):
        return Program(_parse_artifact(data, filename), filename, backend=backend)
    if is_export_blob(data):
        from hlokit.jax_interop import read_exported  # JAX is optional, and few programs come from it

        artifact, calling = read_exported(data, filename)
        return Program(_parse_artifact(artifact, filename), filename, calling, backend=backend)
    return load_text(decode(data, filename), filename, backend)


def load_text(
    text: str, filename: str = NO_FILE, backend: Backend = "numpy", context: ir.Context | None = None
) -> Program:
    """The program in MLIR text, in a context of its own unless one is given; see `load`."""
    if context is None:
        context = _context_of_text(text, filename)
    return Program(parse_text(context, text, filename), filename, backend=backend)


def load_module(
    data: bytes,
    filename: str = NO_FILE,
    *,
    context: ir.Context | None = None,
    keeps_vhlo: bool = False,
    allow_unregistered: bool = False,
) -> ir.Module:
    """The module in the bytes of an input, for those who look at it and do not call it.

    The module of a `jax.export` blob is read without JAX.

    Args:
      keeps_vhlo: a portable artifact gives the VHLO operations that are in it, not StableHLO. VHLO in text
        stays as it is anyway.
      allow_unregistered: let operations pass that no dialect has.

    Raises:
      ParseError, VerificationError, VersionError: see `load`.
    """
    found = find_bytecode(data)
    if found is None and is_export_blob(data):
        from hlokit.jax_interop import read_exported  # says in which way the blob is malformed

        data, _ = read_exported(data, filename)
        found = slice(None)
    if found is not None:
        return parse_bytecode(
            context,
            data[found],
            filename,
            trusts_reader=is_on("artifact-reader"),
            keeps_vhlo=keeps_vhlo,
            allow_unregistered=allow_unregistered,
        )
    text = decode(data, filename)
    if context is None:
        context = _context_of_text(text, filename)
    return parse_text(context, text, filename, allow_unregistered=allow_unregistered)


def _context_of_text(text: str, filename: str) -> ir.Context:
    try:
        return context_of_text(text)
    except UnicodeEncodeError as error:
        message = f"input must be text that UTF-8 can encode: {error}"
        raise ParseError((Diagnostic("error", message, filename),)) from None


def _parse_artifact(data: bytes, filename: str) -> ir.Module:
    return parse_bytecode(None, data, filename, trusts_reader=is_on("artifact-reader"))


def from_jax(
    function: Callable[..., Any], *example_arguments: Any, backend: Backend = "numpy", **example_keywords: Any
) -> Program:
    """The program that JAX makes of a function for arguments like the examples (needs the extra `jax`).

    Args:
      function: what `jax.jit` takes.
      example_arguments, example_keywords: arrays, or `jax.ShapeDtypeStruct`s, or pytrees of them.
      backend: what runs the program; see `load`.
    """
    from hlokit.jax_interop import export

    artifact, calling = export(function, example_arguments, example_keywords)
    module = parse_bytecode(None, artifact, NO_FILE, is_trusted=True)
    return Program(module, NO_FILE, calling, backend=backend)
