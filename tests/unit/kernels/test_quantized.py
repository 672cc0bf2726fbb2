"""Operations on quantized tensors: the spec's formulas in exact arithmetic, and as programs of other types."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlokit
import oracles
from hlokit.engine.contract.registry import (
    Kernel,
    Operation,
    bind_quantized,
    quantized_operations,
    registered_operations,
)
from hlokit.kernels.quantized.quantization import dequantizer, quantizer
from hlokit.values.element_types import BF16, ELEMENT_TYPES, F16, F32, F64, I4, I8, I16, I32, UI8, ElementType
from hlokit.values.float_format import float_format
from hlokit.values.quantized import QuantizedType, integer_range
from tests.unit.kernels.one_op import Array, assert_same, evaluate

STORAGE = [ELEMENT_TYPES[name] for name in ("i2", "i4", "i8", "i16", "i32", "ui4", "ui8", "ui16", "ui32")]
EXPRESSED = [ELEMENT_TYPES[name] for name in ("f64", "f32", "bf16", "f16", "f8E4M3FN", "f8E5M2")]
# Plans run kernels within `np.errstate`; these tests call kernels without it.
pytestmark = pytest.mark.filterwarnings("ignore:overflow")


def test_every_operation_of_quantized_types_is_registered() -> None:
    missing = set(quantized_operations()) - set(registered_operations())
    assert {name for name in missing if not name.startswith("chlo.")} <= {"stablehlo.set_dimension_size"}


# The spec's "Quantization computations", a number at a time -----------------------------------------


def rounded(value: Fraction, type_: ElementType) -> float:
    layout = float_format(type_)
    return layout.decode(layout.encode(value))


def exact(value: float, type_: ElementType) -> Fraction:
    return Fraction(rounded(Fraction(value), type_))


def dequantized(stored: int, type_: QuantizedType, index: int) -> float:
    difference = rounded(Fraction(stored - type_.zero_points[index]), type_.expressed)
    if not np.isfinite(difference):
        return difference
    return rounded(Fraction(difference) * exact(type_.scales[index], type_.expressed), type_.expressed)


def quantized(value: float, type_: QuantizedType, index: int) -> int:
    expressed = type_.expressed
    low, high = type_.storage_min, type_.storage_max
    if np.isnan(value):
        return min(max(0, low), high)
    sum_ = value
    if np.isfinite(sum_):
        sum_ = rounded(Fraction(value) / exact(type_.scales[index], expressed), expressed)
    if np.isfinite(sum_):
        sum_ = rounded(Fraction(sum_) + exact(type_.zero_points[index], expressed), expressed)
    if np.isnan(sum_):  # how a type without infinity spells overflow
        return min(max(0, low), high)
    least, most = (rounded(Fraction(bound), expressed) for bound in (low, high))
    clamped = max(sum_, least) if not np.isnan(least) else sum_
    clamped = min(clamped, most) if not np.isnan(most) else clamped
    if np.isinf(clamped):
        return high if clamped > 0 else low
    return min(max(round(Fraction(clamped)), low), high)


@st.composite
def types(draw: st.DrawFn, *, count: int = 3) -> QuantizedType:
    storage, expressed = draw(st.sampled_from(STORAGE)), draw(st.sampled_from(EXPRESSED))
    low, high = integer_range(storage)
    limits = draw(st.sampled_from([(low, high), (max(low, -7), min(high, 6))]))
    axis = draw(st.sampled_from([None, 0, 1]))
    size = 1 if axis is None else count
    scales = tuple(draw(st.sampled_from([0.5, 0.1, 2.0, 0.0625, 1.0])) for _ in range(size))
    reach = 100 if expressed.width > 8 else 8  # zero points that every expressed type has
    near = (max(limits[0], -reach), min(limits[1], reach))
    zero_points = tuple(draw(st.integers(*near)) for _ in range(size))
    return QuantizedType.make(storage, expressed, scales, zero_points, axis, limits)


def by_element(function: object, operand: Array, type_: QuantizedType, dtype: np.dtype[np.generic]) -> Array:
    result = np.empty(operand.shape, dtype)
    for index in np.ndindex(operand.shape):
        at = 0 if type_.axis is None else index[type_.axis]
        result[index] = function(operand[index], type_, at)  # pyright: ignore[reportCallIssue] # of scalars, whichever it is
    return result


@settings(max_examples=150, deadline=None)
@given(types(), st.integers(0, 2**32 - 1))
def test_dequantize(type_: QuantizedType, seed: int) -> None:
    low, high = integer_range(type_.storage)
    random = np.random.default_rng(seed)
    operand = random.integers(low, high, (3, 3), np.int64, endpoint=True).astype(type_.dtype)
    expected = by_element(lambda x, *rest: dequantized(int(x), *rest), operand, type_, type_.expressed.dtype)
    assert_same(dequantizer(type_)(operand), expected)


@settings(max_examples=150, deadline=None)
@given(types(), st.integers(0, 2**32 - 1))
def test_quantize(type_: QuantizedType, seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.standard_normal((3, 3)) * random.choice([1.0, 10.0, 1000.0])
    values = np.where(random.random((3, 3)) < 0.2, np.round(values * 4) / 4, values)
    if float_format(type_.expressed).special.name == "IEEE":
        values = np.where(random.random((3, 3)) < 0.1, random.choice([np.inf, -np.inf, np.nan]), values)
    operand = values.astype(np.float32).astype(type_.expressed.dtype)
    expected = by_element(lambda x, *rest: quantized(float(x), *rest), operand, type_, type_.dtype)
    assert_same(quantizer(type_)(operand), expected)


@pytest.mark.parametrize("expressed", [F64, F32, BF16, F16], ids=str)
@pytest.mark.parametrize("storage", [I4, I8, UI8, I16, I32], ids=str)
def test_large_arrays_as_small_ones(storage: ElementType, expressed: ElementType) -> None:
    type_ = QuantizedType.make(storage, expressed, (0.3,), (3,))
    random = np.random.default_rng(0)
    low, high = integer_range(storage)
    stored = random.integers(low, high, 20_000, np.int64, endpoint=True).astype(storage.dtype)
    floats = (random.standard_normal(20_000) * 10).astype(expressed.dtype)
    for function, operand in ((dequantizer(type_), stored), (quantizer(type_), floats)):
        parts = [function(operand[start : start + 100]) for start in range(0, operand.size, 100)]
        assert_same(function(operand), np.concatenate(parts))


def test_bits_above_a_narrow_integer_do_not_count() -> None:
    stored = np.array([0x7F, 0xF7], np.uint8).view(I4.dtype)
    type_ = QuantizedType.make(I4, F32, (1.0,), (0,))
    assert_same(dequantizer(type_)(stored), np.array([-1, 7], np.float32))


# Operations as programs of other types -------------------------------------------------------------

UNARY = (
    *(
        "abs",
        "cbrt",
        "ceil",
        "cosine",
        "exponential",
        "exponential_minus_one",
        "floor",
        "log",
        "log_plus_one",
    ),
    *(
        "logistic",
        "negate",
        "round_nearest_afz",
        "round_nearest_even",
        "rsqrt",
        "sign",
        "sine",
        "sqrt",
        "tan",
    ),
    "tanh",
)
BINARY = ("add", "atan2", "divide", "maximum", "minimum", "multiply", "power", "remainder", "subtract")


def converted(name: str, operand: str, source: str, target: str) -> str:
    """A line of a program that dequantizes or quantizes."""
    operation = "uniform_quantize" if "quant" in target else "uniform_dequantize"
    return f"%{name} = stablehlo.{operation} %{operand} : ({source}) -> {target}"


def direct_and_by_floats(name: str, operands: list[QuantizedType], result: QuantizedType) -> tuple[str, str]:
    """An operation on quantized tensors of 600 elements, and its definition in the spec."""
    types_ = [f"tensor<600x{type_}>" for type_ in operands]
    of_result, floats = f"tensor<600x{result}>", f"tensor<600x{result.expressed}>"
    parameters = ", ".join(f"%x{index}: {type_}" for index, type_ in enumerate(types_))
    quantized_operands = ", ".join(f"%x{index}" for index in range(len(operands)))
    float_operands = ", ".join(f"%f{index}" for index in range(len(operands)))
    head = f"func.func @main({parameters}) -> {of_result} {{"
    tail = f"return %result : {of_result} }}"
    direct = f'%result = "stablehlo.{name}"({quantized_operands}) : ({", ".join(types_)}) -> {of_result}'
    by_floats = [
        *(converted(f"f{index}", f"x{index}", type_, floats) for index, type_ in enumerate(types_)),
        f'%computed = "stablehlo.{name}"({float_operands}) : ({", ".join([floats] * len(operands))}) -> {floats}',
        converted("result", "computed", floats, of_result),
    ]
    return "\n".join((head, direct, tail)), "\n".join((head, *by_floats, tail))


@pytest.mark.parametrize("expressed", [F32, BF16], ids=str)
@pytest.mark.parametrize("storage", [I8, UI8, I16], ids=str)
@pytest.mark.parametrize("name", [*UNARY, *BINARY])
@pytest.mark.sample("*-i8-f32", "add-*")
def test_elementwise(name: str, storage: ElementType, expressed: ElementType) -> None:
    zero = 100 if storage is UI8 else 3
    made = [QuantizedType.make(storage, expressed, (scale,), (zero,)) for scale in (0.05, 0.1, 0.02)]
    count = 2 if name in BINARY else 1
    direct, by_floats = direct_and_by_floats(name, made[:count], made[2])
    random = np.random.default_rng(1)
    operands = [random.integers(0, 127, 600).astype(storage.dtype) for _ in range(count)]
    assert_same(evaluate(direct, *operands)[0], evaluate(by_floats, *operands)[0])


def test_the_table_of_a_unary_operation_has_its_results() -> None:
    text = """func.func @main(%x: tensor<?x!quant.uniform<i8:f32, 0.05:3>>) -> tensor<?x!quant.uniform<i8:f32, 0.1>> {
      %0 = stablehlo.exponential %x : (tensor<?x!quant.uniform<i8:f32, 0.05:3>>) -> tensor<?x!quant.uniform<i8:f32, 0.1>>
      return %0 : tensor<?x!quant.uniform<i8:f32, 0.1>>
    }"""
    program = hlokit.load(text)
    values = np.arange(-128, 128).astype(np.int8)
    few = np.concatenate([program(values[start : start + 10]) for start in range(0, 256, 10)])
    assert_same(program(values), few)
    assert_same(program(np.repeat(values, 2)[::-2]), few[::-1])


# Each with its operand types and its result type; `Q` is the element type.
COMPUTING = [
    ("stablehlo.dot", "", ["4x4xQ", "4x4xQ"], "4x4xQ"),
    ("stablehlo.einsum", 'einsum_config = "ij,jk->ik"', ["4x4xQ", "4x4xQ"], "4x4xQ"),
    ("stablehlo.unary_einsum", 'einsum_config = "ij->i"', ["4x4xQ"], "4xQ"),
    ("stablehlo.clamp", "", ["4x4xQ", "4x4xQ", "4x4xQ"], "4x4xQ"),
    ("chlo.broadcast_add", "", ["4x4xQ", "4xQ"], "4x4xQ"),
]
MOVING = [
    ("stablehlo.broadcast", "broadcast_sizes = array<i64: 2>", ["4x4xQ"], "2x4x4xQ"),
    ("stablehlo.torch_index_select", "dim = 0 : i64, batch_dims = 0 : i64", ["4x4xQ", "2xi32"], "2x4xQ"),
    ("stablehlo.real_dynamic_slice", "", ["4xQ", "1xi32", "1xi32", "1xi32"], "?xQ"),
    ("stablehlo.dynamic_pad", "", ["4xQ", "Q", "1xi32", "1xi32", "1xi32"], "?xQ"),
    ("stablehlo.dynamic_reshape", "", ["4x4xQ", "1xi32"], "?xQ"),
]
INDICES = {
    "stablehlo.torch_index_select": [[3, 1]],
    "stablehlo.real_dynamic_slice": [[1], [4], [2]],
    "stablehlo.dynamic_pad": [[1], [2], [1]],
    "stablehlo.dynamic_reshape": [[16]],
}


def one_operation(name: str, attributes: str, operands: list[str], result: str) -> str:
    parameters = ", ".join(f"%x{index}: tensor<{type_}>" for index, type_ in enumerate(operands))
    arguments = ", ".join(f"%x{index}" for index in range(len(operands)))
    types_ = ", ".join(f"tensor<{type_}>" for type_ in operands)
    return f"""func.func @main({parameters}) -> tensor<{result}> {{
      %0 = "{name}"({arguments}) {{{attributes}}} : ({types_}) -> tensor<{result}>
      return %0 : tensor<{result}>
    }}"""


def values_for(operands: list[str], seed: int) -> list[Array]:
    random = np.random.default_rng(seed)
    shapes = [[int(size) for size in type_.split("x")[:-1]] for type_ in operands if type_.endswith("Q")]
    return [random.integers(-20, 20, shape).astype(np.int8) for shape in shapes]


@pytest.mark.parametrize(("name", "attributes", "operands", "result"), COMPUTING)
def test_computing(name: str, attributes: str, operands: list[str], result: str) -> None:
    type_ = QuantizedType.make(I8, F32, (0.25,), (3,))
    text = one_operation(name, attributes, operands, result)
    stored = values_for(operands, 4)
    floats = [np.asarray(dequantizer(type_)(operand)) for operand in stored]
    expected = quantizer(type_)(evaluate(text.replace("Q", "f32"), *floats)[0])
    assert_same(evaluate(text.replace("Q", str(type_)), *stored)[0], expected)


@pytest.mark.parametrize(("name", "attributes", "operands", "result"), MOVING)
def test_moving(name: str, attributes: str, operands: list[str], result: str) -> None:
    type_ = QuantizedType.make(I8, F32, (0.25,), (3,))
    text = one_operation(name, attributes, operands, result)
    values = [*values_for(operands, 5), *(np.array(index, np.int32) for index in INDICES.get(name, ()))]
    expected = evaluate(text.replace("Q", "i8"), *values)[0]
    assert_same(evaluate(text.replace("Q", str(type_)), *values)[0], expected)


# The C++ interpreter, which rewrites quantized programs to integer arithmetic: up to one step apart ---


def steps_apart(text: str, *operands: Array) -> int:
    ours = evaluate(text, *operands)[0].astype(np.int64)
    theirs = oracles.reference(text, *operands)[0].astype(np.int64)
    return int(np.abs(ours - theirs).max())


def test_add_and_quantize_like_the_reference() -> None:
    text = """func.func @main(%x: tensor<500xf32>, %y: tensor<500xf32>) -> tensor<500xi8> {
      %0 = stablehlo.uniform_quantize %x : (tensor<500xf32>) -> tensor<500x!quant.uniform<i8:f32, 0.03:-5>>
      %1 = stablehlo.uniform_quantize %y : (tensor<500xf32>) -> tensor<500x!quant.uniform<i8:f32, 0.07:20>>
      %2 = stablehlo.add %0, %1 : (tensor<500x!quant.uniform<i8:f32, 0.03:-5>>,
        tensor<500x!quant.uniform<i8:f32, 0.07:20>>) -> tensor<500x!quant.uniform<i8:f32, 0.05:3>>
      %3 = stablehlo.bitcast_convert %2 : (tensor<500x!quant.uniform<i8:f32, 0.05:3>>) -> tensor<500xi8>
      return %3 : tensor<500xi8>
    }"""
    random = np.random.default_rng(2)
    x, y = (random.standard_normal(500).astype(np.float32) * 2 for _ in range(2))
    assert steps_apart(text, x, y) <= 1


@pytest.mark.parametrize(
    ("rhs", "result"),
    [
        ("i8:f32, 0.03", "i32:f32, 0.0006"),
        ("i8:f32:1, {0.03, 0.01, 0.05}", "i32:f32:1, {0.0006, 0.0002, 0.001}"),
    ],
)
def test_dot_general_like_the_reference(rhs: str, result: str) -> None:
    text = f"""func.func @main(%x: tensor<4x16xf32>, %y: tensor<16x3xi8>) -> tensor<4x3xi32> {{
      %0 = stablehlo.uniform_quantize %x : (tensor<4x16xf32>) -> tensor<4x16x!quant.uniform<i8:f32, 0.02:7>>
      %1 = stablehlo.bitcast_convert %y : (tensor<16x3xi8>) -> tensor<16x3x!quant.uniform<{rhs}>>
      %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (
        tensor<4x16x!quant.uniform<i8:f32, 0.02:7>>, tensor<16x3x!quant.uniform<{rhs}>>)
        -> tensor<4x3x!quant.uniform<{result}>>
      %3 = stablehlo.bitcast_convert %2 : (tensor<4x3x!quant.uniform<{result}>>) -> tensor<4x3xi32>
      return %3 : tensor<4x3xi32>
    }}"""
    random = np.random.default_rng(3)
    x = random.standard_normal((4, 16)).astype(np.float32)
    y = random.integers(-128, 128, (16, 3)).astype(np.int8)
    assert steps_apart(text, x, y) <= 1


# Python --------------------------------------------------------------------------------------------

NEGATE = """func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>> {
  %0 = stablehlo.negate %x : tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.5:1>>
}"""


def test_arguments_and_results_are_stored_integers() -> None:
    program = hlokit.load(NEGATE)
    assert_same(program([3, -2]), np.array([-1, 4], np.int8))
    assert_same(program(np.array([3, -2], np.int8)), np.array([-1, 4], np.int8))
    element_type = program.signature().outputs[0].element_type  # pyright: ignore[reportAttributeAccessIssue] # a tensor's type
    assert isinstance(element_type, QuantizedType)
    assert (element_type.scales, element_type.zero_points) == ((0.5,), (1,))


def test_arguments_that_are_not_stored_integers() -> None:
    program = hlokit.load(NEGATE)
    for argument in ([3.5, 1.0], [128, 0], np.zeros(2, np.float32), np.zeros(2, np.int32)):
        with pytest.raises(hlokit.ArgumentError, match=r"tensor<2x!quant|values of i8"):
            program(argument)


def test_an_operation_that_no_table_has_is_unsupported() -> None:
    operation = Operation("test.unknown", (), (), attributes=None)  # pyright: ignore[reportArgumentType] # unread
    with pytest.raises(hlokit.UnsupportedError, match=r"test\.unknown of quantized types"):
        bind_quantized(lambda _: Kernel(lambda: ()), operation)
