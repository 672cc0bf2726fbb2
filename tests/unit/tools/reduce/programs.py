"""Programs to reduce: a chain of operations with one in the middle, and nested control flow."""

from __future__ import annotations

import numpy as np

_T = "tensor<4x8xf32>"
_random = np.random.default_rng(0)
# The arguments of `chain`: floats, small integers, an image and a kernel.
CHAIN = (
    _random.normal(size=(4, 8)).astype(np.float32),
    np.arange(3, 35, dtype=np.int32).reshape(4, 8),
    _random.normal(size=(2, 9, 9, 4)).astype(np.float32),
    _random.normal(size=(3, 3, 4, 5)).astype(np.float32),
)


def chain(count: int, middle: str) -> str:
    """A program of `count` operations, with `middle` among them, which also returns the result %f.

    `middle` may use %x, %n, %image, %kernel, %square, the scalars %s and %i, and %big, %zero.
    """
    before = _steps("%x", count // 2, "b")
    after = _steps(before[-1].split(" = ")[0], count - count // 2, "a")
    made = middle.rpartition("\n%f")[2] if "\n%f" in middle else middle
    type_ = made.rpartition("-> ")[2] if "-> " in made else made.rpartition(" : ")[2]
    lines = "\n  ".join([*before, middle, *after])
    return f"""
func.func @main(%x: {_T}, %n: tensor<4x8xi32>, %image: tensor<2x9x9x4xf32>, %kernel: tensor<3x3x4x5xf32>)
    -> ({_T}, {type_}) {{
  %s = stablehlo.constant dense<0.5> : tensor<f32>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %big = stablehlo.constant dense<70> : tensor<4x8xi32>
  %zero = stablehlo.constant dense<0> : tensor<4x8xi32>
  %square = stablehlo.constant dense<-1.0> : tensor<4x4xf32>
  {lines}
  return {after[-1].split(" = ")[0]}, %f : {_T}, {type_}
}}
"""


def _steps(value: str, count: int, prefix: str) -> list[str]:
    lines: list[str] = []
    for number in range(count):
        name = f"%{prefix}{number}"
        operation = ("tanh", "negate", "add", "multiply")[number % 4]
        operands = value if number % 4 < 2 else f"{value}, %x"
        lines.append(f"{name} = stablehlo.{operation} {operands} : {_T}")
        value = name
    return lines


# `power` by a large exponent, in a function that is called in a branch in a loop of six turns.
LOOP = """
func.func private @inner(%x: tensor<4xi32>) -> tensor<4xi32> {
  %e = stablehlo.constant dense<70> : tensor<4xi32>
  %p = stablehlo.power %x, %e : tensor<4xi32>
  %m = stablehlo.constant dense<1023> : tensor<4xi32>
  %a = stablehlo.and %p, %m : tensor<4xi32>
  return %a : tensor<4xi32>
}
func.func @main(%n: tensor<i32>) -> tensor<4xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %limit = stablehlo.constant dense<6> : tensor<i32>
  %start = stablehlo.constant dense<[3, 5, 7, 9]> : tensor<4xi32>
  %r:2 = stablehlo.while(%k = %zero, %x = %start) : tensor<i32>, tensor<4xi32>
  cond {
    %c = stablehlo.compare LT, %k, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %late = stablehlo.compare GE, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %y = "stablehlo.if"(%late) ({
      %w = stablehlo.constant dense<[2, 4, 6, 11]> : tensor<4xi32>
      %v = stablehlo.add %x, %w : tensor<4xi32>
      %u = func.call @inner(%v) : (tensor<4xi32>) -> tensor<4xi32>
      stablehlo.return %u : tensor<4xi32>
    }, {
      %v = stablehlo.add %x, %x : tensor<4xi32>
      stablehlo.return %v : tensor<4xi32>
    }) : (tensor<i1>) -> tensor<4xi32>
    %next = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %next, %y : tensor<i32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}
"""

# A program as a side (docs/diff.md) that is wrong where a module has the cosine of a sine.
WRONG_TOGETHER = r"""
import re
import sys
import numpy as np
import hlokit
module, inputs, outputs = sys.argv[1:4]
text = open(module).read()
arrays = np.load(inputs)
results = hlokit.load(text)(*[arrays[f"input_{n}"] for n in range(len(arrays.files))])
results = results if isinstance(results, tuple) else (results,)
off = re.search(r"(%\w+) = stablehlo.sine[^$]*stablehlo.cosine \1 ", text) is not None
np.savez(outputs, **{f"result_{n}": each + off for n, each in enumerate(results)})
"""
