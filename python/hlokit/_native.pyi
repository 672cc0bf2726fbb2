"""MLIR's binary formats without MLIR, machines for pointwise operations, products of matrices."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from typing_extensions import Buffer

class BytecodeError(ValueError):
    """Malformed bytecode. `offset` is the byte at which that was noticed."""

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
        """As the dialect encoded it; most dialects have none."""

class OpName:
    """An operation that the file uses, once however often."""

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
        """Whether in an encoding of the dialect's own. Otherwise the bytes are its text and a zero."""

    @property
    def offset(self) -> int: ...
    @property
    def size(self) -> int: ...

class Resource:
    """A named value beside the operations."""

    @property
    def group(self) -> str:
        """The dialect, or the external provider, that it belongs to."""

    @property
    def key(self) -> str: ...
    @property
    def kind(self) -> Literal["blob", "bool", "string", "declaration"]:
        """A 'declaration' has no value: the writer left it out."""

    @property
    def alignment(self) -> int:
        """In bytes; 1 for everything but a blob."""

    @property
    def offset(self) -> int:
        """Of the value itself, as is the size."""

    @property
    def size(self) -> int: ...

class BodyOperation:
    """An operation in the module's body: a function, as a rule."""

    @property
    def name(self) -> int:
        """Index into `Bytecode.op_names`."""

    @property
    def attributes(self) -> int | None:
        """Index into `Bytecode.attributes`: a dictionary; None without attributes."""

    @property
    def properties_offset(self) -> int | None:
        """Of the properties, as the operation encoded them; None without properties."""

    @property
    def properties_size(self) -> int: ...

class Operations:
    """What the operations are."""

    @property
    def counts(self) -> list[int]:
        """How many there are of each of `Bytecode.op_names`."""

    @property
    def body(self) -> list[BodyOperation]:
        """Those in the module's body, in order."""

class Dense:
    """An attribute that holds an array of numbers."""

    @property
    def kind(self) -> Literal["elements", "array", "resource"]:
        """'elements' for dense<..>, 'array' for array<..>, 'resource' for dense_resource<..>."""

    @property
    def index(self) -> int:
        """Index into `Bytecode.attributes`."""

    @property
    def type_index(self) -> int:
        """Index into `Bytecode.types`: the tensor's type; for an 'array', that of its elements."""

    @property
    def offset(self) -> int:
        """Of the elements' bytes, also where they are in a resource."""

    @property
    def size(self) -> int:
        """In bytes."""

    @property
    def key(self) -> str | None:
        """The resource's key; None for the other kinds."""

class Bytecode:
    """
    MLIR bytecode and portable artifacts: the tables of the file, bounds checked and without copies.

    The constructor reads the header and finds the sections, which takes microseconds whatever the
    size; a table is read when it is first asked for. Any malformed input raises `BytecodeError`, from
    the constructor or from the table that is malformed.

    Bytecode versions 0 to 6 are supported. Of a newer one the version, the producer and the sections
    can be read; the tables raise `BytecodeError`.
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
        """The texts that the rest refers to. What is not UTF-8 is escaped as `surrogateescape` does."""

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
        The builtin attributes that hold arrays of numbers, in table order.

        Their bytes are little-endian and major to minor. In detail:

        - a splat has the bytes of one element;
        - i1: 8 elements a byte, the first in the lowest bit; a splat is one byte, 0x00 or 0xFF. An 'array'
          has a byte an element instead;
        - i2, i4, ui2, ui4 and the floats of 4 and 6 bits: a byte an element, the upper bits zero, so -1 : i4
          is 0x0F;
        - complex: the real part, then the imaginary part; index: 8 bytes;
        - a 'resource' has whatever bytes its producer put there, without splats.
        """

    def operations(self) -> Operations:
        """Counts the operations and lists those in the module's body, in one walk over all of them."""

    def require_known(self, reader: int) -> None:
        """
        Raises `BytecodeError` unless the file is a portable artifact without any fault, of known kinds.

        Of such files it is known that the bindings survive them. `reader` is the version of StableHLO that
        will read the file: 1,000 times the major and the minor version.
        """

    def blob(self, offset: int, size: int) -> memoryview:
        """A read-only view that keeps the buffer alive. Bytes outside it raise `BytecodeError`."""

