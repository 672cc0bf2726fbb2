// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @broadcast_next_after_op_f32() {
  %lhs = stablehlo.constant dense<[[1.0], [0.0]]> : tensor<2x1xf32>
  %rhs = stablehlo.constant dense<[2.0, 0.0]> : tensor<2xf32>
  %result = chlo.broadcast_next_after %lhs, %rhs : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[1.00000012, 0.99999994], [1.40129846E-45, 0.0]]> : tensor<2x2xf32>
  func.return
}
