// RUN: stablehlo-opt --strict --split-input-file --verify-diagnostics %s
// RUN: stablehlo-opt --split-input-file %s

// The bindings accept these programs; each breaks the constraint after which its function is named.

// -----

func.func @send_c1(%arg0: tensor<3xf32>, %arg1: !stablehlo.token) {
  // expected-error@+1 {{source_target_pairs must be of shape Nx2, got 1x3 (C1)}}
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c1_rank(%arg0: tensor<3xf32>, %arg1: !stablehlo.token) {
  // expected-error@+1 {{source_target_pairs must be of shape Nx2, got 2 (C1)}}
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false, source_target_pairs = dense<[0, 1]> : tensor<2xi64>} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c2(%arg0: tensor<3xf32>, %arg1: !stablehlo.token) {
  // expected-error@+1 {{sources in source_target_pairs must be unique, got 0 again (C2)}}
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c3(%arg0: tensor<3xf32>, %arg1: !stablehlo.token) {
  // expected-error@+1 {{targets in source_target_pairs must be unique, got 1 again (C3)}}
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c4(%arg0: tensor<3xf32>, %arg1: !stablehlo.token) {
  // expected-error@+1 {{ids in source_target_pairs must not be negative, got -1 (C4)}}
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @recv_c1(%arg0: !stablehlo.token) {
  // expected-error@+1 {{source_target_pairs must be of shape Nx2, got 1x3 (C1)}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_c1_rank(%arg0: !stablehlo.token) {
  // expected-error@+1 {{source_target_pairs must be of shape Nx2, got 2 (C1)}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false, source_target_pairs = dense<[0, 1]> : tensor<2xi64>} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_c2(%arg0: !stablehlo.token) {
  // expected-error@+1 {{sources in source_target_pairs must be unique, got 0 again (C2)}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_c3(%arg0: !stablehlo.token) {
  // expected-error@+1 {{targets in source_target_pairs must be unique, got 1 again (C3)}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_c4(%arg0: !stablehlo.token) {
  // expected-error@+1 {{ids in source_target_pairs must not be negative, got -1 (C4)}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}
