"""gather, dynamic_gather and scatter against the spec's formulas index by index, and against XLA."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import hlokit
import oracles
from hlokit import _kernels
from hlokit.kernels.regions import scatter as scatters
from hlokit.kernels.regions.scatter_combiners import conflict_free_rounds
from hlokit.kernels.shapes import gather as gathers
from hlokit.kernels.shapes.gather import GatherPlan, fast_gather, general_gather
from hlokit.mlir.conversion.dimension_numbers import GatherDimensionNumbers
from hlokit.values.element_types import element_type_of
from hlokit.values.types import TensorType

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]

INDEX_DTYPES = [np.int32, np.int64, np.int8, np.uint8, np.uint32, np.uint64, ml_dtypes.int4, ml_dtypes.uint4]


def type_of(array: Array) -> str:
    return str(TensorType(array.shape, element_type_of(array.dtype)))


@dataclass(frozen=True)
class Case:
    """Operands and dimension numbers that gather and scatter have in common, in gather's terms."""

    operand: Array
    indices: Array
    numbers: GatherDimensionNumbers
    slice_sizes: Shape
    result_shape: Shape


@st.composite
def cases(draw: st.DrawFn, *, in_bounds: bool = False, index_dtypes: list[Any] = INDEX_DTYPES) -> Case:
    """Valid dimension numbers of every kind: batching, collapsed, partial and full windows, implicit vectors."""
    rng = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    rank, batch_rank = draw(st.integers(0, 4)), draw(st.integers(0, 3))
    shape = rng.integers(1, 5, rank)
    batch = rng.integers(1, 4, batch_rank)
    if draw(st.integers(0, 9)) == 0 and batch_rank:
        batch[rng.integers(batch_rank)] = 0
    dims = rng.permutation(rank)
    batching_count = int(rng.integers(0, min(rank, batch_rank) + 1)) if draw(st.booleans()) else 0
    batching = np.sort(dims[:batching_count])
    batching_axes = rng.permutation(batch_rank)[:batching_count]
    shape[batching] = batch[batching_axes]
    others = dims[batching_count:]
    collapsed = np.sort(others[: rng.integers(0, others.size + 1)])
    mapped = rng.permutation(others)[: rng.integers(0, others.size + 1)]
    slice_sizes = np.where(
        rng.random(rank) < 0.5, shape, rng.integers(np.minimum(shape, rng.integers(0, 2, rank)), shape + 1)
    )
    slice_sizes[collapsed] = 1
    slice_sizes[batching] = np.minimum(shape[batching], 1)
    is_implicit = mapped.size == 1 and draw(st.booleans())
    vector_dim = batch_rank if is_implicit else int(rng.integers(0, batch_rank + 1))
    indices_shape = tuple(batch) if is_implicit else (*batch[:vector_dim], mapped.size, *batch[vector_dim:])
    indices_axes = batching_axes + (0 if is_implicit else batching_axes >= vector_dim)
    kept = [d for d in range(rank) if d not in collapsed and d not in batching]
    result_rank = batch_rank + len(kept)
    offset_dims = sorted(rng.permutation(result_rank)[: len(kept)].tolist())
    batch_sizes, window_sizes = iter(batch.tolist()), iter(slice_sizes[kept].tolist())
    result_shape = tuple(next(window_sizes if a in offset_dims else batch_sizes) for a in range(result_rank))
    dtype = np.dtype(draw(st.sampled_from(index_dtypes)))
    values = rng.integers(0, 4, indices_shape)
    if in_bounds:
        limits = (shape - slice_sizes)[mapped]
        sizes = limits[0] + 1 if is_implicit else on_axis(limits + 1, vector_dim, values.ndim)
        values = rng.random(indices_shape) * sizes
    else:
        extremes = [int(ml_dtypes.iinfo(dtype).min), int(ml_dtypes.iinfo(dtype).max)]
        for end, chosen in zip(extremes, (rng.random(indices_shape) < 0.1 for _ in extremes), strict=True):
            values = np.where(chosen, end, values.astype(object))
    indices = np.asarray(values).astype(np.int64 if in_bounds else object).astype(dtype)
    numbers = GatherDimensionNumbers(
        tuple(offset_dims),
        tuple(collapsed.tolist()),
        tuple(batching.tolist()),
        tuple(np.asarray(indices_axes).tolist()),
        tuple(mapped.tolist()),
        vector_dim,
    )
    operand = rng.integers(-99, 99, tuple(shape)).astype(np.int32)
    return Case(operand, indices, numbers, tuple(slice_sizes.tolist()), result_shape)


