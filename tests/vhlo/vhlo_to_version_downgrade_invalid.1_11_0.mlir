// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.11.0' --split-input-file --verify-diagnostics %s

// needs: attribute 'source_target_pairs = tensor<dense<[[0, 1]]> : tensor<1x2xi64>>' of operation 'stablehlo.recv' needs StableHLO 1.12.0 (source_target_pairs of send and recv)
// expected-error@+1 {{failed to convert VHLO to v1.11.0}}
module {
  func.func @op_recv_with_pairs(%token: !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token) {
    // expected-error@+1 {{failed to legalize operation 'vhlo.recv_v}}
    %0:2 = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    func.return %0#0, %0#1 : tensor<2xf32>, !stablehlo.token
  }
}

// -----

// needs: attribute 'source_target_pairs = tensor<dense<[[0, 1]]> : tensor<1x2xi64>>' of operation 'stablehlo.send' needs StableHLO 1.12.0 (source_target_pairs of send and recv)
// expected-error@+1 {{failed to convert VHLO to v1.11.0}}
module {
  func.func @op_send_with_pairs(%operand: tensor<2xf32>, %token: !stablehlo.token) -> !stablehlo.token {
    // expected-error@+1 {{failed to legalize operation 'vhlo.send_v}}
    %0 = "stablehlo.send"(%operand, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
    func.return %0 : !stablehlo.token
  }
}
