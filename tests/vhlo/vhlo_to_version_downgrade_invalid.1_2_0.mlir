// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.2.0' --split-input-file --verify-diagnostics %s

// needs: operation 'stablehlo.custom_call' needs StableHLO 1.3.0 (custom_call with a dictionary as backend_config)
// expected-error@+1 {{failed to convert VHLO to v1.2.0}}
module {
  func.func @op_custom_call_with_dictionary(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.custom_call_v}}
    %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32, backend_config = {one = 1 : i64}} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}
