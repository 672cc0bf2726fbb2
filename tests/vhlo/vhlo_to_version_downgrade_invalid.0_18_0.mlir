// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=0.18.0' --split-input-file --verify-diagnostics %s

// needs: operation 'stablehlo.composite' needs StableHLO 0.19.0 (operation composite)
// expected-error@+1 {{failed to convert VHLO to v0.18.0}}
module {
  func.func @op_composite(%operand: tensor<f32>) -> tensor<f32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.composite_v}}
    %0 = stablehlo.composite "any.name" %operand {composite_attributes = {one = 1 : i64}, decomposition = @declared, version = 2 : i32} : (tensor<f32>) -> tensor<f32>
    func.return %0 : tensor<f32>
  }

  func.func private @declared(tensor<f32> {any.name = "argument"}) -> (tensor<f32> {any.name = "result"})
}
