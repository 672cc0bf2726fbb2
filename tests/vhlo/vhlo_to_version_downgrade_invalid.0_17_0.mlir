// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=0.17.0' --split-input-file --verify-diagnostics %s

// needs: type 'quant_per_axis<i8:f32, 0, [5.000000e-01, 2.500000e-01], [0, 1], -128:127, 1>' of operation 'stablehlo.return' needs StableHLO 0.18.0 (types quantized per axis)
// needs: type 'quant_per_axis<i8:f32, 0, [5.000000e-01, 2.500000e-01], [0, 1], -128:127, 1>' of operation 'func.func' needs StableHLO 0.18.0 (types quantized per axis)
// expected-error@+1 {{failed to convert VHLO to v0.17.0}}
module {
  // expected-error@+1 {{failed to legalize operation 'vhlo.func_v}}
  func.func @type_quantized_per_axis(%value: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01, 2.500000e-01:1}>>) -> tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01, 2.500000e-01:1}>> {
    func.return %value : tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01, 2.500000e-01:1}>>
  }
}
