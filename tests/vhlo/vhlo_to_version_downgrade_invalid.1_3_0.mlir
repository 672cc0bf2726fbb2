// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.3.0' --split-input-file --verify-diagnostics %s

// needs: operation 'stablehlo.tan' needs StableHLO 1.4.0 (operation tan)
// expected-error@+1 {{failed to convert VHLO to v1.3.0}}
module {
  func.func @op_tan(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.tan_v}}
    %0 = "stablehlo.tan"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}
