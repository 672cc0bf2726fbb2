// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The example of the spec, whose results are those of 17, not of 17.1.
func.func @divide_op() {
  %lhs = stablehlo.constant dense<[17.0, -17.0, 17.0, -17.0]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[3.0, 3.0, -3.0, -3.0]> : tensor<4xf32>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xf32>
  check.expect_eq_const %result, dense<[5.66666651, -5.66666651, -5.66666651, 5.66666651]> : tensor<4xf32>
  func.return
}

// -----

// Toward zero.
func.func @divide_op_integers_truncate() {
  %lhs = stablehlo.constant dense<[17, -17, 17, -17, 0, 1]> : tensor<6xi32>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3, 5, 2]> : tensor<6xi32>
  %result = stablehlo.divide %lhs, %rhs : tensor<6xi32>
  check.expect_eq_const %result, dense<[5, -5, -5, 5, 0, 0]> : tensor<6xi32>
  func.return
}

// -----

// All bits set; the spec leaves it open.
func.func @divide_op_i2_by_zero() {
  %lhs = stablehlo.constant dense<[1, -2, 0]> : tensor<3xi2>
  %rhs = stablehlo.constant dense<[0, 0, 0]> : tensor<3xi2>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xi2>
  check.expect_eq_const %result, dense<[-1, -1, -1]> : tensor<3xi2>
  func.return
}

// -----

// The magnitude of the smallest integer does not fit.
func.func @divide_op_i2_wraps() {
  %lhs = stablehlo.constant dense<[-2, -2]> : tensor<2xi2>
  %rhs = stablehlo.constant dense<[-1, 1]> : tensor<2xi2>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xi2>
  check.expect_eq_const %result, dense<[-2, -2]> : tensor<2xi2>
  func.return
}

// -----

func.func @divide_op_i4_by_zero() {
  %lhs = stablehlo.constant dense<[1, -8, 0]> : tensor<3xi4>
  %rhs = stablehlo.constant dense<[0, 0, 0]> : tensor<3xi4>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xi4>
  check.expect_eq_const %result, dense<[-1, -1, -1]> : tensor<3xi4>
  func.return
}

// -----

func.func @divide_op_i4_wraps() {
  %lhs = stablehlo.constant dense<[-8, -8]> : tensor<2xi4>
  %rhs = stablehlo.constant dense<[-1, 1]> : tensor<2xi4>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xi4>
  check.expect_eq_const %result, dense<[-8, -8]> : tensor<2xi4>
  func.return
}

// -----

func.func @divide_op_i8_by_zero() {
  %lhs = stablehlo.constant dense<[1, -128, 0]> : tensor<3xi8>
  %rhs = stablehlo.constant dense<[0, 0, 0]> : tensor<3xi8>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xi8>
  check.expect_eq_const %result, dense<[-1, -1, -1]> : tensor<3xi8>
  func.return
}

// -----

func.func @divide_op_i8_wraps() {
  %lhs = stablehlo.constant dense<[-128, -128]> : tensor<2xi8>
  %rhs = stablehlo.constant dense<[-1, 1]> : tensor<2xi8>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xi8>
  check.expect_eq_const %result, dense<[-128, -128]> : tensor<2xi8>
  func.return
}

// -----

func.func @divide_op_i16_by_zero() {
  %lhs = stablehlo.constant dense<[1, -32768, 0]> : tensor<3xi16>
  %rhs = stablehlo.constant dense<[0, 0, 0]> : tensor<3xi16>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xi16>
  check.expect_eq_const %result, dense<[-1, -1, -1]> : tensor<3xi16>
  func.return
}

// -----

func.func @divide_op_i16_wraps() {
  %lhs = stablehlo.constant dense<[-32768, -32768]> : tensor<2xi16>
  %rhs = stablehlo.constant dense<[-1, 1]> : tensor<2xi16>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xi16>
  check.expect_eq_const %result, dense<[-32768, -32768]> : tensor<2xi16>
  func.return
}

// -----

func.func @divide_op_i32_by_zero() {
  %lhs = stablehlo.constant dense<[1, -2147483648, 0]> : tensor<3xi32>
  %rhs = stablehlo.constant dense<[0, 0, 0]> : tensor<3xi32>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xi32>
  check.expect_eq_const %result, dense<[-1, -1, -1]> : tensor<3xi32>
  func.return
}

// -----

func.func @divide_op_i32_wraps() {
  %lhs = stablehlo.constant dense<[-2147483648, -2147483648]> : tensor<2xi32>
  %rhs = stablehlo.constant dense<[-1, 1]> : tensor<2xi32>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xi32>
  check.expect_eq_const %result, dense<[-2147483648, -2147483648]> : tensor<2xi32>
  func.return
}

// -----

func.func @divide_op_i64_by_zero() {
  %lhs = stablehlo.constant dense<[1, -9223372036854775808, 0]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[0, 0, 0]> : tensor<3xi64>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-1, -1, -1]> : tensor<3xi64>
  func.return
}

// -----

func.func @divide_op_i64_wraps() {
  %lhs = stablehlo.constant dense<[-9223372036854775808, -9223372036854775808]> : tensor<2xi64>
  %rhs = stablehlo.constant dense<[-1, 1]> : tensor<2xi64>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808, -9223372036854775808]> : tensor<2xi64>
  func.return
}

// -----