def on_axis(values: Array, axis: int, rank: int) -> Array:
    shape = [1] * rank
    shape[axis] = values.size
    return values.reshape(shape)


def places(case: Case, result_index: Shape) -> tuple[list[int], list[int], list[int]]:
    """full_start_index (not clamped), full_batching_index and full_offset_index of the spec's formula."""
    numbers = case.numbers
    rank = case.operand.ndim
    batch_index = [i for axis, i in enumerate(result_index) if axis not in numbers.offset_dims]
    offset_index = [i for axis, i in enumerate(result_index) if axis in numbers.offset_dims]
    at = list(batch_index)
    if numbers.index_vector_dim < case.indices.ndim:
        vector = [
            int(case.indices[(*at[: numbers.index_vector_dim], k, *at[numbers.index_vector_dim :])])
            for k in range(case.indices.shape[numbers.index_vector_dim])
        ]
    else:
        vector = [int(case.indices[tuple(at)])]
    start, batching, offset = [0] * rank, [0] * rank, [0] * rank
    for k, d in enumerate(numbers.start_index_map):
        start[d] = vector[k]
    for d, axis in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True):
        batching[d] = batch_index[axis - (axis > numbers.index_vector_dim)]
    dropped = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    for d in range(rank):
        if d not in dropped:
            offset[d] = offset_index.pop(0)
    return start, batching, offset


# gather -------------------------------------------------------------------------------------------


def gather_text(case: Case, *, dynamic: bool = False) -> str:
    n = case.numbers
    result = f"tensor<{''.join(f'{size}x' for size in case.result_shape)}i32>"
    operand, indices = type_of(case.operand), type_of(case.indices)
    sizes_type = f"tensor<{len(case.slice_sizes)}xi64>"
    arguments = f"%operand: {operand}, %start_indices: {indices}" + f", %sizes: {sizes_type}" * dynamic
    operands = "%operand, %start_indices" + ", %sizes" * dynamic
    types = f"{operand}, {indices}" + f", {sizes_type}" * dynamic
    attribute = "indices_are_sorted = false" if dynamic else f"slice_sizes = {spelled(case.slice_sizes)}"
    return f"""
    func.func @main({arguments}) -> {result} {{
      %result = "stablehlo.{"dynamic_" * dynamic}gather"({operands}) {{
        dimension_numbers = #stablehlo.gather<
          offset_dims = {list(n.offset_dims)}, collapsed_slice_dims = {list(n.collapsed_slice_dims)},
          operand_batching_dims = {list(n.operand_batching_dims)},
          start_indices_batching_dims = {list(n.start_indices_batching_dims)},
          start_index_map = {list(n.start_index_map)}, index_vector_dim = {n.index_vector_dim}>,
        {attribute}
      }} : ({types}) -> {result}
      return %result : {result}
    }}"""


def spelled(sizes: Shape) -> str:
    return f"array<i64: {', '.join(map(str, sizes))}>" if sizes else "array<i64>"


def gather_by_formula(case: Case) -> Array:
    result = np.empty(case.result_shape, case.operand.dtype)
    for result_index in np.ndindex(case.result_shape):
        start, batching, offset = places(case, result_index)
        limits = np.subtract(case.operand.shape, case.slice_sizes).tolist()
        start = [min(max(s, 0), limit) for s, limit in zip(start, limits, strict=True)]
        # A start in a dimension that no index names is 0 and stays so.
        result[result_index] = case.operand[tuple(np.add(np.add(start, batching), offset).astype(int))]
    return result


