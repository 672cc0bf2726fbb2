"""Values in bodies of reductions and scatters and in comparators of sorts, given by the other side."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import hlokit
from benchmarks.faults import FaultySide, named_line
from hlokit.tools.backends.children import ChildSide
from hlokit.tools.backends.side import SideFailed
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.tools.diff.instrumented.values import Search, compare_values
from hlokit.tools.diff.report import first_of
from unit.tools.diff.sides import Here

# Operations at lines of model.py, of which each in turn gets a fault.
LOG_SUM = """
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.constant dense<0.5> : tensor<f32>
      %1 = stablehlo.maximum %a, %b : tensor<f32> loc("model.py":1:1)
      %2 = stablehlo.exponential %b : tensor<f32> loc("model.py":2:1)
      %3 = stablehlo.multiply %2, %s : tensor<f32> loc("model.py":3:1)
      %4 = stablehlo.add %1, %3 : tensor<f32> loc("model.py":4:1)
      %5 = stablehlo.add %4, %captured : tensor<f32> loc("model.py":5:1)
      stablehlo.return %5 : tensor<f32>
"""
REDUCE = f"""
func.func @main(%x: tensor<5x7xf32>, %captured: tensor<f32>) -> tensor<5xf32> {{
  %0 = stablehlo.constant dense<-1.0> : tensor<f32>
  %r = "stablehlo.reduce"(%x, %0) ({{ {LOG_SUM} }}) {{dimensions = array<i64: 1>}} : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}}
"""
WINDOW = f"""
func.func @main(%x: tensor<5x7xf32>, %captured: tensor<f32>) -> tensor<5x3xf32> {{
  %0 = stablehlo.constant dense<-1.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %0) ({{ {LOG_SUM} }}) {{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}} : (tensor<5x7xf32>, tensor<f32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}}
"""
SCATTER = f"""
func.func @main(%x: tensor<5x7xf32>, %captured: tensor<f32>) -> tensor<5x7xf32> {{
  %i = stablehlo.constant dense<[[1], [3], [3]]> : tensor<3x1xi32>
  %u = stablehlo.slice %x [0:3, 0:7] : (tensor<5x7xf32>) -> tensor<3x7xf32>
  %r = "stablehlo.scatter"(%x, %i, %u) ({{ {LOG_SUM} }}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false, indices_are_sorted = false}} : (tensor<5x7xf32>, tensor<3x1xi32>, tensor<3x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}}
"""
MAP = f"""
func.func @main(%x: tensor<5x7xf32>, %captured: tensor<f32>) -> tensor<5x7xf32> {{
  %r = "stablehlo.map"(%x, %x) ({{ {LOG_SUM.replace("%captured", "%a")} }}) {{dimensions = array<i64: 0, 1>}} : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}}
"""
# By (a * 0.5 + captured)^3, descending, with a second operand that moves along.
SORT = """
func.func @main(%x: tensor<5x7xf32>, %captured: tensor<f32>) -> (tensor<5x7xf32>, tensor<5x7xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<5x7xi32>
  %0:2 = "stablehlo.sort"(%x, %i) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>, %m: tensor<i32>, %n: tensor<i32>):
    %s = stablehlo.constant dense<0.5> : tensor<f32>
    %1 = stablehlo.multiply %a, %s : tensor<f32> loc("model.py":1:1)
    %2 = stablehlo.add %1, %captured : tensor<f32> loc("model.py":2:1)
    %3 = stablehlo.multiply %b, %s : tensor<f32> loc("model.py":3:1)
    %4 = stablehlo.add %3, %captured : tensor<f32> loc("model.py":4:1)
    %5 = stablehlo.compare GT, %2, %4, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %5 : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<5x7xf32>, tensor<5x7xi32>) -> (tensor<5x7xf32>, tensor<5x7xi32>)
  return %0#0, %0#1 : tensor<5x7xf32>, tensor<5x7xi32>
}
"""
# Two accumulators of different types, in a loop of three turns within a called function.
LOOP = """
func.func @main(%x: tensor<5x7xf32>, %captured: tensor<f32>) -> tensor<5x7xf32> {
  %0 = func.call @f(%x, %captured) : (tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}
func.func private @f(%x: tensor<5x7xf32>, %captured: tensor<f32>) -> tensor<5x7xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %least = stablehlo.constant dense<-9.0> : tensor<f32>
  %iota = stablehlo.iota dim = 1 : tensor<5x7xi32>
  %0:2 = stablehlo.while(%n = %zero, %v = %x) : tensor<i32>, tensor<5x7xf32> cond {
    %1 = stablehlo.compare LT, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %r:2 = "stablehlo.reduce"(%v, %iota, %least, %zero) ({ ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
      %1 = stablehlo.multiply %a, %captured : tensor<f32> loc("model.py":1:1)
      %2 = stablehlo.multiply %b, %captured : tensor<f32> loc("model.py":2:1)
      %3 = stablehlo.compare GT, %1, %2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.select %3, %a, %b : tensor<i1>, tensor<f32>
      %5 = stablehlo.select %3, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %4, %5 : tensor<f32>, tensor<i32>
    }) {dimensions = array<i64: 1>} : (tensor<5x7xf32>, tensor<5x7xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>)
    %w = stablehlo.broadcast_in_dim %r#0, dims = [0] : (tensor<5xf32>) -> tensor<5x7xf32>
    %t = stablehlo.subtract %v, %w : tensor<5x7xf32>
    %next = stablehlo.add %n, %one : tensor<i32>
    stablehlo.return %next, %t : tensor<i32>, tensor<5x7xf32>
  }
  return %0#1 : tensor<5x7xf32>
}
"""
PROGRAMS = {
    "reduce": (REDUCE, 5),
    "reduce_window": (WINDOW, 5),
    "scatter": (SCATTER, 5),
    "map": (MAP, 5),
    "sort": (SORT, 4),
    "loop": (LOOP, 2),
}
ARGUMENTS = (np.random.default_rng(2).normal(size=(5, 7)).astype(np.float32), np.float32(0.75))


class _Plain(Here):
    """hlokit, but only for modules with few results."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def run_each(self, module: Any, inputs: Any, function: str = "main") -> Any:
        results = super().run_each(module, inputs, function)
        if len(results[0]) > self._most:
            raise SideFailed("unsupported", "so many results")
        return results


