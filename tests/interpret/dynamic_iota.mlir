// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @dynamic_iota_op() {
  %output_shape = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  %result = stablehlo.dynamic_iota %output_shape, dim = 0 : (tensor<2xi64>) -> tensor<4x5xi64>
  check.expect_eq_const %result, dense<[
    [0, 0, 0, 0, 0],
    [1, 1, 1, 1, 1],
    [2, 2, 2, 2, 2],
    [3, 3, 3, 3, 3]
  ]> : tensor<4x5xi64>
  func.return
}

// -----

func.func @dynamic_iota_op_float() {
  %output_shape = stablehlo.constant dense<[1, 3]> : tensor<2xui16>
  %result = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xui16>) -> tensor<1x3xf8E3M4>
  check.expect_eq_const %result, dense<[[0.0, 1.0, 2.0]]> : tensor<1x3xf8E3M4>
  func.return
}
