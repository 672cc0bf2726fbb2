"""Element-wise operations that are exact or rounded once: arithmetic, logic, bits, rounding, comparison,
selection.
"""

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable
from typing import Any

from hlokit.errors import UnsupportedError
from hlokit.reference.model.calls import Call
from hlokit.reference.model.tensors import boolean, elementwise, full, item
from hlokit.reference.numbers import element_functions
from hlokit.reference.numbers.rules import canonical_nan
from hlokit.values.element import Element
from hlokit.values.element_types import COMPLEX_F32, COMPLEX_F64, F32, I1, Kind
from hlokit.values.float_format import Special, float_format
from hlokit.values.tensor import Tensor

# Arithmetic -------------------------------------------------------------------------------------------


def abs_(operand: Tensor) -> Tensor:
    """spec "abs": result[i] = |operand[i]|; for a complex tensor, a tensor of the type of its parts."""
    return elementwise(abs, operand, element_type=operand.element_type.part)


def add(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "add": result[i] = lhs[i] + rhs[i]; `or` for booleans."""
    return elementwise(lambda x, y: x + y, lhs, rhs)


def subtract(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "subtract": result[i] = lhs[i] - rhs[i]"""
    return elementwise(lambda x, y: x - y, lhs, rhs)


def multiply(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "multiply": result[i] = lhs[i] * rhs[i]; `and` for booleans."""
    return elementwise(times, lhs, rhs)


def times(lhs: Element, rhs: Element) -> Element:
    """lhs * rhs. An infinite complex number times a nonzero number is infinite. Source: C99, Annex G.5.1."""
    product = lhs * rhs
    if lhs.type.kind is not Kind.COMPLEX or not all(math.isnan(float(part)) for part in product.parts):
        return product
    return _recovered_product(complex(lhs), complex(rhs), product)


def _recovered_product(lhs: complex, rhs: complex, product: Element) -> Element:
    infinite = [any(map(math.isinf, (z.real, z.imag))) for z in (lhs, rhs)]
    if not any(infinite):
        return product
    a, b = _on_unit_square(lhs, is_infinite=infinite[0], is_other_infinite=infinite[1])
    c, d = _on_unit_square(rhs, is_infinite=infinite[1], is_other_infinite=infinite[0])
    return Element(product.type, complex(math.inf * (a * c - b * d), math.inf * (a * d + b * c)))


def _on_unit_square(z: complex, *, is_infinite: bool, is_other_infinite: bool) -> tuple[float, float]:
    """The parts of a factor, as C99 replaces them: in an infinite number, infinite parts become 1 and other
    parts 0, with their signs; a NaN becomes 0 if either factor is infinite."""

    def of_part(part: float) -> float:
        if math.isnan(part):
            return 0.0 if is_infinite or is_other_infinite else part
        return math.copysign(1.0 if math.isinf(part) else 0.0, part) if is_infinite else part

    return of_part(z.real), of_part(z.imag)


def divide(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "divide": result[i] = lhs[i] / rhs[i]; for integers, truncated toward zero."""
    return elementwise(lambda x, y: x / y, lhs, rhs)


def remainder(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "remainder": result[i] = lhs[i] - d * rhs[i], where d = lhs[i] / rhs[i] truncated toward zero."""
    if lhs.element_type.kind is Kind.COMPLEX:
        raise UnsupportedError(f"remainder of {lhs.element_type}: the specification does not define it")
    return elementwise(lambda x, y: x % y, lhs, rhs)


def negate(operand: Tensor) -> Tensor:
    """spec "negate": result[i] = -operand[i]"""
    return elementwise(lambda x: -x, operand)


def sign(operand: Tensor) -> Tensor:
    """spec "sign": result[i] = -1, 0 or 1; zeros and NaN are unchanged; z / |z| for complex numbers."""
    return elementwise(_sign, operand)


def _sign(x: Element) -> Element:
    match x.type.kind:
        case Kind.COMPLEX:
            return element_functions.sign_of_complex(x)
        case Kind.FLOAT:
            value = float(x)
            return Element(x.type, math.copysign(1.0, value)) if value < 0 or value > 0 else x
        case _:
            number = int(x)
            return Element(x.type, (number > 0) - (number < 0))


def _quiet(x: Element) -> Element:
    """The element; NaNs become the canonical NaN."""
    return canonical_nan(x.type) if math.isnan(float(x)) else x


# Logic and bits ---------------------------------------------------------------------------------------


def and_(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "and": result[i] = lhs[i] & rhs[i]"""
    return elementwise(lambda x, y: x & y, lhs, rhs)


def or_(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "or": result[i] = lhs[i] | rhs[i]"""
    return elementwise(lambda x, y: x | y, lhs, rhs)


def xor(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "xor": result[i] = lhs[i] ^ rhs[i]"""
    return elementwise(lambda x, y: x ^ y, lhs, rhs)


def not_(operand: Tensor) -> Tensor:
    """spec "not": result[i] = ~operand[i]"""
    return elementwise(lambda x: ~x, operand)


def shift_left(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "shift_left": result[i] = lhs[i] << rhs[i]"""
    return elementwise(lambda x, y: x << y, lhs, rhs)


def shift_right_arithmetic(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "shift_right_arithmetic": result[i] = lhs[i] >> rhs[i], with copies of the highest bit."""
    return elementwise(Element.shift_right_arithmetic, lhs, rhs)


def shift_right_logical(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "shift_right_logical": result[i] = lhs[i] >> rhs[i], with zeros from the left."""
    return elementwise(Element.shift_right_logical, lhs, rhs)


def popcnt(operand: Tensor) -> Tensor:
    """spec "popcnt": result[i] = number of bits set in operand[i]"""
    return elementwise(lambda x: _wrapped(x, x.bits.bit_count()), operand)


def count_leading_zeros(operand: Tensor) -> Tensor:
    """spec "count_leading_zeros": result[i] = number of leading zero bits in operand[i]"""
    return elementwise(lambda x: _wrapped(x, x.type.width - x.bits.bit_length()), operand)


def _wrapped(like: Element, number: int) -> Element:
    """A natural number modulo 2**width: 2 is -2 in i2."""
    return Element.from_bits(like.type, number % (1 << like.type.width))


# Rounding ---------------------------------------------------------------------------------------------


def floor(operand: Tensor) -> Tensor:
    """spec "floor": result[i] = operand[i] rounded down"""
    return elementwise(_to_integer(math.floor), operand)


def ceil(operand: Tensor) -> Tensor:
    """spec "ceil": result[i] = operand[i] rounded up"""
    return elementwise(_to_integer(math.ceil), operand)


def round_nearest_even(operand: Tensor) -> Tensor:
    """spec "round_nearest_even": result[i] = the nearest integer, ties to the even integer"""
    return elementwise(_to_integer(round), operand)


def round_nearest_afz(operand: Tensor) -> Tensor:
    """spec "round_nearest_afz": result[i] = the nearest integer, ties away from zero"""
    return elementwise(_to_integer(_round_half_away), operand)


def _to_integer(round_: Callable[[float], int]) -> Callable[[Element], Element]:
    def rounded(x: Element) -> Element:
        value = float(x)
        if not math.isfinite(value):
            return _quiet(x)
        return Element(x.type, math.copysign(float(round_(value)), value))

    return rounded


def _round_half_away(value: float) -> int:
    whole = math.trunc(value)
    if abs(value - whole) < 0.5:
        return whole
    return whole + (1 if value > 0 else -1)


# Complex numbers --------------------------------------------------------------------------------------


def complex_(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "complex": result[i] = lhs[i] + rhs[i] * j"""
    type_ = COMPLEX_F32 if lhs.element_type is F32 else COMPLEX_F64
    width = lhs.element_type.width
    return elementwise(
        lambda real, imag: Element.from_bits(type_, real.bits | imag.bits << width),
        lhs,
        rhs,
        element_type=type_,
    )


def real(operand: Tensor) -> Tensor:
    """spec "real": result[i] = the real part of operand[i]; a float is its own real part"""
    if operand.element_type.kind is not Kind.COMPLEX:
        return operand
    return elementwise(lambda z: z.parts[0], operand, element_type=operand.element_type.part)


def imag(operand: Tensor) -> Tensor:
    """spec "imag": result[i] = the imaginary part of operand[i], which is 0 for a float"""
    if operand.element_type.kind is not Kind.COMPLEX:
        return full(operand.shape, Element(operand.element_type, 0.0))
    return elementwise(lambda z: z.parts[1], operand, element_type=operand.element_type.part)


# Comparison and selection --------------------------------------------------------------------------------


def is_finite(x: Tensor) -> Tensor:
    """spec "is_finite": result[i] = whether x[i] is neither infinite nor NaN"""
    return elementwise(lambda element: boolean(math.isfinite(float(element))), x, element_type=I1)


def compare(lhs: Tensor, rhs: Tensor, comparison_direction: str, compare_type: str = "FLOAT") -> Tensor:
    """spec "compare": result[i] = lhs[i] <comparison_direction> rhs[i]

    Complex numbers are in the lexicographic order of (real, imag). TOTALORDER is the order of the bits as
    sign and magnitude: -0 < +0, and NaNs are beyond the infinities. UNSIGNED is the order of the bits of
    signed integers, against constraint (C3).
    """
    relation = RELATIONS[comparison_direction]
    is_total = compare_type == "TOTALORDER" and lhs.element_type.kind is Kind.FLOAT
    key: Callable[[Element], Any] = total_order if is_total else _number
    if compare_type == "UNSIGNED" and lhs.element_type.kind is Kind.SIGNED:
        key = _bits

    def compared(x: Element, y: Element) -> Element:
        return boolean(relation(key(x), key(y)))

    return elementwise(compared, lhs, rhs, element_type=I1)


RELATIONS: dict[str, Callable[..., bool]] = {
    "EQ": operator.eq,
    "NE": operator.ne,
    "GE": operator.ge,
    "GT": operator.gt,
    "LE": operator.le,
    "LT": operator.lt,
}


class _Lexicographic(complex):
    """A complex number in the order of (real, imag)."""

    def __gt__(self, other: complex) -> bool:
        return self.real > other.real or (self.real == other.real and self.imag > other.imag)

    def __lt__(self, other: complex) -> bool:
        return _Lexicographic(other) > self

    def __ge__(self, other: complex) -> bool:
        return self > other or self == other

    def __le__(self, other: complex) -> bool:
        return self < other or self == other


def _bits(x: Element) -> int:
    return x.bits


def _number(x: Element) -> bool | int | float | complex:
    return _Lexicographic(complex(x)) if x.type.kind is Kind.COMPLEX else x.value


def total_order(x: Element) -> int:
    """An integer in the total order: magnitudes upward on the positive side, and from -1 downward on the
    negative side. The NaN that has the bits of -0 comes before all numbers, as in XLA.
    """
    layout = float_format(x.type)
    if layout.special is Special.FNUZ and x.bits == layout.nan:
        return -1 - layout.sign_bit
    is_negative = bool(x.bits & layout.sign_bit)
    return -1 - (x.bits ^ layout.sign_bit) if is_negative else x.bits


def maximum(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "maximum": result[i] = max(lhs[i], rhs[i]); NaN if either operand is NaN, +0 > -0; `or` for
    booleans.

    Complex numbers are in the lexicographic order of (real, imag).
    """
    return elementwise(lambda x, y: _unless_nan(x, y, x if _is_greater(x, y) else y), lhs, rhs)


def minimum(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "minimum": result[i] = min(lhs[i], rhs[i]); NaN if either operand is NaN, -0 < +0; `and` for
    booleans."""
    return elementwise(lambda x, y: _unless_nan(x, y, x if _is_greater(y, x) else y), lhs, rhs)


def _is_greater(x: Element, y: Element) -> bool:
    """Whether x > y, in total order for floats; of equal complex numbers, the number with +0 is greater."""
    if x.type.kind is Kind.FLOAT:
        return total_order(x) > total_order(y)
    if x.type.kind is Kind.COMPLEX and _number(x) == _number(y):
        return [*map(total_order, x.parts)] > [*map(total_order, y.parts)]
    return RELATIONS["GT"](_number(x), _number(y))


def _unless_nan(x: Element, y: Element, chosen: Element) -> Element:
    return canonical_nan(x.type) if _is_nan(x) or _is_nan(y) else chosen


def _is_nan(x: Element) -> bool:
    return x.type.kind.is_inexact and cmath.isnan(complex(x))


def clamp(min_: Tensor, operand: Tensor, max_: Tensor) -> Tensor:
    """spec "clamp": result[i] = minimum(maximum(operand[i], min[i]), max[i]); bounds of rank 0 apply
    everywhere.
    """
    low, high = (full(operand.shape, item(bound)) if bound.rank == 0 else bound for bound in (min_, max_))
    return minimum(maximum(operand, low), high)


def select(pred: Tensor, on_true: Tensor, on_false: Tensor) -> Tensor:
    """spec "select": result[i] = pred[i] ? on_true[i] : on_false[i]; a pred of rank 0 applies everywhere."""
    chosen = full(on_true.shape, item(pred)) if pred.rank == 0 else pred
    return elementwise(
        lambda p, x, y: x if p else y, chosen, on_true, on_false, element_type=on_true.element_type
    )


def call_compare(call: Call) -> Tensor:
    attributes = call.attributes
    direction = attributes.enum("comparison_direction")
    return compare(call.tensor(0), call.tensor(1), direction, attributes.enum("compare_type", "NOTYPE"))
