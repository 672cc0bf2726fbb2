// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @remainder_op() {
  %lhs = stablehlo.constant dense<[17, -17, 17, -17]> : tensor<4xi64>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3]> : tensor<4xi64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xi64>
  check.expect_eq_const %result, dense<[2, -2, 2, -2]> : tensor<4xi64>
  func.return
}

// -----

// Of the smallest integer and -1: 0. By zero: the dividend, where the spec leaves it open.
func.func @remainder_op_i2_corners() {
  %lhs = stablehlo.constant dense<[-2, 1, -2, -1]> : tensor<4xi2>
  %rhs = stablehlo.constant dense<[-1, 0, 0, -2]> : tensor<4xi2>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xi2>
  check.expect_eq_const %result, dense<[0, 1, -2, -1]> : tensor<4xi2>
  func.return
}

// -----

func.func @remainder_op_i4_corners() {
  %lhs = stablehlo.constant dense<[-8, 1, -8, -1]> : tensor<4xi4>
  %rhs = stablehlo.constant dense<[-1, 0, 0, -8]> : tensor<4xi4>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xi4>
  check.expect_eq_const %result, dense<[0, 1, -8, -1]> : tensor<4xi4>
  func.return
}

// -----

func.func @remainder_op_i8_corners() {
  %lhs = stablehlo.constant dense<[-128, 1, -128, -1]> : tensor<4xi8>
  %rhs = stablehlo.constant dense<[-1, 0, 0, -128]> : tensor<4xi8>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xi8>
  check.expect_eq_const %result, dense<[0, 1, -128, -1]> : tensor<4xi8>
  func.return
}

// -----

func.func @remainder_op_i16_corners() {
  %lhs = stablehlo.constant dense<[-32768, 1, -32768, -1]> : tensor<4xi16>
  %rhs = stablehlo.constant dense<[-1, 0, 0, -32768]> : tensor<4xi16>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xi16>
  check.expect_eq_const %result, dense<[0, 1, -32768, -1]> : tensor<4xi16>
  func.return
}

// -----

func.func @remainder_op_i32_corners() {
  %lhs = stablehlo.constant dense<[-2147483648, 1, -2147483648, -1]> : tensor<4xi32>
  %rhs = stablehlo.constant dense<[-1, 0, 0, -2147483648]> : tensor<4xi32>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xi32>
  check.expect_eq_const %result, dense<[0, 1, -2147483648, -1]> : tensor<4xi32>
  func.return
}

// -----

func.func @remainder_op_i64_corners() {
  %lhs = stablehlo.constant dense<[-9223372036854775808, 1, -9223372036854775808, -1]> : tensor<4xi64>
  %rhs = stablehlo.constant dense<[-1, 0, 0, -9223372036854775808]> : tensor<4xi64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xi64>
  check.expect_eq_const %result, dense<[0, 1, -9223372036854775808, -1]> : tensor<4xi64>
  func.return
}

// -----

func.func @remainder_op_ui2() {
  %lhs = stablehlo.constant dense<[3, 3, 1]> : tensor<3xui2>
  %rhs = stablehlo.constant dense<[2, 0, 3]> : tensor<3xui2>
  %result = stablehlo.remainder %lhs, %rhs : tensor<3xui2>
  check.expect_eq_const %result, dense<[1, 3, 1]> : tensor<3xui2>
  func.return
}

// -----

func.func @remainder_op_ui4() {
  %lhs = stablehlo.constant dense<[15, 15, 1]> : tensor<3xui4>
  %rhs = stablehlo.constant dense<[2, 0, 15]> : tensor<3xui4>
  %result = stablehlo.remainder %lhs, %rhs : tensor<3xui4>
  check.expect_eq_const %result, dense<[1, 15, 1]> : tensor<3xui4>
  func.return
}

// -----

func.func @remainder_op_ui8() {
  %lhs = stablehlo.constant dense<[255, 255, 1]> : tensor<3xui8>
  %rhs = stablehlo.constant dense<[2, 0, 255]> : tensor<3xui8>
  %result = stablehlo.remainder %lhs, %rhs : tensor<3xui8>
  check.expect_eq_const %result, dense<[1, 255, 1]> : tensor<3xui8>
  func.return
}

