"""Pairs of operations on scalars give what the operations give one by one, and may be entered in the middle."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from hlokit import _kernels
from hlokit.engine.native.ir.array_parameters import WindowAxis, Windows, WindowStart
from hlokit.engine.native.ir.instructions import JUMP, JUMP_IF, JUMP_IF_NOT, READ_WINDOWS
from hlokit.engine.native.ir.parameters import numbers_of
from hlokit.engine.native.ir.target import operation
from hlokit.values.element_types import ELEMENT_TYPES

BITS = ("and", "xor", "shift_left", "shift_right_logical", "or")
INNER = ("add", "subtract", "multiply", "minimum", "maximum", *BITS)
OUTER = ("LT", "EQ", "NE")
COMPARISONS = ("EQ", "NE", "LT", "LE", "GT", "GE")
NUMBERS = {
    "f32": [0.0, -0.0, -3.25, 3e38, np.inf, np.nan],
    "f64": [0.0, -0.0, -3.25, 1e308, np.inf, np.nan],
    "i32": [0, -1, 7, 2**31 - 1, -(2**31)],
    "i64": [0, -1, 7, 2**63 - 1, -(2**63)],
    "ui32": [0, 1, 7, 2**31, 2**32 - 1],
    "ui64": [0, 1, 7, 2**63, 2**64 - 1],
}


def numbers_in(type_: str) -> list[Any]:
    return [ELEMENT_TYPES[type_].dtype.type(number) for number in NUMBERS[type_]]


def names(type_: str, *names: str) -> list[str]:
    """The operations that a type has."""
    return [name for name in names if name not in BITS or type_[0] != "f"]


def result_type(name: str, type_: str) -> str:
    return "i1" if name in COMPARISONS else type_


def program(
    types: list[str], code: list[Any], operand_count: int, results: list[int], counts: tuple[int, ...] = ()
) -> _kernels.Program:
    shapes = [(count,) if count >= 0 else () for count in counts or (-1,) * len(types)]
    return _kernels.Program(
        types,
        code,
        counts,
        operands=[(register, shapes[register], None) for register in range(operand_count)],
        results=[(register, (), ELEMENT_TYPES[types[register]].dtype) for register in results],
    )


def pair_of(type_: str, inner: str, outer: str, place: int) -> _kernels.Program:
    """inner(a, b) and `outer` on this and c; a jump may lead to the second operation, when the first gives 0."""
    to = result_type(outer, type_)
    code = [
        (JUMP_IF, [], [3], [2]),
        (operation(inner, type_, type_), [4], [0, 1], []),
        (operation(outer, to, type_), [5], [4, 2] if place == 0 else [2, 4], []),
    ]
    return program([type_, type_, type_, "i1", type_, to], code, 4, [4, 5])


@cache
def single(name: str, type_: str) -> _kernels.Program:
    to = result_type(name, type_)
    return program([type_, type_, to], [(operation(name, to, type_), [2], [0, 1], [])], 2, [2])


def bits(value: Any) -> Any:
    return "NaN" if np.isnan(value) else value.tobytes()


@pytest.mark.parametrize("type_", NUMBERS)
def test_a_pair_is_two_operations(type_: str) -> None:
    numbers = numbers_in(type_)
    for inner, outer, place in product(names(type_, *INNER), names(type_, *INNER, *OUTER), (0, 1)):
        pair = pair_of(type_, inner, outer, place)
        for n, (a, b) in enumerate(product(numbers, numbers)):
            c, jumps = numbers[n % len(numbers) - n // len(numbers)], n % 7 == 0
            first = type(a)(0) if jumps else single(inner, type_).run((a, b))
            second = single(outer, type_).run((first, c) if place == 0 else (c, first))
            computed = pair.run((a, b, c, np.bool_(jumps)))
            assert list(map(bits, computed)) == [bits(first), bits(second)], (inner, outer, place, a, b, c)


@pytest.mark.parametrize("type_", NUMBERS)
def test_a_comparison_and_what_depends_on_it(type_: str) -> None:
    """A choice between words of all widths, and both jumps, of which one leads back once more."""
    for name, word in product(COMPARISONS, ("i8", "f32", "i64")):
        compare = (operation(name, "i1", type_), [4], [0, 1], [])
        choice = program(
            [type_, type_, word, word, "i1", word],
            [compare, (operation("select", word, word), [5], [4, 2, 3], [])],
            4,
            [4, 5],
        )
        for a, b in product(numbers_in(type_), numbers_in(type_)):
            words = ELEMENT_TYPES[word].dtype.type(3), ELEMENT_TYPES[word].dtype.type(5)
            pred = bool(single(name, type_).run((a, b)))
            assert choice.run((a, b, *words)) == (pred, words[not pred])
            for jump in (JUMP_IF, JUMP_IF_NOT):
                assert branch(type_, name, jump).run((a, b, np.int32(7))) == (
                    7 if pred == (jump == JUMP_IF) else 14
                )


@cache
def branch(type_: str, name: str, jump: int) -> _kernels.Program:
    """c, or c + c where a jump does not skip the sum."""
    code = [
        (JUMP, [], [], [2]),
        (JUMP, [], [], [6]),
        (operation("convert", "i32", "i32"), [4], [2], []),
        (operation(name, "i1", type_), [3], [0, 1], []),
        (jump, [], [3], [1]),
        (operation("add", "i32", "i32"), [4], [2, 2], []),
    ]
    return program([type_, type_, "i32", "i1", "i32"], code, 3, [4])


@pytest.mark.parametrize("type_", ["i32", "i64", "ui32"])
@pytest.mark.parametrize("budget", [1, 3, 100])
def test_a_loop_that_counts(type_: str, budget: int) -> None:
    """Sums of a counter up to a limit. Runs that stop go on; the limit may be less than the first number."""
    add, less = operation("add", type_, type_), operation("LT", "i1", type_)
    code = [
        (add, [4], [4, 0], []),
        (add, [0], [0, 1], []),
        (less, [5], [0, 2], []),
        (JUMP_IF, [], [5], [0]),
    ]
    dtype = ELEMENT_TYPES[type_].dtype
    loop = _kernels.Program(
        [type_, type_, type_, type_, type_, "i1"],
        [
            (operation("convert", type_, type_), [0], [3], []),
            *[(*line[:3], [1]) if line[0] == JUMP_IF else line for line in code],
        ],
        operands=[(1, (), None), (2, (), None), (3, (), None)],
        results=[(4, (), dtype), (0, (), dtype)],
        constants=[(4, np.zeros((), dtype))],
        budget=budget,
    )
    for step, limit, first in [(1, 40, 0), (3, 10, 4), (2, 1, 5), (1, 1, 0)]:
        expected = range(first, max(first + step, limit), step)
        last = first + step * len(expected)
        assert loop.run(tuple(map(dtype.type, (step, limit, first)))) == (sum(expected), last)


@pytest.mark.parametrize("type_", NUMBERS)
@pytest.mark.parametrize(
    "start_types", [["i32"], ["i64"], ["i32", "i32"], ["ui32"], ["ui32", "ui32"], ["ui8"], ["ui64"]], ids=str
)
def test_an_element_and_an_operation(type_: str, start_types: list[str]) -> None:
    """Elements at starts that are clamped."""
    table = np.array((NUMBERS[type_] * 4)[:12], ELEMENT_TYPES[type_].dtype)
    sizes = [(12, 1)] if len(start_types) == 1 else [(3, 4), (4, 1)]
    starts = [WindowStart(0, size - 1, stride, -1, []) for size, stride in sizes]
    numbers = numbers_of(Windows(0, 0, [], [WindowAxis(1, 1, 1)], starts, True, -1))
    places = [2 + n for n in range(len(sizes))]
    read, last = 2 + len(sizes), int(np.iinfo(ELEMENT_TYPES[start_types[0]].dtype).max)
    for outer, place in product(names(type_, *INNER, *OUTER), (0, 1)):
        to = result_type(outer, type_)
        code = [
            (READ_WINDOWS, [read], [0, *places], numbers),
            (operation(outer, to, type_), [read + 1], [read, 1] if place == 0 else [1, read], []),
        ]
        counts = (12, *[-1] * (len(sizes) + 3))
        pair = program([type_, type_, *start_types, type_, to], code, read, [read, read + 1], counts)
        for indices in product((-7 if start_types[0][0] == "i" else last, 0, 2, 20), repeat=len(sizes)):
            at = sum(
                min(max(i, 0), size - 1) * stride for i, (size, stride) in zip(indices, sizes, strict=True)
            )
            element, other = table[at], table[3 + at % 5]
            second = single(outer, type_).run((element, other) if place == 0 else (other, element))
            typed = [ELEMENT_TYPES[t].dtype.type(i) for t, i in zip(start_types, indices, strict=True)]
            computed = pair.run((table, other, *typed))
            assert list(map(bits, computed)) == [bits(element), bits(second)], (outer, place, indices)
