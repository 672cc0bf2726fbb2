"""Programs for the tests of versions."""

from __future__ import annotations

from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context

PLAIN = """
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""

# Each line after the first requires another version.
MIXED = """func.func @main(%a: tensor<2xf32>, %s: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.tan %a : tensor<2xf32>
  %1 = stablehlo.constant dense<1> : tensor<2xi2>
  %2 = "stablehlo.cosine"(%a) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<2xf32>) -> tensor<2xf32>
  %3 = stablehlo.custom_call @f(%a) {api_version = 4 : i32, backend_config = {a = 1 : i32}} : (tensor<2xf32>) -> tensor<2xf32>
  %4 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %sum = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %sum : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f64>
  return %0 : tensor<2xf32>
}
"""

CHLO = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.erf %a : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


def module(text: str) -> ir.Module:
    return parse_text(make_context(), text, "test.mlir")
