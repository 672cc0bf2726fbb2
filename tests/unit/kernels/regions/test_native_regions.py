"""Native loops over arrays have the results of NumPy's paths, bit for bit: bodies, comparators, trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlokit import _kernels
from hlokit.engine.contract import switches
from hlokit.kernels.regions.reducers import tree_reduce
from hlokit.values.element_types import (
    BF16,
    F32,
    F64,
    I4,
    I8,
    I32,
    UI8,
    UI16,
    UI64,
    ElementType,
    Kind,
)
from hlokit.values.types import TensorType
from tests.unit.kernels.one_op import Array, assert_same, evaluate, sample, tensor
from tests.unit.kernels.regions.region_programs import (
    Body,
    Window,
    apply,
    compare,
    compose,
    reduce_program,
    reduce_window_program,
    sort_program,
)

TYPES = [F32, F64, BF16, I8, I32, UI16]


def both_ways(text: str, *operands: Any) -> tuple[list[Array], list[Array]]:
    """The results with native regions, and without."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(switches.VARIABLE, raising=False)
        native = evaluate(text, *operands)
        patch.setenv(switches.VARIABLE, "native")
        return native, evaluate(text, *operands)


def with_specials(random: np.random.Generator, type_: ElementType, shape: Sequence[int]) -> Array:
    """Some zeros of both signs, infinities and a NaN among normal values."""
    array = sample(random, type_, shape)
    if type_.kind is Kind.FLOAT and array.size:
        special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan]).astype(type_.dtype)
        flat = array.reshape(-1)
        flat[random.integers(0, flat.size, 3)] = special[random.integers(0, 5, 3)]
    return array


def same_but_nans(actual: Array, expected: Array) -> None:
    """Signs and payloads of NaNs aside."""
    if actual.dtype.kind in "fV":
        is_nan = np.isnan(actual)
        np.testing.assert_array_equal(is_nan, np.isnan(expected))
        zero = np.zeros((), actual.dtype)
        actual, expected = np.where(is_nan, zero, actual), np.where(is_nan, zero, expected)
    assert_same(actual, expected)


# Reductions ---------------------------------------------------------------------------------------


def own_sum(types: Sequence[TensorType]) -> str:
    """a + b + a b, which is not a known reducer."""
    t = types[0]
    return f"""
      %0 = stablehlo.multiply %a0, %b0 : {t}
      %1 = stablehlo.add %a0, %b0 : {t}
      %2 = stablehlo.add %0, %1 : {t}
      stablehlo.return %2 : {t}"""


def second_then_first(types: Sequence[TensorType]) -> str:
    """(b1, b1, a constant): results that are arguments, twice, or none."""
    t = types[0]
    return f"%c = stablehlo.constant dense<1> : {t}\n stablehlo.return %b1, %b1, %c : {t}, {t}, {t}"


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=3),
    st.sampled_from([1, 1, 1, 7, 40, 700]),
    st.integers(0, 3),
    st.sampled_from(TYPES),
    st.sampled_from([own_sum, compose]),
    st.integers(0, 1 << 20),
)
def test_reduce(shape: list[int], factor: int, place: int, type_: ElementType, body: Body, seed: int) -> None:
    random = np.random.default_rng(seed)
    shape[place % len(shape)] *= factor
    axes = sorted(random.permutation(len(shape))[: random.integers(1, len(shape) + 1)].tolist())
    count = 2 if body is compose else 1
    operands = [with_specials(random, type_, shape) for _ in range(count)]
    inits = [sample(random, type_, ()) for _ in range(count)]
    text = reduce_program(shape, [type_] * count, axes, body)
    for actual, expected in zip(*both_ways(text, *operands, *inits), strict=True):
        same_but_nans(actual, expected)


