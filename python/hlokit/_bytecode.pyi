"""MLIR's binary format without MLIR: container, structure and validation; and a first look at MLIR's text."""

from collections.abc import Iterable
from typing import Literal

from typing_extensions import Buffer

class BytecodeError(ValueError):
    """Malformed bytecode. `offset` is the byte where the reader noticed it."""

    offset: int

class Section:
    """A part of the file."""

    @property
    def name(self) -> str:
        """For instance 'string', 'attr_type', 'ir' or 'resource'."""

    @property
    def offset(self) -> int: ...
    @property
    def size(self) -> int: ...

class Dialect:
    """A dialect that the file uses."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> bytes | None:
        """In the encoding of the dialect; None for most dialects."""

class OpName:
    """The name of operations that the file has."""

    @property
    def dialect(self) -> str: ...
    @property
    def name(self) -> str:
        """Without the dialect; empty for an unregistered name without a dot."""

class Entry:
    """An attribute or a type."""

    @property
    def dialect(self) -> int:
        """Index into `Bytecode.dialects`."""

    @property
    def custom(self) -> bool:
        """Whether the dialect has an encoding of its own. Otherwise the bytes are text and a zero."""

    @property
    def offset(self) -> int: ...
    @property
    def size(self) -> int: ...

class Resource:
    """A named value outside of the operations."""

    @property
    def group(self) -> str:
        """The dialect or the external provider that owns it."""

    @property
    def key(self) -> str: ...
    @property
    def kind(self) -> Literal["blob", "bool", "string", "declaration"]:
        """A 'declaration' has no value, since the writer left it out."""

    @property
    def alignment(self) -> int:
        """In bytes; 1 for all kinds but a blob."""

    @property
    def offset(self) -> int:
        """Offset of the value, without padding."""

    @property
    def size(self) -> int:
        """Size of the value, in bytes."""

class BodyOperation:
    """An operation in the module's body, usually a function."""

    @property
    def name(self) -> int:
        """Index into `Bytecode.op_names`."""

    @property
    def attributes(self) -> int | None:
        """Index of a dictionary in `Bytecode.attributes`; None without attributes."""

    @property
    def properties_offset(self) -> int | None:
        """Offset of the properties, in the encoding of the operation; None without properties."""

    @property
    def properties_size(self) -> int: ...

class Operations:
    """The operations of a file."""

    @property
    def counts(self) -> list[int]:
        """The number of operations of each of `Bytecode.op_names`."""

    @property
    def body(self) -> list[BodyOperation]:
        """The operations in the module's body, in order."""

class Dense:
    """A builtin attribute with an array of numbers."""

    @property
    def kind(self) -> Literal["elements", "array", "resource"]:
        """'elements' for dense<..>, 'array' for array<..>, 'resource' for dense_resource<..>."""

    @property
    def index(self) -> int:
        """Index into `Bytecode.attributes`."""

    @property
    def type_index(self) -> int:
        """Index into `Bytecode.types`: the type of the tensor; for an 'array', that of its elements."""

    @property
    def offset(self) -> int:
        """Offset of the elements' bytes, also in a resource."""

    @property
    def size(self) -> int:
        """In bytes."""

    @property
    def key(self) -> str | None:
        """The key of the resource; None for the other kinds."""

class Bytecode:
    """
    MLIR bytecode and portable artifacts: the tables of the file, bounds checked and without copies.

    The constructor reads the header and finds the sections, which takes microseconds whatever the size
    of the file. A table is read on first use. Malformed input raises `BytecodeError`, in the constructor or
    when a malformed table is read.

    Bytecode versions 0 to 6 are supported. Of a newer version only the version, the producer and the
    sections are readable; the tables raise `BytecodeError`.
    """

    def __init__(self, buffer: Buffer) -> None:
        """`buffer`: bytes, bytearray, mmap or any other contiguous buffer. It is kept alive, not copied."""

    @property
    def version(self) -> int:
        """The version of the bytecode format."""

    @property
    def producer(self) -> str:
        """For instance 'MLIR23.0.0git' or 'StableHLO_v1.17.0'."""

    @property
    def sections(self) -> list[Section]:
        """In file order."""

    @property
    def strings(self) -> list[str]:
        """All strings of the file. Bytes that are not UTF-8 are escaped as by `surrogateescape`."""

    @property
    def dialects(self) -> list[Dialect]: ...
    @property
    def op_names(self) -> list[OpName]: ...
    @property
    def attributes(self) -> list[Entry]: ...
    @property
    def types(self) -> list[Entry]: ...
    @property
    def resources(self) -> list[Resource]: ...
    def dense_attributes(self) -> list[Dense]:
        """
        The builtin attributes with arrays of numbers, in table order.

        Their bytes are little-endian and in row-major order. In detail:

        - a splat has the bytes of one element;
        - i1: 8 elements a byte, the first in the lowest bit; a splat is one byte, 0x00 or 0xFF. An 'array'
          has one byte for each element instead;
        - i2, i4, ui2, ui4 and the floats of 4 and 6 bits: one byte for each element, with zeros in the upper
          bits, so -1 : i4 is 0x0F;
        - complex: the real part, then the imaginary part; index: 8 bytes;
        - a 'resource' has the bytes that its producer wrote, never a splat.
        """

    def operations(self) -> Operations:
        """Count the operations, and list those in the module's body, in one walk over all operations."""

    def validate(self, reader: int) -> None:
        """
        Raise `BytecodeError` unless the file is a portable artifact that MLIR's reader is known to survive.

        Such a file is well formed, and has only attributes, types and operations that the validator knows.
        `reader` is the version of StableHLO that will read the file: 1,000 times the major version, plus
        the minor version.
        """

    def blob(self, offset: int, size: int) -> memoryview:
        """A read-only view, which keeps the buffer alive. Bytes outside of it raise `BytecodeError`."""

