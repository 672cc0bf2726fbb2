// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the others are named
// after what is wrong.

// -----

func.func @send_c5(%arg0: tensor<3xf32>, %arg1: !stablehlo.token) {
  // expected-error@+2 {{channel_type should be DEVICE_TO_HOST when is_host_transfer is true}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = true} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c5_device(%arg0: tensor<3xf32>, %arg1: !stablehlo.token) {
  // expected-error@+2 {{channel_type should be DEVICE_TO_DEVICE when is_host_transfer is false}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 2>, is_host_transfer = false} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_result(%arg0: tensor<3xf32>, %arg1: !stablehlo.token) {
  // expected-error@+1 {{result #0 must be}}
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 2>, is_host_transfer = true} : (tensor<3xf32>, !stablehlo.token) -> tensor<3xf32>
  return
}

// -----

func.func @recv_c5(%arg0: !stablehlo.token) {
  // expected-error@+1 {{channel_type should be HOST_TO_DEVICE when is_host_transfer is true}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 2>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_c5_device(%arg0: !stablehlo.token) {
  // expected-error@+1 {{channel_type should be DEVICE_TO_DEVICE when is_host_transfer is false}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = false} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_no_result(%arg0: !stablehlo.token) {
  // expected-error@+1 {{result is expected to be at least of size 1, but got 0}}
  "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> ()
  return
}

// -----

func.func @recv_result_not_tensor(%arg0: !stablehlo.token) {
  // expected-error@+1 {{everything but the last element of result types is expected to be of tensor type, but got '!stablehlo.token'}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

func.func @recv_last_result(%arg0: !stablehlo.token) {
  // expected-error@+1 {{last element of result types is expected to be of token type, but got 'tensor<3xf32>'}}
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @infeed_c1(%arg0: !stablehlo.token) {
  // expected-error@+1 {{result is expected to be at least of size 1, but got 0}}
  "stablehlo.infeed"(%arg0) {infeed_config = "a"} : (!stablehlo.token) -> ()
  return
}

// -----

func.func @infeed_c2(%arg0: !stablehlo.token) {
  // expected-error@+1 {{all elements of result types, except the last element, are expected to be of tensor type, but got '!stablehlo.token'}}
  %0:2 = "stablehlo.infeed"(%arg0) {infeed_config = "a"} : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

func.func @infeed_c2_tuple(%arg0: !stablehlo.token) {
  // expected-error@+1 {{result #0 must be}}
  %0:2 = "stablehlo.infeed"(%arg0) {infeed_config = "a"} : (!stablehlo.token) -> (tuple<tensor<i32>>, !stablehlo.token)
  return
}

// -----

func.func @infeed_c3(%arg0: !stablehlo.token) {
  // expected-error@+1 {{last element of result types is expected to be of token type, but got 'tensor<3xf32>'}}
  %0:2 = "stablehlo.infeed"(%arg0) {infeed_config = "a"} : (!stablehlo.token) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @infeed_layout_kind(%arg0: !stablehlo.token) {
  // expected-error@+1 {{attribute 'layout' failed to satisfy constraint: array attribute}}
  %0:2 = "stablehlo.infeed"(%arg0) {infeed_config = "a", layout = "row"} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_layout_size(%arg0: !stablehlo.token) {
  // expected-error@+1 {{layout-attribute size must be 1 (which is the number of op-results - 1 (for token result)), but got 2}}
  %0:2 = "stablehlo.infeed"(%arg0) {infeed_config = "a", layout = [[0], [1]]} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_layout_element(%arg0: !stablehlo.token) {
  // expected-error@+1 {{layout-attribute expected to have elements of type array, but got 0 : i64}}
  %0:2 = "stablehlo.infeed"(%arg0) {infeed_config = "a", layout = [0]} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_layout_leaf(%arg0: !stablehlo.token) {
  // expected-error@+1 {{layout-attribute's leaf elements are expected to be of type integer, but got 5.000000e-01 : f64}}
  %0:2 = "stablehlo.infeed"(%arg0) {infeed_config = "a", layout = [[0.5, 1.5]]} : (!stablehlo.token) -> (tensor<3x2xf32>, !stablehlo.token)
  return
}

// -----

func.func @outfeed_token(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{operand #1 must be}}
  %0 = "stablehlo.outfeed"(%arg0, %arg1) {outfeed_config = "b"} : (tensor<3xf32>, tensor<3xf32>) -> !stablehlo.token
  return
}

// -----

func.func @outfeed_result(%arg0: tensor<3xf32>, %arg1: !stablehlo.token) {
  // expected-error@+1 {{result #0 must be}}
  %0 = "stablehlo.outfeed"(%arg0, %arg1) {outfeed_config = "b"} : (tensor<3xf32>, !stablehlo.token) -> tensor<3xf32>
  return
}

// -----

func.func @after_all_operand(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = "stablehlo.after_all"(%arg0) : (tensor<3xf32>) -> !stablehlo.token
  return
}

// -----

func.func @after_all_result(%arg0: !stablehlo.token) {
  // expected-error@+1 {{result #0 must be}}
  %0 = "stablehlo.after_all"(%arg0) : (!stablehlo.token) -> tensor<i32>
  return
}

// -----

func.func @create_token_result() {
  // expected-error@+1 {{result #0 must be}}
  %0 = "stablehlo.create_token"() : () -> tensor<i32>
  return
}
