"""Functions that native programs lower once: the same results as where each call is lowered by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
import pytest

import hlokit
from hlokit.engine.native.ir.views import View
from hlokit.engine.native.lowerings import templates
from hlokit.engine.native.lowerings.blocks import BlockLowering
from tests.generate.same import assert_same

# A function of 40 steps, one of which depends on the sign of `y`.
FUNCTION = """
func.func private @f(%x: tensor<3xf32>, %y: tensor<f32>, %z: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.compare LT, %y, %0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %v0 = stablehlo.select %1, %x, %z : tensor<i1>, tensor<3xf32>
  LINES
  %s = stablehlo.slice %z [1:2] : (tensor<3xf32>) -> tensor<1xf32>
  %t = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<1xf32>) -> tensor<3xf32>
  return %v38, %t : tensor<3xf32>, tensor<3xf32>
}""".replace(
    "LINES",
    "\n".join(
        f"%v{n + 1} = stablehlo.{('add', 'multiply')[n % 2]} %v{n}, %{'xz'[n % 3 > 1]} : tensor<3xf32>"
        for n in range(38)
    ),
)
CALLS = (
    ("%a", "%one", "%b"),
    ("%a", "%minus", "%b"),  # another constant
    ("%b", "%y", "%a"),  # no constant
    ("%a", "%y", "%a"),  # one value twice
    ("%row", "%minus", "%b"),  # a part of an array
    ("%v1", "%one", "%v0"),  # results of calls
    ("%a", "%one", "%b"),  # the first call again
)
MAIN = "\n".join(
    f"%v{n}, %w{n} = func.call @f({', '.join(call)}) : (tensor<3xf32>, tensor<f32>, tensor<3xf32>) "
    "-> (tensor<3xf32>, tensor<3xf32>)"
    for n, call in enumerate(CALLS)
)
RESULTS = ", ".join(f"%v{n}, %w{n}" for n in range(len(CALLS)))
TYPES = ", ".join(["tensor<3xf32>"] * (2 * len(CALLS)))
PROGRAM = f"""
func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>, %y: tensor<f32>, %m: tensor<2x3xf32>) -> ({TYPES}) {{
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %minus = stablehlo.constant dense<-1.0> : tensor<f32>
  %r = stablehlo.slice %m [1:2, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %row = stablehlo.reshape %r : (tensor<1x3xf32>) -> tensor<3xf32>
  {MAIN}
  return {RESULTS} : {TYPES}
}}
{FUNCTION}"""


def test_calls_of_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    copies: list[templates.Template] = []
    copied = templates._copied

    def counted(
        lowering: BlockLowering, template: templates.Template, arguments: Sequence[View]
    ) -> list[View]:
        copies.append(template)
        return copied(lowering, template, arguments)

    monkeypatch.setattr(templates, "_copied", counted)
    program = hlokit.load(PROGRAM)
    a, b = np.array([1, -2, 3], np.float32), np.array([0.5, np.nan, -0.0], np.float32)
    arguments = (a, b, np.float32(-3), np.arange(6, dtype=np.float32).reshape(2, 3))
    first = program(*arguments)
    for _ in range(6):
        assert_same(program(*arguments), first, PROGRAM)
    assert len(copies) == 6, "the last call is the first one again"
    assert len({id(template) for template in copies}) == 4


def test_random_numbers_of_several_keys() -> None:
    def draws(seed: Any) -> list[Any]:
        keys = jax.random.split(jax.random.key(seed), 6)
        return [jax.random.normal(key, (5,)) for key in keys[:4]] + [jax.random.bits(keys[5], (5,))]

    program = hlokit.from_jax(draws, 3)
    results = [program(seed) for seed in (3, 3, 3, 3, 3, 3, 4)]
    for seed, result in zip((3, 3, 3, 3, 3, 3, 4), results, strict=True):
        assert_same(result, hlokit.from_jax(draws, seed)(seed), str(seed))
    np.testing.assert_array_equal(results[0][4], jax.jit(draws)(3)[4])
