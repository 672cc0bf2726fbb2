"""Element arithmetic against Python's integers, NumPy, mpmath and the definitions in the spec."""

from __future__ import annotations

import copy
import dataclasses
import math
import operator
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hlokit.values.element import Element
from hlokit.values.element_types import (
    BF16,
    COMPLEX_F32,
    COMPLEX_F64,
    F4E2M1FN,
    F8E4M3FN,
    F8E4M3FNUZ,
    F8E5M2,
    F8E8M0FNU,
    F16,
    F32,
    F64,
    I1,
    I2,
    I4,
    I8,
    I16,
    I32,
    UI4,
    UI8,
    UI64,
    ElementType,
)
from tests.unit.values.strategies import ALL, COMPLEX, FLOATS, INTEGERS, SIGNED, element_lists

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

IEEE = [F16, BF16, F32, F64]
HARDWARE = [F16, F32, F64]
Binary = Callable[[Any, Any], Any]


def wrapped(value: int, type_: ElementType) -> int:
    """The number of the type that is congruent to `value`."""
    low = -(1 << (type_.width - 1)) if type_ in SIGNED else 0
    return (value - low) % (1 << type_.width) + low


def same(actual: Element, expected: float | np.generic) -> bool:
    """Equal numbers with equal signs, or NaNs."""
    a, b = float(actual), float(expected)
    return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))


def scalar(element: Element) -> Any:
    """The element as a NumPy scalar."""
    return element.type.dtype.type(element.value)


# Construction and conversion


@given(element_lists(ALL, 1))
def test_from_bits_keeps_bits_and_value_gives_them_back(drawn: list[Element]) -> None:
    (element,) = drawn
    assert Element.from_bits(element.type, element.bits) == element
    if element.type not in FLOATS + COMPLEX:
        assert Element(element.type, element.value) == element
        assert complex(element) == int(element) or element.type.width == 64


@given(st.sampled_from(INTEGERS), st.integers(-(1 << 64), 1 << 64))
def test_integers_fit_or_are_refused(type_: ElementType, value: int) -> None:
    if wrapped(value, type_) == value:
        assert int(Element(type_, value)) == value
    else:
        with pytest.raises(ValueError, match=f"value must fit {type_}, got {value}"):
            Element(type_, value)


@given(st.floats())
def test_f32_rounds_like_numpy(value: float) -> None:
    assert same(Element(F32, value), np.float32(value))


def test_a_long_integer_is_rounded_once() -> None:
    value = (1 << 60) + (1 << 36) + 1  # above a tie of f32, on it once rounded to f64
    assert int(Element(F32, value)) == (1 << 60) + (1 << 37)
    assert int(Element(F32, Fraction(value))) == (1 << 60) + (1 << 37)


@pytest.mark.parametrize(
    ("type_", "value", "message"),
    [
        (I1, 1, "value of i1 must be a bool, got 1"),
        (I8, 1.0, "value of i8 must be an integer, got 1.0"),
        (F32, 1j, "value of f32 must be a real number, got 1j"),
        (F32, "1", "value of f32 must be a real number, got '1'"),
        (COMPLEX_F32, "1", "value of complex<f32> must be a number, got '1'"),
    ],
)
def test_values_of_another_kind_are_refused(type_: ElementType, value: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message.replace("<", "[<]")):
        Element(type_, value)


def test_bits_must_fit() -> None:
    with pytest.raises(ValueError, match="bits must fit i4, got 0x10"):
        Element.from_bits(I4, 16)


def test_conversions() -> None:
    assert (int(Element(F32, -1.5)), float(Element(UI8, 200)), complex(Element(I1, True))) == (-1, 200.0, 1)
    assert [bool(Element(F32, value)) for value in (-0.0, math.nan, 1e-45)] == [False, True, True]
    assert [int(part.value) for part in Element(COMPLEX_F64, 1 + 2j).parts] == [1, 2]
    with pytest.raises(TypeError, match=r"int: element type must be .* got complex<f32>"):
        int(Element(COMPLEX_F32, 1))


def test_numpy_scalars_are_values() -> None:
    assert Element(I1, np.bool_(True)) == Element(I1, True)
    assert Element(I8, np.int64(-3)) == Element(I8, -3)
    assert Element(BF16, BF16.dtype.type(1.5)) == Element(BF16, 1.5)
    assert Element(COMPLEX_F32, np.complex64(1j)) == Element(COMPLEX_F32, 1j)


