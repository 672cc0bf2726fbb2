"""A single value and the exact arithmetic of its type.

Tests compare the vectorised kernels with this definition, so it shares no code with the kernels: integers are
Python integers that wrap at their width, and a float result is a rational number rounded once. Source: spec
"Types".
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, SupportsComplex, SupportsFloat, SupportsIndex

import numpy as np

from hlokit.values import float_arithmetic as floats
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.float_format import float_format

_INTEGERS = (Kind.SIGNED, Kind.UNSIGNED)
_REALS = (Kind.BOOL, *_INTEGERS, Kind.FLOAT)
_NUMBERS = (*_INTEGERS, Kind.FLOAT, Kind.COMPLEX)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Element:
    """A value of an element type; immutable and hashable.

    `==` compares types and bits, as sets and test assertions need: +0 differs from -0, and a NaN equals the
    NaN with the same bits. `equals`, `<`, `<=`, `>` and `>=` compare numbers: zeros are equal, and
    comparisons with NaN are false. All return a Python bool.

    The operands of an operation must have the same type, which is also the result's:

    - bool: `+` and `|` are or, `*` and `&` are and; `^` and `~` exist as well.
    - integers wrap. x / 0 has all bits set and x % 0 is x; division truncates toward zero and the remainder
      has the dividend's sign. A shift amount is unsigned; a shift by the width or more gives 0, or copies of
      the sign. `>>` is arithmetic for signed and logical for unsigned types.
    - floats and the parts of complex numbers are rounded once per operation, to nearest, ties to even. `%`
      has the dividend's sign. A NaN result is the positive quiet NaN of the type, for any NaN operand.
    - complex division by zero or with infinities follows C99, Annex G; so does `abs`.

    Attributes:
      type: the element type.
      bits: the value's bits; for complex, the real part in the low half.
    """

    type: ElementType
    bits: int

    def __init__(self, type_: ElementType, value: Any) -> None:
        """The value of `type_` that is nearest to a number.

        Args:
          type_: any element type that is not quantized.
          value: bool for i1; integer for integer types; number for float and complex types.

        Raises:
          TypeError: the value is not a number of this kind, or the type is quantized.
          ValueError: an integer does not fit the type.
        """
        object.__setattr__(self, "type", type_)
        object.__setattr__(self, "bits", _encode(type_, value))

    @classmethod
    def from_bits(cls, type_: ElementType, bits: int) -> Element:
        """The value of `type_` with the given bits.

        Raises:
          TypeError: the type is quantized.
          ValueError: the bits do not fit the type.
        """
        require_plain(type_)
        if not 0 <= bits < 1 << type_.width:
            raise ValueError(f"Element: bits must fit {type_}, got {bits:#x}")
        return unchecked_element(type_, bits)

    @property
    def value(self) -> bool | int | float | complex:
        """The value as a Python number; exact, except for the payload of a NaN."""
        match self.type.kind:
            case Kind.BOOL:
                return bool(self.bits)
            case Kind.FLOAT:
                return float_format(self.type).decode(self.bits)
            case Kind.COMPLEX:
                real, imag = self.parts
                return complex(float(real), float(imag))
            case Kind.SIGNED:
                return _signed(self)
            case _:
                return self.bits

    @property
    def parts(self) -> tuple[Element, Element]:
        """Real and imaginary part.

        Raises:
          TypeError: the value is not complex.
        """
        self._require("parts", Kind.COMPLEX)
        part = self.type.part
        real, imag = self.bits & _ones(part.width), self.bits >> part.width
        return Element.from_bits(part, real), Element.from_bits(part, imag)

    def __repr__(self) -> str:
        return f"Element({self.type}, {self.value!r})"

    def __bool__(self) -> bool:
        """Whether the number is not zero."""
        return bool(self.value)

    def __int__(self) -> int:
        """The integer; a float is truncated.

        Raises:
          TypeError: the value is complex.
          ValueError, OverflowError: the value is NaN or infinite.
        """
        return int(self._real("int"))

    def __float__(self) -> float:
        """The number in f64; a 64-bit integer is rounded.

        Raises:
          TypeError: the value is complex.
        """
        return float(self._real("float"))

    def __complex__(self) -> complex:
        return complex(self.value)

    def equals(self, other: Element) -> bool:
        """Whether the numbers are equal: -0 equals +0, NaN equals nothing.

        Raises:
          TypeError: the types differ.
        """
        self._require_same("equals", other)
        return self.value == other.value

    def __lt__(self, other: Element) -> bool:
        return self._compare("<", other, operator.lt)

    def __le__(self, other: Element) -> bool:
        return self._compare("<=", other, operator.le)

    def __gt__(self, other: Element) -> bool:
        return self._compare(">", other, operator.gt)

    def __ge__(self, other: Element) -> bool:
        return self._compare(">=", other, operator.ge)

    def __add__(self, other: Element) -> Element:
        self._require("+", Kind.BOOL, *_NUMBERS)
        self._require_same("+", other)
        match self.type.kind:
            case Kind.BOOL:
                return self | other
            case Kind.FLOAT:
                return self._float(floats.add, other)
            case Kind.COMPLEX:
                return self._by_parts(operator.add, other)
            case _:
                return self._wrap(self.bits + other.bits)

    def __sub__(self, other: Element) -> Element:
        self._require("-", *_NUMBERS)
        self._require_same("-", other)
        match self.type.kind:
            case Kind.FLOAT:
                return self._float(floats.subtract, other)
            case Kind.COMPLEX:
                return self._by_parts(operator.sub, other)
            case _:
                return self._wrap(self.bits - other.bits)

    def __mul__(self, other: Element) -> Element:
        self._require("*", Kind.BOOL, *_NUMBERS)
        self._require_same("*", other)
        match self.type.kind:
            case Kind.BOOL:
                return self & other
            case Kind.FLOAT:
                return self._float(floats.multiply, other)
            case Kind.COMPLEX:
                return self._complex(floats.multiply_complex, other)
            case _:
                return self._wrap(self.bits * other.bits)

    def __truediv__(self, other: Element) -> Element:
        self._require("/", *_NUMBERS)
        self._require_same("/", other)
        match self.type.kind:
            case Kind.FLOAT:
                return self._float(floats.divide, other)
            case Kind.COMPLEX:
                return self._complex(floats.divide_complex, other)
            case _:
                return self._wrap(_truncated_quotient(int(self), int(other)) if other else -1)

    def __mod__(self, other: Element) -> Element:
        self._require("%", *_INTEGERS, Kind.FLOAT)
        self._require_same("%", other)
        if self.type.kind is Kind.FLOAT:
            return self._float(floats.remainder, other)
        if not other:
            return self
        lhs, rhs = int(self), int(other)
        return self._wrap(lhs - rhs * _truncated_quotient(lhs, rhs))

    def __neg__(self) -> Element:
        self._require("-", *_NUMBERS)
        match self.type.kind:
            case Kind.FLOAT:
                return Element.from_bits(self.type, float_format(self.type).negate(self.bits))
            case Kind.COMPLEX:
                real, imag = self.parts
                return _from_parts(self.type, (-real).bits, (-imag).bits)
            case _:
                return self._wrap(-self.bits)

    def __abs__(self) -> Element:
        """The magnitude; for complex values, in the type of the parts. The least integer wraps to itself."""
        self._require("abs", Kind.SIGNED, Kind.FLOAT, Kind.COMPLEX)
        match self.type.kind:
            case Kind.FLOAT:
                return Element.from_bits(self.type, float_format(self.type).absolute(self.bits))
            case Kind.COMPLEX:
                magnitude = floats.magnitude(float_format(self.type), complex(self))
                return Element.from_bits(self.type.part, magnitude)
            case _:
                return self._wrap(abs(int(self)))

    def __and__(self, other: Element) -> Element:
        self._require_bitwise("&", other)
        return self._wrap(self.bits & other.bits)

    def __or__(self, other: Element) -> Element:
        self._require_bitwise("|", other)
        return self._wrap(self.bits | other.bits)

    def __xor__(self, other: Element) -> Element:
        self._require_bitwise("^", other)
        return self._wrap(self.bits ^ other.bits)

    def __invert__(self) -> Element:
        self._require("~", Kind.BOOL, *_INTEGERS)
        return self._wrap(~self.bits)

    def __lshift__(self, other: Element) -> Element:
        self._require("<<", *_INTEGERS)
        self._require_same("<<", other)
        return self._wrap(self.bits << min(other.bits, self.type.width))

    def __rshift__(self, other: Element) -> Element:
        if self.type.kind is Kind.SIGNED:
            return self.shift_right_arithmetic(other)
        return self.shift_right_logical(other)

    def shift_right_arithmetic(self, other: Element) -> Element:
        """Shift right and fill with copies of the highest bit, also for unsigned values. Spec:
        `shift_right_arithmetic`.
        """
        self._require("shift_right_arithmetic", *_INTEGERS)
        self._require_same("shift_right_arithmetic", other)
        return self._wrap(_signed(self) >> min(other.bits, self.type.width))

    def shift_right_logical(self, other: Element) -> Element:
        """Shift right and fill with zeros, also for signed values. Spec: `shift_right_logical`."""
        self._require("shift_right_logical", *_INTEGERS)
        self._require_same("shift_right_logical", other)
        return self._wrap(self.bits >> min(other.bits, self.type.width))

    def multiply_add(self, factor: Element, addend: Element) -> Element:
        """self * factor + addend, rounded once: `fusedMultiplyAdd` of IEEE-754. For floats only."""
        self._require("multiply_add", Kind.FLOAT)
        self._require_same("multiply_add", factor)
        self._require_same("multiply_add", addend)
        layout = float_format(self.type)
        bits = floats.multiply_add(layout, float(self), float(factor), float(addend))
        return Element.from_bits(self.type, bits)

    def _real(self, name: str) -> int | float:
        self._require(name, *_REALS)
        value = self.value
        assert not isinstance(value, complex), "kinds of real numbers have real values"
        return value

    def _compare(self, name: str, other: Element, relation: Callable[[Any, Any], bool]) -> bool:
        self._require(name, *_REALS)
        self._require_same(name, other)
        return relation(self.value, other.value)

    def _wrap(self, value: int) -> Element:
        return Element.from_bits(self.type, value & _ones(self.type.width))

    def _float(self, operate: floats.Binary, other: Element) -> Element:
        return Element.from_bits(self.type, operate(float_format(self.type), float(self), float(other)))

    def _complex(self, operate: floats.ComplexBinary, other: Element) -> Element:
        return _from_parts(self.type, *operate(float_format(self.type), complex(self), complex(other)))

    def _by_parts(self, operate: Callable[[Element, Element], Element], other: Element) -> Element:
        pairs = zip(self.parts, other.parts, strict=True)
        real, imag = (operate(lhs, rhs).bits for lhs, rhs in pairs)
        return _from_parts(self.type, real, imag)

    def _require(self, name: str, *kinds: Kind) -> None:
        if self.type.kind not in kinds:
            rule = " or ".join(kind.value for kind in kinds)
            raise TypeError(f"{name}: element type must be {rule}, got {self.type}")

    def _require_bitwise(self, name: str, other: Element) -> None:
        self._require(name, Kind.BOOL, *_INTEGERS)
        self._require_same(name, other)

    def _require_same(self, name: str, other: object) -> None:
        if not isinstance(other, Element):
            raise TypeError(f"{name}: operand must be an Element of {self.type}, got {other!r}")
        if other.type != self.type:
            raise TypeError(f"{name}: operands must have one type, got {self.type} and {other.type}")


def _encode(type_: ElementType, value: Any) -> int:
    require_plain(type_)
    match type_.kind:
        case Kind.BOOL:
            if type(value) not in (bool, np.bool_):
                raise TypeError(f"Element: value of {type_} must be a bool, got {value!r}")
            return int(value)
        case Kind.FLOAT:
            return float_format(type_).encode(_real_number(type_, value))
        case Kind.COMPLEX:
            if not isinstance(value, SupportsComplex | SupportsFloat | SupportsIndex):
                raise TypeError(f"Element: value of {type_} must be a number, got {value!r}")
            layout, number = float_format(type_), complex(value)
            return layout.encode(number.real) | layout.encode(number.imag) << layout.width
        case _:
            return _encode_integer(type_, value)


def _real_number(type_: ElementType, value: Any) -> int | float | Fraction:
    if isinstance(value, float | int | Fraction):
        return value  # f64 would round an integer or a fraction a first time
    if not isinstance(value, SupportsFloat) or isinstance(value, np.complexfloating):
        raise TypeError(f"Element: value of {type_} must be a real number, got {value!r}")
    return float(value)


def _encode_integer(type_: ElementType, value: Any) -> int:
    if not isinstance(value, SupportsIndex):
        raise TypeError(f"Element: value of {type_} must be an integer, got {value!r}")
    number = operator.index(value)
    low = -(1 << (type_.width - 1)) if type_.kind is Kind.SIGNED else 0
    if not low <= number < low + (1 << type_.width):
        raise ValueError(f"Element: value must fit {type_}, got {number}")
    return number & _ones(type_.width)


_set_type, _set_bits = Element.__dict__["type"].__set__, Element.__dict__["bits"].__set__


def unchecked_element(type_: ElementType, bits: int) -> Element:
    """The value of a type that is not quantized, from bits that are known to fit the type."""
    element = Element.__new__(Element)
    _set_type(element, type_)
    _set_bits(element, bits)
    return element


def require_plain(type_: ElementType) -> None:
    """Raise TypeError if a type is quantized."""
    if type_.kind is Kind.QUANTIZED:
        raise TypeError(f"Element: type must not be quantized, got {type_}")


def _from_parts(type_: ElementType, real: int, imag: int) -> Element:
    return Element.from_bits(type_, real | imag << type_.part.width)


def _signed(element: Element) -> int:
    """The bits in two's complement, also of an unsigned value."""
    width = element.type.width
    return element.bits - (element.bits >> (width - 1) << width)


def _truncated_quotient(lhs: int, rhs: int) -> int:
    quotient = abs(lhs) // abs(rhs)
    return quotient if (lhs < 0) == (rhs < 0) else -quotient


def _ones(width: int) -> int:
    return (1 << width) - 1
