"""Numbers of runs in exact arithmetic, and arrays of them.

An exact array is one NumPy array whose elements have the fields `value`, a float, `residue`, the number of
the field for which the float stands, and `degree`, which bounds the number's degree as a polynomial in the
unknown numbers: arguments, quotients and results of functions. Complex numbers also have `imaginary`, and
real numbers of runs that assume laws have the fields of `laws.Law`. So operations that move elements move all
fields, by their own kernels. Zero bits are the number 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.tools.equal.rules import field, laws
from hlokit.tools.equal.rules.field import Array
from hlokit.tools.equal.rules.laws import Law
from hlokit.values.element_types import COMPLEX_F64, ELEMENT_TYPES, F64, ElementType, Kind
from hlokit.values.types import TensorType, TupleType, ValueType

_REAL = [("value", "f8"), ("residue", "u8"), ("degree", "f8")]
REAL = np.dtype(_REAL)
LAWFUL = np.dtype([*_REAL, *[(name, "u8") for name in Law._fields]])
COMPLEX = np.dtype([("value", "c16"), ("residue", "u8"), ("degree", "f8"), ("imaginary", "u8")])

_EXACT = {
    is_lawful: {
        row.name: ElementType(
            f"exact {row.name}",
            Kind.FIELD,
            row.width,
            COMPLEX if row.kind is Kind.COMPLEX else LAWFUL if is_lawful else REAL,
        )
        for row in ELEMENT_TYPES.values()
        if row.kind in (Kind.FLOAT, Kind.COMPLEX)
    }
    for is_lawful in (False, True)
}
_STATED = {exact.name: ELEMENT_TYPES[name] for name, exact in _EXACT[False].items()}

# Integers of at most this size among arguments stand for themselves; other floats for unknown numbers.
_SMALL = 1 << 16


@dataclass(frozen=True, slots=True)
class Number:
    """Numbers of the field, or of its extension by the square root of -1.

    Attributes:
      law: of real numbers, in runs that assume laws.
      degree: see above; that of an unknown number unless stated.
    """

    real: Array
    imaginary: Array | None = None
    law: Law | None = None
    degree: Any = 1.0

    def __add__(self, other: Number) -> Number:
        law: Law | None = None
        if self.law is not None and other.law is not None:
            law = self._law_of_sum(other)
        imaginary = self.imaginary if other.imaginary is None else other.imaginary
        if self.imaginary is not None and other.imaginary is not None:
            imaginary = field.add(self.imaginary, other.imaginary)
        degree = np.maximum(self.degree, other.degree)
        return Number(field.add(self.real, other.real), imaginary, law, degree)

    def __neg__(self) -> Number:
        imaginary = None if self.imaginary is None else field.negative(self.imaginary)
        law = None if self.law is None else laws.negative(self.law)
        return Number(field.negative(self.real), imaginary, law, self.degree)

    def __sub__(self, other: Number) -> Number:
        return self + -other

    def __mul__(self, other: Number) -> Number:
        real, degree = field.multiply(self.real, other.real), self.degree + other.degree
        if self.imaginary is None and other.imaginary is None:
            is_lawful = self.law is not None and other.law is not None
            law = self._law_of_product(other, real) if is_lawful else None
            return Number(real, None, law, degree)
        if self.imaginary is None or other.imaginary is None:
            one, two = (self, other) if self.imaginary is None else (other, self)
            assert two.imaginary is not None
            return Number(real, field.multiply(one.real, two.imaginary), None, degree)
        difference = field.negative(field.multiply(self.imaginary, other.imaginary))
        cross = field.multiply(self.real, other.imaginary), field.multiply(self.imaginary, other.real)
        return Number(field.add(real, difference), field.add(*cross), None, degree)

    def _law_of_sum(self, other: Number) -> Law:
        """That of a sum; 1 + x has the logarithm of x and of 1 + 1 / x."""
        assert self.law is not None and other.law is not None, "both numbers have laws"
        law = laws.add(self.law, other.law, self.real == 0, other.real == 0)
        for one, x in ((self, other), (other, self)):
            assert one.law is not None and x.law is not None
            is_one = (one.real == 1) & (one.law.exponent == 1) & (x.law.log != 0) & (x.real != 0)
            if is_one.any():
                mine = laws.with_log(field.add(one.real, x.real), law, laws.log_of_one_more(x.real, x.law))
                law = Law(*[np.where(is_one, new, old) for new, old in zip(mine, law, strict=True)])
        return law

    def _law_of_product(self, other: Number, real: Array) -> Law:
        """That of a product, which is a number of the field."""
        assert self.law is not None and other.law is not None, "both numbers have laws"
        logs = laws.log_of(self.real, self.law) + laws.log_of(other.real, other.law)
        return laws.with_log(real, laws.multiply(self.law, other.law), logs)

    def inverse(self) -> Number:
        """1 / self, and 0 for 0."""
        if self.imaginary is None:
            real = field.inverse(self.real)
            law = None
            if self.law is not None:
                law = laws.with_log(real, laws.inverse(self.law), -laws.log_of(self.real, self.law))
            return Number(real, None, law)
        conjugate = self.conjugate()
        return conjugate * Number(field.inverse((self * conjugate).real))

    def __truediv__(self, other: Number) -> Number:
        return self * other.inverse()

    def conjugate(self) -> Number:
        if self.imaginary is None:
            return self
        return Number(self.real, field.negative(self.imaginary), None, self.degree)

    def shifted(self, shift: Number) -> Number:
        """The same number, from which another was subtracted last."""
        if self.law is None or shift.law is None:
            return self
        shape = np.shape(self.law.exponent)
        shifts = [np.broadcast_to(part, shape) for part in (shift.real, shift.law.exponent)]
        return replace(self, law=self.law._replace(shift=shifts[0], shift_exponent=shifts[1]))

    @property
    def parts(self) -> tuple[Array, ...]:
        """The numbers of the field."""
        return (self.real,) if self.imaginary is None else (self.real, self.imaginary)


def where(condition: Array, one: Number, two: Number) -> Number:
    """Numbers of one where the condition holds, else of two."""
    real = np.where(condition, one.real, two.real)
    imaginary, law = None, None
    if one.imaginary is not None or two.imaginary is not None:
        zero = np.zeros((), np.uint64)
        parts = [zero if number.imaginary is None else number.imaginary for number in (one, two)]
        imaginary = np.where(condition, parts[0], parts[1])
    elif one.law is not None and two.law is not None:
        law = Law(*[np.where(condition, mine, other) for mine, other in zip(one.law, two.law, strict=True)])
    degree: Any = np.where(condition, one.degree, two.degree)  # pyright: ignore[reportUnknownVariableType] # floats
    return Number(real, imaginary, law, degree)


def is_same(one: Number, two: Number) -> Array:
    """Where numbers are equal, as functions of the arguments."""
    same = np.asarray(one.real == two.real)
    if one.imaginary is None and two.imaginary is None:
        return same
    zero = np.zeros((), np.uint64)
    parts = [zero if number.imaginary is None else number.imaginary for number in (one, two)]
    return np.asarray(same & (parts[0] == parts[1]))


# Types -----------------------------------------------------------------------------------------------


def exact_type(type_: ValueType, *, is_lawful: bool = False) -> ValueType:
    """The type of exact numbers instead of floats; integers and booleans keep their types."""
    return _mapped(type_, lambda element: _EXACT[is_lawful].get(element.name, element))


def float_type(type_: ValueType) -> ValueType:
    """The type of the floats beside the exact numbers: f64 or complex<f64>."""
    return _mapped(type_, _followed)


def real_type(type_: ValueType) -> ValueType:
    """f64 for the type of exact numbers, real or complex."""
    return _mapped(type_, lambda element: F64 if element.kind is Kind.FIELD else element)


def stated_type(type_: ValueType) -> ValueType:
    """The program's own type of exact numbers."""
    return _mapped(type_, lambda element: _STATED.get(element.name, element))