@pytest.mark.parametrize("shape", [(3, 70_000), (70_001, 3), (40, 1700, 1), (5, 33, 601), (200_003,)])
def test_reduce_of_many_values(shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(1)
    operand = sample(random, F32, shape) / np.float32(1000)
    for axis in range(len(shape)):
        text = reduce_program(shape, [F32], [axis], own_sum)
        for actual, expected in zip(*both_ways(text, operand, np.float32(2)), strict=True):
            assert_same(actual, expected)


def test_results_that_are_arguments() -> None:
    operands = [np.arange(12 * k, 12 * (k + 1), dtype=np.int32).reshape(4, 3) for k in range(3)]
    text = reduce_program((4, 3), [I32] * 3, [0], second_then_first)
    native, plain = both_ways(text, *operands, *[np.int32(9)] * 3)
    for actual, expected in zip(native, plain, strict=True):
        assert_same(actual, expected)
    np.testing.assert_array_equal(native[0], [21, 22, 23])


@given(st.integers(1, 300))
def test_the_tree(size: int) -> None:
    """Which values are combined, in which order: as in `tree_reduce`, for any size."""

    def apply(lhs: tuple[Array, ...], rhs: tuple[Array, ...]) -> tuple[Array, ...]:
        return (lhs[0] * np.int32(3) + rhs[0],)  # neither commutative nor associative

    multiply, add = (_kernels.find_operation(name, "i32", "i32") for name in ("multiply", "add"))
    body = _kernels.Body(["i32"] * 5, [(multiply, [3], [0, 2], []), (add, [4], [3, 1], [])], [0, 1], [4])
    values: Any = np.random.default_rng(size).integers(-99, 99, size).astype(np.int32)
    init: Array = np.full(1, 5, np.int32)
    (expected,) = apply((init,), tree_reduce(apply, (values[:, None],)))
    result: Any = np.empty(1, np.int32)
    inits: Any = init.astype(np.uint64)
    image: Any = np.array([0, 0, 3, 0, 0], np.uint64)
    body.reduce(image, [values], inits, [result], (1, size, 1))
    assert_same(result, expected)


# Windows ------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=3),
    st.sampled_from([1, 1, 1, 40, 700]),
    st.sampled_from(TYPES),
    st.sampled_from([own_sum, compose, *map(apply, ["add", "multiply", "maximum", "minimum", "subtract"])]),
    st.integers(0, 1 << 20),
)
def test_reduce_window(shape: list[int], factor: int, type_: ElementType, body: Body, seed: int) -> None:
    random = np.random.default_rng(seed)
    shape[int(random.integers(len(shape)))] *= factor
    windows = [Window(*random.integers(1, 4, 4).tolist(), *random.integers(0, 3, 2).tolist()) for _ in shape]
    count = 2 if body is compose else 1
    operands = [with_specials(random, type_, shape) for _ in range(count)]
    inits = [sample(random, type_, ()) for _ in range(count)]
    text = reduce_window_program(shape, [type_] * count, windows, body)
    for actual, expected in zip(*both_ways(text, *operands, *inits), strict=True):
        same_but_nans(actual, expected)


def test_malformed_windows_are_refused() -> None:
    body = _kernels.Body(*SUM)
    result: Any = np.zeros((3, 2), np.int32)
    inits: Any = np.zeros(1, np.uint64)
    body.reduce_windows(IMAGE, [ROWS], inits, [result], [(4, 2, 1, 1, 3), (2, 1, 1, 1, 2)])
    for rows in [(4, 2, 1, 2, 3), (4, 3, 1, 1, 3), (4, 2, 2, 1, 3), (4, 0, 1, 1, 3), (4, 2, 2**63, 2**63, 3)]:
        with pytest.raises(ValueError, match=r"window"):
            body.reduce_windows(IMAGE, [ROWS], inits, [result], [rows, (2, 1, 1, 1, 2)])
    with pytest.raises(ValueError, match="items"):
        body.reduce_windows(IMAGE, [ROWS], inits, [result], [(5, 2, 1, 1, 3), (2, 1, 1, 1, 2)])
    with pytest.raises(ValueError, match="axis"):
        body.reduce_windows(IMAGE, [ROWS[:1, :1]], inits, [result[:1, :1]], [])


# Comparators --------------------------------------------------------------------------------------


def by_difference(types: Sequence[TensorType]) -> str:
    """a - b < 0: an order, but nothing that is compared is a key."""
    t = types[0]
    return f"""
      %d = stablehlo.subtract %a0, %b0 : {t}
      %zero = stablehlo.subtract %a0, %a0 : {t}
      %c = {compare("LT", "%d", "%zero", t)}
      stablehlo.return %c : tensor<i1>"""


def by_both(types: Sequence[TensorType]) -> str:
    """a0 + a1 < b0 + b1, spelled so that no key is found."""
    t = types[0]
    return f"""
      %0 = stablehlo.subtract %a0, %b0 : {t}
      %1 = stablehlo.subtract %b1, %a1 : {t}
      %c = {compare("LT", "%0", "%1", t)}
      stablehlo.return %c : tensor<i1>"""


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=3),
    st.sampled_from([1, 1, 9, 150]),
    st.sampled_from([F32, F64, I32, BF16]),
    st.sampled_from([by_difference, by_both]),
    st.integers(0, 1 << 20),
)
def test_sort(shape: list[int], factor: int, type_: ElementType, comparator: Body, seed: int) -> None:
    random = np.random.default_rng(seed)
    dimension = int(random.integers(len(shape)))
    shape[dimension] *= factor
    keys = [random.integers(-9, 9, shape).astype(type_.dtype) for _ in range(2)]
    places = np.arange(keys[0].size, dtype=np.int32).reshape(shape)
    text = sort_program(shape, [type_, type_, I32], dimension, comparator)
    for actual, expected in zip(*both_ways(text, *keys, places), strict=True):
        assert_same(actual, expected)


