"""What a command reads: programs and arguments."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hlokit.cli.diagnostics import Source
from hlokit.compat.info import locate
from hlokit.errors import ArgumentError, Diagnostic, ParseError
from hlokit.jax_interop import is_exported
from hlokit.loading import load
from hlokit.mlir.argument_list import read_argument_list
from hlokit.mlir.context import context_of_text, make_context
from hlokit.mlir.diagnostics import collected
from hlokit.mlir.parse import BYTECODE_MAGIC, parse_bytecode, parse_text, raw_diagnostic
from hlokit.mlir.split import split_input
from hlokit.program import Program
from hlokit.values.tensor import Token
from hlokit.values.types import TensorType, TupleType, ValueType

if TYPE_CHECKING:
    from hlokit.interpreter.mpi_engine import MpiEngine
    from hlokit.mlir.bindings import ir

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Chunk:
    """One module of the input, not loaded yet. `data` is the whole input."""

    source: Source
    load: Callable[[], Program]
    data: bytes


def read_chunks(path: str, split: bool, engine: MpiEngine | None = None) -> Iterator[Chunk]:
    """The modules of a file, or of the standard input for `-`.

    Args:
      split: the file holds several modules, with `// -----` between them.
      engine: its rank 0 reads the file for all.

    Raises:
      ParseError: the file cannot be read.
    """
    name, data = (
        _read(path) if engine is None else engine.together(lambda: engine.shared(lambda: _read(path)))
    )
    text = _text(data)
    if text is None:
        yield Chunk(Source(name), partial(load, data, filename=name), data)
        return
    context = context_of_text(text)
    for chunk in split_input(text) if split else (text,):
        yield Chunk(Source(name, chunk), partial(_load_text, context, chunk, name), data)


@dataclass(frozen=True, slots=True)
class ModuleSource:
    """One module of the input, not parsed yet.

    Attributes:
      line: where it begins in the input.
      parse: the module, and warnings about it.
    """

    source: Source
    line: int
    parse: Callable[[], tuple[ir.Module, list[Diagnostic]]]


def read_module_sources(path: str, *, split: bool, allow_unregistered: bool) -> Iterator[ModuleSource]:
    """The modules of a file as they are, VHLO included, which need not be programs that can be run.

    Args:
      split: the file holds several modules, with `// -----` between them.
      allow_unregistered: let operations pass that no dialect has.

    Raises:
      ParseError: the file cannot be read.
    """
    name, data = _read(path)
    text = _text(data)
    context = make_context()
    if text is None:
        start = locate(data)
        data = data if start is None else data[start]
        read = partial(parse_bytecode, keeps_vhlo=True, allow_unregistered=allow_unregistered)
        yield ModuleSource(Source(name), 1, partial(_with_warnings, read, context, data, name))
        return
    read = partial(parse_text, allow_unregistered=allow_unregistered)
    line = 1
    for chunk in split_input(text) if split else (text,):
        yield ModuleSource(Source(name, chunk), line, partial(_with_warnings, read, context, chunk, name))
        line = chunk.count("\n") + 1


def _with_warnings(
    read: Callable[[ir.Context, Any, str], ir.Module], context: ir.Context, source: str | bytes, name: str
) -> tuple[ir.Module, list[Diagnostic]]:
    with collected(context) as found:
        module = read(context, source, name)
    return module, [raw_diagnostic(raw, name) for raw in found]


def _read(path: str) -> tuple[str, bytes]:
    if path == "-":
        return "<stdin>", sys.stdin.buffer.read()
    try:
        with open(path, "rb") as file:
            return path, file.read()
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ParseError((Diagnostic("error", f"cannot open input file '{path}': {reason}", path),)) from None


def _text(data: bytes) -> str | None:
    if data.startswith(BYTECODE_MAGIC) or is_exported(data):
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _load_text(context: ir.Context, text: str, name: str) -> Program:
    return Program(parse_text(context, text, name), name)


def read_arguments(values: Sequence[str]) -> list[Array]:
    """Arguments from the values of `--args`: lists of constants, .npy files and .npz files, in order.

    Raises:
      ArgumentError: one is none of these.
    """
    arguments: list[Array] = []
    for value in values:
        if value.endswith((".npy", ".npz")):
            arguments += _read_arrays(value)
        elif value:
            arguments += read_argument_list(make_context(), value)
    return arguments


def _read_arrays(path: str) -> list[Array]:
    import zipfile  # slow to import
    import zlib

    try:
        if not zipfile.is_zipfile(path):
            with open(path, "rb") as file:
                return [_read_array(file.read())]
        with zipfile.ZipFile(path) as archive:
            return [_read_array(archive.read(name)) for name in archive.namelist()]
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ArgumentError(f"cannot read arguments from '{path}': {reason}") from None


# NumPy writes the type f8E5M2 as a float of a byte, which it does not know when it reads. Raw bytes will do.
_UNREADABLE, _RAW = b"'descr': '<f1'", b"'descr': '|V1'"
_HEADER_SIZE = 128


def _read_array(data: bytes) -> Array:
    if _UNREADABLE in data[:_HEADER_SIZE]:
        data = data.replace(_UNREADABLE, _RAW, 1)
    return np.load(io.BytesIO(data), allow_pickle=False)


def array_types(types: Sequence[ValueType]) -> list[TensorType]:
    """The types of the arrays that values consist of: a tuple of those of its items, a token of none."""
    found: list[TensorType] = []
    for type_ in types:
        if isinstance(type_, TupleType):
            found += array_types(type_.types)
        elif isinstance(type_, TensorType):
            found.append(type_)
    return found


def as_arguments(arrays: Sequence[Array], types: Sequence[ValueType]) -> list[Any]:
    """Arguments of parameters from the arrays that they consist of, or else from one a parameter."""
    wanted = array_types(types)
    if len(wanted) != len(arrays):
        return with_stored_types(arrays, types)
    rest = iter(with_stored_types(arrays, wanted))

    def take(type_: ValueType) -> Any:
        if isinstance(type_, TupleType):
            return tuple([take(item) for item in type_.types])
        return next(rest) if isinstance(type_, TensorType) else Token()

    return [take(type_) for type_ in types]


def with_stored_types(arguments: Sequence[Array], types: Sequence[ValueType]) -> list[Array]:
    """Arrays from files as the parameters' types mean them.

    NumPy writes dtypes that it does not know (bf16, f8, i4, ...) as raw bytes of their size.
    """
    wanted = [*types, *[None] * len(arguments)]
    return [_with_stored_type(array, type_) for array, type_ in zip(arguments, wanted, strict=False)]


def _with_stored_type(array: Array, type_: ValueType | None) -> Array:
    if array.dtype.kind in "iufc":
        array = array.astype(array.dtype.type, copy=False)  # in the byte order of this machine
    if not isinstance(type_, TensorType):
        return array
    dtype = type_.element_type.dtype
    if array.dtype.kind == "V" and array.dtype.names is None and array.dtype.itemsize == dtype.itemsize:
        return array.view(dtype)
    return array
