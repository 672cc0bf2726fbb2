"""Counters of native loops: those that begin alike are one, and indices within known bounds are not normalized."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.native.ir.instructions import READ_WINDOWS
from hlokit.engine.native.ir.target import signature
from hlokit.engine.native.lowerings.blocks import BlockLowering
from hlokit.engine.native.lowerings.builder import tensor_type
from hlokit.engine.plan.plan import last_of

X = np.arange(6, dtype=np.float32) * 1.5 - 2


def text_of(first: int, other: int, limit: int, *, is_called: bool = False) -> str:
    """A loop with two counters that reads elements at the first one, and at the other one, which may be negative."""
    add = (
        "func.call @next(%j) : (tensor<i32>)"
        if is_called
        else "stablehlo.add %j, %one : (tensor<i32>, tensor<i32>)"
    )
    return f"""
    func.func @main(%x: tensor<6xf32>) -> (tensor<f32>, tensor<i32>, tensor<i32>) {{
      %i0 = stablehlo.constant dense<{first}> : tensor<i32>
      %j0 = stablehlo.constant dense<{other}> : tensor<i32>
      %n = stablehlo.constant dense<{limit}> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %size = stablehlo.constant dense<6> : tensor<i32>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %numbers = stablehlo.iota dim = 0 : tensor<6xi32>
      %s0 = stablehlo.constant dense<0.0> : tensor<f32>
      %r:3 = stablehlo.while(%i = %i0, %j = %j0, %s = %s0) : tensor<i32>, tensor<i32>, tensor<f32>
      cond {{
        %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }} do {{
        %e = stablehlo.dynamic_slice %numbers, %i, sizes = [1] : (tensor<6xi32>, tensor<i32>) -> tensor<1xi32>
        %k = stablehlo.reshape %e : (tensor<1xi32>) -> tensor<i32>
        %p = stablehlo.compare LT, %j, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %f = stablehlo.add %j, %size : tensor<i32>
        %l = stablehlo.select %p, %f, %j : tensor<i1>, tensor<i32>
        %a = stablehlo.dynamic_slice %x, %k, sizes = [1] : (tensor<6xf32>, tensor<i32>) -> tensor<1xf32>
        %b = stablehlo.dynamic_slice %x, %l, sizes = [1] : (tensor<6xf32>, tensor<i32>) -> tensor<1xf32>
        %c = stablehlo.multiply %a, %b : tensor<1xf32>
        %d = stablehlo.reshape %c : (tensor<1xf32>) -> tensor<f32>
        %t = stablehlo.add %s, %d : tensor<f32>
        %i1 = stablehlo.add %i, %one : tensor<i32>
        %j1 = {add} -> tensor<i32>
        stablehlo.return %i1, %j1, %t : tensor<i32>, tensor<i32>, tensor<f32>
      }}
      return %r#2, %r#0, %r#1 : tensor<f32>, tensor<i32>, tensor<i32>
    }}
    func.func private @next(%j: tensor<i32>) -> tensor<i32> {{
      %one = stablehlo.constant dense<1> : tensor<i32>
      %r = stablehlo.add %one, %j : tensor<i32>
      return %r : tensor<i32>
    }}"""


def expected(first: int, other: int, limit: int) -> tuple[Any, int, int]:
    total, i, j = np.float32(0), first, other
    while i < limit:
        total += X[min(max(i, 0), 5)] * X[min(max(j + 6 if j < 0 else j, 0), 5)]
        i, j = i + 1, j + 1
    return total, i, j


@pytest.mark.parametrize("is_called", [False, True])
@pytest.mark.parametrize(
    ("first", "other", "limit"),
    [(0, 0, 6), (0, 0, 40), (0, -3, 6), (-4, -4, 30), (2, 3, 5), (7, 7, 3), (0, 2**31 - 3, 12)],
)
def test_counters_and_what_they_index(first: int, other: int, limit: int, is_called: bool) -> None:
    program = hlokit.load(text_of(first, other, limit, is_called=is_called))
    wrapped = (expected(first, other, limit)[2] + 2**31) % 2**32 - 2**31
    for _ in range(5):
        total, i, j = program(X)
        assert (i, j) == (expected(first, other, limit)[1], wrapped)
        if other < 2**30:
            assert total == expected(first, other, limit)[0]


@pytest.mark.parametrize(
    ("other", "limit", "reads", "normalisations"), [(0, 6, 1, 0), (-1, 6, 2, 1), (0, 7, 3, 0)]
)
def test_instructions_of_counters(other: int, limit: int, reads: int, normalisations: int) -> None:
    """Numbers below 6 are their own index; numbers from -1 on may count from the end."""
    plan = Planner(hlokit.load(text_of(0, other, limit)).module).function("main").plan
    lowering = BlockLowering(DEFAULTS, may_unroll=False)
    views = {n: lowering.operand(tensor_type(plan.slot_types[n])) for n in range(plan.argument_count)}
    for step in plan.steps:
        last_of(lowering.step(plan, step, views, dict(plan.constants)))
    operations = [line.operation for line in lowering.instructions]
    names = [signature(number)[0] for number in operations if number >= 0]
    assert (operations.count(READ_WINDOWS), names.count("normalize_index")) == (reads, normalisations)


def test_a_limit_that_iterations_change_bounds_no_counter() -> None:
    """Regression: the counter was taken to stay below the first limit, 3, so that an iota was not clamped."""
    program = hlokit.load("""
    func.func @main(%most: tensor<i32>) -> tensor<i32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %turns = stablehlo.constant dense<200> : tensor<i32>
      %r:2 = stablehlo.while(%o = %zero, %sum = %zero) : tensor<i32>, tensor<i32>
      cond {
        %p = stablehlo.compare LT, %o, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %q:3 = stablehlo.while(%i = %zero, %n = %three, %s = %sum) : tensor<i32>, tensor<i32>, tensor<i32>
        cond {
          %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %numbers = stablehlo.iota dim = 0 : tensor<5xi32>
          %e = stablehlo.dynamic_slice %numbers, %i, sizes = [1] : (tensor<5xi32>, tensor<i32>) -> tensor<1xi32>
          %k = stablehlo.reshape %e : (tensor<1xi32>) -> tensor<i32>
          %t = stablehlo.add %s, %k : tensor<i32>
          %i1 = stablehlo.add %i, %one : tensor<i32>
          %n1 = stablehlo.add %n, %one : tensor<i32>
          %n2 = stablehlo.minimum %n1, %most : tensor<i32>
          stablehlo.return %i1, %n2, %t : tensor<i32>, tensor<i32>, tensor<i32>
        }
        %o1 = stablehlo.add %o, %one : tensor<i32>
        stablehlo.return %o1, %q#2 : tensor<i32>, tensor<i32>
      }
      return %r#1 : tensor<i32>
    }""")
    assert [int(program(np.int32(9))) for _ in range(5)] == [200 * sum(min(i, 4) for i in range(9))] * 5
