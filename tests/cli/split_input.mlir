// RUN: not stablehlo-translate --interpret --split-input-file %s > %t.out 2> %t.err
// RUN: FileCheck %s --input-file=%t.out
// RUN: FileCheck %s --input-file=%t.err --check-prefix=ERROR

// CHECK: tensor<i32> {1}
func.func @first() -> tensor<i32> {
  %result = stablehlo.constant dense<1> : tensor<i32>
  func.return %result : tensor<i32>
}

// -----

// ERROR: split_input.mlir:15:3: error
func.func @second() -> tensor<i32> {
  nothing
}

// -----

// ERROR: split_input.mlir:23:3: error: check.expect_eq_const
func.func @third() {
  %result = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %result, dense<2> : tensor<i32>
  func.return
}

// -----

// CHECK: tensor<i32> {4}
// CHECK-NOT: {{.}}
// ERROR-NOT: error
func.func @fourth() -> tensor<i32> {
  %result = stablehlo.constant dense<4> : tensor<i32>
  func.return %result : tensor<i32>
}