def is_exact(type_: ValueType) -> bool:
    return isinstance(type_, TensorType) and type_.element_type.kind is Kind.FIELD


def dtype_of(type_: ValueType) -> np.dtype[Any]:
    """The dtype of a tensor type."""
    assert isinstance(type_, TensorType), "exact numbers are elements of tensors"
    return type_.element_type.dtype


def _followed(element: ElementType) -> ElementType:
    if element.kind is not Kind.FIELD:
        return element
    return COMPLEX_F64 if element.dtype == COMPLEX else F64


def _mapped(type_: ValueType, change: Callable[[ElementType], ElementType]) -> ValueType:
    if isinstance(type_, TupleType):
        return TupleType(tuple([_mapped(item, change) for item in type_.types]))
    if isinstance(type_, TensorType):
        return type_._replace(element_type=change(type_.element_type))
    return type_


# Arrays ----------------------------------------------------------------------------------------------


def number_of(value: Any) -> Number:
    """The numbers of an exact array."""
    array: Any = np.asarray(value)
    if array.dtype == COMPLEX:
        return Number(array["residue"], array["imaginary"], None, array["degree"])
    law = Law(*[array[name] for name in Law._fields]) if array.dtype == LAWFUL else None
    return Number(array["residue"], None, law, array["degree"])


