// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @real_op() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.real %operand : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[1.0, 3.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @real_op_complex_f64() {
  %operand = stablehlo.constant dense<[(-0.0, 2.0), (0x7FF0000000000000, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.real %operand : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[-0.0, 0x7FF0000000000000]> : tensor<2xf64>
  func.return
}

// -----

func.func @real_op_of_f32() {
  %operand = stablehlo.constant dense<[-0.0, 1.5, -2.0]> : tensor<3xf32>
  %result = stablehlo.real %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[-0.0, 1.5, -2.0]> : tensor<3xf32>
  func.return
}

// -----

func.func @real_op_of_f64() {
  %operand = stablehlo.constant dense<[-0.0, 1.5, -2.0]> : tensor<3xf64>
  %result = stablehlo.real %operand : tensor<3xf64>
  check.expect_eq_const %result, dense<[-0.0, 1.5, -2.0]> : tensor<3xf64>
  func.return
}

// -----

func.func @real_op_of_bf16() {
  %operand = stablehlo.constant dense<[-0.0, 1.5, -2.0]> : tensor<3xbf16>
  %result = stablehlo.real %operand : tensor<3xbf16>
  check.expect_eq_const %result, dense<[-0.0, 1.5, -2.0]> : tensor<3xbf16>
  func.return
}

// -----

func.func @real_op_of_f8E5M2() {
  %operand = stablehlo.constant dense<[-0.0, 1.5, -2.0]> : tensor<3xf8E5M2>
  %result = stablehlo.real %operand : tensor<3xf8E5M2>
  check.expect_eq_const %result, dense<[-0.0, 1.5, -2.0]> : tensor<3xf8E5M2>
  func.return
}
