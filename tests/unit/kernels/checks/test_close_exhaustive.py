"""check.expect_close against ranks: how many values of the type lie between two."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import hlokit
from hlokit.errors import CheckFailed
from hlokit.kernels.checks.rules import Close
from hlokit.values.element_types import BF16, F16, F32, F64, ElementType
from tests.unit.values.strategies import FLOATS, every_value

EIGHT_BITS = [row for row in FLOATS if row.width <= 8]


def ranks(element_type: ElementType) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """All finite values of a type, and the rank of each among the distinct numbers."""
    values = every_value(element_type)
    with np.errstate(invalid="ignore"):  # signaling NaNs
        wide = values.astype(np.float64)
    values, wide = values[np.isfinite(wide)], wide[np.isfinite(wide)]
    return values, np.unique(wide, return_inverse=True)[1].astype(np.int64)


@pytest.mark.parametrize("element_type", EIGHT_BITS, ids=str)
def test_close_of_all_pairs(element_type: ElementType) -> None:
    values, places = ranks(element_type)
    actual, expected = np.repeat(values, values.size), np.tile(values, values.size)
    apart = np.abs(np.repeat(places, values.size) - np.tile(places, values.size))
    for minimum, maximum in ((0, 0), (0, 1), (0, 3), (2, 5), (0, 100)):
        agree = Close(minimum, maximum).agree(actual, expected, element_type)
        np.testing.assert_array_equal(
            agree, (minimum <= apart) & (apart <= maximum), f"{minimum} to {maximum}"
        )


@pytest.mark.parametrize("element_type", [BF16, F16], ids=str)
def test_close_of_every_value_and_others(element_type: ElementType) -> None:
    values, places = ranks(element_type)
    generator = np.random.default_rng(0)
    order = generator.permutation(values.size)
    near = np.clip(
        np.argsort(places, kind="stable")[np.clip(places + 2, 0, values.size - 1)], 0, values.size - 1
    )
    for others in (order, near):
        apart = np.abs(places - places[others])
        for maximum in (0, 2, 1000):
            agree = Close(0, maximum).agree(values, values[others], element_type)
            np.testing.assert_array_equal(agree, apart <= maximum)


def place(value: float, mantissa_bits: int, smallest_exponent: int) -> int:
    """The signed number of representable values from 0 to a value, by arithmetic on its magnitude."""
    if value == 0:
        return 0
    exponent = max(math.frexp(value)[1] - 1, smallest_exponent)
    quanta = Fraction(abs(value)) / Fraction(2) ** (exponent - mantissa_bits)
    assert quanta.denominator == 1
    count = (exponent - smallest_exponent) * 2**mantissa_bits + quanta.numerator
    return count if value > 0 else -count


LARGEST = np.finfo(np.float64).max
CORNERS = [0.0, -0.0, 5e-324, -5e-324, 2.0**-1022, -(2.0**-1022), 2.0**-1022 - 5e-324, 1.0, LARGEST, -LARGEST]


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(CORNERS), st.integers(-3, 3))
def test_close_of_f64(value: float, corner: float, offset: int) -> None:
    for other in (corner, math.nextafter(value, math.copysign(LARGEST, offset)), -value):
        apart = abs(place(value, 52, -1022) - place(other, 52, -1022))
        actual, expected = np.array([value]), np.array([other])
        assert Close(0, apart).agree(actual, expected, F64).all()
        assert Close(apart, (1 << 64) - 1).agree(actual, expected, F64).all()
        if apart:
            assert not Close(0, apart - 1).agree(actual, expected, F64).any()


@given(
    st.floats(width=32, allow_nan=False, allow_infinity=False),
    st.floats(width=32, allow_nan=False, allow_infinity=False),
)
def test_close_of_f32(value: float, other: float) -> None:
    apart = abs(place(value, 23, -126) - place(other, 23, -126))
    actual, expected = np.array([value], np.float32), np.array([other], np.float32)
    assert Close(apart, apart).agree(actual, expected, F32).all()


@pytest.mark.parametrize("element_type", [*EIGHT_BITS, BF16, F16, F32, F64], ids=str)
def test_the_operation_fails_one_step_beyond(element_type: ElementType) -> None:
    program = hlokit.load(f"""
      func.func @main(%a: tensor<2x{element_type}>, %b: tensor<2x{element_type}>) {{
        "check.expect_close"(%a, %b) {{max_ulp_difference = 2 : i64, min_ulp_difference = 0 : i64}}
          : (tensor<2x{element_type}>, tensor<2x{element_type}>) -> ()
        return
      }}""")
    one = np.ones(2, element_type.dtype)
    unsigned = one.view(element_type.bits_dtype)
    program(one, (unsigned + unsigned.dtype.type(2)).view(element_type.dtype))
    with pytest.raises(CheckFailed, match="distance 3 ULP"):
        program(one, (unsigned + unsigned.dtype.type(3)).view(element_type.dtype))