def test_a_comparator_that_is_no_order_permutes() -> None:
    def always(types: Sequence[TensorType]) -> str:
        return "%c = stablehlo.constant dense<true> : tensor<i1>\n stablehlo.return %c : tensor<i1>"

    values = np.arange(1000, dtype=np.int32)
    (result,) = evaluate(sort_program((1000,), [I32], 0, always), values)
    np.testing.assert_array_equal(np.sort(result), values)


def test_comparators_see_captured_values() -> None:
    text = """
      func.func @main(%x: tensor<50xi32>, %k: tensor<i32>) -> tensor<50xi32> {
        %r = "stablehlo.sort"(%x) ({
          ^bb0(%a: tensor<i32>, %b: tensor<i32>):
            %d = stablehlo.subtract %a, %b : tensor<i32>
            %c = stablehlo.compare LT, %d, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
        }) {dimension = 0 : i64, is_stable = true} : (tensor<50xi32>) -> tensor<50xi32>
        return %r : tensor<50xi32>
      }"""
    values = np.random.default_rng(0).permutation(50).astype(np.int32)
    native, plain = both_ways(text, values, np.int32(0))
    assert_same(native[0], plain[0])
    np.testing.assert_array_equal(native[0], np.arange(50))


# Scatters -----------------------------------------------------------------------------------------


def scatter_text(
    shape: Sequence[int], updates: Sequence[int], indices: TensorType, type_: ElementType, count: int
) -> str:
    """x = x c + u of `count` inputs, the c captured; the leading dimension is indexed."""
    inputs, new, scalar = tensor(shape, type_), tensor(updates, type_), tensor((), type_)
    names = [f"%x{k}" for k in range(count)], [f"%u{k}" for k in range(count)]
    windows = list(range(1, len(shape)))
    body = "\n".join(
        f"""%m{k} = stablehlo.multiply %a{k}, %c : {scalar}
            %r{k} = stablehlo.add %m{k}, %b{count - 1 - k} : {scalar}"""
        for k in range(count)
    )
    arguments = [f"%{side}{k}: {scalar}" for side in "ab" for k in range(count)]
    parameters = [
        *[f"{name}: {inputs}" for name in names[0]],
        f"%i: {indices}",
        *[f"{name}: {new}" for name in names[1]],
        f"%c: {scalar}",
    ]
    outputs = ", ".join([str(inputs)] * count)
    return f"""
      func.func @main({", ".join(parameters)}) -> ({outputs}) {{
        %r:{count} = "stablehlo.scatter"({", ".join((*names[0], "%i", *names[1]))}) ({{
          ^bb0({", ".join(arguments)}):
            {body}
            stablehlo.return {", ".join(f"%r{k}" for k in range(count))} : {", ".join([str(scalar)] * count)}
        }}) {{scatter_dimension_numbers = #stablehlo.scatter<
          update_window_dims = {windows}, inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
          index_vector_dim = 1>}} : ({", ".join([str(inputs)] * count + [str(indices)] + [str(new)] * count)}) -> ({outputs})
        return {", ".join(f"%r#{k}" for k in range(count))} : {outputs}
      }}"""


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([(), (1,), (3,), (2, 4), (40,), (700,)]),
    st.integers(1, 60),
    st.sampled_from([1, 5, 300]),
    st.sampled_from(TYPES),
    st.sampled_from([I32, I8, UI8, UI64, I4]),
    st.integers(1, 2),
    st.integers(0, 1 << 20),
)
def test_scatter(
    row: tuple[int, ...],
    rows: int,
    updates: int,
    type_: ElementType,
    index_type: ElementType,
    count: int,
    seed: int,
) -> None:
    random = np.random.default_rng(seed)
    least = -2 if index_type.kind is Kind.SIGNED else 0
    most = min(rows + 2, 7 if index_type.width == 4 else 99)
    indices = random.integers(least, most, (updates, 1)).astype(index_type.dtype)
    inputs = [with_specials(random, type_, (rows, *row)) for _ in range(count)]
    new = [with_specials(random, type_, (updates, *row)) for _ in range(count)]
    factor = np.array(0.5 if type_.kind is Kind.FLOAT else 3).astype(type_.dtype)
    text = scatter_text((rows, *row), (updates, *row), tensor(indices.shape, index_type), type_, count)
    for actual, expected in zip(*both_ways(text, *inputs, indices, *new, factor), strict=True):
        same_but_nans(actual, expected)


# Programs -----------------------------------------------------------------------------------------

ADD = _kernels.find_operation("add", "i32", "i32")
SUM = (["i32"] * 3, [(ADD, [2], [0, 1], [])], [0, 1], [2])


