"""Recognises the format of an input: MLIR text, MLIR bytecode, or a jax.export blob with an artifact.

Portable artifacts are MLIR bytecode whose producer names a StableHLO version (`mlir/portable.py`).
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from hlokit.errors import Diagnostic, ParseError

if TYPE_CHECKING:
    import mmap

BYTECODE_MAGIC = b"ML\xefR"
# A jax.export blob is a FlatBuffer: its header contains zeros, which text does not.
_BLOB_HEADER = 64
# The number of bytes of a blob in which hlokit searches for the artifact.
_SEARCHED = 1 << 26


def is_bytecode(data: bytes | mmap.mmap) -> bool:
    """`data` is MLIR bytecode, perhaps a portable artifact."""
    return data[: len(BYTECODE_MAGIC)] == BYTECODE_MAGIC


# The first bytes of gzip, of protocol buffers that hold programs, and of HLO text.
_CONVERTIBLE = frozenset(b"\x1f\x08\x0aH \t\r\n")
# HLO text, perhaps after comments. XLA's tests often begin with a computation, without the line `HloModule`.
_BLANK = rb"(?:\s|//[^\n]*+\n|/\*(?:[^*]|\*(?!/))*+\*/)*+"
_COMPUTATION = (
    rb"(?:ENTRY\s+)?+%?[\w.-]++\s*+(?:\([^{}]*+)?+\{"
    + _BLANK
    + rb"(?:ROOT\s+)?+%?[\w.-]++\s*+=\s*+(?:\(|[a-z]\w*+\[)"
)
_HLO = _BLANK + rb"(?:HloModule\s|" + _COMPUTATION + rb")"
# MLIR text mostly begins so, for which no process needs to compile the pattern above.
_MLIR = (b"module @", b"func.func ", b"builtin.module ")


def may_be_converted(data: bytes) -> bool:
    """`data` may be a program of another framework, or compressed; `programs/importers/inputs.py` decides."""
    return data[:1] != b"" and (data[0] in _CONVERTIBLE or is_hlo_text(data))


def is_hlo_text(data: bytes) -> bool:
    """Whether `data` is HLO text, as written by `--xla_dump_to` and `as_text` of JAX's programs."""
    return not data.startswith(_MLIR) and re.match(_HLO, data) is not None


def may_be_hlo(text: str) -> bool:
    """Whether `text` may be HLO: a word that MLIR text seldom has, so that MLIR text need not be encoded."""
    return "HloModule" in text or " parameter(" in text or "ENTRY" in text


def is_export_blob(data: bytes) -> bool:
    """`data` looks like the result of `jax.export.Exported.serialize`."""
    return not is_bytecode(data) and b"\0" in data[:_BLOB_HEADER] and BYTECODE_MAGIC in data


def find_bytecode(data: bytes | mmap.mmap) -> slice | None:
    """The position of the bytecode: the whole input, or a part of a jax.export blob; None if there is no
    bytecode."""
    if is_bytecode(data):
        return slice(0, len(data))
    if b"\0" not in data[:_BLOB_HEADER]:
        return None
    start = data.find(BYTECODE_MAGIC, 0, _SEARCHED)
    if start < 4:
        return None
    # In a FlatBuffer the size of a vector of bytes precedes the bytes.
    size = int.from_bytes(data[start - 4 : start], "little")
    return slice(start, start + size) if start + size <= len(data) else None


def without_mark(data: bytes) -> bytes:
    """The input without the byte order mark that some editors write before text in UTF-8."""
    return data[len(codecs.BOM_UTF8) :] if data[: len(codecs.BOM_UTF8)] == codecs.BOM_UTF8 else data


def text_of(data: bytes) -> str | None:
    """The input as text; None if the input has another format or is not text."""
    if is_bytecode(data) or is_export_blob(data):
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


