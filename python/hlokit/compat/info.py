"""A description of a file, read from its tables without MLIR, for any size and version."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hlokit._bytecode import Bytecode, BytecodeError, Entry
from hlokit.compat.encodings import (
    ATTRIBUTES_SINCE,
    OPERATIONS_SINCE,
    TYPES_SINCE,
    UNKNOWN,
    Decoder,
    Numbers,
)
from hlokit.compat.versions import MINIMUM, NEWEST_KNOWN, bytecode_version, readers_of
from hlokit.errors import Diagnostic, ParseError
from hlokit.files.formats import find_bytecode
from hlokit.files.reading import mapped
from hlokit.mlir.portable import Version, producer_version


@dataclass(frozen=True, slots=True)
class Function:
    """The signature of a function. `type_` is `?` if its encoding is unknown."""

    name: str
    type_: str
    visibility: str = "public"


@dataclass(frozen=True, slots=True)
class Constant:
    """An array of numbers in the program. The size is the number of stored bytes."""

    type_: str
    size: int


@dataclass(frozen=True, slots=True)
class Resource:
    """A named blob, stored beside the operations."""

    key: str
    kind: str
    size: int


@dataclass(frozen=True, slots=True)
class Info:
    """The description of a file.

    Attributes:
      kind: "portable artifact", "MLIR bytecode", "jax.export blob" or "MLIR text"; of converted inputs "HLO
        text", "HLO protocol buffer", "saved model of TensorFlow".
      size: the size of the file in bytes.
      version: the StableHLO version that a portable artifact states.
      as_written: the oldest version with all operations, types and attributes that the file names. (Older
        versions may be able to hold the same program, and its use of these features may require a newer
        version.)
      dialects: names and versions; the version is empty if a dialect has none.
      operations: the number of operations of each name, most frequent first.
      unread: the reason for missing fields, if the tables are newer than hlokit.
    """

    kind: str
    size: int
    producer: str
    version: Version | None
    bytecode_version: int
    as_written: Version | None = None
    dialects: dict[str, str] = field(default_factory=dict[str, str])
    operations: dict[str, int] = field(default_factory=dict[str, int])
    functions: tuple[Function, ...] = ()
    constants: tuple[Constant, ...] = ()
    resources: tuple[Resource, ...] = ()
    unread: str = ""

    @property
    def readers(self) -> str:
        """The consumers that can read the file, in words; empty unless it is a portable artifact."""
        return "" if self.version is None else readers_of(self.version)


def inspect_file(path: str) -> Info | None:
    """The description of a file; None if the file contains no bytecode (MLIR text, for instance).

    Raises:
      ParseError: the file cannot be read, or its bytecode is malformed.
    """
    with mapped(path) as data:
        span = find_bytecode(data)
        if span is None:
            return None
        return _inspect(memoryview(data)[span], span.start > 0, len(data), path)


def inspect_bytes(data: bytes, filename: str = "-") -> Info | None:
    """The description of a file's bytes; see `inspect_file`."""
    span = find_bytecode(data)
    return None if span is None else _inspect(memoryview(data)[span], span.start > 0, len(data), filename)


def _inspect(data: memoryview, in_blob: bool, size: int, filename: str) -> Info:
    try:
        bytecode = Bytecode(data)
        version = producer_version(bytecode.producer)
        kind = "jax.export blob" if in_blob else "portable artifact" if version else "MLIR bytecode"
        try:
            return _read(bytecode, kind, size, version)
        except BytecodeError as error:
            if bytecode.version <= bytecode_version(NEWEST_KNOWN):
                raise
            return Info(kind, size, bytecode.producer, version, bytecode.version, unread=str(error))
    except BytecodeError as error:
        raise ParseError((Diagnostic("error", f"malformed bytecode: {error}", filename),)) from None


