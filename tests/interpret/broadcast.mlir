// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @broadcast_op() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %result = stablehlo.broadcast %operand, sizes = [2, 1] : (tensor<3xi32>) -> tensor<2x1x3xi32>
  check.expect_eq_const %result, dense<[[[1, 2, 3]], [[1, 2, 3]]]> : tensor<2x1x3xi32>
  func.return
}

// -----

func.func @broadcast_op_rank_0() {
  %operand = stablehlo.constant dense<true> : tensor<i1>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<true> : tensor<2xi1>
  func.return
}

// -----

func.func @broadcast_op_without_sizes() {
  %operand = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %result = stablehlo.broadcast %operand, sizes = [] : (tensor<2xf64>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[1.0, 2.0]> : tensor<2xf64>
  func.return
}