# The first bytes of files that users mistake for programs, and their formats. MLIR text never begins like
# this.
_FOREIGN_BYTES = (
    (b"(\xb5/\xfd", "compressed by zstd: decompress it first"),
    (b"\x7fELF", "a binary of this system (ELF)"),
    (
        b"PK\x03\x04",
        "a zip archive: an .npz file is an argument or weights; of TorchScript or torch.export load the "
        "module in Python, and call hlokit.from_torch(module, *arguments); of Keras, model.export(folder)",
    ),
    (b"\x80", "a pickle, as torch.save and joblib write: load the object in Python, and export its program"),
    (b"\x89HDF", "an HDF5 file"),
    (b"GGUF", "a GGUF file: weights, not a program"),
    (b"\x93NUMPY", "an array of NumPy: an argument, not a program"),
    (b"BC\xc0\xde", "LLVM bitcode"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xfe", "text in UTF-16: save it in UTF-8"),
    (b"\xfe\xff", "text in UTF-16: save it in UTF-8"),
)
_FOREIGN_TEXT = (
    ("; ModuleID", "LLVM IR"),
    ("source_filename", "LLVM IR"),
    ("target datalayout", "LLVM IR"),
    ("import ", "Python: export the program first, with jax.export"),
    ("from ", "Python: export the program first, with jax.export"),
    ("def ", "Python: export the program first, with jax.export"),
    ("#!", "a script"),
    ('{"', "JSON"),
    ("{}", "JSON"),
    *((sign, "a list of numbers: an argument, as an .npy file") for sign in "0123456789-+"),
    ("[", "JSON or a list: an argument, not a program"),
    ("<", "XML or HTML"),
    ("{ lambda", "a jaxpr: call hlokit.from_jax(function, *example_arguments) with its function"),
    ("{lambda", "a jaxpr: call hlokit.from_jax(function, *example_arguments) with its function"),
)
# The largest header of a safetensors file, by the format's specification.
_LARGEST_HEADER = 100_000_000
# Control characters, which text does not contain.
_CONTROL = "[\0-\x08\x0e-\x1f]"
_READ = (
    "hlokit reads MLIR text, MLIR bytecode, portable artifacts, jax.export blobs, HLO, saved models, "
    "folders of torch_xla, and these compressed by gzip"
)


def foreign(data: bytes | str) -> str | None:
    """A description of an input in none of hlokit's formats, for a message; None if the format is unknown."""
    if isinstance(data, str):
        start = data[:4096].lstrip("\ufeff \t\r\n")
        if start.startswith("{") and start[1:].lstrip().startswith('"'):
            start = '{"'
        description = next((what for sign, what in _FOREIGN_TEXT if start.startswith(sign)), None)
        if description is None:
            is_binary = re.search(_CONTROL, data[:4096]) is not None
            return foreign(data[:4096].encode(errors="replace")) if is_binary else None
    else:
        description = next((what for sign, what in _FOREIGN_BYTES if data.startswith(sign)), None)
        if data[8:9] == b"{" and int.from_bytes(data[:8], "little") <= _LARGEST_HEADER:
            description = "a safetensors file: weights, not a program"
        elif description is None and _is_onnx(data):
            description = "an ONNX model: convert it to StableHLO first, for instance with onnx-mlir"
        elif description is None and data[4:8] == b"TFL3":
            description = "a TensorFlow Lite model: convert the model that it was made from"
        elif description is None and data[:1] == b"\x0a" and b"\x1a" in data[:256]:
            description = "a protocol buffer, but no HloModuleProto"
    return f"this is {description} ({_READ})" if description else None


def _is_onnx(data: bytes) -> bool:
    """Whether the message may be a ModelProto: its version (field 1), and one of the fields 2 to 8."""
    if data[:1] != b"\x08":
        return False
    return b"onnx" in data[:256].lower() or (
        3 <= data[1] < 0x80 and data[2] in b"\x12\x1a\x22\x28\x32\x3a\x42"
    )


def decode(data: bytes, filename: str) -> str:
    """The text of an input that has no other format.

    Raises:
      ParseError: the input is not UTF-8.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        message = foreign(data) or (
            f"input must be MLIR text, MLIR bytecode, a portable artifact or a jax.export blob: {error}"
        )
        raise ParseError((Diagnostic("error", message, filename),)) from None
