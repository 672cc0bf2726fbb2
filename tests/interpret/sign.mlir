// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @sign_op() {
  %operand = stablehlo.constant dense<[0x7FFFFFFFFFFFFFFF, -1.0, -0.0, 0.0, 1.0]> : tensor<5xf64>
  %result = stablehlo.sign %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[0x7FFFFFFFFFFFFFFF, -1.0, -0.0, 0.0, 1.0]> : tensor<5xf64>
  func.return
}

// -----

func.func @sign_op_i2() {
  %operand = stablehlo.constant dense<[-2, -1, 0, 1]> : tensor<4xi2>
  %result = stablehlo.sign %operand : tensor<4xi2>
  check.expect_eq_const %result, dense<[-1, -1, 0, 1]> : tensor<4xi2>
  func.return
}

// -----

func.func @sign_op_i4() {
  %operand = stablehlo.constant dense<[-8, -1, 0, 7]> : tensor<4xi4>
  %result = stablehlo.sign %operand : tensor<4xi4>
  check.expect_eq_const %result, dense<[-1, -1, 0, 1]> : tensor<4xi4>
  func.return
}

// -----

func.func @sign_op_i8() {
  %operand = stablehlo.constant dense<[-128, -1, 0, 127]> : tensor<4xi8>
  %result = stablehlo.sign %operand : tensor<4xi8>
  check.expect_eq_const %result, dense<[-1, -1, 0, 1]> : tensor<4xi8>
  func.return
}

// -----

func.func @sign_op_i32() {
  %operand = stablehlo.constant dense<[-2147483648, -1, 0, 2147483647]> : tensor<4xi32>
  %result = stablehlo.sign %operand : tensor<4xi32>
  check.expect_eq_const %result, dense<[-1, -1, 0, 1]> : tensor<4xi32>
  func.return
}

// -----

func.func @sign_op_i64() {
  %operand = stablehlo.constant dense<[-9223372036854775808, -1, 0, 9223372036854775807]> : tensor<4xi64>
  %result = stablehlo.sign %operand : tensor<4xi64>
  check.expect_eq_const %result, dense<[-1, -1, 0, 1]> : tensor<4xi64>
  func.return
}

// -----

func.func @sign_op_f32() {
  %operand = stablehlo.constant dense<[-2.5, 1.0e-45, 0x7F800000, 0xFF800000, -0.0]> : tensor<5xf32>
  %result = stablehlo.sign %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[-1.0, 1.0, 1.0, -1.0, -0.0]> : tensor<5xf32>
  func.return
}

// -----

func.func @sign_op_bf16() {
  %operand = stablehlo.constant dense<[-2.5, 0.125, -0.0, 0.0]> : tensor<4xbf16>
  %result = stablehlo.sign %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[-1.0, 1.0, -0.0, 0.0]> : tensor<4xbf16>
  func.return
}

// -----

func.func @sign_op_f16() {
  %operand = stablehlo.constant dense<[-2.5, 0.125, -0.0, 0.0]> : tensor<4xf16>
  %result = stablehlo.sign %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[-1.0, 1.0, -0.0, 0.0]> : tensor<4xf16>
  func.return
}

// -----

func.func @sign_op_f8E4M3FN() {
  %operand = stablehlo.constant dense<[-2.5, 0.125, -0.0, 0.0]> : tensor<4xf8E4M3FN>
  %result = stablehlo.sign %operand : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[-1.0, 1.0, -0.0, 0.0]> : tensor<4xf8E4M3FN>
  func.return
}

// -----

func.func @sign_op_complex() {
  %operand = stablehlo.constant dense<[(3.0, -4.0), (0.0, -2.0), (-7.0, 0.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.sign %operand : tensor<3xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.6, -0.8), (0.0, -1.0), (-1.0, 0.0)]> : tensor<3xcomplex<f64>>
  func.return
}

// -----

// Both are (0, 0).
func.func @sign_op_complex_zeros() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (-0.0, -0.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.sign %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

func.func @sign_op_complex_nan() {
  %operand = stablehlo.constant dense<[(0x7FC00000, 1.0), (1.0, 0x7FC00000)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.sign %operand : tensor<2xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(0x7FC00000, 0x7FC00000), (0x7FC00000, 0x7FC00000)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

func.func @sign_op_complex_does_not_overflow() {
  %operand = stablehlo.constant dense<[(3.0e38, 0.0), (0.0, -1.0e-45)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.sign %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 0.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  func.return
}
