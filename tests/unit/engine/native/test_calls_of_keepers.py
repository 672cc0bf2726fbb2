"""Kernels that native loops call and that keep their operands after the call, or capture values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.loops import NativeLoop
from tests.unit.engine.plan.plans import plan_of, step_named

CALLING = DEFAULTS._replace(native_call_cost=0.0)
NEGATIONS = 16

LOOP = """
  func.func @main(%n: tensor<i32>, %x: tensor<{size}xf32>) -> (tensor<i32>, tensor<{size}xf32>) {{
    %end = stablehlo.constant dense<{turns}> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %0:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<{size}xf32>
    cond {{
      %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }} do {{
      %j = stablehlo.add %i, %one : tensor<i32>
      {body}
      stablehlo.return %j, %z : tensor<i32>, tensor<{size}xf32>
    }}
    return %0#0, %0#1 : tensor<i32>, tensor<{size}xf32>
  }}
"""


def loop(body: str, size: int = 3, turns: int = 30) -> str:
    """A loop whose body makes `%z` of the counter `%i` and of `%y`, and some work for a native program."""
    rest = [f"%y{n + 1} = stablehlo.negate %y{n} : tensor<{size}xf32>" for n in range(NEGATIONS)]
    work = "\n".join(rest).replace("%y0 ", "%y ")
    return LOOP.format(size=size, turns=turns, body=work + "\n" + body)


def is_native(text: str) -> bool:
    step = step_named(plan_of(text), "stablehlo.while")
    cond, body = step.kernel.regions
    return NativeLoop(cond, body, 2, CALLING).is_lowerable


def test_a_custom_call_may_keep_its_operand(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def keep(x: Any) -> Any:
        seen.append(x)
        return x

    with monkeypatch.context() as patch:
        patch.setattr("hlokit.engine.contract.custom_calls._FUNCTIONS", {"keep": keep})
        text = loop("""
            %k = stablehlo.custom_call @keep(%y16) {has_side_effect = true} : (tensor<3xf32>) -> tensor<3xf32>
            %c = stablehlo.constant dense<1.0> : tensor<3xf32>
            %z = stablehlo.add %k, %c : tensor<3xf32>""")
        assert is_native(text)
        program = hlokit.load(text).with_thresholds(CALLING)
        for _ in range(2):
            seen.clear()
            program(np.int32(0), np.zeros(3, np.float32))
            assert [x.tolist() for x in seen] == [[float(n)] * 3 for n in range(30)]


COLLECTIVES = {
    "collective_permute": """
      %m = "stablehlo.collective_permute"(%y16) {
        source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
      } : (tensor<4xf32>) -> tensor<4xf32>""",
    "all_to_all": """
      %m = "stablehlo.all_to_all"(%y16) {
        split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
      } : (tensor<4xf32>) -> tensor<4xf32>""",
    "collective_broadcast": """
      %m = "stablehlo.collective_broadcast"(%y16) {
        replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>
      } : (tensor<4xf32>) -> tensor<4xf32>""",
}


def expected(name: str, turns: int) -> list[Any]:
    """The values of both processes, by the definition of the operation; each adds 1 and itself in a turn."""
    x, y = np.arange(4, dtype=np.float32), np.arange(10, 14, dtype=np.float32)
    for _ in range(turns):
        if name == "collective_permute":
            mine, other = y, x
        elif name == "all_to_all":
            mine, other = np.concatenate([x[:2], y[:2]]), np.concatenate([x[2:], y[2:]])
        else:
            mine = other = y
        x, y = mine + np.float32(1), other + np.float32(1)
    return [x, y]


@pytest.mark.parametrize("name", COLLECTIVES)
def test_processes_exchange_the_values_of_the_turn(name: str) -> None:
    """The process that wakes later reads the value that the other process sent, not a later value."""
    turns = 3000
    body = (
        COLLECTIVES[name]
        + """
      %c = stablehlo.constant dense<1.0> : tensor<4xf32>
      %z = stablehlo.add %m, %c : tensor<4xf32>"""
    )
    text = loop(body, 4, turns)
    assert is_native(text)
    program = hlokit.load(text).with_thresholds(CALLING)
    first, second = np.arange(4, dtype=np.float32), np.arange(10, 14, dtype=np.float32)
    results = program.run_parallel([(np.int32(0), first), (np.int32(0), second)], num_replicas=2)
    for (_, value), right in zip(results, expected(name, turns), strict=True):
        assert value.tolist() == right.tolist()


CAPTURES = {
    "sort": """
      %k = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
      %z = "stablehlo.sort"(%y16) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %da = stablehlo.subtract %a, %k : tensor<f32>
        %db = stablehlo.subtract %b, %k : tensor<f32>
        %aa = stablehlo.abs %da : tensor<f32>
        %ab = stablehlo.abs %db : tensor<f32>
        %c = stablehlo.compare LT, %aa, %ab : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }) : (tensor<3xf32>) -> tensor<3xf32>""",
    "map": """
      %k = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
      %z = "stablehlo.map"(%y16) ({
      ^bb0(%a: tensor<f32>):
        %s = stablehlo.add %a, %k : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) {dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<3xf32>""",
    "reduce_window": """
      %k = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
      %s = stablehlo.constant dense<0.0> : tensor<f32>
      %z = "stablehlo.reduce_window"(%y16, %s) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %u = stablehlo.add %a, %b : tensor<f32>
        %v = stablehlo.maximum %u, %k : tensor<f32>
        stablehlo.return %v : tensor<f32>
      }) {window_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>""",
}


def captured(name: str, turns: int) -> list[float]:
    """The loops in Python; all values are small integers."""
    x = [3.0, 20.0, 11.0]
    for i in range(turns):
        if name == "sort":
            x = sorted(x, key=lambda value, i=i: abs(value - i))
        elif name == "map":
            x = [value + i for value in x]
        else:
            x = [max(value, float(i)) for value in x]
    return x


@pytest.mark.parametrize("name", CAPTURES)
def test_regions_of_called_steps_capture_values_of_the_loop(name: str) -> None:
    text = loop(CAPTURES[name])
    assert is_native(text)
    program = hlokit.load(text).with_thresholds(CALLING)
    for _ in range(2):
        _, value = program(np.int32(0), np.float32([3, 20, 11]))
        assert value.tolist() == captured(name, 30)
