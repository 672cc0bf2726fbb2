// REQUIRES: stablehlo-1.19.0
// RUN: not stablehlo-translate --serialize --target=1.18.0 %s -o %t 2>&1 | FileCheck %s
// CHECK: error: the program cannot be written for 1.18.0

// needs: operation 'stablehlo.collective_reduce' needs StableHLO 1.19.0 (operation collective_reduce)
func.func @op_collective_reduce(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.collective_reduce"(%operand) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
