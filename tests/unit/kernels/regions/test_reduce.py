"""reduce against folds in exact or wide arithmetic, against XLA, and its fast paths against its plain ones."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlokit
import oracles
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.kernels.regions import reduce as reduce_module
from hlokit.kernels.regions.arg_extremum import find_arg_extremum
from hlokit.values.element_types import ELEMENT_TYPES, F32, F64, I1, I8, I32, ElementType, Kind
from tests.unit.kernels.one_op import Array, assert_near, assert_same, evaluate, sample
from tests.unit.kernels.regions.region_programs import (
    apply,
    compare,
    compose,
    reduce_program,
    through_reshape,
)

# NumPy computes arg extrema of operands of any size.
BY_NUMPY = DEFAULTS._replace(arg_extremum_elements=0)

INTEGERS = [type_ for type_ in ELEMENT_TYPES.values() if type_.kind.is_integer and type_.name != "index"]
FLOATS = ["f64", "f32", "bf16", "f16", "f8E4M3FN", "f8E5M2FNUZ", "f6E2M3FN", "f4E2M1FN"]

EXACT = {
    "add": lambda a, b: a + b,
    "multiply": lambda a, b: a * b,
    "maximum": max,
    "minimum": min,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


def wrap(value: int, type_: ElementType) -> int:
    value %= 1 << type_.width
    return value - (1 << type_.width) if type_.kind is Kind.SIGNED and value >> (type_.width - 1) else value


def in_rows(array: Array, dimensions: Sequence[int]) -> Array:
    """Values to be reduced, in order, as the first axis."""
    axes = sorted(dimensions)
    moved = np.moveaxis(array, axes, range(len(axes)))
    return moved.reshape(math.prod(moved.shape[: len(axes)]), *moved.shape[len(axes) :])


shapes = st.lists(st.integers(0, 5), min_size=0, max_size=4)


@st.composite
def shapes_and_dimensions(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    shape = draw(shapes)
    return shape, [axis for axis in range(len(shape)) if draw(st.booleans())]


@settings(max_examples=60)
@given(shapes_and_dimensions(), st.sampled_from(INTEGERS), st.sampled_from(sorted(EXACT)), st.integers(0, 99))
def test_integers_wrap_at_their_width(
    where: tuple[list[int], list[int]], type_: ElementType, name: str, seed: int
) -> None:
    shape, dimensions = where
    random = np.random.default_rng(seed)
    operand, init = sample(random, type_, shape), sample(random, type_, ())
    (result,) = evaluate(reduce_program(shape, [type_], dimensions, apply(name)), operand, init)
    rows = in_rows(operand, dimensions)
    expected = np.empty(rows.shape[1:], type_.dtype)
    for index in np.ndindex(expected.shape):
        total = int(init)
        for value in rows[(slice(None), *index)]:
            total = EXACT[name](total, int(value))
        expected[index] = np.array(wrap(total, type_)).astype(type_.dtype)
    assert result.dtype == type_.dtype
    assert result.shape == expected.shape
    assert (result == expected).all()


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("dimensions", [[0], [1], [0, 1]])
def test_sums_are_rounded_once(name: str, dimensions: list[int]) -> None:
    type_ = ELEMENT_TYPES[name]
    random = np.random.default_rng(1)
    operand, init = sample(random, type_, (70, 40)), np.zeros((), type_.dtype)
    (result,) = evaluate(reduce_program((70, 40), [type_], dimensions, apply("add")), operand, init)
    rows = in_rows(operand, dimensions)
    exact = np.array(
        [
            float(sum(map(Fraction, column.tolist())))
            for column in rows.astype(np.float64).reshape(len(rows), -1).T
        ]
    )
    if name == "f64":
        scale = np.abs(rows).sum(0)
        assert (np.abs(result.reshape(-1) - exact) <= 1e-15 * scale.reshape(-1)).all()
    else:
        assert_same(result.reshape(-1), exact.astype(np.float32).astype(type_.dtype))


@pytest.mark.parametrize(
    "shape, dimensions", [((100_000,), [0]), ((20_000, 5), [0]), ((3, 30_000), [1]), ((200, 3, 99), [0, 2])]
)
def test_large_f64_sums_are_as_accurate_as_pairwise_ones(
    shape: tuple[int, ...], dimensions: list[int]
) -> None:
    operand = np.random.default_rng(2).random(shape)
    program = hlokit.load(reduce_program(shape, [F64], dimensions, apply("add")))
    rows = in_rows(operand, dimensions)
    exact = np.array([math.fsum(column) for column in rows.reshape(len(rows), -1).T])
    for array in (operand, np.asfortranarray(operand)):
        result = program(array, 0.0).reshape(-1)
        # Half a unit in the last place for each of some 17 levels, and some for the runs that NumPy adds up.
        assert (np.abs(result - exact) <= 24 * np.spacing(exact)).all()


def test_order_of_memory_changes_no_sum_of_f32() -> None:
    operand = np.random.default_rng(3).standard_normal((300, 200)).astype(np.float32)
    program = hlokit.load(reduce_program((300, 200), [F32], [0], apply("add")))
    assert_same(program(operand, np.float32(1)), program(np.asfortranarray(operand), np.float32(1)))
    assert_same(program(operand, np.float32(1)), program(operand[::-1, :][::-1, :], np.float32(1)))
    operand = operand.reshape(20, 75, 40)
    for dimensions in ([0], [1], [2], [0, 1], [1, 2]):
        program = hlokit.load(reduce_program(operand.shape, [F32], dimensions, apply("add")))
        for order in itertools.permutations(range(3)):
            transposed = operand.transpose(order).copy().transpose(np.argsort(order))
            assert_same(program(operand, np.float32(1)), program(transposed, np.float32(1)))


@pytest.mark.parametrize(
    "shape", [(3000, 2), (2, 3000), (10, 500, 16), (500, 10, 4), (5, 1000, 17), (4096, 1)]
)
def test_layouts_agree_with_numpy(shape: tuple[int, ...]) -> None:
    operand = sample(np.random.default_rng(4), I32, shape)
    for name, ufunc in (("add", np.add), ("maximum", np.maximum), ("xor", np.bitwise_xor)):
        for dimensions in ([0], [1], [0, 1]):
            program = reduce_program(shape, [I32], dimensions, apply(name))
            (result,) = evaluate(program, operand, np.int32(-5))
            assert_same(result, ufunc(ufunc.reduce(operand, tuple(dimensions), np.int32), np.int32(-5)))


@settings(max_examples=40)
@given(shapes_and_dimensions(), st.integers(0, 99), st.booleans())
def test_bodies_that_do_not_commute_see_values_in_order(
    where: tuple[list[int], list[int]], seed: int, is_pointwise: bool
) -> None:
    shape, dimensions = where
    random = np.random.default_rng(seed)
    operands = [sample(random, I8, shape) for _ in range(2)]
    inits = [sample(random, I8, ()) for _ in range(2)]
    body = compose if is_pointwise else through_reshape(compose)
    results = evaluate(reduce_program(shape, [I8, I8], dimensions, body), *operands, *inits)
    a_rows, b_rows = (in_rows(operand, dimensions).astype(int) for operand in operands)
    a, b = (np.full(a_rows.shape[1:], int(init)) for init in inits)
    for a_row, b_row in zip(a_rows, b_rows, strict=True):
        a, b = a * a_row % 256, (a * b_row + b) % 256
    assert_same(results[0], a.astype(np.int8))
    assert_same(results[1], b.astype(np.int8))


def test_a_tree_in_blocks_is_in_order() -> None:
    size = (1 << 17) + 12_345
    random = np.random.default_rng(5)
    operands = [sample(random, I32, (size,)) | 1 for _ in range(2)]
    a, b = evaluate(reduce_program((size,), [I32, I32], [0], compose), *operands, np.int32(1), np.int32(0))
    factor, shift = 1, 0
    for x, y in zip(operands[0].tolist(), operands[1].tolist(), strict=True):
        factor, shift = factor * x & 0xFFFFFFFF, (factor * y + shift) & 0xFFFFFFFF
    assert int(a) & 0xFFFFFFFF == factor
    assert int(b) & 0xFFFFFFFF == shift


@settings(max_examples=50)
@given(
    st.lists(st.sampled_from([0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan]), max_size=9),
    st.sampled_from(["maximum", "minimum"]),
    st.sampled_from(["f32", "f64", "bf16", "f8E4M3"]),
)
def test_extrema_tell_zeros_apart(values: list[float], name: str, type_name: str) -> None:
    type_ = ELEMENT_TYPES[type_name]
    operand = np.array(values).astype(type_.dtype)
    init = np.array(-math.inf if name == "maximum" else math.inf).astype(type_.dtype)
    (result,) = evaluate(reduce_program((len(values),), [type_], [0], apply(name)), operand, init)
    # IEEE 754-2019, maximum: NaN wins, and +0 is greater than -0.
    if any(map(math.isnan, values)):
        assert np.isnan(result)
        return
    pick = max if name == "maximum" else min
    expected = pick([*values, float(init)], key=lambda value: (value, math.copysign(1, value)))
    assert_same(result, np.array(expected).astype(type_.dtype))


def argmax_body(direction: str, *, keeps_nan: bool, first: bool) -> Any:
    """Front ends' ways to write argmax and argmin."""

    def body(types: Sequence[Any]) -> str:
        value, index = types
        nan = compare("NE", "%a0", "%a0", value) if keeps_nan else "stablehlo.not %yes : tensor<i1>"
        return f"""
          %yes = {compare("EQ", "%a1", "%a1", index)}
          %better = {compare(direction, "%a0", "%b0", value)}
          %nan = {nan}
          %wins = stablehlo.or %better, %nan : tensor<i1>
          %equal = {compare("EQ", "%a0", "%b0", value)}
          %before = {compare("LT" if first else "GT", "%a1", "%b1", index)}
          %tie = stablehlo.and %equal, %before : tensor<i1>
          %keeps = stablehlo.or %wins, %tie : tensor<i1>
          %value = stablehlo.select %wins, %a0, %b0 : tensor<i1>, {value}
          %index = stablehlo.select %keeps, %a1, %b1 : tensor<i1>, {index}
          stablehlo.return %value, %index : {value}, {index}"""

    return body


