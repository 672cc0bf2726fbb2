"""What the bytes of an input are: MLIR text, MLIR bytecode, or a jax.export blob with an artifact in it.

Portable artifacts are MLIR bytecode whose producer names a StableHLO version (`mlir/portable.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlokit.errors import Diagnostic, ParseError

if TYPE_CHECKING:
    import mmap

BYTECODE_MAGIC = b"ML\xefR"
# A jax.export blob is a FlatBuffer: there are zeros in its header, as there are none in text.
_BLOB_HEADER = 64
# How far into a blob the search for its artifact goes.
_SEARCHED = 1 << 26


def is_bytecode(data: bytes | mmap.mmap) -> bool:
    """`data` is MLIR bytecode, perhaps a portable artifact."""
    return data[: len(BYTECODE_MAGIC)] == BYTECODE_MAGIC


def is_export_blob(data: bytes) -> bool:
    """`data` looks like what `jax.export.Exported.serialize` gives."""
    return not is_bytecode(data) and b"\0" in data[:_BLOB_HEADER] and BYTECODE_MAGIC in data


def find_bytecode(data: bytes | mmap.mmap) -> slice | None:
    """Where the bytecode in an input is: everywhere, or within a jax.export blob; None if there is none."""
    if is_bytecode(data):
        return slice(0, len(data))
    if b"\0" not in data[:_BLOB_HEADER]:
        return None
    start = data.find(BYTECODE_MAGIC, 0, _SEARCHED)
    if start < 4:
        return None
    # In a FlatBuffer the size of a vector of bytes stands before the bytes.
    size = int.from_bytes(data[start - 4 : start], "little")
    return slice(start, start + size) if start + size <= len(data) else None


def text_of(data: bytes) -> str | None:
    """The text that an input is; None if the input has another format, or is no text at all."""
    if is_bytecode(data) or is_export_blob(data):
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def decode(data: bytes, filename: str) -> str:
    """The text that an input is if it has no other format.

    Raises:
      ParseError: the input is not UTF-8.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        message = f"input must be MLIR text, MLIR bytecode, a portable artifact or a jax.export blob: {error}"
        raise ParseError((Diagnostic("error", message, filename),)) from None
