"""Reductions in native programs, compared with loops over all values."""

from __future__ import annotations

from itertools import product
from math import prod
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hlokit import _kernels
from hlokit.engine.native.ir.array_parameters import ReducedAxis, Reduction
from hlokit.engine.native.ir.instructions import REDUCE
from hlokit.engine.native.ir.parameters import numbers_of
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.lib.vm.strided import dense, dot, extent

COMBINATIONS: dict[str, Any] = {
    "add": np.add,
    "multiply": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def run(
    operation: int,
    type_: str,
    operand: npt.NDArray[Any],
    init: Any,
    offset: int,
    sizes: tuple[list[int], list[int]],
    strides: tuple[list[int], list[int]],
) -> npt.NDArray[Any]:
    """The result of one instruction. Sizes and strides are those of the kept and of the reduced dimensions."""
    kept, reduced = (list(map(ReducedAxis, some, steps)) for some, steps in zip(sizes, strides, strict=True))
    numbers = numbers_of(Reduction(operation, offset, kept, reduced))
    count, results = operand.size, prod(sizes[0])
    program = _kernels.Program(
        [type_] * 3,
        [(REDUCE, [0], [1, 2], numbers)],
        [results, count, -1],
        [(1, (count,), None), (2, (), None)],
        [(0, (results,), operand.dtype)],
    )
    return program.run((operand, init))


@pytest.mark.parametrize("type_", ["i1", "i8", "i32", "ui16", "ui32", "i64"])
@pytest.mark.parametrize("name", COMBINATIONS)
def test_random_reductions(name: str, type_: str) -> None:
    operation = _kernels.find_operation(name, type_, type_)
    assert operation >= 0
    random = Random(f"{name} {type_}")
    dtype, combine = ELEMENT_TYPES[type_].dtype, COMBINATIONS[name]
    for _ in range(60):
        kept = [random.choice([1, 2, 3, 7]) for _ in range(random.randrange(4))]
        reduced = [random.choice([1, 2, 5, 12]) for _ in range(random.randrange(3))]
        if prod(kept) < 10 and random.random() < 0.3:
            reduced = [random.choice([65, 300])]
        strides = dense([*kept, *reduced], random)
        if random.random() < 0.4:
            strides = [random.choice([stride, -stride, 0, 2 * stride]) for stride in strides]
        offset, count = extent([*kept, *reduced], strides)
        operand = np.frombuffer(random.randbytes(count * dtype.itemsize), dtype)
        operand = (operand.view(np.uint8) & 1).view(np.bool_) if type_ == "i1" else operand
        init = operand[0]
        strides_kept, strides_reduced = strides[: len(kept)], strides[len(kept) :]
        expected: list[Any] = []
        for place in product(*map(range, kept)):
            first = offset + dot(place, strides_kept)
            places = [first + dot(each, strides_reduced) for each in product(*map(range, reduced))]
            expected.append(combine.reduce(operand[places], initial=init, dtype=dtype))
        found = run(operation, type_, operand, init, offset, (kept, reduced), (strides_kept, strides_reduced))
        assert found.tobytes() == np.array(expected, dtype).tobytes(), (kept, reduced, strides)


def in_halves(values: list[Any], combine: Any) -> Any:
    """The order of a sum of at most 64 values: one half is added to the other, again and again."""
    lanes = list(values)
    half = 1
    while 2 * half < len(lanes):
        half *= 2
    while len(lanes) > 1:
        lanes = [combine(one, other) for one, other in zip(lanes, lanes[half:], strict=False)] + lanes[
            len(lanes) - half : half
        ]
        half //= 2
    return lanes[0]


@pytest.mark.parametrize("type_", ["f32", "f64"])
@pytest.mark.parametrize("name", ["add", "maximum", "minimum"])
def test_random_reductions_of_short_rows(name: str, type_: str) -> None:
    operation = _kernels.find_operation(name, type_, type_)
    random = Random(f"{name} {type_}")
    dtype, combine = np.dtype(ELEMENT_TYPES[type_].dtype), COMBINATIONS[name]
    for _ in range(150):
        kept = [random.choice([1, 2, 3, 9, 20]) for _ in range(random.randrange(4))]
        reduced = [random.choice([1, 2, 3, 4, 5, 7]) for _ in range(random.randrange(1, 3))]
        strides = dense([*kept, *reduced], random)
        if random.random() < 0.4:
            strides = [random.choice([stride, -stride, 0, 2 * stride]) for stride in strides]
        offset, count = extent([*kept, *reduced], strides)
        operand = np.array(
            [random.choice([0.0, -0.0, random.gauss(0, 1), 1e30, -7.5]) for _ in range(count)], dtype
        )
        init = dtype.type(random.choice([0.0, -1.5, 1e-3]))
        strides_kept, strides_reduced = strides[: len(kept)], strides[len(kept) :]
        expected: list[Any] = []
        for place in product(*map(range, kept)):
            first = offset + dot(place, strides_kept)
            row = [operand[first + dot(each, strides_reduced)] for each in product(*map(range, reduced))]
            if name == "add":
                row = [float(value) for value in row]
                expected.append(dtype.type(float(init) + in_halves(row, combine)))
            else:  # +0 is greater than -0
                keys = [(float(value), not np.signbit(value)) for value in [*row, init]]
                value, is_positive = max(keys) if name == "maximum" else min(keys)
                expected.append(dtype.type(np.copysign(value, 1.0 if is_positive else -1.0)))
        found = run(operation, type_, operand, init, offset, (kept, reduced), (strides_kept, strides_reduced))
        assert found.tobytes() == np.array(expected, dtype).tobytes(), (kept, reduced, strides)


def in_blocks(values: list[float], combine: Any) -> float:
    """docs/concepts/summation.md: blocks of 1,024 values, each of 64 lanes, then pairs of blocks."""
    sums: list[float] = []
    for start in range(0, len(values), 1024):
        lanes = values[start : start + 64]
        for i, value in enumerate(values[start + 64 : start + 1024]):
            lanes[i % 64] = combine(lanes[i % 64], value)
        sums.append(in_halves(lanes, combine))
    while len(sums) > 1:
        pairs = [combine(*sums[i : i + 2]) for i in range(0, len(sums) - 1, 2)]
        sums = pairs + sums[2 * len(pairs) :]
    return sums[0]


@pytest.mark.parametrize("type_", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("name", ["add", "multiply"])
def test_sums_have_one_order_in_all_layouts(name: str, type_: str) -> None:
    operation = _kernels.find_operation(name, type_, type_)
    random = Random(f"{name} {type_}")
    dtype, combine = (
        np.dtype(ELEMENT_TYPES[type_].dtype),
        {"add": float.__add__, "multiply": float.__mul__}[name],
    )
    for length in (1, 3, 9, 40, 64, 65, 130, 1000, 1024, 1025, 3000):
        for kept in ([], [3], [20], [2, 2]):
            sizes = [*kept, length]
            strides = dense(sizes, random)
            if random.random() < 0.3:
                strides = [-stride for stride in strides]
            offset, count = extent(sizes, strides)
            values = [
                random.gauss(0, 1) if name == "add" else random.choice([0.9, 1.1, -1.05])
                for _ in range(count)
            ]
            operand = np.array(values).astype(dtype)
            init = dtype.type(1.5)
            expected: list[Any] = []
            for place in product(*map(range, kept)):
                first = offset + dot(place, strides[:-1])
                row = [float(operand[first + i * strides[-1]]) for i in range(length)]
                with np.errstate(over="ignore"):
                    expected.append(dtype.type(combine(float(init), in_blocks(row, combine))))
            parts = (kept, [length]), (strides[:-1], strides[-1:])
            found = run(operation, type_, operand, init, offset, *parts)
            assert found.tobytes() == np.array(expected, dtype).tobytes(), (sizes, strides)


@pytest.mark.parametrize("name", ["f32", "f16", "bf16", "i32"])
def test_extrema_of_rows_of_all_lengths(name: str) -> None:
    operation = _kernels.find_operation("maximum", name, name)
    dtype = np.dtype(ELEMENT_TYPES[name].dtype)
    random = Random(name)
    for length in [*range(1, 70), 100, 127, 128, 129, 1025]:
        for width in (1, 3, 15, 17):
            operand = np.array([random.randrange(-99, 99) for _ in range(length * width)]).astype(dtype)
            init = dtype.type(-50)
            for strides in ([1], [width]), ([length], [1]):
                found = run(operation, name, operand, init, 0, ([width], [length]), strides)
                table = (
                    operand.reshape(length, width).T if strides[0] == [1] else operand.reshape(width, length)
                )
                assert found.tolist() == np.maximum(table.max(axis=1), init).tolist(), (length, width)


def test_operations_that_reduce_nothing() -> None:
    for name, type_ in (("subtract", "f32"), ("divide", "i32")):
        operand = np.zeros(4, ELEMENT_TYPES[type_].dtype)
        operation = _kernels.find_operation(name, type_, type_)
        with pytest.raises(ValueError, match=f"there is no kernel that combines {type_} by {name}"):
            run(operation, type_, operand, operand[0], 0, ([], [4]), ([], [1]))
