"""The memory that values of a run keep alive."""

from __future__ import annotations

import numpy as np
import pytest

import hlokit

CHAIN = """func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %a = stablehlo.add %x, %x : tensor<1000xf32>
  %r = stablehlo.reshape %a : (tensor<1000xf32>) -> tensor<10x100xf32>
  %b = stablehlo.multiply %r, %r : tensor<10x100xf32>
  %c = stablehlo.multiply %b, %b : tensor<10x100xf32>
  %d = stablehlo.reshape %c : (tensor<10x100xf32>) -> tensor<1000xf32>
  return %d : tensor<1000xf32>
}"""
LOOP = """func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<5> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %w:2 = stablehlo.while(%i = %c, %a = %x) : tensor<i32>, tensor<1000xf32>
  cond {
    %q = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.add %a, %a : tensor<1000xf32>
    stablehlo.return %j, %b : tensor<i32>, tensor<1000xf32>
  }
  return %w#1 : tensor<1000xf32>
}"""
X = np.ones(1000, np.float32)


def test_live_bytes_follow_uses_and_share_views() -> None:
    trace = hlokit.load(CHAIN).trace(X)
    # x always; the sum; its view; the view and a product; two products; a view of the last.
    assert [row.live for row in trace] == [8000, 8000, 12000, 12000, 8000]
    peak = trace.peak
    assert peak.bytes == 12000 and peak.at is not None and peak.at.label == "%2"
    assert [(each.bytes, each.label) for each in peak.alive] == [
        (4000, "argument 0 of @main"),
        (4000, "%0"),
        (4000, "%2"),
    ]
    assert str(peak).splitlines()[0] == "12 kB alive at the end of %2 stablehlo.multiply -:4"
    assert "<table" in peak._repr_html_()


def test_loops_keep_two_generations() -> None:
    trace = hlokit.load(LOOP).trace(X)
    adds = [
        row.live for row in trace if row.op == "stablehlo.add" and row.results[0].type == "tensor<1000xf32>"
    ]
    # x, the carried array and the next one; in the first iteration x is the carried one. Small values beside.
    assert [live // 1000 for live in adds] == [8, 12, 12, 12, 12]
    assert trace[-1].live // 1000 == 8
    carried = [each for each in trace.peak.alive if each.op == "stablehlo.add" and each.bytes == 4000]
    assert len(carried) == 2 and len({each.label for each in carried}) == 1


def test_a_stretched_view_takes_no_memory() -> None:
    text = """func.func @main(%x: tensor<1000xf32>) -> tensor<500x1000xf32> {
      %b = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<1000xf32>) -> tensor<500x1000xf32>
      return %b : tensor<500x1000xf32>
    }"""
    trace = hlokit.load(text).trace(X)
    value = trace["%0"]
    expected = 4000 if 0 in value.strides else 2_004_000
    assert trace.peak.bytes == expected


def test_each_process_has_its_own_peak() -> None:
    text = """func.func @main(%x: tensor<1000xf32>) -> tensor<2000xf32> {
      %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<1000xf32>) -> tensor<2000xf32>
      return %g : tensor<2000xf32>
    }"""
    from hlokit.tools.tracing.run import trace

    program = hlokit.load(text)
    found = trace(
        program.listing,
        lambda observer: program.runs.evaluate_parallel([[X], [X.copy()]], "main", (1, 2), observer=observer),
        keep=0,
    )
    assert [row.live for row in found] == [12000, 12000] and found.peak.bytes == 12000


def test_columns_and_failed_runs() -> None:
    text = """func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
      %0 = stablehlo.add %x, %x : tensor<4xi32>
      %1 = stablehlo.custom_call @nothing(%0) : (tensor<4xi32>) -> tensor<4xi32>
      return %1 : tensor<4xi32>
    }"""
    trace = hlokit.load(text).trace(np.arange(4, dtype=np.int32), raises=False)
    assert trace.error is not None and trace.peak.bytes == 32


@pytest.mark.deep
def test_memory_is_a_column_of_pandas() -> None:
    text = "func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> { return %x : tensor<4xi32> }"
    program = hlokit.load(text.replace("return %x", "%0 = stablehlo.add %x, %x : tensor<4xi32>\nreturn %0"))
    assert next(iter(program.trace(np.arange(4, dtype=np.int32)).to_pandas()["live"])) == 32