def test_elements_are_frozen_hashable_and_copied() -> None:
    element = Element(F8E4M3FN, 1.5)
    with pytest.raises(dataclasses.FrozenInstanceError):
        element.bits = 0
    assert {element: 1}[Element(F8E4M3FN, 1.5)] == 1
    assert pickle.loads(pickle.dumps(element)) == element == copy.deepcopy(element)


def test_repr_names_type_and_value() -> None:
    assert repr(Element(I4, -8)) == "Element(i4, -8)"
    assert repr(Element(COMPLEX_F32, 1 - 2j)) == "Element(complex<f32>, (1-2j))"


# Equality and order


def test_identity_is_bitwise_and_equals_is_numeric() -> None:
    zero, minus_zero, nan = Element(F32, 0.0), Element(F32, -0.0), Element(F32, math.nan)
    assert zero != minus_zero
    assert zero.equals(minus_zero)
    assert zero <= minus_zero <= zero
    assert nan == Element(F32, math.nan) != Element.from_bits(F32, 0x7FC00001)
    assert not nan.equals(nan)
    assert not (nan < zero or nan >= zero)
    assert Element(I8, 1) != Element(UI8, 1) != 1


@given(element_lists([I1, *INTEGERS, *IEEE], 2))
def test_order_is_that_of_the_numbers(drawn: list[Element]) -> None:
    lhs, rhs = drawn
    for relation in (operator.lt, operator.le, operator.gt, operator.ge):
        assert relation(lhs, rhs) == bool(relation(scalar(lhs), scalar(rhs)))
    assert lhs.equals(rhs) == bool(scalar(lhs) == scalar(rhs))


def test_complex_numbers_have_no_order() -> None:
    with pytest.raises(TypeError, match=r"<: element type must be .* got complex<f32>"):
        _ = Element(COMPLEX_F32, 1) < Element(COMPLEX_F32, 2)


# Integers


@given(element_lists(INTEGERS, 2))
def test_integers_wrap(drawn: list[Element]) -> None:
    lhs, rhs = drawn
    a, b = int(lhs), int(rhs)
    for name in ("add", "sub", "mul", "and_", "or_", "xor"):
        operate = getattr(operator, name)
        assert int(operate(lhs, rhs)) == wrapped(operate(a, b), lhs.type)
    assert int(-lhs) == wrapped(-a, lhs.type)
    assert int(~lhs) == wrapped(~a, lhs.type)


@given(element_lists(INTEGERS, 2))
def test_division_truncates_and_the_remainder_has_the_sign_of_the_dividend(drawn: list[Element]) -> None:
    lhs, rhs = drawn
    assume(rhs.bits)
    exact = Fraction(int(lhs), int(rhs))
    assert int(lhs / rhs) == wrapped(math.trunc(exact), lhs.type)
    remainder = int(lhs % rhs)
    assert remainder == int(lhs) - math.trunc(exact) * int(rhs)
    assert remainder == 0 or (remainder < 0) == (int(lhs) < 0)


@given(element_lists(INTEGERS, 1))
def test_division_by_zero_gives_all_ones_and_the_remainder_the_dividend(drawn: list[Element]) -> None:
    (lhs,) = drawn
    zero = Element(lhs.type, 0)
    assert lhs / zero == ~zero
    assert lhs % zero == lhs


@pytest.mark.parametrize("type_", SIGNED, ids=str)
def test_the_least_integer_is_its_own_negation(type_: ElementType) -> None:
    least, minus_one = Element(type_, -(1 << (type_.width - 1))), Element(type_, -1)
    assert -least == abs(least) == least / minus_one == least
    assert least % minus_one == Element(type_, 0)


@given(element_lists(INTEGERS, 2))
def test_shifts_read_the_amount_as_unsigned(drawn: list[Element]) -> None:
    lhs, amount = drawn
    width = lhs.type.width
    bits = format(lhs.bits, f"0{width}b")
    count = min(amount.bits, width)
    left = bits[count:] + "0" * count
    logical = "0" * count + bits[: width - count]
    arithmetic = bits[0] * count + bits[: width - count]
    assert (lhs << amount).bits == int(left, 2)
    assert lhs.shift_right_logical(amount).bits == int(logical, 2)
    assert lhs.shift_right_arithmetic(amount).bits == int(arithmetic, 2)
    assert (lhs >> amount).bits == int(arithmetic if lhs.type in SIGNED else logical, 2)


@given(element_lists([I8, I16, I32, UI8, UI64], 2))
def test_integers_agree_with_numpy(drawn: list[Element]) -> None:
    lhs, rhs = drawn
    for operate in (operator.add, operator.sub, operator.mul, operator.xor):
        assert int(operate(lhs, rhs)) == int(operate(scalar(lhs), scalar(rhs)))


