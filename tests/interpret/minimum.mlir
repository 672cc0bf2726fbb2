// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @minimum_op() {
  %lhs = stablehlo.constant dense<[[1, 2], [7, 8]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[5, 6], [3, 4]]> : tensor<2x2xi32>
  %result = stablehlo.minimum %lhs, %rhs : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  func.return
}

// -----

// Logical and.
func.func @minimum_op_booleans() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.minimum %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, false, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @minimum_op_i2() {
  %lhs = stablehlo.constant dense<[-2, 1, -1]> : tensor<3xi2>
  %rhs = stablehlo.constant dense<[1, -2, -2]> : tensor<3xi2>
  %result = stablehlo.minimum %lhs, %rhs : tensor<3xi2>
  check.expect_eq_const %result, dense<[-2, -2, -2]> : tensor<3xi2>
  func.return
}

// -----

func.func @minimum_op_i4() {
  %lhs = stablehlo.constant dense<[-8, 7, -1]> : tensor<3xi4>
  %rhs = stablehlo.constant dense<[7, -8, 0]> : tensor<3xi4>
  %result = stablehlo.minimum %lhs, %rhs : tensor<3xi4>
  check.expect_eq_const %result, dense<[-8, -8, -1]> : tensor<3xi4>
  func.return
}

// -----

func.func @minimum_op_i8() {
  %lhs = stablehlo.constant dense<[-128, 5]> : tensor<2xi8>
  %rhs = stablehlo.constant dense<[127, -5]> : tensor<2xi8>
  %result = stablehlo.minimum %lhs, %rhs : tensor<2xi8>
  check.expect_eq_const %result, dense<[-128, -5]> : tensor<2xi8>
  func.return
}

// -----

func.func @minimum_op_i64() {
  %lhs = stablehlo.constant dense<[-9223372036854775808]> : tensor<1xi64>
  %rhs = stablehlo.constant dense<[9223372036854775807]> : tensor<1xi64>
  %result = stablehlo.minimum %lhs, %rhs : tensor<1xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808]> : tensor<1xi64>
  func.return
}

// -----

func.func @minimum_op_ui2() {
  %lhs = stablehlo.constant dense<[3, 0]> : tensor<2xui2>
  %rhs = stablehlo.constant dense<[1, 2]> : tensor<2xui2>
  %result = stablehlo.minimum %lhs, %rhs : tensor<2xui2>
  check.expect_eq_const %result, dense<[1, 0]> : tensor<2xui2>
  func.return
}

// -----

func.func @minimum_op_ui4() {
  %lhs = stablehlo.constant dense<[15, 8]> : tensor<2xui4>
  %rhs = stablehlo.constant dense<[1, 7]> : tensor<2xui4>
  %result = stablehlo.minimum %lhs, %rhs : tensor<2xui4>
  check.expect_eq_const %result, dense<[1, 7]> : tensor<2xui4>
  func.return
}

// -----

func.func @minimum_op_ui8() {
  %lhs = stablehlo.constant dense<[255, 128]> : tensor<2xui8>
  %rhs = stablehlo.constant dense<[127, 127]> : tensor<2xui8>
  %result = stablehlo.minimum %lhs, %rhs : tensor<2xui8>
  check.expect_eq_const %result, dense<[127, 127]> : tensor<2xui8>
  func.return
}

// -----

func.func @minimum_op_ui64() {
  %lhs = stablehlo.constant dense<[18446744073709551615]> : tensor<1xui64>
  %rhs = stablehlo.constant dense<[1]> : tensor<1xui64>
  %result = stablehlo.minimum %lhs, %rhs : tensor<1xui64>
  check.expect_eq_const %result, dense<[1]> : tensor<1xui64>
  func.return
}

// -----

// IEEE-754 orders -0 before +0.
func.func @minimum_op_zeros_f32() {
  %lhs = stablehlo.constant dense<[-0.0, 0.0, -0.0, 0.0]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[0.0, -0.0, -0.0, 0.0]> : tensor<4xf32>
  %result = stablehlo.minimum %lhs, %rhs : tensor<4xf32>
  check.expect_eq_const %result, dense<[-0.0, -0.0, -0.0, 0.0]> : tensor<4xf32>
  func.return
}

// -----

