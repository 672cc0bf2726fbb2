"""Programs before and after passes: removed values are no faults, and the change of a wrong pass is named."""

from __future__ import annotations

import re

import numpy as np
import pytest

import hlokit
from hlokit.passes.pipeline import parse_pipeline, run_pipeline
from hlokit.programs.program import Program
from hlokit.tools.diff.equivalence.canonical import with_canonical_change
from hlokit.tools.diff.equivalence.structure import Structure
from hlokit.tools.recording.places import Operations

T = "tensor<4x8xf32>"
TEXT = f"""
func.func @main(%x: {T}, %w: tensor<8x8xf32>, %p: tensor<i1>) -> {T} {{
  %zero = stablehlo.constant dense<0.0> : {T} loc("net.py":1:1)
  %one = stablehlo.constant dense<1.0> : {T} loc("net.py":2:1)
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({T}, tensor<8x8xf32>) -> {T} loc("net.py":3:1)
  %dead = stablehlo.tanh %h : {T} loc("net.py":4:1)
  %a = stablehlo.add %h, %zero : {T} loc("net.py":5:1)
  %m = stablehlo.multiply %a, %one : {T} loc("net.py":6:1)
  %d = stablehlo.tanh %m : {T} loc("net.py":7:1)
  %e = stablehlo.tanh %m : {T} loc("net.py":8:1)
  %s = stablehlo.subtract %d, %x : {T} loc("net.py":9:1)
  %c = call @f(%s, %e) : ({T}, {T}) -> {T} loc("net.py":10:1)
  %two = stablehlo.constant dense<2.0> : {T} loc("net.py":11:1)
  %three = stablehlo.constant dense<3.0> : {T} loc("net.py":12:1)
  %five = stablehlo.add %two, %three : {T} loc("net.py":13:1)
  %r = stablehlo.divide %c, %five : {T} loc("net.py":14:1)
  %out = "stablehlo.if"(%p) ({{
    %t = stablehlo.exponential %r : {T} loc("net.py":15:1)
    stablehlo.return %t : {T}
  }}, {{
    stablehlo.return %r : {T}
  }}) : (tensor<i1>) -> {T} loc("net.py":16:1)
  %unused = stablehlo.tanh %out : {T} loc("net.py":17:1)
  return %out : {T}
}}
func.func private @f(%x: {T}, %y: {T}) -> {T} {{
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.maximum %x, %y : {T} loc("f.py":1:1)
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1] : ({T}, tensor<f32>) -> tensor<4xf32> loc("f.py":2:1)
  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<4xf32>) -> {T} loc("f.py":3:1)
  %k = stablehlo.cosine %b : {T} loc("f.py":4:1)
  return %k : {T}
}}
"""
PASSES = (
    "canonicalize",
    "cse",
    "inline,symbol-dce,cse,canonicalize",
    "stablehlo-aggressive-folder,stablehlo-aggressive-simplification,cse",
    "inline,strip-debuginfo,cse",
)
# What a wrong pass changes, and the line of the operation that is to be named.
WRONG = (
    ("stablehlo.subtract %d, %x", "stablehlo.subtract %x, %d", "net.py:9:1"),
    ("stablehlo.maximum %x, %y", "stablehlo.minimum %x, %y", "f.py:1:1"),
    ("stablehlo.cosine %b", "stablehlo.sine %b", "f.py:4:1"),
    ("stablehlo.exponential %r", "stablehlo.logistic %r", "net.py:15:1"),
    ("stablehlo.divide %c, %five", "stablehlo.divide %five, %c", "net.py:14:1"),
)


def arguments() -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(5)
    x, w = (random.normal(size=(n, 8)).astype(np.float32) for n in (4, 8))
    return x, w, np.array(True)


def after(text: str, passes: str) -> Program:
    program = hlokit.load(text)
    run_pipeline(program.module, parse_pipeline(f"builtin.module({passes})"))
    return hlokit.load(program.text(debug_info=True))


@pytest.mark.parametrize("passes", PASSES)
def test_removed_operations_are_no_difference(passes: str) -> None:
    report = hlokit.diff(hlokit.load(TEXT), *arguments(), against=after(TEXT, passes))
    assert (report.outcome, report.first) == ("same", None), report
    assert set(report.counts) <= {"missing", "exact"}