// Division by zero sets all bits.
func.func @divide_op_ui2() {
  %lhs = stablehlo.constant dense<[3, 3, 1, 0]> : tensor<4xui2>
  %rhs = stablehlo.constant dense<[2, 0, 3, 0]> : tensor<4xui2>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xui2>
  check.expect_eq_const %result, dense<[1, 3, 0, 3]> : tensor<4xui2>
  func.return
}

// -----

func.func @divide_op_ui4() {
  %lhs = stablehlo.constant dense<[15, 15, 1, 0]> : tensor<4xui4>
  %rhs = stablehlo.constant dense<[2, 0, 15, 0]> : tensor<4xui4>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xui4>
  check.expect_eq_const %result, dense<[7, 15, 0, 15]> : tensor<4xui4>
  func.return
}

// -----

func.func @divide_op_ui8() {
  %lhs = stablehlo.constant dense<[255, 255, 1, 0]> : tensor<4xui8>
  %rhs = stablehlo.constant dense<[2, 0, 255, 0]> : tensor<4xui8>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xui8>
  check.expect_eq_const %result, dense<[127, 255, 0, 255]> : tensor<4xui8>
  func.return
}

// -----

func.func @divide_op_ui16() {
  %lhs = stablehlo.constant dense<[65535, 65535, 1, 0]> : tensor<4xui16>
  %rhs = stablehlo.constant dense<[2, 0, 65535, 0]> : tensor<4xui16>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xui16>
  check.expect_eq_const %result, dense<[32767, 65535, 0, 65535]> : tensor<4xui16>
  func.return
}

// -----

func.func @divide_op_ui32() {
  %lhs = stablehlo.constant dense<[4294967295, 4294967295, 1, 0]> : tensor<4xui32>
  %rhs = stablehlo.constant dense<[2, 0, 4294967295, 0]> : tensor<4xui32>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xui32>
  check.expect_eq_const %result, dense<[2147483647, 4294967295, 0, 4294967295]> : tensor<4xui32>
  func.return
}

// -----

func.func @divide_op_ui64() {
  %lhs = stablehlo.constant dense<[18446744073709551615, 18446744073709551615, 1, 0]> : tensor<4xui64>
  %rhs = stablehlo.constant dense<[2, 0, 18446744073709551615, 0]> : tensor<4xui64>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xui64>
  check.expect_eq_const %result, dense<[9223372036854775807, 18446744073709551615, 0, 18446744073709551615]> : tensor<4xui64>
  func.return
}

// -----

func.func @divide_op_f64() {
  %lhs = stablehlo.constant dense<[1.0, -1.0, 0.0, 1.0, 1.0]> : tensor<5xf64>
  %rhs = stablehlo.constant dense<[3.0, 0.0, 0x7FF0000000000000, 0xFFF0000000000000, -0.0]> : tensor<5xf64>
  %result = stablehlo.divide %lhs, %rhs : tensor<5xf64>
  check.expect_eq_const %result, dense<[0.3333333333333333, 0xFFF0000000000000, 0.0, -0.0, 0xFFF0000000000000]> : tensor<5xf64>
  func.return
}

// -----

func.func @divide_op_nan() {
  %lhs = stablehlo.constant dense<[0.0, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[0.0, 0x7F800000, 1.0]> : tensor<3xf32>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xf32>
  check.expect_almost_eq_const %result, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  func.return
}

// -----

func.func @divide_op_bf16() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, 1.0]> : tensor<3xbf16>
  %rhs = stablehlo.constant dense<[3.0, 3.0, 0.0]> : tensor<3xbf16>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xbf16>
  check.expect_eq_const %result, dense<[0.333984375, 0.66796875, 0x7F80]> : tensor<3xbf16>
  func.return
}

// -----

func.func @divide_op_f16() {
  %lhs = stablehlo.constant dense<[1.0, 65504.0]> : tensor<2xf16>
  %rhs = stablehlo.constant dense<[3.0, 0.5]> : tensor<2xf16>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xf16>
  check.expect_eq_const %result, dense<[0.333251953125, 0x7C00]> : tensor<2xf16>
  func.return
}

// -----

func.func @divide_op_f8E5M2() {
  %lhs = stablehlo.constant dense<[1.0, 7.0, -1.0]> : tensor<3xf8E5M2>
  %rhs = stablehlo.constant dense<[3.0, 2.0, 0.0]> : tensor<3xf8E5M2>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xf8E5M2>
  check.expect_eq_const %result, dense<[0.3125, 3.5, 0xFC]> : tensor<3xf8E5M2>
  func.return
}

// -----

func.func @divide_op_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (5.0, 0.0), (0.0, 3.0)]> : tensor<3xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(1.0, -2.0), (3.0, 4.0), (0.0, 1.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(-0.6, 0.8), (0.6, -0.8), (3.0, 0.0)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-15
  func.return
}

// -----

// The squares of the parts are out of range.
func.func @divide_op_complex_does_not_overflow() {
  %lhs = stablehlo.constant dense<[(1.0e30, 1.0e30), (1.0e-30, 0.0)]> : tensor<2xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(1.0e30, 1.0e30), (0.0, 1.0e-30)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 0.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

// As C99, Annex G.
func.func @divide_op_complex_by_zero() {
  %lhs = stablehlo.constant dense<[(1.0, 1.0), (1.0, -1.0)]> : tensor<2xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(0.0, 0.0), (-0.0, 0.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0x7F800000, 0x7F800000), (0xFF800000, 0x7F800000)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

func.func @divide_op_complex_infinite() {
  %lhs = stablehlo.constant dense<[(0x7F800000, 1.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(1.0, 1.0), (0x7F800000, 0x7FC00000)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0x7F800000, 0xFF800000), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}
