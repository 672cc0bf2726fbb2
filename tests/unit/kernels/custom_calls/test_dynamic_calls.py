"""Custom calls with dynamic operands do what the operations with attributes do; some apply the program's functions."""

from __future__ import annotations

import numpy as np
import pytest

import hlokit

X = np.arange(20, dtype=np.float32).reshape(4, 5) % 7

WINDOWS = """
func.func private @combine(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {{
  {body}
  return %r : tensor<f32>
}}
func.func @dynamic(%x: tensor<?x?xf32>, %i: tensor<f32>, %w: tensor<2xi64>, %s: tensor<2xi64>, %b: tensor<2xi64>,
    %d: tensor<2xi64>, %p: tensor<2x2xi64>) -> tensor<?x?xf32> {{
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %i, %w, %s, %b, %d, %p)
    {{called_computations = [@combine]}}
    : (tensor<?x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2x2xi64>)
    -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}}
func.func @static(%x: tensor<4x5xf32>, %i: tensor<f32>) -> tensor<{result}xf32> {{
  %0 = "stablehlo.reduce_window"(%x, %i) ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      {body}
      stablehlo.return %r : tensor<f32>
  }}) {{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 2, 1>,
       window_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}}
    : (tensor<4x5xf32>, tensor<f32>) -> tensor<{result}xf32>
  return %0 : tensor<{result}xf32>
}}"""
OPERANDS = [np.array(values, np.int64) for values in ([2, 3], [1, 2], [2, 1], [1, 2], [[1, 0], [0, 2]])]


@pytest.mark.parametrize(
    "body",
    [
        "%r = stablehlo.add %a, %b : tensor<f32>",
        "%r = stablehlo.maximum %a, %b : tensor<f32>",
        "%s = stablehlo.sine %b : tensor<f32> %r = stablehlo.subtract %a, %s : tensor<f32>",
    ],
)
def test_windows(body: str) -> None:
    program = hlokit.load(WINDOWS.format(body=body, result="7x2"))
    got = program(X, 0.5, *OPERANDS, function="dynamic")
    np.testing.assert_array_equal(got, program(X, 0.5, function="static"))


def test_windows_must_be_positive() -> None:
    program = hlokit.load(WINDOWS.format(body="%r = stablehlo.add %a, %b : tensor<f32>", result="7x2"))
    operands = [np.array([2, 0], np.int64), *OPERANDS[1:]]
    with pytest.raises(hlokit.EvaluationError, match="windows, strides and dilations must be positive"):
        program(X, 0.5, *operands, function="dynamic")


@pytest.mark.parametrize("algorithm", ["DEFAULT", "THREE_FRY", "PHILOX"])
def test_random_bits(algorithm: str) -> None:
    program = hlokit.load(f"""
      func.func @dynamic(%s: tensor<2xui64>, %n: tensor<2xi32>) -> (tensor<2xui64>, tensor<?x3xui32>) {{
        %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n)
          {{rng_algorithm = #stablehlo<rng_algorithm {algorithm}>}}
          : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x3xui32>)
        return %0#0, %0#1 : tensor<2xui64>, tensor<?x3xui32>
      }}
      func.func @static(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui32>) {{
        %0:2 = stablehlo.rng_bit_generator %s, algorithm = {algorithm} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui32>)
        return %0#0, %0#1 : tensor<2xui64>, tensor<4x3xui32>
      }}""")
    state = np.array([3, 5], np.uint64)
    dynamic = program(state, np.array([4, 3], np.int32), function="dynamic")
    for got, want in zip(dynamic, program(state, function="static"), strict=True):
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("k", [1, 3])
def test_greatest_by_any_comparator(k: int) -> None:
    """The name of the comparator does not determine the order: here it compares remainders by 5, the least
    first."""
    program = hlokit.load("""
      func.func private @by_remainder(%a: tensor<i32>, %b: tensor<i32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
        %five = stablehlo.constant dense<5> : tensor<i32>
        %x = stablehlo.remainder %a, %five : tensor<i32>
        %y = stablehlo.remainder %b, %five : tensor<i32>
        %r = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
        return %r : tensor<i1>
      }
      func.func @main(%x: tensor<6xi32>, %i: tensor<6xi32>, %z: tensor<i32>, %k: tensor<i32>) -> (tensor<?xi32>, tensor<?xi32>) {
        %0:2 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%x, %i, %z, %z, %k)
          {called_computations = [@by_remainder], mhlo.backend_config = {reduction_dim = 0 : i64}}
          : (tensor<6xi32>, tensor<6xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<?xi32>, tensor<?xi32>)
        return %0#0, %0#1 : tensor<?xi32>, tensor<?xi32>
      }""")
    values, indices = program(np.array([9, 7, 5, 8, 10, 2], np.int32), np.arange(6, dtype=np.int32), 0, k)
    assert (values.tolist(), indices.tolist()) == ([5, 10, 7][:k], [2, 4, 1][:k])