@pytest.mark.parametrize(("old", "new", "source"), WRONG)
@pytest.mark.parametrize("passes", ["", *PASSES])
def test_a_wrong_pass_is_named(passes: str, old: str, new: str, source: str) -> None:
    assert old in TEXT
    wrong = TEXT.replace(old, new)
    other = after(wrong, passes) if passes else hlokit.load(wrong)
    report = hlokit.diff(hlokit.load(TEXT), *arguments(), against=other)
    assert report.first is not None
    assert (report.outcome, report.first.source) == ("differs", source), report


def test_a_wrong_pass_without_an_effect_is_told() -> None:
    """Where a compiler leaves few operations, the same passes on both programs show the change."""
    text = f"""func.func @main(%x: {T}) -> {T} {{
      %true = stablehlo.constant dense<true> : tensor<i1>
      %two = stablehlo.constant dense<2.0> : tensor<f32>
      %b = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<f32>) -> {T}
      %h = stablehlo.multiply %x, %b : {T}
      %s = call @chosen(%true, %h, %x) : (tensor<i1>, {T}, {T}) -> {T}
      %m = stablehlo.maximum %s, %x : {T} loc("net.py":1:1)
      %d = call @chosen(%true, %m, %b) : (tensor<i1>, {T}, {T}) -> {T}
      return %d : {T}
    }}
    func.func private @chosen(%p: tensor<i1>, %x: {T}, %y: {T}) -> {T} {{
      %s = stablehlo.select %p, %x, %y : tensor<i1>, {T}
      return %s : {T}
    }}"""
    other = after(text.replace("stablehlo.maximum", "stablehlo.minimum"), PASSES[2])
    report = hlokit.diff(hlokit.load(text), np.zeros((4, 8), np.float32), against=other)
    assert (report.status, report.first) == (0, None), report
    assert "on these inputs; the programs differ at net.py:1:1 (stablehlo.maximum: stablehlo.minimum" in str(
        report
    )
    ours, theirs = (Operations.of_program(program) for program in (hlokit.load(text), other))
    unknown = Structure(ours, theirs, (), {}, is_same=False)
    (told,) = with_canonical_change(unknown, "main", "main").told
    assert told.startswith("net.py:1:1 (stablehlo.maximum: stablehlo.minimum"), told


def test_another_branch_comes_from_the_predicate() -> None:
    text = """
    func.func @main(%x: tensor<8xf32>, %y: tensor<f32>) -> tensor<8xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %p = stablehlo.compare GT, %y, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("net.py":1:1)
      %r = "stablehlo.if"(%p) ({
        %a = stablehlo.tanh %x : tensor<8xf32> loc("net.py":2:1)
        stablehlo.return %a : tensor<8xf32>
      }, {
        %b = stablehlo.sine %x : tensor<8xf32> loc("net.py":3:1)
        stablehlo.return %b : tensor<8xf32>
      }) : (tensor<i1>) -> tensor<8xf32>
      return %r : tensor<8xf32>
    }
    """
    x = np.linspace(-1, 1, 8, dtype=np.float32)
    other = hlokit.load(text.replace("compare GT", "compare LT"))
    report = hlokit.diff(hlokit.load(text), x, 2.0, against=other)
    assert report.first is not None
    assert report.first.source == "net.py:1:1", report


def test_operations_without_known_locations_are_aligned_by_their_order() -> None:
    """Lines in programs without files do not identify operations."""
    bare = re.sub(r' loc\("[^"]*":\d+:\d+\)', "", TEXT)
    inserted = bare.replace(
        "  %a = stablehlo.add", "  %more = stablehlo.sine %h : tensor<4x8xf32>\n  %a = stablehlo.add"
    )
    wrong = inserted.replace("stablehlo.subtract %d, %x", "stablehlo.subtract %x, %d")
    report = hlokit.diff(hlokit.load(bare), *arguments(), against=hlokit.load(wrong))
    assert report.first is not None
    assert report.first.op == "stablehlo.subtract", report
