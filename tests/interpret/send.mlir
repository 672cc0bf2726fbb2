// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// Between devices, each pair is a connection: process 0 sends to 1, and 1 to 2. Nobody sends to 0, which receives zeros.
module @send_and_recv_between_devices {
  func.func @pass_on(%operand: tensor<2xi32>, %token: !stablehlo.token) -> tensor<2xi32> {
    %sent = "stablehlo.send"(%operand, %token) {
      channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>,
      is_host_transfer = false,
      source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>
    } : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
    %result:2 = "stablehlo.recv"(%sent) {
      channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>,
      is_host_transfer = false,
      source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>
    } : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
    return %result#0 : tensor<2xi32>
  }
  func.func @main() {
    %token = stablehlo.create_token : !stablehlo.token
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %b = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
    %c = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
    %results:3 = "interpreter.run_parallel"(%a, %token, %b, %token, %c, %token) {
      programs = [[@pass_on], [@pass_on], [@pass_on]]
    } : (tensor<2xi32>, !stablehlo.token, tensor<2xi32>, !stablehlo.token, tensor<2xi32>, !stablehlo.token)
      -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %results#0, dense<[0, 0]> : tensor<2xi32>
    check.expect_eq_const %results#1, dense<[1, 2]> : tensor<2xi32>
    check.expect_eq_const %results#2, dense<[3, 4]> : tensor<2xi32>
    return
  }
}
