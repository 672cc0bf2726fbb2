// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The spec has infinity for the last power, which is that of a narrower type.
func.func @power_op() {
  %lhs = stablehlo.constant dense<[-2.0, -0.0, -36.0, 5.0, 3.0, 10000.0]> : tensor<6xf64>
  %rhs = stablehlo.constant dense<[2.0, 2.0, 1.1, 2.0, -1.0, 10.0]> : tensor<6xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<6xf64>
  check.expect_almost_eq_const %result, dense<[4.0, 0.0, 0x7FF8000000000000, 25.0, 0.333333343, 1.0e40]> : tensor<6xf64>
  func.return
}

// -----

func.func @power_op_i2() {
  %lhs = stablehlo.constant dense<[-2, -1, 1]> : tensor<3xi2>
  %rhs = stablehlo.constant dense<[1, 1, -2]> : tensor<3xi2>
  %result = stablehlo.power %lhs, %rhs : tensor<3xi2>
  check.expect_eq_const %result, dense<[-2, -1, 1]> : tensor<3xi2>
  func.return
}

// -----

func.func @power_op_wraps_i4() {
  %lhs = stablehlo.constant dense<[-2, 3, 7]> : tensor<3xi4>
  %rhs = stablehlo.constant dense<[3, 3, 2]> : tensor<3xi4>
  %result = stablehlo.power %lhs, %rhs : tensor<3xi4>
  check.expect_eq_const %result, dense<[-8, -5, 1]> : tensor<3xi4>
  func.return
}

// -----

func.func @power_op_wraps_i8() {
  %lhs = stablehlo.constant dense<[2, -3, 5]> : tensor<3xi8>
  %rhs = stablehlo.constant dense<[7, 5, 3]> : tensor<3xi8>
  %result = stablehlo.power %lhs, %rhs : tensor<3xi8>
  check.expect_eq_const %result, dense<[-128, 13, 125]> : tensor<3xi8>
  func.return
}

// -----

func.func @power_op_wraps_i32() {
  %lhs = stablehlo.constant dense<[2, 3, -7]> : tensor<3xi32>
  %rhs = stablehlo.constant dense<[31, 40, 5]> : tensor<3xi32>
  %result = stablehlo.power %lhs, %rhs : tensor<3xi32>
  check.expect_eq_const %result, dense<[-2147483648, 689956897, -16807]> : tensor<3xi32>
  func.return
}

// -----

func.func @power_op_wraps_i64() {
  %lhs = stablehlo.constant dense<[3, -2, 10]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[41, 63, 18]> : tensor<3xi64>
  %result = stablehlo.power %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-420491770248316829, -9223372036854775808, 1000000000000000000]> : tensor<3xi64>
  func.return
}

// -----

// 1 / base ** -exponent, truncated; also for 0.
func.func @power_op_negative_exponents() {
  %lhs = stablehlo.constant dense<[2, 1, -1, -1, 0, -3, 1]> : tensor<7xi32>
  %rhs = stablehlo.constant dense<[-1, -5, -3, -4, -1, -2, -2147483648]> : tensor<7xi32>
  %result = stablehlo.power %lhs, %rhs : tensor<7xi32>
  check.expect_eq_const %result, dense<[0, 1, -1, 1, 0, 0, 1]> : tensor<7xi32>
  func.return
}

// -----

func.func @power_op_wraps_ui2() {
  %lhs = stablehlo.constant dense<[3, 2]> : tensor<2xui2>
  %rhs = stablehlo.constant dense<[2, 2]> : tensor<2xui2>
  %result = stablehlo.power %lhs, %rhs : tensor<2xui2>
  check.expect_eq_const %result, dense<[1, 0]> : tensor<2xui2>
  func.return
}

// -----

func.func @power_op_wraps_ui4() {
  %lhs = stablehlo.constant dense<[15, 3]> : tensor<2xui4>
  %rhs = stablehlo.constant dense<[15, 9]> : tensor<2xui4>
  %result = stablehlo.power %lhs, %rhs : tensor<2xui4>
  check.expect_eq_const %result, dense<[15, 3]> : tensor<2xui4>
  func.return
}

// -----

func.func @power_op_wraps_ui8() {
  %lhs = stablehlo.constant dense<[2, 255]> : tensor<2xui8>
  %rhs = stablehlo.constant dense<[200, 255]> : tensor<2xui8>
  %result = stablehlo.power %lhs, %rhs : tensor<2xui8>
  check.expect_eq_const %result, dense<[0, 255]> : tensor<2xui8>
  func.return
}

// -----

func.func @power_op_wraps_ui64() {
  %lhs = stablehlo.constant dense<[3]> : tensor<1xui64>
  %rhs = stablehlo.constant dense<[50]> : tensor<1xui64>
  %result = stablehlo.power %lhs, %rhs : tensor<1xui64>
  check.expect_eq_const %result, dense<[6048575297968530377]> : tensor<1xui64>
  func.return
}

// -----

