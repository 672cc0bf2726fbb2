// RUN: stablehlo-translate --interpret --split-input-file %s | FileCheck %s

// CHECK:      %[[NAME:[a-z0-9_]+]] = tensor<2xi4> {
// CHECK-NEXT:   [1, -2]
// CHECK-NEXT: }
// CHECK-NEXT: %arg0 = tensor<bf16> {1.500000e+00}
// CHECK-NEXT: %{{.*}}#1 = tensor<complex<f32>> {[1.000000e+00, -0.000000e+00]}
func.func private @print_argument(%operand: tensor<bf16>) {
  interpreter.print %operand : tensor<bf16>
  return
}
func.func private @two() -> (tensor<i1>, tensor<complex<f32>>) {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  %1 = stablehlo.constant dense<(1.0, -0.0)> : tensor<complex<f32>>
  return %0, %1 : tensor<i1>, tensor<complex<f32>>
}
func.func @main() {
  %0 = stablehlo.constant dense<[1, -2]> : tensor<2xi4>
  %1 = stablehlo.constant dense<1.5> : tensor<bf16>
  interpreter.print %0 : tensor<2xi4>
  func.call @print_argument(%1) : (tensor<bf16>) -> ()
  %2:2 = func.call @two() : () -> (tensor<i1>, tensor<complex<f32>>)
  interpreter.print %2#1 : tensor<complex<f32>>
  return
}

// -----

// Each print has the name of its own operand, though the operations are otherwise equal.

// CHECK-NEXT: %arg0 = tensor<i32> {1}
// CHECK-NEXT: %arg1 = tensor<i32> {2}
// CHECK-EMPTY:
func.func private @print_both(%first: tensor<i32>, %second: tensor<i32>) {
  interpreter.print %first : tensor<i32>
  interpreter.print %second : tensor<i32>
  return
}
func.func @main() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.constant dense<2> : tensor<i32>
  func.call @print_both(%0, %1) : (tensor<i32>, tensor<i32>) -> ()
  return
}