func.func @minimum_op_zeros_f64() {
  %lhs = stablehlo.constant dense<[-0.0, 0.0, -0.0, 0.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[0.0, -0.0, -0.0, 0.0]> : tensor<4xf64>
  %result = stablehlo.minimum %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %result, dense<[-0.0, -0.0, -0.0, 0.0]> : tensor<4xf64>
  func.return
}

// -----

func.func @minimum_op_zeros_bf16() {
  %lhs = stablehlo.constant dense<[-0.0, 0.0, -0.0, 0.0]> : tensor<4xbf16>
  %rhs = stablehlo.constant dense<[0.0, -0.0, -0.0, 0.0]> : tensor<4xbf16>
  %result = stablehlo.minimum %lhs, %rhs : tensor<4xbf16>
  check.expect_eq_const %result, dense<[-0.0, -0.0, -0.0, 0.0]> : tensor<4xbf16>
  func.return
}

// -----

func.func @minimum_op_zeros_f16() {
  %lhs = stablehlo.constant dense<[-0.0, 0.0, -0.0, 0.0]> : tensor<4xf16>
  %rhs = stablehlo.constant dense<[0.0, -0.0, -0.0, 0.0]> : tensor<4xf16>
  %result = stablehlo.minimum %lhs, %rhs : tensor<4xf16>
  check.expect_eq_const %result, dense<[-0.0, -0.0, -0.0, 0.0]> : tensor<4xf16>
  func.return
}

// -----

func.func @minimum_op_zero_for_all() {
  %lhs = stablehlo.constant dense<[-0.0, 0.0, -1.0, 1.0]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<0.0> : tensor<4xf32>
  %result = stablehlo.minimum %lhs, %rhs : tensor<4xf32>
  check.expect_eq_const %result, dense<[-0.0, 0.0, -1.0, 0.0]> : tensor<4xf32>
  func.return
}

// -----

func.func @minimum_op_infinities() {
  %lhs = stablehlo.constant dense<[0x7F800000, 0xFF800000, 1.0]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[1.0, -1.0, 0xFF800000]> : tensor<3xf32>
  %result = stablehlo.minimum %lhs, %rhs : tensor<3xf32>
  check.expect_eq_const %result, dense<[1.0, 0xFF800000, 0xFF800000]> : tensor<3xf32>
  func.return
}

// -----

// NaN, whichever of them it is.
func.func @minimum_op_nan_f32() {
  %lhs = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7FC00000]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7F800000]> : tensor<3xf32>
  %result = stablehlo.minimum %lhs, %rhs : tensor<3xf32>
  check.expect_almost_eq_const %result, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  func.return
}

// -----

func.func @minimum_op_nan_f64() {
  %lhs = stablehlo.constant dense<[0x7FF8000000000000, 1.0, 0x7FF8000000000000]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[1.0, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<3xf64>
  %result = stablehlo.minimum %lhs, %rhs : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}

// -----

func.func @minimum_op_nan_f16() {
  %lhs = stablehlo.constant dense<[0x7E00, 1.0, 0x7E00]> : tensor<3xf16>
  %rhs = stablehlo.constant dense<[1.0, 0x7E00, 0x7C00]> : tensor<3xf16>
  %result = stablehlo.minimum %lhs, %rhs : tensor<3xf16>
  check.expect_almost_eq_const %result, dense<[0x7E00, 0x7E00, 0x7E00]> : tensor<3xf16>
  func.return
}

// -----

func.func @minimum_op_nan_bf16() {
  %lhs = stablehlo.constant dense<[0x7FC0, 1.0, 0x7FC0]> : tensor<3xbf16>
  %rhs = stablehlo.constant dense<[1.0, 0x7FC0, 0x7F80]> : tensor<3xbf16>
  %result = stablehlo.minimum %lhs, %rhs : tensor<3xbf16>
  check.expect_almost_eq_const %result, dense<[0x7FC0, 0x7FC0, 0x7FC0]> : tensor<3xbf16>
  func.return
}

// -----

func.func @minimum_op_f8E5M2() {
  %lhs = stablehlo.constant dense<[-0.0, 1.5, -57344.0]> : tensor<3xf8E5M2>
  %rhs = stablehlo.constant dense<[0.0, -1.5, 0xFC]> : tensor<3xf8E5M2>
  %result = stablehlo.minimum %lhs, %rhs : tensor<3xf8E5M2>
  check.expect_eq_const %result, dense<[-0.0, -1.5, 0xFC]> : tensor<3xf8E5M2>
  func.return
}

// -----

// By the real parts, then by the imaginary parts.
func.func @minimum_op_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (2.0, 0.0), (-1.0, 5.0)]> : tensor<3xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(1.0, 3.0), (1.0, 9.0), (-1.0, 4.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.minimum %lhs, %rhs : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 2.0), (1.0, 9.0), (-1.0, 4.0)]> : tensor<3xcomplex<f32>>
  func.return
}
