// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @dynamic_broadcast_in_dim_op() {
  %operand = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi64>
  %output_dimensions = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %result = "stablehlo.dynamic_broadcast_in_dim"(%operand, %output_dimensions) {
    broadcast_dimensions = array<i64: 2, 1>,
    known_expanding_dimensions = array<i64: 0>,
    known_nonexpanding_dimensions = array<i64: 1>
  } : (tensor<1x3xi64>, tensor<3xi64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %result, dense<[
    [[1, 1], [2, 2], [3, 3]],
    [[1, 1], [2, 2], [3, 3]]
  ]> : tensor<2x3x2xi64>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_op_rank_0() {
  %operand = stablehlo.constant dense<-1> : tensor<i2>
  %output_dimensions = stablehlo.constant dense<[2]> : tensor<1xi32>
  %result = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = []
    : (tensor<i2>, tensor<1xi32>) -> tensor<2xi2>
  check.expect_eq_const %result, dense<-1> : tensor<2xi2>
  func.return
}
