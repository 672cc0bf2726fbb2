"""Several operations of a native program that are one instruction of the machine, or none.

Quotients and remainders that round to the floor take seven operations in StableHLO, and index arithmetic is
full of them. Random numbers are made by rotations, which take three.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from hlokit.interpreter.machine import TYPES, operation

# A pattern's result: an operation and the registers that it reads.
Found = tuple[int, tuple[int, ...]]

_SIGNED = ("i8", "i16", "i32", "i64")


class _Numbers(NamedTuple):
    """Operations of a type of integers."""

    add: int
    subtract: int
    divide: int
    remainder: int
    sign: int
    is_less: int
    differs: int
    floor_divide: int
    floor_remainder: int
    and_: int
    shift: int


@cache
def _numbers(name: str) -> _Numbers:
    return _Numbers(
        add=operation("add", name, name),
        subtract=operation("subtract", name, name),
        divide=operation("divide", name, name),
        remainder=operation("remainder", name, name),
        sign=operation("sign", name, name),
        is_less=operation("LT", "i1", name),
        differs=operation("NE", "i1", name),
        floor_divide=operation("floor_divide", name, name),
        floor_remainder=operation("floor_remainder", name, name),
        and_=operation("and", name, name),
        shift=operation("shift_right_arithmetic", name, name),
    )


@cache
def _of_bools() -> tuple[int, int]:
    return operation("and", "i1", "i1"), operation("NE", "i1", "i1")


@cache
def _selects() -> dict[int, str]:
    return {operation("select", name, name): name for name in TYPES}


@cache
def _is_less() -> dict[int, str]:
    return {_numbers(name).is_less: name for name in _SIGNED}


@cache
def _unions() -> dict[int, str]:
    return {operation("or", name, name): name for name in ("ui32", "ui64")}


@cache
def _shifts(name: str) -> tuple[int, int, int]:
    return (
        operation("shift_left", name, name),
        operation("shift_right_logical", name, name),
        operation("rotate", name, name),
    )


class Patterns:
    """Looks at how registers came about.

    Args:
      known: values of registers that are constants.
      constant: gives a register of a value of a type.
    """

    def __init__(self, known: dict[int, Any], constant: Callable[[Any, str], int]) -> None:
        self._known, self._constant = known, constant
        self._made: dict[int, Found] = {}

    def add(self, register: int, number: int, operands: tuple[int, ...]) -> None:
        """Tell that an operation has written a register, which nothing writes again while it is looked at."""
        self._made[register] = number, operands

    def same(self, number: int, operands: Sequence[int]) -> int | None:
        """The register that has the result of an operation already."""
        if number in _selects():
            pred, one, other = operands
            return (one if self._known[pred] else other) if pred in self._known else None
        if number == _of_bools()[1]:
            for one, other in (operands, operands[::-1]):
                if one in self._known and not self._known[one]:
                    return other
        elif number in _is_less():
            value, bound = operands
            if self._known.get(bound) == 0 and self._is_never_negative(_numbers(_is_less()[number]), value):
                return self._constant(np.bool_(False), "i1")
        return None

    def _is_never_negative(self, numbers: _Numbers, register: int) -> bool:
        number, operands = self._made.get(register, (-1, ()))
        if number == numbers.and_:
            return any(self._known.get(operand, -1) >= 0 for operand in operands)
        return number == numbers.floor_remainder and self._known.get(operands[1], 0) > 0

    def find(self, number: int, operands: Sequence[int]) -> Found | None:
        """A single operation that gives the same as this one, of what others gave."""
        if number in _unions():
            return self._rotation(_unions()[number], operands)
        name = _selects().get(number)
        if name not in _SIGNED:
            return None
        numbers = _numbers(name)
        found = self._floor(numbers, operands)
        if found is None or found[1][1] not in self._known:
            return found
        # By a power of two.
        number, (value, divisor) = found
        factor = self._known[divisor]
        if factor <= 0 or int(factor) & (int(factor) - 1):
            return found
        if number == numbers.floor_remainder:
            return numbers.and_, (value, self._constant(type(factor)(factor - 1), name))
        return numbers.shift, (value, self._constant(type(factor)(int(factor).bit_length() - 1), name))

    def _rotation(self, name: str, operands: Sequence[int]) -> Found | None:
        """(value << amount) | (value >> another)."""
        left, right, rotate = _shifts(name)
        for one, other in (operands, operands[::-1]):
            up, down = self._read(one, left), self._read(other, right)
            if up is not None and down is not None and up[0] == down[0]:
                return rotate, (*up, down[1])
        return None

    def _floor(self, numbers: _Numbers, operands: Sequence[int]) -> tuple[int, tuple[int, int]] | None:
        pred, corrected, plain = operands
        number, values = self._made.get(plain, (-1, ()))
        both = self._read(pred, _of_bools()[0])
        if both is None:
            return None
        if number == numbers.remainder and self._is(corrected, numbers.add, plain, values[1]):
            for not_zero, differ in (both, both[::-1]):
                if self._is_not_zero(numbers, not_zero, plain) and self._signs_differ(
                    numbers, differ, plain, values[1]
                ):
                    return numbers.floor_remainder, (values[0], values[1])
        if number == numbers.divide and self._is_predecessor(numbers, corrected, plain):
            for not_zero, differ in (both, both[::-1]):
                rest = self._read(not_zero, numbers.differs)
                if (
                    rest is not None
                    and self._made.get(rest[0]) == (numbers.remainder, values)
                    and self._known.get(rest[1]) == 0
                    and self._directions_differ(numbers, differ, values)
                ):
                    return numbers.floor_divide, (values[0], values[1])
        return None

    def _read(self, register: int, number: int) -> tuple[int, int] | None:
        """The two registers that an operation read to give this one."""
        made, operands = self._made.get(register, (-1, ()))
        return (operands[0], operands[1]) if made == number else None

    def _is(self, register: int, number: int, one: int, other: int) -> bool:
        return self._read(register, number) in ((one, other), (other, one))

    def _is_not_zero(self, numbers: _Numbers, register: int, value: int) -> bool:
        read = self._read(register, numbers.differs)
        return read is not None and read[0] == value and self._known.get(read[1]) == 0

    def _is_predecessor(self, numbers: _Numbers, register: int, value: int) -> bool:
        read = self._read(register, numbers.subtract)
        return read is not None and read[0] == value and self._known.get(read[1]) == 1

    def _is_negative(self, numbers: _Numbers, register: int, value: int) -> bool:
        read = self._read(register, numbers.is_less)
        return read is not None and read[0] == value and self._known.get(read[1]) == 0

    def _signs_differ(self, numbers: _Numbers, register: int, one: int, other: int) -> bool:
        """Exactly one of two values is negative."""
        if other in self._known and self._known[other] >= 0:
            return self._is_negative(numbers, register, one)
        read = self._read(register, _of_bools()[1])
        return read is not None and any(
            self._is_negative(numbers, left, one) and self._is_negative(numbers, right, other)
            for left, right in (read, read[::-1])
        )

    def _directions_differ(self, numbers: _Numbers, register: int, values: Sequence[int]) -> bool:
        """Two values have different signs, one of which may be 0."""
        read = self._read(register, numbers.differs)
        return read is not None and any(
            self._is_sign(numbers, left, values[0]) and self._is_sign(numbers, right, values[1])
            for left, right in (read, read[::-1])
        )

    def _is_sign(self, numbers: _Numbers, register: int, value: int) -> bool:
        if value in self._known and register in self._known:
            value_ = self._known[value]
            return bool(self._known[register] == int(value_ > 0) - int(value_ < 0))
        return self._made.get(register) == (numbers.sign, (value,))
