"""Blocks and plans of programs, for tests."""

from __future__ import annotations

import hlokit
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.plan.block import Block
from hlokit.engine.plan.plan import Plan, Step


def block_of(text: str, function: str = "main") -> Block:
    return Planner(hlokit.load(text).module).function(function)


def plan_of(text: str, function: str = "main") -> Plan:
    return block_of(text, function).plan


def names(plan: Plan) -> list[str]:
    return [step.name.removeprefix("stablehlo.") for step in plan.steps]


def step_named(plan: Plan, name: str) -> Step:
    (found,) = (step for step in plan.steps if step.name == name)
    return found


def region(body: str, types: str = "i32 i32", results: str = "i32") -> str:
    """A module whose first operation is a reduce with this body of arguments %a, %b."""
    left, right = types.split()
    return f"""
      func.func @main(%x: tensor<4x{left}>, %i: tensor<{left}>, %y: tensor<{left}>) -> tensor<{results}> {{
        %0 = "stablehlo.reduce"(%x, %i) ({{
          ^bb0(%a: tensor<{left}>, %b: tensor<{right}>):
            {body}
        }}) {{dimensions = array<i64: 0>}} : (tensor<4x{left}>, tensor<{left}>) -> tensor<{results}>
        return %0 : tensor<{results}>
      }}"""