// IEEE-754, 9.2.1.
func.func @power_op_special_values_f32() {
  %lhs = stablehlo.constant dense<[0.0, 0x7FC00000, 1.0, -1.0, 0.0, -0.0, -0.0, -0.0, 0.5, 2.0, 0xFF800000, 0xFF800000, -2.0]> : tensor<13xf32>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 0x7FC00000, 0x7F800000, -1.0, -1.0, -2.0, 3.0, 0x7F800000, 0xFF800000, 3.0, -3.0, 3.0]> : tensor<13xf32>
  %result = stablehlo.power %lhs, %rhs : tensor<13xf32>
  check.expect_eq_const %result, dense<[1.0, 1.0, 1.0, 1.0, 0x7F800000, 0xFF800000, 0x7F800000, -0.0, 0.0, 0.0, 0xFF800000, -0.0, -8.0]> : tensor<13xf32>
  func.return
}

// -----

func.func @power_op_special_values_f64() {
  %lhs = stablehlo.constant dense<[0.0, 0x7FF8000000000000, 1.0, -1.0, 0.0, -0.0, -0.0, -0.0, 0.5, 2.0, 0xFFF0000000000000, 0xFFF0000000000000, -2.0]> : tensor<13xf64>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 0x7FF8000000000000, 0x7FF0000000000000, -1.0, -1.0, -2.0, 3.0, 0x7FF0000000000000, 0xFFF0000000000000, 3.0, -3.0, 3.0]> : tensor<13xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<13xf64>
  check.expect_eq_const %result, dense<[1.0, 1.0, 1.0, 1.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000, -0.0, 0.0, 0.0, 0xFFF0000000000000, -0.0, -8.0]> : tensor<13xf64>
  func.return
}

// -----

func.func @power_op_nan() {
  %lhs = stablehlo.constant dense<[-2.0, 0x7FC00000, 2.0]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[0.5, 1.0, 0x7FC00000]> : tensor<3xf32>
  %result = stablehlo.power %lhs, %rhs : tensor<3xf32>
  check.expect_almost_eq_const %result, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  func.return
}

// -----

// The nearest f32 of the exact results.
func.func @power_op_f32() {
  %lhs = stablehlo.constant dense<[0.5, 3.0, 1.5, 2.0]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[1.5, -2.0, 2.5, 0.5]> : tensor<4xf32>
  %result = stablehlo.power %lhs, %rhs : tensor<4xf32>
  check.expect_eq_const %result, dense<[0.35355338, 0.11111111, 2.755676, 1.4142135]> : tensor<4xf32>
  func.return
}

// -----

func.func @power_op_f16() {
  %lhs = stablehlo.constant dense<[0.5, 3.0, 1.5, 2.0]> : tensor<4xf16>
  %rhs = stablehlo.constant dense<[1.5, -2.0, 2.5, 0.5]> : tensor<4xf16>
  %result = stablehlo.power %lhs, %rhs : tensor<4xf16>
  check.expect_eq_const %result, dense<[0.353515625, 0.111083984375, 2.755859375, 1.4140625]> : tensor<4xf16>
  func.return
}

// -----

func.func @power_op_bf16() {
  %lhs = stablehlo.constant dense<[0.5, 3.0, 1.5, 2.0]> : tensor<4xbf16>
  %rhs = stablehlo.constant dense<[1.5, -2.0, 2.5, 0.5]> : tensor<4xbf16>
  %result = stablehlo.power %lhs, %rhs : tensor<4xbf16>
  check.expect_eq_const %result, dense<[0.353515625, 0.111328125, 2.75, 1.4140625]> : tensor<4xbf16>
  func.return
}

// -----

func.func @power_op_f8E4M3FN() {
  %lhs = stablehlo.constant dense<[0.5, 3.0, 1.5, 2.0]> : tensor<4xf8E4M3FN>
  %rhs = stablehlo.constant dense<[1.5, -2.0, 2.5, 0.5]> : tensor<4xf8E4M3FN>
  %result = stablehlo.power %lhs, %rhs : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.34375, 0.109375, 2.75, 1.375]> : tensor<4xf8E4M3FN>
  func.return
}

// -----

func.func @power_op_f64_near_one() {
  %lhs = stablehlo.constant dense<[1.0000000001, 0.9999999999]> : tensor<2xf64>
  %rhs = stablehlo.constant dense<[1.0e10, 1.0e10]> : tensor<2xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[2.7182820532347876, 0.36787941071456814]> : tensor<2xf64>, tolerance = 1.0e-15
  func.return
}

// -----

func.func @power_op_complex() {
  %lhs = stablehlo.constant dense<[(0.0, 0.0), (0.0, 0.0), (0.0, 2.0), (2.0, 0.0)]> : tensor<4xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.power %lhs, %rhs : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(1.0, 0.0), (0.0, 0.0), (-4.0, 0.0), (8.0, 0.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}

// -----

func.func @power_op_complex_f32() {
  %lhs = stablehlo.constant dense<[(1.5, -0.5)]> : tensor<1xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(0.25, 2.0)]> : tensor<1xcomplex<f32>>
  %result = stablehlo.power %lhs, %rhs : tensor<1xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.4309994, 1.5832102)]> : tensor<1xcomplex<f32>>
  func.return
}
