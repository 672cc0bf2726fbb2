"""Output of a command: the standard output, and files that appear when they are complete."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, TextIO

import numpy as np

from hlokit.cli.streams.argument_files import array_types
from hlokit.engine.contract.registry import Value
from hlokit.errors import ArgumentError
from hlokit.values.bits import storable
from hlokit.values.types import TensorType, TokenType, TupleType, ValueType

# The version of all that `--json` prints: it changes when a reader of the earlier form would fail.
JSON_VERSION = 1
_NOT_OPENED = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)


class DiscardOutput(Exception):  # not an error: ends the block of `open_output`
    """Raised in a block of `open_output`: ends the block, and leaves an output file unchanged."""


@contextmanager
def open_output(path: str | None) -> Generator[TextIO]:
    """The file that a command writes text to: the standard output without a path, or for `-`.

    As with `open_bytes`, the file gets the whole text or stays unchanged.

    Raises:
      ArgumentError: the file cannot be written.
    """
    with suppress(DiscardOutput):
        if path is None or path == "-":
            yield sys.stdout
            return
        with open_bytes(path) as file:
            yield from _as_text(file)


def _as_text(file: BinaryIO) -> Iterator[TextIO]:
    # Names of files in the text may be no UTF-8.
    text = io.TextIOWrapper(file, encoding="utf-8", newline="\n", errors="backslashreplace")
    yield text
    text.flush()
    text.detach()  # otherwise `text` would close the file when it is deleted


@contextmanager
def open_bytes(path: str | None) -> Generator[BinaryIO]:
    """The file that a command writes to: the standard output without a path, or for `-`.

    An existing file is replaced at the end of the block, and stays unchanged if an exception ends the block.

    Raises:
      ArgumentError: the file cannot be written.
    """
    if path is None or path == "-":
        try:
            yield sys.stdout.buffer
        finally:
            sys.stdout.buffer.flush()
        return
    try:
        with _replacing(path) as file:
            yield file
    except OSError as error:
        what = "open" if isinstance(error, _NOT_OPENED) else "write"
        reason = (error.strerror or str(error)).lower()
        raise ArgumentError(f"cannot {what} output file '{path}': {reason}") from None


def write_json(record: Mapping[str, Any], indent: int | None = 2, stream: TextIO | None = None) -> None:
    """Write what `--json` prints: a record, with the version of its form."""
    (stream or sys.stdout).write(json.dumps({"version": JSON_VERSION, **record}, indent=indent) + "\n")


def require_format(path: str, types: Sequence[ValueType]) -> None:
    """Check, before a run, that a file can hold results of these types.

    Raises:
      ArgumentError: an .npy file holds one array.
    """
    count = len(array_types(types))
    if path.endswith(".npy") and count != 1:
        raise ArgumentError(f"--output must be an .npz file for {count} results, got '{path}'")


def save_results(path: str, values: Sequence[Value], types: Sequence[ValueType]) -> None:
    """Store results as `result_0`, `result_1`, ... of an .npz file, completely or not at all.

    The items of a tuple are `result_0_0`, ...; tokens are omitted. One result may be an .npy file.

    Raises:
      ArgumentError: the file cannot be written.
    """
    arrays: dict[str, Any] = {}
    for index, (value, type_) in enumerate(zip(values, types, strict=True)):
        arrays.update(_named(f"result_{index}", value, type_))
    _save(path, arrays, "results")


def save_program(path: str | None, text: str) -> None:
    """Write a program: bytecode to `.mlirbc` and `.bc`, else text.

    Raises:
      ArgumentError: the file cannot be written.
    """
    if path is None or not path.endswith((".mlirbc", ".bc")):
        with open_output(path) as file:
            file.write(text)
        return
    from hlokit.programs.loading import load_text

    data = load_text(text, path).serialize(allow_other_dialects=True)
    with open_bytes(path) as file:
        file.write(data)


def save_arguments(path: str, values: Sequence[Value]) -> None:
    """Store arguments as `input_0`, `input_1`, ... of an .npz file, without tokens, completely or not at
    all.

    Raises:
      ArgumentError: the file cannot be written.
    """
    arrays = [array for array in map(np.asarray, values) if array.dtype.kind != "O"]
    _save(path, {f"input_{index}": storable(array) for index, array in enumerate(arrays)}, "arguments")


def _save(path: str, arrays: dict[str, Any], what: str) -> None:
    try:
        with _replacing(path) as file:
            if path.endswith(".npy"):
                np.save(file, next(iter(arrays.values())))
            else:
                np.savez(file, **arrays)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ArgumentError(f"cannot write {what} to '{path}': {reason}") from None


def _named(name: str, value: Value, type_: ValueType) -> Iterator[tuple[str, Any]]:
    match type_:
        case TensorType():
            yield name, storable(np.asarray(value))
        case TupleType(types):
            for index, (item, item_type) in enumerate(zip(value, types, strict=True)):
                yield from _named(f"{name}_{index}", item, item_type)
        case TokenType():
            return
        case _:
            raise ArgumentError(f"{name} has type {type_}, which cannot be stored")


@contextmanager
def _replacing(path: str) -> Generator[Any]:
    """A temporary file beside the target of `path`, which replaces the target once it is complete.

    Links stay links; a file keeps its mode, and keeps its owner if this process may change owners.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        yield from _buffered(target)  # devices and pipes cannot be replaced, and have no positions to seek
        return
    import tempfile  # slow to import

    directory = os.path.dirname(target)
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=".hlokit-", dir=directory)
    except PermissionError:
        if not os.path.exists(target):
            raise
        yield from _buffered(target)  # the file is writable, but its directory is not
        return
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        _copy_owner_and_mode(temporary, target)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _buffered(target: str) -> Iterator[Any]:
    """A buffer, whose contents replace those of an existing file at the end."""
    buffer = io.BytesIO()
    yield buffer
    with open(target, "wb") as file:
        file.write(buffer.getbuffer())


def _copy_owner_and_mode(temporary: str, target: str) -> None:
    """Give the temporary file the owner and mode of the target, or the mode of a new file."""
    try:
        old = os.stat(target)
    except FileNotFoundError:
        os.chmod(temporary, 0o666 & ~_umask())
        return
    with suppress(OSError):
        os.chown(temporary, old.st_uid, old.st_gid)
    os.chmod(temporary, old.st_mode & 0o7777)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
