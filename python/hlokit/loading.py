"""Programs from files, bytes, text and JAX."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hlokit import jax_interop
from hlokit.errors import Diagnostic, ParseError
from hlokit.interpreter.switches import is_on
from hlokit.mlir.context import context_of_text
from hlokit.mlir.parse import BYTECODE_MAGIC, parse_bytecode, parse_text
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
      backend: what runs it: hlokit's own kernels (`numpy`), or XLA:CPU, which compiles it first (`xla`).

    Raises:
      ParseError: the file cannot be read, or is none of these.
      VerificationError: an operation in it is invalid.
      VersionError: an artifact uses what the bindings do not know yet.
    """
    if isinstance(source, str) and _is_text(source):
        return _load_text(source, filename or "-", backend)
    if isinstance(source, bytes | bytearray | memoryview):
        return _load_bytes(bytes(source), filename or "-", backend)
    path = os.fspath(source)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (OSError, ValueError) as error:  # the last one: a path with a zero byte
        reason = str(getattr(error, "strerror", None) or error).lower()
        raise ParseError((Diagnostic("error", f"cannot open input file '{path}': {reason}", path),)) from None
    return _load_bytes(data, filename or path, backend)


def _is_text(source: str) -> bool:
    """MLIR text rather than a path: a path has no line break, brace or percent sign with a space around."""
    return not source.strip() or "\n" in source or "{" in source


def _load_text(text: str, filename: str, backend: Backend) -> Program:
    try:
        context = context_of_text(text)
    except UnicodeEncodeError as error:
        message = f"input must be text that UTF-8 can encode: {error}"
        raise ParseError((Diagnostic("error", message, filename),)) from None
    return Program(parse_text(context, text, filename), filename, backend=backend)


def _load_bytes(data: bytes, filename: str, backend: Backend) -> Program:
    if data.startswith(BYTECODE_MAGIC):
        return Program(_parse_artifact(data, filename), filename, backend=backend)
    if jax_interop.is_exported(data):
        artifact, calling = jax_interop.read_exported(data, filename)
        return Program(_parse_artifact(artifact, filename), filename, calling, backend=backend)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        message = f"input must be MLIR text, MLIR bytecode, a portable artifact or a jax.export blob: {error}"
        raise ParseError((Diagnostic("error", message, filename),)) from None
    return _load_text(text, filename, backend)


def _parse_artifact(data: bytes, filename: str) -> ir.Module:
    return parse_bytecode(None, data, filename, trusts_reader=is_on("artifact-reader"))


def from_jax(
    function: Callable[..., Any], *example_arguments: Any, backend: Backend = "numpy", **example_keywords: Any
) -> Program:
    """The program that JAX makes of a function for arguments like the examples (needs the extra `jax`).

    Args:
      function: what `jax.jit` takes.
      example_arguments, example_keywords: arrays, or `jax.ShapeDtypeStruct`s, or pytrees of them.
      backend: what runs it; see `load`.
    """
    artifact, calling = jax_interop.export(function, example_arguments, example_keywords)
    module = parse_bytecode(None, artifact, "-", is_trusted=True)
    return Program(module, "-", calling, backend=backend)
