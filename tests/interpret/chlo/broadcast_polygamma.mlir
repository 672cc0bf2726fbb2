// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @broadcast_polygamma_op_f32() {
  %lhs = stablehlo.constant dense<[[0.0], [1.0]]> : tensor<2x1xf32>
  %rhs = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %result = chlo.broadcast_polygamma %lhs, %rhs : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[-0.577215672, 0.422784328], [1.64493406, 0.644934058]]> : tensor<2x2xf32>
  func.return
}