@settings(max_examples=150)
@given(cases())
def test_gather_is_the_formula(case: Case) -> None:
    result = hlokit.load(gather_text(case))(case.operand, case.indices)
    assert result.dtype == case.operand.dtype
    np.testing.assert_array_equal(result, gather_by_formula(case))


def test_starts_are_clamped() -> None:
    """Every type of indices: the kernel has a function for each."""
    for bits in (8, 16, 32, 64):
        text = f"""func.func @main(%x: tensor<5xi32>, %starts: tensor<4x1xi{bits}>) -> tensor<4xi32> {{
          %0 = "stablehlo.gather"(%x, %starts) {{slice_sizes = array<i64: 1>, dimension_numbers =
            #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}}
            : (tensor<5xi32>, tensor<4x1xi{bits}>) -> tensor<4xi32>
          return %0 : tensor<4xi32>
        }}"""
        starts = np.array([[-1], [-9], [2], [9]], f"i{bits // 8}")
        assert hlokit.load(text)(np.arange(5, dtype=np.int32), starts).tolist() == [0, 0, 2, 4]


@settings(max_examples=150)
@given(cases(), st.sampled_from(["C", "F", "reversed", "broadcast"]))
def test_fast_gather_is_general_gather(case: Case, layout: str) -> None:
    operand = case.operand
    if layout == "reversed":
        operand = operand[(slice(None, None, -1),) * operand.ndim]
    elif layout == "broadcast":
        operand = np.broadcast_to(operand[(slice(0, 1),) * operand.ndim], operand.shape)
    elif layout == "F":
        operand = np.array(operand, order="F")
    plan = GatherPlan(
        case.numbers, element_type_of(case.indices.dtype), case.slice_sizes, operand.shape, case.indices.shape
    )
    general = general_gather(plan, operand, case.indices)
    np.testing.assert_array_equal(general, gather_by_formula(replace(case, operand=operand)))
    fast = fast_gather(plan)
    if fast is not None:
        np.testing.assert_array_equal(fast(operand, case.indices), general)


