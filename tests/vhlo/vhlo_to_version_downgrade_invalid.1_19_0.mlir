// REQUIRES: stablehlo-1.20.0
// RUN: not stablehlo-translate --serialize --target=1.19.0 %s -o %t 2>&1 | FileCheck %s
// CHECK: error: the program cannot be written for 1.19.0

// needs: operation 'stablehlo.collective_broadcast' needs StableHLO 1.20.0 (has_dynamic_root of collective_broadcast)
func.func @op_collective_broadcast_of_dynamic_root(%operand: tensor<2xf32>, %root: tensor<1xi32>) -> tensor<2xf32> {
  %0 = "stablehlo.collective_broadcast"(%operand, %root) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
