"""Loops and branches between small operations: parts of one native program, with the same bytes as kernels."""

from __future__ import annotations

import threading
from typing import Any

import hypothesis.strategies as st
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from jax import lax

import hlokit
from hlokit.engine.contract.registry import Kernel
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.native.straight_line import with_straight_line_code
from hlokit.engine.plan.block import Block
from hlokit.engine.plan.executors import generate as compiled
from hlokit.engine.plan.plan import Plan, Step
from tests.generate import generate
from tests.generate.layouts import in_plans
from tests.generate.same import assert_same, copies, listed
from tests.unit.engine.native.interrupting import interrupted_after
from tests.unit.engine.native.native_steps import is_native
from tests.unit.engine.plan.plans import block_of

FREE_CALLS = DEFAULTS._replace(straight_line_cost=0, straight_line_value_cost=0, inlined_steps=1000)
X = np.float32([[1, -2], [0.5, 3]])


def plan_from(function: Any, *arguments: Any) -> Plan:
    return Planner(hlokit.from_jax(function, *arguments).module).function("main").plan


def mixed(x: Any, n: Any) -> Any:
    """Loops and branches, one in the other, between small operations."""
    y = jnp.where(x > 0, x * 2, x - n)
    y = lax.fori_loop(0, n, lambda i, v: v @ x + i, y)
    y = lax.cond(y.sum() > 0, lambda v: v.T * 2, jnp.sin, y)

    def turn(state: Any) -> Any:
        i, v = state
        return i + 1, lax.switch(i, [lambda v: v + 1, lambda v: v * x, lambda v: v[::-1]], v)

    _, z = lax.while_loop(lambda s: (s[0] < 5) & (s[1][0, 0] < 100), turn, (0, y))
    return z, jnp.max(z, 0) - y[0]


