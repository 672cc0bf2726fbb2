"""Windows of arrays in native programs: reads, writes and updates, compared with loops over all elements."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

from hlokit import _kernels
from hlokit.engine.native.ir.array_parameters import WindowAxis, Windows, WindowStart
from hlokit.engine.native.ir.instructions import MOVE, READ_WINDOWS, WRITE_WINDOWS
from hlokit.engine.native.ir.parameters import numbers_of
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.lib.vm.strided import dense, dot, extent, whole

INDEX_TYPES = ("i32", "i32", "i32", "ui32", "i64", "ui64", "i8", "ui16")


class Access(NamedTuple):
    """An instruction on windows. A component is (type of the start, offset of the starts, their strides in the
    batch, the largest start, the stride in the operand, the window dimension)."""

    batch: Sequence[int]
    window: Sequence[int]
    operand: tuple[int, Sequence[int], Sequence[int]]
    other: tuple[int, Sequence[int], Sequence[int]]
    clamps: bool
    components: Sequence[tuple[str, int, Sequence[int], int, int, int]]

    def numbers(self, combination: int) -> list[int]:
        (array_offset, *array), (other_offset, *other) = self.operand, self.other
        batch = list(map(WindowAxis, self.batch, array[0], other[0]))
        window = list(map(WindowAxis, self.window, array[1], other[1]))
        starts = [
            WindowStart(offset, limit, stride, dimension, [*strides])
            for _, offset, strides, limit, stride, dimension in self.components
        ]
        return numbers_of(
            Windows(array_offset, other_offset, batch, window, starts, self.clamps, combination)
        )

    def expected(self, operand: Any, other: Any, starts: Sequence[Any], *, reads: bool, adds: bool) -> Any:
        to, source = (other.copy(), operand) if reads else (operand.copy(), other)
        for place in product(*map(range, self.batch)):
            indices = [
                int(own[offset + dot(place, batch)])
                for own, (_, offset, batch, *_) in zip(starts, self.components, strict=True)
            ]
            for element in product(*map(range, self.window)):
                first, second = (
                    offset + dot(place, batch) + dot(element, window)
                    for offset, batch, window in (self.operand, self.other)
                )
                is_inside = True
                for index, (*_, limit, stride, dimension) in zip(indices, self.components, strict=True):
                    size, at = (self.window[dimension], element[dimension]) if dimension >= 0 else (1, 0)
                    is_inside = is_inside and 0 <= index + at < limit + size
                    first += stride * (min(max(index, 0), limit) if self.clamps else index)
                if reads and (self.clamps or is_inside):
                    to[second] = source[first]
                elif not reads and (self.clamps or is_inside):
                    value = source[second : second + 1]
                    to[first : first + 1] = to[first : first + 1] + value if adds else value
        return to


def random_access(random: Random, *, reads: bool) -> tuple[Access, int, int, list[Any]]:
    """An access, the elements of the operand and of the other array, and the starts."""
    batch = [random.choice([1, 2, 3, 5]) for _ in range(random.randrange(4))]
    if batch and random.random() < 0.3:
        batch = [random.choice([1, 2]), random.choice([255, 257, 520])]
    window = [random.choice([1, 1, 2, 3, 4]) for _ in range(random.randrange(4 if prod(batch) < 200 else 2))]
    clamps = random.random() < (0.8 if reads else 0.3)
    other = dense([*batch, *window], random)
    window_strides = [random.choice([1, 1, 2, 7, -1, 0]) for _ in window]
    if not reads and clamps:  # windows whose elements are apart
        window_strides = dense(window, random)
    batch_strides = [random.choice([0, 0, 1, 5, -3]) for _ in batch]
    components: list[tuple[str, int, Sequence[int], int, int, int]] = []
    starts: list[Any] = []
    free = list(range(len(window)))
    for _ in range(random.randrange(4)):
        is_along = not clamps and free and random.random() < 0.6
        dimension = free.pop(random.randrange(len(free))) if is_along else -1
        stride = window_strides[dimension] if is_along else random.choice([1, 2, 9])
        limit = random.choice([0, 3, 20])
        strides = random.choice([dense(batch, random), [0] * len(batch)])
        type_ = random.choice(INDEX_TYPES)
        signed = not type_.startswith("u")
        count = extent(batch, strides)[1]
        values = [random.randint(-3 if signed else 0, limit + 3) for _ in range(count)]
        far = [0] if type_ in ("i8", "ui16") else [2**31 - 1, -(2**31)] if signed else [2**32 - 1]
        far = [2**64 - 1] if type_ == "ui64" else [-(2**62), 2**40] if type_ == "i64" else far
        values = [random.choice(far) if random.random() < 0.05 else value for value in values]
        starts.append(np.array(values, ELEMENT_TYPES[type_].dtype))
        components.append((type_, 0, strides, limit, stride, dimension))
    sizes = [*batch, *window, *(limit + 1 for *_, limit, _, _ in components)]
    strides = [*batch_strides, *window_strides, *(stride for *_, stride, _ in components)]
    offset, count = extent(sizes, strides)
    operand = (offset, batch_strides, window_strides)
    access = Access(batch, window, operand, (0, other[: len(batch)], other[len(batch) :]), clamps, components)
    return access, count, prod([*batch, *window]), starts


def run(
    access: Access, type_: str, operand: Any, other: Any, starts: Sequence[Any], operation: int, reads: bool
) -> Any:
    """The array that the instruction writes, which is first copied to register 0."""
    types = [type_, type_, *(each[0] for each in access.components), type_]
    to, source = (other, operand) if reads else (operand, other)
    counts = [len(to), len(source), *map(len, starts), len(to)]
    last = len(types) - 1
    access_operands = [1, *range(2, last)]
    code = [
        (MOVE, [0], [last], whole(len(to))),
        (READ_WINDOWS if reads else WRITE_WINDOWS, [0], access_operands, access.numbers(operation)),
    ]
    operands = [(index, (count,), None) for index, count in enumerate(counts) if index]
    results = [(0, (len(to),), ELEMENT_TYPES[type_].dtype)]
    program = _kernels.Program(types, code, counts, operands, results)
    return program.run((source, *starts, to))


MOVED = ["i1", "i16", "f32", "i64", "complex<f64>"]


@pytest.mark.parametrize(
    ("kind", "type_"),
    [*(("read", type_) for type_ in MOVED), *(("write", type_) for type_ in MOVED)]
    + [("update", type_) for type_ in ("i1", "i16", "f16", "f32", "i64")],
)
def test_random_windows(kind: str, type_: str) -> None:
    operation = _kernels.find_operation("add", type_, type_) if kind == "update" else -1
    random = Random(f"{kind} {type_}")
    dtype = ELEMENT_TYPES[type_].dtype
    for _ in range(80):
        access, count, other_count, starts = random_access(random, reads=kind == "read")
        values = np.array(
            random.choices(range({"i1": 2, "f16": 4}.get(type_, 100)), k=count + other_count)
        ).astype(dtype)
        operand, other = values[:count], values[count:]
        wanted = access.expected(operand, other, starts, reads=kind == "read", adds=kind == "update")
        found = run(access, type_, operand, other, starts, operation, kind == "read")
        assert found.tobytes() == wanted.tobytes(), access


def test_windows_side_by_side_are_read_element_by_element() -> None:
    """Three columns of a matrix: the windows' own elements are further apart than the windows."""
    matrix = np.arange(60, dtype=np.float32)
    columns = np.int32([11, 4, -1])
    access = Access([3], [5], (0, [0], [12]), (0, [1], [3]), True, [("i32", 0, [1], 11, 1, -1)])
    found = run(access, "f32", matrix, np.zeros(15, np.float32), [columns], -1, True)
    assert found.reshape(5, 3).tolist() == matrix.reshape(5, 12)[:, [11, 4, 0]].tolist()


