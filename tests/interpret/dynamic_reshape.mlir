// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @dynamic_reshape_op() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %output_shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %result = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<2x3xi64>, tensor<2xi64>) -> tensor<3x2xi64>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  func.return
}

// -----

func.func @dynamic_reshape_op_to_rank_0() {
  %operand = stablehlo.constant dense<[[2.5]]> : tensor<1x1xf16>
  %output_shape = stablehlo.constant dense<> : tensor<0xui8>
  %result = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<1x1xf16>, tensor<0xui8>) -> tensor<f16>
  check.expect_eq_const %result, dense<2.5> : tensor<f16>
  func.return
}
