"""The one change between a program and another one that went through passes: values that the change makes unused
are no faults."""

from __future__ import annotations

import numpy as np
import pytest

import hlokit
from hlokit.passes.pipeline import parse_pipeline, run_pipeline
from hlokit.programs.program import Program

T = "tensor<4xf32>"
TEXT = f"""
func.func @main(%x: {T}, %y: {T}, %n: tensor<i32>) -> ({T}, {T}, tensor<i1>) {{
  %0 = stablehlo.tanh %x : {T} loc("net.py":1:1)
  %1 = stablehlo.sine %0 : {T} loc("net.py":2:1)
  %2 = stablehlo.cosine %y : {T} loc("net.py":3:1)
  %3 = stablehlo.subtract %1, %2 : {T} loc("net.py":4:1)
  %4 = call @f(%3, %y) : ({T}, {T}) -> {T} loc("net.py":5:1)
  %5 = call @f(%4, %2) : ({T}, {T}) -> {T} loc("net.py":6:1)
  %6 = call @g(%5, %0) : ({T}, {T}) -> {T} loc("net.py":7:1)
  %zero = stablehlo.constant dense<0> : tensor<i32> loc("net.py":8:1)
  %7:2 = stablehlo.while(%i = %zero, %v = %6) : tensor<i32>, {T}
  cond {{
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("net.py":9:1)
    stablehlo.return %c : tensor<i1>
  }} do {{
    %step = stablehlo.constant dense<1> : tensor<i32> loc("net.py":10:1)
    %j = stablehlo.add %i, %step : tensor<i32> loc("net.py":11:1)
    %a = stablehlo.multiply %v, %0 : {T} loc("net.py":12:1)
    %b = stablehlo.add %a, %1 : {T} loc("net.py":13:1)
    stablehlo.return %j, %b : tensor<i32>, {T} loc("net.py":14:1)
  }} loc("net.py":15:1)
  %one = stablehlo.constant dense<1> : tensor<i32> loc("net.py":16:1)
  %8 = stablehlo.compare EQ, %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("net.py":17:1)
  %9 = stablehlo.abs %7#1 : {T} loc("net.py":18:1)
  return %9, %4, %8 : {T}, {T}, tensor<i1> loc("net.py":19:1)
}}
func.func private @f(%x: {T}, %y: {T}) -> {T} {{
  %0 = stablehlo.multiply %x, %y : {T} loc("f.py":1:1)
  %1 = stablehlo.tanh %0 : {T} loc("f.py":2:1)
  return %1 : {T} loc("f.py":3:1)
}}
func.func private @g(%x: {T}, %y: {T}) -> {T} {{
  %0 = stablehlo.add %x, %y : {T} loc("f.py":4:1)
  return %0 : {T} loc("f.py":5:1)
}}
"""
# What is changed, and the line of the operation that is to be named.
CHANGES = {
    "operand": ("stablehlo.subtract %1, %2", "stablehlo.subtract %0, %2", "net.py:4:1"),
    "order of operands": ("stablehlo.subtract %1, %2", "stablehlo.subtract %2, %1", "net.py:4:1"),
    "operation": ("stablehlo.cosine %y", "stablehlo.tanh %y", "net.py:3:1"),
    "operand of a call": ("call @f(%4, %2)", "call @f(%4, %0)", "net.py:6:1"),
    "callee": ("call @f(%4, %2)", "call @g(%4, %2)", "net.py:6:1"),
    "result of a function": ("return %1 : tensor<4xf32> loc", "return %y : tensor<4xf32> loc", "f.py:3:1"),
    "results of main": ("return %9, %4,", "return %4, %9,", "net.py:19:1"),
    "initial value": ("%v = %6", "%v = %2", "net.py:15:1"),
    "result of a body": ("return %j, %b", "return %j, %v", "net.py:14:1"),
    "condition": ("compare LT, %i", "compare LE, %i", "net.py:9:1"),
    "comparison": ("compare EQ, %n", "compare NE, %n", "net.py:17:1"),
    "constant like another one": (
        "dense<1> : tensor<i32> loc(\"net.py\":16:1)",
        "dense<0> : tensor<i32> loc(\"net.py\":16:1)",
        "net.py:16:1",
    ),
    "operand in a loop": ("stablehlo.multiply %v, %0", "stablehlo.multiply %v, %x", "net.py:12:1"),
    "one operation more": (
        "  %3 = stablehlo.subtract %1, %2",
        f"  %more = stablehlo.negate %2 : {T}\n  %3 = stablehlo.subtract %1, %more",
        "net.py:4:1",
    ),
}  # fmt: skip
LEFT_OUT = TEXT.replace(f'  %1 = stablehlo.sine %0 : {T} loc("net.py":2:1)\n', "").replace(
    "%1, %2 :", "%0, %2 :"
)
PASSES = ("inline,cse", "inline,symbol-dce,cse")


def arguments() -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(2)
    x, y = random.normal(size=(2, 4)).astype(np.float32)
    return x, y, np.array(1, np.int32)


def after(text: str, passes: str) -> Program:
    """The program after passes, without its locations."""
    program = hlokit.load(text)
    run_pipeline(program.module, parse_pipeline(f"builtin.module({passes},strip-debuginfo)"))
    return hlokit.load(program.text())


