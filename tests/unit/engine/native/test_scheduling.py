"""Scalars of loops move to their only reader, but not across writes of what they read; starts of windows lose
constants that they add."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.engine.native.ir.addressing import address_windows
from hlokit.engine.native.ir.array_parameters import WindowAxis, Windows, WindowStart
from hlokit.engine.native.ir.instructions import (
    COPY,
    JUMP_IF,
    READ_WINDOWS,
    SCALAR,
    WRITE_WINDOWS,
    Instruction,
    VirtualRegister,
)
from hlokit.engine.native.ir.live_ranges import find_live_at_ends
from hlokit.engine.native.ir.parameters import Jump
from hlokit.engine.native.ir.scheduling import scheduled
from hlokit.engine.native.ir.target import operation
from tests.generate.same import assert_same

ADD, MULTIPLY = operation("add", "i32", "i32"), operation("multiply", "i32", "i32")
ELEMENT = Windows(0, 0, [], [WindowAxis(1, 1, 1)], [WindowStart(0, 9, 1, -1, [])], True, -1)


def loop(*lines: tuple[int, tuple[int, ...], tuple[int, ...]]) -> list[Instruction]:
    """Instructions of a loop whose condition is register 9."""
    instructions = [Instruction(*line, is_partial=line[0] == WRITE_WINDOWS) for line in lines]
    instructions.append(Instruction(JUMP_IF, (), (9,), Jump(0)))
    for instruction in instructions:
        instruction.loop_depth = 1
        if instruction.operation in (READ_WINDOWS, WRITE_WINDOWS):
            instruction.parameters = ELEMENT
    return instructions


def order_of(
    *lines: tuple[int, tuple[int, ...], tuple[int, ...]], results: tuple[int, ...], arrays: Any = ()
) -> list[int]:
    """The old positions of the instructions of a loop, in their new order."""
    registers = [VirtualRegister("i32", 10 if n in arrays else SCALAR) for n in range(10)]
    instructions = loop(*lines)
    ends = find_live_at_ends(instructions, results)
    return [
        instructions.index(instruction) for instruction in scheduled(instructions, registers, results, ends)
    ][:-1]


def test_a_scalar_moves_to_its_reader() -> None:
    assert order_of(
        (ADD, (1,), (0, 0)), (ADD, (2,), (0, 0)), (COPY, (3,), (2,)), (COPY, (4,), (1,)), results=(3, 4)
    ) == [1, 2, 0, 3]


def test_what_takes_more_instructions_comes_first() -> None:
    lines = (
        (ADD, (1,), (0, 0)),
        (ADD, (2,), (0, 0)),
        (ADD, (3,), (2, 0)),
        (ADD, (4,), (1, 3)),
        (COPY, (5,), (4,)),
    )
    assert order_of(*lines, results=(5,)) == [1, 2, 0, 3, 4]


def test_an_element_comes_last() -> None:
    read, value = [(ADD, (2,), (0, 0)), (READ_WINDOWS, (3,), (1, 2))], (ADD, (4,), (0, 0))
    lines = (*read, value, (ADD, (5,), (3, 4)), (COPY, (6,), (5,)))
    assert order_of(*lines, results=(6,), arrays=(1,)) == [2, 0, 1, 3, 4]


def test_a_scalar_stays_before_a_new_value_of_what_it_reads() -> None:
    lines = (ADD, (1,), (0, 0)), (COPY, (0,), (5,)), (COPY, (2,), (1,))
    assert order_of(*lines, results=(0, 2)) == [0, 1, 2]


def test_a_scalar_with_two_readers_stays() -> None:
    lines = (
        (ADD, (1,), (0, 0)),
        (COPY, (3,), (5,)),
        (ADD, (6,), (1, 5)),
        (COPY, (2,), (1,)),
        (COPY, (7,), (6,)),
    )
    assert order_of(*lines, results=(2, 3, 7)) == [0, 1, 3, 2, 4]


def test_a_result_of_the_program_stays() -> None:
    lines = (ADD, (1,), (0, 0)), (COPY, (3,), (5,)), (ADD, (2,), (1, 0)), (COPY, (4,), (2,))
    assert order_of(*lines, results=(3, 4)) == [1, 0, 2, 3]
    assert order_of(*lines, results=(1, 3, 4)) == [0, 1, 2, 3]


def test_a_reader_that_nobody_reads_does_not_count() -> None:
    lines = (
        (ADD, (1,), (0, 0)),
        (COPY, (3,), (1,)),
        (COPY, (4,), (5,)),
        (COPY, (2,), (1,)),
        (COPY, (0,), (2,)),
    )
    assert order_of(*lines, results=(0, 4)) == [1, 2, 0, 3, 4]


def test_an_element_is_read_before_its_array_is_written() -> None:
    read, write = (READ_WINDOWS, (2,), (1, 0)), (WRITE_WINDOWS, (1,), (5, 0))
    other, twice = (COPY, (6,), (5,)), (ADD, (3,), (2, 2))
    assert order_of(read, other, twice, write, results=(3, 6), arrays=(1,)) == [1, 0, 2, 3]
    assert order_of(read, write, other, twice, results=(3, 6), arrays=(1,)) == [0, 1, 2, 3]


def test_a_scalar_does_not_move_between_operations_on_arrays() -> None:
    lines = (ADD, (1,), (0, 0)), (MULTIPLY, (2,), (3, 3)), (MULTIPLY, (4,), (2, 1)), (COPY, (3,), (4,))
    assert order_of(*lines, results=(3,), arrays=(2, 3, 4)) == [0, 1, 2, 3]


def windows_of(*lines: Any, bounds: dict[int, tuple[int, int]], constant: int = 2) -> list[Any]:
    """Array, start, limit and offset of the elements that a loop reads and writes; register 8 is a constant."""
    registers = [VirtualRegister("i32", 10 if n == 1 else SCALAR) for n in range(10)]
    instructions = loop(*lines)
    address_windows(instructions, registers, {8: np.int32(constant)}, bounds)
    parameters: Any = [line.parameters for line in instructions]
    return [
        (line.operands[1], numbers.components[0].limit, numbers.array_offset)
        for line, numbers in zip(instructions, parameters, strict=True)
        if line.operation in (READ_WINDOWS, WRITE_WINDOWS)
    ]


READ, SUM = (READ_WINDOWS, (2,), (1, 3)), (ADD, (3,), (0, 8))
KEPT, ADDRESSED = (3, 9, 0), (0, 7, 2)


@pytest.mark.parametrize(
    ("bounds", "constant", "window"),
    [
        ((2, 9), 2, ADDRESSED),
        ((2, 10), 2, KEPT),  # beyond the array
        ((1, 9), 2, KEPT),  # the value may be negative
        ((2, 9), -2, KEPT),
        (None, 2, KEPT),
    ],
)
def test_a_start_that_is_a_sum(bounds: Any, constant: int, window: Any) -> None:
    known = {3: bounds} if bounds else {}
    assert windows_of(SUM, READ, bounds=known, constant=constant) == [window]


def test_a_start_that_is_a_copy_of_a_sum() -> None:
    lines = SUM, (COPY, (4,), (3,)), (WRITE_WINDOWS, (1,), (5, 4))
    assert windows_of(*lines, bounds={3: (2, 9)}) == [ADDRESSED]


@pytest.mark.parametrize("between", [(COPY, (0,), (3,)), (COPY, (3,), (5,)), (JUMP_IF, (), (9,))])
def test_a_sum_of_a_value_that_changes(between: Any) -> None:
    instructions = [SUM, between, READ]
    if between[0] == JUMP_IF:  # another iteration may come from there
        instructions = [SUM, READ]
        lines = loop(*instructions)
        lines[-1].parameters = Jump(1)
        address_windows(
            lines,
            [VirtualRegister("i32", 10 if n == 1 else SCALAR) for n in range(10)],
            {8: np.int32(2)},
            {3: (2, 9)},
        )
        assert lines[1].operands == (1, 3)
        return
    assert windows_of(*instructions, bounds={3: (2, 9)}) == [KEPT]


# Programs ------------------------------------------------------------------------------------------


def neighbours(x: Any, n: Any) -> Any:
    """Elements beside that of the counter, read and written, and the counter once more in the end."""

    def turn(i: Any, state: Any) -> Any:
        x, total = state
        total = total * 3 + x[i + 1] - x[i]
        return x.at[i + 2].set(x[i + 1] + total).at[i].add(1.0), total + i

    return lax.fori_loop(0, 6, turn, (x, n))


def swapped(x: Any, n: Any) -> Any:
    """Values of the state that take each other's place, and old elements after a write."""

    def turn(i: Any, state: Any) -> Any:
        x, a, b = state
        old = x[i]
        return x.at[i].set(b).at[7 - i].set(old * a), b + old, a - x[7 - i]

    return lax.fori_loop(0, 7, turn, (x, n, n * 2))


def dynamic(x: Any, n: Any) -> Any:
    """Nested loops whose inner bounds are outer counters: rows may have no element."""

    def row(i: Any, x: Any) -> Any:
        return lax.fori_loop(i, 7, lambda j, x: x.at[j + 1].add(x[j] * x[i]), x)

    return lax.fori_loop(0, 8, row, x) * n


@pytest.mark.parametrize("function", [neighbours, swapped, dynamic])
def test_programs_keep_their_bytes(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x, n = np.linspace(-1, 2, 8, dtype=np.float32), np.float32(0.75)
    program = hlokit.from_jax(function, x, n)
    results = [jax.tree.leaves(program(x, n)) for _ in range(4)]
    monkeypatch.setenv("HLOKIT_DISABLE", "native")
    expected = jax.tree.leaves(hlokit.from_jax(function, x, n)(x, n))
    for result in results:
        assert_same(tuple(result), tuple(expected), function.__name__)
    assert np.allclose(expected[0], jax.tree.leaves(function(jnp.asarray(x), n))[0], rtol=1e-4)
