"""Kernels: pointwise programs, contractions, Fourier transforms, regions, linear algebra, copies."""

from collections.abc import Callable, Sequence
from typing import Any

from typing_extensions import Buffer

# Opcode, results, operands, numbers.
_Instruction = tuple[int, Sequence[int], Sequence[int], Sequence[int]]

def cpu_level() -> str:
    """
    The level of vector instructions that kernels use: 'baseline', 'avx2' or 'avx512'.

    The environment variable HLOKIT_CPU lowers it. Raises ValueError if the variable names no level.
    """

def opcodes() -> list[tuple[int, str, str, tuple[str, ...]]]:
    """
    The opcodes of pointwise operations: (number, name, type of the result, types of the operands).

    Types are spelled as in MLIR, names as in StableHLO; comparisons are 'LT', 'TOTALORDER LT' and so on.
    """

def instructions() -> dict[str, tuple[int, str]]:
    """The opcode, and the record of fields, of each other instruction: 'jump', 'move' and so on."""

def instruction_fields() -> dict[str, list[tuple[str, str]]]:
    """The names and kinds of the fields of each record (lib/vm/instructions.inc)."""

def find_operation(name: str, to: str, operand: str) -> int:
    """The opcode of an operation, by the types of its result and of its last operand; -1 if there is none."""

def cost_of(number: int) -> int:
    """The cost of an element of a pointwise operation, by its opcode, in additions."""

def scalar_function(name: str, type: str = "f32") -> Callable[..., float | complex]:
    """
    A function of one or two f64, of complex numbers, or of f32 in the f64 that its result is rounded from.

    Raises ValueError for an unknown name.
    """

def function_to_odd(name: str, x: float, y: float = 0) -> float:
    """
    A function of one or two f64: the result itself if it is an f64, else of the two f64 around it the one
    whose last bit is 1.

    Rounded once more, to a narrower type, it gives what the result itself gives.

    Raises ValueError for an unknown name.
    """

class Program:
    """
    A program on scalars and on arrays of fixed sizes, which is called with values of NumPy.

    Instructions are (opcode, results, operands, numbers): the registers that they write and read, and the
    numbers of those that are not pointwise operations. `opcodes` and `instructions` list them. The program
    ends after its last instruction.

    A register holds a scalar, or an array whose number of elements the program fixes.
    """

    def __init__(
        self,
        types: Sequence[str],
        code: Sequence[_Instruction],
        counts: Sequence[int] = (),
        operands: Sequence[tuple[int, Sequence[int], bytes | tuple[int, int] | None]] = (),
        results: Sequence[tuple[int, Sequence[int], Any]] = (),
        constants: Sequence[tuple[int, Any]] = (),
        calls: Sequence[
            tuple[
                Sequence[tuple[Sequence[int], int, Sequence[int], Any]],
                Sequence[tuple[Sequence[int], Any]],
                bool,
            ]
        ] = (),
        budget: int = 100000,
        counter: tuple[int, Any] | None = None,
    ) -> None:
        """
        `types`: those of the registers. `counts`: elements of each register, -1 for a scalar; () if all
        are scalars.

        `operands`: (register, shape, what is known) for each; register -1 is not read. Known are the bytes
        of one element, which is a constant, or, of all NaNs, the bits of the positive infinity and of the
        NaN. `results`: (register, shape, dtype), or (number of an operand, shape, None) for the operand as
        it is.
        `constants`: (register, array).

        `calls`: for each number of a call its operands, each a view (shape, offset, strides, dtype) of a
        register; its results (shape, dtype); and whether its kernel is given copies of arrays.

        A run checks for signals after `budget` jumps back, or after more of them if there is little work
        between, and lets other threads run meanwhile. `counter`: the register that the attribute shows,
        and its dtype. Raises ValueError for a malformed program.
        """

    def fits(self, operands: tuple[Any, ...]) -> bool:
        """Whether the operands whose values are known have these values."""

    def run(
        self, operands: tuple[Any, ...], call: Callable[[int, tuple[Any, ...]], Any] | None = None
    ) -> Any:
        """
        The result, or a tuple of several, in new arrays; None if an operand has other NaNs than those known.

        Operands, which the program `fits`, are arrays of any strides, or scalars. `call(number, operands)`
        evaluates a call; `call(-1, ())` comes after each budget, for the interpreter to raise exceptions that
        other threads set. Raises ValueError for operands of other shapes or sizes.
        """

    @property
    def counter(self) -> Any:
        """The counter when a run last checked for signals; None between runs."""

