"""Element-wise arithmetic, logic and bits against exact arithmetic, an element at a time."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hlokit
from hlokit.engine.contract.canonical_nan import canonical_of
from hlokit.errors import UnsupportedError
from hlokit.kernels.elementwise.cache_blocking import BLOCK, blend, in_blocks
from hlokit.values.element import Element
from hlokit.values.element_types import (
    BF16,
    COMPLEX_F32,
    COMPLEX_F64,
    ELEMENT_TYPES,
    F8E4M3FN,
    F16,
    F32,
    F64,
    I1,
    I4,
    I8,
    I32,
    I64,
    UI8,
    UI32,
    ElementType,
    Kind,
)
from tests.unit.kernels.elementwise.elementwise_programs import (
    COMPLEX,
    FLOATS,
    INTEGERS,
    NARROW_FLOATS,
    SIGNED,
    assert_equal,
    assert_same,
    elements,
    evaluate,
    every_value,
    is_nan,
    nearest,
    pairs,
    sample,
)
from tests.unit.values.strategies import element_lists

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

Unary = Callable[[Element], Element]
Binary = Callable[[Element, Element], Element]


def wrap(type_: ElementType, value: int) -> Element:
    return Element.from_bits(type_, value & ((1 << type_.width) - 1))


def value_of(element: Element) -> int:
    assert isinstance(element.value, int)
    return element.value


def of_float(function: Callable[[float], float]) -> Unary:
    """A function of finite floats, exact in f64; the identity elsewhere."""

    def apply(operand: Element) -> Element:
        value = operand.value
        assert isinstance(value, float)
        return operand if not math.isfinite(value) else Element(operand.type, function(value))

    return apply


def half_away(value: float) -> float:
    return math.copysign(math.floor(Fraction(abs(value)) + Fraction(1, 2)), value)


def sign_of(value: float) -> float:
    return value if value == 0 else math.copysign(1.0, value)


def sign(operand: Element) -> Element:
    if operand.type.kind is not Kind.FLOAT:
        return wrap(operand.type, (value_of(operand) > 0) - (value_of(operand) < 0))
    value = operand.value
    assert isinstance(value, float)
    return operand if math.isnan(value) else Element(operand.type, sign_of(value))


def square_root(operand: Element) -> Element:
    """By the integer square root of a fraction with bits enough to round once."""
    value = operand.value
    assert isinstance(value, float)
    if not value > 0 or math.isinf(value):
        return Element(operand.type, value if value >= 0 else math.nan)
    scaled = Fraction(value) * Fraction(4) ** 1200
    root = math.isqrt(int(scaled))
    sticky = Fraction(1, 2) if root * root != scaled else 0
    return Element(operand.type, (root + sticky) / Fraction(2) ** 1200)


FLOAT_UNARY: dict[str, Unary] = {
    "abs": abs,
    "ceil": of_float(lambda value: math.copysign(math.ceil(value), value)),
    "floor": of_float(lambda value: math.copysign(math.floor(value), value)),
    "negate": operator.neg,
    "round_nearest_afz": of_float(half_away),
    "round_nearest_even": of_float(lambda value: math.copysign(round(value), value)),
    "sign": sign,
    "sqrt": square_root,
    "real": lambda operand: operand,
    "imag": lambda operand: Element(operand.type, 0.0),
}
INTEGER_UNARY: dict[str, Unary] = {
    "abs": abs,
    "negate": operator.neg,
    "not": operator.invert,
    "popcnt": lambda operand: wrap(operand.type, operand.bits.bit_count()),
    "count_leading_zeros": lambda operand: wrap(operand.type, operand.type.width - operand.bits.bit_length()),
    "sign": sign,
}


@pytest.mark.parametrize("type_", FLOATS, ids=str)
@pytest.mark.parametrize("name", FLOAT_UNARY)
def test_float_unary(name: str, type_: ElementType) -> None:
    operand = sample(type_, 300)
    given_ = elements(operand)
    assert_same(evaluate(name, operand), [FLOAT_UNARY[name](each) for each in given_], given_)


@pytest.mark.parametrize("type_", INTEGERS, ids=str)
@pytest.mark.parametrize("name", INTEGER_UNARY)
def test_integer_unary(name: str, type_: ElementType) -> None:
    if type_ not in SIGNED and name in ("abs", "sign"):
        pytest.skip("not defined for unsigned integers")
    operand = sample(type_, 300)
    given_ = elements(operand)
    assert_same(evaluate(name, operand), [INTEGER_UNARY[name](each) for each in given_], given_)


@pytest.mark.parametrize("type_", FLOATS, ids=str)
def test_is_finite(type_: ElementType) -> None:
    operand = sample(type_, 300)
    expected = [Element(I1, math.isfinite(each.value)) for each in elements(operand)]
    assert_same(evaluate("is_finite", operand, result=I1), expected, elements(operand))


def maximum(lhs: Element, rhs: Element) -> Element:
    if is_nan(lhs) or is_nan(rhs):
        return lhs if is_nan(lhs) else rhs
    if lhs.equals(rhs):  # of two zeros, the positive one
        return rhs if math.copysign(1, lhs.value) < 0 else lhs
    return lhs if lhs > rhs else rhs


def minimum(lhs: Element, rhs: Element) -> Element:
    if is_nan(lhs) or is_nan(rhs):
        return lhs if is_nan(lhs) else rhs
    if lhs.equals(rhs):
        return lhs if math.copysign(1, lhs.value) < 0 else rhs
    return lhs if lhs < rhs else rhs


def power(lhs: Element, rhs: Element) -> Element:
    base, exponent = value_of(lhs), value_of(rhs)
    if exponent >= 0:
        return wrap(lhs.type, pow(base, exponent, 1 << lhs.type.width))
    return wrap(lhs.type, {1: 1, -1: 1 - 2 * (exponent % 2)}.get(base, 0))


ARITHMETIC: dict[str, Binary] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "remainder": operator.mod,
}
ORDER: dict[str, Binary] = {"maximum": maximum, "minimum": minimum}
BITS: dict[str, Binary] = {
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "shift_left": operator.lshift,
    "shift_right_arithmetic": Element.shift_right_arithmetic,
    "shift_right_logical": Element.shift_right_logical,
}
INTEGER_BINARY = {**ARITHMETIC, **ORDER, **BITS, "power": power}
FLOAT_BINARY = {**ARITHMETIC, **ORDER}


def operands_of(type_: ElementType, count: int) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of a type of up to 4 bits, else `count` random ones, and all of special values."""
    if type_.width <= 4:
        return pairs(every_value(type_))
    generator = np.random.default_rng(type_.width)
    few = pairs(sample(type_, 0)[:22]) if type_.width > 8 else pairs(every_value(type_)[::29])
    values = sample(type_, count)
    return tuple(np.concatenate([some, generator.choice(values, count)]) for some in few)


