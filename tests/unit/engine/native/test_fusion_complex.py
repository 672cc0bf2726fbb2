"""Fusion of operations on complex numbers."""

from __future__ import annotations

from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.fused.fusion import find_fusions
from hlokit.engine.plan.plan import Plan
from tests.unit.engine.plan.plans import names, plan_of

FUSE = DEFAULTS._replace(fusion_work=0)
SHAPE = "61x83x"


def fused_names(plan: Plan) -> list[list[str]]:
    return [[names(plan)[index] for index in fusion.steps] for fusion in find_fusions(plan, FUSE)]


def test_programs_with_one_fusion() -> None:
    x, z = f"tensor<{SHAPE}f32>", f"tensor<{SHAPE}complex<f32>>"
    plan = plan_of(f"""func.func @main(%a: {x}, %b: {x}) -> {x} {{
      %0 = stablehlo.complex %a, %b : ({x}, {x}) -> {z}
      %1 = stablehlo.multiply %0, %0 : {z}
      %2 = stablehlo.divide %1, %0 : {z}
      %3 = stablehlo.add %1, %2 : {z}
      %4 = stablehlo.abs %3 : ({z}) -> {x}
      %5 = stablehlo.add %4, %a : {x}
      return %5 : {x}
    }}""")
    assert fused_names(plan) == [["complex", "multiply", "divide", "add", "abs", "add", "vm.canonical_nan"]]


def test_products_of_f64_are_fused() -> None:
    z = f"tensor<{SHAPE}complex<f64>>"
    plan = plan_of(f"""func.func @main(%a: {z}, %b: {z}) -> {z} {{
      %0 = stablehlo.multiply %a, %b : {z}
      %1 = stablehlo.add %0, %a : {z}
      %2 = stablehlo.subtract %1, %b : {z}
      return %2 : {z}
    }}""")
    assert fused_names(plan) == [["multiply", "add", "subtract", "vm.canonical_nan"]]
