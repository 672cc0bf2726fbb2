// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @broadcast_multiply_op_i32() {
  %lhs = stablehlo.constant dense<[[6], [7]]> : tensor<2x1xi32>
  %rhs = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %result = chlo.broadcast_multiply %lhs, %rhs : (tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[12, 18], [14, 21]]> : tensor<2x2xi32>
  func.return
}
