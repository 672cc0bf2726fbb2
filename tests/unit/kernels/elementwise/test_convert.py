"""Conversion of values and bits, and reduced precision, against exact arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlokit.engine.contract.switches import VARIABLE
from hlokit.kernels.elementwise.cache_blocking import BLOCK
from hlokit.kernels.elementwise.narrow_floats import round_to_odd_f32, rounding, widen
from hlokit.values.element import Element
from hlokit.values.element_types import (
    BF16,
    COMPLEX_F32,
    COMPLEX_F64,
    ELEMENT_TYPES,
    F4E2M1FN,
    F6E3M2FN,
    F8E4M3,
    F8E4M3FN,
    F8E5M2,
    F16,
    F32,
    F64,
    I1,
    I2,
    I4,
    I8,
    I32,
    I64,
    UI2,
    UI4,
    UI8,
    UI32,
    UI64,
    ElementType,
    Kind,
)
from hlokit.values.float_format import FloatFormat, Special, float_format
from tests.unit.kernels.elementwise.elementwise_programs import (
    FLOATS,
    INTEGERS,
    NARROW_FLOATS,
    TYPES,
    assert_equal,
    assert_same,
    elements,
    evaluate,
    every_value,
    sample,
)
from tests.unit.values.strategies import codes

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def converted(operand: Element, type_: ElementType) -> Element:
    """The value in another type, by the rules in the docstring of `convert`."""
    value = operand.value
    if type_.kind is Kind.COMPLEX:
        if operand.type.kind is not Kind.COMPLEX:
            real = converted(operand, type_.part)
            return Element.from_bits(type_, real.bits)
        real, imag = (converted(part, type_.part) for part in operand.parts)
        return Element.from_bits(type_, real.bits | imag.bits << type_.part.width)
    if operand.type.kind is Kind.COMPLEX:
        return converted(operand.parts[0], type_)
    assert isinstance(value, bool | int | float)
    if type_.kind is Kind.BOOL:
        return Element(type_, value != 0)
    if type_.kind is Kind.FLOAT:
        return Element(type_, value if isinstance(value, float) else int(value))
    low = -(1 << (type_.width - 1)) if type_.kind is Kind.SIGNED else 0
    high = low + (1 << type_.width) - 1
    if isinstance(value, float):
        value = 0 if math.isnan(value) else math.trunc(min(max(value, low - 1.0), high + 1.0))
        return Element(type_, min(max(value, low), high))
    return Element.from_bits(type_, int(value) & ((1 << type_.width) - 1))


@pytest.mark.parametrize("source", TYPES, ids=str)
@pytest.mark.sample(
    "i1", "i4", "i32", "ui8", "ui64", "f8E4M3FN", "f8E8M0FNU", "bf16", "f16", "f32", "f64", "complex<f32>"
)
def test_convert_to_every_type(source: ElementType) -> None:
    operand = sample(source, 200) if source is not I1 else np.array([False, True])
    given_ = elements(operand)
    for target in TYPES:
        expected = [converted(each, target) for each in given_]
        assert_same(evaluate("convert", operand, result=target), expected, given_)


@given(st.sampled_from(TYPES), st.sampled_from(TYPES), st.data())
def test_convert_scalars(source: ElementType, target: ElementType, data: st.DataObject) -> None:
    part = source.part
    count = 2 if source.kind is Kind.COMPLEX else 1
    drawn = [data.draw(codes(part)) for _ in range(count)]
    operand = np.array(drawn, part.bits_dtype).view(source.dtype).reshape(())
    expected = [converted(each, target) for each in elements(operand)]
    for _ in range(2):
        assert_same(evaluate("convert", operand, result=target), expected, elements(operand))


@pytest.mark.parametrize("source", [F32, F64], ids=str)
def test_numpy_scalars_become_integers_towards_zero(
    source: ElementType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kernels convert NumPy scalars by code of their own."""
    monkeypatch.setenv(VARIABLE, "native")
    for value in (0.75, -0.75, 2.5, -1.5, 1e30, math.nan):
        operand = np.asarray(value, source.dtype)[()]
        expected = [converted(each, I32) for each in elements(operand)]
        assert_same(evaluate("convert", operand, result=I32), expected, elements(operand))


