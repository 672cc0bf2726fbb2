// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @square_op_f32() {
  %operand = stablehlo.constant dense<[-3.0, 0.5, 0x7F800000]> : tensor<3xf32>
  %result = chlo.square %operand : tensor<3xf32> -> tensor<3xf32>
  check.expect_eq_const %result, dense<[9.0, 0.25, 0x7F800000]> : tensor<3xf32>
  func.return
}

// -----

func.func @square_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[0.1]> : tensor<1xf16>
  %result = chlo.square %operand : tensor<1xf16> -> tensor<1xf16>
  check.expect_eq_const %result, dense<[0.009995]> : tensor<1xf16>
  func.return
}

// -----

func.func @square_op_complex() {
  %operand = stablehlo.constant dense<[(3.0, 4.0), (1.0, -1.0), (0x7F800000, 1.0)]> : tensor<3xcomplex<f32>>
  %result = chlo.square %operand : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-7.0, 24.0), (0.0, -2.0), (0x7F800000, 0x7F800000)]> : tensor<3xcomplex<f32>>
  func.return
}
