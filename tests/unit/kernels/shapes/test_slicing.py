"""Slices and updates of slices, against the spec's formulas index by index, and other implementations."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlokit
import oracles
from hlokit.values.element_types import element_type_of

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]

INDEX_DTYPES = [np.int32, np.int64, np.int8, np.uint8, np.uint32, np.uint64, ml_dtypes.int4, ml_dtypes.uint2]


def spelled(shape: Shape, element_type: str = "i32") -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element_type}>"


def numbered(shape: Shape, first: int = 0) -> Array:
    array = np.arange(first, first + np.prod(shape, dtype=int), dtype=np.int32).reshape(shape)
    array.flags.writeable = False
    return array


@st.composite
def slices(draw: st.DrawFn) -> list[tuple[int, int, int, int]]:
    """(dimension size, start, limit, stride) of each dimension."""
    dimensions: list[tuple[int, int, int, int]] = []
    for _ in range(draw(st.integers(0, 3))):
        size = draw(st.integers(0, 5))
        start = draw(st.integers(0, size))
        dimensions.append((size, start, draw(st.integers(start, size)), draw(st.integers(1, 3))))
    return dimensions


@given(slices())
def test_slice(dimensions: list[tuple[int, int, int, int]]) -> None:
    sizes, starts, limits, strides = (
        (list(values) for values in zip(*dimensions, strict=True)) if dimensions else ([], [], [], [])
    )
    operand = numbered(tuple(sizes))
    shape = tuple(-(-(limit - start) // stride) for _, start, limit, stride in dimensions)
    expected = np.empty(shape, np.int32)
    for index in np.ndindex(shape):
        expected[index] = operand[
            tuple(s + i * step for s, i, step in zip(starts, index, strides, strict=True))
        ]
    attributes = ", ".join(
        f"{name} = array<i64{':' if values else ''} {', '.join(map(str, values))}>"
        for name, values in (("start_indices", starts), ("limit_indices", limits), ("strides", strides))
    )
    operand_type, result_type = spelled(operand.shape), spelled(shape)
    text = f"""
    func.func @main(%operand: {operand_type}) -> {result_type} {{
      %result = "stablehlo.slice"(%operand) {{{attributes}}} : ({operand_type}) -> {result_type}
      return %result : {result_type}
    }}"""
    np.testing.assert_array_equal(hlokit.load(text)(operand), expected)
    if not dimensions:
        return
    places = [np.array(values, np.int64) for values in (starts, limits, strides)]
    place_type = spelled((len(dimensions),), "i64")
    text = f"""
    func.func @main(%operand: {operand_type}, %0: {place_type}, %1: {place_type}, %2: {place_type}) -> {result_type} {{
      %result = stablehlo.real_dynamic_slice %operand, %0, %1, %2
        : ({operand_type}, {place_type}, {place_type}, {place_type}) -> {result_type}
      return %result : {result_type}
    }}"""
    np.testing.assert_array_equal(hlokit.load(text)(operand, *places), expected)


@st.composite
def windows(draw: st.DrawFn, index_dtypes: list[Any] = INDEX_DTYPES) -> tuple[Shape, Shape, list[Array]]:
    """(shape, slice sizes, starts) with starts in and out of bounds."""
    dtype = draw(st.sampled_from(index_dtypes))
    least, most = int(ml_dtypes.iinfo(dtype).min), int(ml_dtypes.iinfo(dtype).max)
    shape = tuple(draw(st.lists(st.integers(0, 5), max_size=3)))
    sizes = tuple(draw(st.one_of(st.just(size), st.integers(0, size))) for size in shape)
    start = st.one_of(st.integers(max(least, -3), min(most, 7)), st.sampled_from([least, most]))
    return shape, sizes, [np.asarray(draw(start)).astype(dtype) for _ in shape]


def start_arguments(starts: list[Array]) -> tuple[str, str, str]:
    types = [spelled((), element_type_of(start.dtype).name) for start in starts]
    parameters = "".join(f", %s{i}: {type_}" for i, type_ in enumerate(types))
    return (
        parameters,
        "".join(f", %s{i}" for i in range(len(starts))),
        "".join(f", {type_}" for type_ in types),
    )


def dynamic_slice_text(shape: Shape, sizes: Shape, starts: list[Array]) -> str:
    parameters, names, types = start_arguments(starts)
    operand, result = spelled(shape), spelled(sizes)
    return f"""
    func.func @main(%operand: {operand}{parameters}) -> {result} {{
      %result = stablehlo.dynamic_slice %operand{names}, sizes = {list(sizes)} : ({operand}{types}) -> {result}
      return %result : {result}
    }}"""


def update_text(shape: Shape, sizes: Shape, starts: list[Array]) -> str:
    parameters, names, types = start_arguments(starts)
    operand, update = spelled(shape), spelled(sizes)
    return f"""
    func.func @main(%operand: {operand}, %update: {update}{parameters}) -> {operand} {{
      %result = "stablehlo.dynamic_update_slice"(%operand, %update{names}) : ({operand}, {update}{types}) -> {operand}
      return %result : {operand}
    }}"""


def adjusted(shape: Shape, sizes: Shape, starts: list[Array]) -> Shape:
    return tuple(max(0, min(int(s), size - part)) for s, size, part in zip(starts, shape, sizes, strict=True))


@settings(max_examples=150)
@given(windows())
def test_dynamic_slice(case: tuple[Shape, Shape, list[Array]]) -> None:
    shape, sizes, starts = case
    operand = numbered(shape)
    result = hlokit.load(dynamic_slice_text(*case))(operand, *starts)
    assert result.shape == sizes
    first = adjusted(*case)
    for index in np.ndindex(sizes):
        assert result[index] == operand[tuple(map(sum, zip(first, index, strict=True)))]


@settings(max_examples=150)
@given(windows())
def test_dynamic_update_slice(case: tuple[Shape, Shape, list[Array]]) -> None:
    shape, sizes, starts = case
    operand, update = numbered(shape), numbered(sizes, 1000)
    result = hlokit.load(update_text(*case))(operand, update, *starts)
    assert result.shape == shape
    first = adjusted(*case)
    for index in np.ndindex(shape):
        place = tuple(i - f for i, f in zip(index, first, strict=True))
        is_inside = all(0 <= i < size for i, size in zip(place, sizes, strict=True))
        assert result[index] == (update[place] if is_inside else operand[index])


@settings(max_examples=15)
@given(windows([np.int32, np.int64, np.uint8, np.uint64]))
def test_dynamic_slices_are_xla(case: tuple[Shape, Shape, list[Array]]) -> None:
    shape, sizes, starts = case
    operand, update = numbered(shape), numbered(sizes, 1000)
    for text, operands in (
        (dynamic_slice_text(*case), [operand]),
        (update_text(*case), [operand, update]),
    ):
        (expected,) = oracles.xla(text, *operands, *starts)
        np.testing.assert_array_equal(hlokit.load(text)(*operands, *starts), expected)


@settings(max_examples=40)
@given(windows([np.int32, np.int64, np.int8]))
def test_dynamic_slices_are_the_reference_interpreters(case: tuple[Shape, Shape, list[Array]]) -> None:
    shape, sizes, starts = case
    operand, update = numbered(shape), numbered(sizes, 1000)
    for text, operands in (
        (dynamic_slice_text(*case), [operand]),
        (update_text(*case), [operand, update]),
    ):
        (expected,) = oracles.reference(text, *operands, *starts)
        np.testing.assert_array_equal(hlokit.load(text)(*operands, *starts), expected)


@pytest.mark.parametrize("sizes", [(3, 2), (5, 2)])
def test_dynamic_slice_of_a_dynamic_operand(sizes: Shape) -> None:
    """The bounds follow from the shape of the actual operand."""
    program = hlokit.load("""
    func.func @main(%operand: tensor<?x?xi32>, %start: tensor<i32>) -> tensor<2x2xi32> {
      %result = stablehlo.dynamic_slice %operand, %start, %start, sizes = [2, 2]
        : (tensor<?x?xi32>, tensor<i32>, tensor<i32>) -> tensor<2x2xi32>
      return %result : tensor<2x2xi32>
    }""")
    operand = numbered(sizes)
    np.testing.assert_array_equal(program(operand, np.int32(9)), operand[-2:])
    np.testing.assert_array_equal(program(operand, np.int32(-9)), operand[:2])