class FusedProgram:
    """
    Pointwise operations on arrays without jumps, reductions of their rows, and gathers of elements.

    Instructions are those of `Program`, without jumps; each register is written once. A register has a level:
    one value (0), one value for each row (1), or one for each of rows times columns (2). An operation
    computes on the highest level of its operands. The instruction 'broadcast' repeats a register of a lower
    level for every element, 'reduce_rows' combines the elements of each row, and 'gather' reads elements of a
    table, an operand of any shape, at computed places.
    """

    def __init__(
        self,
        types: Sequence[str],
        code: Sequence[_Instruction],
        inputs: Sequence[tuple[int, int, Sequence[int], Sequence[int]]],
        outputs: Sequence[int],
        rows: int = 0,
        columns: int = 0,
        inner: int = 1,
        run: int = 1,
    ) -> None:
        """
        `types`: those of the registers. Raises ValueError for a malformed program.

        `inputs`: (register, level, shape, dimensions) for each. The shape has as many elements as the level.
        `dimensions` says which dimensions of the shape the operand has; the operand is repeated along the
        others, and along its own dimensions of size 1. Tables have level 3. Without rows and columns the
        program has a dynamic shape: operands of level 2 have the shape of the results or rank 0, those of
        level 0 have rank 0, and shapes and dimensions of inputs are empty. Elements are [rows / inner,
        columns / run, inner, run], and rows have a place in the first and the third of these dimensions.
        Unless `inner` is 1, it is at most 4096, and `run` a power of two up to 64.
        """

    def run(self, operands: Sequence[Buffer], results: Sequence[Buffer], threads: int = 1) -> bool:
        """
        Fill `results` from `operands`.

        False, with nothing computed, if an operand is not aligned, or its rows are neither contiguous nor one
        repeated element, or a table is not contiguous.

        Results are contiguous, and share no memory with operands. Large arrays are divided among up to
        `threads` threads.
        """

