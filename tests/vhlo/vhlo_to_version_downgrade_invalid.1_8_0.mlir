// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.8.0' --split-input-file --verify-diagnostics %s

// needs: attribute 'result_accuracy = result_accuracy<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 2, mode = #vhlo<result_accuracy_mode_...' of operation 'stablehlo.exponential' needs StableHLO 1.9.0 (result_accuracy of exponential)
// expected-error@+1 {{failed to convert VHLO to v1.8.0}}
module {
  func.func @attr_result_accuracy_exponential(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.exponential_v}}
    %0 = "stablehlo.exponential"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}
