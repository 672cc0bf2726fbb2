// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @broadcast_complex_op_f32() {
  %lhs = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %rhs = stablehlo.constant dense<[3.0, -0.0]> : tensor<2xf32>
  %result = chlo.broadcast_complex %lhs, %rhs : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %result, dense<[[(1.0, 3.0), (1.0, -0.0)], [(2.0, 3.0), (2.0, -0.0)]]> : tensor<2x2xcomplex<f32>>
  func.return
}