@pytest.mark.parametrize(("type_", "quiet"), [("f16", 0x7E00), ("f32", 0x7FC00000), ("f64", 0x7FF8 << 48)])
@pytest.mark.parametrize("length", [1, 3])
def test_updated_nans_are_canonical_and_others_keep_their_bits(type_: str, quiet: int, length: int) -> None:
    """Rows of `length` elements; row 1 is updated twice, row 4 is outside."""
    add = _kernels.find_operation("add", type_, type_)
    dtype = ELEMENT_TYPES[type_].dtype
    other_bits = np.array(quiet | 5, f"u{dtype.itemsize}")
    operand = np.full(4 * length, other_bits).view(dtype)
    updates = np.full(4 * length, 1, dtype)
    window = ([length], [1]) if length > 1 else ([], [])
    part = (0, [length], window[1])
    starts = ("i32", 0, [1], 3, length, -1)
    access = Access([4], window[0], (0, [0], window[1]), part, False, [starts])
    found = run(access, type_, operand, updates, [np.int32([1, 4, 1, 2])], add, False)
    rows = found.view(other_bits.dtype).reshape(4, length)
    assert rows.tolist() == [[row] * length for row in (int(other_bits), quiet, quiet, int(other_bits))]


@pytest.mark.parametrize(("name", "type_"), [("subtract", "f32"), ("multiply", "complex<f32>")])
def test_operations_that_update_nothing(name: str, type_: str) -> None:
    array = np.zeros(4, ELEMENT_TYPES[type_].dtype)
    access = Access([4], [], (0, [0], []), (0, [1], []), False, [("i32", 0, [1], 3, 1, -1)])
    with pytest.raises(ValueError, match="there is no kernel that combines"):
        run(
            access,
            type_,
            array,
            array,
            [np.arange(4, dtype=np.int32)],
            _kernels.find_operation(name, type_, type_),
            False,
        )


