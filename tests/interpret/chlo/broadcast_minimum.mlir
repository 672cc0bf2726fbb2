// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @broadcast_minimum_op_i32() {
  %lhs = stablehlo.constant dense<[[2], [5]]> : tensor<2x1xi32>
  %rhs = stablehlo.constant dense<[4, 1]> : tensor<2xi32>
  %result = chlo.broadcast_minimum %lhs, %rhs : (tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[2, 1], [4, 1]]> : tensor<2x2xi32>
  func.return
}
