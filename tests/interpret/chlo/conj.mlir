// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @conj_op_complex() {
  %operand = stablehlo.constant dense<[(3.0, 4.0), (1.0, -0.0)]> : tensor<2xcomplex<f32>>
  %result = chlo.conj %operand : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(3.0, -4.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}