@pytest.mark.parametrize("rows", [(), (2,)], ids=["numbers", "rows"])
@pytest.mark.parametrize("batch", [(3,), (3, 1, 5)], ids=str)
@pytest.mark.parametrize("is_same", [False, True], ids=["own tables", "one table"])
def test_gathers_of_batches_are_native(
    batch: tuple[int, ...], rows: tuple[int, ...], is_same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As vmap makes them: each element of the batch has its own indices, and a table or that of all."""
    calls: list[int] = []

    def gather(*arguments: Any) -> None:
        calls.append(arguments[-1])
        _kernels.gather(*arguments)

    monkeypatch.setattr(gathers, "_kernels", SimpleNamespace(gather=gather))
    count, rank = len(batch), len(rows)
    batching = tuple(range(count))
    numbers = GatherDimensionNumbers(
        offset_dims=tuple(range(count + 1, count + 1 + rank)),
        collapsed_slice_dims=(count,),
        operand_batching_dims=batching,
        start_indices_batching_dims=batching,
        start_index_map=(count,),
        index_vector_dim=count + 1,
    )
    generator = np.random.default_rng(0)
    operand = generator.standard_normal((*[1 if is_same else size for size in batch], 7, *rows))
    operand = np.broadcast_to(operand, (*batch, 7, *rows))
    indices = generator.integers(-3, 12, (*batch, 300))
    plan = GatherPlan(
        numbers, element_type_of(indices.dtype), (*[1] * (count + 1), *rows), operand.shape, indices.shape
    )
    fast = fast_gather(plan)
    assert fast is not None
    np.testing.assert_array_equal(fast(operand, indices), general_gather(plan, operand, indices))
    assert calls == [1 if is_same else math.prod(batch)]


@pytest.mark.parametrize("offset_dims", [(0, 3), (1, 3), (2, 3)], ids=str)
def test_the_same_rows_of_each_slice(offset_dims: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """As vmap gathers if only the operand has a batch."""
    monkeypatch.setattr(gathers, "general_gather", None)
    numbers = GatherDimensionNumbers(
        offset_dims=offset_dims,
        collapsed_slice_dims=(1, 2),
        operand_batching_dims=(),
        start_indices_batching_dims=(),
        start_index_map=(2, 1),
        index_vector_dim=0,
    )
    generator = np.random.default_rng(0)
    operand, indices = generator.standard_normal((3, 4, 5, 2)), generator.integers(-2, 8, (2, 6, 7))
    plan = GatherPlan(numbers, element_type_of(indices.dtype), (3, 1, 1, 2), operand.shape, indices.shape)
    fast = fast_gather(plan)
    assert fast is not None
    for layout in (operand, np.asfortranarray(operand), np.broadcast_to(operand[:1], operand.shape)):
        np.testing.assert_array_equal(fast(layout, indices), general_gather(plan, layout, indices))


@pytest.mark.parametrize("sizes", [(2, 3, 2), (60, 90, 4), (64, 1, 4)], ids=str)
@pytest.mark.parametrize("dtype", ["u1", "f4", "c16", ml_dtypes.bfloat16], ids=str)
def test_windows_of_several_elements_are_native(
    sizes: Shape, dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As vmap makes them of dynamic slices: many small windows, and large ones in parts; in any layout."""
    monkeypatch.setattr(gathers, "general_gather", None)
    numbers = GatherDimensionNumbers(
        offset_dims=(0, 2, 3),
        collapsed_slice_dims=(),
        operand_batching_dims=(0,),
        start_indices_batching_dims=(1,),
        start_index_map=(2, 1),
        index_vector_dim=0,
    )
    generator = np.random.default_rng(0)
    operand = generator.integers(0, 99, (7, 64, 96, 4)).astype(dtype)
    indices = generator.integers(-9, 50, (2, 7, 2 if sizes[0] > 9 else 90))
    plan = GatherPlan(numbers, element_type_of(indices.dtype), (1, *sizes), operand.shape, indices.shape)
    fast = fast_gather(plan)
    assert fast is not None
    for layout in (
        operand,
        np.asfortranarray(operand),
        operand[::-1, ::-1, :, ::-1],
        operand.swapaxes(1, 2).copy().swapaxes(1, 2),
    ):
        np.testing.assert_array_equal(fast(layout, indices), general_gather(plan, layout, indices))


@settings(max_examples=25)
@given(cases(index_dtypes=[np.int32, np.uint32, np.int64, np.uint8]))
def test_gather_is_xla(case: Case) -> None:
    text = gather_text(case)
    (expected,) = oracles.xla(text, case.operand, case.indices)
    np.testing.assert_array_equal(hlokit.load(text)(case.operand, case.indices), expected)


@settings(max_examples=40)
@given(cases(index_dtypes=[np.int32, np.int64]))
def test_dynamic_gather_is_gather(case: Case) -> None:
    sizes = np.array(case.slice_sizes, np.int64)
    result = hlokit.load(gather_text(case, dynamic=True))(case.operand, case.indices, sizes)
    np.testing.assert_array_equal(result, gather_by_formula(case))


# scatter ------------------------------------------------------------------------------------------

# One region per way of applying it, as MLIR from %old and %new to %value and as Python.
REGIONS: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "replace": ("", lambda old, new: new),
    "ufunc": ("%value = stablehlo.add %old, %new : tensor<i32>", lambda old, new: old + new),
    "extremum": ("%value = stablehlo.maximum %old, %new : tensor<i32>", max),
    "not_commutative": ("%value = stablehlo.subtract %new, %old : tensor<i32>", lambda old, new: new - old),
    "pointwise": (
        """%c = stablehlo.constant dense<3> : tensor<i32>
           %0 = stablehlo.multiply %old, %c : tensor<i32>
           %value = stablehlo.add %0, %new : tensor<i32>""",
        lambda old, new: old * 3 + new,
    ),
    "looped": (
        """%0 = stablehlo.reshape %old : (tensor<i32>) -> tensor<1xi32>
           %1 = stablehlo.add %0, %0 : tensor<1xi32>
           %2 = stablehlo.reshape %1 : (tensor<1xi32>) -> tensor<i32>
           %value = stablehlo.add %2, %new : tensor<i32>""",
        lambda old, new: old * 2 + new,
    ),
    "constant": ("%value = stablehlo.constant dense<7> : tensor<i32>", lambda old, new: 7),
}  # fmt: skip


