"""Fusion of gathers of single elements, at indices that the same computation computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.fused.fusion import with_fusions
from hlokit.engine.plan.executors import run_steps
from hlokit.engine.plan.plan import Plan
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.engine.plan.plans import names, plan_of

FUSE = DEFAULTS._replace(fusion_work=0)
Array = npt.NDArray[Any]


def tensor(shape: tuple[int, ...], name: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{name}>"


def gather(shape: tuple[int, ...], batch: tuple[int, ...], types: str, place: int = -1) -> str:
    """Elements of an array of a shape, at indices that are xored with 1, a component for each dimension.

    Args:
      batch: the shape of the indices of a component.
      types: the element types of the array and of the indices.
      place: the dimension of the components in the index vectors.
    """
    of_array, of_indices = types.split()
    rank, place = len(shape), place % (len(batch) + 1)
    index, apart = tensor(batch, of_indices), tensor((*batch[:place], 1, *batch[place:]), of_indices)
    joined = tensor((*batch[:place], rank, *batch[place:]), of_indices)
    dims = [axis + (axis >= place) for axis in range(len(batch))]
    arguments = ", ".join(f"%i{n}: {index}" for n in range(rank))
    places = "\n".join(
        f"""%x{n} = stablehlo.xor %i{n}, %one : {index}
        %a{n} = stablehlo.broadcast_in_dim %x{n}, dims = {dims} : ({index}) -> {apart}"""
        for n in range(rank)
    )
    vectors = "%a0"
    if rank > 1:
        operands, parts = ", ".join(f"%a{n}" for n in range(rank)), ", ".join([apart] * rank)
        places += f"\n%v = stablehlo.concatenate {operands}, dim = {place} : ({parts}) -> {joined}"
        vectors = "%v"
    result, every = tensor(batch, of_array), list(range(rank))
    return f"""
      func.func @main(%t: {tensor(shape, of_array)}, {arguments}) -> {result} {{
        %one = stablehlo.constant dense<1> : {index}
        {places}
        %g = "stablehlo.gather"(%t, {vectors}) {{
          dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = {every},
            start_index_map = {every}, index_vector_dim = {place}>,
          slice_sizes = array<i64: {", ".join("1" * rank)}>, indices_are_sorted = false
        }} : ({tensor(shape, of_array)}, {joined}) -> {result}
        return %g : {result}
      }}"""


def one_step(text: str) -> Plan:
    fused = with_fusions(plan_of(text), FUSE)
    assert len(fused.steps) == 1, names(fused)
    return fused


def indices(name: str, shape: tuple[int, ...], seed: int) -> Array:
    random, dtype = np.random.default_rng(seed), ELEMENT_TYPES[name].dtype
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    values = random.integers(max(least, -9), 99, shape).astype(dtype)
    values[:2], values[2:4] = least, most
    return values


def clamped(values: Array, size: int) -> Array:
    last = min(size - 1, int(np.iinfo(values.dtype).max))
    return np.clip(values, 0, last).astype(np.intp)


@pytest.mark.parametrize("types", ["f32 i32", "f64 ui8", "bf16 i64", "i8 ui64", "i1 i16", "complex<f64> i32"])
@pytest.mark.parametrize(("shape", "place"), [((60,), -1), ((40, 3), -1), ((40, 3), 0), ((9, 1, 7), 1)])
def test_gathers_of_elements_are_fused(types: str, shape: tuple[int, ...], place: int) -> None:
    of_array, of_indices = types.split()
    batch = (700, 9)
    table = np.random.default_rng(3).standard_normal(shape).astype(ELEMENT_TYPES[of_array].dtype)
    places = [indices(of_indices, batch, seed) for seed in range(len(shape))]
    result = run_steps(one_step(gather(shape, batch, types, place)), table, *places)
    one = places[0].dtype.type(1)
    expected = table[tuple([clamped(i ^ one, n) for i, n in zip(places, shape, strict=True)])]
    assert result.tobytes() == expected.tobytes()


def test_tables_in_any_layout_are_read() -> None:
    plan = one_step(gather((40, 30), (700, 9), "f32 i32"))
    places = [indices("i32", (700, 9), seed) for seed in range(2)]
    table = np.random.default_rng(3).standard_normal((40, 30)).astype(np.float32)
    unaligned = np.frombuffer(b"\0" + table.tobytes(), np.uint8)[1:].view(np.float32).reshape(40, 30)
    expected = table[tuple([clamped(i ^ np.int32(1), n) for i, n in zip(places, table.shape, strict=True)])]
    for same in (table, table.T.copy().T, np.repeat(table, 2, 1)[:, ::2], unaligned):
        result = run_steps(plan, same, *places)
        assert result.tobytes() == expected.tobytes()
    result = run_steps(plan, np.broadcast_to(table[:1], table.shape), *places)
    assert (
        result.tobytes()
        == np.broadcast_to(table[:1], table.shape)[
            tuple([clamped(i ^ np.int32(1), n) for i, n in zip(places, table.shape, strict=True)])
        ].tobytes()
    )


@pytest.mark.parametrize("at", [0, 2])
def test_batches_of_gathers_are_fused(at: int) -> None:
    joined = "tensor<1x70x90xi32>" if at == 0 else "tensor<70x90x1xi32>"
    axis, dims = (2, [1, 2]) if at == 0 else (1, [0, 1])
    text = f"""
      func.func @main(%t: tensor<20x90xf32>, %i: tensor<70x90xi32>) -> tensor<70x90xf32> {{
        %one = stablehlo.constant dense<1> : tensor<70x90xi32>
        %x = stablehlo.xor %i, %one : tensor<70x90xi32>
        %v = stablehlo.broadcast_in_dim %x, dims = {dims} : (tensor<70x90xi32>) -> {joined}
        %g = "stablehlo.gather"(%t, %v) {{
          dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0],
            operand_batching_dims = [1], start_indices_batching_dims = [{axis}],
            start_index_map = [0], index_vector_dim = {at}>,
          slice_sizes = array<i64: 1, 1>, indices_are_sorted = false
        }} : (tensor<20x90xf32>, {joined}) -> tensor<70x90xf32>
        return %g : tensor<70x90xf32>
      }}"""
    table = np.random.default_rng(3).standard_normal((20, 90)).astype(np.float32)
    places = indices("i32", (70, 90), 1)
    result = run_steps(one_step(text), table, places)
    assert np.array_equal(result, table[clamped(places ^ np.int32(1), 20), np.arange(90)])


def test_components_may_be_one_value_or_apart() -> None:
    """Kernels read them where they are: `x[i, 3]` has a broadcast, `x[v[:, 1], v[:, 0]]` has columns."""
    plan = plan_of(gather((40, 30), (6000,), "f32 i32"))
    step = next(step for step in plan.steps if step.name == "stablehlo.gather")
    table = np.random.default_rng(3).standard_normal((40, 30)).astype(np.float32)
    vectors = indices("i32", (6000, 2), 1)
    same = np.broadcast_to(np.int32(3), (6000, 1))
    for rows, columns in (
        (vectors[:, :1], same),
        (same, vectors[:, 1:]),
        (vectors[:, 1:], vectors[::-1, :1]),
    ):
        result = step.kernel.function(table, rows, columns)
        assert np.array_equal(result, table[clamped(rows[:, 0], 40), clamped(columns[:, 0], 30)])


def test_index_vectors_that_others_read_stay() -> None:
    text = gather((40, 30), (700, 9), "f32 i32")
    both = "tensor<700x9x2xi32>"
    text = text.replace("return %g :", f"return %g, %v : tensor<700x9xf32>, {both} //")
    text = text.replace(") -> tensor<700x9xf32> {", f") -> (tensor<700x9xf32>, {both}) {{", 1)
    plan = plan_of(text.replace("// tensor<700x9xf32>", ""))
    assert "concatenate" in names(plan)
    places = [indices("i32", (700, 9), seed) for seed in range(2)]
    table = np.random.default_rng(3).standard_normal((40, 30)).astype(np.float32)
    result, vectors = run_steps(with_fusions(plan, FUSE), table, *places)
    assert np.array_equal(vectors, np.stack([i ^ np.int32(1) for i in places], -1))
    assert np.array_equal(result, table[tuple([clamped(vectors[..., n], table.shape[n]) for n in range(2)])])


def test_arrays_of_the_same_computation_are_no_tables() -> None:
    text = gather((6300,), (700, 9), "f32 i32")
    text = text.replace("%g = ", "%u = stablehlo.negate %t : tensor<6300xf32>\n%g = ").replace(
        "(%t, %a", "(%u, %a"
    )
    table = np.arange(6300, dtype=np.float32)
    result = run_steps(with_fusions(plan_of(text), FUSE), table, np.full((700, 9), 7, np.int32))
    assert np.array_equal(result, np.full((700, 9), -6, np.float32))


def test_elements_outside_are_filled_in_the_same_computation() -> None:
    index, apart, mask = "tensor<6300xi32>", "tensor<6300x1xi32>", "tensor<6300x1xi1>"
    text = f"""
      func.func @main(%t: tensor<60xf32>, %i: {index}) -> tensor<6300xf32> {{
        %zero = stablehlo.constant dense<0> : {apart}
        %last = stablehlo.constant dense<59> : {apart}
        %true = stablehlo.constant dense<true> : tensor<i1>
        %nan = stablehlo.constant dense<0x7FC00000> : tensor<6300xf32>
        %v = stablehlo.reshape %i : ({index}) -> {apart}
        %0 = stablehlo.compare GE, %v, %zero : ({apart}, {apart}) -> {mask}
        %1 = stablehlo.compare LE, %v, %last : ({apart}, {apart}) -> {mask}
        %2 = stablehlo.and %0, %1 : {mask}
        %3 = stablehlo.reduce(%2 init: %true) applies stablehlo.and across dimensions = [1]
          : ({mask}, tensor<i1>) -> tensor<6300xi1>
        %4 = "stablehlo.gather"(%t, %v) {{
          dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0],
            start_index_map = [0], index_vector_dim = 1>,
          slice_sizes = array<i64: 1>, indices_are_sorted = false
        }} : (tensor<60xf32>, {apart}) -> tensor<6300xf32>
        %5 = stablehlo.select %3, %4, %nan : tensor<6300xi1>, tensor<6300xf32>
        return %5 : tensor<6300xf32>
      }}"""
    table, places = np.arange(60, dtype=np.float32), indices("i32", (6300,), 1)
    result = run_steps(one_step(text), table, places)
    is_inside = (places >= 0) & (places < 60)
    assert np.array_equal(result, np.where(is_inside, table[clamped(places, 60)], np.nan), equal_nan=True)
