// RUN: stablehlo-translate --serialize --target=1.8.0 --strip-debuginfo %s -o %t
// RUN: stablehlo-translate --deserialize %t | FileCheck %s

// CHECK: @op_exponential(
func.func @op_exponential(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.exponential"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