def scatter_text(case: Case, region: str, *, unique: bool = False) -> str:
    n = case.numbers
    operand, indices = type_of(case.operand), type_of(case.indices)
    updates = f"tensor<{''.join(f'{size}x' for size in case.result_shape)}i32>"
    value = "%value" if region else "%new"
    return f"""
    func.func @main(%input: {operand}, %scatter_indices: {indices}, %update: {updates}) -> {operand} {{
      %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({{
        ^bb0(%old: tensor<i32>, %new: tensor<i32>):
          {region}
          stablehlo.return {value} : tensor<i32>
      }}) {{
        scatter_dimension_numbers = #stablehlo.scatter<
          update_window_dims = {list(n.offset_dims)}, inserted_window_dims = {list(n.collapsed_slice_dims)},
          input_batching_dims = {list(n.operand_batching_dims)},
          scatter_indices_batching_dims = {list(n.start_indices_batching_dims)},
          scatter_dims_to_operand_dims = {list(n.start_index_map)}, index_vector_dim = {n.index_vector_dim}>,
        unique_indices = {str(unique).lower()}
      }} : ({operand}, {indices}, {updates}) -> {operand}
      return %result : {operand}
    }}"""


def scatter_by_formula(case: Case, updates: Array, apply: Callable[[int, int], int]) -> Array:
    result = case.operand.astype(object)
    windows = case.numbers.offset_dims
    axes = [*(axis for axis in range(updates.ndim) if axis not in windows), *windows]
    # Window by window: the order that XLA has.
    for update_index in sorted(np.ndindex(updates.shape), key=lambda index: [index[axis] for axis in axes]):
        index = tuple(np.sum(np.array(places(case, update_index), object), 0)) if case.operand.ndim else ()
        if all(0 <= i < size for i, size in zip(index, case.operand.shape, strict=True)):
            value = apply(int(result[index]), int(updates[update_index]))
            result[index] = (value + 2**31) % 2**32 - 2**31
    return result.astype(case.operand.dtype)


def updates_for(case: Case) -> Array:
    return np.random.default_rng(1).integers(-9, 9, case.result_shape).astype(np.int32)


@settings(max_examples=200)
@given(cases(), st.sampled_from(sorted(REGIONS)))
def test_scatter_is_the_formula(case: Case, kind: str) -> None:
    region, apply = REGIONS[kind]
    updates = updates_for(case)
    before = case.operand.copy()
    result = hlokit.load(scatter_text(case, region))(case.operand, case.indices, updates)
    assert result.dtype == case.operand.dtype
    np.testing.assert_array_equal(result, scatter_by_formula(case, updates, apply))
    np.testing.assert_array_equal(case.operand, before)


# Where a window lies partly outside of the input, XLA leaves out all of it. It does nothing, or fails, where
# index vectors are empty.
@settings(max_examples=35)
@given(
    cases(in_bounds=True, index_dtypes=[np.int32, np.uint32, np.int64]),
    st.sampled_from(["replace", "ufunc", "extremum", "pointwise"]),
)
def test_scatter_is_xla(case: Case, kind: str) -> None:
    assume(case.numbers.start_index_map)
    text = scatter_text(case, REGIONS[kind][0])
    updates = updates_for(case)
    (expected,) = oracles.xla(text, case.operand, case.indices, updates)
    np.testing.assert_array_equal(hlokit.load(text)(case.operand, case.indices, updates), expected)