@settings(max_examples=60)
@given(
    st.lists(
        st.sampled_from([0.0, -0.0, 1.0, 2.0, -1.0, math.inf, -math.inf, math.nan]), min_size=0, max_size=12
    ),
    st.sampled_from(["GT", "LT"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["f32", "bf16", "f16", "i32", "ui8", "i4", "i1"]),
    st.booleans(),
)
def test_argmax_by_numpy_agrees_with_its_body(
    values: list[float], direction: str, keeps_nan: bool, first: bool, type_name: str, ascending: bool
) -> None:
    type_ = ELEMENT_TYPES[type_name]
    if type_.kind is not Kind.FLOAT:
        values = [abs(value) for value in values if math.isfinite(value)]
    elif not keeps_nan:
        # Then the result depends on the schedule: NaN is neither better nor worse than anything.
        values = [value for value in values if not math.isnan(value)]
    operand = np.array(values).astype(type_.dtype)
    indices = np.arange(len(values), dtype=np.int32)[:: 1 if ascending else -1].copy()
    body = argmax_body(direction, keeps_nan=keeps_nan, first=first)
    arguments: Any = (operand, indices, np.zeros((), type_.dtype), np.int32(-1))
    compiled = evaluate(reduce_program(operand.shape, [type_, I32], [0], body), *arguments)
    fast_program = hlokit.load(reduce_program(operand.shape, [type_, I32], [0], body))
    fast = fast_program.with_thresholds(BY_NUMPY)(*arguments)
    plain = evaluate(reduce_program(operand.shape, [type_, I32], [0], through_reshape(body)), *arguments)
    for one, two, other in zip(fast, compiled, plain, strict=True):
        assert_same(one, other)
        assert_same(two, other)


def test_argmax_of_many_short_rows() -> None:
    numbers = [math.nan, 7.0, 0.0, -1.0, 2.0, 3.0]
    random = np.random.default_rng(8)
    for length, direction, type_ in itertools.product((2, 3, 16), ("GT", "LT"), (F32, I32)):
        is_float = type_ is F32
        operand = random.choice(numbers if is_float else numbers[1:], (300, length)).astype(type_.dtype)
        indices = np.broadcast_to(np.arange(length, dtype=np.int32), operand.shape)
        init = type_.dtype.type(-9 if direction == "GT" else 9)
        body = argmax_body(direction, keeps_nan=is_float, first=True)
        program = hlokit.load(reduce_program(operand.shape, [type_, I32], [1], body))
        values, places = program.with_thresholds(BY_NUMPY)(operand, indices, init, np.int32(length))
        for row, value, place in zip(operand.tolist(), values.tolist(), places.tolist(), strict=True):
            nans = [index for index, number in enumerate(row) if math.isnan(number)]
            best = max(row) if direction == "GT" else min(row)
            assert place == (nans[0] if nans else row.index(best)), (row, direction)
            assert math.isnan(value) if nans else value == best, (row, direction)


def test_argmax_is_found_and_its_relatives_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def spy(body: Any) -> Any:
        seen.append(find_arg_extremum(body))
        return seen[-1]

    monkeypatch.setattr(reduce_module, "find_arg_extremum", spy)

    def found(body: Any, type_: ElementType = F32) -> Any:
        zeros = np.zeros(4, type_.dtype), np.zeros(4, np.int32), np.zeros((), type_.dtype), np.int32(0)
        hlokit.load(reduce_program((4,), [type_, I32], [0], body)).with_thresholds(BY_NUMPY)(*zeros)
        return seen.pop()

    maximum = found(argmax_body("GT", keeps_nan=True, first=True))
    assert (maximum.find, maximum.wants_nan) == (np.argmax, True)
    minimum = found(argmax_body("LT", keeps_nan=False, first=True))
    assert (minimum.find, minimum.wants_nan) == (np.argmin, False)
    assert found(argmax_body("LT", keeps_nan=False, first=True), I8) is not None
    assert found(argmax_body("GT", keeps_nan=True, first=True), I1) is not None
    assert found(argmax_body("GT", keeps_nan=True, first=False)) is None
    assert found(argmax_body("NE", keeps_nan=True, first=True)) is None
    assert found(compose_of_two_types) is None


def compose_of_two_types(types: Sequence[Any]) -> str:
    return f"""
      %0 = stablehlo.add %a0, %b0 : {types[0]}
      %1 = stablehlo.maximum %a1, %b1 : {types[1]}
      stablehlo.return %0, %1 : {types[0]}, {types[1]}"""


@pytest.mark.parametrize("wide", ["f64", "f32"])
def test_operands_are_promoted_to_the_body_type(wide: str) -> None:
    operand = sample(np.random.default_rng(6), ELEMENT_TYPES["bf16"], (5, 7))
    text = reduce_program((5, 7), [ELEMENT_TYPES["bf16"]], [1], apply("add"), ELEMENT_TYPES[wide])
    (result,) = evaluate(text, operand, np.zeros((), operand.dtype))
    assert_near(result, operand.astype(np.float64).sum(1).astype(wide.replace("f", "float")), 1e-6)


@pytest.mark.parametrize("type_name", ["f32", "f64", "i32", "complex<f32>", "bf16"])
@pytest.mark.parametrize("name", ["add", "multiply", "maximum"])
def test_agrees_with_xla(type_name: str, name: str) -> None:
    type_ = ELEMENT_TYPES[type_name]
    if type_.kind is Kind.COMPLEX and name == "maximum":
        pytest.skip("XLA:CPU does not compile it")
    random = np.random.default_rng(7)
    operand, init = sample(random, type_, (6, 9, 4)), sample(random, type_, ())
    text = reduce_program((6, 9, 4), [type_], [0, 2], apply(name))
    (expected,) = oracles.xla(text, operand, init)
    (result,) = evaluate(text, operand, init)
    assert_near(result, expected, {"bf16": 2.0**-5, "i32": 0}.get(type_name, 1e-5))


NAN_WITH_ALL_BITS = {
    "bf16": "0xFFFF",
    "f16": "0xFFFF",
    "f8E4M3FN": "0xFF",
    "f8E5M2": "0xFF",
    "f32": "0xFFFFFFFF",
}


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum"])
@pytest.mark.parametrize("type_", NAN_WITH_ALL_BITS)
def test_without_values_the_result_is_the_initial_value_with_all_bits(type_: str, name: str) -> None:
    for shape in ("2x0", "?x0", "0x3"):
        assert bits_without_values(type_, name, shape) == {0xFF}, shape


def bits_without_values(type_: str, name: str, shape: str) -> set[int]:
    """The bytes of the results of three runs."""
    t, array = f"tensor<{type_}>", f"tensor<{shape}x{type_}>"
    program = hlokit.load(f"""
      func.func @main(%x: {array}) -> {t} {{
        %i = stablehlo.constant dense<{NAN_WITH_ALL_BITS[type_]}> : {t}
        %0 = stablehlo.reduce(%x init: %i) applies stablehlo.{name} across dimensions = [0, 1] : ({array}, {t}) -> {t}
        return %0 : {t}
      }}""")
    x = np.zeros([int(size) for size in shape.replace("?", "2").split("x")], ELEMENT_TYPES[type_].dtype)
    return set(b"".join(np.asarray(program(x)).tobytes() for _ in range(3)))