def _read(bytecode: Bytecode, kind: str, size: int, version: Version | None) -> Info:
    decoder = Decoder(bytecode)
    operations = bytecode.operations()
    names = [".".join(filter(None, (op.dialect, op.name))) for op in bytecode.op_names]
    counts = sorted(zip(names, operations.counts, strict=True), key=lambda item: (-item[1], item[0]))
    functions: list[Function] = []
    for operation in operations.body:
        if names[operation.name] in ("func.func", "vhlo.func_v1"):
            properties = b""
            if operation.properties_offset is not None:
                view = bytecode.blob(operation.properties_offset, operation.properties_size)
                properties = bytes(view)
            functions.append(_function(decoder, names[operation.name], operation.attributes, properties))
    return Info(
        kind,
        size,
        bytecode.producer,
        version,
        bytecode.version,
        _as_written(bytecode, decoder) if version is not None and version <= NEWEST_KNOWN else None,
        {dialect.name: _dialect_version(dialect.version) for dialect in bytecode.dialects},
        {name: count for name, count in counts if count},
        tuple(functions),
        tuple(_constants(bytecode, decoder)),
        tuple(Resource(item.key, item.kind, item.size) for item in bytecode.resources),
    )


def _dialect_version(data: bytes | None) -> str:
    if data is None:
        return ""
    numbers = Numbers(memoryview(data))
    parts: list[str] = []
    try:
        while not numbers.at_end:
            parts.append(str(numbers.unsigned()))
    except IndexError:
        return UNKNOWN
    return ".".join(parts)


def _function(decoder: Decoder, name: str, attributes: int | None, properties: bytes) -> Function:
    named = decoder.dictionary(attributes) if attributes is not None else {}
    if "sym_name" not in named and properties:
        named |= _function_properties(name, properties)

    def value(key: str) -> str | None:
        return decoder.attribute(named[key]) if key in named else None

    return Function(
        value("sym_name") or UNKNOWN, value("function_type") or UNKNOWN, value("sym_visibility") or "public"
    )


def _function_properties(name: str, properties: bytes) -> dict[str, int]:
    """Attributes of a function by name: an operation writes them in alphabetical order."""
    numbers = Numbers(memoryview(properties))
    fields: list[int] = []
    try:
        while not numbers.at_end:
            fields.append(numbers.unsigned())
    except IndexError:
        return {}
    if len(fields) < 5:
        return {}
    if name == "func.func":
        # An optional index is shifted left with the lowest bit set; 0 means absent.
        visibility = {"sym_visibility": fields[-1] >> 1} if fields[-1] else {}
        return {"function_type": fields[1], "sym_name": fields[-2]} | visibility
    return {"function_type": fields[1], "sym_name": fields[3], "sym_visibility": fields[4]}


def _constants(bytecode: Bytecode, decoder: Decoder) -> Iterator[Constant]:
    for dense in bytecode.dense_attributes():
        if dense.kind == "elements":
            yield Constant(decoder.type_(dense.type_index), dense.size)
    for entry in _of_vhlo(bytecode.attributes, decoder):
        constant = decoder.tensor(entry)
        if constant is not None:
            yield Constant(*constant)


def _of_vhlo(entries: list[Entry], decoder: Decoder) -> Iterator[Entry]:
    return (entry for entry in entries if entry.custom and decoder.dialect(entry) == "vhlo")


def _as_written(bytecode: Bytecode, decoder: Decoder) -> Version:
    needed = MINIMUM
    for op in bytecode.op_names:
        if op.dialect == "vhlo":
            needed = max(needed, OPERATIONS_SINCE.get(op.name, MINIMUM))
    for entries, since in ((bytecode.types, TYPES_SINCE), (bytecode.attributes, ATTRIBUTES_SINCE)):
        for entry in _of_vhlo(entries, decoder):
            try:
                needed = max(needed, since.get(decoder.numbers(entry).unsigned(), MINIMUM))
            except IndexError:
                continue
    return needed