def _values(text: str, side: Any) -> hlokit.DiffReport:
    return hlokit.diff(hlokit.load(text), *ARGUMENTS, against=side, mode="values")


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_in_regions_are_the_same(name: str) -> None:
    """Every operation of the region is compared, and equal."""
    text, count = PROGRAMS[name]
    side = Here()
    report = _values(text, side)
    assert (report.outcome, report.first, report.notes) == ("same", None, ())
    assert report.exact >= count + 1


@pytest.mark.parametrize(
    ("name", "line"), [(name, n + 1) for name in PROGRAMS for n in range(PROGRAMS[name][1])]
)
def test_the_operation_at_fault_in_a_region_is_named(name: str, line: int) -> None:
    report = _values(PROGRAMS[name][0], FaultySide(f'"model.py":{line}:', "kernel", Here()))
    assert report.first is not None, report
    assert named_line(report.first) == line, report
    expected = {"loop": "@f > while, iteration 0 > reduce"}.get(name, name)
    assert report.first.path == expected


@pytest.mark.parametrize("name", ["reduce", "sort"])
def test_a_faulty_captured_value_is_named_with_any_watched_operations(name: str) -> None:
    """At first the comparison watches only operations around the faulty operation."""
    text = PROGRAMS[name][0].replace("%captured :", "%own :").replace("%captured,", "%own,")
    first = """ {
  %twice = stablehlo.add %x, %x : tensor<5x7xf32>
  %own = stablehlo.multiply %captured, %captured : tensor<f32> loc("model.py":9:1)
"""
    text = re.sub(r"(func\.func @main.*) \{\n", lambda found: found[1] + first, text, count=1)
    program = hlokit.load(text.replace('"(%x,', '"(%twice,'))
    side = FaultySide('"model.py":9:', "kernel", Here())
    found = compare_values(TripCounts(program, ARGUMENTS, "main"), side, Search(most_watched=2))
    wrong = first_of(found.findings)
    assert wrong is not None
    assert named_line(wrong) == 9, wrong


def test_a_side_without_region_values_gives_the_other_values() -> None:
    """A fault outside of regions is still found, and a note has the reason for the missing values."""
    text = LOOP.replace(": tensor<5x7xf32>\n    %next", ': tensor<5x7xf32> loc("model.py":9:1)\n    %next')
    side = FaultySide('"model.py":9:', "kernel", _Plain(most=12))
    report = _values(text, side)
    assert named_line(report.first) == 9, report
    assert report.notes == (
        "values were compared without the values in regions of reductions and sorts: unsupported: "
        "so many results",
    )


def _closed(text: str) -> str:
    """The program with constants instead of captured values, which XLA does not support."""
    constant = r"\1 %own = stablehlo.constant dense<0.75> : tensor<f32>"
    return re.sub(r"(\^bb0\([^)]*\):)", constant, text).replace("%captured :", "%own :")


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sample("reduce", "scatter", "loop")
def test_xla_gives_values_in_regions(name: str) -> None:
    text, count = _closed(PROGRAMS[name][0]), PROGRAMS[name][1]
    side = ChildSide("xla")
    try:
        report = _values(text, side)
        assert report.status == 0, report
        assert not report.notes
        assert sum(report.counts.values()) >= count
        line = count // 2 + 1
        faulty = _values(text, FaultySide(f'"model.py":{line}:', "kernel", side))
    finally:
        side.close()
    assert named_line(faulty.first) == line, faulty