def test_sub_byte_examples() -> None:
    assert Element(I4, 7) + Element(I4, 1) == Element(I4, -8)
    assert Element(UI4, 15) * Element(UI4, 15) == Element(UI4, 1)
    assert Element(I2, -2) - Element(I2, 1) == Element(I2, 1)


# Booleans


@given(st.booleans(), st.booleans())
def test_booleans_add_by_or_and_multiply_by_and(a: bool, b: bool) -> None:
    lhs, rhs = Element(I1, a), Element(I1, b)
    assert (lhs + rhs).value == (lhs | rhs).value == (a or b)
    assert (lhs * rhs).value == (lhs & rhs).value == (a and b)
    assert (lhs ^ rhs).value == (a != b)
    assert (~lhs).value == (not a)


# Floats

ARITHMETIC: list[Binary] = [operator.add, operator.sub, operator.mul, operator.truediv]


@given(element_lists(HARDWARE, 2))
def test_float_arithmetic_agrees_with_the_hardware(drawn: list[Element]) -> None:
    lhs, rhs = drawn
    for operate in ARITHMETIC:
        assert same(operate(lhs, rhs), operate(scalar(lhs), scalar(rhs)))
    assert same(lhs % rhs, np.fmod(scalar(lhs), scalar(rhs)))
    assert same(-lhs, -scalar(lhs))
    assert same(abs(lhs), abs(scalar(lhs)))


@given(element_lists([row for row in FLOATS if row.width <= 8 and row != F8E8M0FNU], 2))
def test_narrow_floats_round_the_f64_result(drawn: list[Element]) -> None:
    # Sums and products of 8-bit floats are exact in f64, and quotients are never just beside a tie.
    lhs, rhs = drawn
    a, b = np.float64(float(lhs)), np.float64(float(rhs))
    for operate in ARITHMETIC:
        wide = operate(a, b)
        expected = lhs.type.dtype.type(abs(wide) if math.isnan(wide) else wide)
        assert same(operate(lhs, rhs), expected)


@given(element_lists(IEEE, 2))
def test_quotients_are_correctly_rounded(drawn: list[Element]) -> None:
    lhs, rhs = drawn
    assume(math.isfinite(float(lhs)) and math.isfinite(float(rhs)) and float(rhs) and float(lhs))
    with mpmath.workprec(2000):
        quotient = mpmath.mpf(float(lhs)) / mpmath.mpf(float(rhs))
        numerator, denominator = mpmath.libmp.to_rational(quotient._mpf_)
    assert lhs / rhs == Element(lhs.type, Fraction(numerator, denominator))


@given(element_lists(IEEE, 2))
def test_results_that_are_nan_are_the_positive_quiet_nan(drawn: list[Element]) -> None:
    for operate in ARITHMETIC:
        result = operate(*drawn)
        assert not math.isnan(float(result)) or result == Element(result.type, math.nan)


@given(element_lists(FLOATS, 1))
def test_negation_and_magnitude_change_the_sign_bit_only(drawn: list[Element]) -> None:
    (element,) = drawn
    if element.type == F8E8M0FNU:
        assert abs(element) == element
        return
    sign = 1 << (element.type.width - 1)
    if "FNUZ" in element.type.name and element.bits in (0, sign):
        assert -element == abs(element) == element
        return
    assert (-element).bits == element.bits ^ sign
    assert abs(element).bits == element.bits & ~sign


def test_overflow_and_division_in_narrow_formats() -> None:
    assert math.isnan(float(Element(F8E4M3FN, 448) + Element(F8E4M3FN, 448)))
    assert float(Element(F8E5M2, 57344) + Element(F8E5M2, 57344)) == math.inf
    assert float(Element(F4E2M1FN, 6) * Element(F4E2M1FN, 6)) == 6
    assert math.isnan(float(Element(F8E4M3FNUZ, 1) / Element(F8E4M3FNUZ, 0)))
    assert math.isnan(float(Element(F8E8M0FNU, 1) - Element(F8E8M0FNU, 1)))
    assert float(Element(F8E8M0FNU, 2) + Element(F8E8M0FNU, 1)) == 4


# Complex


@given(element_lists(COMPLEX, 2))
def test_complex_sums_are_sums_of_parts(drawn: list[Element]) -> None:
    lhs, rhs = drawn
    pairs = list(zip(lhs.parts, rhs.parts, strict=True))
    assert list((lhs + rhs).parts) == [a + b for a, b in pairs]
    assert list((lhs - rhs).parts) == [a - b for a, b in pairs]
    assert list((-lhs).parts) == [-a for a in lhs.parts]


