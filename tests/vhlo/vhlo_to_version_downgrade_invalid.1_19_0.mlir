// REQUIRES: stablehlo-1.20.0
// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.19.0' --split-input-file --verify-diagnostics %s

// needs: operation 'stablehlo.collective_broadcast' needs StableHLO 1.20.0 (has_dynamic_root of collective_broadcast)
// expected-error@+1 {{failed to convert VHLO to v1.19.0}}
module {
  func.func @op_collective_broadcast_of_dynamic_root(%operand: tensor<2xf32>, %root: tensor<1xi32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.collective_broadcast_v}}
    %0 = "stablehlo.collective_broadcast"(%operand, %root) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}