@pytest.mark.parametrize("kind", ["replace", "ufunc", "pointwise"])
@pytest.mark.parametrize("width", [0, 3])
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint64])
def test_scatters_of_a_batch(dtype: Any, width: int, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As vmap makes them of histograms: compiled where the indices can count the places along the batch."""
    if dtype != np.int8:
        monkeypatch.setattr(scatters, "scatter_rows", None)
    kept = (width,) if width else ()
    numbers = GatherDimensionNumbers((2,) if width else (), (0,), (1,), (1,), (0,), 2)
    generator = np.random.default_rng(3)
    indices = generator.integers(0, 7, (6, 150, 1)).astype(dtype)
    operand = np.zeros((5, 150, *kept), np.int32)
    case = Case(operand, indices, numbers, (1, 1, *kept), (6, 150, *kept))
    region, apply = REGIONS[kind]
    updates = updates_for(case)
    result = hlokit.load(scatter_text(case, region))(case.operand, case.indices, updates)
    np.testing.assert_array_equal(result, scatter_by_formula(case, updates, apply))


def row_case(targets: Array, rows: int, width: int) -> Case:
    """Whole rows, as in the gradient of an embedding; elements if width is 0."""
    numbers = GatherDimensionNumbers((1,) if width else (), (0,), (), (), (0,), 1)
    shape = (rows, width) if width else (rows,)
    result_shape = (targets.size, width) if width else (targets.size,)
    operand = np.zeros(shape, np.int32)
    return Case(operand, targets, numbers, (1, width) if width else (1,), result_shape)


@pytest.mark.parametrize("kind", sorted(set(REGIONS) - {"constant"}))
@pytest.mark.parametrize("width", [0, 3])
@pytest.mark.parametrize("skew", [1, 8])
def test_scatter_with_many_duplicates(kind: str, width: int, skew: int) -> None:
    rng = np.random.default_rng(2)
    targets = (rng.random(1500) ** skew * 40 - 1).astype(np.int32)  # -1 and 0 stand for dropped and crowded
    case = row_case(targets, 39, width)
    region, apply = REGIONS[kind]
    updates = updates_for(case)
    result = hlokit.load(scatter_text(case, region))(case.operand, case.indices, updates)
    np.testing.assert_array_equal(result, scatter_by_formula(case, updates, apply))


@pytest.mark.parametrize("kind", sorted(set(REGIONS) - {"constant"}))
@pytest.mark.parametrize("width", [0, 3])
def test_scatter_of_unique_indices(kind: str, width: int) -> None:
    case = row_case(np.random.default_rng(3).permutation(60)[:40], 60, width)
    region, apply = REGIONS[kind]
    updates = updates_for(case)
    result = hlokit.load(scatter_text(case, region, unique=True))(case.operand, case.indices, updates)
    np.testing.assert_array_equal(result, scatter_by_formula(case, updates, apply))


@given(st.lists(st.integers(0, 6), min_size=1, max_size=40), st.integers(0, 3))
def test_rounds_apply_each_place_in_order(places_: list[int], few: int) -> None:
    seen: list[int] = []
    for chosen, there in conflict_free_rounds(np.array(places_), few):
        round_ = [places_[i] for i in chosen]
        if there is None:
            assert len(set(round_)) <= few
        else:
            assert len(set(round_)) == len(round_) > few
            assert there.tolist() == round_
        seen += chosen.tolist()
    assert sorted(seen) == list(range(len(places_)))
    for place in set(places_):
        assert [i for i in seen if places_[i] == place] == [i for i, p in enumerate(places_) if p == place]


ADD = """
    func.func @main(%input: tensor<4x{t}>, %scatter_indices: tensor<9xi32>, %update: tensor<9x{t}>) -> tensor<4x{t}> {{
      %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({{
        ^bb0(%old: tensor<{t}>, %new: tensor<{t}>):
          %value = stablehlo.{op} %old, %new : tensor<{t}>
          stablehlo.return %value : tensor<{t}>
      }}) {{
        scatter_dimension_numbers = #stablehlo.scatter<
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
      }} : (tensor<4x{t}>, tensor<9xi32>, tensor<9x{t}>) -> tensor<4x{t}>
      return %result : tensor<4x{t}>
    }}"""


@pytest.mark.parametrize("op", ["add", "maximum", "minimum", "multiply"])
@pytest.mark.parametrize(
    "dtype",
    [
        *(ml_dtypes.int2, ml_dtypes.int4, ml_dtypes.uint4, np.int8, np.uint64, np.bool_),
        *(ml_dtypes.float8_e5m2, ml_dtypes.float4_e2m1fn, ml_dtypes.bfloat16, np.float16, np.float32),
        *(np.float64, np.complex64),
    ],
    ids=lambda dtype: np.dtype(dtype).name,
)
def test_scatter_adds_up_like_the_operation(op: str, dtype: Any) -> None:
    """In every path, each step rounds, wraps and orders zeros as the single operation does."""
    rng = np.random.default_rng(4)
    spelling = element_type_of(np.dtype(dtype)).name
    old, new = (rng.integers(0, 6, size).astype(dtype) for size in (4, 9))
    if np.dtype(dtype).kind == "f":
        new[[0, 3]] = -np.zeros(1, dtype)[0]
    targets = np.array([0, 1, 0, 2, 0, 2, 9, -1, 0], np.int32)
    operation = hlokit.load(
        f"func.func @main(%old: tensor<{spelling}>, %new: tensor<{spelling}>) -> tensor<{spelling}> {{\n"
        f"  %value = stablehlo.{op} %old, %new : tensor<{spelling}>\n  return %value : tensor<{spelling}>\n}}"
    )
    expected = old.copy()
    for target, value in zip(targets, new, strict=True):
        if 0 <= target < 4:
            expected[target] = operation(expected[target], np.asarray(value))
    result = hlokit.load(ADD.format(t=spelling, op=op))(old, targets, new)
    assert result.tobytes() == expected.tobytes()


@pytest.mark.parametrize("op", ["add", "maximum", "minimum"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, ml_dtypes.bfloat16, np.int64])
def test_updates_of_one_row_after_the_other(op: str, dtype: Any) -> None:
    """Registers take the updates of a row that follow each other, vector by vector."""
    rng = np.random.default_rng(5)
    name, width = element_type_of(np.dtype(dtype)).name, 23
    old, new = (rng.integers(-9, 9, (size, width)).astype(dtype) for size in (4, 60))
    if name != "i64":
        new /= np.asarray(7, dtype)
        new[5:50:9, ::3], new[::7, 1], old[2, 5], new[11, 20] = -0.0, 0.0, np.nan, -np.nan
    targets = np.sort(rng.integers(-1, 5, 60)).astype(np.int32)
    row, t = f"tensor<{width}x{name}>", f"x{width}x{name}>"
    operation = hlokit.load(
        f"func.func @main(%old: {row}, %new: {row}) -> {row} {{\n"
        f"  %value = stablehlo.{op} %old, %new : {row}\n  return %value : {row}\n}}"
    )
    expected = old.copy()
    for target, value in zip(targets, new, strict=True):
        if 0 <= target < 4:
            expected[target] = operation(expected[target], value)
    text = ADD.format(t=name, op=op).replace("inserted", "update_window_dims = [1], inserted")
    text = (
        text.replace(f"<4x{name}>", f"<4{t}").replace(f"<9x{name}>", f"<60{t}").replace("<9xi32>", "<60xi32>")
    )
    assert hlokit.load(text)(old, targets, new).tobytes() == expected.tobytes()


def test_scatter_of_several_inputs() -> None:
    """The largest value and where it came from; a value from outside of the region takes part."""
    program = hlokit.load("""
    func.func @main(%best: tensor<3xf32>, %from: tensor<3xi32>, %indices: tensor<6xi64>, %value: tensor<6xf32>,
                    %number: tensor<6xi32>, %least: tensor<f32>) -> (tensor<3xf32>, tensor<3xi32>) {
      %result:2 = "stablehlo.scatter"(%best, %from, %indices, %value, %number) ({
        ^bb0(%best_: tensor<f32>, %from_: tensor<i32>, %value_: tensor<f32>, %number_: tensor<i32>):
          %0 = stablehlo.compare GT, %value_, %best_ : (tensor<f32>, tensor<f32>) -> tensor<i1>
          %1 = stablehlo.compare GE, %value_, %least : (tensor<f32>, tensor<f32>) -> tensor<i1>
          %2 = stablehlo.and %0, %1 : tensor<i1>
          %3 = stablehlo.select %2, %value_, %best_ : tensor<i1>, tensor<f32>
          %4 = stablehlo.select %2, %number_, %from_ : tensor<i1>, tensor<i32>
          stablehlo.return %3, %4 : tensor<f32>, tensor<i32>
      }) {
        scatter_dimension_numbers = #stablehlo.scatter<
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
      } : (tensor<3xf32>, tensor<3xi32>, tensor<6xi64>, tensor<6xf32>, tensor<6xi32>) -> (tensor<3xf32>, tensor<3xi32>)
      return %result#0, %result#1 : tensor<3xf32>, tensor<3xi32>
    }""")
    best, number = program(
        np.zeros(3, np.float32),
        np.full(3, -1, np.int32),
        np.array([0, 1, 0, 2, 0, 1]),
        np.array([3, 2, 5, 0.5, 5, 7], np.float32),
        np.arange(6, dtype=np.int32),
        np.float32(1),
    )
    np.testing.assert_array_equal(best, [5, 7, 0])
    np.testing.assert_array_equal(number, [2, 5, -1])


def test_scatter_promotes_to_the_region_types() -> None:
    program = hlokit.load(
        ADD.format(t="f32", op="add")
        .replace("%input: tensor<4xf32>", "%input: tensor<4xbf16>")
        .replace("%update: tensor<9xf32>", "%update: tensor<9xbf16>")
        .replace(
            ": (tensor<4xf32>, tensor<9xi32>, tensor<9xf32>)",
            ": (tensor<4xbf16>, tensor<9xi32>, tensor<9xbf16>)",
        )
    )
    bf16 = ml_dtypes.bfloat16
    result = program(np.ones(4, bf16), np.zeros(9, np.int32), np.full(9, 2**-10, bf16))
    np.testing.assert_array_equal(result, np.array([1 + 9 * 2**-10, 1, 1, 1], np.float32))


def test_operands_of_dynamic_shapes() -> None:
    program = hlokit.load("""
    func.func @main(%operand: tensor<?x2xi32>, %indices: tensor<?xi32>) -> (tensor<?x2xi32>, tensor<?x2xi32>) {
      %rows = "stablehlo.gather"(%operand, %indices) {
        dimension_numbers = #stablehlo.gather<
          offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
        slice_sizes = array<i64: 1, 2>
      } : (tensor<?x2xi32>, tensor<?xi32>) -> tensor<?x2xi32>
      %sums = "stablehlo.scatter"(%operand, %indices, %rows) ({
        ^bb0(%old: tensor<i32>, %new: tensor<i32>):
          %sum = stablehlo.add %old, %new : tensor<i32>
          stablehlo.return %sum : tensor<i32>
      }) {
        scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
          scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
      } : (tensor<?x2xi32>, tensor<?xi32>, tensor<?x2xi32>) -> tensor<?x2xi32>
      return %rows, %sums : tensor<?x2xi32>, tensor<?x2xi32>
    }""")
    for size, targets in ((3, [1, 1, 0]), (2, [1]), (4, []), (3, [2, 0, 2])):
        operand = np.arange(2 * size, dtype=np.int32).reshape(size, 2)
        rows, sums = program(operand, np.array(targets, np.int32))
        np.testing.assert_array_equal(rows, operand[targets] if targets else operand[:0])
        expected = operand * (1 + np.bincount(np.array(targets, int), minlength=size))[:, np.newaxis]
        np.testing.assert_array_equal(sums, expected)


def test_torch_index_select_with_other_batches() -> None:
    text = """func.func @main(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
      %0 = "stablehlo.torch_index_select"(%x, %i) {dim = 1 : i64, batch_dims = 1 : i64}
        : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    }"""
    program, operand = hlokit.load(text), np.ones((2, 3), np.float32)
    assert program(operand, np.zeros((2, 4), np.int32)).shape == (2, 4)
    for tier in ("default", "reference"):
        with pytest.raises(
            hlokit.EvaluationError, match="batch dimensions of operand and index must be equal"
        ):
            program(operand, np.zeros((3, 4), np.int32), tier=tier)