class Body:
    """
    The body of a region: straight-line code of pointwise operations on scalars.

    Instructions are those of `Program`, without jumps; each register is written at most once. Registers that
    are neither inputs nor written take their values from `image`: an item of 8 bytes for each register,
    with the value in its first bytes.

    Arrays are aligned and in row-major order; one that is written shares no memory with another. Arrays
    that do not fit the body raise ValueError.
    """

    def __init__(
        self,
        types: Sequence[str],
        code: Sequence[_Instruction],
        inputs: Sequence[int],
        outputs: Sequence[int],
    ) -> None:
        """`types`: those of the registers. Raises ValueError for a malformed program."""

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

        Results have `rows` rows of `width` elements, updates one row for each index vector. `indices` is an
        array [component, vector] of any strides. Each component has an extent and a step: the row of a
        vector is the sum of index * step. A vector with an index below 0 or not below its extent changes
        nothing.
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

        The tree combines neighbours in pairs until one value is left; a last value without a neighbour joins
        at the end. `inits` has an item of 8 bytes for each operand.
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
        Fold the values of each window of padded arrays from the left, starting with `inits`.

        `windows` has, for each axis, the size of the operands; the size, stride and dilation of the windows;
        and the number of windows.
        """

    def sort(self, image: Buffer, operands: Sequence[Buffer], order: Buffer) -> None:
        """
        Fill the rows of `order`, items of 8 bytes, with the stable order of the rows of the operands.

        The body takes (lhs, rhs) of each operand in turn, and says whether the left element comes first.
        """

def has_combination(name: str, type: str) -> bool:
    """
    Whether `combine`, `reduce` and its other forms have an operation, spelled as in StableHLO, for a type.

    `combine` also has 'replace', which takes the second value, for unsigned integers.
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
    """Do what `Body.scatter` does, for one array and an operation of `has_combination`."""

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
    Reduce an array [outer, size, inner] along `size`, which is not 0, by an operation of `has_combination`.

    Sums and products of floats accumulate in f64. Those of narrower floats are rounded once.
    """

def reduce_running(
    name: str,
    type: str,
    operand: Buffer,
    init: Buffer,
    result: Buffer,
    shape: tuple[int, int, int],
    is_reverse: bool = False,
    threads: int = 1,
) -> None:
    """
    Fill an array [outer, size, inner] with the running reductions along `size`, from its end if `is_reverse`.

    Sums and products accumulate as those of `reduce`, one value after the other.
    """

def combine_running(
    name: str, type: str, operand: Buffer, result: Buffer, rows: int, width: int, threads: int = 1
) -> None:
    """
    Fill an array [rows, width]: the first row is the operand's, each other one the row before it combined
    with the operand's by a pointwise operation. Complex numbers are pairs of parts.

    Raises ValueError for an unknown operation, and for arrays that overlap or have other sizes.
    """

def reduce_windows(
    name: str,
    type: str,
    operand: Buffer,
    init: Buffer,
    result: Buffer,
    windows: Sequence[tuple[int, int, int, int, int]],
    threads: int = 1,
) -> None:
    """Do what `Body.reduce_windows` does, for one array and an operation of `has_combination`."""

def top_k(
    type: str,
    is_descending: bool,
    is_total: bool,
    operand: Buffer,
    positions: Buffer,
    threads: int = 1,
) -> None:
    """
    Fill each row of `positions` with the positions of the first elements of the sorted row of `operand`.

    Sorts are stable, by keys of this element type. `is_total`: by the total order of floats; otherwise -0
    equals 0, and NaNs come last, also of descending keys. Items of `positions` have 8 bytes.
    """

def roundings(terms: int) -> int:
    """How often a `Product` rounds a term of a sum of `terms` products, at most."""

def random_bits(
    algorithm: str,
    state: Buffer,
    next_state: Buffer,
    result: Buffer,
    sizes: tuple[int, int, int],
    threads: int = 1,
) -> None:
    """
    Fill `result` with random bits, and `next_state` with the state after them.

    `algorithm`: THREE_FRY or PHILOX. States have 2 ui64, the key and a counter; of PHILOX also 3. Items of
    the result are the lowest bits of words, or two words. `sizes`: of the result before, along and after
    the dimension in which the two words of a counter of THREE_FRY are neighbours.
    """

class Product:
    """
    Sums of products: c[batch, rows, columns] = sum of a[batch, rows, terms] * b[batch, terms, columns].

    Each of batch, rows, terms and columns may be several dimensions, or none. Sums are as accurate as
    pairwise ones. Elements are converted as they are read and written. Arrays with the sizes and strides of
    the call before are multiplied without preparation.
    """

    def __init__(self, a: str, b: str, c: str, work: str, batch: int, terms: int) -> None:
        """
        `a`, `b`, `c`: the types of the arrays; all, or none, are complex. `work`: the type (of the parts) to
        compute in, f32 or f64.
        `batch`, `terms`: their numbers of dimensions. Raises ValueError for types without kernels.
        """

    def run(self, a: Buffer, b: Buffer, c: Buffer, threads: int = 1) -> bool:
        """
        Fill `c`. False, with nothing computed, for arrays that are not aligned.

        Arrays have any strides, but no two elements of `c` share memory, nor does `c` with an operand. f16
        and bf16 are any items of 2 bytes. Large products are divided among up to `threads` threads.
        """

    def strategy(self, a: Buffer, b: Buffer, c: Buffer) -> str:
        """How `run` computes: 'lines', 'direct', 'packed' or 'expanded'; '' if it does not."""

class Fft:
    """
    Fourier transforms of one length along the middle one of three dimensions, computed in f64.

    Arrays are contiguous, of f32 or f64 or of complex numbers of these; results are rounded once.
    """

    def __init__(self, kind: str, length: int) -> None:
        """
        `kind`: FFT, IFFT, RFFT or IRFFT. `length`: that of the real side, without prime factors above 13: up
        to 262144, and for RFFT and IRFFT, whose lengths are even, twice as long.

        Raises ValueError for other kinds and lengths.
        """

    def run(self, operand: Buffer, result: Buffer, threads: int = 1) -> None:
        """Fill `result`, which has memory of its own. Uses up to `threads` threads for many lines."""

def lapack_routines() -> list[tuple[str, str, bool]]:
    """
    The routines of `lapack`: (name, shapes, has_narrow); the index is the number in programs.

    lib/kernels/linalg/routines.h explains the shapes. `has_narrow`: there are kernels for f32 and its pairs.
    """

def lapack(
    routine: str, type: str, arrays: Sequence[Buffer], options: Sequence[int], threads: int = 1
) -> None:
    """
    A routine of LAPACK on stacks of matrices in row-major order, whose results take the place of operands.

    `type`: that of the matrices. `arrays`: contiguous, with the stack as first dimension; their shapes and
    the options are those of lib/kernels/linalg/routines.cpp. No result depends on the processor, on threads
    or on the other matrices. Raises ValueError for arrays and options that the routine does not take.
    """

def copy(operand: Buffer, result: Buffer, threads: int = 1) -> bool:
    """
    Fill `result`, an array or a part of one, with the elements of an array of any strides.

    False, with nothing copied, if elements do not have 1, 2, 4 or 8 bytes or are not aligned, or if
    neighbours of the last dimension of `result` are no neighbours in memory.
    """

def look_up(table: Buffer, codes: Buffer, result: Buffer) -> None:
    """
    Fill `result` with the values of a table at the places that codes name. Arrays are contiguous.

    Codes of 1 or 2 bytes are places themselves. Of 4 bytes, the upper half is the place, and its last bit
    counts as set if a lower bit is; the table has 65,536 values, of 1, 2, 4 or 8 bytes.
    Raises ValueError for arrays of other sizes, that are not aligned, or that share memory.
    """

def strided(array: Any, shape: Sequence[int], strides: Sequence[int]) -> Any:
    """
    A read-only view of an array of NumPy, from its first element on. Strides are in bytes.

    Raises ValueError if the view does not lie inside the array.
    """

def gather(
    operand: Buffer,
    indices: Buffer | tuple[Buffer, ...],
    index_type: str,
    components: Sequence[tuple[int, int]],
    rows: int,
    result: Buffer,
    threads: int = 1,
    groups: int = 1,
    slices: int = 1,
) -> None:
    """
    Set row i of `result` to the row of `operand` of index vector i.

    Index vectors are those of `Body.scatter`, or a tuple of their components, with indices clamped to their
    extents. Rows and index vectors divide into `groups` equal parts: the vectors of a part select among the
    rows of the same part. The operand and the result consist of `slices` parts of this kind, for which the
    index vectors are the same.
    """

def gather_windows(
    windows: Buffer,
    indices: Buffer | tuple[Buffer, ...],
    index_type: str,
    components: Sequence[int],
    periods: Sequence[int],
    result: Buffer,
    threads: int = 1,
) -> None:
    """
    Set window i of `result`, an array [vector, window], to the window of index vector i.

    `windows` has all windows: its first dimensions are the positions of a window, the others those of the
    elements of a window. `indices` are those of `gather`. Each position is the index that
    `components` names, clamped, or the number of the vector divided by one of `periods`, modulo the size.
    """

def unify_nans(bits: Buffer, infinity: int, nan: int, threads: int) -> None:
    """
    Gives all NaNs of an array the bits `nan`, in place.

    The array is contiguous and has words of 1, 2, 4 or 8 bytes. One is a NaN if its bits without the sign
    are greater than `infinity`. Raises ValueError for other sizes.
    """

def canonical_nan(
    size: int, infinity: int, nan: int, threads: int, other: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    """
    A function that gives an array as it is if it is contiguous and the bits of all its NaNs are `nan`.

    It gives `other` of any other array. Floats, or the parts of complex numbers, have `size` bytes: 1, 2, 4
    or 8. One is a NaN if its bits without the sign are greater than `infinity`. Raises ValueError for other
    sizes.
    """

def digest(salt: int, words: Buffer) -> int:
    """A pseudorandom number of the field modulo 2^61 - 1 that depends on all bytes of an array."""

def exact_floats(values: Any, dtype: Any) -> Any:
    """Exact numbers of floats (f64) that stand for themselves."""

def exact_integers(values: Any, is_signed: bool, dtype: Any) -> Any:
    """Exact numbers of integers."""

def exact_places(values: Any, state: int, dtype: Any) -> Any:
    """Exact numbers of floats (f64), each a pseudorandom function of `state` and its place."""

def selected_records(pred: Any, on_true: Any, on_false: Any, dtype: Any) -> Any:
    """Elements of `on_true` where `pred` holds, else of `on_false`. None if shapes do not fit."""

def complex_result(formula: str, lhs: Any, rhs: Any, dtype: Any) -> Any:
    """`add`, `subtract`, `multiply` or `negate`. None if shapes do not fit, or if floats are not finite."""

def multiply_stacks(lhs: Any, rhs: Any, result: Any) -> None:
    """Products of stacks of matrices of numbers of the field modulo 2^61 - 1, or exact numbers."""

class RepeatedRecord:
    """Makes arrays of a shape and dtype that repeat one record."""

    def __init__(self, shape: Sequence[int], dtype: Any) -> None:
        """Records of any size."""

    def run(self, value: Any) -> Any:
        """The array."""

class ExactOperation:
    """
    An element-wise operation on exact numbers.

    The numbers are records of a float, a number of the field modulo 2^61 - 1, and a degree
    (hlokit.tools.equal.rules.numbers). `formula` and `power` name what the operation does with numbers of the
    field, `opcode` computes the floats, and `salt` tells functions apart. Calls raise `largest_degree`, an
    array of one f64, to the degrees of operands of which the results are no polynomials, and call `note`
    where they compare numbers that are equal but for rounding. `general` computes the rest: operands
    that have neither one shape nor rank 0, or are not exact real numbers.
    """

    def __init__(
        self,
        formula: str,
        opcode: int,
        salt: int,
        power: str,
        dtype: Any,
        largest_degree: Any,
        note: Callable[[], object],
        general: Callable[..., Any],
    ) -> None:
        """`dtype`: that of the results. Raises ValueError if the opcode does not fit the formula."""

    def run(self, *operands: Any) -> Any:
        """The result."""