class Block:
    """
    A block with one way through it.

    Slots are numbered: the block's arguments, the values that its region captures, the results of its
    operations in order. All but the last operation have a place in the lists, in order.
    """

    @property
    def kinds(self) -> list[int]:
        """Those of one kind have the same name, attributes and types. One with regions is of its own kind."""

    @property
    def firsts(self) -> list[tuple[int, int]]:
        """Each kind with the position of the first operation of it."""

    @property
    def operands(self) -> list[tuple[int, ...]]:
        """Slots that each reads; those that its regions capture come last."""

    @property
    def results(self) -> list[tuple[int, ...]]:
        """Slots that each writes."""

    @property
    def regions(self) -> dict[int, list[Region]]:
        """Of the operations that have any, by position."""

    @property
    def outputs(self) -> tuple[int, ...]:
        """Slots that the last operation reads."""

    @property
    def terminator(self) -> str:
        """The name of the last operation."""

    @property
    def slot_count(self) -> int: ...

class Region:
    """A region that has not been looked into."""

    @property
    def block_count(self) -> int: ...
    @property
    def capture_count(self) -> int:
        """How many values from outside the regions of its operation use."""

    def read(self) -> Block:
        """Its block. ValueError if it has none, or several."""

class StructureReader:
    """
    Which operations a module has, and what they read and write.

    To be passed to `write_bytecode`: it is written to like a file. Large constants leave no trace in it.
    """

    def write(self, piece: bytes) -> int:
        """Takes the next bytes of the file."""

    @property
    def size(self) -> int:
        """Bytes that were kept."""

    def regions(self) -> list[list[Region]]:
        """Of each operation in the module's body, in order. `BytecodeError` if the file is malformed."""

def last_uses(
    operands: list[tuple[int, ...]], results: list[tuple[int, ...]], kept: Iterable[int]
) -> list[tuple[int, ...]]:
    """For each step the slots that no later step reads, but for those that are kept."""

def bracket_depth(text: str) -> int:
    """How many brackets of any kind are open at most, those in strings and comments left out."""

def words_in(text: str, words: tuple[str, ...]) -> list[int]:
    """Indices of the words that a text has in it. There are 32 at most, of three bytes or more."""

def find_operation(name: str, to: str, operand: str) -> int:
    """
    The number of an operation by the types of its result and of its last operand; -1 if there is none.

    Types are spelled as in MLIR, operations as in StableHLO; comparisons are 'LT', 'TOTALORDER LT' and so on.
    """

def copy(operand: Buffer, result: Buffer, threads: int = 1) -> bool:
    """
    Fill `result`, which is contiguous, with the elements of an array of any strides.

    False, and nothing done, if elements are not of 1, 2, 4 or 8 bytes, or not aligned.
    """

def scalar_function(name: str) -> Callable[..., float]:
    """What a function of one or two f32 gives before it is rounded. Raises ValueError for an unknown one."""

class Loop:
    """
    A program of operations on scalars and on arrays of fixed sizes, with jumps.

    Instructions are (operation, to, a, b, c): an operation's number, the register of its result and those
    of its operands, 0 for those that it has not. Or -1, -2, -3: a jump to instruction `to`, always, if
    register `a` (an i1) is true, or if it is not. The program ends behind its last instruction.

    A register holds a scalar or an array, of which the program knows the number of elements. -4 to -7 move
    elements, read windows, write windows and reduce: lib/vm_arrays.h says how.
    """

    def __init__(
        self,
        types: Sequence[str],
        code: Sequence[tuple[int, int, int, int, int]],
        counts: Sequence[int] = (),
        numbers: Sequence[Sequence[int]] = (),
        arrays: Sequence[int] = (),
    ) -> None:
        """
        `types`: of the registers; `counts`: elements of each, -1 for a scalar; () if all are.
        `numbers`: lists that instructions refer to. `arrays`: the registers whose arrays a run is given.
        Raises ValueError for a program that is malformed.
        """

    @property
    def arena_bytes(self) -> int:
        """Size of the memory that a run takes for its own arrays."""

    def run(self, registers: Buffer, arrays: Sequence[Buffer], arena: Buffer, budget: int) -> bool:
        """
        Run from the start or go on, for `budget` jumps back (more of them if there is little between);
        gives whether it has ended.

        `registers`: writable items of 8 bytes. The first two are the machine's, 0 at first; then one each
        register, whose scalar lies in its first bytes. `arrays`: contiguous, writable if they are written.
        `arena`: bytes to work in; the same while a run goes on.
        """

