"""Small arrays of loops as scalars: when, and with the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.engine.native import assembly
from hlokit.engine.native.ir import small_arrays
from hlokit.engine.native.ir.instructions import Instruction

X = np.array([0.5, -1.25, 3], np.float32)
SLICES = """
  %sx = stablehlo.slice %v [0:1] : (tensor<3xf32>) -> tensor<1xf32>
  %sy = stablehlo.slice %v [1:2] : (tensor<3xf32>) -> tensor<1xf32>
  %sz = stablehlo.slice %v [2:3] : (tensor<3xf32>) -> tensor<1xf32>
"""
STACK = """
  %w = stablehlo.concatenate %a, %b, %c, dim = 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
"""
# Bodies of a loop, from %v, the counter %i and the argument %x to %next.
BODIES = {
    "an equation of motion": f"""{SLICES}
      %a = stablehlo.subtract %sy, %sx : tensor<1xf32>
      %p = stablehlo.multiply %sx, %sz : tensor<1xf32>
      %b = stablehlo.subtract %p, %sy : tensor<1xf32>
      %c = stablehlo.multiply %sx, %sy : tensor<1xf32> {STACK}
      %h = stablehlo.constant dense<0.01> : tensor<3xf32>
      %s = stablehlo.multiply %w, %h : tensor<3xf32>
      %next = stablehlo.add %v, %s : tensor<3xf32>""",
    "constants, other types and orders": """
      %k = stablehlo.constant dense<[0.5, -2.0, 1.0e-3]> : tensor<3xf32>
      %r = stablehlo.reverse %v, dims = [0] : tensor<3xf32>
      %p = stablehlo.compare LT, %r, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
      %m = stablehlo.multiply %r, %k : tensor<3xf32>
      %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
      %t = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<3xf32>
      %q = stablehlo.subtract %m, %t : tensor<3xf32>
      %next = stablehlo.select %p, %q, %r : tensor<3xi1>, tensor<3xf32>""",
    "whole arrays": """
      %o = stablehlo.constant dense<0.0> : tensor<f32>
      %e = stablehlo.exponential %x : tensor<3xf32>
      %d = stablehlo.multiply %e, %v : tensor<3xf32>
      %sum = stablehlo.reduce(%d init: %o) applies stablehlo.add across dimensions = [0]
        : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      %t = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<9x3xf32>
      %w = stablehlo.broadcast_in_dim %d, dims = [1] : (tensor<3xf32>) -> tensor<9x3xf32>
      %y = stablehlo.tanh %w : tensor<9x3xf32>
      %n = stablehlo.add %y, %t : tensor<9x3xf32>
      %z = stablehlo.constant dense<0> : tensor<i32>
      %g = stablehlo.dynamic_slice %n, %i, %z, sizes = [1, 3]
        : (tensor<9x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
      %h = stablehlo.reshape %g : (tensor<1x3xf32>) -> tensor<3xf32>
      %u = stablehlo.slice %d [1:2] : (tensor<3xf32>) -> tensor<1xf32>
      %next = stablehlo.dynamic_update_slice %h, %u, %i
        : (tensor<3xf32>, tensor<1xf32>, tensor<i32>) -> tensor<3xf32>""",
    "branches": """
      %two = stablehlo.constant dense<2> : tensor<i32>
      %odd = stablehlo.remainder %i, %two : tensor<i32>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %p = stablehlo.compare EQ, %odd, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %next = "stablehlo.if"(%p) ({
        %r = stablehlo.reverse %v, dims = [0] : tensor<3xf32>
        stablehlo.return %r : tensor<3xf32>
      }, {
        %d = stablehlo.add %v, %x : tensor<3xf32>
        stablehlo.return %d : tensor<3xf32>
      }) : (tensor<i1>) -> tensor<3xf32>""",
}


def text_of(body: str) -> str:
    return f"""func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {{
      %first = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %last = stablehlo.constant dense<40> : tensor<i32>
      %r:2 = stablehlo.while(%i = %first, %v = %x) : tensor<i32>, tensor<3xf32>
      cond {{
        %p = stablehlo.compare LT, %i, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }} do {{
        {body}
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, %next : tensor<i32>, tensor<3xf32>
      }}
      return %r#1 : tensor<3xf32>
    }}"""


@pytest.fixture
def splits(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each native program whether it got scalars in the place of arrays."""
    seen: list[bool] = []

    def watched(instructions: list[Instruction], *arguments: Any) -> Sequence[Instruction]:
        result = small_arrays.split_small_arrays(instructions, *arguments)
        seen.append(result is not instructions)
        return result

    monkeypatch.setattr(assembly, "split_small_arrays", watched)
    return seen


@pytest.mark.parametrize("name", BODIES)
def test_scalars_have_the_bytes_of_arrays(
    name: str, splits: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small_arrays, "_ARRAY_COST", 1000)
    program = hlokit.load(text_of(BODIES[name]))
    results = [np.asarray(program(X)).tobytes() for _ in range(6)]
    assert splits and all(splits)
    monkeypatch.setenv("HLOKIT_DISABLE", "native")
    assert {*results} == {np.asarray(hlokit.load(text_of(BODIES[name]))(X)).tobytes()}


@pytest.mark.parametrize(("name", "is_split"), [*zip(BODIES, (True, True, False, True), strict=True)])
def test_only_arrays_that_instructions_need_whole_stay(name: str, is_split: bool, splits: list[bool]) -> None:
    hlokit.load(text_of(BODIES[name]))(X)
    assert splits == [is_split]