@pytest.mark.parametrize("target", NARROW_FLOATS, ids=str)
@pytest.mark.sample("f4E2M1FN", "f8E3M4", "f8E4M3FN", "f8E8M0FNU", "bf16", "f16")
def test_ties_are_decided_once(target: ElementType) -> None:
    """Numbers halfway between neighbours, and next to halfway, in f64 and as integers."""
    values = np.unique(every_value(target).astype(np.float64)) if target.width <= 16 else None
    assert values is not None
    values = values[np.isfinite(values)]
    halves = (values[1:] + values[:-1]) / 2
    beside = np.concatenate([halves, np.nextafter(halves, np.inf), np.nextafter(halves, -np.inf)])
    for operand in (beside, beside.astype(np.float32)):
        some = np.random.default_rng(0).choice(operand, min(operand.size, 1500), replace=False)
        expected = [converted(each, target) for each in elements(some)]
        assert_same(evaluate("convert", some, result=target), expected, elements(some))
    wide = np.array([(2 * k + 1) << (p - 1) for k in range(128, 300) for p in (1, 20, 40, 54)], np.int64)
    integers = np.concatenate([wide, wide + 1, wide - 1, -wide, -wide - 1, 1 - wide])
    expected = [converted(each, target) for each in elements(integers)]
    assert_same(evaluate("convert", integers, result=target), expected, elements(integers))
    unsigned = integers.view(np.uint64)
    expected = [converted(each, target) for each in elements(unsigned)]
    assert_same(evaluate("convert", unsigned, result=target), expected, elements(unsigned))


@pytest.mark.parametrize("target", [F16, BF16, F8E4M3FN, F4E2M1FN, I8, I64, UI8, I4, F64], ids=str)
def test_large_arrays_equal_small_ones(target: ElementType) -> None:
    for source in (F32, F64, BF16, I32, I64, UI4):
        operand = np.resize(sample(source, 900), 2 * BLOCK + 7)
        whole = evaluate("convert", operand, result=target)
        assert_equal(whole[:500], evaluate("convert", operand[:500], result=target))
        assert_equal(whole[-500:], evaluate("convert", operand[-500:], result=target))


def test_rounding_to_odd_keeps_exact_values() -> None:
    exact = sample(F32, 500)
    assert_equal(round_to_odd_f32(exact.astype(np.float64)), exact)
    inexact = np.array([1 + 2.0**-40, 1 - 2.0**-40, 1e300, -1e300, 1e-300, -1e-300])
    bits = round_to_odd_f32(inexact).view(np.int32)
    assert (bits & 1).all()
    np.testing.assert_array_equal(np.signbit(round_to_odd_f32(inexact)), np.signbit(inexact))


@pytest.mark.parametrize("type_", NARROW_FLOATS, ids=str)
def test_widening_and_rounding_are_inverse(type_: ElementType) -> None:
    values = every_value(type_)
    for source in (np.float32, np.float64):
        wide = widen(values).astype(source)
        assert_equal(rounding(type_.dtype, np.dtype(source))(wide), values)


# bitcast_convert -----------------------------------------------------------------------------------


def packed_bits(array: np.ndarray) -> list[int]:
    """The bits of a tensor one after the other, elements of less than a byte packed, lowest first."""
    return [
        element.bits >> position & 1 for element in elements(array) for position in range(element.type.width)
    ]


BITCASTS = [
    (F64, (), I8, (8,)),
    (F64, (3,), F16, (3, 4)),
    (F32, (2, 3), UI32, (2, 3)),
    (I8, (2, 8), F64, (2,)),
    (I8, (4,), F32, ()),
    (BF16, (3, 2), I32, (3,)),
    (I4, (3, 2), I8, (3,)),
    (I8, (3,), I4, (3, 2)),
    (UI4, (2, 4), F16, (2,)),
    (I2, (4,), UI8, ()),
    (UI2, (3, 2), I4, (3,)),
    (F4E2M1FN, (5,), UI4, (5,)),
    (F4E2M1FN, (4, 8), F32, (4,)),
    (F6E3M2FN, (2,), I2, (2, 3)),
    (F8E5M2, (2, 2), F16, (2,)),
    (COMPLEX_F32, (2, 2), COMPLEX_F64, (2,)),
    (COMPLEX_F64, (2,), COMPLEX_F32, (2, 2)),
    (I32, (0,), I8, (0, 4)),
]


@pytest.mark.parametrize(("source", "shape", "target", "result_shape"), BITCASTS)
def test_bitcast_convert(
    source: ElementType, shape: tuple[int, ...], target: ElementType, result_shape: tuple[int, ...]
) -> None:
    size = math.prod(shape)
    generator = np.random.default_rng(0)
    operand = generator.choice(sample(source, 50), size).reshape(shape)
    result = evaluate("bitcast_convert", operand, result=target, shape=result_shape)
    assert packed_bits(result) == packed_bits(operand)
    turned = np.asfortranarray(operand).reshape(shape)
    assert packed_bits(evaluate("bitcast_convert", turned, result=target, shape=result_shape)) == packed_bits(
        operand
    )


# reduce_precision ----------------------------------------------------------------------------------


