"""Operations that arrange, repeat and count elements, against the spec's formulas index by index."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlokit
import oracles
from hlokit.engine.interpreter.planner import Planner
from hlokit.errors import EvaluationError
from hlokit.kernels.shapes import constants
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind, element_type_of
from hlokit.values.types import TensorType

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]

TYPES = [pytest.param(row, id=name) for name, row in ELEMENT_TYPES.items() if name != "index"]
shapes = st.lists(st.integers(0, 4), max_size=4).map(tuple)


def spelled(shape: Shape, element_type: str = "i32") -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element_type}>"


def type_of(array: Array) -> str:
    return str(TensorType(array.shape, element_type_of(array.dtype)))


def numbered(shape: Shape) -> Array:
    array = np.arange(np.prod(shape, dtype=int), dtype=np.int32).reshape(shape)
    array.flags.writeable = False
    return array


def one_op(operation: str, operands: list[Array], result: str) -> str:
    """A program of one operation; `operation` has its name, operands %0, %1, ... and attributes."""
    types = ", ".join(map(type_of, operands))
    arguments = ", ".join(f"%{i}: {type_of(operand)}" for i, operand in enumerate(operands))
    return f"func.func @main({arguments}) -> {result} {{\n  %r = {operation} : ({types}) -> {result}\n  return %r : {result}\n}}"


def i64s(values: Any) -> str:
    return f"array<i64{':' if len(values) else ''} {', '.join(map(str, values))}>"


def bits_of(rng: np.random.Generator, shape: Shape, element_type: ElementType) -> Array:
    """Any values of a type."""
    if element_type.kind is Kind.BOOL or element_type.is_narrow_integer:
        return rng.integers(0, 4, shape).astype(element_type.dtype)
    count = int(np.prod(shape)) * element_type.dtype.itemsize
    raw = rng.integers(0, 1 << min(element_type.width, 8), count, dtype=np.uint8)
    return raw.view(element_type.dtype).reshape(shape)


def assert_bits_equal(actual: Array, expected: Array) -> None:
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    assert actual.tobytes() == expected.tobytes()


@pytest.mark.parametrize("element_type", TYPES)
def test_elements_of_every_type_are_moved_bit_by_bit(element_type: ElementType) -> None:
    rng = np.random.default_rng(0)
    operand = bits_of(rng, (2, 3), element_type)
    padding = bits_of(rng, (), element_type)
    t = element_type.name
    program = hlokit.load(f"""
    func.func @main(%operand: tensor<2x3x{t}>, %padding: tensor<{t}>) -> (tensor<6x{t}>, tensor<5x4x{t}>, tensor<2x2x{t}>) {{
      %0 = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3x{t}>) -> tensor<3x2x{t}>
      %1 = stablehlo.reverse %0, dims = [0] : tensor<3x2x{t}>
      %2 = stablehlo.reshape %1 : (tensor<3x2x{t}>) -> tensor<6x{t}>
      %3 = stablehlo.pad %0, %padding, low = [0, -1], high = [2, 1], interior = [0, 2]
        : (tensor<3x2x{t}>, tensor<{t}>) -> tensor<5x4x{t}>
      %4 = stablehlo.broadcast_in_dim %padding, dims = [] : (tensor<{t}>) -> tensor<2x1x{t}>
      %5 = stablehlo.slice %operand [0:2, 2:3] : (tensor<2x3x{t}>) -> tensor<2x1x{t}>
      %6 = stablehlo.concatenate %4, %5, dim = 1 : (tensor<2x1x{t}>, tensor<2x1x{t}>) -> tensor<2x2x{t}>
      return %2, %3, %6 : tensor<6x{t}>, tensor<5x4x{t}>, tensor<2x2x{t}>
    }}""")
    reshaped, padded, concatenated = program(operand, padding)
    (a, b, c), (d, e, f) = operand
    p = padding[()]
    assert_bits_equal(reshaped, np.array([c, f, b, e, a, d]))
    rows = [[p, p, value, p] for value in (d, e, f)] + [[p] * 4] * 2
    assert_bits_equal(padded, np.array(rows))
    assert_bits_equal(concatenated, np.array([[p, c], [p, f]]))


@given(shapes, st.randoms(use_true_random=False))
def test_transpose(shape: Shape, random: Any) -> None:
    operand = numbered(shape)
    permutation = random.sample(range(len(shape)), len(shape))
    result_shape = tuple(shape[d] for d in permutation)
    text = one_op(
        f'"stablehlo.transpose"(%0) {{permutation = {i64s(permutation)}}}', [operand], spelled(result_shape)
    )
    result = hlokit.load(text)(operand)
    assert result.shape == result_shape
    for index in np.ndindex(result_shape):
        operand_index = [0] * len(shape)
        for d, i in zip(permutation, index, strict=True):
            operand_index[d] = i
        assert result[index] == operand[tuple(operand_index)]


@given(shapes, st.randoms(use_true_random=False), st.sampled_from([1, 5000]))
def test_broadcast_in_dim(shape: Shape, random: Any, large: int) -> None:
    """Small results are copies, large ones views."""
    operand = numbered(shape)
    rank = len(shape) + random.randrange(3)
    dimensions = random.sample(range(rank), len(shape))
    result_shape = [random.randrange(3) for _ in range(rank)]
    for d, size in zip(dimensions, shape, strict=True):
        result_shape[d] = size if size != 1 else random.randrange(4)
    if large > 1 and rank > len(shape):
        result_shape[next(d for d in range(rank) if d not in dimensions)] = large
    text = one_op(
        f'"stablehlo.broadcast_in_dim"(%0) {{broadcast_dimensions = {i64s(dimensions)}}}',
        [operand],
        spelled(tuple(result_shape)),
    )
    result = hlokit.load(text)(operand)
    assert result.shape == tuple(result_shape)
    for index in np.ndindex(*(min(size, 4) for size in result_shape)):
        operand_index = tuple(0 if size == 1 else index[d] for d, size in zip(dimensions, shape, strict=True))
        assert result[index] == operand[operand_index]
    output = np.array(result_shape, np.int32)
    dynamic = one_op(
        f'"stablehlo.dynamic_broadcast_in_dim"(%0, %1) {{broadcast_dimensions = {i64s(dimensions)}}}',
        [operand, output],
        spelled(tuple(result_shape)),
    )
    np.testing.assert_array_equal(hlokit.load(dynamic)(operand, output), result)


@st.composite
def paddings(draw: st.DrawFn) -> tuple[Shape, list[int], list[int], list[int], Shape]:
    shape = draw(shapes)
    interior = [draw(st.integers(0, 3)) for _ in shape]
    inner = [size + max(size - 1, 0) * i for size, i in zip(shape, interior, strict=True)]
    low = [draw(st.integers(-size - 2, 3)) for size in inner]
    high = []
    for size, first in zip(inner, low, strict=True):
        least = -size - first  # leaves nothing
        high.append(draw(st.integers(max(-size - 2, least), 4 + max(0, least))))
    result = tuple(a + b + c for a, b, c in zip(inner, low, high, strict=True))
    return shape, low, high, interior, result


def pad_text(
    operand: Array, value: Array, low: list[int], high: list[int], interior: list[int], shape: Shape
) -> str:
    attributes = f"edge_padding_low = {i64s(low)}, edge_padding_high = {i64s(high)}, interior_padding = {i64s(interior)}"
    return one_op(f'"stablehlo.pad"(%0, %1) {{{attributes}}}', [operand, value], spelled(shape))


@given(paddings())
def test_pad(case: tuple[Shape, list[int], list[int], list[int], Shape]) -> None:
    shape, low, high, interior, result_shape = case
    operand, value = numbered(shape), np.array(-1, np.int32)
    expected = np.full(result_shape, -1, np.int32)
    for index in np.ndindex(shape):
        place = tuple(first + i * (n + 1) for first, i, n in zip(low, index, interior, strict=True))
        if all(0 <= i < size for i, size in zip(place, result_shape, strict=True)):
            expected[place] = operand[index]
    result = hlokit.load(pad_text(operand, value, low, high, interior, result_shape))(operand, value)
    assert_bits_equal(result, expected)
    sizes = [np.array(s, np.int64) for s in (low, high, interior)]
    dynamic = one_op(
        '"stablehlo.dynamic_pad"(%0, %1, %2, %3, %4)', [operand, value, *sizes], spelled(result_shape)
    )
    assert_bits_equal(hlokit.load(dynamic)(operand, value, *sizes), expected)


@settings(max_examples=15)
@given(paddings())
def test_pad_is_xla(case: tuple[Shape, list[int], list[int], list[int], Shape]) -> None:
    shape, low, high, interior, result_shape = case
    operand, value = numbered(shape), np.array(-1, np.int32)
    text = pad_text(operand, value, low, high, interior, result_shape)
    (expected,) = oracles.xla(text, operand, value)
    assert_bits_equal(hlokit.load(text)(operand, value), expected)


@given(shapes, st.randoms(use_true_random=False))
def test_reverse(shape: Shape, random: Any) -> None:
    operand = numbered(shape)
    dimensions = [d for d in range(len(shape)) if random.random() < 0.5]
    text = one_op(f'"stablehlo.reverse"(%0) {{dimensions = {i64s(dimensions)}}}', [operand], type_of(operand))
    result = hlokit.load(text)(operand)
    for index in np.ndindex(shape):
        assert (
            result[index]
            == operand[tuple(shape[d] - i - 1 if d in dimensions else i for d, i in enumerate(index))]
        )


def test_a_long_iota_is_counted_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "_PIECE", 100)
    for name in ("i8", "ui64", "f32", "bf16", "complex<f64>", "f8E4M3FN"):
        program = hlokit.load(f"""func.func @main() -> tensor<2x257x{name}> {{
          %0 = stablehlo.iota dim = 1 : tensor<2x257x{name}>
          return %0 : tensor<2x257x{name}>
        }}""")
        counts = np.arange(257).astype(ELEMENT_TYPES[name].dtype)
        assert program().tobytes() == counts.tobytes() * 2, name


@pytest.mark.parametrize("element_type", [row for row in TYPES if row.id != "i1"])
def test_iota_is_xla(element_type: ElementType) -> None:
    """Also where the type cannot hold the numbers."""
    text = f"func.func @main() -> tensor<20x2x{element_type}> {{\n  %r = stablehlo.iota dim = 0 : tensor<20x2x{element_type}>\n  return %r : tensor<20x2x{element_type}>\n}}"
    result = hlokit.load(text)()
    try:
        (expected,) = oracles.xla(text)
    except oracles.OracleError:
        pytest.skip("XLA does not compile it")
    if element_type.width == 6:
        # XLA has 0 for what is beyond the range.
        beyond = np.arange(20) > float(ml_dtypes.finfo(element_type.dtype).max)
        assert (result[beyond] == ml_dtypes.finfo(element_type.dtype).max).all()
        expected = np.where(beyond[:, None], result, expected)
    assert_bits_equal(result, expected)
    shape = np.array([20, 2], np.int32)
    dynamic = one_op(
        '"stablehlo.dynamic_iota"(%0) {iota_dimension = 0 : i64}', [shape], f"tensor<20x2x{element_type}>"
    )
    assert_bits_equal(hlokit.load(dynamic)(shape), result)


REGION_OPS = [
    "stablehlo.reshape %0 : (tensor<f32>) -> tensor<f32>",
    "stablehlo.transpose %0, dims = [] : (tensor<f32>) -> tensor<f32>",
    "stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<f32>",
    "stablehlo.broadcast %0, sizes = [] : (tensor<f32>) -> tensor<f32>",
    "stablehlo.reverse %0, dims = [] : tensor<f32>",
    "stablehlo.pad %0, %0, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>",
    "stablehlo.dynamic_slice %0, sizes = [] : (tensor<f32>) -> tensor<f32>",
    '"stablehlo.dynamic_update_slice"(%0, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>',
    '"stablehlo.slice"(%0) {start_indices = array<i64>, limit_indices = array<i64>, strides = array<i64>} '
    ": (tensor<f32>) -> tensor<f32>",
]


@pytest.mark.parametrize("operation", REGION_OPS)
def test_scalars_stay_pointwise(operation: str) -> None:
    program = hlokit.load(
        f"func.func @main(%0: tensor<f32>) -> tensor<f32> {{\n  %1 = {operation}\n  return %1 : tensor<f32>\n}}"
    )
    block = Planner(program.module).function("main")
    assert block.is_pointwise
    array = np.arange(3, dtype=np.float32)
    for _ in range(3):  # the plan is compiled on the way
        np.testing.assert_array_equal(block(array), array)


@pytest.mark.parametrize(
    "operation",
    [
        "stablehlo.transpose %0, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>",
        "stablehlo.reverse %0, dims = [1] : tensor<64x64xf32>",
        "stablehlo.slice %0 [0:64:2, 1:2] : (tensor<64x64xf32>) -> tensor<32x1xf32>",
        "stablehlo.reshape %0 : (tensor<64x64xf32>) -> tensor<4096xf32>",
        "stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<64x64xf32>) -> tensor<64x9x64xf32>",
        '"stablehlo.pad"(%0, %p) {edge_padding_low = array<i64: -1, 0>, edge_padding_high = array<i64: 0, -3>, '
        "interior_padding = array<i64: 0, 0>} : (tensor<64x64xf32>, tensor<f32>) -> tensor<63x61xf32>",
    ],
)
def test_results_are_views_where_they_can_be(operation: str) -> None:
    result = operation.rsplit("> ", 1)[-1] if "->" in operation else "tensor<64x64xf32>"
    program = hlokit.load(
        f"func.func @main(%0: tensor<64x64xf32>, %p: tensor<f32>) -> {result} {{\n  %1 = {operation}\n  return %1 : {result}\n}}"
    )
    operand = np.zeros((64, 64), np.float32)
    (value,) = program.runs.evaluate([operand, np.float32(0)], "main")
    assert np.shares_memory(value, operand)


@pytest.mark.parametrize(
    ("operation", "operands", "result", "message"),
    [
        ('"stablehlo.dynamic_reshape"(%0, %1)', [[1, 2], [3]], "?", "3"),
        ('"stablehlo.dynamic_reshape"(%0, %1)', [[1, 2], [-2]], "?", "-2"),
        ('"stablehlo.dynamic_reshape"(%0, %1)', [[1, 2], [1]], "2", "1"),
        ('"stablehlo.dynamic_iota"(%1) {iota_dimension = 0 : i64}', [[0], [-1]], "?", "-1"),
        ('"stablehlo.dynamic_broadcast_in_dim"(%0, %1) {broadcast_dimensions = array<i64: 0>}', [[1, 2], [3]], "?", "3"),
        ('"stablehlo.real_dynamic_slice"(%0, %1, %2, %3)', [[1, 2], [0], [3], [1]], "?", "limit 3"),
        ('"stablehlo.real_dynamic_slice"(%0, %1, %2, %3)', [[1, 2], [-1], [1], [1]], "?", "start -1"),
        ('"stablehlo.real_dynamic_slice"(%0, %1, %2, %3)', [[1, 2], [0], [1], [0]], "?", "stride 0"),
        ('"stablehlo.dynamic_pad"(%0, %pad, %1, %2, %3)', [[1, 2], [0], [0], [-1]], "?", "-1"),
        ('"stablehlo.dynamic_pad"(%0, %pad, %1, %2, %3)', [[1, 2], [-2], [-2], [0]], "?", "-2"),
    ],
)  # fmt: skip
def test_impossible_run_time_values_are_the_programs_fault(
    operation: str, operands: list[list[int]], result: str, message: str
) -> None:
    arrays = [np.array(operand, np.int32) for operand in operands]
    arguments = ", ".join(f"%{i}: {type_of(array)}" for i, array in enumerate(arrays))
    names = operation[operation.index("(") + 1 : operation.index(")")].split(", ")
    types = ", ".join("tensor<i32>" if name == "%pad" else type_of(arrays[int(name[1:])]) for name in names)
    program = hlokit.load(f"""
    func.func @main({arguments}) -> tensor<{result}xi32> {{
      %pad = stablehlo.constant dense<0> : tensor<i32>
      %r = {operation} : ({types}) -> tensor<{result}xi32>
      return %r : tensor<{result}xi32>
    }}""")
    name = operation[operation.index(".") + 1 : operation.index('"(')]
    with pytest.raises(EvaluationError, match=f"(?s){name}: .*{message}"):
        program(*arrays)


HUGE = 1 << 40
NOTHING = f"tensor<0x{HUGE}xf32>"


@pytest.mark.parametrize("tier", ["default", "reference"])
@pytest.mark.parametrize(
    ("operation", "result"),
    [
        (f"stablehlo.iota dim = 1 : {NOTHING}", NOTHING),
        (
            f"stablehlo.transpose %x, dims = [1, 0] : ({NOTHING}) -> tensor<{HUGE}x0xf32>",
            f"tensor<{HUGE}x0xf32>",
        ),
        (f"stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> {NOTHING}", NOTHING),
        (
            f"stablehlo.concatenate %x, %x, dim = 1 : ({NOTHING}, {NOTHING}) -> tensor<0x{2 * HUGE}xf32>",
            f"tensor<0x{2 * HUGE}xf32>",
        ),
        (f"stablehlo.reverse %x, dims = [1] : {NOTHING}", NOTHING),
    ],
)
def test_tensors_of_no_elements_ask_for_no_memory(tier: Any, operation: str, result: str) -> None:
    program = hlokit.load(f"""func.func @main(%x: {NOTHING}, %s: tensor<f32>) -> {result} {{
      %0 = {operation}
      return %0 : {result}
    }}""")
    value = program(np.zeros((0, HUGE), np.float32), np.float32(1), tier=tier)
    assert value.size == 0
    assert HUGE in value.shape or 2 * HUGE in value.shape
