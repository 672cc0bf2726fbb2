// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=0.16.0' --split-input-file --verify-diagnostics %s

// needs: operation 'stablehlo.reduce' needs StableHLO 0.17.0 (reductions that accumulate in a wider type)
// expected-error@+1 {{failed to convert VHLO to v0.16.0}}
module {
  func.func @op_reduce_that_promotes(%operand: tensor<4xf32>, %init: tensor<f32>) -> tensor<f64> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.reduce_v}}
    %0 = "stablehlo.reduce"(%operand, %init) ({
    ^bb0(%x: tensor<f64>, %y: tensor<f64>):
      %1 = stablehlo.add %x, %y : tensor<f64>
      stablehlo.return %1 : tensor<f64>
    }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f64>
    func.return %0 : tensor<f64>
  }
}
