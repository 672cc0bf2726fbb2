// RUN: stablehlo-translate --interpret --split-input-file %s
// RUN: not stablehlo-translate --interpret --split-input-file --require-checks %s 2>&1 | FileCheck %s

func.func @checked() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %0, dense<1> : tensor<i32>
  func.return
}

// -----

// CHECK: require_checks.mlir: error: @unchecked evaluated no check operation
// CHECK-NOT: {{.}}
func.func @unchecked() {
  func.return
}