@pytest.mark.parametrize(
    "program",
    [
        (["i32"], [], [1], [0]),
        (["i32"], [], [0], [1]),
        (["i32"], [], [0, 0], [0]),
        (["i32"] * 3, [(ADD, [0], [0, 1], [])], [0, 1], [0]),
        (["i32"] * 3, [(ADD, [2], [0, 1], [])] * 2, [0, 1], [2]),
        (["i32"] * 4, [(ADD, [2], [0, 3], []), (ADD, [3], [0, 1], [])], [0, 1], [2]),
        (["i32"] * 3, [(-1, [], [], [0])], [0, 1], [2]),
        (["i32", "i32", "i64"], [(ADD, [2], [0, 1], [])], [0, 1], [2]),
        (["i32"] * 3, [(ADD, [2], [0], [])], [0, 1], [2]),
        (["i32"] * 3, [(ADD, [2, 2], [0, 1], [])], [0, 1], [2]),
        (["i32"] * 3, [(10**6, [2], [0, 1], [])], [0, 1], [2]),
    ],
)
def test_malformed_bodies_are_refused(
    program: tuple[list[str], list[Any], list[int], list[int]],
) -> None:
    with pytest.raises(ValueError, match=r"register|input|operation|hold|operands"):
        _kernels.Body(*program)


IMAGE: Any = np.zeros(3, np.uint64)
ROWS: Any = np.zeros((4, 2), np.int32)
NEW: Any = np.ones((3, 2), np.int32)
PLACES: Any = np.zeros((1, 3), np.int64)


@pytest.mark.parametrize(
    "arguments",
    [
        (IMAGE[:2], [ROWS], [NEW], PLACES, "i64", [(4, 1)], 4, 2),
        (IMAGE, [], [NEW], PLACES, "i64", [(4, 1)], 4, 2),
        (IMAGE, [ROWS], [NEW[:2]], PLACES, "i64", [(4, 1)], 4, 2),
        (IMAGE, [ROWS.astype(np.int64)], [NEW], PLACES, "i64", [(4, 1)], 4, 2),
        (IMAGE, [ROWS[:, ::-1]], [NEW], PLACES, "i64", [(4, 1)], 4, 2),
        (IMAGE, [ROWS], [NEW], PLACES[0], "i64", [(4, 1)], 4, 2),
        (IMAGE, [ROWS], [NEW], PLACES, "i32", [(4, 1)], 4, 2),
        (IMAGE, [ROWS], [NEW], PLACES, "f64", [(4, 1)], 4, 2),
        (IMAGE, [ROWS], [NEW], PLACES, "i64", [(5, 1)], 4, 2),
        (IMAGE, [ROWS], [NEW], PLACES, "i64", [(4, 2)], 4, 2),
        (IMAGE, [ROWS], [NEW], PLACES, "i64", [(2**62, 2**62)], 4, 2),
        (IMAGE, [ROWS], [NEW], PLACES, "i64", [(4, -1)], 4, 2),
        (IMAGE, [ROWS], [NEW], PLACES, "i64", [], 4, 2),
        (IMAGE, [ROWS], [NEW], PLACES, "i64", [(4, 1)] * 2, 4, 2),
        (IMAGE, [ROWS], [NEW], PLACES, "i64", [(4, 1)], 2**62, 2**62),
    ],
)
def test_malformed_scatters_are_refused(arguments: tuple[object, ...]) -> None:
    body = _kernels.Body(*SUM)
    with pytest.raises((ValueError, BufferError)):
        body.scatter(*arguments)  # type: ignore[arg-type] # what no caller may pass
    body.scatter(IMAGE, [ROWS.copy()], [NEW], PLACES, "i64", [(4, 1)], 4, 2)


def test_malformed_reductions_and_sorts_are_refused() -> None:
    body = _kernels.Body(*SUM)
    result: Any = np.zeros(2, np.int32)
    inits: Any = np.zeros(1, np.uint64)
    order: Any = np.zeros((4, 2), np.int64)
    for shape in [(1, 4, 3), (1, 0, 2), (2**40, 2**40, 2)]:
        with pytest.raises(ValueError, match=r"items|values|elements"):
            body.reduce(IMAGE, [ROWS], inits, [result], shape)
    with pytest.raises(ValueError, match="items"):
        body.reduce(IMAGE, [ROWS], inits[:0], [result], (1, 4, 2))
    with pytest.raises(ValueError, match="comparator"):
        body.sort(IMAGE, [ROWS], order)
    less = _kernels.Body(
        ["i32", "i32", "i1"], [(_kernels.find_operation("LT", "i1", "i32"), [2], [0, 1], [])], [0, 1], [2]
    )
    for order in (np.zeros((4, 3), np.int64), np.zeros((4, 2), np.int32), np.zeros(8, np.int64)):
        with pytest.raises(ValueError, match=r"order|items"):
            less.sort(IMAGE, [ROWS], order)
