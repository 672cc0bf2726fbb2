// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=0.15.0' --split-input-file --verify-diagnostics %s

// needs: operation 'stablehlo.collective_broadcast' needs StableHLO 0.16.0 (operation collective_broadcast)
// expected-error@+1 {{failed to convert VHLO to v0.15.0}}
module {
  func.func @op_collective_broadcast(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.collective_broadcast_v}}
    %0 = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}