class Block:
    """
    The operations of a region's only block, as columns.

    Values have slots, which are numbered: the block's arguments, the values that its region captures, then
    the results of its operations. Each list has an item for every operation but the last.
    """

    @property
    def kinds(self) -> list[int]:
        """
        Operations of one kind have the same name, attributes and types.

        An operation with regions is of a kind of its own.
        """

    @property
    def firsts(self) -> list[tuple[int, int]]:
        """Each kind, with the position of its first operation."""

    @property
    def operands(self) -> list[tuple[int, ...]]:
        """The slots that each operation reads; the slots that its regions capture come last."""

    @property
    def results(self) -> list[tuple[int, ...]]:
        """The slots that each operation writes."""

    @property
    def regions(self) -> dict[int, list[Region]]:
        """Position of an operation -> its regions."""

    @property
    def outputs(self) -> tuple[int, ...]:
        """The slots that the last operation reads."""

    @property
    def terminator(self) -> str:
        """The name of the last operation."""

    @property
    def slot_count(self) -> int: ...

class Region:
    """A region, whose block is read on demand."""

    @property
    def block_count(self) -> int: ...
    @property
    def capture_count(self) -> int:
        """The number of values from outside that the regions of its operation use."""

    def read(self) -> Block:
        """Read the block. Raises ValueError if the region has no block, or several."""

class StructureReader:
    """
    The operations of a module, and what they read and write.

    Pass it to `write_bytecode` as the file to write to. It does not keep the data of constants.
    """

    def write(self, piece: bytes) -> int:
        """Take the next bytes of the file."""

    @property
    def size(self) -> int:
        """The number of bytes that were kept."""

    def operation_names(self) -> list[str]:
        """The names of all operations in the module, each once. Raises `BytecodeError` if it is malformed."""

    def regions(self) -> list[list[Region]]:
        """The regions of each operation in the module's body. Raises `BytecodeError` for a malformed file."""

def last_uses(
    operands: list[tuple[int, ...]], results: list[tuple[int, ...]], kept: Iterable[int]
) -> list[tuple[int, ...]]:
    """For each step, the slots that it reads or writes, that no later step reads, and that are not kept."""

def end_with_parent(parent: int) -> bool:
    """
    End this process when the thread of its parent process that forked it ends, by whatever means. False
    where the system cannot do that.
    """

def end_with_pipe(descriptor: int) -> None:
    """
    End this process when nobody has the writing side of a pipe open any more; if it leads its process
    group, end the group. A thread of its own watches.
    """

def end_quietly_without_memory() -> None:
    """
    Let std::bad_alloc that nobody catches abort this process without a message on the standard error.
    """

def excess(text: str, deepest: int, largest: int) -> tuple[int, bool] | None:
    """
    Where a text is nested more than `deepest` levels deep, or where its aliases expand to more than
    `largest` types, attributes and locations: a byte offset, and whether it is the depth. Four levels of
    locations count as one.
    """

def demanded_nans(
    operands: list[tuple[int, ...]], results: list[tuple[int, ...]], rows: bytes, kept: Iterable[int]
) -> list[tuple[int, int]]:
    """
    (step, slot) of the computed values whose NaNs somebody tells apart by their bits, the last first.

    `rows` says what each step does with such bits: see `contract.nan_bits`. Somebody are the `kept` slots,
    steps that keep bits, and steps that move values to where somebody is.
    """

def hlo_computation(
    data: bytes,
) -> tuple[
    int,
    int,
    list[tuple[tuple[bytes, bytes, bool], int, bytes, tuple[int, ...], tuple[int, ...]]],
]:
    """
    The id of an HloComputationProto, the id of its root, and its instructions: the fields before their ids
    and after them, and whether they call computations; id, name (empty if it is among the fields), and the
    ids of operands and of computations that are called. ValueError if the data is damaged.
    """

def words_in(text: str, words: tuple[str, ...]) -> list[int]:
    """The indices of the words that occur in a text. At most 64 words, each of three bytes or more."""

def without_digits(text: str) -> str:
    """
    The text without the hexadecimal digits of large constants, for searches; the text itself if it has
    none.
    """
