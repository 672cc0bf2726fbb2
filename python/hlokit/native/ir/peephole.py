"""Peephole optimisation: replaces several operations by one instruction of the VM, or none.

A quotient or remainder that rounds to the floor takes seven operations in StableHLO, and index arithmetic is
full of these. An index that may count from the end takes three, and so does a rotation of bits, of which
generators of random numbers are full.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from hlokit.native.ir.target import TYPES, operation
from hlokit.traits.table import opcode, values
from hlokit.values.element_types import ELEMENT_TYPES

if TYPE_CHECKING:
    from hlokit.native.ir.threefry import Threefry

# The definition of a register: operation and operands.
Definition = tuple[int, tuple[int, ...]]
# Returns a register with a value of a type.
Constant = Callable[[Any, str], int]

_SIGNED = ("i8", "i16", "i32", "i64")
_UNSIGNED = ("ui8", "ui16", "ui32", "ui64")
_NONE: Definition = (-1, ())


class _Operations:
    """Operation numbers of a type of signed integers."""

    def __init__(self, type_: str) -> None:
        self.add = operation("add", type_, type_)
        self.subtract = operation("subtract", type_, type_)
        self.divide = operation("divide", type_, type_)
        self.remainder = operation("remainder", type_, type_)
        self.sign = operation("sign", type_, type_)
        self.less = operation("LT", "i1", type_)
        self.not_equal = operation("NE", "i1", type_)
        self.floor_divide = operation("floor_divide", type_, type_)
        self.floor_remainder = operation("floor_remainder", type_, type_)
        self.normalize_index = operation("normalize_index", type_, type_)
        self.and_ = operation("and", type_, type_)
        self.shift = operation("shift_right_arithmetic", type_, type_)


@cache
def _operations(type_: str) -> _Operations:
    return _Operations(type_)


@cache
def _bool_and() -> int:
    return operation("and", "i1", "i1")


@cache
def _word_addition() -> int:
    return operation("add", "ui32", "ui32")


@cache
def _bool_not_equal() -> int:
    return operation("NE", "i1", "i1")


@cache
def _types_of_select() -> dict[int, str]:
    return {operation("select", type_, type_): type_ for type_ in TYPES}


@cache
def _identities() -> dict[int, Any]:
    """Operands that change nothing, on either side of operations of integers and booleans."""
    return {
        operation(opcode(name) or "", type_, type_): np.asarray(int(value)).astype(
            ELEMENT_TYPES[type_].dtype
        )[()]
        for name, value in values("identity").items()
        for type_ in (*_SIGNED, *_UNSIGNED, "i1")
    }


@cache
def _types_of_less() -> dict[int, str]:
    return {_operations(type_).less: type_ for type_ in _SIGNED}


@cache
def _types_of_or() -> dict[int, str]:
    return {operation("or", type_, type_): type_ for type_ in ("ui32", "ui64")}


@cache
def _shifts_and_rotate(type_: str) -> tuple[int, int, int]:
    return (
        operation("shift_left", type_, type_),
        operation("shift_right_logical", type_, type_),
        operation("rotate", type_, type_),
    )


class Peephole:
    """Simplifies and combines pointwise operations by the definitions of their operands.

    Args:
      constants: values of the scalar registers that are constants.
    """

    def __init__(self, constants: dict[int, Any]) -> None:
        self._constants = constants
        self._definitions: dict[int, Definition] = {}

    def define(self, register: int, number: int, operands: tuple[int, ...]) -> None:
        """Record the definition of a register, which must be its only one."""
        self._definitions[register] = number, operands

    def simplify(self, number: int, operands: Sequence[int], constant: Constant) -> int | None:
        """A register that already holds the result of an operation, if there is one."""
        if number in _types_of_select():
            pred, on_true, on_false = operands
            if on_true == on_false:
                return on_true
            return (on_true if self._constants[pred] else on_false) if pred in self._constants else None
        if number == _bool_not_equal():
            for one, other in (operands, operands[::-1]):
                if one in self._constants and not self._constants[one]:
                    return other
        elif number in _identities():
            for one, other in (operands, operands[::-1]):
                if one in self._constants and self._constants[one] == _identities()[number]:
                    return other
        elif number in _types_of_less():
            value, bound = operands
            of_type = _operations(_types_of_less()[number])
            if self._constants.get(bound) == 0 and self._is_nonnegative(of_type, value):
                return constant(np.bool_(False), "i1")
        return None

    def combine(self, number: int, operands: Sequence[int], constant: Constant) -> Definition | None:
        """One operation that replaces this operation and the definitions of its operands."""
        if number in _types_of_or():
            return self._rotation(_types_of_or()[number], operands)
        type_ = _types_of_select().get(number)
        if type_ not in _SIGNED:
            return None
        of_type = _operations(type_)
        index = self._normalized_index(of_type, operands)
        if index is not None:
            return index
        found = self._floor_division(of_type, operands)
        if found is None or found[1][1] not in self._constants:
            return found
        # By a power of two: a mask or a shift.
        number, (value, divisor) = found
        factor = self._constants[divisor]
        if factor <= 0 or int(factor) & (int(factor) - 1):
            return found
        if number == of_type.floor_remainder:
            return of_type.and_, (value, constant(type(factor)(factor - 1), type_))
        exponent = int(factor).bit_length() - 1
        return of_type.shift, (value, constant(type(factor)(exponent), type_))

    def threefry(self, number: int, operands: Sequence[int]) -> Threefry | None:
        """The random words that an operation completes; None if it does not."""
        if number != _word_addition() or not any(self._constants.get(each) == 5 for each in operands):
            return None
        from hlokit.native.ir.threefry import ThreefryFinder

        return ThreefryFinder(self._definitions, self._constants).find(operands)

    def _is_nonnegative(self, of_type: _Operations, register: int) -> bool:
        number, operands = self._definitions.get(register, _NONE)
        if number == of_type.and_:
            return any(self._constants.get(operand, -1) >= 0 for operand in operands)
        return number == of_type.floor_remainder and self._constants.get(operands[1], 0) > 0

    def _rotation(self, type_: str, operands: Sequence[int]) -> Definition | None:
        """(value << amount) | (value >> other_amount) is rotate(value, amount, other_amount)."""
        left, right, rotate = _shifts_and_rotate(type_)
        for one, other in (operands, operands[::-1]):
            up, down = self._operands_of(one, left), self._operands_of(other, right)
            if up is not None and down is not None and up[0] == down[0]:
                return rotate, (*up, down[1])
        return None

    def _normalized_index(self, of_type: _Operations, operands: Sequence[int]) -> Definition | None:
        """A select between an index and the sum of a size and the index, which is negative."""
        pred, from_end, index = operands
        added = self._operands_of(from_end, of_type.add)
        if of_type.normalize_index < 0 or added is None or not self._is_negative(of_type, pred, index):
            return None
        if index not in added:
            return None
        return of_type.normalize_index, (index, added[1] if added[0] == index else added[0])

    def _floor_division(
        self, of_type: _Operations, operands: Sequence[int]
    ) -> tuple[int, tuple[int, int]] | None:
        """A select between a truncated quotient or remainder and the corrected one."""
        pred, corrected, truncated = operands
        number, values = self._definitions.get(truncated, _NONE)
        both = self._operands_of(pred, _bool_and())
        if both is None:
            return None
        if number == of_type.remainder and self._is(corrected, of_type.add, truncated, values[1]):
            for not_zero, differ in (both, both[::-1]):
                if self._is_not_zero(of_type, not_zero, truncated) and self._signs_differ(
                    of_type, differ, truncated, values[1]
                ):
                    return of_type.floor_remainder, (values[0], values[1])
        if number == of_type.divide and self._is_predecessor(of_type, corrected, truncated):
            for not_zero, differ in (both, both[::-1]):
                rest = self._operands_of(not_zero, of_type.not_equal)
                if (
                    rest is not None
                    and self._definitions.get(rest[0]) == (of_type.remainder, values)
                    and self._constants.get(rest[1]) == 0
                    and self._sign_values_differ(of_type, differ, values)
                ):
                    return of_type.floor_divide, (values[0], values[1])
        return None

    def _operands_of(self, register: int, number: int) -> tuple[int, int] | None:
        """The operands of a register's definition, if that is this binary operation."""
        found, operands = self._definitions.get(register, _NONE)
        return (operands[0], operands[1]) if found == number else None

    def _is(self, register: int, number: int, one: int, other: int) -> bool:
        """Whether a register is defined by a commutative operation on these operands."""
        return self._operands_of(register, number) in ((one, other), (other, one))

    def _is_not_zero(self, of_type: _Operations, register: int, value: int) -> bool:
        """Whether a register is `value != 0`."""
        found = self._operands_of(register, of_type.not_equal)
        return found is not None and found[0] == value and self._constants.get(found[1]) == 0

    def _is_predecessor(self, of_type: _Operations, register: int, value: int) -> bool:
        """Whether a register is `value - 1`."""
        found = self._operands_of(register, of_type.subtract)
        return found is not None and found[0] == value and self._constants.get(found[1]) == 1

    def _is_negative(self, of_type: _Operations, register: int, value: int) -> bool:
        """Whether a register is `value < 0`."""
        found = self._operands_of(register, of_type.less)
        return found is not None and found[0] == value and self._constants.get(found[1]) == 0

    def _signs_differ(self, of_type: _Operations, register: int, one: int, other: int) -> bool:
        """Whether a register is `(one < 0) != (other < 0)`."""
        if other in self._constants and self._constants[other] >= 0:
            return self._is_negative(of_type, register, one)
        found = self._operands_of(register, _bool_not_equal())
        return found is not None and any(
            self._is_negative(of_type, left, one) and self._is_negative(of_type, right, other)
            for left, right in (found, found[::-1])
        )

    def _sign_values_differ(self, of_type: _Operations, register: int, values: Sequence[int]) -> bool:
        """Whether a register is `sign(values[0]) != sign(values[1])`."""
        found = self._operands_of(register, of_type.not_equal)
        return found is not None and any(
            self._is_sign(of_type, left, values[0]) and self._is_sign(of_type, right, values[1])
            for left, right in (found, found[::-1])
        )

    def _is_sign(self, of_type: _Operations, register: int, value: int) -> bool:
        """Whether a register is `sign(value)`."""
        if value in self._constants and register in self._constants:
            constant = self._constants[value]
            return bool(self._constants[register] == int(constant > 0) - int(constant < 0))
        return self._definitions.get(register) == (of_type.sign, (value,))
