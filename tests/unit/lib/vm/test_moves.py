"""Moves of native programs, compared with assignments of NumPy's elements."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from hlokit import _kernels
from hlokit.engine.native.ir.instructions import MOVE
from hlokit.engine.native.ir.parameters import Move, MoveAxis, numbers_of
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.lib.vm.strided import dense, dot, extent, whole


@pytest.mark.parametrize("type_", ["i1", "bf16", "f32", "i64", "complex<f64>"])
def test_random_moves(type_: str) -> None:
    random = Random(type_)
    dtype = ELEMENT_TYPES[type_].dtype
    for _ in range(200):
        sizes = [random.choice([1, 2, 3, 4, 7, 16, 17, 33]) for _ in range(random.randrange(4))]
        if random.random() < 0.1:
            sizes = [random.choice([65, 130, 1000])]
        to = dense(sizes, random)
        if sizes and random.random() < 0.3:
            to[0] *= random.choice([1, 2, -1])
        # Broadcasts, slices and transpositions.
        source = random.choice([[random.choice([0, 1, 2, -1]) for _ in sizes], dense(sizes, random)])
        source = [stride if random.random() < 0.7 else 0 for stride in source]
        (to_offset, to_count), (offset, count) = extent(sizes, to), extent(sizes, source)
        values = np.array(random.choices(range(2 if type_ == "i1" else 100), k=count + to_count)).astype(
            dtype
        )
        operand, old = values[:count], values[count:]
        expected = old.copy()
        for place in product(*map(range, sizes)):
            expected[to_offset + dot(place, to)] = operand[offset + dot(place, source)]
        move = Move(offset, to_offset, list(map(MoveAxis, sizes, source, to)))
        program = _kernels.Program(
            [type_] * 3,
            [(MOVE, [0], [2], whole(to_count)), (MOVE, [0], [1], numbers_of(move))],
            [to_count, count, to_count],
            [(1, (count,), None), (2, (to_count,), None)],
            [(0, (to_count,), dtype)],
        )
        assert program.run((operand, old)).tobytes() == expected.tobytes(), (sizes, to, source)


@pytest.mark.parametrize("type_", ["i8", "i16", "f32"])
def test_copies_of_every_length(type_: str) -> None:
    """A copy changes no element beside it: copies of few bytes are made of two that overlap."""
    dtype = ELEMENT_TYPES[type_].dtype
    for count in range(1, 80):
        operand, before, after = (np.arange(start, start + count).astype(dtype) for start in (1, 3, 5))
        program = _kernels.Program(
            [type_] * 6,
            [(MOVE, [target], [source], whole(count)) for target, source in ((0, 3), (1, 4), (2, 5))],
            [count] * 6,
            [(3, (count,), None), (4, (count,), None), (5, (count,), None)],
            [(register, (count,), dtype) for register in range(3)],
        )
        results = program.run((before, operand, after))
        assert [result.tolist() for result in results] == [before.tolist(), operand.tolist(), after.tolist()]
