"""The executors of a plan give the same results, and free values that no later step reads."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlokit
from hlokit.engine.contract import custom_calls
from hlokit.engine.plan.executors import generate, run_observed, run_steps
from hlokit.engine.plan.plan import Plan
from tests.unit.engine.plan.plans import plan_of


class Nobody:
    """An observer that ignores everything."""

    def before(self, plan: Any, step: Any, operands: Any) -> None:
        pass

    def after(self, plan: Any, step: Any, operands: Any, results: Any) -> None:
        pass


EXECUTORS: dict[str, Callable[..., Any]] = {
    "steps": run_steps,
    "generated": lambda plan, *arguments: generate(plan)(*arguments),
    "observed": lambda plan, *arguments: run_observed(plan, Nobody(), *arguments),
}


def run_all(text: str, *arguments: Any) -> dict[str, Any]:
    # A plan each: regions within one have their own state.
    with np.errstate(all="ignore"):
        return {name: execute(plan_of(text), *arguments) for name, execute in EXECUTORS.items()}


def assert_all_same(results: dict[str, Any]) -> None:
    first = results["steps"]
    for other in results.values():
        assert isinstance(other, tuple) == isinstance(first, tuple)
        pairs = zip(other, first, strict=True) if isinstance(first, tuple) else [(other, first)]
        for one, two in pairs:
            assert one.dtype == two.dtype
            assert np.shape(one) == np.shape(two)
            assert np.asarray(one).tobytes() == np.asarray(two).tobytes()


@st.composite
def straight_lines(draw: st.DrawFn) -> str:
    """Programs of element-wise operations on i32, f32 and i1, of rank 0 or 1, that use earlier values."""
    shape = draw(st.sampled_from(["", "3x"]))
    types = {name: f"tensor<{shape}{name}>" for name in ("i32", "f32", "i1")}
    values: dict[str, list[str]] = {"i32": ["%x"], "f32": ["%y"], "i1": ["%p"]}
    lines: list[str] = []

    def some(type_: str) -> str:
        return draw(st.sampled_from(values[type_]))

    for number in range(draw(st.integers(0, 12))):
        name = f"%v{number}"
        kind = draw(st.sampled_from(["i32", "f32", "i1", "constant", "select", "convert", "barrier"]))
        match kind:
            case "i32":
                op = draw(st.sampled_from(["add", "multiply", "subtract", "maximum", "and", "divide"]))
                line, type_ = f"stablehlo.{op} {some('i32')}, {some('i32')} : {types['i32']}", "i32"
            case "f32":
                op = draw(st.sampled_from(["add", "multiply", "minimum", "divide"]))
                line, type_ = f"stablehlo.{op} {some('f32')}, {some('f32')} : {types['f32']}", "f32"
            case "i1":
                line = f"stablehlo.compare LT, {some('f32')}, {some('f32')} : ({types['f32']}, {types['f32']}) -> {types['i1']}"
                type_ = "i1"
            case "constant":
                line, type_ = f"stablehlo.constant dense<{draw(st.integers(-9, 9))}> : {types['i32']}", "i32"
            case "select":
                line = f"stablehlo.select {some('i1')}, {some('i32')}, {some('i32')} : {types['i1']}, {types['i32']}"
                type_ = "i32"
            case "convert":
                line, type_ = f"stablehlo.convert {some('i32')} : ({types['i32']}) -> {types['f32']}", "f32"
            case _:
                line = f"stablehlo.optimization_barrier {some('f32')} : {types['f32']}"
                type_ = "f32"
        lines.append(f"{name} = {line}")
        values[type_].append(name)
    outputs = [
        (draw(st.sampled_from(values[type_])), type_)
        for type_ in draw(st.lists(st.sampled_from(list(types)), max_size=3))
    ]
    signature = ", ".join(types[type_] for _, type_ in outputs)
    returned = f"{', '.join(name for name, _ in outputs)} : {signature}" if outputs else ""
    body = "\n".join(lines)
    return f"""
      func.func @main(%x: {types["i32"]}, %y: {types["f32"]}, %p: {types["i1"]}) -> ({signature}) {{
        {body}
        return {returned}
      }}"""


@settings(max_examples=60)
@given(straight_lines())
def test_executors_agree_on_straight_lines(text: str) -> None:
    scalar = "tensor<i32>" in text
    x, y, p = (
        np.array([3, -4, 0], np.int32),
        np.array([0.5, -0.0, np.inf], np.float32),
        np.array([True, False, True]),
    )
    assert_all_same(run_all(text, *((x[0], y[0], p[0]) if scalar else (x, y, p))))


REGIONS = """
func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %fzero = stablehlo.constant dense<0.0> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<4xf32> cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %odd = stablehlo.remainder %i, %two : tensor<i32>
    %is_odd = stablehlo.compare EQ, %odd, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %w = "stablehlo.if"(%is_odd) ({
      %a = stablehlo.add %v, %x : tensor<4xf32>
      stablehlo.return %a : tensor<4xf32>
    }, {
      %b = func.call @square(%v) : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %b : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %w : tensor<i32>, tensor<4xf32>
  }
  %sum = stablehlo.reduce(%r#1 init: %fzero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r#0, %r#1, %sum : tensor<i32>, tensor<4xf32>, tensor<f32>
}
func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_executors_agree_on_regions(count: int) -> None:
    x = np.array([0.5, -1.0, 1.25, 0.0], np.float32)
    results = run_all(REGIONS, np.int32(count), x)
    assert_all_same(results)
    value = x
    for i in range(count):
        value = value + x if i % 2 else value * value
    assert results["generated"][1].tolist() == value.tolist()


def test_program_gives_the_same_each_time_it_runs() -> None:
    program = hlokit.load(REGIONS)
    x = np.array([0.5, -1.0, 1.25, 0.0], np.float32)
    runs = [program(4, x) for _ in range(4)]
    for run in runs[1:]:
        for one, other in zip(run, runs[0], strict=True):
            assert one.tobytes() == other.tobytes()


@pytest.fixture
def registered() -> Iterator[None]:
    custom_calls.registered_custom_calls()  # those of hlokit's own are imported once
    before = dict(custom_calls._FUNCTIONS)
    yield
    custom_calls._FUNCTIONS.clear()
    custom_calls._FUNCTIONS.update(before)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_large_values_are_freed_after_their_last_use(executor: str, registered: None) -> None:
    made: list[weakref.ref[Any]] = []

    @hlokit.custom_call("make")
    def make() -> Any:
        array = np.ones(5000, np.float32)
        made.append(weakref.ref(array))
        return array

    @hlokit.custom_call("alive")
    def alive() -> Any:
        return np.int32(sum(reference() is not None for reference in made))

    text = """
      func.func @main() -> (tensor<i32>, tensor<i32>, tensor<5000xf32>) {
        %0 = stablehlo.custom_call @make() : () -> tensor<5000xf32>
        %1 = stablehlo.custom_call @make() : () -> tensor<5000xf32>
        %unused = stablehlo.custom_call @make() : () -> tensor<5000xf32>
        %before = stablehlo.custom_call @alive() : () -> tensor<i32>
        %2 = stablehlo.add %0, %1 : tensor<5000xf32>
        %after = stablehlo.custom_call @alive() : () -> tensor<i32>
        return %before, %after, %2 : tensor<i32>, tensor<i32>, tensor<5000xf32>
      }"""
    before, after, _ = EXECUTORS[executor](plan_of(text))
    assert (int(before), int(after)) == (2, 0)


def test_generated_code_has_one_line_a_step() -> None:
    plan = plan_of(REGIONS)
    function = generate(plan)
    lines = {line for _, _, line in function.__code__.co_lines() if line is not None}
    assert lines <= set(range(1, len(plan.steps) + 3))
    assert function.__code__.co_filename == "<hlokit: block of @main>"


def test_generated_code_of_an_empty_block() -> None:
    plan = plan_of("func.func @main() { return }")
    assert generate(plan)() == ()
    assert run_steps(plan) == ()


def test_a_value_may_be_returned_twice() -> None:
    plan: Plan = plan_of(
        "func.func @main(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>) { return %x, %x : tensor<i32>, tensor<i32> }"
    )
    assert generate(plan)(np.int32(1)) == run_steps(plan, np.int32(1)) == (1, 1)
