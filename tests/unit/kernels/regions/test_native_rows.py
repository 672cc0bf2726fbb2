"""Known bodies, gathers and top_k in compiled loops have the results of NumPy's paths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlokit import _kernels
from hlokit.values.element_types import (
    BF16,
    COMPLEX_F32,
    COMPLEX_F64,
    F16,
    F32,
    F64,
    I1,
    I8,
    I32,
    I64,
    UI8,
    UI16,
    ElementType,
    Kind,
)
from tests.unit.kernels.one_op import Array, assert_same, sample, tensor
from tests.unit.kernels.regions.region_programs import apply, reduce_program
from tests.unit.kernels.regions.test_native_regions import both_ways, same_but_nans, with_specials

TYPES = [I1, I8, I32, UI16, F32, F64, BF16]
NUMBERS = ("add", "multiply", "maximum", "minimum")
INTEGERS = (*NUMBERS, "and", "or", "xor")


def names_of(type_: ElementType) -> Sequence[str]:
    if type_.kind is Kind.COMPLEX:
        return NUMBERS[:2]
    return NUMBERS if type_.kind is Kind.FLOAT else INTEGERS


# Reductions ---------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=3),
    st.sampled_from([1, 1, 20, 130, 1500]),
    st.integers(0, 2),
    st.sampled_from(TYPES),
    st.integers(0, 6),
    st.integers(0, 1 << 20),
)
def test_reduce(
    shape: list[int], factor: int, place: int, type_: ElementType, number: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    name = names_of(type_)[number % len(names_of(type_))]
    shape[place % len(shape)] *= factor
    axes = sorted(random.permutation(len(shape))[: random.integers(1, len(shape) + 1)].tolist())
    operand, init = with_specials(random, type_, shape), sample(random, type_, ())
    if name in ("add", "multiply") and type_.kind is Kind.FLOAT:
        operand = sample(random, type_, shape)
        if name == "multiply":
            operand = np.sign(operand.astype(np.float32)).astype(type_.dtype)
    (native,), (plain,) = both_ways(reduce_program(shape, [type_], axes, apply(name)), operand, init)
    if type_.kind is Kind.FLOAT and name == "add":
        # In f64 either way, in another order: a last bit may differ.
        assert (native.shape, native.dtype) == (plain.shape, plain.dtype)
        scale = max(1.0, float(np.abs(operand.astype(np.float64)).sum()))
        step = float(ml_dtypes.finfo(type_.dtype).eps)
        difference = np.abs(native.astype(np.float64) - plain.astype(np.float64))
        assert (difference <= step * np.maximum(np.abs(plain.astype(np.float64)), scale * 2.0**-40)).all()
    else:
        same_but_nans(native, plain)


@pytest.mark.parametrize("shape", [(3, 70_001), (70_001, 3), (1000, 1), (1, 5000), (33, 2100)])
@pytest.mark.parametrize("type_", [F32, BF16, F64])
def test_sums_are_rounded_once(shape: tuple[int, int], type_: ElementType) -> None:
    operand = sample(np.random.default_rng(3), type_, shape)
    for axis in (0, 1):
        (native,), _ = both_ways(
            reduce_program(shape, [type_], [axis], apply("add")), operand, np.zeros((), type_.dtype)
        )
        lanes = np.moveaxis(operand, axis, -1).astype(np.float64)
        exact = np.array([math.fsum(lane) for lane in lanes])
        if type_ is F64:
            bound = 2.0**-53 * 16 * np.abs(lanes).sum(-1)
            assert (np.abs(native - exact) <= bound).all()
        else:
            assert_same(native, exact.astype(type_.dtype))


def test_bf16_is_rounded_once_from_f64() -> None:
    """1 + 2^-8 + 2^-30 lies above the middle of two bf16; f32 would put it there, and round to even."""
    operand = np.array([1, 2.0**-8, 2.0**-30]).astype(BF16.dtype)
    (native,), (plain,) = both_ways(
        reduce_program((3,), [BF16], [0], apply("add")), operand, np.zeros((), BF16.dtype)
    )
    assert Fraction(float(native)) == 1 + Fraction(1, 128)
    assert_same(native, plain)


@pytest.mark.parametrize("value", [3.4e38, -3.4e38, np.inf, -np.inf, np.nan, 1e-40, -1e-45])
@pytest.mark.parametrize("type_", [F32, BF16])
def test_sums_at_the_ends_of_the_range(value: float, type_: ElementType) -> None:
    operand = np.full((2, 3), value).astype(type_.dtype)
    (native,), (plain,) = both_ways(
        reduce_program((2, 3), [type_], [0], apply("add")), operand, np.zeros((), type_.dtype)
    )
    same_but_nans(native, plain)


# Scatters -----------------------------------------------------------------------------------------


def scatter_text(
    shape: Sequence[int], updates: Sequence[int], indices: Array, type_: ElementType, name: str
) -> str:
    """The two leading dimensions are indexed, the others are windows."""
    index_type = {np.dtype(np.int32): I32, np.dtype(np.int64): I64, np.dtype(np.uint8): UI8}[indices.dtype]
    inputs, new, scalar = tensor(shape, type_), tensor(updates, type_), tensor((), type_)
    places = tensor(indices.shape, index_type)
    step = "" if name == "replace" else f"%r = stablehlo.{name} %a, %b : {scalar}"
    return f"""
      func.func @main(%x: {inputs}, %i: {places}, %u: {new}) -> {inputs} {{
        %r = "stablehlo.scatter"(%x, %i, %u) ({{
          ^bb0(%a: {scalar}, %b: {scalar}):
            {step}
            stablehlo.return {"%b" if name == "replace" else "%r"} : {scalar}
        }}) {{scatter_dimension_numbers = #stablehlo.scatter<
          update_window_dims = {list(range(1, len(updates)))}, inserted_window_dims = [0, 1],
          scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}} : ({inputs}, {places}, {new}) -> {inputs}
        return %r : {inputs}
      }}"""


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([(), (1,), (3,), (2, 4), (33,)]),
    st.tuples(st.integers(1, 9), st.integers(1, 9)),
    st.sampled_from([1, 7, 600]),
    st.sampled_from([*TYPES, F16, COMPLEX_F32, COMPLEX_F64]),
    st.sampled_from([np.int32, np.int64, np.uint8]),
    st.integers(0, 7),
    st.integers(0, 1 << 20),
)
def test_scatter(
    row: tuple[int, ...],
    rows: tuple[int, int],
    count: int,
    type_: ElementType,
    index_dtype: Any,
    number: int,
    seed: int,
) -> None:
    random = np.random.default_rng(seed)
    names = [*names_of(type_), "replace"]
    name = names[number % len(names)]
    indices = random.integers(0 if index_dtype is np.uint8 else -1, 10, (count, 2)).astype(index_dtype)
    operand, updates = (with_specials(random, type_, (*size, *row)) for size in (rows, (count,)))
    text = scatter_text(operand.shape, updates.shape, indices, type_, name)
    for actual, expected in zip(*both_ways(text, operand, indices, updates), strict=True):
        same_but_nans(actual, expected)


# Gathers ------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from([(), (1,), (3,), (5,), (4, 3), (300,)]),
    st.tuples(st.integers(1, 9), st.integers(1, 9)),
    st.sampled_from([0, 1, 7, 600]),
    st.sampled_from([I1, I8, UI16, BF16, F32, F64]),
    st.sampled_from([np.int32, np.int64, np.uint8]),
    st.integers(0, 1 << 20),
)
def test_gather(
    row: tuple[int, ...],
    rows: tuple[int, int],
    count: int,
    type_: ElementType,
    index_dtype: Any,
    seed: int,
) -> None:
    random = np.random.default_rng(seed)
    low = 0 if index_dtype is np.uint8 else -3
    indices = random.integers(low, 12, (count, 2)).astype(index_dtype)
    operand = sample(random, type_, (*rows, *row))
    index_type = {np.int32: I32, np.int64: I64, np.uint8: UI8}[index_dtype]
    types = tensor(operand.shape, type_), tensor(indices.shape, index_type)
    result = tensor((count, *row), type_)
    text = f"""
      func.func @main(%x: {types[0]}, %i: {types[1]}) -> {result} {{
        %r = "stablehlo.gather"(%x, %i) {{dimension_numbers = #stablehlo.gather<
          offset_dims = {list(range(1, 1 + len(row)))}, collapsed_slice_dims = [0, 1],
          start_index_map = [1, 0], index_vector_dim = 1>,
          slice_sizes = array<i64: {", ".join(map(str, (1, 1, *row)))}>}} : ({types[0]}, {types[1]}) -> {result}
        return %r : {result}
      }}"""
    for actual, expected in zip(*both_ways(text, operand, indices), strict=True):
        assert_same(actual, expected)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([(1,), (3,), (4, 5), (40, 30)]),
    st.sampled_from([(), (3,), (20,)]),
    st.integers(1, 40),
    st.sampled_from([1, 7, 700]),
    st.sampled_from([I1, UI16, F32, COMPLEX_F64]),
    st.integers(0, 1 << 20),
)
def test_gather_of_the_same_rows_of_all_slices(
    slices: tuple[int, ...], row: tuple[int, ...], rows: int, count: int, type_: ElementType, seed: int
) -> None:
    random = np.random.default_rng(seed)
    indices = random.integers(-3, rows + 3, (count, 1)).astype(np.int32)
    operand = sample(random, type_, (*slices, rows, *row))
    axis = len(slices)
    types = tensor(operand.shape, type_), tensor(indices.shape, I32)
    result = tensor((*slices, count, *row), type_)
    offsets = [*range(axis), *range(axis + 1, axis + 1 + len(row))]
    sizes = [*slices, 1, *row]
    text = f"""
      func.func @main(%x: {types[0]}, %i: {types[1]}) -> {result} {{
        %r = "stablehlo.gather"(%x, %i) {{dimension_numbers = #stablehlo.gather<
          offset_dims = {offsets}, collapsed_slice_dims = [{axis}], start_index_map = [{axis}],
          index_vector_dim = 1>, slice_sizes = array<i64: {", ".join(map(str, sizes))}>
        }} : ({types[0]}, {types[1]}) -> {result}
        return %r : {result}
      }}"""
    expected = operand.take(np.clip(indices[:, 0], 0, rows - 1), axis)
    for actual, plain in zip(*both_ways(text, operand, indices), strict=True):
        assert_same(actual, plain)
        assert_same(actual, expected)


# top_k --------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(
    st.integers(0, 4),
    st.sampled_from([0, 1, 40, 63, 64, 65, 128, 255, 256, 257, 320, 1000, 1100]),
    st.one_of(st.integers(0, 40), st.integers(60, 120)),
    st.sampled_from([I1, I8, I32, UI8, UI16, I64, F16, BF16, F32, F64]),
    st.booleans(),
    st.integers(0, 1 << 20),
)
def test_top_k(rows: int, size: int, k: int, type_: ElementType, is_sorted: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    k = min(k, size)
    operand = with_specials(random, type_, (rows, size))
    if type_.kind is Kind.FLOAT:
        operand = np.where(random.random(operand.shape) < 0.5, np.round(operand.astype(np.float64)), operand)
        operand = operand.astype(type_.dtype)
    if is_sorted:
        operand = np.sort(operand, -1)
    results = tensor((rows, k), type_), tensor((rows, k), I32)
    operand_type = tensor(operand.shape, type_)
    text = f"""
      func.func @main(%x: {operand_type}) -> ({results[0]}, {results[1]}) {{
        %r:2 = chlo.top_k(%x, k = {k}) : {operand_type} -> ({results[0]}, {results[1]})
        return %r#0, %r#1 : {results[0]}, {results[1]}
      }}"""
    for actual, expected in zip(*both_ways(text, operand), strict=True):
        assert_same(actual, expected)


@pytest.mark.parametrize("k", [3, 64, 65, 200])
def test_of_equal_elements_the_first_come_first(k: int) -> None:
    values: Any = np.random.default_rng(k).integers(-3, 3, (2, 1000)).astype(np.int8)
    positions: Any = np.zeros((2, k), np.int64)
    _kernels.top_k("i8", True, True, values, positions, 1)
    assert positions.tolist() == np.argsort(-values, -1, kind="stable")[:, :k].tolist()


# Unsupported regions --------------------------------------------------------------------------------

VALUES: Any = np.zeros((4, 2), np.float32)
INIT: Any = np.zeros(1, np.float32)
PLACES: Any = np.zeros((1, 3), np.int64)
NEW: Any = np.ones((3, 2), np.float32)


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", "f31", VALUES, NEW, PLACES, "i64", [(4, 1)], 4, 2),
        ("divide", "f32", VALUES, NEW, PLACES, "i64", [(4, 1)], 4, 2),
        ("add", "f64", VALUES, NEW, PLACES, "i64", [(4, 1)], 4, 2),
        ("add", "f32", VALUES, NEW, PLACES, "i64", [(5, 1)], 4, 2),
        ("add", "f32", VALUES, NEW, PLACES, "i64", [(4, 1)], 5, 2),
        ("add", "f32", VALUES, NEW[1:], PLACES, "i64", [(4, 1)], 4, 2),
        ("add", "f32", VALUES, NEW, PLACES, "i8", [(4, 1)], 4, 2),
    ],
)
def test_malformed_combinations_are_refused(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match=r"there is no|items|indices"):
        _kernels.combine(*arguments)


@pytest.mark.parametrize("type_", [F32, F16, I32, I8], ids=str)
@pytest.mark.parametrize("is_reverse", [False, True])
def test_running_reductions(type_: ElementType, is_reverse: bool) -> None:
    """Rows, columns and slices, for one thread and several."""
    random, is_float = np.random.default_rng(4), type_.kind is Kind.FLOAT
    accumulator = np.float64 if is_float else type_.dtype
    order = slice(None, None, -1 if is_reverse else 1)
    for shape in [(1, 9, 1), (21, 30, 1), (2, 40, 3), (2, 9, 300), (400, 341, 1), (3, 61, 731), (9, 20, 800)]:
        operand: Any = (0.5 + random.random(shape) * (1 if is_float else 9)).astype(type_.dtype)
        for name, init in [("add", 0), ("multiply", 1), ("maximum", 0)]:
            ufunc: np.ufunc = getattr(np, name)
            expected = ufunc.accumulate(operand[:, order].astype(accumulator), 1)[:, order]
            first: Any = np.array(init, type_.dtype)
            for threads in (1, 2, 5):
                result: Any = np.zeros_like(operand)
                _kernels.reduce_running(name, type_.name, operand, first, result, shape, is_reverse, threads)
                np.testing.assert_array_equal(result, expected.astype(type_.dtype))


def test_running_sums_of_f64_keep_their_rounding_errors() -> None:
    line, zero = np.array([1, 1e100, 1, -1e100, 3]), cast(Any, np.zeros(()))
    for shape in [(1, 5, 1), (8, 5, 1), (1, 5, 9)]:
        outer, _, inner = shape
        operand: Any = np.ascontiguousarray(np.broadcast_to(line[:, None], shape))
        result: Any = np.zeros(shape)
        _kernels.reduce_running("add", "f64", operand, zero, result, shape)
        expected = np.broadcast_to(np.array([1, 1e100, 1e100, 2, 5])[:, None], (outer, 5, inner))
        np.testing.assert_array_equal(result, expected)


def test_other_malformed_calls_are_refused() -> None:
    result: Any = np.zeros(2, np.float32)
    _kernels.reduce("add", "f32", VALUES, INIT, result, (1, 4, 2))
    for shape in [(1, 0, 2), (2, 4, 2), (1, 8, 1), (2**40, 2**40, 1)]:
        with pytest.raises(ValueError, match=r"items|values|elements"):
            _kernels.reduce("add", "f32", VALUES, INIT, result, shape)
    with pytest.raises(ValueError, match="no reduction by replace"):
        words: Any = VALUES.view(np.uint32)
        _kernels.reduce("replace", "ui32", words, INIT, result, (1, 4, 2))
        _kernels.reduce_running("replace", "ui32", words, INIT, words.copy(), (1, 4, 2))
    for shape in [(1, 4, 1), (2, 4, 2), (2**40, 2**40, 1)]:
        with pytest.raises(ValueError, match=r"items|elements"):
            _kernels.reduce_running("add", "f32", VALUES, INIT, VALUES.copy(), shape)
    windows = [(4, 4, 1, 1, 1), (2, 1, 1, 1, 2)]
    _kernels.reduce_windows("add", "f32", VALUES, INIT, result, windows)
    for malformed in [windows[:1], [(4, 4, 1, 1, 2), windows[1]], []]:
        with pytest.raises(ValueError, match=r"items|window"):
            _kernels.reduce_windows("add", "f32", VALUES, INIT, result, malformed)
    with pytest.raises(ValueError, match="no reduction by replace"):
        _kernels.reduce_windows("replace", "ui32", VALUES.view(np.uint32), INIT, result, windows)
    rows: Any = np.zeros((3, 2), np.float32)
    _kernels.gather(VALUES, PLACES, "i64", [(4, 1)], 4, rows)
    for extents, count, to in [([(5, 1)], 4, rows), ([(4, 1)], 3, rows), ([(4, 1)], 4, rows[1:])]:
        with pytest.raises(ValueError, match=r"rows"):
            _kernels.gather(VALUES, PLACES, "i64", extents, count, to)
    with pytest.raises(ValueError, match="rows to gather"):
        _kernels.gather(VALUES, PLACES, "i64", [(0, 1)], 4, rows)
    _kernels.gather(VALUES, PLACES[:, :2], "i64", [(2, 1)], 4, rows[:2], 1, 2)
    for extent, vectors, groups in [(4, 2, 2), (1, 3, 2), (1, 3, 3), (1, 2, 0)]:
        with pytest.raises(ValueError, match=r"rows"):
            places = PLACES[:, :vectors]
            _kernels.gather(VALUES, places, "i64", [(extent, 1)], 4, rows[:vectors], 1, groups)
    for slices in (0, 3, 2**62):  # of 4 rows
        with pytest.raises(ValueError, match=r"rows|elements"):
            _kernels.gather(VALUES, PLACES[:, :1], "i64", [(4, 1)], 4, rows[:1], slices=slices)
    for name, to in [("f31", (4, 1)), ("f64", (4, 1)), ("f32", (3, 1)), ("f32", (4, 3))]:
        positions: Any = np.zeros(to, np.int64)
        with pytest.raises(ValueError, match=r"f31|keys|positions"):
            _kernels.top_k(name, True, True, VALUES, positions)
