// RUN: not stablehlo-translate --serialize --target=0.15.0 %s -o %t 2>&1 | FileCheck %s
// CHECK: error: the program cannot be written for 0.15.0

// needs: operation 'stablehlo.collective_broadcast' needs StableHLO 0.16.0 (operation collective_broadcast)
func.func @op_collective_broadcast(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
