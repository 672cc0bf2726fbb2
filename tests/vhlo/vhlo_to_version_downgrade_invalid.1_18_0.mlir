// REQUIRES: stablehlo-1.19.0
// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.18.0' --split-input-file --verify-diagnostics %s

// needs: operation 'stablehlo.collective_reduce' needs StableHLO 1.19.0 (operation collective_reduce)
// expected-error@+1 {{failed to convert VHLO to v1.18.0}}
module {
  func.func @op_collective_reduce(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.collective_reduce_v}}
    %0 = "stablehlo.collective_reduce"(%operand) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}
