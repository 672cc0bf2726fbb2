// REQUIRES: stablehlo-1.18.0
// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.17.0' --split-input-file --verify-diagnostics %s

// needs: attribute 'result_tilings = array<[array<[tensor<dense<2> : tensor<1xindex>>]>]>' of operation 'stablehlo.custom_call' needs StableHLO 1.18.0 (result_tilings of custom_call)
// expected-error@+1 {{failed to convert VHLO to v1.17.0}}
module {
  func.func @op_custom_call_with_tilings(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.custom_call_v}}
    %0 = "stablehlo.custom_call"(%operand) {call_target_name = "any", api_version = 4 : i32, operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>], result_tilings = [[dense<2> : tensor<1xindex>]]} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}
