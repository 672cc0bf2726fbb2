"""`hlokit.Trace`: what it tells of a run."""

from __future__ import annotations

import numpy as np

import hlokit

PROGRAM = """
func.func @main(%n: tensor<i32>, %x: tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<3xf32> cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.multiply %v, %x : tensor<3xf32> loc("model.py":7:1)
    stablehlo.return %j, %w : tensor<i32>, tensor<3xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<3xf32>
}
"""
X = np.array([2.0, np.nan, np.inf], np.float32)


def test_trace_records_every_operation_in_order_of_completion() -> None:
    records: list[hlokit.Record] = []
    count, _ = hlokit.load(PROGRAM)(2, X, observer=hlokit.Trace(records.append))
    assert int(count) == 2
    iteration = ["stablehlo.compare", "stablehlo.add", "stablehlo.multiply"]
    assert [record.op for record in records] == [
        *iteration,
        *iteration,
        "stablehlo.compare",
        "stablehlo.while",
    ]
    assert [record.depth for record in records] == [1] * 7 + [0]
    assert all(record.seconds >= 0 for record in records)
    assert records[-1].seconds >= sum(record.seconds for record in records[:-1])


def test_trace_summarizes_values_and_names_source_lines() -> None:
    lines: list[str] = []
    hlokit.load(PROGRAM)(1, X, observer=hlokit.Trace(lambda record: lines.append(str(record))))
    (multiply,) = (line for line in lines if "multiply" in line)
    assert "tensor<3xf32> in [4, 4], mean 4, 1 NaN, 1 inf" in multiply
    assert '"model.py":7:1' in multiply


def test_results_are_the_same_with_and_without() -> None:
    program = hlokit.load(PROGRAM)
    plain = program(3, X)
    traced = program(3, X, observer=hlokit.Trace(lambda record: None))
    np.testing.assert_array_equal(plain[1], traced[1])
    np.testing.assert_array_equal(plain[1], program(3, X)[1])