def test_a_function_of_loops_and_branches_is_one_program(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = with_straight_line_code(plan_from(mixed, X, np.int32(3)))
    assert [is_native(step) for step in plan.steps] == [True]
    results: list[Any] = []
    for disabled in ("", "native", "all"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        program = hlokit.from_jax(mixed, X, np.int32(3))
        results.append([copies(listed(program(x, np.int32(n)))) for n in (3, 0, 3, 9) for x in (X, X.T * 9)])
    assert results[0] == results[1] == results[2]


def test_what_only_one_branch_computes_is_computed_again() -> None:
    def function(x: Any, n: Any) -> Any:
        return lax.cond(n > 0, lambda: x * 3, lambda: x * 5) + x * 3 - x * 5

    plan = with_straight_line_code(plan_from(function, X, np.int32(0)))
    assert [is_native(step) for step in plan.steps] == [True]
    run = compiled(plan)
    for n in (0, 1):
        result = run(X, np.int32(n))
        assert result.tolist() == (X * (3 if n else 5) + X * 3 - X * 5).tolist()


def called(block: Block) -> Plan:
    """A call of a function, as a plan: without operations beside it, a loop stays a program of its own."""
    types = [*block.argument_types, *block.output_types]
    slots, count = tuple(range(len(types))), len(block.argument_types)
    operands, results = slots[:count], slots[count:]
    step = Step(
        "func.call", Kernel(block), operands, results, block.argument_types, block.output_types, _Nowhere(), 0
    )
    return Plan("main", len(operands), len(types), (), (step,), ((),), results, tuple(types))


class _Nowhere:
    def location(self, position: int) -> str:
        return f"operation {position}"


@pytest.mark.parametrize("profile", ["scalar-loops", "loops", "anything"])
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_random_programs_equal_the_kernels(profile: str, seed: int) -> None:
    program = generate(seed, profile)
    plan, values = called(block_of(program.text)), in_plans(program.arguments)
    before = copies(values)
    with np.errstate(all="ignore"):
        ours = compiled(with_straight_line_code(plan, FREE_CALLS))(*values)
        plain = compiled(plan)(*values)
    assert copies(values) == before, "an argument was written"
    assert_same(tuple(listed(ours)), tuple(listed(plain)), program.text)


@pytest.mark.parametrize(("profile", "least"), [("scalar-loops", 30), ("loops", 6)])
def test_random_loops_are_parts_of_programs(profile: str, least: int) -> None:
    """Or the test above would show nothing. Many loops have arrays without elements, which stay with kernels."""
    plans = [called(block_of(generate(seed, profile).text)) for seed in range(40)]
    assert sum(is_native(with_straight_line_code(plan, FREE_CALLS).steps[0]) for plan in plans) >= least


def decayed(x: Any, y: Any) -> Any:
    """Values that a loop moves and computes, whose NaNs it makes canonical at the end."""

    def turn(i: Any, state: Any) -> Any:
        v, w = state
        return jnp.where(v > i, v * 0.5, v), jnp.where(w < 0, v / w, w)

    v, w = lax.fori_loop(0, 3, turn, (x, y - 1))
    return v, lax.bitcast_convert_type(w + v, jnp.int32)


@pytest.mark.parametrize("bits", [0x7FC00000, 0xFFC00001, 0x7F800001, 0x3F800000])
def test_nans_of_any_bits(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.uint32([[bits, 0xC0000000], [0x40000000, 0]]).view(np.float32)
    results: list[Any] = []
    for disabled in ("", "all"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        program = hlokit.from_jax(decayed, X, X)
        results.append([copies(listed(program(*each))) for each in ((X, X), (X, X), (x, X), (X, x), (x, x))])
    assert results[0] == results[1]


@pytest.mark.parametrize("operations", range(1, 5))
def test_nans_of_any_bits_in_a_loop_that_is_just_worth_compiling(operations: int) -> None:
    """A program that makes NaNs canonical where they are computed takes more time: it runs nonetheless."""
    x, y = np.ones((2, 1 << 16), np.float32)
    y.view(np.uint32)[3] = 0x7FC00001

    def function(x: Any, count: Any) -> Any:
        def turn(i: Any, state: Any) -> Any:
            x, count = state
            for _ in range(operations):
                count = count * count + 1
            return jnp.where(x > i, x * 0.5, x), count

        return lax.fori_loop(0, 40, turn, (x, count))

    program = hlokit.from_jax(function, x, np.int32(1))
    results = [program(value, np.int32(1))[0] for value in (x, x, y)]
    assert np.isnan(results[-1][3])
    assert results[-1][4] == results[0][4]


def steps_of(plan: Plan) -> list[str]:
    return ["native" if is_native(step) else step.name for step in with_straight_line_code(plan).steps]


def loop_between(turns: int, length: int) -> Any:
    """A loop whose body has `length` operations, between others."""

    def turn(_: Any, v: Any) -> Any:
        for _ in range(length):
            v = -jnp.sin(v)
        return v

    def function(x: Any) -> Any:
        for _ in range(9):
            x = x * 2 - 1
        x = lax.fori_loop(0, turns, turn, x)
        for _ in range(9):
            x = x * 2 - 1
        return x

    return function


def test_large_loops_are_programs_of_their_own() -> None:
    assert steps_of(plan_from(loop_between(20, 3), X)) == ["native"]
    names = steps_of(plan_from(loop_between(20, 100), X))
    assert names == ["native", "stablehlo.while", "native"]


def test_a_loop_alone_is_a_program_of_its_own() -> None:
    names = steps_of(plan_from(lambda x: lax.fori_loop(0, 20, lambda _, v: v @ v, x), X))
    assert names == ["stablehlo.while"]


def test_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_from(loop_between(20, 3), X)
    monkeypatch.setenv("HLOKIT_DISABLE", "native-loops")
    assert steps_of(plan) == ["native", "stablehlo.while", "native"]


def test_long_products_in_loops_stay_with_kernels() -> None:
    x = np.eye(40, dtype=np.float32)

    def powers(x: Any) -> Any:
        y = lax.fori_loop(0, 200, lambda _, v: v @ x, x[:, ::-1])
        return sum([y * n - x for n in range(20)])

    plan = plan_from(powers, x)
    assert steps_of(plan) == ["native"]
    short = with_straight_line_code(plan, DEFAULTS._replace(loop_elements=500))
    assert "stablehlo.while" in [step.name for step in short.steps if not is_native(step)]


def endless(x: Any) -> Any:
    y = sum([x * n for n in range(9)])
    y, _ = lax.while_loop(lambda s: s[1] >= 0, lambda s: (s[0] * 0.5, s[1] * 2), (y, x[0, 0] * 0))
    return sum([y * n for n in range(9)])


def test_a_signal_ends_a_program() -> None:
    program = hlokit.from_jax(endless, X)
    assert steps_of(Planner(program.module).function("main").plan) == ["native"]
    program(X - np.inf)  # NaN: the condition is false
    with interrupted_after(0.2):
        program(X)


def test_other_threads_continue() -> None:
    def long(x: Any) -> Any:
        y = sum([x * n for n in range(9)])
        return lax.fori_loop(0, 3_000_000, lambda i, v: v * 0.5, y) - y

    program = hlokit.from_jax(jax.jit(long), X)
    program(X)
    counted = 0
    thread = threading.Thread(target=lambda: program(X))
    thread.start()
    while thread.is_alive():
        counted += 1
    assert counted > 10


def test_nans_of_a_kernel_before_a_program_with_a_loop() -> None:
    """The convolution computes NaNs of the processor's own bits, and the program makes them canonical."""
    text = """func.func @main(%x: tensor<1x1x2x2xf16>, %k: tensor<1x1x1x1xf16>) -> (tensor<1x1x3x3xf16>, tensor<4xf16>) {
      %conv = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1],
        window = {lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<1x1x2x2xf16>, tensor<1x1x1x1xf16>) -> tensor<1x1x3x3xf16>
      %i0 = stablehlo.constant dense<0> : tensor<i32>
      %ones = stablehlo.constant dense<1.0> : tensor<4xf16>
      %loop:2 = stablehlo.while(%i = %i0, %v = %ones) : tensor<i32>, tensor<4xf16>
      cond {
        %n = stablehlo.constant dense<3> : tensor<i32>
        %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, %v : tensor<i32>, tensor<4xf16>
      }
      return %conv, %loop#1 : tensor<1x1x3x3xf16>, tensor<4xf16>
    }"""
    block = block_of(text)
    x, k = np.zeros((1, 1, 2, 2), np.float16), np.full((1, 1, 1, 1), np.inf, np.float16)
    runs = [copies(listed(block(x, k))) for _ in range(3)]
    assert runs[1] == runs[0]
    assert runs[2] == runs[0]


def sums_of_a_constant_choice(choice: str, branches: str) -> list[int]:
    """Three runs of a loop that adds, to 5, thirty times the result of an operation on a constant `%choice`."""
    text = f"""
    func.func @main(%x: tensor<i32>) -> tensor<i32> {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %limit = stablehlo.constant dense<30> : tensor<i32>
      %0:2 = stablehlo.while(%n = %zero, %y = %x) : tensor<i32>, tensor<i32>
        cond {{
          %1 = stablehlo.compare LT, %n, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %1 : tensor<i1>
        }} do {{
          %one = stablehlo.constant dense<1> : tensor<i32>
          %ten = stablehlo.constant dense<10> : tensor<i32>
          %choice = stablehlo.constant {choice}
          %1 = {branches}
          %2 = stablehlo.add %y, %1 : tensor<i32>
          %3 = stablehlo.add %n, %one : tensor<i32>
          stablehlo.return %3, %2 : tensor<i32>, tensor<i32>
        }}
      return %0#1 : tensor<i32>
    }}"""
    program = hlokit.load(text).with_thresholds(DEFAULTS._replace(loop_first_iterations=1))
    return [int(program(np.int32(5))) for _ in range(3)]


@pytest.mark.parametrize("index", [-1, 2, 7])
def test_a_constant_index_beyond_the_branches_takes_the_last_one(index: int) -> None:
    branches = """"stablehlo.case"(%choice) ({
      stablehlo.return %ten : tensor<i32>
    }, {
      stablehlo.return %one : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>"""
    assert sums_of_a_constant_choice(f"dense<{index}> : tensor<i32>", branches) == [35, 35, 35]


@pytest.mark.parametrize(("choice", "expected"), [("true", 35), ("false", 305)])
def test_a_constant_predicate_takes_its_branch(choice: str, expected: int) -> None:
    branches = """"stablehlo.if"(%choice) ({
      stablehlo.return %one : tensor<i32>
    }, {
      stablehlo.return %ten : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>"""
    assert sums_of_a_constant_choice(f"dense<{choice}> : tensor<i1>", branches) == [expected] * 3
