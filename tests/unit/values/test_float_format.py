"""Float formats against ml_dtypes' and NumPy's casts, and against the definitions of the formats."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlokit.values.element_types import (
    BF16,
    ELEMENT_TYPES,
    F8E4M3B11FNUZ,
    F8E4M3FN,
    F8E5M2,
    F8E8M0FNU,
    F16,
    F32,
    F64,
    I32,
    ElementType,
)
from hlokit.values.float_format import float_format
from tests.unit.values.strategies import FLOATS, codes, every_value

NARROW = [row for row in FLOATS if row.width <= 16]
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # casts of NaNs and of what overflows
named = pytest.mark.parametrize("element_type", FLOATS, ids=str)


@named
def test_width_is_the_tables(element_type: ElementType) -> None:
    assert float_format(element_type).width == element_type.width


@pytest.mark.parametrize("element_type", NARROW, ids=str)
def test_decode_equals_the_cast_to_f64_for_all_bits(element_type: ElementType) -> None:
    layout = float_format(element_type)
    values = every_value(element_type).astype(np.float64)
    for code, value in enumerate(values.tolist()):
        decoded = layout.decode(code)
        assert layout.is_nan(code) == math.isnan(value)
        assert math.isnan(value) or (decoded, math.copysign(1, decoded)) == (value, math.copysign(1, value))


@pytest.mark.parametrize("element_type", [F32, F64], ids=str)
@given(data=st.data())
def test_decode_equals_numpy_in_wide_types(element_type: ElementType, data: st.DataObject) -> None:
    code = data.draw(codes(element_type))
    value = float(np.array(code, dtype=element_type.bits_dtype).view(element_type.dtype))
    decoded = float_format(element_type).decode(code)
    assert decoded == value or (math.isnan(decoded) and math.isnan(value))


@named
@given(data=st.data())
@pytest.mark.sample("f4E2M1FN", "f8E4M3FN", "f8E5M2FNUZ", "f8E8M0FNU", "bf16", "f32", "f64")
def test_encode_of_decode_gives_the_bits(element_type: ElementType, data: st.DataObject) -> None:
    layout, code = float_format(element_type), data.draw(codes(element_type))
    expected = layout.nan if layout.is_nan(code) else code
    assert layout.encode(layout.decode(code)) == expected


@pytest.mark.parametrize("element_type", NARROW, ids=str)
def test_encode_rounds_like_ml_dtypes_halfway_and_between(element_type: ElementType) -> None:
    layout = float_format(element_type)
    finite = every_value(element_type).astype(np.float32)
    finite = np.unique(finite[np.isfinite(finite)])
    step = max(1, len(finite) // 500)
    low, high = finite[:-1:step], finite[1::step]
    middle = (low + high) / 2
    inputs = np.concatenate([middle, np.nextafter(middle, low), np.nextafter(middle, high)])
    if element_type == F8E8M0FNU:
        inputs = inputs[inputs >= 2.0**-126]  # below, ml_dtypes rounds 1.1 * 2**-127 up
    expected = inputs.astype(element_type.dtype).view(element_type.bits_dtype)
    assert [layout.encode(value) for value in inputs.tolist()] == expected.tolist()


@named
def test_encode_overflows_and_underflows_like_the_casts(element_type: ElementType) -> None:
    layout = float_format(element_type)
    largest = layout.decode(layout.largest)
    inputs = np.array([largest, -largest, 1e-40, -1e-40, 0.0, -0.0, math.inf, -math.inf], dtype=np.float64)
    if element_type.width < 32:
        too_large = [largest * factor for factor in (1.01, 1.49, 1.6, 2.1)]
        inputs = np.concatenate([inputs, too_large, np.negative(too_large)])
    cast = inputs.astype(element_type.dtype)
    expected = np.where(
        np.isnan(cast), layout.nan, cast.view(element_type.bits_dtype)
    )  # there is one NaN only
    encoded = [layout.encode(value) for value in inputs.tolist()]
    assert encoded == expected.tolist()


def test_nans_are_those_of_the_formats() -> None:
    nans = {name: float_format(row).nan for name, row in ELEMENT_TYPES.items() if row in FLOATS}
    assert nans == {
        "f4E2M1FN": 0x8,
        "f6E2M3FN": 0x20,
        "f6E3M2FN": 0x20,
        "f8E3M4": 0x78,
        "f8E4M3": 0x7C,
        "f8E4M3B11FNUZ": 0x80,
        "f8E4M3FN": 0x7F,
        "f8E4M3FNUZ": 0x80,
        "f8E5M2": 0x7E,
        "f8E5M2FNUZ": 0x80,
        "f8E8M0FNU": 0xFF,
        "bf16": 0x7FC0,
        "f16": 0x7E00,
        "f32": 0x7FC00000,
        "f64": 0x7FF8000000000000,
    }


@given(st.fractions(min_value=-70000, max_value=70000, max_denominator=1 << 60))
def test_fractions_round_to_the_nearest_f16(value: Fraction) -> None:
    layout = float_format(F16)
    rounded = layout.decode(layout.encode(value))
    if math.isinf(rounded):
        assert abs(value) >= 65520
        return
    code = layout.encode(value) & ~layout.sign_bit
    neighbours = [layout.decode(near) for near in (code - 1, code + 1) if 0 <= near <= layout.largest]
    distance = abs(abs(value) - abs(Fraction(rounded)))
    assert all(distance <= abs(abs(value) - Fraction(near)) for near in neighbours)


def test_a_fraction_is_rounded_once() -> None:
    just_above_a_tie = Fraction(1) + Fraction(1, 1 << 8) + Fraction(1, 1 << 200)
    layout = float_format(BF16)
    assert layout.decode(layout.encode(just_above_a_tie)) == 1 + 2.0**-7
    assert layout.decode(layout.encode(float(just_above_a_tie))) == 1.0


@pytest.mark.parametrize(
    ("element_type", "code", "negated", "magnitude"),
    [
        (F32, 0x80000000, 0, 0),
        (F32, 0x7FC00001, 0xFFC00001, 0x7FC00001),
        (F8E5M2, 0xFC, 0x7C, 0x7C),
        (F8E4M3FN, 0xFF, 0x7F, 0x7F),
        (F8E4M3B11FNUZ, 0, 0, 0),
        (F8E4M3B11FNUZ, 0x80, 0x80, 0x80),
        (F8E4M3B11FNUZ, 0x81, 0x01, 0x01),
        (F8E8M0FNU, 0x7F, 0xFF, 0x7F),
    ],
    ids=str,
)
def test_signs(element_type: ElementType, code: int, negated: int, magnitude: int) -> None:
    layout = float_format(element_type)
    assert (layout.negate(code), layout.absolute(code)) == (negated, magnitude)


def test_only_floats_have_a_format() -> None:
    with pytest.raises(TypeError, match="must be a float or complex type, got i32"):
        float_format(I32)