def row_of_table(rows: int, length: int, *, start: str = "i32", writes_twice: bool = False) -> Any:
    """A program of a table and a start: a row of the table, read to an array of the program, from which it moves
    to the result."""
    types, counts = ["f64", "f64", start, "f64"], [length, length, -1, rows * length]
    access = Access([], [length], (0, [], [1]), (0, [], [1]), True, [(start, 0, [], rows - 1, length, -1)])
    code = [(READ_WINDOWS, [1], [3, 2], access.numbers(-1)), (MOVE, [0], [1], whole(length))]
    if writes_twice:
        code.insert(1, (_kernels.find_operation("negate", "f64", "f64"), [1], [1], []))
    operands = [(3, (rows, length), None), (2, (), None)]
    results = [(0, (length,), ELEMENT_TYPES["f64"].dtype)]
    return _kernels.Program(types, code, counts, operands, results)


@pytest.mark.parametrize("start", ["i32", "ui8", "i64"])
@pytest.mark.parametrize("length", [1, 2, 50])
def test_rows_that_are_read(start: str, length: int) -> None:
    table = np.arange(6.0 * length).reshape(6, length)
    kept = table.copy()
    dtype = ELEMENT_TYPES[start].dtype
    for place in (0, 3, 5, 6, 100, *(() if start == "ui8" else (-1, -100))):
        expected = table[min(max(place, 0), 5)]
        found = row_of_table(6, length, start=start).run((table, dtype.type(place)))
        assert found.tolist() == expected.tolist()
        found = row_of_table(6, length, start=start, writes_twice=True).run((table, dtype.type(place)))
        assert found.tolist() == (-expected).tolist()
        assert (table == kept).all()


def test_a_row_that_is_only_read_needs_no_memory() -> None:
    """The program's memory is limited to 2 ** 28 bytes."""
    assert row_of_table(4, 1 << 25)
    with pytest.raises(ValueError, match="a program must take at most"):
        row_of_table(4, 1 << 25, writes_twice=True)
