"""Peephole optimisation: replaces several operations by one instruction of the VM, or none.

A quotient or remainder that rounds to the floor takes seven operations in StableHLO, and index arithmetic is
full of these. An index that may count from the end takes three, and so does a rotation of bits, of which
generators of random numbers are full.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from hlokit.engine.native.ir.definitions import Definition, Definitions
from hlokit.engine.native.ir.target import FLOATS, TYPES, operation, signature
from hlokit.engine.native.ir.threefry import Threefry, ThreefryFinder
from hlokit.operations.lookup import having, opcode_name, traits_of
from hlokit.values.element_types import ELEMENT_TYPES

# Returns a register with a value of a type.
Constant = Callable[[Any, str], int]

_SIGNED = ("i8", "i16", "i32", "i64")
# Operations whose results have bounds, if an operand is a constant.
_BOUNDED = ("add", "and", "floor_remainder")
_UNSIGNED = ("ui8", "ui16", "ui32", "ui64")


@cache
def _identities() -> dict[int, Any]:
    """Operands that change nothing, on either side of operations of integers and booleans."""
    return {
        operation(opcode_name(name) or "", type_, type_): np.asarray(traits_of(name).identity).astype(
            ELEMENT_TYPES[type_].dtype
        )[()]
        for name in having(lambda traits: traits.identity is not None)
        for type_ in (*_SIGNED, *_UNSIGNED, "i1")
    } | {operation("NE", "i1", "i1"): np.bool_(False)}


@cache
def concerns(number: int) -> bool:
    """Whether some rule may replace an operation."""
    name, to, operand = signature(number)
    return (
        number in _identities()
        or (name == "select" and to in TYPES)
        or (name == "LT" and operand in _SIGNED)
        or (name == "or" and to in ("ui32", "ui64"))
        or (name == "add" and to == "ui32")
    )


class Peephole(Definitions):
    """Simplifies and combines pointwise operations by the definitions of their operands.

    Attributes:
      bounds: the least and the greatest value of integers, where they are known.
    """

    def __init__(self, constants: dict[int, Any]) -> None:
        super().__init__(constants)
        self.bounds: dict[int, tuple[int, int]] = {}

    def define(self, register: int, number: int, operands: tuple[int, ...]) -> None:
        name, type_, _ = signature(number)
        if type_ in FLOATS:  # no rule asks what defines a float
            return
        super().define(register, number, operands)
        if type_ not in _SIGNED or name not in _BOUNDED:
            return
        for value, other in (operands, operands[::-1]):
            constant, bounds = int(self.constants.get(other, -1)), self.bounds.get(value)
            if constant < 0:
                continue
            if name == "add":
                if bounds and bounds[1] + constant <= np.iinfo(ELEMENT_TYPES[type_].dtype).max:
                    self.bounds[register] = bounds[0] + constant, bounds[1] + constant
            elif name == "and":
                self.bounds[register] = 0, constant
            elif other == operands[1] and constant > 0:
                self.bounds[register] = 0, constant - 1

    def simplify(self, number: int, operands: Sequence[int], constant: Constant) -> int | None:
        """A register that already holds the result of an operation, if there is one."""
        name, to, operand = signature(number)
        if name == "select" and to in TYPES:
            pred, on_true, on_false = operands
            if on_true == on_false:
                return on_true
            return (on_true if self.constants[pred] else on_false) if pred in self.constants else None
        identity = _identities().get(number)
        if identity is not None:
            for one, other in (operands, operands[::-1]):
                if one in self.constants and self.constants[one] == identity:
                    return other
        elif name == "LT" and operand in _SIGNED:
            value, bound = operands
            if self.constants.get(bound) == 0 and self.bounds.get(value, (-1, -1))[0] >= 0:
                return constant(np.bool_(False), "i1")
        return None

    def combine(
        self, number: int, operands: Sequence[int], constant: Constant
    ) -> tuple[int, tuple[int, ...]] | None:
        """One operation that replaces this operation and the definitions of its operands."""
        name, type_, _ = signature(number)
        if name == "or" and type_ in ("ui32", "ui64"):
            definition = self._rotation(operands)
        elif name == "select" and type_ in _SIGNED:
            definition = self._normalized_index(operands)
            if definition is None or operation("normalize_index", type_, type_) < 0:
                definition = self._floor_division(operands, type_, constant)
        else:
            return None
        return None if definition is None else (operation(definition[0], type_, type_), definition[1])

    def threefry(self, number: int, operands: Sequence[int]) -> Threefry | None:
        """The random words that an operation completes; None if it does not."""
        name, type_, _ = signature(number)
        is_sum = name == "add" and type_ == "ui32"
        if not is_sum or not any(self.constants.get(operand) == 5 for operand in operands):
            return None
        return ThreefryFinder(self).find(operands)

    def _rotation(self, operands: Sequence[int]) -> Definition | None:
        """(value << amount) | (value >> other_amount) is rotate(value, amount, other_amount)."""
        for one, other in (operands, operands[::-1]):
            up, down = self.operands(one, "shift_left"), self.operands(other, "shift_right_logical")
            if up and down and up[0] == down[0]:
                return "rotate", (*up, down[1])
        return None

    def _normalized_index(self, operands: Sequence[int]) -> Definition | None:
        """A select between an index and the sum of a size and the index, which is negative."""
        pred, from_end, index = operands
        added = self.operands(from_end, "add")
        if index not in added or not self.relates(pred, "LT", index, 0):
            return None
        return "normalize_index", (index, added[added[0] == index])

    def _floor_division(self, operands: Sequence[int], type_: str, constant: Constant) -> Definition | None:
        """A select between a truncated quotient or remainder and the corrected one."""
        pred, corrected, truncated = operands
        name, values = self.definition(truncated)
        if not any(
            self._rounds_up(name, truncated, values, *conditions) for conditions in self.orders(pred, "and")
        ):
            return None
        value, divisor = values
        if name == "divide" and self.relates(corrected, "subtract", truncated, 1):
            replacement, by_power = "floor_divide", "shift_right_arithmetic"
        elif name == "remainder" and {*self.operands(corrected, "add")} == {truncated, divisor}:
            replacement, by_power = "floor_remainder", "and"
        else:
            return None
        factor = self.constants.get(divisor, 0)
        if factor <= 0 or int(factor) & (int(factor) - 1):
            return replacement, values
        # By a power of two: a mask or a shift.
        amount = factor - 1 if by_power == "and" else int(factor).bit_length() - 1
        return by_power, (value, constant(type(factor)(amount), type_))

    def _rounds_up(
        self, name: str, truncated: int, values: Sequence[int], not_zero: int, differ: int
    ) -> bool:
        """Whether registers are the conditions under which the floor of a quotient is less than the truncated
        quotient: there is a remainder, and the signs differ."""
        rest = truncated if name == "remainder" else next(iter(self.operands(not_zero, "NE")), -1)
        if self.definition(rest) != ("remainder", values) or not self.relates(not_zero, "NE", rest, 0):
            return False
        if name == "remainder":
            return self._signs_differ(differ, truncated, values[1])
        return any(
            self._is_sign(left, values[0]) and self._is_sign(right, values[1])
            for left, right in self.orders(differ, "NE")
        )

    def _signs_differ(self, register: int, one: int, other: int) -> bool:
        """Whether a register is `(one < 0) != (other < 0)`."""
        if self.constants.get(other, -1) >= 0:
            return self.relates(register, "LT", one, 0)
        return any(
            self.relates(left, "LT", one, 0) and self.relates(right, "LT", other, 0)
            for left, right in self.orders(register, "NE")
        )

    def _is_sign(self, register: int, value: int) -> bool:
        """Whether a register is `sign(value)`."""
        if value in self.constants and register in self.constants:
            constant = self.constants[value]
            return bool(self.constants[register] == int(constant > 0) - int(constant < 0))
        return self.definition(register) == ("sign", (value,))