@given(st.complex_numbers(max_magnitude=1e100), st.complex_numbers(max_magnitude=1e100))
def test_complex_products_and_quotients_are_within_three_units_of_the_magnitude(
    a: complex, b: complex
) -> None:
    lhs, rhs = Element(COMPLEX_F64, a), Element(COMPLEX_F64, b)
    with mpmath.workprec(8000):
        exact, other = mpmath.mpc(a), mpmath.mpc(b)
        assert _is_near(complex(lhs * rhs), exact * other)
        assert float(abs(lhs)) == float(mpmath.fabs(exact))
        if b:
            assert _is_near(complex(lhs / rhs), exact / other)


def _is_near(found: complex, exact: mpmath.mpc) -> bool:
    if mpmath.fabs(exact) > 2.0**1023:
        return True  # a part may be infinite
    return mpmath.fabs(mpmath.mpc(found) - exact) <= 3 * 2.0**-52 * mpmath.fabs(exact) + 4 * 2.0**-1074


def test_complex_products_that_overflow_on_the_way_are_finite() -> None:
    large = Element(COMPLEX_F64, complex(1e200, 1e200))
    assert complex(large * large) == complex(0.0, math.inf)
    assert complex(large / large) == 1


@pytest.mark.parametrize(
    ("lhs", "rhs", "expected"),
    [
        (1 + 1j, complex(0.0, 0.0), complex(math.inf, math.inf)),
        (1 + 1j, complex(-0.0, 0.0), complex(-math.inf, -math.inf)),
        (complex(math.inf, 1), 2 + 3j, complex(math.inf, -math.inf)),
        (1 + 1j, complex(math.inf, 1), complex(0.0, 0.0)),
        (1 + 1j, complex(1, -math.inf), complex(-0.0, 0.0)),
        (complex(math.inf, math.nan), 2j, complex(math.nan, -math.inf)),
    ],
)
def test_complex_division_at_zero_and_infinity(lhs: complex, rhs: complex, expected: complex) -> None:
    quotient = complex(Element(COMPLEX_F64, lhs) / Element(COMPLEX_F64, rhs))
    assert str(quotient) == str(expected)


def test_complex_signs_of_zero() -> None:
    product = Element(COMPLEX_F32, complex(-0.0, 0.0)) * Element(COMPLEX_F32, 1)
    assert str(complex(product)) == "(-0+0j)"
    cancelled = Element(COMPLEX_F32, 1 + 1j) * Element(COMPLEX_F32, 1 + 1j)
    assert str(complex(cancelled)) == "2j"


def test_magnitude_is_real_and_infinite_if_a_part_is() -> None:
    assert abs(Element(COMPLEX_F32, 3 + 4j)) == Element(F32, 5)
    assert abs(Element(COMPLEX_F64, complex(math.nan, -math.inf))) == Element(F64, math.inf)
    assert math.isnan(float(abs(Element(COMPLEX_F64, complex(math.nan, 1)))))


# Refusals


@pytest.mark.parametrize(
    ("operate", "type_"),
    [
        (operator.sub, I1),
        (operator.truediv, I1),
        (operator.mod, COMPLEX_F32),
        (operator.and_, F32),
        (operator.lshift, F32),
        (operator.rshift, I1),
    ],
)
def test_operations_that_a_kind_lacks(operate: Binary, type_: ElementType) -> None:
    one = Element(type_, True)
    with pytest.raises(TypeError, match=f"element type must be .* got {type_}"):
        operate(one, one)


@pytest.mark.parametrize(("operate", "type_"), [(operator.neg, I1), (abs, UI8), (operator.invert, F32)])
def test_unary_operations_that_a_kind_lacks(operate: Callable[[Any], Any], type_: ElementType) -> None:
    with pytest.raises(TypeError, match=f"element type must be .* got {type_}"):
        operate(Element(type_, True))


@pytest.mark.parametrize("operate", [*ARITHMETIC, operator.lt, operator.xor], ids=lambda f: f.__name__)
def test_mixed_types_are_refused(operate: Binary) -> None:
    with pytest.raises(TypeError, match="operands must have one type, got i8 and ui8"):
        operate(Element(I8, 1), Element(UI8, 1))
    with pytest.raises(TypeError, match="operand must be an Element of i8, got 1"):
        operate(Element(I8, 1), 1)
