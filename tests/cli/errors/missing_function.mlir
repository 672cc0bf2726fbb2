// RUN: not stablehlo-translate --interpret %s 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: not stablehlo-translate --interpret --function=third %s 2>&1 | FileCheck %s --check-prefix=THIRD
// RUN: not hlokit run %s --function third 2>&1 | FileCheck %s --check-prefix=THIRD
// RUN: stablehlo-translate --interpret --function=second %s | FileCheck %s --check-prefix=SECOND
// RUN: echo "module {}" | stablehlo-translate --interpret | FileCheck %s --check-prefix=EMPTY --allow-empty

// MAIN: missing_function.mlir: error: module must have entry func with name main
// THIRD: missing_function.mlir: error: module must have entry func with name third
// SECOND: tensor<i32> {2}
// EMPTY-NOT: {{.}}

func.func @first() -> tensor<i32> {
  %result = stablehlo.constant dense<1> : tensor<i32>
  func.return %result : tensor<i32>
}

func.func @second() -> tensor<i32> {
  %result = stablehlo.constant dense<2> : tensor<i32>
  func.return %result : tensor<i32>
}