@pytest.mark.parametrize("type_", INTEGERS, ids=str)
@pytest.mark.parametrize("name", INTEGER_BINARY)
def test_integer_binary(name: str, type_: ElementType) -> None:
    lhs, rhs = operands_of(type_, 400)
    if "shift" in name:
        rhs = np.concatenate(
            [np.abs(rhs[::2].astype(np.int64)) % (type_.width + 2), rhs[1::2].astype(np.int64)]
        )
        lhs, rhs = lhs[: rhs.size], rhs.astype(type_.dtype)
    given_ = elements(lhs), elements(rhs)
    assert_same(evaluate(name, lhs, rhs), list(map(INTEGER_BINARY[name], *given_)), *given_)


@pytest.mark.parametrize("type_", FLOATS, ids=str)
@pytest.mark.parametrize("name", FLOAT_BINARY)
def test_float_binary(name: str, type_: ElementType) -> None:
    lhs, rhs = operands_of(type_, 400)
    given_ = elements(lhs), elements(rhs)
    assert_same(evaluate(name, lhs, rhs), list(map(FLOAT_BINARY[name], *given_)), *given_)


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum", "and", "or", "xor"])
def test_boolean_binary(name: str) -> None:
    lhs, rhs = pairs(np.array([False, True]))
    expected = {
        "add": lhs | rhs,
        "multiply": lhs & rhs,
        "maximum": lhs | rhs,
        "minimum": lhs & rhs,
        "and": lhs & rhs,
        "or": lhs | rhs,
        "xor": lhs ^ rhs,
    }
    np.testing.assert_array_equal(evaluate(name, lhs, rhs), expected[name])
    np.testing.assert_array_equal(evaluate("not", lhs), ~lhs)


