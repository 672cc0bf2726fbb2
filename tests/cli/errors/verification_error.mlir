// RUN: not stablehlo-translate --interpret %s 2>&1 | FileCheck %s

// CHECK: verification_error.mlir:6:13: error: 'stablehlo.transpose' op
// CHECK-NEXT: %result = "stablehlo.transpose"
func.func @main(%operand: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %result = "stablehlo.transpose"(%operand) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %result : tensor<2x3xf32>
}
