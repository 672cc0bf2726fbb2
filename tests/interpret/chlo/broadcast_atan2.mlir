// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @broadcast_atan2_op_f32() {
  %lhs = stablehlo.constant dense<[[0.0], [1.0]]> : tensor<2x1xf32>
  %rhs = stablehlo.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %result = chlo.broadcast_atan2 %lhs, %rhs : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[0.0, 0.0], [0.785398185, 1.57079637]]> : tensor<2x2xf32>
  func.return
}
