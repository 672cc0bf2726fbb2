"""Loops over arrays of several blocks: sweeps and moves that run a block at a time, compared with NumPy."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from hlokit import _kernels
from hlokit.engine.native.ir.instructions import JUMP_IF, MOVE
from hlokit.engine.native.ir.parameters import Move, MoveAxis, numbers_of
from hlokit.engine.native.ir.views import dense_strides
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.lib.vm.strided import whole

# Shapes of arrays of several blocks, with rows that divide a block, that do not, and that are longer.
SHAPES = [(64, 32), (30, 70), (3, 700), (2, 1500), (1, 2500), (7, 11, 40), (12, 16, 16), (1000, 3)]
# Registers: the state of the loop, values of one turn, scalars, and what the program reads and returns.
STATE, ARRAYS, SCALARS, OPERANDS, RESULTS = 3, 7, range(7, 11), range(11, 14), range(14, 17)
COUNTER, ONE, TURNS, GOES_ON = SCALARS


class Part(NamedTuple):
    """A box of an array, which becomes a box of another array."""

    to: int
    source: int
    sizes: list[int]
    target: list[int]
    start: list[int]


class Sum(NamedTuple):
    to: int
    one: int
    other: int


def random_turn(random: Random, shape: tuple[int, ...]) -> list[Part | Sum]:
    """Sums, dimensions that turn round, and parts that move; all that is read has been written."""
    turn: list[Part | Sum] = []
    written = {*range(STATE)}
    for _ in range(random.randint(2, 25)):
        to, one, other = random.randrange(ARRAYS), *random.choices(sorted(written), k=2)
        kind = random.choice(["sum", "roll", "part"])
        if kind == "roll" and one != to:
            axis = random.randrange(len(shape))
            by = random.randrange(shape[axis])
            for low, size, from_ in ((0, by, shape[axis] - by), (by, shape[axis] - by, 0)):
                sizes = [size if d == axis else n for d, n in enumerate(shape)]
                target, start = ([at if d == axis else 0 for d in range(len(shape))] for at in (low, from_))
                turn += [Part(to, one, sizes, target, start)] if size else []
        elif kind == "part" and one != to and to in written:
            sizes = [random.randint(1, n) for n in shape]
            target, start = (
                [random.randint(0, n - size) for n, size in zip(shape, sizes, strict=True)] for _ in range(2)
            )
            turn.append(Part(to, one, sizes, target, start))
        else:
            turn.append(Sum(to, one, other))
        written.add(to)
    return turn


def divided_turn(shape: tuple[int, ...]) -> list[Part | Sum]:
    """Register 3 is written before and after the third step, which cannot be computed with the second one."""
    start = [0] * len(shape)
    half = [(size + 1) // 2 for size in shape]
    return [
        Sum(3, 0, 1),
        Part(1, 0, half, start, start),
        Sum(0, 2, 2),
        Part(3, 2, half, start, start),
        Sum(1, 3, 1),
    ]


def box(starts: list[int], sizes: list[int]) -> tuple[slice, ...]:
    return tuple([slice(start, start + size) for start, size in zip(starts, sizes, strict=True)])


def apply(turn: list[Part | Sum], arrays: list[npt.NDArray[Any]]) -> None:
    for step in turn:
        if isinstance(step, Sum):
            arrays[step.to][...] = arrays[step.one] + arrays[step.other]
        else:
            part = arrays[step.source][box(step.start, step.sizes)]
            arrays[step.to][box(step.target, step.sizes)] = part


def encoded(step: Part | Sum, shape: tuple[int, ...], add: int) -> Any:
    if isinstance(step, Sum):
        return add, [step.to], [step.one, step.other], []
    strides = dense_strides(shape)
    start, target = (
        sum(at * stride for at, stride in zip(starts, strides, strict=True))
        for starts in (step.start, step.target)
    )
    axes = list(map(MoveAxis, step.sizes, strides, strides))
    return MOVE, [step.to], [step.source], numbers_of(Move(start, target, axes))


@pytest.mark.parametrize("type_", ["i8", "i32", "f64"])
def test_random_loops_over_arrays_of_several_blocks(type_: str) -> None:
    random, dtype, turns = Random(type_), ELEMENT_TYPES[type_].dtype, 2
    add, count_up = (_kernels.find_operation("add", name, name) for name in (type_, "i32"))
    less = _kernels.find_operation("LT", "i1", "i32")
    for number in range(60):
        shape = SHAPES[number % len(SHAPES)]
        size = int(np.prod(shape))
        turn = random_turn(random, shape) if number >= len(SHAPES) else divided_turn(shape)
        inputs = [np.array(random.choices(range(50), k=size)).astype(dtype).reshape(shape) for _ in OPERANDS]
        arrays = [array.copy() for array in (*inputs, *[np.zeros(shape, dtype)] * (ARRAYS - STATE))]
        for _ in range(turns):
            apply(turn, arrays)
        program = _kernels.Program(
            [type_] * ARRAYS + ["i32"] * 3 + ["i1"] + [type_] * 6,
            [
                *[(MOVE, [n], [OPERANDS[n]], whole(size)) for n in range(STATE)],
                *[encoded(step, shape, add) for step in turn],
                (count_up, [COUNTER], [COUNTER, ONE], []),
                (less, [GOES_ON], [COUNTER, TURNS], []),
                (JUMP_IF, [], [GOES_ON], [STATE]),
                *[(MOVE, [RESULTS[n]], [n], whole(size)) for n in range(STATE)],
            ],
            [size] * ARRAYS + [-1] * 4 + [size] * 6,
            [(register, shape, None) for register in OPERANDS],
            [(register, shape, dtype) for register in RESULTS],
            [
                (ONE, np.array(1, np.int32)),
                (TURNS, np.array(turns, np.int32)),
                (COUNTER, np.array(0, np.int32)),
            ],
        )
        results = program.run(tuple(inputs))
        for result, expected in zip(results, arrays, strict=False):
            assert result.tobytes() == expected.tobytes(), (shape, turn)
