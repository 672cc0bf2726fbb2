// RUN: not stablehlo-translate --interpret %s 2>&1 | FileCheck %s

// CHECK: malformed_check.mlir:6:29: error: check.expect_close: expected ', max_ulp_difference = ', got ':'
// CHECK-NEXT: check.expect_close
func.func @main(%a: tensor<f32>) {
  check.expect_close %a, %a : tensor<f32>, tensor<f32>
  func.return
}
