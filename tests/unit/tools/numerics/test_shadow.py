"""Shadows: where programs lose bits, and that shadows follow the run."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit import Shadow, ShadowReport
from hlokit.errors import HlokitError
from hlokit.mlir.text.split import split_input
from hlokit.tools.numerics.deviations import error_of, unit_in_last_place
from hlokit.tools.numerics.rules.widening import HAS_EXTENDED
from hlokit.values.element_types import BF16, COMPLEX_F64, F8E4M3FNUZ, F16, F32, F64
from tools.accuracy.functions import FUNCTIONS
from tools.accuracy.implementations import elementwise_text

INTERPRET = Path(__file__).parents[3] / "interpret"
needs_extended = pytest.mark.skipif(not HAS_EXTENDED, reason="longdouble is double here")


def shadowed(text: str, *arguments: Any) -> ShadowReport:
    program = hlokit.load(text)
    shadow = Shadow(program)
    plain = program(*arguments)
    observed = program(*arguments, observer=shadow)
    for one, other in zip(*(r if isinstance(r, tuple) else (r,) for r in (plain, observed)), strict=True):
        np.testing.assert_array_equal(one, other)
    return shadow.report()


def ops(report: ShadowReport) -> dict[str, float]:
    return {record.op.split(".")[1]: record.bits_lost for record in report.records}


CANCELLATION = """
  func.func @main(%x: tensor<8xT>) -> tensor<8xT> {
    %one = stablehlo.constant dense<1.0> : tensor<8xT>
    %e = stablehlo.exponential %x : tensor<8xT> loc("net.py":3:1)
    %d = stablehlo.subtract %e, %one : tensor<8xT> loc("net.py":4:1)
    %r = stablehlo.add %d, %d : tensor<8xT> loc("net.py":5:1)
    return %r : tensor<8xT>
  }"""


@pytest.mark.parametrize("dtype", [np.float32, pytest.param(np.float64, marks=needs_extended)])
def test_cancellation_is_where_bits_are_lost(dtype: Any) -> None:
    name = f"f{8 * np.dtype(dtype).itemsize}"
    report = shadowed(CANCELLATION.replace("xT", f"x{name}"), np.linspace(0.9e-4, 1.1e-4, 8).astype(dtype))
    worst = report.worst
    assert worst is not None
    assert (worst.op, worst.source, worst.runs) == ("stablehlo.subtract", "net.py:4:1", 1)
    assert 11 < worst.bits_lost < 15  # of 1.0001 - 1, some 13 bits
    lost = ops(report)
    assert lost["exponential"] == lost["add"] == 0
    assert not report.without_shadow
    # The sum is as far off as the difference: errors are those that have accumulated.
    errors = {record.op: record.relative for record in report.records}
    assert errors["stablehlo.add"] == errors["stablehlo.subtract"] > 0


def test_casts_and_overflows_are_where_bits_are_lost() -> None:
    text = """
      func.func @main(%x: tensor<4xf32>, %y: tensor<4xf16>) -> (tensor<4xf32>, tensor<4xf32>) {
        %b = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xbf16>
        %f = stablehlo.convert %b : (tensor<4xbf16>) -> tensor<4xf32>
        %p = stablehlo.reduce_precision %f, format = e5m2 : tensor<4xf32>
        %m = stablehlo.multiply %y, %y : tensor<4xf16>
        %g = stablehlo.convert %m : (tensor<4xf16>) -> tensor<4xf32>
        return %p, %g : tensor<4xf32>, tensor<4xf32>
      }"""
    report = shadowed(text, np.linspace(1, 1.7, 4, dtype=np.float32), np.array([1, 2, 3, 300], np.float16))
    by_type = {(record.op.split(".")[1], record.type): record for record in report.records}
    cast = by_type["convert", "tensor<4xbf16>"]
    assert 15 <= cast.bits_lost <= 16
    assert cast.max_ulp <= 0.5
    precision = by_type["reduce_precision", "tensor<4xf32>"]
    assert 3 < precision.bits_lost < 7
    overflow = by_type["multiply", "tensor<4xf16>"]
    assert overflow.max_ulp == np.inf
    assert (overflow.bits_lost, overflow.bits_after) == (11, 0)
    assert overflow.as_dict()["max_ulp"] is None
    assert report.worst is cast


def test_shadows_follow_loops_branches_and_calls() -> None:
    text = """
      func.func private @third(%x: tensor<f32>) -> tensor<f32> {
        %three = stablehlo.constant dense<3.0> : tensor<f32>
        %0 = stablehlo.divide %x, %three : tensor<f32>
        return %0 : tensor<f32>
      }
      func.func @main(%x: tensor<f32>, %n: tensor<i32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %third = func.call @third(%x) : (tensor<f32>) -> tensor<f32>
        %i, %sum, %kept = stablehlo.while(%i = %zero, %s = %third, %k = %third) : tensor<i32>, tensor<f32>, tensor<f32> cond {
          %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %j = stablehlo.add %i, %one : tensor<i32>
          %s2 = stablehlo.add %s, %k : tensor<f32>
          stablehlo.return %j, %s2, %k : tensor<i32>, tensor<f32>, tensor<f32>
        }
        %pred = stablehlo.compare GT, %sum, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %chosen = "stablehlo.if"(%pred) ({
          %d = stablehlo.subtract %sum, %third : tensor<f32>
          stablehlo.return %d : tensor<f32>
        }, {
          stablehlo.return %sum : tensor<f32>
        }) : (tensor<i1>) -> tensor<f32>
        %last = stablehlo.negate %chosen : tensor<f32>
        return %sum, %kept, %last : tensor<f32>, tensor<f32>, tensor<f32>
      }"""
    report = shadowed(text, np.float32(1), np.int32(1000))
    total, shadow = np.float32(1) / np.float32(3), 1 / 3
    largest = 0.0
    for _ in range(1000):
        total, shadow = total + np.float32(1) / np.float32(3), shadow + 1 / 3
        largest = max(largest, abs(float(total) - shadow) / shadow)
    records = {record.op.split(".")[1]: record for record in report.records}
    assert records["add"].runs == 1000
    assert records["add"].relative == pytest.approx(largest, rel=1e-6)
    assert records["subtract"].runs == 1
    assert records["negate"].relative == records["subtract"].relative > 1e-7


def test_regions_of_reductions_are_evaluated_as_a_whole() -> None:
    text = """
      func.func @main(%x: tensor<64xf16>, %z: tensor<f16>) -> tensor<f16> {
        %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<64xf16>, tensor<f16>) -> tensor<f16>
          reducer(%a: tensor<f16>, %b: tensor<f16>) {
            %s = stablehlo.multiply %b, %b : tensor<f16>
            %t = stablehlo.subtract %a, %s : tensor<f16>
            stablehlo.return %t : tensor<f16>
          }
        return %0 : tensor<f16>
      }"""
    report = shadowed(text, np.linspace(0.1, 1, 64).astype(np.float16), np.float16(0))
    assert [(record.op, record.runs) for record in report.records] == [("stablehlo.reduce", 1)]
    assert report.records[0].max_ulp > 0.5
    assert not report.without_shadow


def test_shadows_of_sorted_values_are_in_the_order_of_the_values() -> None:
    text = """
      func.func @main(%x: tensor<2x5xf32>, %y: tensor<2x5xbf16>) -> (tensor<2x5xf32>, tensor<2x5xbf16>) {
        %k = stablehlo.cbrt %x : tensor<2x5xf32>
        %v = stablehlo.cbrt %y : tensor<2x5xbf16>
        %0:2 = "stablehlo.sort"(%k, %v) <{dimension = 1 : i64}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<bf16>, %d: tensor<bf16>):
            %g = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
            stablehlo.return %g : tensor<i1>
        }) : (tensor<2x5xf32>, tensor<2x5xbf16>) -> (tensor<2x5xf32>, tensor<2x5xbf16>)
        return %0#0, %0#1 : tensor<2x5xf32>, tensor<2x5xbf16>
      }"""
    generator = np.random.default_rng(0)
    keys = generator.permutation(10).reshape(2, 5).astype(np.float32)
    report = shadowed(text, keys, generator.uniform(1, 9, (2, 5)).astype(BF16.dtype))
    errors = {(record.op.split(".")[1], record.runs): record for record in report.records}
    assert errors["sort", 2].mean_ulp == max(record.mean_ulp for record in report.records if record.runs == 1)


def test_operations_without_shadows_are_reported() -> None:
    text = """
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %l = stablehlo.log %x : tensor<4xf32>
        %i = stablehlo.bitcast_convert %l : (tensor<4xf32>) -> tensor<4xi32>
        %f = stablehlo.bitcast_convert %i : (tensor<4xi32>) -> tensor<4xf32>
        %n = stablehlo.negate %f : tensor<4xf32>
        return %n : tensor<4xf32>
      }"""
    report = shadowed(text, np.arange(2, 6, dtype=np.float32))
    (record,) = report.without_shadow
    assert (record.op, record.note) == ("stablehlo.bitcast_convert", "takes bits, not values")
    assert {record.op: record.max_ulp for record in report.records}["stablehlo.negate"] == 0
    assert "1 operations have no shadow, and count as exact: stablehlo.bitcast_convert" in str(report)


@needs_extended
@pytest.mark.parametrize("name", sorted({f.name for f in FUNCTIONS if f.takes_float}))
def test_functions_of_f64_have_shadows_in_longdouble(name: str) -> None:
    (function,) = [f for f in FUNCTIONS if f.name == name and f.takes_float]
    operands = [np.array([1.5, 2.25, 3.0]) for _ in range(function.operands)]
    if name in ("chlo.acos", "chlo.asin", "chlo.atanh", "chlo.erf_inv"):
        operands = [np.array([0.1, -0.3, 0.7])]
    if name == "chlo.polygamma":
        operands[0] = np.array([1.0, 2.0, 3.0])
    report = shadowed(elementwise_text(name, operands, F64), *operands)
    assert not report.without_shadow, report
    (record,) = report.records
    assert record.max_ulp <= 1.01


@needs_extended
@pytest.mark.parametrize(
    "name", sorted({f.name for f in FUNCTIONS if f.takes_complex and f.name != "stablehlo.abs"})
)
def test_functions_of_complex_numbers_have_shadows(name: str) -> None:
    (function,) = [f for f in FUNCTIONS if f.name == name and f.takes_complex]
    operands = [np.array([1.5 + 0.25j, 0.5 - 2.0j]) for _ in range(function.operands)]
    report = shadowed(elementwise_text(name, operands, COMPLEX_F64), *operands)
    assert not report.without_shadow, report
    assert report.records[0].max_ulp < 2


@needs_extended
def test_linear_algebra_of_f64_has_shadows() -> None:
    text = """
      func.func @main(%a: tensor<2x4x4xf64>, %b: tensor<2x4x1xf64>) -> (tensor<2x4x4xf64>, tensor<2x4x1xf64>) {
        %u = "stablehlo.cholesky"(%a) {lower = false} : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
        %l = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
        %x = "stablehlo.triangular_solve"(%l, %b) {left_side = true, lower = true, unit_diagonal = false,
          transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x4x4xf64>, tensor<2x4x1xf64>) -> tensor<2x4x1xf64>
        return %u, %x : tensor<2x4x4xf64>, tensor<2x4x1xf64>
      }"""
    generator = np.random.default_rng(0)
    root = generator.normal(size=(2, 4, 4))
    matrices = root @ np.swapaxes(root, -1, -2) + np.eye(4)
    report = shadowed(text, matrices, generator.normal(size=(2, 4, 1)))
    assert not report.without_shadow, report
    assert {record.op: record.relative < 1e-14 for record in report.records} == {
        "stablehlo.cholesky": True,
        "stablehlo.triangular_solve": True,
    }
    assert all(record.relative > 0 for record in report.records)


WHOLE_OF_F64 = {
    "batch norms": """
      func.func @main(%x: tensor<6x4xf64>, %y: tensor<6x4xf64>) -> (tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>) {
        %s = stablehlo.constant dense<[0.3, 1.1, 2.7, -0.9]> : tensor<4xf64>
        %o:3 = "stablehlo.batch_norm_training"(%x, %s, %s) {epsilon = 0.001 : f32, feature_index = 1 : i64}
          : (tensor<6x4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<6x4xf64>, tensor<4xf64>, tensor<4xf64>)
        %i = "stablehlo.batch_norm_inference"(%y, %s, %s, %o#1, %o#2) {epsilon = 0.001 : f32, feature_index = 1 : i64}
          : (tensor<6x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<6x4xf64>
        %g:3 = "stablehlo.batch_norm_grad"(%x, %s, %o#1, %o#2, %y) {epsilon = 0.001 : f32, feature_index = 1 : i64}
          : (tensor<6x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<6x4xf64>) -> (tensor<6x4xf64>, tensor<4xf64>, tensor<4xf64>)
        return %o#0, %i, %g#0 : tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>
      }""",
    "einsum chains": """
      func.func @main(%x: tensor<6x4xf64>, %y: tensor<6x4xf64>) -> tensor<6xf64> {
        %0 = "stablehlo.einsum"(%x, %y) {einsum_config = "ij,kj->ik"} : (tensor<6x4xf64>, tensor<6x4xf64>) -> tensor<6x6xf64>
        %1 = "stablehlo.einsum"(%0, %x) {einsum_config = "ik,kj->ij"} : (tensor<6x6xf64>, tensor<6x4xf64>) -> tensor<6x4xf64>
        %2 = "stablehlo.unary_einsum"(%1) {einsum_config = "ij->i"} : (tensor<6x4xf64>) -> tensor<6xf64>
        return %2 : tensor<6xf64>
      }""",
    "reductions with bodies": """
      func.func @main(%x: tensor<6x4xf64>, %y: tensor<6x4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
        %z = stablehlo.constant dense<0.0> : tensor<f64>
        %e = stablehlo.exponential %x : tensor<6x4xf64>
        %r:2 = stablehlo.reduce(%e init: %z), (%y init: %z) across dimensions = [0]
          : (tensor<6x4xf64>, tensor<6x4xf64>, tensor<f64>, tensor<f64>) -> (tensor<4xf64>, tensor<4xf64>)
          reducer(%a: tensor<f64>, %c: tensor<f64>) (%b: tensor<f64>, %d: tensor<f64>) {
            %p = stablehlo.compare GE, %a, %c : (tensor<f64>, tensor<f64>) -> tensor<i1>
            %m = stablehlo.select %p, %a, %c : tensor<i1>, tensor<f64>
            %s = stablehlo.add %b, %d : tensor<f64>
            stablehlo.return %m, %s : tensor<f64>, tensor<f64>
          }
        return %r#0, %r#1 : tensor<4xf64>, tensor<4xf64>
      }""",
    "bodies that call": """
      func.func private @larger(%a: tensor<f64>, %b: tensor<f64>) -> tensor<f64> {
        %c = stablehlo.compare GT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
        %r = "stablehlo.if"(%c) ({
          %s = stablehlo.sine %a : tensor<f64>
          stablehlo.return %s : tensor<f64>
        }, {
          stablehlo.return %b : tensor<f64>
        }) : (tensor<i1>) -> tensor<f64>
        return %r : tensor<f64>
      }
      func.func @main(%x: tensor<6x4xf64>, %y: tensor<6x4xf64>) -> tensor<6x4xf64> {
        %z = stablehlo.constant dense<0.0> : tensor<f64>
        %0 = "stablehlo.reduce_window"(%x, %z) ({
          ^bb0(%a: tensor<f64>, %b: tensor<f64>):
            %m = func.call @larger(%a, %b) : (tensor<f64>, tensor<f64>) -> tensor<f64>
            stablehlo.return %m : tensor<f64>
        }) {window_dimensions = array<i64: 1, 3>, padding = dense<[[0, 0], [2, 0]]> : tensor<2x2xi64>}
          : (tensor<6x4xf64>, tensor<f64>) -> tensor<6x4xf64>
        %1 = stablehlo.multiply %0, %y : tensor<6x4xf64>
        return %1 : tensor<6x4xf64>
      }""",
    "scatters of extrema": """
      func.func @main(%x: tensor<6x4xf64>, %y: tensor<6x4xf64>) -> tensor<6x4xf64> {
        %e = stablehlo.sine %y : tensor<6x4xf64>
        %i = stablehlo.constant dense<[[1], [3], [1], [0], [5], [3]]> : tensor<6x1xi32>
        %0 = "stablehlo.scatter"(%x, %i, %e) ({
          ^bb0(%a: tensor<f64>, %b: tensor<f64>):
            %m = stablehlo.maximum %a, %b : tensor<f64>
            stablehlo.return %m : tensor<f64>
        }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
            scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}
          : (tensor<6x4xf64>, tensor<6x1xi32>, tensor<6x4xf64>) -> tensor<6x4xf64>
        return %0 : tensor<6x4xf64>
      }""",
    "loops over transforms, convolutions, sorts": """
      func.func @main(%x: tensor<6x4xf64>, %y: tensor<6x4xf64>) -> tensor<6x4xf64> {
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %three = stablehlo.constant dense<3> : tensor<i32>
        %n, %r = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<6x4xf64> cond {
          %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %one = stablehlo.constant dense<1> : tensor<i32>
          %j = stablehlo.add %i, %one : tensor<i32>
          %f = stablehlo.fft %v, type = RFFT, length = [4] : (tensor<6x4xf64>) -> tensor<6x3xcomplex<f64>>
          %b = stablehlo.fft %f, type = IRFFT, length = [4] : (tensor<6x3xcomplex<f64>>) -> tensor<6x4xf64>
          %k = stablehlo.slice %y [0:4, 0:4] : (tensor<6x4xf64>) -> tensor<4x4xf64>
          %d = stablehlo.convolution(%b, %k) dim_numbers = [b, f]x[i, o]->[b, f], window = {}
            {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<6x4xf64>, tensor<4x4xf64>) -> tensor<6x4xf64>
          %s = "stablehlo.sort"(%d) ({
            ^bb0(%p: tensor<f64>, %q: tensor<f64>):
              %o = stablehlo.compare LT, %p, %q : (tensor<f64>, tensor<f64>) -> tensor<i1>
              stablehlo.return %o : tensor<i1>
          }) {dimension = 0 : i64} : (tensor<6x4xf64>) -> tensor<6x4xf64>
          stablehlo.return %j, %s : tensor<i32>, tensor<6x4xf64>
        }
        return %r : tensor<6x4xf64>
      }""",
}


@needs_extended
@pytest.mark.parametrize("name", WHOLE_OF_F64)
def test_operations_on_whole_arrays_of_f64_have_shadows(name: str) -> None:
    generator = np.random.default_rng(0)
    x, y = generator.uniform(0.5, 2, (2, 6, 4))
    report = shadowed(WHOLE_OF_F64[name], x, y)
    assert not report.without_shadow, report
    assert all(record.relative < 1e-14 for record in report.records), report
    assert any(record.relative > 0 for record in report.records), report


def test_every_missing_shadow_has_a_reason() -> None:
    """Programs that move complex numbers, dequantize, read bits, and call functions with known types only."""
    reasons: dict[str, str] = {}
    for file in (
        "sort",
        "bitcast_convert",
        "uniform_dequantize",
        "rng",
        "batch_norm_training",
        "custom_call",
    ):
        for part in split_input((INTERPRET / f"{file}.mlir").read_text()):
            program = hlokit.load(part)
            for name in program.functions:
                shadow = Shadow(program)
                try:
                    program(function=name)
                except HlokitError:
                    continue  # it has parameters, or is meant to fail
                program(function=name, observer=shadow)
                reasons |= {record.op: record.note for record in shadow.report().without_shadow}
    assert not [op for op, reason in reasons.items() if "Error" in reason], reasons
    assert "stablehlo.sort" not in reasons
    assert reasons["stablehlo.bitcast_convert"] == "takes bits, not values"
    assert reasons["stablehlo.uniform_dequantize"] == "takes integers, which count as exact"


def test_shadows_on_a_grid_of_processes() -> None:
    text = """
      func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
        %l = stablehlo.log %x : tensor<3xf32>
        %s = "stablehlo.all_reduce"(%l) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %c = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %c : tensor<f32>
        }) : (tensor<3xf32>) -> tensor<3xf32>
        return %s : tensor<3xf32>
      }"""
    program = hlokit.load(text)
    shadow = Shadow(program)
    program.run_parallel([(np.full(3, i + 2, np.float32),) for i in range(2)], observer=shadow)
    runs = {record.op: (record.runs, record.note) for record in shadow.report().records}
    assert runs == {
        "stablehlo.log": (2, ""),
        "stablehlo.all_reduce": (
            2,
            "receives values of other processes, whose shadows are in those processes",
        ),
    }


def test_shadows_end_with_their_values() -> None:
    program = hlokit.load(CANCELLATION.replace("xT", "xf32"))
    shadow = Shadow(program)
    program(np.linspace(0.1, 1, 8, dtype=np.float32), observer=shadow)
    gc.collect()
    assert not shadow._shadows


@pytest.mark.parametrize("element_type", [F16, BF16, F32, F64, F8E4M3FNUZ], ids=str)
def test_unit_in_the_last_place_is_the_distance_to_the_next_value(element_type: Any) -> None:
    codes = np.arange(1, 120, dtype=element_type.bits_dtype)
    one = np.ones((), element_type.dtype).view(element_type.bits_dtype)
    near_one = one - element_type.bits_dtype.type(8) + codes[:16]
    for first in (codes, near_one):
        values = first.view(element_type.dtype).astype(np.longdouble)
        following = (first + element_type.bits_dtype.type(1)).view(element_type.dtype).astype(np.longdouble)
        finite = np.isfinite(following)
        np.testing.assert_array_equal(
            unit_in_last_place(values, element_type)[finite], (following - values)[finite]
        )


def test_deviations_of_values_without_precise_ones() -> None:
    nothing = error_of(np.zeros(0, np.float32), np.zeros(0), F32)
    assert (nothing.max_ulp, nothing.bits(F32)) == (0, 24)
    same = error_of(np.array([np.inf, np.nan, 0], np.float32), np.array([np.inf, np.nan, 0]), F32)
    assert (same.max_ulp, same.relative) == (0, 0)
    assert error_of(np.array([1.0], np.float32), np.array([np.nan]), F32).max_ulp == np.inf