@pytest.mark.parametrize("passes", PASSES)
@pytest.mark.parametrize("change", CHANGES)
def test_the_change_is_named(change: str, passes: str) -> None:
    old, new, source = CHANGES[change]
    assert TEXT.count(old) == 1
    report = hlokit.diff(hlokit.load(TEXT), *arguments(), against=after(TEXT.replace(old, new), passes))
    assert report.first is not None
    assert (report.outcome, report.first.source) == ("differs", source), report
    assert len(report.changes) == 1


@pytest.mark.parametrize("passes", PASSES)
def test_an_operation_that_is_left_out(passes: str) -> None:
    text = LEFT_OUT.replace("add %a, %1", "add %a, %0")
    report = hlokit.diff(hlokit.load(TEXT), *arguments(), against=after(text, passes))
    assert report.first is not None
    assert report.first.source == "net.py:2:1", report
    assert "left out in the other program" in str(report)


@pytest.mark.parametrize("passes", ("cse", "symbol-dce,cse"))
def test_functions_that_a_pass_keeps_are_not_blamed(passes: str) -> None:
    """Regression: @f was said to return its argument in the other program, which has the same @f."""
    text = f"""func.func private @f(%x: {T}) -> {T} {{
      %0 = stablehlo.tanh %x : {T} loc("f.py":1:1)
      %1 = stablehlo.abs %0 : {T} loc("f.py":2:1)
      return %1 : {T} loc("f.py":3:1)
    }}
    func.func private @g(%x: {T}) -> {T} {{
      %0 = stablehlo.sine %x : {T} loc("g.py":1:1)
      %1 = stablehlo.negate %0 : {T} loc("g.py":2:1)
      return %1 : {T} loc("g.py":3:1)
    }}
    func.func @main(%x: {T}) -> ({T}, {T}) {{
      %0 = stablehlo.abs %x : {T} loc("net.py":1:1)
      %one = stablehlo.constant dense<1> : tensor<i32>
      %1 = call @f(%0) : ({T}) -> {T} loc("net.py":2:1)
      %2 = stablehlo.composite "f.g" %x {{decomposition = @g}} : ({T}) -> {T} loc("net.py":3:1)
      return %1, %2 : {T}, {T} loc("net.py":4:1)
    }}"""
    x = np.array([0.5, -1, 2, 3], np.float32)
    for old, new, source in (
        ("return %1, %2", "return %0, %2", "net.py:4:1"),
        ("decomposition = @g", "decomposition = @f", "net.py:3:1"),
    ):
        report = hlokit.diff(hlokit.load(text), x, against=after(text.replace(old, new), passes))
        assert report.first is not None
        assert report.first.source == source, report


@pytest.mark.parametrize("passes", (*PASSES, "cse"))
def test_the_same_program_has_no_change(passes: str) -> None:
    report = hlokit.diff(hlokit.load(TEXT), *arguments(), against=after(TEXT, passes))
    assert (report.outcome, report.first, report.changes) == ("same", None, ()), report


def test_a_change_without_an_effect_is_told() -> None:
    """The loop runs once, also if its counter grows by two."""
    step = 'dense<{}> : tensor<i32> loc("net.py":10:1)'
    text = TEXT.replace(step.format(1), step.format(2))
    report = hlokit.diff(hlokit.load(TEXT), *arguments(), against=after(text, "inline,cse"))
    assert (report.outcome, report.status) == ("same", 0), report
    assert "the programs differ at net.py:10:1" in report.headline


def test_another_order_of_constants_is_no_change() -> None:
    """Also where the programs have the same operations in the same order, by chance."""
    program = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {{
      {}
      %0 = stablehlo.multiply %x, %a : tensor<3xf32>
      %1 = stablehlo.add %0, %b : tensor<3xf32>
      return %1 : tensor<3xf32>
    }}"""
    one = '%a = stablehlo.constant dense<1.0> : tensor<3xf32> loc("net.py":1:1)'
    two = '%b = stablehlo.constant dense<2.0> : tensor<3xf32> loc("net.py":2:1)'
    here = hlokit.load(program.format("\n".join((one, two))))
    there = hlokit.load(program.format("\n".join((two.replace("2.0", "5.0"), one))))
    report = hlokit.diff(here, np.ones(3, np.float32), against=there)
    assert report.first is not None
    assert (report.first.source, len(report.changes)) == ("net.py:2:1", 1), report
    assert report.first.comparison.expected == "2"


def test_another_element_of_a_tuple() -> None:
    """Regression: the shape of a tuple operand was asked for, an internal error."""
    tuple_ = "tuple<tensor<3xf32>, tensor<2xf32>, tensor<3xf32>>"
    program = f"""func.func @main(%x: tensor<3xf32>, %y: tensor<2xf32>) -> tensor<3xf32> {{
      %0 = stablehlo.exponential %x : tensor<3xf32>
      %1 = stablehlo.tuple %0, %y, %x : {tuple_}
      %2 = stablehlo.get_tuple_element %1[0] : ({tuple_}) -> tensor<3xf32>
      return %2 : tensor<3xf32>
    }}"""
    other = hlokit.load(program.replace("%1[0]", "%1[2]"))
    report = hlokit.diff(hlokit.load(program), np.ones(3, np.float32), np.ones(2, np.float32), against=other)
    assert report.first is not None
    assert report.first.op == "stablehlo.get_tuple_element", report