WITH_TABLES = {name: function for name, function in ARITHMETIC.items() if name != "remainder"}


@given(element_lists([*INTEGERS, *FLOATS], 2), st.sampled_from(sorted(WITH_TABLES)))
def test_scalars_and_arrays(drawn: list[Element], name: str) -> None:
    """Twice a scalar, so that generated code runs, too, and once an array that needs several pieces."""
    lhs, rhs = (scalar(each) for each in drawn)
    expected = [WITH_TABLES[name](*drawn)]
    assert_same(evaluate(name, lhs, rhs), expected, *[[each] for each in drawn])
    assert_same(evaluate(name, lhs, rhs), expected, *[[each] for each in drawn])
    many = evaluate(name, np.repeat(lhs, 2 * BLOCK), np.repeat(rhs, 2 * BLOCK))
    assert_same(many[[0, 1, BLOCK, -1]], 4 * expected)


def scalar(element: Element) -> np.ndarray:
    unsigned = element.type.bits_dtype
    return np.array(element.bits, unsigned).view(element.type.dtype)


@given(element_lists([I8, UI8, I32, UI32, I64, F32, F64], 2))
def test_quick_paths_of_scalars(drawn: list[Element]) -> None:
    lhs, rhs = (scalar(each) for each in drawn)
    functions = INTEGER_BINARY if drawn[0].type.kind.is_integer else FLOAT_BINARY
    for name in ("maximum", "minimum", "divide", "remainder", "shift_right_logical"):
        if name in functions:
            assert_same(evaluate(name, lhs, rhs), [functions[name](*drawn)], *[[each] for each in drawn])


# Layouts -------------------------------------------------------------------------------------------