def test_a_function_that_partitions_itself_is_called() -> None:
    program = hlokit.load("""
      func.func private @double(%x: tensor<2xf32>) -> tensor<2xf32> {
        %0 = stablehlo.add %x, %x : tensor<2xf32>
        return %0 : tensor<2xf32>
      }
      func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
        %0 = stablehlo.custom_call @CustomSPMDPartitioning(%x) {called_computations = [@double]}
          : (tensor<2xf32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }""")
    assert program(np.array([1, 2], np.float32)).tolist() == [2, 4]


def test_users_get_computations() -> None:
    program = hlokit.load("""
      func.func private @triple(%x: tensor<f32>) -> tensor<f32> {
        %0 = stablehlo.constant dense<3.0> : tensor<f32>
        %1 = stablehlo.multiply %x, %0 : tensor<f32>
        return %1 : tensor<f32>
      }
      func.func @main(%x: tensor<f32>) -> tensor<f32> {
        %0 = stablehlo.custom_call @test.twice(%x) {called_computations = [@triple]} : (tensor<f32>) -> tensor<f32>
        return %0 : tensor<f32>
      }""")

    @hlokit.custom_call("test.twice")
    def twice(x: np.ndarray, *, call: hlokit.CustomCall) -> np.ndarray:
        (function,) = call.computations
        return function(function(x))

    assert float(program(2.0)) == 18
    assert twice is not None


APPROXIMATE = """
func.func private @by_size(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %r = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %r : tensor<i1>
}
func.func @main(%x: tensor<6xf32>, %i: tensor<6xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %v = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %n = stablehlo.constant dense<-1> : tensor<i32>
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %v, %n) {called_computations = [@by_size],
    mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}}
    : (tensor<6xf32>, tensor<6xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
}"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tensor<6xi32>", "tensor<4xi32>", r"2 results must have operands of one shape .*, got shapes \(6,\), \(4,\)"),
        ("reduction_dim = 0", "reduction_dim = 3", r"reduction_dim must be a dimension of \(6,\), got 3"),
        ("reduction_dim = 0 : i64, ", "", r"reduction_dim must be a dimension of \(6,\), got None"),
        ("= [@by_size]", "= [@absent]", "there is no function @absent"),
    ],
)  # fmt: skip
def test_calls_that_do_not_fit(old: str, new: str, message: str) -> None:
    x, i = np.array([3, 1, 4, 1, 5, 9], np.float32), np.arange(6, dtype=np.int32)
    values, indices = hlokit.load(APPROXIMATE)(x, i)
    assert (values.tolist(), indices.tolist()) == ([9, 5], [5, 4])
    with pytest.raises((hlokit.EvaluationError, hlokit.UnsupportedError), match=message):
        hlokit.load(APPROXIMATE.replace(old, new))(x, i[:4] if "4x" in new else i)
