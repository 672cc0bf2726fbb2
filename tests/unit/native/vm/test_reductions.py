"""Reductions of integers and booleans in native programs, compared with a loop over all elements."""

from __future__ import annotations

from itertools import product
from math import prod
from random import Random
from typing import Any

import numpy as np
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
        numbers = [operation, offset, len(kept), *kept, *strides_kept]
        numbers += [len(reduced), *reduced, *strides_reduced]
        program = _kernels.Program(
            [type_] * 3,
            [(REDUCE, 0, 1, 2, 0)],
            [len(expected), count, -1],
            [numbers],
            [(1, (count,), None), (2, (), None)],
            [(0, (len(expected),), dtype)],
        )
        found = program.run((operand, init))
        assert found.tobytes() == np.array(expected, dtype).tobytes(), (kept, reduced, strides)
