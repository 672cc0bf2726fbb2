// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.13.0' --split-input-file --verify-diagnostics %s

// needs: operation 'stablehlo.composite' needs StableHLO 1.14.0 (composite with regions)
// expected-error@+1 {{failed to convert VHLO to v1.13.0}}
module {
  func.func @op_composite_with_region(%operand: tensor<f32>) -> tensor<f32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.composite_v}}
    %0 = "stablehlo.composite"(%operand) ({
      stablehlo.return %operand : tensor<f32>
    }) {name = "any.name", decomposition = @declared} : (tensor<f32>) -> tensor<f32>
    func.return %0 : tensor<f32>
  }

  func.func private @declared(tensor<f32> {any.name = "argument"}) -> (tensor<f32> {any.name = "result"})
}