def reduced(operand: Element, exponent_bits: int, mantissa_bits: int) -> Element:
    """By the value: rounded to a multiple of a power of two, then compared with the ends of the range."""
    layout = float_format(operand.type)
    value = operand.value
    assert isinstance(value, float)
    if math.isnan(value):
        turns = mantissa_bits == 0 and layout.mantissa_bits > 0 and layout.special is Special.IEEE
        return Element(operand.type, math.inf) if turns else operand
    if math.isinf(value) or value == 0:
        return operand
    exponent = math.frexp(value)[1] - 1
    if layout.special is not Special.POWER:  # which has no subnormal numbers
        exponent = max(exponent, 1 - layout.bias)
    kept = min(mantissa_bits, layout.mantissa_bits)
    unit = Fraction(2) ** (exponent - kept)
    quanta = Fraction(abs(value)) / unit
    if kept == 0 and quanta == Fraction(
        3, 2
    ):  # no mantissa bits are left: the even exponent field of IEEE-754 wins
        quanta = Fraction(1 if exponent % 2 else 2)
    rounded = round(quanta) * unit
    if rounded > Fraction(layout.decode(layout.largest)):
        return Element(operand.type, math.copysign(math.inf, value))
    if exponent_bits < layout.exponent_bits:
        rounded = in_range(layout, rounded, (1 << (exponent_bits - 1)) - 1)
    if rounded == math.inf:
        return Element(operand.type, math.copysign(math.inf, value))
    return Element(operand.type, math.copysign(float(rounded), value))


def in_range(layout: FloatFormat, magnitude: Fraction, bias: int) -> Fraction | float:
    if magnitude >= Fraction(2) ** (bias + 1):
        return math.inf
    if magnitude < Fraction(2) ** (1 - bias) or magnitude < Fraction(2) ** (1 - layout.bias):
        return 0.0
    return magnitude


PRECISIONS = [
    (1, 0),
    (2, 1),
    (3, 2),
    (4, 3),
    (5, 2),
    (5, 10),
    (6, 9),
    (8, 0),
    (8, 7),
    (8, 23),
    (11, 52),
    (2, 60),
]


@pytest.mark.parametrize("type_", FLOATS, ids=str)
@pytest.mark.sample("f4E2M1FN", "f8E4M3FN", "f8E8M0FNU", "bf16", "f16", "f32", "f64")
def test_reduce_precision(type_: ElementType) -> None:
    operand = sample(type_, 300)
    given_ = elements(operand)
    for exponent_bits, mantissa_bits in PRECISIONS:
        attributes = f"exponent_bits = {exponent_bits} : i32, mantissa_bits = {mantissa_bits} : i32"
        result = evaluate("reduce_precision", operand, attributes=attributes)
        assert_same(result, [reduced(each, exponent_bits, mantissa_bits) for each in given_], given_)


@pytest.mark.parametrize(
    ("wide", "narrow"), [(F32, BF16), (F32, F16), (F64, F32), (F32, F8E5M2), (F16, F8E4M3)]
)
def test_reduce_precision_is_conversion_and_back(wide: ElementType, narrow: ElementType) -> None:
    """Where the narrow type is laid out as IEEE-754 says, up to subnormal numbers."""
    operand = sample(wide, 2000)
    layout = float_format(narrow)
    attributes = f"exponent_bits = {layout.exponent_bits} : i32, mantissa_bits = {layout.mantissa_bits} : i32"
    back = evaluate("convert", evaluate("convert", operand, result=narrow), result=wide)
    normal = np.abs(operand.astype(np.float64)) >= 2.0 ** (1 - layout.bias)
    assert_equal(evaluate("reduce_precision", operand, attributes=attributes)[normal], back[normal])


def test_all_types_are_covered() -> None:
    assert {type_.name for type_ in (*INTEGERS, *FLOATS, I1, COMPLEX_F32, COMPLEX_F64)} == {
        t.name for t in TYPES
    }
    assert UI64 in INTEGERS


@pytest.mark.parametrize(
    "element_type", [row for row in ELEMENT_TYPES.values() if row.is_narrow_float], ids=str
)
@pytest.mark.parametrize("source", [np.float32, np.float64])
def test_rounding_keeps_rank_0(element_type: ElementType, source: type[np.floating]) -> None:
    round_ = rounding(element_type.dtype, np.dtype(source))
    for value in (source(1.0), np.array(1.0, source)):
        assert np.shape(round_(value)) == ()
        assert float(round_(value)) == 1.0


def test_tables_take_values_of_any_alignment() -> None:
    """As those of mapped files are."""
    values = np.array([1.25, -300.0, np.inf], np.float32)
    memory = np.zeros(13, np.uint8)
    memory[1:] = values.view(np.uint8)
    unaligned = memory[1:].view(np.float32)
    assert not unaligned.flags.aligned
    round_ = rounding(np.dtype(ml_dtypes.float8_e4m3fn), np.dtype(np.float32))
    assert round_(unaligned).tobytes() == values.astype(ml_dtypes.float8_e4m3fn).tobytes()
