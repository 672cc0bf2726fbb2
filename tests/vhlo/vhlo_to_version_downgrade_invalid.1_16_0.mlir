// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.16.0' --split-input-file --verify-diagnostics %s

// needs: operation 'stablehlo.custom_call' needs StableHLO 1.17.0 (future types of custom_call)
// needs: type 'future<tensor<2xf32>>' of operation 'func.func' needs StableHLO 1.15.0 (operations async_start and async_done, future types)
// expected-error@+1 {{failed to convert VHLO to v1.16.0}}
module {
  func.func @op_custom_call_of_future(%operand: !stablehlo.future<tensor<2xf32>>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.custom_call_v}}
    %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32} : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}
