"""Programs of many operations on tiny tensors: the overhead per operation."""

from __future__ import annotations

import numpy as np

from benchmarks.case import OTHER, Program, case

SIZES = "many operations"


def straight_line(count: int) -> str:
    """`count` operations of several kinds on four numbers, each on results of earlier ones."""
    kinds = ("add", "multiply", "subtract", "maximum", "minimum")
    lines: list[str] = []
    for i in range(count):
        first, second = f"%{i}", f"%{max(0, i - 3)}"
        lines.append(f"  %{i + 1} = stablehlo.{kinds[i % len(kinds)]} {first}, {second} : tensor<4xf32>")
    body = "\n".join(lines)
    return (
        f"func.func @main(%0: tensor<4xf32>) -> tensor<4xf32> {{\n{body}\nreturn %{count} : tensor<4xf32>\n}}"
    )


def straight_scalars(count: int) -> str:
    """`count` additions of scalars."""
    body = "\n".join(f"  %{i + 1} = stablehlo.add %{i}, %0 : tensor<f32>" for i in range(count))
    return f"func.func @main(%0: tensor<f32>) -> tensor<f32> {{\n{body}\n  return %{count} : tensor<f32>\n}}"


@case("7,000 operations on four numbers", SIZES, OTHER, is_quick=True)
def tiny_tensors() -> Program:
    return Program(straight_line(7000), [np.array([0.1, 0.2, 0.3, 0.4], np.float32)], 7000)


@case("7,000 additions of scalars", SIZES, OTHER)
def tiny_scalars() -> Program:
    return Program(straight_scalars(7000), [np.array(1e-3, np.float32)], 7000)


@case("20,000 operations, parsed and planned", SIZES, OTHER, plan_only=True, is_quick=True)
def long_module() -> Program:
    return Program(straight_line(20_000), [np.array([0.1, 0.2, 0.3, 0.4], np.float32)], 20_000)


TINY = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
