"""`program.trace`: rows, values by name and source line, the first NaN."""

from __future__ import annotations

import re

import numpy as np
import pytest

import hlokit

PROGRAM = """
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2.0> : tensor<4xf32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32>
   cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.multiply %y, %two : tensor<4xf32> loc("mul"("model.py":5:6))
    stablehlo.return %j, %z : tensor<i32>, tensor<4xf32>
  }
  %h = call @halve(%r#1) : (tensor<4xf32>) -> tensor<4xf32>
  %l = stablehlo.log %h : tensor<4xf32> loc("log"(callsite("f"("/x/site-packages/lib.py":1:1) at "g"("model.py":9:1))))
  return %l : tensor<4xf32>
}
func.func private @halve(%x: tensor<4xf32>) -> tensor<4xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %r = stablehlo.multiply %x, %half : tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
X = np.array([1, 2, 3, -4], np.float32)


@pytest.fixture(scope="module")
def trace() -> hlokit.RunTrace:
    return hlokit.load(PROGRAM).trace(X, 2)


def test_values_by_name(trace: hlokit.RunTrace) -> None:
    np.testing.assert_array_equal(trace["%0#1"], X * 4)
    np.testing.assert_array_equal(trace["%0#0"], 2)
    np.testing.assert_array_equal(trace["@halve %0"], X * 2)
    np.testing.assert_array_equal(trace["@halve%0"], X * 2)
    turns = trace["%4"]
    assert len(turns) == 2
    np.testing.assert_array_equal(turns[1], X * 4)


def test_values_by_source_line(trace: hlokit.RunTrace) -> None:
    np.testing.assert_array_equal(trace["model.py:5"][0], X * 2)
    np.testing.assert_array_equal(
        trace["model.py:9"], np.log(X * 2, where=X > 0, out=np.full(4, np.nan, np.float32))
    )
    assert [row.op for row in trace.rows("model.py:9")] == ["stablehlo.log"]


@pytest.mark.parametrize("key", ["%99", "@none %0", "model.py:77", "nonsense"])
def test_unknown_names_are_errors(trace: hlokit.RunTrace, key: str) -> None:
    with pytest.raises(hlokit.ArgumentError, match=re.escape(f"no value {key}")):
        trace[key]


def test_the_first_nan(trace: hlokit.RunTrace) -> None:
    found = trace.first_nan
    assert found is not None
    assert (found.op, found.label, found.source, found.nan) == ("stablehlo.log", "%2", "model.py:9", 1)
    assert found.operands[0].minimum == -8
    assert hlokit.load(PROGRAM).trace(np.abs(X), 1).first_nan is None


def test_sequence_and_filters(trace: hlokit.RunTrace) -> None:
    assert trace[0].op == "stablehlo.compare" and trace[-1].op == "stablehlo.log"
    assert len(trace[:3]) == 3
    assert [row.function for row in trace.filter(function="@halve")] == ["halve"]
    assert len(trace.filter(op="multiply")) == 3
    assert len(trace.filter("model.py multiply")) == 2
    assert {row.op for row in trace.hottest(2)} <= {row.op for row in trace}
    loop = trace.filter(op="while")[0]
    assert loop.self_seconds < loop.seconds


def test_values_beyond_the_limit_are_summaries() -> None:
    trace = hlokit.load(PROGRAM).trace(X, 1, keep=20)
    assert trace[0].value == True  # noqa: E712 # an array
    with pytest.raises(hlokit.ArgumentError, match="keep"):
        trace["%2"]
    assert trace[-1].results[0].nan == 1
    with pytest.raises(hlokit.ArgumentError, match="number of bytes"):
        hlokit.load(PROGRAM).trace(X, 1, keep=-1)


def test_a_failing_run_can_be_looked_at() -> None:
    program = hlokit.load(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n %0 = stablehlo.negate %x : tensor<f32>\n"
        " %1 = stablehlo.custom_call @none(%0) : (tensor<f32>) -> tensor<f32>\n return %1 : tensor<f32>\n}"
    )
    with pytest.raises(hlokit.UnsupportedError):
        program.trace(1.0)
    trace = program.trace(1.0, raises=False)
    assert isinstance(trace.error, hlokit.UnsupportedError)
    assert trace[0].value == -1 and trace.results is None
    assert "UnsupportedError" in str(trace) and "custom_call" in trace._repr_html_()


def test_text_and_html(trace: hlokit.RunTrace) -> None:
    text = str(trace)
    assert "first NaN: %2 at model.py:9" in text and repr(trace) == text
    html = trace._repr_html_()
    assert html.count("<tr>") == len(trace) + 1
    assert "model.py:9" in html and "site-packages" in html  # the stack on demand only
    assert "site-packages" not in text
    assert "call stack" in trace[-1]._repr_html_()


def test_records_are_short() -> None:
    records: list[hlokit.Record] = []
    hlokit.load(PROGRAM)(X, 1, observer=hlokit.Trace(records.append))
    assert all(len(repr(record)) < 200 for record in records)
    assert "site-packages" not in repr(records)
    assert records[-1].source == "model.py:9:1 (log)"


@pytest.mark.deep
def test_data_frame(trace: hlokit.RunTrace) -> None:
    pytest.importorskip("pandas", reason="pandas is optional")
    frame = trace.to_pandas()
    assert len(frame) == len(trace)
    assert list(frame[frame.nan > 0].op) == ["stablehlo.log"]
