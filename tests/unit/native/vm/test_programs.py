"""Programs of the native VM, called from Python: operands, results, calls of kernels, and rejected programs."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from hlokit import _kernels
from hlokit.native.ir.target import VM_TYPES, convert_operation
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.native_compiler.interrupting import interrupted_after

ADD = _kernels.find_operation("add", "f32", "f32")
MOVE, CALL, JUMP, LAPACK, SCAN, FFT, THREEFRY = -4, -9, -1, -10, -12, -14, -15
F32 = np.dtype(np.float32)
X = np.float32([[1, 2], [3, 4]])


def program(**changes: Any) -> _kernels.Program:
    """A program that computes x + x + (0, 1, 2, 3) and scalar + 1, with changed arguments."""
    given: dict[str, Any] = {
        "types": ["f32"] * 7,
        "code": [(ADD, 3, 0, 0, 0), (ADD, 1, 3, 2, 0), (ADD, 5, 4, 6, 0)],
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
    code = [(convert_operation(name), 1, 0, 0, 0)]
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
    same = _kernels.Program([name], [], [5], (), [(0, (1, 5), (infinity, nan))], [(0, (), None)])
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
    endless = _kernels.Program([], [(JUMP, 0, 0, 0, 0)])
    with interrupted_after(0.1):
        endless.run(())
    assert endless.counter is None


# Calls -----------------------------------------------------------------------------------------------


def calling(views: list[Any], results: list[Any], *, copies: bool = False) -> _kernels.Program:
    """A program that calls a kernel on an array of 4 elements and a scalar, and returns the same."""
    return program(
        code=[(CALL, 0, 0, 0, 0)],
        numbers=[[0, 2, 1, 5, 2, 0, 4]],
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

    code = [(ADD, 3, 0, 0, 0), (CALL, 0, 0, 0, 0)]
    views = [((4,), 0, (1,), F32), ((), 0, (), F32), ((4,), 0, (1,), F32)]
    run = program(code=code, numbers=[[0, 2, 1, 5, 3, 3, 4, 2]], calls=[(views, RESULTS, False)])
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
        {"code": [(JUMP, 9, 0, 0, 0)]},
        {"code": [(ADD, 0, 1, 1, 0)]},
        {"code": [(ADD, 2, 1, 1, 0)]},
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
        program(
            code=[(CALL, 0, 0, 0, 0)], numbers=[[1, 1, 1, 1, 0]], calls=[([VIEWS[0]], [RESULTS[0]], False)]
        )
    with pytest.raises(ValueError, match="number of its own"):
        program(
            code=[(CALL, 0, 0, 0, 0)] * 2,
            numbers=[[0, 1, 1, 1, 0]],
            calls=[([VIEWS[0]], [RESULTS[0]], False)],
        )


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
WINDOW = [0, 1, 2, 0, 1, 0, 1, 1, -1, 1, 5, 0, 4, 1, -1]
MALFORMED_INSTRUCTIONS = {
    "sizes differ": ([(ADD, 2, 3, 4, 0)], []),
    "array for a scalar": ([(ADD, 0, 2, 1, 0)], []),
    "no numbers": ([(-4, 2, 3, 0, 0)], []),
    "too few numbers": ([(-4, 2, 3, 0, 0)], [[1, 6, 0, 1, 0]]),
    "too many numbers": ([(-4, 2, 3, 0, 0)], [[1, 6, 0, 1, 0, 1, 0]]),
    "reads beyond": ([(-4, 2, 3, 0, 0)], [[1, 6, 1, 1, 0, 1]]),
    "reads before": ([(-4, 2, 3, 0, 0)], [[1, 6, 4, -1, 0, 1]]),
    "writes beyond": ([(-4, 2, 3, 0, 0)], [[1, 3, 0, 1, 0, 3]]),
    "reads what it writes": ([(-4, 2, 2, 0, 0)], [[1, 6, 0, 1, 0, 1]]),
    "other type": ([(-4, 2, 4, 0, 0)], [[1, 5, 0, 1, 0, 1]]),
    "huge": ([(-4, 2, 3, 0, 0)], [[2, 1 << 20, 1 << 20, 0, 0, 0, 0, 0, 0]]),
    "window beyond": ([(-5, 2, 3, 0, 0)], [[*WINDOW[:12], 5, *WINDOW[13:]]]),
    "no such start": ([(-5, 2, 3, 0, 0)], [[*WINDOW[:10], 9, *WINDOW[11:]]]),
    "start of floats": ([(-5, 2, 3, 0, 0)], [[*WINDOW[:10], 1, *WINDOW[11:]]]),
    "combined reads": ([(-5, 2, 3, 0, 0)], [[*WINDOW[:8], ADD, *WINDOW[9:]]]),
    "reduces beyond": ([(-7, 0, 2, 1, 0)], [[ADD, 0, 0, 1, 7, 1]]),
    "reduces to too few": ([(-7, 0, 2, 1, 0)], [[ADD, 0, 1, 2, 3, 1, 3, 1]]),
    "products beyond": ([(-8, 0, 2, 3, 0)], [[0, 0, 0, 0, 1, 7, 1, 1, 0]]),
    "products of integers": ([(-8, 5, 4, 4, 0)], [[0, 0, 0, 0, 1, 5, 1, 1, 0]]),
    "products that do not fill": ([(-8, 2, 3, 1, 0)], [[0, 0, 0, 1, 3, 1, 1, 0, 0]]),
    "a call without numbers": ([(-9, 2, 0, 0, 0)], []),
    "a call of less than 0": ([(-9, 2, 0, 0, 0)], [[-1, 1, 2, 0]]),
    "a call of fewer operands": ([(-9, 2, 0, 0, 0)], [[0, 1, 2, 2, 3]]),
    "a call with more numbers": ([(-9, 2, 0, 0, 0)], [[0, 1, 2, 0, 3]]),
    "a call of no register": ([(-9, 2, 0, 0, 0)], [[0, 1, 2, 1, 6]]),
}


@pytest.mark.parametrize("name", MALFORMED_INSTRUCTIONS)
def test_malformed_instructions(name: str) -> None:
    code, numbers = MALFORMED_INSTRUCTIONS[name]
    with pytest.raises(ValueError, match=r"must|no operation|no numbers|no register|no products"):
        _kernels.Program(TYPES, code, COUNTS, numbers)


def test_well_formed_instructions() -> None:
    """The valid programs from which the malformed ones are derived."""
    for code, numbers in (
        ((-4, 2, 3, 0, 0), [1, 6, 0, 1, 0, 1]),
        ((-5, 2, 3, 0, 0), WINDOW),
        ((-7, 0, 2, 1, 0), [ADD, 0, 0, 1, 6, 1]),
        ((-8, 0, 2, 3, 0), [0, 0, 0, 0, 1, 6, 1, 1, 0]),
    ):
        well_formed = _kernels.Program(TYPES, [code], COUNTS, [numbers], [(3, (6,), None)], [(0, (), None)])
        x = np.zeros(6, np.float32)
        assert well_formed.run((x,)) is x


def test_a_scan_of_no_elements() -> None:
    operands, results = [(1, (0,), None), (2, (1,), None)], [(0, (0,), F32)]
    scan = _kernels.Program(
        ["f32"] * 3, [(SCAN, 0, 1, 2, 0)], [0, 0, 1], [[ADD, 0, 3, 1 << 24, 0, 0]], operands, results
    )
    assert scan.run((np.zeros(0, np.float32), np.ones(1, np.float32))).size == 0


# A real transform of 6 numbers, and the eigenvalues of two 2x2 matrices.
OTHER_TYPES = ["f32", "complex<f32>", "complex<f64>", "f64", "f64", "f64", "i32", "f32"]
OTHER_COUNTS = [6, 4, 6, 8, 8, 4, 2, 8]
SYEVD = [name for name, _, _ in _kernels.lapack_routines()].index("syevd")
EIGENVALUES = [SYEVD, 3, 4, 5, 6, 1, 3, 2, 2, 1, 1, 0, 2, 2, -1, 2, -1]
MALFORMED_ROUTINES = {
    "no numbers": ((FFT, 1, 0, 7, 0), []),
    "too few numbers": ((FFT, 1, 0, 0, 0), [2, 1, 6]),
    "too many numbers": ((FFT, 1, 0, 0, 0), [2, 1, 6, 1, 1]),
    "no such kind": ((FFT, 1, 0, 0, 0), [4, 1, 6, 1]),
    "a real side of odd length": ((FFT, 1, 0, 0, 0), [2, 2, 3, 1]),
    "a prime length": ((FFT, 1, 0, 0, 0), [2, 1, 34, 1]),
    "no length": ((FFT, 1, 0, 0, 0), [2, 1, 0, 1]),
    "more lines": ((FFT, 1, 0, 0, 0), [2, 2, 6, 1]),
    "a huge number of lines": ((FFT, 1, 0, 0, 0), [2, 1 << 28, 6, 1 << 28]),
    "no register of lines": ((FFT, 1, 8, 0, 0), [2, 1, 6, 1]),
    "no register of results": ((FFT, 8, 0, 0, 0), [2, 1, 6, 1]),
    "lines that are their results": ((FFT, 2, 2, 0, 0), [0, 1, 6, 1]),
    "complex lines of a real transform": ((FFT, 1, 2, 0, 0), [2, 1, 6, 1]),
    "a real result of a real transform": ((FFT, 3, 0, 0, 0), [2, 1, 6, 1]),
    "real lines of a complex transform": ((FFT, 2, 0, 0, 0), [0, 1, 6, 1]),
    "no such routine": ((LAPACK, 0, 0, 0, 0), [99, *EIGENVALUES[1:]]),
    "fewer results": ((LAPACK, 0, 0, 0, 0), [SYEVD, 2, 4, 5, *EIGENVALUES[5:]]),
    "fewer operands": ((LAPACK, 0, 0, 0, 0), [*EIGENVALUES[:5], 0, *EIGENVALUES[7:]]),
    "fewer options": ((LAPACK, 0, 0, 0, 0), [*EIGENVALUES[:8], 1, 1, *EIGENVALUES[11:]]),
    "sizes that differ": ((LAPACK, 0, 0, 0, 0), [*EIGENVALUES[:-2], 3, -1]),
    "matrices that are results": ((LAPACK, 0, 0, 0, 0), [*EIGENVALUES[:6], 4, *EIGENVALUES[7:]]),
    "narrow matrices": ((LAPACK, 0, 0, 0, 0), [SYEVD, 3, 7, *EIGENVALUES[3:]]),
    "other matrices": ((LAPACK, 0, 0, 0, 0), [*EIGENVALUES[:6], 7, *EIGENVALUES[7:]]),
}


# Results 0 and 1, and operands 2 to 6, of which 4 is a scalar; an array of another size and one of another type.
WORD_TYPES, WORD_COUNTS = ["ui32"] * 8 + ["i32"], [3, 3, 3, 3, -1, 3, 3, 2, 3]
WORDS = [0, 2, 0, 1, 5, 2, 3, 4, 5, 6]
MALFORMED_WORDS = {
    "too few numbers": WORDS[:-1],
    "too many numbers": [*WORDS, 0],
    "a number": [1, *WORDS[1:]],
    "one result": [0, 1, 0, *WORDS[4:]],
    "four operands": [*WORDS[:4], 4, *WORDS[5:-1]],
    "one result twice": [0, 2, 0, 0, *WORDS[4:]],
    "results of two sizes": [0, 2, 0, 7, *WORDS[4:]],
    "an operand of another size": [*WORDS[:-1], 7],
    "an operand of another type": [*WORDS[:-1], 8],
    "an operand that is a result": [*WORDS[:-1], 1],
    "no such register": [*WORDS[:-1], 9],
}


@pytest.mark.parametrize("name", MALFORMED_WORDS)
def test_malformed_random_words(name: str) -> None:
    with pytest.raises(ValueError, match=r"must|no register"):
        _kernels.Program(WORD_TYPES, [(THREEFRY, 0, 0, 0, 0)], WORD_COUNTS, [MALFORMED_WORDS[name]])
    _kernels.Program(WORD_TYPES, [(THREEFRY, 0, 0, 0, 0)], WORD_COUNTS, [WORDS])


@pytest.mark.parametrize("name", MALFORMED_ROUTINES)
def test_malformed_routines(name: str) -> None:
    code, numbers = MALFORMED_ROUTINES[name]
    with pytest.raises(ValueError, match=r"must|no numbers|no register|no routine|no kernel|has 2 options"):
        _kernels.Program(OTHER_TYPES, [code], OTHER_COUNTS, [numbers] if numbers else [])


def test_well_formed_routines() -> None:
    """The valid programs from which the malformed ones are derived."""
    operands = [(0, (6,), None), (3, (2, 2, 2), None)]
    results = [(1, (4,), np.dtype(np.complex64)), (5, (2, 2), np.dtype(np.float64))]
    code = [(FFT, 1, 0, 0, 0), (LAPACK, 4, 0, 1, 0)]
    well_formed = _kernels.Program(
        OTHER_TYPES, code, OTHER_COUNTS, [[2, 1, 6, 1], EIGENVALUES], operands, results
    )
    line, matrix = np.float32([1, 0, 0, 0, 0, 0]), np.float64([[0, 1], [1, 0]])
    transform, values = well_formed.run((line, np.stack([matrix, 2 * np.eye(2)])))
    assert transform.tolist() == [1, 1, 1, 1]
    np.testing.assert_allclose(values, [[-1, 1], [2, 2]], rtol=1e-15)
