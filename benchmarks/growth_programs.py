"""Programs of any size, for `benchmarks.growth`, which differ in operations, elements, processes or loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.case import Array

Made = tuple[str, list[Array]]


@dataclass(frozen=True)
class Series:
    """Programs of one kind in growing sizes.

    Attributes:
      unit: what the size counts.
      make: the text and the arguments of a program of a size.
      processes: whether the size is the number of processes of a grid.
    """

    name: str
    unit: str
    sizes: Sequence[int]
    make: Callable[[int], Made]
    processes: bool = False


def operations(count: int) -> Made:
    """A straight line of additions, products, maxima and differences of four numbers."""
    names = ("add", "multiply", "maximum", "subtract")
    lines = ["func.func @main(%v0: tensor<4xf32>) -> tensor<4xf32> {"]
    lines += [
        f"  %v{n + 1} = stablehlo.{names[n % 4]} %v{n}, %v{max(0, n - n * 7 % 5)} : tensor<4xf32>"
        for n in range(count)
    ]
    lines += [f"  return %v{count} : tensor<4xf32>", "}"]
    return "\n".join(lines), [np.full(4, 0.5, np.float32)]


def elements(count: int) -> Made:
    """tanh(x) * y + x, of f32."""
    type_ = f"tensor<{count}xf32>"
    text = f"""func.func @main(%x: {type_}, %y: {type_}) -> {type_} {{
  %t = stablehlo.tanh %x : {type_}
  %p = stablehlo.multiply %t, %y : {type_}
  %s = stablehlo.add %p, %x : {type_}
  return %s : {type_}
}}"""
    x = np.linspace(-4, 4, count, dtype=np.float32)
    return text, [x, x[::-1].copy()]


def processes(count: int) -> Made:
    """Eight sums over all processes of 1,024 numbers each, with an exponential between them."""
    type_ = "tensor<1024xf32>"
    group = ", ".join(map(str, range(count)))
    lines = [f"func.func @main(%v0: {type_}) -> {type_} {{"]
    for n in range(8):
        lines.append(f"""  %s{n} = "stablehlo.all_reduce"(%v{n}) ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }}) {{replica_groups = dense<[[{group}]]> : tensor<1x{count}xi64>}} : ({type_}) -> {type_}
  %v{n + 1} = stablehlo.logistic %s{n} : {type_}""")
    lines += [f"  return %v8 : {type_}", "}"]
    return "\n".join(lines), [np.linspace(-1, 1, 1024, dtype=np.float32)]


def turns(count: int) -> Made:
    """A loop that counts, adds and multiplies scalars."""
    return (
        f"""func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<{count}> : tensor<i32>
  %factor = stablehlo.constant dense<0.999> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<f32>
  cond {{
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %n = stablehlo.add %i, %one : tensor<i32>
    %p = stablehlo.multiply %s, %factor : tensor<f32>
    %q = stablehlo.add %p, %x : tensor<f32>
    stablehlo.return %n, %q : tensor<i32>, tensor<f32>
  }}
  return %r#1 : tensor<f32>
}}""",
        [np.float32(0.25)],
    )


def nesting(depth: int) -> Made:
    """Nested loops of one iteration each, around a loop of 1,000 additions."""
    body, types = "%x", "tensor<i32>, tensor<f32>"
    compared = "(tensor<i32>, tensor<i32>) -> tensor<i1>"
    lines = [
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {",
        "  %zero = stablehlo.constant dense<0> : tensor<i32>",
        "  %one = stablehlo.constant dense<1> : tensor<i32>",
        "  %many = stablehlo.constant dense<1000> : tensor<i32>",
    ]
    for level in range(depth):
        end = "%many" if level == depth - 1 else "%one"
        lines += [
            f"  %r{level}:2 = stablehlo.while(%i{level} = %zero, %s{level} = {body}) : {types}",
            "  cond {",
            f"    %c{level} = stablehlo.compare LT, %i{level}, {end} : {compared}",
            f"    stablehlo.return %c{level} : tensor<i1>",
            "  } do {",
        ]
        body = f"%s{level}"
    lines.append(f"  %sum = stablehlo.add {body}, %x : tensor<f32>")
    inner = "%sum"
    for level in reversed(range(depth)):
        lines += [
            f"  %n{level} = stablehlo.add %i{level}, %one : tensor<i32>",
            f"  stablehlo.return %n{level}, {inner} : {types}",
            "  }",
        ]
        inner = f"%r{level}#1"
    lines += [f"  return {inner} : tensor<f32>", "}"]
    return "\n".join(lines), [np.float32(0.25)]


SERIES = (
    Series("operations", "operations", (1_000, 10_000, 100_000, 1_000_000), operations),
    Series("elements", "elements", tuple(10**n for n in range(1, 9)), elements),
    Series("processes", "processes", (1, 2, 4, 8, 16, 32, 64), processes, processes=True),
    Series("turns", "iterations of a loop", tuple(10**n for n in range(2, 9)), turns),
    Series("nesting", "nested loops", (1, 2, 4, 8, 12, 16, 20), nesting),
)