class Segment:
    """
    A program of operations on scalars and on arrays of fixed sizes, without jumps, to be called with arrays.

    Instructions, registers and numbers are as in `Loop`.
    """

    def __init__(
        self,
        types: Sequence[str],
        code: Sequence[tuple[int, int, int, int, int]],
        counts: Sequence[int],
        numbers: Sequence[Sequence[int]],
        inputs: Sequence[tuple[int, Sequence[int]]],
        outputs: Sequence[tuple[int, Sequence[int]]],
        constants: Sequence[tuple[int, bytes]],
    ) -> None:
        """
        `inputs` and `outputs`: registers, each with a shape of as many elements; `constants`: registers and
        their bytes. Raises ValueError for a program that is malformed.
        """

    def run(self, operands: Sequence[Buffer], results: Sequence[Buffer]) -> None:
        """Compute. Operands are of any layout; results are contiguous and share no memory with others."""

def find_reduction(name: str, type: str) -> int:
    """The number of a reduction of rows by an operation of two values; 0 if there is none."""

class Chain:
    """
    A straight line of pointwise operations on arrays, and of reductions of their rows.

    Instructions are as in `Loop`, without jumps; each register is written once. There are three levels: a
    register has one value (0), one a row (1), or one for each of rows times columns (2). An operation is done
    on the highest level of its operands. -1 gives a register of lower level for each element; numbers of
    `find_reduction` reduce rows: of an array and an initial value.
    """

    def __init__(
        self,
        types: Sequence[str],
        code: Sequence[tuple[int, int, int, int, int]],
        inputs: Sequence[tuple[int, int, Sequence[int], Sequence[int]]],
        outputs: Sequence[int],
        rows: int = 0,
        columns: int = 0,
    ) -> None:
        """
        `types`: of the registers. Raises ValueError for a program that is malformed.

        `inputs`: (register, level, shape, dimensions) each. The shape has as many elements as the level. An
        operand is an array whose dimensions are those of the shape, or 1: it is repeated along them and
        along the others. Without rows and columns operands of level 2 are of one shape, that of the
        results, or of rank 0, those of level 0 of rank 0; shapes and dimensions of inputs then are empty.
        """

    def run(self, operands: Sequence[Buffer], results: Sequence[Buffer], threads: int = 1) -> bool:
        """
        Fill `results` from `operands`; False, and nothing done, if one is not aligned, or not in rows.

        Results are contiguous, and share no memory with operands. Large arrays are divided among up to
        `threads` threads.
        """

class Fft:
    """Fourier transforms of some length along the middle one of three dimensions, in f64.

    Parts of elements are f32 or f64, rounded as they are written; arrays are contiguous.
    """

    def __init__(self, kind: str, length: int) -> None:
        """`kind`: FFT, IFFT, RFFT or IRFFT. `length`: of the real side, a power of two from 4 to 4096.

        Raises ValueError for others.
        """

    def run(self, operand: Buffer, result: Buffer, threads: int = 1) -> None:
        """Fill `result`, which has memory of its own. Many lines take up to `threads` threads."""

class Product:
    """Sums of products: c[batch, rows, columns] = sum of a[batch, rows, terms] * b[batch, terms, columns].

    Each of batch, rows, terms and columns may be several dimensions, or none. Sums are computed as accurately
    as by pairwise summation; numbers are converted as they are read and written.
    """

    def __init__(self, a: str, b: str, c: str, work: str, batch: int, terms: int) -> None:
        """`a`, `b`, `c`, `work`: types of the arrays, and the one to compute in: f32 or f64.
        `batch`, `terms`: how many dimensions these are. Raises ValueError if there is no such product.
        """

    def run(self, a: Buffer, b: Buffer, c: Buffer, threads: int = 1) -> bool:
        """Fill `c`; False, and nothing done, for arrays that are not aligned.

        Arrays may lie in memory in any way, but `c` has its memory for itself. f16 and bf16 are any items
        of 2 bytes. Large products are divided among up to `threads` threads.
        """

def roundings(terms: int) -> int:
    """How often at most a `Product` rounds a term of a sum of so many products."""

