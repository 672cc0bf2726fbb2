// RUN: not stablehlo-translate --interpret %s 2>&1 | FileCheck %s

// CHECK: check_failure.mlir:10:3: error: check.expect_eq_const: values must be bitwise equal, 2 of 4 are not
// CHECK-NEXT: check.expect_eq_const %actual
// CHECK-NEXT: ^
// CHECK-NEXT: index [0, 1]: actual 2.0, expected -2.0, distance 2147483648 ULP
// CHECK-NEXT: index [1, 0]: actual 3.0, expected 3.0000002, distance 1 ULP
// CHECK-NEXT: in @callee, check.expect_eq_const (tensor<2x2xf32>)
func.func @callee(%actual: tensor<2x2xf32>) {
  check.expect_eq_const %actual, dense<[[1.0, -2.0], [3.0000002, 4.0]]> : tensor<2x2xf32>
  func.return
}

// CHECK-NEXT: check_failure.mlir:19:3: note: called from @main, func.call (tensor<2x2xf32>)
// CHECK-NEXT: func.call @callee
// CHECK-NEXT: ^
func.func @main() {
  %actual = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  func.call @callee(%actual) : (tensor<2x2xf32>) -> ()
  func.return
}
