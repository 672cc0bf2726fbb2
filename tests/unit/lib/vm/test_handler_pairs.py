"""Pairs of operations on scalars give what the operations give one by one, and may be entered in the middle."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from hlokit import _kernels
from hlokit.engine.native.ir.instructions import JUMP_IF
from hlokit.engine.native.ir.target import operation
from hlokit.values.element_types import ELEMENT_TYPES

INNER, OUTER = ("add", "subtract", "multiply"), ("minimum", "maximum", "LT")
NUMBERS = {
    "f32": [0.0, -0.0, -3.25, 3e38, np.inf, np.nan],
    "f64": [0.0, -0.0, -3.25, 1e308, np.inf, np.nan],
    "i32": [0, -1, 7, 2**31 - 1, -(2**31)],
    "i64": [0, -1, 7, 2**63 - 1, -(2**63)],
}


def result_type(name: str, type_: str) -> str:
    return "i1" if name == "LT" else type_


def program(type_: str, inner: str, outer: str, place: int) -> _kernels.Program:
    """inner(a, b) and `outer` on this and c; a jump may lead to the second operation, when the first gives 0."""
    to = result_type(outer, type_)
    operands = [4, 2] if place == 0 else [2, 4]
    return _kernels.Program(
        [type_, type_, type_, "i1", type_, to],
        [
            (JUMP_IF, [], [3], [2]),
            (operation(inner, type_, type_), [4], [0, 1], []),
            (operation(outer, to, type_), [5], operands, []),
        ],
        operands=[(register, (), None) for register in range(4)],
        results=[(4, (), ELEMENT_TYPES[type_].dtype), (5, (), ELEMENT_TYPES[to].dtype)],
    )


@cache
def single(name: str, type_: str) -> _kernels.Program:
    to = result_type(name, type_)
    return _kernels.Program(
        [type_, type_, to],
        [(operation(name, to, type_), [2], [0, 1], [])],
        operands=[(0, (), None), (1, (), None)],
        results=[(2, (), ELEMENT_TYPES[to].dtype)],
    )


def bits(value: Any) -> Any:
    return "NaN" if np.isnan(value) else value.tobytes()


@pytest.mark.parametrize("type_", NUMBERS)
def test_a_pair_is_two_operations(type_: str) -> None:
    numbers = [ELEMENT_TYPES[type_].dtype.type(number) for number in NUMBERS[type_]]
    for inner, outer, place in product(INNER, (*INNER, *OUTER), (0, 1)):
        pair = program(type_, inner, outer, place)
        for n, (a, b) in enumerate(product(numbers, numbers)):
            c, jumps = numbers[n % len(numbers) - n // len(numbers)], n % 7 == 0
            first = type(a)(0) if jumps else single(inner, type_).run((a, b))
            second = single(outer, type_).run((first, c) if place == 0 else (c, first))
            computed = pair.run((a, b, c, np.bool_(jumps)))
            assert list(map(bits, computed)) == [bits(first), bits(second)], (inner, outer, place, a, b, c)
