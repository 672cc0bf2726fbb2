"""CHLO operations on whole arrays: broadcasting, top_k, ragged_dot, scan."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hlokit
from hlokit.errors import EvaluationError
from hlokit.kernels.regions.top_k import top_k_indices
from hlokit.values.element_types import (
    COMPLEX_F32,
    F32,
    I1,
    I32,
    ElementType,
)
from hlokit.values.types import TensorType
from tests.unit.kernels.elementwise.chlo_programs import evaluate, text
from tests.unit.kernels.elementwise.elementwise_programs import (
    FLOATS,
    INTEGERS,
    assert_equal,
)
from tests.unit.kernels.one_op import type_of

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

Function = Callable[..., Any]
NAN, INF = math.nan, math.inf


# Broadcasting --------------------------------------------------------------------------------------------


def test_broadcast_of_last_dimensions() -> None:
    lhs, rhs = np.arange(2.0).reshape(2, 1), np.arange(3.0)
    result = evaluate("broadcast_subtract", lhs, rhs, shape=(2, 3))
    assert_equal(result, lhs - rhs)


def test_broadcast_with_dimensions() -> None:
    lhs, rhs = np.arange(6.0).reshape(2, 3), np.array([1.0, 4.0])
    result = evaluate(
        "broadcast_power", lhs, rhs, shape=(2, 3), attributes="broadcast_dimensions = array<i64: 0>"
    )
    assert_equal(result, lhs ** rhs[:, np.newaxis])


def test_broadcast_of_a_scalar_on_the_left() -> None:
    result = evaluate("broadcast_shift_left", np.array(1, np.int32), np.arange(4, dtype=np.int32))
    assert result.tolist() == [1, 2, 4, 8]


def test_broadcast_compare() -> None:
    lhs, rhs = np.array([[0.0], [-0.0]], np.float32), np.array([0.0, -0.0, NAN], np.float32)
    direction = "comparison_direction = #chlo<comparison_direction EQ>"
    total = f"{direction}, compare_type = #chlo<comparison_type TOTALORDER>"
    equal = evaluate("broadcast_compare", lhs, rhs, shape=(2, 3), result=I1, attributes=direction)
    same = evaluate("broadcast_compare", lhs, rhs, shape=(2, 3), result=I1, attributes=total)
    assert equal.tolist() == [[True, True, False], [True, True, False]]
    assert same.tolist() == [[True, False, False], [False, True, False]]


def test_broadcast_complex() -> None:
    lhs, rhs = np.ones((2, 1), np.float32), np.arange(3, dtype=np.float32)
    result = evaluate("broadcast_complex", lhs, rhs, shape=(2, 3), result=COMPLEX_F32)
    assert_equal(result.imag, np.broadcast_to(rhs, (2, 3)))


def test_broadcast_select() -> None:
    pred = np.array([[True], [False]])
    on_true, on_false = np.arange(3.0), np.array(7.0)
    assert_equal(
        evaluate("broadcast_select", pred, on_true, on_false, shape=(2, 3)), np.where(pred, on_true, on_false)
    )


def test_broadcast_of_dynamic_shapes() -> None:
    unknown = TensorType((-1, -1), F32)
    program = hlokit.load(text("broadcast_add", [unknown, TensorType((-1,), F32)], [unknown]))
    ones = np.ones((2, 1), np.float32)
    assert program(ones, np.arange(3, dtype=np.float32)).tolist() == [[1, 2, 3], [1, 2, 3]]
    with pytest.raises(EvaluationError, match=r"shapes that broadcast, got \[2, 2\], \[3\]"):
        program(np.ones((2, 2), np.float32), np.ones(3, np.float32))


@pytest.mark.parametrize("name", ["broadcast_next_after", "broadcast_zeta", "broadcast_polygamma"])
def test_broadcast_of_special_functions(name: str) -> None:
    lhs, rhs = np.array([[2.0], [3.0]]), np.array([1.0, 2.0, 5.0])
    whole = evaluate(name.removeprefix("broadcast_"), *np.broadcast_arrays(lhs, rhs))
    assert_equal(evaluate(name, lhs, rhs, shape=(2, 3)), whole)


# top_k ---------------------------------------------------------------------------------------------------


def top_k(operand: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    type_ = type_of(operand)
    shape = (*operand.shape[:-1], k)
    results = [TensorType(shape, type_.element_type), TensorType(shape, I32)]
    return hlokit.load(text("top_k", [type_], results, f"k = {k} : i64"))(operand)


def test_top_k_is_in_total_order() -> None:
    values, indices = top_k(np.array([1, NAN, -0.0, 0.0, 3, 3, INF, -INF], np.float32), 8)
    assert_equal(values, np.array([NAN, INF, 3, 3, 1, 0.0, -0.0, -INF], np.float32))
    assert indices.tolist() == [1, 6, 4, 5, 0, 3, 2, 7]


@pytest.mark.parametrize("type_", [*FLOATS, *INTEGERS, I1], ids=str)
def test_top_k_of_all_types(type_: ElementType) -> None:
    operand = (
        np.random.default_rng(0)
        .integers(0 if type_ is I1 else 1, 2 if type_ is I1 else 4, (2, 3, 20))
        .astype(type_.dtype)
    )
    wide = operand.astype(np.float32)
    values, indices = top_k(operand, 5)
    want = np.argsort(-wide, axis=-1, kind="stable")[..., :5]
    np.testing.assert_array_equal(indices, want)
    np.testing.assert_array_equal(values.astype(np.float32), np.take_along_axis(wide, want, -1))


@given(st.integers(0, 40), st.integers(65, 400), st.integers(1, 6))
def test_candidates_equal_a_whole_sort(k: int, size: int, spread: int) -> None:
    numbers = np.random.default_rng([k, size]).integers(-spread, spread + 1, (3, size))
    np.testing.assert_array_equal(
        top_k_indices(numbers, k), np.argsort(-numbers, axis=-1, kind="stable")[:, :k]
    )


# ragged_dot ----------------------------------------------------------------------------------------------


def ragged_dot(
    lhs: np.ndarray, rhs: np.ndarray, sizes: np.ndarray, shape: tuple[int, ...], numbers: str
) -> np.ndarray:
    names = (
        "lhs_batching_dimensions",
        "rhs_batching_dimensions",
        "lhs_contracting_dimensions",
        "rhs_contracting_dimensions",
        "lhs_ragged_dimensions",
        "rhs_group_dimensions",
    )
    fields = ", ".join(f"{name} = [{value}]" for name, value in zip(names, numbers.split("|"), strict=True))
    attributes = f"ragged_dot_dimension_numbers = #chlo.ragged_dot<{fields}>"
    result = TensorType(shape, type_of(lhs).element_type)
    return hlokit.load(text("ragged_dot", [type_of(a) for a in (lhs, rhs, sizes)], [result], attributes))(
        lhs, rhs, sizes
    )


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).normal(size=shape)


def test_ragged_rows() -> None:
    lhs, rhs, sizes = normal(8, 3), normal(3, 3, 2), np.array([4, 0, 3])
    want = np.concatenate([lhs[:4] @ rhs[0], lhs[4:7] @ rhs[2], np.zeros((1, 2))])
    np.testing.assert_allclose(ragged_dot(lhs, rhs, sizes, (8, 2), "||1|1|0|0"), want)


def test_ragged_rows_of_batches() -> None:
    """Batches come second in lhs and last in rhs; each has its own groups."""
    lhs, rhs, sizes = normal(5, 2, 3), normal(3, 4, 2, 2), np.array([[2, 3], [1, 1]])
    want = np.zeros((2, 5, 4))
    for batch in range(2):
        start = 0
        for group, size in enumerate(sizes[batch]):
            rows = slice(start, start + size)
            want[batch, rows] = lhs[rows, batch] @ rhs[:, :, group, batch]
            start += size
    np.testing.assert_allclose(ragged_dot(lhs, rhs, sizes, (2, 5, 4), "1|3|2|0|0|2"), want)


def test_ragged_contraction() -> None:
    lhs, rhs, sizes = normal(2, 6), normal(6, 3), np.array([1, 3, 0])
    want = np.stack([lhs[:, :1] @ rhs[:1], lhs[:, 1:4] @ rhs[1:4], np.zeros((2, 3))])
    np.testing.assert_allclose(ragged_dot(lhs, rhs, sizes, (3, 2, 3), "||1|0|1|"), want)


def test_ragged_contraction_of_batches() -> None:
    lhs, rhs, sizes = normal(2, 4, 5), normal(2, 5, 3), np.array([[2, 3], [4, 1]])
    want = np.zeros((2, 2, 4, 3))
    for batch in range(2):
        cut = sizes[batch, 0]
        want[0, batch] = lhs[batch, :, :cut] @ rhs[batch, :cut]
        want[1, batch] = lhs[batch, :, cut:] @ rhs[batch, cut:]
    np.testing.assert_allclose(ragged_dot(lhs, rhs, sizes, (2, 2, 4, 3), "0|0|2|1|2|"), want)


def test_ragged_batch() -> None:
    lhs, rhs = normal(3, 2, 4), normal(3, 4, 5)
    np.testing.assert_allclose(ragged_dot(lhs, rhs, np.array([1, 2]), (3, 2, 5), "0|0|2|1|0|"), lhs @ rhs)


def test_top_k_of_complex_numbers_has_a_reason() -> None:
    with pytest.raises(hlokit.UnsupportedError, match="top_k of complex numbers: they have no order"):
        top_k(np.array([1 + 2j, 3], np.complex64), 1)


QUANTIZED = "!quant.uniform<i8:f32, 0.5:1>"


def test_top_k_of_quantized_values() -> None:
    text = f"""
      func.func @main(%x: tensor<4x{QUANTIZED}>) -> (tensor<2x{QUANTIZED}>, tensor<2xi32>) {{
        %0:2 = chlo.top_k(%x, k = 2) : tensor<4x{QUANTIZED}> -> (tensor<2x{QUANTIZED}>, tensor<2xi32>)
        return %0#0, %0#1 : tensor<2x{QUANTIZED}>, tensor<2xi32>
      }}"""
    values, indices = hlokit.load(text)(np.array([3, -7, 100, 3], np.int8))
    assert (values.tolist(), indices.tolist()) == ([100, 3], [2, 0])


def test_scan_of_quantized_values_rounds_at_every_step() -> None:
    q = QUANTIZED
    text = f"""
      func.func @main(%x: tensor<3x{q}>, %i: tensor<{q}>) -> (tensor<3x{q}>, tensor<{q}>) {{
        %0, %1 = chlo.scan(%x) inits(%i) dimension=0 {{
        ^bb0(%a: tensor<{q}>, %b: tensor<{q}>):
          %r = stablehlo.add %a, %b : tensor<{q}>
          stablehlo.return %r, %r : tensor<{q}>, tensor<{q}>
        }} : (tensor<3x{q}>, tensor<{q}>) -> (tensor<3x{q}>, tensor<{q}>)
        return %0, %1 : tensor<3x{q}>, tensor<{q}>
      }}"""
    outputs, carry = hlokit.load(text)(np.array([3, 101, 101], np.int8), np.array(1, np.int8))
    assert (outputs.tolist(), int(carry)) == ([3, 103, 127], 127), "zero is 1, and sums saturate"


# scan ----------------------------------------------------------------------------------------------------


def scan(body: str, operand: np.ndarray, init: np.ndarray, attributes: str = "") -> tuple[np.ndarray, ...]:
    inner, whole = type_of(init), type_of(operand)
    dimension = next(
        (d for d in range(operand.ndim) if np.delete(operand.shape, d).tolist() == list(init.shape)), 0
    )
    return hlokit.load(f"""
      func.func @main(%operand: {whole}, %init: {inner}) -> ({whole}, {inner}) {{
        %result:2 = chlo.scan(%operand) inits(%init) dimension={dimension} {attributes} {{
        ^bb0(%x: {inner}, %carry: {inner}):
          {body.replace("TYPE", str(inner))}
        }} : ({whole}, {inner}) -> ({whole}, {inner})
        return %result#0, %result#1 : {whole}, {inner}
      }}""")(operand, init)


ADD = "%sum = stablehlo.add %x, %carry : TYPE\n stablehlo.return %sum, %sum : TYPE, TYPE"
ADD_TWICE = (
    "%none = stablehlo.subtract %x, %x : TYPE\n %rest = stablehlo.add %none, %x : TYPE\n"
    "%sum = stablehlo.add %rest, %carry : TYPE\n stablehlo.return %sum, %sum : TYPE, TYPE"
)


@pytest.mark.parametrize("is_reverse", [False, True])
@pytest.mark.parametrize("shape", [(7,), (3, 5), (0,)])
def test_scan_that_accumulates_equals_the_loop(shape: tuple[int, ...], is_reverse: bool) -> None:
    operand = normal(*shape).astype(np.float32)
    init = normal(*shape[1:]).astype(np.float32).reshape(shape[1:])
    attributes = "attributes {is_reverse = true}" if is_reverse else ""
    fast, slow = scan(ADD, operand, init, attributes), scan(ADD_TWICE, operand, init, attributes)
    for one, other in zip(fast, slow, strict=True):
        assert_equal(one, other)


def test_scan_wraps() -> None:
    sums, carry = scan(ADD, np.array([100, 100, 100], np.int8), np.array(1, np.int8))
    assert sums.tolist() == [101, -55, 45]
    assert int(carry) == 45
