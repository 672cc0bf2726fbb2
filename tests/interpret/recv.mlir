// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// A channel keeps the order of what is sent, and several values that are sent at once stay together.
module @recv_in_order {
  func.func @sender(%token: !stablehlo.token) -> !stablehlo.token {
    %a = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf64>
    %b = stablehlo.constant dense<true> : tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %first = "stablehlo.send"(%a, %b, %token) {
      channel_handle = #stablehlo.channel_handle<handle = 7, type = 2>, is_host_transfer = true
    } : (tensor<2xf64>, tensor<i1>, !stablehlo.token) -> !stablehlo.token
    %second = "stablehlo.send"(%c, %first) {
      channel_handle = #stablehlo.channel_handle<handle = 7, type = 2>, is_host_transfer = true
    } : (tensor<i1>, !stablehlo.token) -> !stablehlo.token
    return %second : !stablehlo.token
  }
  func.func @receiver(%token: !stablehlo.token) -> (tensor<2xf64>, tensor<i1>, tensor<i1>) {
    %first:3 = "stablehlo.recv"(%token) {
      channel_handle = #stablehlo.channel_handle<handle = 7, type = 3>, is_host_transfer = true
    } : (!stablehlo.token) -> (tensor<2xf64>, tensor<i1>, !stablehlo.token)
    %second:2 = "stablehlo.recv"(%first#2) {
      channel_handle = #stablehlo.channel_handle<handle = 7, type = 3>, is_host_transfer = true
    } : (!stablehlo.token) -> (tensor<i1>, !stablehlo.token)
    return %first#0, %first#1, %second#0 : tensor<2xf64>, tensor<i1>, tensor<i1>
  }
  func.func @main() {
    %token = stablehlo.create_token : !stablehlo.token
    %results:4 = "interpreter.run_parallel"(%token, %token) {programs = [[@receiver], [@sender]]}
      : (!stablehlo.token, !stablehlo.token) -> (tensor<2xf64>, tensor<i1>, tensor<i1>, !stablehlo.token)
    check.expect_eq_const %results#0, dense<[1.5, 2.5]> : tensor<2xf64>
    check.expect_eq_const %results#1, dense<true> : tensor<i1>
    check.expect_eq_const %results#2, dense<false> : tensor<i1>
    return
  }
}
