"""What elementwise operations do with bits, as the cards name it: formulas of bit vectors.

Formulas are of integers and booleans, which the specification fixes to the last bit; where it leaves a result
open, they follow `values.element`. An operation without a formula, and one on floats, is an uninterpreted
function of its operands.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

from hlokit.engine.contract.registry import Operation
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.types import TensorType, ValueType


class Applied(NamedTuple):
    """An operation on bit vectors.

    Attributes:
      z3: the module.
      operation: with the program's own types.
    """

    z3: Any
    operation: Operation

    @property
    def element(self) -> ElementType:
        """The element type of the last operand."""
        return element_of(self.operation.operand_types[-1])

    @property
    def result(self) -> ElementType:
        return element_of(self.operation.result_types[0])

    @property
    def is_signed(self) -> bool:
        return self.element.kind is Kind.SIGNED

    @property
    def width(self) -> int:
        return self.element.width


Term = Any


class BitFormula(NamedTuple):
    """An element of the result is a formula of the elements of the operands.

    Attributes:
      formula: of an `Applied`, then terms; returns a term, or None for a function that it does not know.
      kinds: the kinds of operands for which it holds; others are uninterpreted.
    """

    formula: Callable[..., Term | None]
    kinds: tuple[Kind, ...] = (Kind.BOOL, Kind.SIGNED, Kind.UNSIGNED)

    def holds_for(self, operation: Operation) -> bool:
        """Whether all operands have these kinds."""
        return all(element_of(type_).kind in self.kinds for type_ in operation.operand_types)


def element_of(type_: ValueType) -> ElementType:
    """The element type of a tensor type."""
    assert isinstance(type_, TensorType), "elements are of tensors"
    return type_.element_type


def flag(applied: Applied, condition: Any) -> Term:
    """A condition as a bit."""
    z3 = applied.z3
    return z3.If(condition, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))


# Arithmetic ------------------------------------------------------------------------------------------


def _add(applied: Applied, lhs: Term, rhs: Term) -> Term:
    return lhs | rhs if applied.element.kind is Kind.BOOL else lhs + rhs


def _subtract(applied: Applied, lhs: Term, rhs: Term) -> Term:
    del applied
    return lhs - rhs


def _multiply(applied: Applied, lhs: Term, rhs: Term) -> Term:
    del applied
    return lhs * rhs


def _divide(applied: Applied, lhs: Term, rhs: Term) -> Term:
    quotient = lhs / rhs if applied.is_signed else applied.z3.UDiv(lhs, rhs)
    return applied.z3.If(rhs == 0, applied.z3.BitVecVal(-1, applied.width), quotient)


def _remainder(applied: Applied, lhs: Term, rhs: Term) -> Term:
    return applied.z3.SRem(lhs, rhs) if applied.is_signed else applied.z3.URem(lhs, rhs)


def _negate(applied: Applied, operand: Term) -> Term:
    del applied
    return -operand


def _absolute(applied: Applied, operand: Term) -> Term:
    return applied.z3.If(operand < 0, -operand, operand)


def _sign(applied: Applied, operand: Term) -> Term:
    zero, one, least = (applied.z3.BitVecVal(value, applied.width) for value in (0, 1, -1))
    return applied.z3.If(operand == 0, zero, applied.z3.If(operand < 0, least, one))


def _maximum(applied: Applied, lhs: Term, rhs: Term) -> Term:
    return applied.z3.If(_is_less(applied, lhs, rhs), rhs, lhs)


def _minimum(applied: Applied, lhs: Term, rhs: Term) -> Term:
    return applied.z3.If(_is_less(applied, lhs, rhs), lhs, rhs)


def _is_less(applied: Applied, lhs: Term, rhs: Term) -> Any:
    return lhs < rhs if applied.is_signed else applied.z3.ULT(lhs, rhs)


def _clamp(applied: Applied, low: Term, operand: Term, high: Term) -> Term:
    return _minimum(applied, _maximum(applied, operand, low), high)


def _high_product(applied: Applied, lhs: Term, rhs: Term) -> Term:
    width = applied.width
    extend = applied.z3.SignExt if applied.is_signed else applied.z3.ZeroExt
    return applied.z3.Extract(2 * width - 1, width, extend(width, lhs) * extend(width, rhs))


# The most factors of a power.
_MOST_FACTORS = 64


def _power(applied: Applied, base: Term, exponent: Term) -> Term | None:
    """A product, if the exponent is a small constant."""
    exponent = applied.z3.simplify(exponent)
    if not applied.z3.is_bv_value(exponent):
        return None
    count = exponent.as_signed_long() if applied.is_signed else exponent.as_long()
    if not 0 <= count <= _MOST_FACTORS:
        return None
    return reduce(operator.mul, [base] * count, applied.z3.BitVecVal(1, applied.width))


ADD = BitFormula(_add)
SUBTRACT = BitFormula(_subtract)
MULTIPLY = BitFormula(_multiply)
DIVIDE = BitFormula(_divide)
REMAINDER = BitFormula(_remainder)
NEGATE = BitFormula(_negate)
ABSOLUTE = BitFormula(_absolute)
SIGN = BitFormula(_sign)
MAXIMUM = BitFormula(_maximum)
MINIMUM = BitFormula(_minimum)
CLAMP = BitFormula(_clamp)
POWER = BitFormula(_power)
MULHI = BitFormula(_high_product)


# Bits ------------------------------------------------------------------------------------------------


def _and(applied: Applied, lhs: Term, rhs: Term) -> Term:
    del applied
    return lhs & rhs


def _or(applied: Applied, lhs: Term, rhs: Term) -> Term:
    del applied
    return lhs | rhs


def _xor(applied: Applied, lhs: Term, rhs: Term) -> Term:
    del applied
    return lhs ^ rhs


def _not(applied: Applied, operand: Term) -> Term:
    del applied
    return ~operand


def _shift_left(applied: Applied, lhs: Term, rhs: Term) -> Term:
    del applied
    return lhs << rhs


def _shift_right_arithmetic(applied: Applied, lhs: Term, rhs: Term) -> Term:
    del applied
    return lhs >> rhs


def _shift_right_logical(applied: Applied, lhs: Term, rhs: Term) -> Term:
    return applied.z3.LShR(lhs, rhs)


def _popcnt(applied: Applied, operand: Term) -> Term:
    bits = [_bit(applied, operand, place) for place in range(applied.width)]
    return reduce(operator.add, bits)


def _count_leading_zeros(applied: Applied, operand: Term) -> Term:
    count = applied.z3.BitVecVal(applied.width, applied.width)
    for place in range(applied.width):
        leading = applied.z3.BitVecVal(applied.width - 1 - place, applied.width)
        count = applied.z3.If(_bit(applied, operand, place) == 1, leading, count)
    return count


def _bit(applied: Applied, operand: Term, place: int) -> Term:
    return applied.z3.ZeroExt(applied.width - 1, applied.z3.Extract(place, place, operand))


AND = BitFormula(_and)
OR = BitFormula(_or)
XOR = BitFormula(_xor)
NOT = BitFormula(_not)
SHIFT_LEFT = BitFormula(_shift_left)
SHIFT_RIGHT_ARITHMETIC = BitFormula(_shift_right_arithmetic)
SHIFT_RIGHT_LOGICAL = BitFormula(_shift_right_logical)
POPCNT = BitFormula(_popcnt)
COUNT_LEADING_ZEROS = BitFormula(_count_leading_zeros)


# Choices and types -----------------------------------------------------------------------------------


def _compare(applied: Applied, lhs: Term, rhs: Term) -> Term:
    attributes = applied.operation.attributes
    direction = attributes.enum("comparison_direction")
    if direction in ("EQ", "NE"):
        return flag(applied, lhs == rhs if direction == "EQ" else lhs != rhs)
    if direction in ("GT", "LE"):
        lhs, rhs = rhs, lhs
    is_signed = applied.is_signed and attributes.enum("compare_type", "") != "UNSIGNED"
    is_less = lhs < rhs if is_signed else applied.z3.ULT(lhs, rhs)
    return flag(applied, is_less if direction in ("LT", "GT") else applied.z3.Not(is_less))


def _select(applied: Applied, pred: Term, on_true: Term, on_false: Term) -> Term:
    return applied.z3.If(pred == 1, on_true, on_false)


def _convert(applied: Applied, operand: Term) -> Term | None:
    source, target = applied.element, applied.result
    if source == target:
        return operand
    if Kind.FLOAT in (source.kind, target.kind) or Kind.COMPLEX in (source.kind, target.kind):
        return None
    if target.kind is Kind.BOOL:
        return flag(applied, operand != 0)
    if source.width >= target.width:
        return applied.z3.Extract(target.width - 1, 0, operand)
    extend = applied.z3.SignExt if applied.is_signed else applied.z3.ZeroExt
    return extend(target.width - source.width, operand)


def _complex(applied: Applied, real: Term, imaginary: Term) -> Term:
    return applied.z3.Concat(imaginary, real)


def _real(applied: Applied, operand: Term) -> Term:
    return applied.z3.Extract(applied.result.width - 1, 0, operand)


def _imaginary(applied: Applied, operand: Term) -> Term:
    width = applied.width
    if width == applied.result.width:
        return applied.z3.BitVecVal(0, width)  # of a real number
    return applied.z3.Extract(width - 1, applied.result.width, operand)


_ALL = tuple(Kind)
COMPARE = BitFormula(_compare)
SELECT = BitFormula(_select, _ALL)
CONVERT = BitFormula(_convert, _ALL)
COMPLEX = BitFormula(_complex, _ALL)
REAL = BitFormula(_real, _ALL)
IMAGINARY = BitFormula(_imaginary, _ALL)