def floats_of(value: Any) -> Any:
    """The floats of an exact array; any other value itself."""
    return np.asarray(value)["value"] if is_exact_array(value) else value


def is_exact_array(value: Any) -> bool:
    return getattr(value, "dtype", None) in (REAL, LAWFUL, COMPLEX)


def packed(floats: Any, number: Number, dtype: np.dtype[Any]) -> Array:
    """An exact array of floats and their numbers."""
    array: Any = np.empty(np.shape(floats), dtype)
    array["value"], array["residue"], array["degree"] = floats, number.real, number.degree
    if dtype == COMPLEX:
        array["imaginary"] = 0 if number.imaginary is None else number.imaginary
    elif dtype == LAWFUL:
        law = laws.opaque(number.real) if number.law is None else number.law
        for name, part in zip(Law._fields, law, strict=True):
            array[name] = part
    return array


def exact_number(floats: Any, *, is_lawful: bool) -> Number:
    """The numbers of floats that stand for themselves."""
    values: Any = np.asarray(floats)
    if values.dtype.kind == "c":
        return Number(field.embedded(values.real), field.embedded(values.imag), degree=0.0)
    law = laws.of_floats(values) if is_lawful else None
    return Number(field.embedded(values), None, law, 0.0)


def constant(value: float) -> Number:
    """A number of a formula."""
    return exact_number(value, is_lawful=True)


def embedded(floats: Any, dtype: np.dtype[Any]) -> Array:
    """An exact array of floats that stand for themselves."""
    if dtype == REAL:
        return _kernels.exact_floats(floats, dtype)
    return packed(floats, exact_number(floats, is_lawful=dtype == LAWFUL), dtype)


def finite(result: Array, number: Number, dtype: np.dtype[Any]) -> Number:
    """The number of a result; of infinities and NaN, their own."""
    is_finite = np.isfinite(result)
    if is_finite.all():
        return number
    return where(is_finite, number, exact_number(result, is_lawful=dtype == LAWFUL))


def total(one: Array, two: Array) -> Array:
    """The sum of exact arrays."""
    return packed(floats_of(one) + floats_of(two), number_of(one) + number_of(two), one.dtype)


def unknown(floats: Any, seed: int, dtype: np.dtype[Any]) -> Array:
    """An exact array of floats that stand for unknown numbers: equal floats for equal ones. Small integers,
    infinities and NaN stand for themselves."""
    values: Any = np.asarray(floats)
    if values.dtype.kind == "c":
        parts = _unknown(values.real, seed), _unknown(values.imag, seed)
        return packed(values, Number(parts[0].real, parts[1].real), dtype)
    return packed(values, _unknown(values, seed), dtype)


def is_unknown(value: Any) -> bool:
    """Whether an exact array, or an item of a tuple, has elements that stand for unknown numbers."""
    if isinstance(value, tuple):
        items: Any = value  # pyright: ignore[reportUnknownVariableType] # of values
        return any(map(is_unknown, items))
    if not is_exact_array(value):
        return False
    return not is_same(number_of(value), exact_number(floats_of(value), is_lawful=False)).all()


def _unknown(values: Array, seed: int) -> Number:
    itself = ~np.isfinite(values) | ((np.abs(values) <= _SMALL) & (values == np.rint(values)))
    bits = np.ascontiguousarray(values).view(np.uint64).reshape(np.shape(values))
    salts = [field.salt_of("argument", seed, what) for what in ("number", "exponent")]
    drawn = Number(field.hashed(salts[0], bits), None, laws.of_unknown(bits, salts[1]))
    return where(itself, exact_number(values, is_lawful=True), drawn)
