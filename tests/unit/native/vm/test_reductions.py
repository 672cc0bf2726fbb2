"""Reductions of integers, booleans and short rows of floats in native programs, compared with loops."""

from __future__ import annotations

from itertools import product
from math import prod
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hlokit import _kernels
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.native.vm.strided import dense, dot, extent

REDUCE = -7
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
    numbers = [operation, offset]
    for some, steps in zip(sizes, strides, strict=True):
        numbers += [len(some), *some, *steps]
    count, results = operand.size, prod(sizes[0])
    program = _kernels.Program(
        [type_] * 3,
        [(REDUCE, 0, 1, 2, 0)],
        [results, count, -1],
        [numbers],
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