// -----

func.func @remainder_op_ui32() {
  %lhs = stablehlo.constant dense<[4294967295, 4294967295, 1]> : tensor<3xui32>
  %rhs = stablehlo.constant dense<[2, 0, 4294967295]> : tensor<3xui32>
  %result = stablehlo.remainder %lhs, %rhs : tensor<3xui32>
  check.expect_eq_const %result, dense<[1, 4294967295, 1]> : tensor<3xui32>
  func.return
}

// -----

func.func @remainder_op_ui64() {
  %lhs = stablehlo.constant dense<[18446744073709551615, 18446744073709551615, 1]> : tensor<3xui64>
  %rhs = stablehlo.constant dense<[2, 0, 18446744073709551615]> : tensor<3xui64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<3xui64>
  check.expect_eq_const %result, dense<[1, 18446744073709551615, 1]> : tensor<3xui64>
  func.return
}

// -----

// The sign of the dividend, also of zero.
func.func @remainder_op_f64() {
  %lhs = stablehlo.constant dense<[17.1, -17.1, 17.1, -17.1, 6.0, -6.0]> : tensor<6xf64>
  %rhs = stablehlo.constant dense<[3.0, 3.0, -3.0, -3.0, 3.0, 3.0]> : tensor<6xf64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<6xf64>
  check.expect_eq_const %result, dense<[2.1000000000000014, -2.1000000000000014, 2.1000000000000014, -2.1000000000000014, 0.0, -0.0]> : tensor<6xf64>
  func.return
}

// -----

// Though the quotient has 100 digits.
func.func @remainder_op_f32_is_exact() {
  %lhs = stablehlo.constant dense<[1.0e38, 3.4028235e38, 5.0]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[3.0, 1.0e-38, 1.5]> : tensor<3xf32>
  %result = stablehlo.remainder %lhs, %rhs : tensor<3xf32>
  check.expect_eq_const %result, dense<[2.0, 4.923375e-39, 0.5]> : tensor<3xf32>
  func.return
}

// -----

func.func @remainder_op_infinities() {
  %lhs = stablehlo.constant dense<[5.0, -5.0, -0.0]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[0x7F800000, 0xFF800000, 1.0]> : tensor<3xf32>
  %result = stablehlo.remainder %lhs, %rhs : tensor<3xf32>
  check.expect_eq_const %result, dense<[5.0, -5.0, -0.0]> : tensor<3xf32>
  func.return
}

// -----

func.func @remainder_op_nan() {
  %lhs = stablehlo.constant dense<[1.0, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[0.0, 1.0, 1.0]> : tensor<3xf32>
  %result = stablehlo.remainder %lhs, %rhs : tensor<3xf32>
  check.expect_almost_eq_const %result, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  func.return
}

// -----

func.func @remainder_op_bf16() {
  %lhs = stablehlo.constant dense<[7.5, -7.5, 0.25]> : tensor<3xbf16>
  %rhs = stablehlo.constant dense<[2.0, 2.0, -3.0]> : tensor<3xbf16>
  %result = stablehlo.remainder %lhs, %rhs : tensor<3xbf16>
  check.expect_eq_const %result, dense<[1.5, -1.5, 0.25]> : tensor<3xbf16>
  func.return
}

// -----

func.func @remainder_op_f16() {
  %lhs = stablehlo.constant dense<[7.5, -7.5, 0.25]> : tensor<3xf16>
  %rhs = stablehlo.constant dense<[2.0, 2.0, -3.0]> : tensor<3xf16>
  %result = stablehlo.remainder %lhs, %rhs : tensor<3xf16>
  check.expect_eq_const %result, dense<[1.5, -1.5, 0.25]> : tensor<3xf16>
  func.return
}

// -----

func.func @remainder_op_f8E4M3FN() {
  %lhs = stablehlo.constant dense<[7.5, -7.5, 0.25]> : tensor<3xf8E4M3FN>
  %rhs = stablehlo.constant dense<[2.0, 2.0, -3.0]> : tensor<3xf8E4M3FN>
  %result = stablehlo.remainder %lhs, %rhs : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.5, -1.5, 0.25]> : tensor<3xf8E4M3FN>
  func.return
}
