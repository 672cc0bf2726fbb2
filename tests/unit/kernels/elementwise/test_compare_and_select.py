"""compare, select and clamp against exact comparison of elements."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hlokit
from hlokit.kernels.elementwise.cache_blocking import BLOCK
from hlokit.values.element import Element
from hlokit.values.element_types import (
    BF16,
    COMPLEX_F32,
    COMPLEX_F64,
    ELEMENT_TYPES,
    F8E4M3FN,
    F8E5M2FNUZ,
    F8E8M0FNU,
    F16,
    F32,
    F64,
    I1,
    I4,
    I8,
    I32,
    UI4,
    UI32,
    ElementType,
    Kind,
)
from hlokit.values.float_format import Special, float_format
from tests.unit.kernels.elementwise.elementwise_programs import (
    COMPLEX,
    FLOATS,
    INTEGERS,
    TYPES,
    assert_equal,
    assert_same,
    elements,
    evaluate,
    is_nan,
    pairs,
    sample,
)
from tests.unit.values.strategies import element_lists

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

DIRECTIONS: dict[str, Callable[[int, int], bool]] = {
    "EQ": operator.eq,
    "NE": operator.ne,
    "GE": operator.ge,
    "GT": operator.gt,
    "LE": operator.le,
    "LT": operator.lt,
}
COMPARE_TYPE = {
    Kind.BOOL: "UNSIGNED",
    Kind.UNSIGNED: "UNSIGNED",
    Kind.SIGNED: "SIGNED",
    Kind.FLOAT: "FLOAT",
    Kind.COMPLEX: "FLOAT",
}


def compare(lhs: np.ndarray, rhs: np.ndarray, direction: str, type_: str = "") -> np.ndarray:
    attributes = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
    if type_:
        attributes += f", compare_type = #stablehlo<comparison_type {type_}>"
    return evaluate("compare", lhs, rhs, result=I1, attributes=attributes)


def some_pairs(type_: ElementType) -> tuple[np.ndarray, np.ndarray]:
    if type_ is I1:
        return pairs(np.array([False, True]))
    values = sample(type_, 12)
    generator = np.random.default_rng(0)
    return pairs(generator.choice(values, 40)) if type_.width > 4 else pairs(values)


@pytest.mark.parametrize("type_", [type_ for type_ in TYPES if type_.kind is not Kind.COMPLEX], ids=str)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_compare(direction: str, type_: ElementType) -> None:
    lhs, rhs = some_pairs(type_)
    relation = DIRECTIONS[direction]
    expected = [relation(a.value, b.value) for a, b in zip(elements(lhs), elements(rhs), strict=True)]
    np.testing.assert_array_equal(compare(lhs, rhs, direction, COMPARE_TYPE[type_.kind]), expected)
    np.testing.assert_array_equal(compare(lhs, rhs, direction), expected)


@given(element_lists([*INTEGERS, *FLOATS], 2), st.sampled_from(sorted(DIRECTIONS)))
def test_compare_scalars(drawn: list[Element], direction: str) -> None:
    lhs, rhs = (np.array(each.bits, each.type.bits_dtype).view(each.type.dtype) for each in drawn)
    for _ in range(2):
        result = compare(lhs, rhs, direction)
        assert bool(result) == DIRECTIONS[direction](drawn[0].value, drawn[1].value)


def place(element: Element) -> int:
    """Where a float stands in IEEE-754's total order: sign and magnitude as an integer without a second zero.

    The NaN that has the bits of -0 comes before all numbers, as in XLA.
    """
    layout = float_format(element.type)
    if layout.special is Special.POWER:
        return element.bits
    if layout.special is Special.FNUZ and element.bits == layout.sign_bit:
        return -(1 << element.type.width)
    magnitude = element.bits & ~layout.sign_bit
    return -magnitude - 1 if element.bits & layout.sign_bit else magnitude


@pytest.mark.parametrize("type_", FLOATS, ids=str)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_total_order(direction: str, type_: ElementType) -> None:
    lhs, rhs = some_pairs(type_)
    places = [[place(each) for each in elements(values)] for values in (lhs, rhs)]
    expected = list(map(DIRECTIONS[direction], *places))
    np.testing.assert_array_equal(compare(lhs, rhs, direction, "TOTALORDER"), expected)


def test_total_order_of_special_values() -> None:
    """-NaN < -infinity < -1 < -0 < +0 < 1 < infinity < NaN."""
    ordered = np.array(
        [0xFFC00000, 0xFF800000, 0xBF800000, 0x80000000, 0, 0x3F800000, 0x7F800000, 0x7FC00000]
    )
    values = ordered.astype(np.uint32).view(np.float32)
    lhs, rhs = pairs(values)
    rank_of_lhs, rank_of_rhs = pairs(np.arange(8))
    for direction, relation in DIRECTIONS.items():
        expected = relation(rank_of_lhs, rank_of_rhs)
        np.testing.assert_array_equal(compare(lhs, rhs, direction, "TOTALORDER"), expected)


@pytest.mark.parametrize("type_", COMPLEX, ids=str)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_complex_numbers_compare_as_pairs(direction: str, type_: ElementType) -> None:
    parts = [-1.0, 0.0, -0.0, 2.0, math.inf]
    values = np.array([complex(real, imag) for real in parts for imag in parts], type_.dtype)
    lhs, rhs = pairs(values)
    expected = [
        DIRECTIONS[direction]((a.real, a.imag), (b.real, b.imag))
        for a, b in zip(lhs.tolist(), rhs.tolist(), strict=True)
    ]
    np.testing.assert_array_equal(compare(lhs, rhs, direction), expected)


@pytest.mark.parametrize("type_", [I4, F8E4M3FN, BF16, F16, F32, COMPLEX_F32], ids=str)
def test_large_arrays_compare_like_small_ones(type_: ElementType) -> None:
    lhs = np.resize(sample(type_, 700), 2 * BLOCK + 9)
    rhs = np.roll(lhs, 3)
    for direction in ("EQ", "LT", "GE"):
        whole = compare(lhs, rhs, direction)
        np.testing.assert_array_equal(whole[:900], compare(lhs[:900], rhs[:900], direction))
        np.testing.assert_array_equal(whole[-900:], compare(lhs[-900:], rhs[-900:], direction))


# select --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("type_", [type_ for type_ in TYPES if type_ is not I1], ids=str)
@pytest.mark.parametrize("size", [7, 600, BLOCK + 1])
def test_select(type_: ElementType, size: int) -> None:
    generator = np.random.default_rng(0)
    pred = generator.random(size) < 0.5
    on_true, on_false = generator.choice(sample(type_, 200), (2, size))
    expected = on_true.copy()
    expected[~pred] = on_false[~pred]
    assert_bits(evaluate("select", pred, on_true, on_false), expected)
    assert_bits(evaluate("select", np.array(True), on_true, on_false), on_true)
    assert_bits(evaluate("select", np.array(False), on_true, on_false), on_false)


def assert_bits(actual: np.ndarray, expected: np.ndarray) -> None:
    """A choice copies: NaN payloads and signs stay."""
    assert actual.dtype == expected.dtype
    assert actual.tobytes() == expected.tobytes()


def test_select_with_splats_and_layouts() -> None:
    generator = np.random.default_rng(0)
    shape = (3, BLOCK)
    pred = generator.random(shape) < 0.5
    on_true, on_false = generator.normal(size=(2, *shape)).astype(np.float32)
    one, zero = (np.broadcast_to(np.float32(value), shape) for value in (1, 0))
    np.testing.assert_array_equal(evaluate("select", pred, one, zero), pred.astype(np.float32))
    np.testing.assert_array_equal(evaluate("select", pred, on_true, zero), on_true * pred)
    always = np.broadcast_to(np.True_, shape)
    np.testing.assert_array_equal(evaluate("select", always, on_true, on_false), on_true)
    np.testing.assert_array_equal(evaluate("select", ~always, on_true, zero), zero)
    np.testing.assert_array_equal(evaluate("select", always, one, on_true), one)
    expected = np.where(pred, on_true, on_false)
    for layout in (np.asfortranarray, lambda array: np.ascontiguousarray(array[::-1])[::-1]):
        np.testing.assert_array_equal(
            evaluate("select", layout(pred), layout(on_true), layout(on_false)), expected
        )
    pair = np.array([3.0, 4.0], np.float32)
    for pred_of_scalar in (True, False):
        chosen = evaluate("select", np.array(pred_of_scalar), np.array(pair[0]), np.array(pair[1]))
        assert chosen == pair[0 if pred_of_scalar else 1]


# clamp ---------------------------------------------------------------------------------------------


def clamped(least: Element, operand: Element, most: Element) -> Element:
    return smaller(greater(operand, least), most)


def order(element: Element) -> tuple[float, float]:
    return element.value, math.copysign(1, element.value)


def greater(lhs: Element, rhs: Element) -> Element:
    if is_nan(lhs) or is_nan(rhs):
        return lhs if is_nan(lhs) else rhs
    return max(lhs, rhs, key=order)


def smaller(lhs: Element, rhs: Element) -> Element:
    if is_nan(lhs) or is_nan(rhs):
        return lhs if is_nan(lhs) else rhs
    return min(lhs, rhs, key=order)


@pytest.mark.parametrize(
    "type_", [I4, UI4, I8, I32, UI32, F8E5M2FNUZ, F8E8M0FNU, BF16, F16, F32, F64], ids=str
)
def test_clamp(type_: ElementType) -> None:
    generator = np.random.default_rng(0)
    least, operand, most = generator.choice(sample(type_, 40), (3, 500))
    given_ = elements(least), elements(operand), elements(most)
    assert_same(evaluate("clamp", least, operand, most, result=type_), list(map(clamped, *given_)), *given_)


BOUNDS = [
    (-1.0, 1.0),
    (0.0, 6.0),
    (-0.0, 6.0),
    (-1.0, 0.0),
    (-1.0, -0.0),
    (3.0, 1.0),
    (0.0, 0.0),
    (math.nan, 1.0),
    (0.0, math.nan),
]


@pytest.mark.parametrize("type_", [BF16, F16, F32, F64], ids=str)
@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_clamp_with_one_bound_for_all(bounds: tuple[float, float], type_: ElementType) -> None:
    values = np.array([0.0, -0.0, 0.5, -0.5, 2.0, -2.0, 9.0, math.inf, -math.inf, math.nan], type_.dtype)
    least, most = (np.array(bound, type_.dtype) for bound in bounds)
    for size in (10, 2 * BLOCK):
        operand = np.resize(values, size)
        given_ = elements(np.broadcast_to(least, 10)), elements(values), elements(np.broadcast_to(most, 10))
        expected = list(map(clamped, *given_))
        assert_same(
            evaluate("clamp", least, operand, most, result=type_, shape=(size,))[:10], expected, *given_
        )
    for index, value in enumerate(values):
        scalar = evaluate("clamp", least, np.array(value), most)
        assert_same(scalar, [expected[index]])


@given(element_lists([I4, I8, I32, UI32, F32, F64], 3))
def test_clamp_scalars(drawn: list[Element]) -> None:
    operands = [np.array(each.bits, each.type.bits_dtype).view(each.type.dtype) for each in drawn]
    assert_same(evaluate("clamp", *operands), [clamped(*drawn)], *[[each] for each in drawn])


def test_clamp_booleans() -> None:
    least, operand, most = (np.array([bool(code >> place & 1) for code in range(8)]) for place in range(3))
    np.testing.assert_array_equal(evaluate("clamp", least, operand, most), (operand | least) & most)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_clamp_complex(type_: ElementType) -> None:
    operand = np.array([1 + 1j, 2 + 0j, 0 + 9j, 1 + 3j], type_.dtype)
    least, most = np.array(1 + 2j, type_.dtype), np.array(1 + 5j, type_.dtype)
    expected = np.array([1 + 2j, 1 + 5j, 1 + 2j, 1 + 3j], type_.dtype)
    actual = evaluate("clamp", least, operand, most, shape=(4,))
    assert_equal(np.ascontiguousarray(actual.imag), np.ascontiguousarray(expected.imag))
    assert_equal(np.ascontiguousarray(actual.real), np.ascontiguousarray(expected.real))


UFUNCS = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "GE": np.greater_equal,
    "GT": np.greater,
    "LE": np.less_equal,
    "LT": np.less,
}


@pytest.mark.parametrize("type_", ["i4", "i8", "i16", "i32", "i64"])
@pytest.mark.parametrize("direction", UFUNCS)
def test_unsigned_of_signed_integers(type_: str, direction: str) -> None:
    """Against constraint (C3); XLA compares the bits."""
    dtype = ELEMENT_TYPES[type_].dtype
    least = -(1 << (int(type_[1:]) - 1))
    numbers = np.array([0, 1, -1, 5, least, ~least]).astype(dtype)
    lhs, rhs = np.repeat(numbers, len(numbers)), np.tile(numbers, len(numbers))
    bits = [array.astype(np.int64).view(np.uint64) for array in (lhs, rhs)]
    expected = UFUNCS[direction](*bits)
    tensor = f"tensor<{len(lhs)}x{type_}>"
    text = f"""func.func @main(%a: {tensor}, %b: {tensor}) -> (tensor<{len(lhs)}xi1>, tensor<{len(lhs)}xi1>) {{
      %0 = stablehlo.compare {direction}, %a, %b, UNSIGNED : ({tensor}, {tensor}) -> tensor<{len(lhs)}xi1>
      %1 = "stablehlo.map"(%a, %b) <{{dimensions = array<i64: 0>}}> ({{
      ^bb0(%x: tensor<{type_}>, %y: tensor<{type_}>):
        %2 = stablehlo.compare {direction}, %x, %y, UNSIGNED : (tensor<{type_}>, tensor<{type_}>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      }}) : ({tensor}, {tensor}) -> tensor<{len(lhs)}xi1>
      return %0, %1 : tensor<{len(lhs)}xi1>, tensor<{len(lhs)}xi1>
    }}"""
    program = hlokit.load(text)
    for results in (program(lhs, rhs), program(lhs, rhs), program(lhs, rhs, tier="reference")):
        for result in results:
            np.testing.assert_array_equal(result, expected)


def test_unsigned_in_a_loop_and_in_a_comparator() -> None:
    text = """func.func @main(%x: tensor<5xi32>) -> (tensor<5xi32>, tensor<i32>) {
      %0 = "stablehlo.sort"(%x) ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        %p = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }) : (tensor<5xi32>) -> tensor<5xi32>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %most = stablehlo.constant dense<-1> : tensor<i32>
      %step = stablehlo.constant dense<100000000> : tensor<i32>
      %end = stablehlo.constant dense<-2000000000> : tensor<i32>
      %1 = stablehlo.while(%i = %zero) : tensor<i32> cond {
        %p = stablehlo.compare LT, %i, %end, UNSIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %j = stablehlo.add %i, %step : tensor<i32>
        stablehlo.return %j : tensor<i32>
      }
      return %0, %1 : tensor<5xi32>, tensor<i32>
    }"""
    program, operand = hlokit.load(text), np.array([-1, 5, 0, -7, 3], np.int32)
    for _ in range(3):
        ordered, last = program(operand)
        assert ordered.tolist() == [0, 3, 5, -7, -1]
        assert int(last) == 2_300_000_000 - (1 << 32)
    ordered, last = program(operand, tier="reference")
    assert ordered.tolist() == [0, 3, 5, -7, -1]
    assert int(last) == 2_300_000_000 - (1 << 32)


def test_the_greatest_unsigned_number_is_no_argmax_of_signed_numbers() -> None:
    text = """func.func @main(%x: tensor<6xi32>) -> (tensor<i32>, tensor<i32>) {
      %i = stablehlo.iota dim = 0 : tensor<6xi32>
      %z = stablehlo.constant dense<0> : tensor<i32>
      %r:2 = stablehlo.reduce(%x init: %z), (%i init: %z) across dimensions = [0]
        : (tensor<6xi32>, tensor<6xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
        reducer(%a: tensor<i32>, %c: tensor<i32>) (%b: tensor<i32>, %d: tensor<i32>) {
          %gt = stablehlo.compare GT, %a, %c, UNSIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          %eq = stablehlo.compare EQ, %a, %c, UNSIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          %lt = stablehlo.compare LT, %b, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          %first = stablehlo.and %eq, %lt : tensor<i1>
          %wins = stablehlo.or %gt, %first : tensor<i1>
          %v = stablehlo.select %gt, %a, %c : tensor<i1>, tensor<i32>
          %w = stablehlo.select %wins, %b, %d : tensor<i1>, tensor<i32>
          stablehlo.return %v, %w : tensor<i32>, tensor<i32>
        }
      return %r#0, %r#1 : tensor<i32>, tensor<i32>
    }"""
    program, operand = hlokit.load(text), np.array([1, -5, 7, -1, 3, 2], np.int32)
    for _ in range(3):
        assert [int(value) for value in program(operand)] == [-1, 3]
    assert [int(value) for value in program(operand, tier="reference")] == [-1, 3]
