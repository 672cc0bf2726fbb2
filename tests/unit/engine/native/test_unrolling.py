"""Loops with a known number of iterations within native programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.native import loops
from hlokit.engine.native.lowerings.blocks import BlockLowering
from hlokit.engine.native.lowerings.builder import tensor_type
from hlokit.engine.native.lowerings.trip_counts import trip_count
from hlokit.engine.plan.block import inlined_size
from hlokit.engine.plan.plan import last_of
from tests.generate.same import assert_same, copies, listed
from tests.unit.engine.plan.plans import plan_of, step_named

X = np.float32([1.5, -2.25, 3.0, 0.125])


def lowered(function: Callable[..., Any], *arguments: Any) -> BlockLowering:
    plan = Planner(hlokit.from_jax(function, *arguments).module).function("main").plan
    lowering = BlockLowering(DEFAULTS)
    views = {n: lowering.operand(tensor_type(plan.slot_types[n])) for n in range(plan.argument_count)}
    for step in plan.steps:
        last_of(lowering.step(plan, step, views, dict(plan.constants)))
    return lowering


def jumps(lowering: BlockLowering) -> int:
    return sum(each.is_jump for each in lowering.instructions)


def up(x: Any) -> Any:
    return lax.fori_loop(0, 5, lambda i, v: v * i + x, x)


def down(x: Any) -> Any:
    return lax.while_loop(lambda s: s[0] >= -4, lambda s: (s[0] - 2, s[1] * x), (jnp.int32(6), x))[1]


def by_products(x: Any) -> Any:
    """The counter depends on another value of the state."""

    def turn(state: Any) -> Any:
        i, factor, v = state
        return i * factor, factor + 1, v + x * i

    return lax.while_loop(lambda s: (s[0] < 100) & (s[1] != 9), turn, (jnp.int32(1), jnp.int32(2), x))[2]


def never(x: Any) -> Any:
    return lax.while_loop(lambda s: s[0] > 9, lambda s: (s[0] + 1, s[1] * x), (jnp.int32(3), x))[1]


def nested(x: Any) -> Any:
    return lax.fori_loop(0, 3, lambda i, v: lax.fori_loop(0, 4, lambda j, w: w * j + i, v), x)


@pytest.mark.parametrize("function", [up, down, by_products, never, nested])
def test_they_are_unrolled(function: Callable[[Any], Any]) -> None:
    assert jumps(lowered(function, X)) == 0
    within = jax.jit(lambda x, n: lax.fori_loop(0, n, lambda _, v: function(v) - x, x))
    program = hlokit.from_jax(within, X, np.int32(1))
    expected = [np.asarray(within(X, np.int32(20)))]
    before, native = (copies(listed(program(X, np.int32(n)))) for n in (20, 20))
    assert before == native
    np.testing.assert_allclose(program(X, np.int32(20)), expected[0], rtol=1e-5)


@pytest.mark.parametrize("function", [up, down, by_products, never, nested])
def test_bytes_are_those_of_the_kernels(
    function: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    results: list[Any] = []
    for disabled in ("", "native"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        program = hlokit.from_jax(lambda x: sum([function(x * n) for n in range(4)]), X)
        results.append([listed(program(X)) for _ in range(3)])
    for native, plain in zip(*results, strict=True):
        assert_same(tuple(native), tuple(plain), function.__name__)


def data_dependent(x: Any) -> Any:
    return lax.while_loop(lambda v: v[0] < 9, lambda v: v + 1, x)


def long(x: Any) -> Any:
    return lax.fori_loop(0, 1000, lambda i, v: v * i + x, x)


def short_but_large(x: Any) -> Any:
    def turn(i: Any, v: Any) -> Any:
        for n in range(100):
            v = v * i + x * n
        return v

    return lax.fori_loop(0, 5, turn, x)


def with_inner_loops(x: Any) -> Any:
    """Each loop alone could be unrolled, but not all three."""

    def loop(body: Any) -> Any:
        return lambda v: lax.fori_loop(0, 20, lambda i, v: body(v) * i, v)

    return loop(loop(loop(lambda v: v + x)))(x)


@pytest.mark.parametrize(
    ("function", "expected"), [(data_dependent, 2), (long, 2), (short_but_large, 2), (with_inner_loops, 4)]
)
def test_other_loops_remain(function: Callable[[Any], Any], expected: int) -> None:
    lowering = lowered(function, X)
    assert jumps(lowering) >= expected
    assert len(lowering.instructions) <= 4 * DEFAULTS.unrolled_steps


LOOP = """
  func.func @main(%i: tensor<i32>, %n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {{
    %0:2 = stablehlo.while(%a = %i, %y = %x) : tensor<i32>, tensor<f32> cond {{
      %p = stablehlo.compare {condition}, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }} do {{
      %one = stablehlo.constant dense<{step}> : tensor<i32>
      %b = stablehlo.add %a, %one : tensor<i32>
      %z = stablehlo.sine %y : tensor<f32>
      stablehlo.return %b, %z : tensor<i32>, tensor<f32>
    }}
    return %0#1 : tensor<f32>
  }}"""


@pytest.mark.parametrize(
    ("condition", "step", "start", "limit", "most", "expected"),
    [
        ("LT", 1, 0, 5, 9, 5),
        ("LT", 2, 0, 5, 9, 3),
        ("LE", 1, 0, 5, 9, 6),
        ("NE", -1, 3, -3, 6, 6),
        ("GT", -1, 0, 0, 9, 0),
        ("LT", 1, 0, 5, 4, None),
        ("LT", 0, 0, 5, 100, None),
        ("GE", 1 << 30, 1 << 30, 0, 9, 1),  # then the sum wraps to a negative number
        ("GT", 1, 1, 0, 5, None),
        ("LT", 1, None, 5, 9, None),
        ("LT", 1, 0, None, 9, None),
    ],
)
def test_trip_counts(
    condition: str, step: int, start: int | None, limit: int | None, most: int, expected: int | None
) -> None:
    plan = plan_of(LOOP.format(condition=condition, step=step))
    cond, body = step_named(plan, "stablehlo.while").kernel.regions
    known = [None if value is None else np.int32(value) for value in (start, None, limit)]
    assert trip_count(cond, body, known, most) == expected


def test_sizes_count_what_is_inlined() -> None:
    plan = Planner(hlokit.from_jax(nested, X).module).function("main").plan
    _, body = step_named(plan, "stablehlo.while").kernel.regions
    inner = step_named(Planner(hlokit.from_jax(up, X).module).function("main").plan, "stablehlo.while")
    assert inlined_size(body) > inlined_size(inner.kernel.regions[1]) > 2


def test_views_of_arrays_are_no_known_counters() -> None:
    """A counter that is an element of an array of constants."""

    def function(x: Any) -> Any:
        i = jnp.int32([0, 7])[0]
        return lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1] * x), (i, x))[1]

    np.testing.assert_array_equal(hlokit.from_jax(function, X)(X), X**4)


def test_later_runs_unroll_the_loops_of_the_first_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unrolling takes time, for which the first result would wait."""

    def function(x: Any) -> Any:
        return lax.fori_loop(0, 30, lambda i, v: lax.fori_loop(0, 5, lambda j, w: w * 0.5 + j * i, v), x)

    unrolls: list[bool] = []

    def recorded(*arguments: Any, may_unroll: bool = True, **options: Any) -> Any:
        unrolls.append(may_unroll)
        return original(*arguments, may_unroll=may_unroll, **options)

    original = loops.loop_program
    program = hlokit.from_jax(function, X)
    monkeypatch.setattr(loops, "loop_program", recorded)
    results = [np.asarray(program(X)) for _ in range(6)]
    assert unrolls == [False, True]
    assert all(result.tobytes() == results[0].tobytes() for result in results)


# A loop that captures a scalar, in a function that is called for two values of the scalar.
TWO_SCALARS = """func.func @main(%v: tensor<4xf32>) -> tensor<4xf32> {
  %a = stablehlo.constant dense<0.5> : tensor<f32>
  %b = stablehlo.constant dense<0.25> : tensor<f32>
  %0 = call @called(%v, %a) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = call @called(%0, %b) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @called(%v: tensor<4xf32>, %scale: tensor<f32>) -> tensor<4xf32> {
  %start = stablehlo.constant dense<0> : tensor<i32>
  %sine = stablehlo.sine %scale : tensor<f32>
  %0:2 = stablehlo.while(%i = %start, %x = %v) : tensor<i32>, tensor<4xf32>
  cond {
    %end = stablehlo.constant dense<40> : tensor<i32>
    %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %w:2 = stablehlo.while(%j = %zero, %y = %x) : tensor<i32>, tensor<4xf32>
    cond {
      %end = stablehlo.constant dense<5> : tensor<i32>
      %p = stablehlo.compare LT, %j, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %u = stablehlo.broadcast_in_dim %sine, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %m = stablehlo.multiply %y, %u : tensor<4xf32>
      %r = stablehlo.add %m, %v : tensor<4xf32>
      %next = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %next, %r : tensor<i32>, tensor<4xf32>
    }
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %w#1 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}"""


def test_later_runs_unroll_the_loops_of_general_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[bool, bool]] = []

    def recorded(loop: Any, captured: Any, **options: Any) -> Any:
        made.append((bool(captured), options["may_unroll"]))
        return original(loop, captured, **options)

    original = loops.loop_program
    monkeypatch.setenv("HLOKIT_DISABLE", "straight-line")  # which would contain the loops
    program = hlokit.load(TWO_SCALARS)
    monkeypatch.setattr(loops, "loop_program", recorded)
    results = [np.asarray(program(X)) for _ in range(8)]
    assert (False, True) in made
    assert all(result.tobytes() == results[0].tobytes() for result in results)


def test_a_condition_on_several_results_of_one_operation() -> None:
    text = """func.func @main(%x: tensor<i32>) -> tensor<i32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %r:3 = stablehlo.while(%i = %zero, %most = %three, %v = %x) : tensor<i32>, tensor<i32>, tensor<i32> cond {
        %p = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %j:2 = "stablehlo.optimization_barrier"(%i, %most) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
        %k = stablehlo.add %j#0, %one : tensor<i32>
        %w = stablehlo.add %v, %v : tensor<i32>
        stablehlo.return %k, %j#1, %w : tensor<i32>, tensor<i32>, tensor<i32>
      }
      return %r#2 : tensor<i32>
    }"""
    step = step_named(plan_of(text), "stablehlo.while")
    cond, body = step.kernel.regions
    assert trip_count(cond, body, [np.int32(0), np.int32(3), None], 10) == 3
    assert trip_count(cond, body, [np.int32(0), None, None], 10) is None
