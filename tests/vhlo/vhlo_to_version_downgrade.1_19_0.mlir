// REQUIRES: stablehlo-1.19.0
// RUN: stablehlo-translate --serialize --target=1.19.0 --strip-debuginfo %s -o %t
// RUN: stablehlo-translate --deserialize %t | FileCheck %s

// CHECK: @op_collective_broadcast(
func.func @op_collective_broadcast(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
