"""Programs of the native VM, called from Python: operands, results, calls of kernels, and rejected programs."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from hlokit import _kernels
from hlokit.engine.native.ir.array_parameters import (
    Dot,
    DotAxis,
    Fft,
    Lapack,
    LapackArray,
    ReducedAxis,
    Reduction,
    Scan,
    WindowAxis,
    Windows,
    WindowStart,
)
from hlokit.engine.native.ir.instructions import (
    CALL,
    DOT,
    FFT,
    JUMP,
    LAPACK,
    MOVE,
    READ_WINDOWS,
    REDUCE,
    SCAN,
    THREEFRY,
)
from hlokit.engine.native.ir.parameters import Move, MoveAxis, Parameters, numbers_of
from hlokit.engine.native.ir.target import VM_TYPES, EncodedInstruction, convert_operation
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.engine.native.interrupting import interrupted_after

ADD = _kernels.find_operation("add", "f32", "f32")
F32 = np.dtype(np.float32)
X = np.float32([[1, 2], [3, 4]])


def program(**changes: Any) -> _kernels.Program:
    """A program that computes x + x + (0, 1, 2, 3) and scalar + 1, with changed arguments."""
    given: dict[str, Any] = {
        "types": ["f32"] * 7,
        "code": [(ADD, [3], [0, 0], []), (ADD, [1], [3, 2], []), (ADD, [5], [4, 6], [])],
        "counts": [4, 4, 4, 4, -1, -1, -1],
        "operands": [(0, (2, 2), None), (4, (), None)],
        "results": [(1, (4,), F32), (5, (), F32)],
        "constants": [(2, np.arange(4, dtype=np.float32)), (6, np.array(1, np.float32))],
    }
    return _kernels.Program(**given | changes)


def unaligned(array: Any) -> Any:
    memory = np.zeros(array.nbytes + 1, np.uint8)
    result = memory[1:].view(array.dtype).reshape(array.shape)
    result[...] = array
    return result


@pytest.mark.parametrize("x", [X, np.asfortranarray(X), X.T.copy().T, np.repeat(X, 2, 0)[::2], unaligned(X)])
@pytest.mark.parametrize("y", [np.float32(2), np.array(2, np.float32), unaligned(np.array(2, np.float32))])
def test_operands_of_any_layout(x: Any, y: Any) -> None:
    result, scalar = program().run((x, y))
    assert result.tolist() == [2, 5, 8, 11]
    assert (scalar, type(scalar)) == (3, np.float32)
    assert result.dtype == np.float32 and result.flags.c_contiguous and result.flags.owndata


@pytest.mark.parametrize("name", sorted(VM_TYPES))
def test_values_of_every_type(name: str) -> None:
    """A program that copies its operand, on a scalar and on arrays of rank 0."""
    dtype = ELEMENT_TYPES[name].dtype
    counts = [1, 1] if dtype.kind == "c" else []
    code = [(convert_operation(name), [1], [0], [])]
    copy = _kernels.Program([name] * 2, code, counts, operands=[(0, (), None)], results=[(1, (), dtype)])
    value = np.ones(3, dtype)[1]
    for operand in (value, np.array(value), unaligned(np.array(value))):
        result = copy.run((operand,))
        assert result.dtype == dtype and result.shape == () and result == value
        assert not isinstance(result, np.ndarray)


def test_an_operand_may_be_a_result() -> None:
    same, sum_ = program(results=[(0, (), None), (1, (2, 2), F32)]).run((X, np.float32(0)))
    assert same is X
    assert sum_.tolist() == [[2, 5], [8, 11]]
    assert program(results=[(1, (), None)]).run((X, X[0, 0])) == 1
    assert program(results=[]).run((X, X[0, 0])) == ()


def test_known_operands() -> None:
    known = program(operands=[(0, (2, 2), None), (4, (), np.float32(2).tobytes())])
    assert known.fits((X, np.float32(2))) and known.fits((None, np.array(2, np.float32)))
    assert not known.fits((X, np.float32(3)))
    assert known.run((X, None))[1] == 1  # the program must contain the value as a constant


@pytest.mark.parametrize("name", ["f32", "f64", "f16", "bf16", "complex<f32>"])
def test_known_nans(name: str) -> None:
    type_ = ELEMENT_TYPES[name]
    array = np.zeros((1, 5), type_.dtype)
    bits = array.view(type_.part.bits_dtype)
    infinity, nan = (int(np.array(value, type_.part.dtype).view(bits.dtype)) for value in (np.inf, np.nan))
    same = _kernels.Program([name], [], [5], [(0, (1, 5), (infinity, nan))], [(0, (), None)])
    assert same.run((array,)) is array
    for value in (nan, infinity, infinity | 1 << 8 * bits.itemsize - 1):
        bits[0, -1] = value
        assert same.run((array,)) is array
    for value in (infinity + 1, nan + 1, nan | 1 << 8 * bits.itemsize - 1):
        bits[0, -1] = value
        assert same.run((array,)) is None


def test_operands_that_are_not_read_may_be_anything() -> None:
    assert program(operands=[(0, (2, 2), None), (-1, (), None)]).run((X, "nothing"))[1] == 1


def test_programs_without_jumps_end_though_the_budget_is_spent() -> None:
    assert program(budget=1).run((X, np.float32(2)))[1] == 3


def test_a_signal_ends_a_program() -> None:
    endless = _kernels.Program([], [(JUMP, [], [], [0])])
    with interrupted_after(0.1):
        endless.run(())
    assert endless.counter is None


# Calls -----------------------------------------------------------------------------------------------


def calling(views: list[Any], results: list[Any], *, copies: bool = False) -> _kernels.Program:
    """A program that calls a kernel on an array of 4 elements and a scalar, and returns the same."""
    return program(
        code=[(CALL, [1, 5], [0, 4], [0])],
        calls=[(views, results, copies)],
    )


VIEWS = [((2, 2), 3, (-2, -1), F32), ((), 0, (), F32)]
RESULTS = [((4,), F32), ((), F32)]


@pytest.mark.parametrize("copies", [False, True])
def test_a_call(copies: bool) -> None:
    called: list[Any] = []

    def kernel(number: int, operands: tuple[Any, ...]) -> Any:
        called.append((number, operands))
        x, y = operands
        return x.T.reshape(4) + y, np.array(y + 1)

    result, scalar = calling(VIEWS, RESULTS, copies=copies).run((X, np.float32(2)), kernel)
    assert result.tolist() == [6, 4, 5, 3]
    assert (scalar, type(scalar)) == (3, np.float32)
    ((number, (x, y)),) = called
    assert number == 0 and x.tolist() == [[4, 3], [2, 1]] and (y, type(y)) == (2, np.float32)
    assert np.shares_memory(x, X) != copies


def test_views_of_scalars() -> None:
    given: list[Any] = []
    views = [VIEWS[0], ((3, 2), 0, (1, 2), F32)]
    calling(views, RESULTS).run(
        (X, np.float32(2)), lambda _, operands: given.append(operands) or (X.ravel(), X[0, 0])
    )
    assert given[0][1].tolist() == [[2, 2]] * 3


def test_what_a_kernel_is_given_outlives_the_program() -> None:
    given: list[Any] = []

    def kernel(_: int, operands: tuple[Any, ...]) -> Any:
        given.extend(operands)
        return np.zeros(4, np.float32), np.float32(0)

    code = [(ADD, [3], [0, 0], []), (CALL, [1, 5], [3, 4, 2], [0])]
    views = [((4,), 0, (1,), F32), ((), 0, (), F32), ((4,), 0, (1,), F32)]
    run = program(code=code, calls=[(views, RESULTS, False)])
    run.run((X + 0, np.float32(0)), kernel)
    del run
    gc.collect()
    assert [given[0].tolist(), given[2].tolist()] == [[2, 4, 6, 8], [0, 1, 2, 3]]


def wrong_results() -> dict[str, Any]:
    array, scalar = X.ravel(), np.float32(0)
    return {
        "one": array,
        "three": (array, scalar, scalar),
        "shape": (X, scalar),
        "size": (array.astype(np.float64), scalar),
        "no array": (array, "x"),
        "array for a scalar": (array, array),
    }


@pytest.mark.parametrize("name", wrong_results())
def test_wrong_results_of_a_call(name: str) -> None:
    with pytest.raises(ValueError, match="must"):
        calling(VIEWS, RESULTS).run((X, np.float32(2)), lambda *_: wrong_results()[name])


def test_an_error_of_a_kernel() -> None:
    def fail(*_: Any) -> None:
        raise KeyError("from a kernel")

    with pytest.raises(KeyError, match="from a kernel"):
        calling(VIEWS, RESULTS).run((X, np.float32(2)), fail)


# Rejected programs ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"code": [(JUMP, [], [], [9])]},
        {"code": [(ADD, [0], [1, 1], [])]},
        {"code": [(ADD, [2], [1, 1], [])]},
        {"counts": [8, 4, 4, 4, -1, -1, -1], "operands": [(0, (4, 2), None), (4, (), None)]},
        {"counts": [2, 4, 4, 4, -1, -1, -1], "operands": [(0, (2, 1), None), (4, (), None)]},
        {"operands": [(0, (4,), None), (7, (), None)]},
        {"operands": [(0, (4,), None), (0, (4,), None)]},
        {"operands": [(0, (5,), None)]},
        {"operands": [(0, (-4,), None)]},
        {"operands": [(0, (1 << 33, 1 << 33, 1 << 62), None)]},
        {"operands": [(4, (2,), None)]},
        {"operands": [(4, (), b"12345678")]},
        {"operands": [(0, (4,), b"1234")]},
        {"results": [(1, (4,), F32), (1, (4,), F32)]},
        {"results": [(9, (4,), F32)]},
        {"results": [(1, (4,), np.dtype(np.float64))]},
        {"results": [(2, (4,), None)]},
        {"constants": [(2, np.zeros(3, np.float32))]},
        {"constants": [(2, np.zeros(8, np.float32)[::2])]},
        {"constants": [(2, unaligned(np.zeros(4, np.float32)))]},
        {"constants": [(2, np.zeros(4, np.float64))]},
        {"constants": [(2, [1, 2, 3, 4])]},
        {"constants": [(0, np.zeros(4, np.float32))]},
        {"constants": [(10, np.zeros(1, np.float32))]},
        {"counter": (8, F32)},
    ],
)
def test_malformed_programs(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"must|no register"):
        program(**changes)


@pytest.mark.parametrize(
    "views",
    [
        [VIEWS[0]],
        [((2, 2), 2, (-2, -1), F32), VIEWS[1]],
        [((2, 2), 2, (1, 1), F32), VIEWS[1]],
        [((2, 2), -1, (1, 1), F32), VIEWS[1]],
        [((2, 2), 0, (1,), F32), VIEWS[1]],
        [((4,), 0, (1 << 40,), F32), VIEWS[1]],
        [((1 << 40,), 0, (0,), F32), VIEWS[1]],
        [((4,), 0, (1,), np.dtype(np.float64)), VIEWS[1]],
    ],
)
def test_malformed_calls(views: list[Any]) -> None:
    with pytest.raises(ValueError, match="must"):
        calling(views, RESULTS)


def test_malformed_numbers_of_calls() -> None:
    with pytest.raises(ValueError, match="number of its own"):
        program(code=[(CALL, [1], [0], [1])], calls=[([VIEWS[0]], [RESULTS[0]], False)])
    with pytest.raises(ValueError, match="number of its own"):
        program(code=[(CALL, [1], [0], [0])] * 2, calls=[([VIEWS[0]], [RESULTS[0]], False)])


def test_dtypes_are_of_numpy() -> None:
    with pytest.raises(TypeError, match=r"must be an instance of numpy\.dtype"):
        program(results=[(1, (4,), "float32")])


@pytest.mark.parametrize(
    "operands",
    [
        (X,),
        (X, np.float32(1), X),
        (X.reshape(4), np.float32(1)),
        (X.astype(np.float64), np.float32(1)),
        (X, np.float64(1)),
        (X, X),
        (X, None),
        ([[1, 2], [3, 4]], np.float32(1)),
        (np.full((2, 2), None), np.float32(1)),
    ],
)
def test_wrong_operands(operands: tuple[Any, ...]) -> None:
    with pytest.raises((ValueError, TypeError)):
        program().run(operands)


@pytest.mark.parametrize("operands", [(X,), (X, X), (X, None), (X, np.float64(1))])
def test_wrong_operands_that_are_known(operands: tuple[Any, ...]) -> None:
    with pytest.raises((ValueError, TypeError)):
        program(operands=[(0, (2, 2), None), (4, (), b"1234")]).fits(operands)


def test_operands_are_a_tuple() -> None:
    with pytest.raises(TypeError):
        program().run([X, np.float32(1)])  # type: ignore[arg-type] # as the test says


# Instructions on arrays ------------------------------------------------------------------------------

# Registers: 0 and 1 are f32 scalars, 2 and 3 arrays of 6 f32, 4 an array of 5 i32, 5 a scalar i32.
TYPES = ["f32", "f32", "f32", "f32", "i32", "i32"]
COUNTS = [-1, -1, 6, 6, 5, -1]


def instruction(
    operation: int, results: list[int], operands: list[int], parameters: Parameters | list[int]
) -> EncodedInstruction:
    numbers = parameters if isinstance(parameters, list) else numbers_of(parameters)
    return operation, results, operands, numbers


def move(results: list[int], operands: list[int], size: int = 6, **changes: int) -> EncodedInstruction:
    """A move of consecutive elements, with changed offsets and strides."""
    axis = MoveAxis(size, changes.pop("source", 1), changes.pop("target", 1))
    parameters = Move(0, 0, [axis])._replace(**changes)
    return instruction(MOVE, results, operands, parameters)


START = WindowStart(offset=1, limit=4, stride=1, window_dimension=-1, batch=[])
WINDOW = Windows(0, 0, [], [WindowAxis(2, 1, 1)], [START], clamps=True, combine=-1)
SUM = Reduction(ADD, 0, [], [ReducedAxis(6, 1)])
PRODUCT = Dot(0, 0, [], [], [DotAxis(6, 1, 1)], [])


def window(start: int = 4, results: tuple[int, ...] = (2,), **changes: Any) -> EncodedInstruction:
    """A window of register 3, whose start is in another register."""
    return instruction(READ_WINDOWS, [*results], [3, start], WINDOW._replace(**changes))


WELL_FORMED = [
    move([2], [3]),
    window(),
    instruction(REDUCE, [0], [2, 1], SUM),
    instruction(DOT, [0], [2, 3], PRODUCT),
]
MALFORMED_INSTRUCTIONS = {
    "sizes differ": (ADD, [2], [3, 4], []),
    "array for a scalar": (ADD, [0], [2, 1], []),
    "no numbers": instruction(MOVE, [2], [3], []),
    "too few numbers": instruction(MOVE, [2], [3], [0, 0, 1, 6, 1]),
    "too many numbers": instruction(MOVE, [2], [3], [0, 0, 1, 6, 1, 1, 0]),
    "a long list": instruction(MOVE, [2], [3], [0, 0, 13, *[1] * 39]),
    "no result": move([], [3]),
    "two results": move([2, 0], [3]),
    "no operand": move([2], []),
    "two operands": move([2], [3, 0]),
    "no such operation": instruction(-1000, [2], [3], []),
    "an operation of fused programs": instruction(-13, [2], [3], []),
    "reads beyond": move([2], [3], source_offset=1),
    "reads before": move([2], [3], source_offset=4, source=-1),
    "writes beyond": move([2], [3], 3, target=3),
    "writes before": move([2], [3], target_offset=-1),
    "reads what it writes": move([2], [2]),
    "other type": move([2], [4], 5),
    "huge": instruction(MOVE, [2], [3], Move(0, 0, [MoveAxis(1 << 20, 0, 0)] * 2)),
    "window beyond": window(components=[START._replace(limit=5)]),
    "no such start": window(9),
    "start of floats": window(1),
    "combined reads": window(combine=ADD),
    "no start": instruction(READ_WINDOWS, [2], [3], WINDOW),
    "a start too many": window(components=[]),
    "a start with a batch": window(components=[START._replace(batch=[1])]),
    "a start of no dimension": window(components=[START._replace(window_dimension=1)]),
    "a start that is written": window(2, results=(2,)),
    "reduces beyond": instruction(REDUCE, [0], [2, 1], SUM._replace(reduced=[ReducedAxis(7, 1)])),
    "reduces to too few": instruction(
        REDUCE, [0], [2, 1], SUM._replace(kept=[ReducedAxis(2, 3)], reduced=[ReducedAxis(3, 1)])
    ),
    "reduces from an array": instruction(REDUCE, [0], [2, 3], SUM),
    "products beyond": instruction(DOT, [0], [2, 3], PRODUCT._replace(terms=[DotAxis(7, 1, 1)])),
    "products of integers": instruction(DOT, [5], [4, 4], PRODUCT._replace(terms=[DotAxis(5, 1, 1)])),
    "products that do not fill": instruction(
        DOT, [2], [3, 1], PRODUCT._replace(rows=[DotAxis(3, lhs=1)], terms=[])
    ),
    "a stride of another array": instruction(
        DOT, [2], [3, 1], PRODUCT._replace(rows=[DotAxis(6, 1, rhs=1, result=1)], terms=[])
    ),
    "a call without numbers": (CALL, [2], [], []),
    "a call of less than 0": (CALL, [2], [], [-1]),
    "a call with more numbers": (CALL, [2], [], [0, 3]),
    "a call of no register": (CALL, [2], [6], [0]),
}


@pytest.mark.parametrize("name", MALFORMED_INSTRUCTIONS)
def test_malformed_instructions(name: str) -> None:
    code: Any = [MALFORMED_INSTRUCTIONS[name]]
    with pytest.raises(ValueError, match=r"must|no operation|no register|no products"):
        _kernels.Program(TYPES, code, COUNTS)


def test_well_formed_instructions() -> None:
    """The valid programs from which the malformed ones are derived."""
    for code in WELL_FORMED:
        well_formed = _kernels.Program(TYPES, [code], COUNTS, [(3, (6,), None)], [(0, (), None)])
        x = np.zeros(6, np.float32)
        assert well_formed.run((x,)) is x


def test_a_scan_of_no_elements() -> None:
    operands, results = [(1, (0,), None), (2, (1,), None)], [(0, (0,), F32)]
    parameters = Scan(ADD, 0, 3, 1 << 24, is_reverse=False, is_wide=False)
    code = [instruction(SCAN, [0], [1, 2], parameters)]
    scan = _kernels.Program(["f32"] * 3, code, [0, 0, 1], operands, results)
    assert scan.run((np.zeros(0, np.float32), np.ones(1, np.float32))).size == 0


# A real transform of 6 numbers, and the eigenvalues of two 2x2 matrices.
OTHER_TYPES = ["f32", "complex<f32>", "complex<f64>", "f64", "f64", "f64", "i32", "f32"]
OTHER_COUNTS = [6, 4, 6, 8, 8, 4, 2, 8]
SYEVD = [name for name, _, _ in _kernels.lapack_routines()].index("syevd")
EIGENVALUES = Lapack(
    SYEVD,
    matrices=2,
    options=[1, 1],
    arrays=[LapackArray(0, [2, 2]), LapackArray(-1, [2]), LapackArray(-1, [])],
)


def transform(
    results: tuple[int, ...] = (1,), operands: tuple[int, ...] = (0,), **changes: int
) -> EncodedInstruction:
    """A real transform of 6 numbers, with changes."""
    return instruction(FFT, [*results], [*operands], Fft(2, 1, 6, 1)._replace(**changes))


def routine(
    results: tuple[int, ...] = (4, 5, 6), operands: tuple[int, ...] = (3,), **changes: Any
) -> EncodedInstruction:
    """The eigenvalues of two matrices, with changes."""
    return instruction(LAPACK, [*results], [*operands], EIGENVALUES._replace(**changes))


MALFORMED_ROUTINES = {
    "no numbers": instruction(FFT, [1], [0], []),
    "too few numbers": instruction(FFT, [1], [0], [2, 1, 6]),
    "too many numbers": instruction(FFT, [1], [0], [2, 1, 6, 1, 1]),
    "no such kind": transform(kind=4),
    "a real side of odd length": transform(outer=2, length=3),
    "a prime length": transform(length=34),
    "no length": transform(length=0),
    "more lines": transform(outer=2),
    "a huge number of lines": transform(outer=1 << 28, inner=1 << 28),
    "no register of lines": transform(operands=(8,)),
    "no register of results": transform((8,)),
    "lines that are their results": transform((2,), (2,), kind=0),
    "complex lines of a real transform": transform(operands=(2,)),
    "a real result of a real transform": transform((3,)),
    "real lines of a complex transform": transform((2,), kind=0),
    "no such routine": routine(routine=99),
    "no results": routine(()),
    "fewer results": routine((4, 5)),
    "fewer operands": routine(operands=()),
    "fewer options": routine(options=[1]),
    "fewer arrays": routine(arrays=EIGENVALUES.arrays[:2]),
    "fewer sizes": routine(arrays=[LapackArray(0, [2]), *EIGENVALUES.arrays[1:]]),
    "no sizes": routine(arrays=[LapackArray(0, []), *EIGENVALUES.arrays[1:]]),
    "more sizes": routine(arrays=[*EIGENVALUES.arrays[:2], LapackArray(-1, [2])]),
    "no such source": routine(arrays=[LapackArray(1, [2, 2]), *EIGENVALUES.arrays[1:]]),
    "sizes that differ": routine(arrays=[*EIGENVALUES.arrays[:1], LapackArray(-1, [3]), LapackArray(-1, [])]),
    "matrices that are results": routine(operands=(4,)),
    "narrow matrices": routine((7, 5, 6)),
    "other matrices": routine(operands=(7,)),
}


# Results 0 and 1, and operands 2 to 6, of which 4 is a scalar; an array of another size and one of another type.
WORD_TYPES, WORD_COUNTS = ["ui32"] * 8 + ["i32"], [3, 3, 3, 3, -1, 3, 3, 2, 3]
LOW_AND_HIGH, WORDS = [0, 1], [2, 3, 4, 5, 6]
MALFORMED_WORDS = {
    "a number": (LOW_AND_HIGH, WORDS, [0]),
    "one result": ([0], WORDS, []),
    "three results": ([0, 1, 7], WORDS, []),
    "four operands": (LOW_AND_HIGH, WORDS[:-1], []),
    "six operands": (LOW_AND_HIGH, [*WORDS, 2], []),
    "one result twice": ([0, 0], WORDS, []),
    "results of two sizes": ([0, 7], WORDS, []),
    "a result of another type": ([0, 8], WORDS, []),
    "an operand of another size": (LOW_AND_HIGH, [*WORDS[:-1], 7], []),
    "an operand of another type": (LOW_AND_HIGH, [*WORDS[:-1], 8], []),
    "an operand that is a result": (LOW_AND_HIGH, [*WORDS[:-1], 1], []),
    "no such register": (LOW_AND_HIGH, [*WORDS[:-1], 9], []),
}


@pytest.mark.parametrize("name", MALFORMED_WORDS)
def test_malformed_random_words(name: str) -> None:
    with pytest.raises(ValueError, match=r"must|no register"):
        _kernels.Program(WORD_TYPES, [(THREEFRY, *MALFORMED_WORDS[name])], WORD_COUNTS)
    _kernels.Program(WORD_TYPES, [(THREEFRY, LOW_AND_HIGH, WORDS, [])], WORD_COUNTS)


@pytest.mark.parametrize("name", MALFORMED_ROUTINES)
def test_malformed_routines(name: str) -> None:
    with pytest.raises(ValueError, match=r"must|no register|no routine|no kernel|has 2 options"):
        _kernels.Program(OTHER_TYPES, [MALFORMED_ROUTINES[name]], OTHER_COUNTS)


def test_well_formed_routines() -> None:
    """The valid programs from which the malformed ones are derived."""
    operands = [(0, (6,), None), (3, (2, 2, 2), None)]
    results = [(1, (4,), np.dtype(np.complex64)), (5, (2, 2), np.dtype(np.float64))]
    code = [transform(), routine()]
    well_formed = _kernels.Program(OTHER_TYPES, code, OTHER_COUNTS, operands, results)
    line, matrix = np.float32([1, 0, 0, 0, 0, 0]), np.float64([[0, 1], [1, 0]])
    spectrum, values = well_formed.run((line, np.stack([matrix, 2 * np.eye(2)])))
    assert spectrum.tolist() == [1, 1, 1, 1]
    np.testing.assert_allclose(values, [[-1, 1], [2, 2]], rtol=1e-15)