class Body:
    """
    A straight line of pointwise operations on scalars: what a region does.

    Instructions are as in `Loop`, without jumps; each register is written at most once. Registers that are
    neither inputs nor written keep what `image` has for them: items of 8 bytes, one a register, whose
    values lie in their first bytes.

    Arrays are aligned, in row-major order, and share no memory with those that are written. What does not
    fit raises ValueError.
    """

    def __init__(
        self,
        types: Sequence[str],
        code: Sequence[tuple[int, int, int, int, int]],
        inputs: Sequence[int],
        outputs: Sequence[int],
    ) -> None:
        """`types`: of the registers. Raises ValueError for a program that is malformed."""

    def scatter(
        self,
        image: Buffer,
        results: Sequence[Buffer],
        updates: Sequence[Buffer],
        indices: Buffer,
        index_type: str,
        components: Sequence[tuple[int, int]],
        rows: int,
        width: int,
    ) -> None:
        """
        Set `results[row]` to `body(results[row]..., updates[i]...)` for each index vector i in turn.

        Results have `rows` rows of `width` elements, updates one an index vector. `indices` is an array
        [component, vector] of any layout. A component has its extent and step: a vector means the row that is
        the sum of index * step; it changes nothing if an index is negative or not below its extent.
        """

    def reduce(
        self,
        image: Buffer,
        operands: Sequence[Buffer],
        inits: Buffer,
        results: Sequence[Buffer],
        shape: tuple[int, int, int],
        threads: int = 1,
    ) -> None:
        """
        Reduce arrays [outer, size, inner] along `size`, which is not 0: `body(init..., tree...)`.

        A tree combines neighbours in pairs until one value is left; a last one without a neighbour waits, and
        joins at the end. `inits`: an item of 8 bytes each.
        """

    def reduce_windows(
        self,
        image: Buffer,
        operands: Sequence[Buffer],
        inits: Buffer,
        results: Sequence[Buffer],
        windows: Sequence[tuple[int, int, int, int, int]],
        threads: int = 1,
    ) -> None:
        """
        Fold the values of each window of padded arrays from the left, beginning with `inits`.

        `windows`: of each axis the size of the operands, then size, stride and dilation of its windows, and
        how many there are.
        """

    def sort(self, image: Buffer, operands: Sequence[Buffer], order: Buffer) -> None:
        """
        Fill the rows of `order`, items of 8 bytes, with the stable order of those of the operands.

        The body takes (lhs, rhs) of each operand in turn, and says whether the left element comes first.
        """

def has_combination(name: str, type: str) -> bool:
    """
    Whether `combine` and `reduce` have an operation, spelled as in StableHLO, of a type.

    They also combine by 'replace', which takes the second value, of unsigned integers.
    """

def combine(
    name: str,
    type: str,
    result: Buffer,
    updates: Buffer,
    indices: Buffer,
    index_type: str,
    components: Sequence[tuple[int, int]],
    rows: int,
    width: int,
) -> None:
    """What `Body.scatter` does, by an operation of one array that is known."""

def reduce(
    name: str,
    type: str,
    operand: Buffer,
    init: Buffer,
    result: Buffer,
    shape: tuple[int, int, int],
    threads: int = 1,
) -> None:
    """
    Reduce an array [outer, size, inner] along `size`, which is not 0, by a known operation.

    Sums and products of floats are computed in f64, and rounded once if they are of a narrower type.
    """

def gather(
    operand: Buffer,
    indices: Buffer,
    index_type: str,
    components: Sequence[tuple[int, int]],
    rows: int,
    result: Buffer,
    threads: int = 1,
) -> None:
    """
    Set row i of `result` to the row of `operand` that index vector i means.

    Index vectors are those of `Body.scatter`, but clamped to their extents.
    """

def top(order: str, operand: Buffer, positions: Buffer, threads: int = 1) -> None:
    """
    Fill each row of `positions` with those of the greatest elements of the row of `operand`.

    The greatest come first, and of equal ones the first. `order`: 'unsigned', 'signed', or 'float' for the
    total order of floats; items of `positions` have 8 bytes.
    """

def solve_triangle(type: str, a: Buffer, x: Buffer, start: int, stop: int, first: int, is_unit: bool) -> None:
    """Rows `start` to `stop` of x, from column `first` on, become inverse(L) times these.

    L is the lower triangle of those rows and columns of `a`; its diagonal is not read if it `is_unit`.
    Both are contiguous stacks of matrices of a type, f32 or f64, or one and the same with stop <= first.
    """

def eliminate(type: str, a: Buffer, start: int, stop: int, pivots: Buffer, info: Buffer) -> None:
    """Eliminate columns `start` to `stop` below the diagonal, in these columns only, with partial pivoting.

    `a` is a contiguous stack of matrices of f32 or f64, of which whole rows are swapped. `pivots`, i32 of
    as many rows and the smaller size of a matrix, gets the rows that were swapped, counted from 1; `info`,
    i32 for each matrix, where it is 0, the first column without a pivot, counted from 1.
    """