SHAPE = (4, 3, BLOCK // 4)


def layouts(array: np.ndarray) -> dict[str, np.ndarray]:
    """The same values in other memory layouts."""
    padded = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
    padded[..., ::2] = array
    reverse = np.ascontiguousarray(array[::-1])[::-1]
    read_only = array.copy()
    read_only.flags.writeable = False
    return {
        "strided": padded[..., ::2],
        "transposed": np.asfortranarray(array),
        "reversed": reverse,
        "read-only": read_only,
    }


@pytest.mark.parametrize("type_", [I4, I32, F8E4M3FN, F16, BF16, F32, F64, COMPLEX_F32], ids=str)
@pytest.mark.parametrize("name", ["add", "divide", "maximum", "power"])
def test_layout_changes_nothing(name: str, type_: ElementType) -> None:
    generator = np.random.default_rng(0)
    lhs, rhs = (generator.integers(1, 7, SHAPE).astype(type_.dtype) for _ in range(2))
    expected = evaluate(name, lhs, rhs)
    for layout, other in layouts(lhs).items():
        assert_equal(evaluate(name, other, rhs), expected, layout)
        assert_equal(evaluate(name, other, layouts(rhs)[layout]), expected, layout)
    one = np.broadcast_to(rhs[:1, :1, :1], SHAPE)
    assert_equal(evaluate(name, lhs, one), evaluate(name, lhs, one.copy()))
    assert_equal(evaluate(name, one, lhs), evaluate(name, one.copy(), lhs))
    assert_equal(evaluate(name, one, one), evaluate(name, one.copy(), one.copy()))


@pytest.mark.parametrize("type_", [I4, F8E4M3FN, F16, BF16, F32, F64, COMPLEX_F64], ids=str)
def test_tables_and_pieces_equal_small_arrays(type_: ElementType) -> None:
    values = np.resize(sample(type_, 500), 3 * BLOCK + 5)
    name = "negate" if type_ is I4 else "sine"
    whole = evaluate(name, values)
    for start in range(0, values.size, 1000):
        some = slice(start, start + 1000)
        assert_equal(evaluate(name, values[some]), whole[some])


@pytest.mark.parametrize("type_", [I4, I32, BF16, F8E4M3FN, F32, F64, COMPLEX_F32], ids=str)
def test_empty(type_: ElementType) -> None:
    empty = np.zeros((0, 3), type_.dtype)
    for name in ("add", "divide", "power"):
        assert evaluate(name, empty, empty).size == 0
    assert evaluate("negate", empty).size == 0


def test_pieces_keep_the_order_of_dimensions() -> None:
    array = np.asfortranarray(np.arange(2.0 * BLOCK).reshape(2, BLOCK))
    result = in_blocks(np.negative, (array,), np.dtype(np.float64))
    assert result.flags.f_contiguous
    np.testing.assert_array_equal(result, -array)


@pytest.mark.parametrize("type_", [I1, I4, I8, F16, F32, F64, COMPLEX_F32, COMPLEX_F64], ids=str)
def test_choose(type_: ElementType) -> None:
    generator = np.random.default_rng(0)
    pred = generator.random(2000) < 0.5
    on_true, on_false = (generator.integers(0, 2, 2000).astype(type_.dtype) for _ in range(2))
    np.testing.assert_array_equal(blend(pred, on_true, on_false), np.where(pred, on_true, on_false))
    np.testing.assert_array_equal(blend(pred, on_true[0], on_false), np.where(pred, on_true[0], on_false))


# Zeros ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("type_", [F32, F64, F16, BF16], ids=str)
@pytest.mark.parametrize("bound", [0.0, -0.0, 1.0, -1.0, math.nan])
def test_order_of_zeros_with_one_bound(type_: ElementType, bound: float) -> None:
    """The shortcuts for a bound that is one number, in both places, small and large."""
    values = np.array([0.0, -0.0, 1.0, -1.0, math.nan, math.inf, -math.inf], type_.dtype)
    for size in (values.size, 2 * BLOCK):
        operand = np.resize(values, size)
        one = np.broadcast_to(np.array(bound, type_.dtype), operand.shape)
        given_ = elements(operand[:7]), elements(one[:7])
        for name, function in ORDER.items():
            expected = list(map(function, *given_))
            assert_same(evaluate(name, operand, one)[:7], expected, *given_)
            assert_same(evaluate(name, one, operand)[:7], expected, *given_)


def test_no_arithmetic_of_other_kinds() -> None:
    with pytest.raises(UnsupportedError, match="remainder of complex"):
        evaluate("remainder", np.ones(1, np.complex64), np.ones(1, np.complex64))


@pytest.mark.parametrize("type_", NARROW_FLOATS, ids=str)
def test_narrow_floats_round_once(type_: ElementType) -> None:
    """Division of numbers that lie next to a tie of the result."""
    lhs, rhs = pairs(sample(type_, 20)[:64])
    given_ = elements(lhs), elements(rhs)
    expected = []
    for a, b in zip(*given_, strict=True):
        if b.value and math.isfinite(a.value) and math.isfinite(b.value) and a.value:
            exact = Fraction(a.value) / Fraction(b.value)
            expected.append(Element(type_, exact))
        else:
            expected.append(a / b)
    assert_same(evaluate("divide", lhs, rhs), expected, *given_)


@pytest.mark.parametrize("type_", COMPLEX, ids=str)
@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide"])
def test_complex_arithmetic(name: str, type_: ElementType) -> None:
    """complex<f32> is rounded once; so are sums of complex<f64>; see test_complex for the rest."""
    if type_ is COMPLEX_F64 and name in ("multiply", "divide"):
        pytest.skip("not rounded once")
    generator = np.random.default_rng(0)
    lhs, rhs = (generator.normal(size=600).astype(type_.part.dtype).view(type_.dtype) for _ in range(2))
    given_ = elements(lhs), elements(rhs)
    assert_same(evaluate(name, lhs, rhs), list(map(ARITHMETIC[name], *given_)), *given_)


def test_nearest_is_the_rounding_of_element() -> None:
    """The expectation of other tests: mpmath's numbers are rounded as Element rounds."""
    assert nearest(F32, 0.1) == Element(F32, 0.1)


@pytest.mark.parametrize("name", ["maximum", "minimum"])
@pytest.mark.parametrize(
    ("mlir_type", "dtype"), [("f16", np.float16), ("f32", np.float32), ("f64", np.float64)]
)
def test_small_arrays_use_other_kernels(name: str, mlir_type: str, dtype: type[np.floating]) -> None:
    special = np.array([0.0, -0.0, 1.5, -1.5, np.inf, -np.inf, np.nan, -np.nan, 6e-8, -6e-8], dtype)
    lhs, rhs = (each.ravel() for each in np.meshgrid(special, special))
    one = f"tensor<?x{mlir_type}>"
    text = f"""func.func @main(%lhs: {one}, %rhs: {one}) -> {one} {{
      %0 = stablehlo.{name} %lhs, %rhs : {one}
      return %0 : {one}
    }}"""

    program = hlokit.load(text)
    whole = program(lhs, rhs)
    for part in [slice(i, i + 1) for i in range(lhs.size)] + [slice(0, 7), slice(33, 64)]:
        assert program(lhs[part], rhs[part]).tobytes() == whole[part].tobytes()


SPECIAL_FLOATS = [0.0, -0.0, 1.5, -2.0, np.inf, -np.inf, np.nan, 1e-320, 3e38]
SPECIAL_INTEGERS = [0, 1, 2, 7, 100, 127]


@pytest.mark.parametrize(
    "mlir_type", ["i1", "i8", "ui8", "i32", "ui32", "i64", "f16", "f32", "f64", "complex<f32>"]
)
def test_scalars_take_operators(mlir_type: str) -> None:
    element_type = ELEMENT_TYPES[mlir_type]
    is_integer = element_type.kind.is_integer or mlir_type == "i1"
    unary = ["abs", "negate"] if element_type.kind.value in ("signed", "float") else []
    binary = ["and", "or", "xor"] if is_integer else ["divide"]
    if is_integer:
        unary.append("not")
    if mlir_type != "i1":
        binary += ["add", "subtract", "multiply"]
    special = SPECIAL_INTEGERS if is_integer else SPECIAL_FLOATS
    with np.errstate(all="ignore"):
        values = np.array(special).astype(element_type.dtype)
        values = np.concatenate([values, ~values]) if is_integer else values

    pairs = [(x, y) for x in values for y in values]
    for name in (*unary, *binary):
        used = "%x, %y" if name in binary else "%x"

        def text(type_: str, name: str = name, used: str = used) -> str:
            return f"""func.func @main(%x: {type_}, %y: {type_}) -> {type_} {{
              %0 = stablehlo.{name} {used} : {type_}
              return %0 : {type_}
            }}"""

        array = hlokit.load(text(f"tensor<{len(pairs)}x{mlir_type}>"))(*np.array(pairs).T)
        step, *_ = hlokit.load(text(f"tensor<{mlir_type}>")).runs.block("main").plan.steps
        for (x, y), expected in zip(pairs, array, strict=True):
            operands = (x, y)[: len(step.operands)]
            with np.errstate(all="ignore"):
                scalar = step.kernel.function(*operands)
                zero = step.kernel.function(*map(np.asarray, operands))
            if name in binary:  # a step of the plan makes NaNs canonical
                scalar, zero = canonical_of(scalar), canonical_of(zero)
            assert np.asarray(scalar).tobytes() == np.asarray(zero).tobytes() == expected.tobytes()
            assert np.asarray(zero).dtype == element_type.dtype
