// RUN: not stablehlo-translate --interpret --function=reached --args="[dense<1.0> : tensor<f32>]" %s 2>&1 | FileCheck %s
// RUN: stablehlo-translate --interpret --function=not_reached %s
// RUN: not hlokit ops %s | FileCheck %s --check-prefix=OPS

// CHECK: unsupported_custom_call.mlir:11:13: error: stablehlo.custom_call: {{.*}}@nobody_has_this
// CHECK-NEXT: %result = stablehlo.custom_call
// CHECK-NEXT: ^
// CHECK-NEXT: in @reached, stablehlo.custom_call (tensor<f32>)
// OPS: unsupported_custom_call.mlir:11:13: warning: {{.*}}@nobody_has_this{{.*}} (in @reached)
func.func @reached(%operand: tensor<f32>) -> tensor<f32> {
  %result = stablehlo.custom_call @nobody_has_this(%operand) : (tensor<f32>) -> tensor<f32>
  func.return %result : tensor<f32>
}

// OPS: unsupported_custom_call.mlir:22:14: warning: {{.*}}@nobody_has_this{{.*}} (in @not_reached)
func.func @not_reached() -> tensor<f32> {
  %pred = stablehlo.constant dense<true> : tensor<i1>
  %result = "stablehlo.if"(%pred) ({
    %taken = stablehlo.constant dense<1.0> : tensor<f32>
    stablehlo.return %taken : tensor<f32>
  }, {
    %taken = stablehlo.custom_call @nobody_has_this() : () -> tensor<f32>
    stablehlo.return %taken : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  func.return %result : tensor<f32>
}
