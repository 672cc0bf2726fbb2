// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @add_op() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.add %lhs, %rhs : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[6, 8], [10, 12]]> : tensor<2x2xi32>
  func.return
}

// -----

// Logical or.
func.func @add_op_booleans() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.add %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @add_op_wraps_i2() {
  %lhs = stablehlo.constant dense<[1, -2, -1]> : tensor<3xi2>
  %rhs = stablehlo.constant dense<[1, -1, 1]> : tensor<3xi2>
  %result = stablehlo.add %lhs, %rhs : tensor<3xi2>
  check.expect_eq_const %result, dense<[-2, 1, 0]> : tensor<3xi2>
  func.return
}

// -----

func.func @add_op_wraps_i4() {
  %lhs = stablehlo.constant dense<[7, -8, 3]> : tensor<3xi4>
  %rhs = stablehlo.constant dense<[1, -1, -5]> : tensor<3xi4>
  %result = stablehlo.add %lhs, %rhs : tensor<3xi4>
  check.expect_eq_const %result, dense<[-8, 7, -2]> : tensor<3xi4>
  func.return
}

// -----

func.func @add_op_wraps_i8() {
  %lhs = stablehlo.constant dense<[127, -128]> : tensor<2xi8>
  %rhs = stablehlo.constant dense<[1, -1]> : tensor<2xi8>
  %result = stablehlo.add %lhs, %rhs : tensor<2xi8>
  check.expect_eq_const %result, dense<[-128, 127]> : tensor<2xi8>
  func.return
}

// -----

func.func @add_op_wraps_i16() {
  %lhs = stablehlo.constant dense<[32767]> : tensor<1xi16>
  %rhs = stablehlo.constant dense<[1]> : tensor<1xi16>
  %result = stablehlo.add %lhs, %rhs : tensor<1xi16>
  check.expect_eq_const %result, dense<[-32768]> : tensor<1xi16>
  func.return
}

// -----

func.func @add_op_wraps_i32() {
  %lhs = stablehlo.constant dense<[2147483647]> : tensor<1xi32>
  %rhs = stablehlo.constant dense<[1]> : tensor<1xi32>
  %result = stablehlo.add %lhs, %rhs : tensor<1xi32>
  check.expect_eq_const %result, dense<[-2147483648]> : tensor<1xi32>
  func.return
}

// -----

func.func @add_op_wraps_i64() {
  %lhs = stablehlo.constant dense<[9223372036854775807]> : tensor<1xi64>
  %rhs = stablehlo.constant dense<[1]> : tensor<1xi64>
  %result = stablehlo.add %lhs, %rhs : tensor<1xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808]> : tensor<1xi64>
  func.return
}

// -----

func.func @add_op_wraps_ui2() {
  %lhs = stablehlo.constant dense<[3, 2]> : tensor<2xui2>
  %rhs = stablehlo.constant dense<[1, 3]> : tensor<2xui2>
  %result = stablehlo.add %lhs, %rhs : tensor<2xui2>
  check.expect_eq_const %result, dense<[0, 1]> : tensor<2xui2>
  func.return
}

// -----

func.func @add_op_wraps_ui4() {
  %lhs = stablehlo.constant dense<[15, 9]> : tensor<2xui4>
  %rhs = stablehlo.constant dense<[1, 9]> : tensor<2xui4>
  %result = stablehlo.add %lhs, %rhs : tensor<2xui4>
  check.expect_eq_const %result, dense<[0, 2]> : tensor<2xui4>
  func.return
}

// -----

func.func @add_op_wraps_ui8() {
  %lhs = stablehlo.constant dense<[255]> : tensor<1xui8>
  %rhs = stablehlo.constant dense<[1]> : tensor<1xui8>
  %result = stablehlo.add %lhs, %rhs : tensor<1xui8>
  check.expect_eq_const %result, dense<[0]> : tensor<1xui8>
  func.return
}

// -----

func.func @add_op_wraps_ui16() {
  %lhs = stablehlo.constant dense<[65535]> : tensor<1xui16>
  %rhs = stablehlo.constant dense<[2]> : tensor<1xui16>
  %result = stablehlo.add %lhs, %rhs : tensor<1xui16>
  check.expect_eq_const %result, dense<[1]> : tensor<1xui16>
  func.return
}

// -----

func.func @add_op_wraps_ui32() {
  %lhs = stablehlo.constant dense<[4294967295]> : tensor<1xui32>
  %rhs = stablehlo.constant dense<[1]> : tensor<1xui32>
  %result = stablehlo.add %lhs, %rhs : tensor<1xui32>
  check.expect_eq_const %result, dense<[0]> : tensor<1xui32>
  func.return
}

// -----

func.func @add_op_wraps_ui64() {
  %lhs = stablehlo.constant dense<[18446744073709551615]> : tensor<1xui64>
  %rhs = stablehlo.constant dense<[1]> : tensor<1xui64>
  %result = stablehlo.add %lhs, %rhs : tensor<1xui64>
  check.expect_eq_const %result, dense<[0]> : tensor<1xui64>
  func.return
}

// -----

// 2^24 + 1 lies between two values: the even one is taken.
func.func @add_op_f32() {
  %lhs = stablehlo.constant dense<[0.1, 16777216.0, 3.4e38, 0x7F800000, -0.0]> : tensor<5xf32>
  %rhs = stablehlo.constant dense<[0.2, 1.0, 3.4e38, 1.0, -0.0]> : tensor<5xf32>
  %result = stablehlo.add %lhs, %rhs : tensor<5xf32>
  check.expect_eq_const %result, dense<[0.3, 16777216.0, 0x7F800000, 0x7F800000, -0.0]> : tensor<5xf32>
  func.return
}

// -----

func.func @add_op_f64() {
  %lhs = stablehlo.constant dense<[0.1, 9007199254740992.0]> : tensor<2xf64>
  %rhs = stablehlo.constant dense<[0.2, 1.0]> : tensor<2xf64>
  %result = stablehlo.add %lhs, %rhs : tensor<2xf64>
  check.expect_eq_const %result, dense<[0.30000000000000004, 9007199254740992.0]> : tensor<2xf64>
  func.return
}

// -----

func.func @add_op_nan() {
  %lhs = stablehlo.constant dense<[0x7F800000, 0x7FC00000]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[0xFF800000, 1.0]> : tensor<2xf32>
  %result = stablehlo.add %lhs, %rhs : tensor<2xf32>
  check.expect_almost_eq_const %result, dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32>
  func.return
}

// -----

// 257 and 259 lie halfway between two values: the even one is taken.
func.func @add_op_bf16() {
  %lhs = stablehlo.constant dense<[256.0, 256.0, 1.0]> : tensor<3xbf16>
  %rhs = stablehlo.constant dense<[1.0, 3.0, 0.0078125]> : tensor<3xbf16>
  %result = stablehlo.add %lhs, %rhs : tensor<3xbf16>
  check.expect_eq_const %result, dense<[256.0, 260.0, 1.0078125]> : tensor<3xbf16>
  func.return
}

// -----

func.func @add_op_f16() {
  %lhs = stablehlo.constant dense<[2048.0, 65504.0]> : tensor<2xf16>
  %rhs = stablehlo.constant dense<[1.0, 16.0]> : tensor<2xf16>
  %result = stablehlo.add %lhs, %rhs : tensor<2xf16>
  check.expect_eq_const %result, dense<[2048.0, 0x7C00]> : tensor<2xf16>
  func.return
}

// -----

// There is no infinity: what is too large becomes NaN.
func.func @add_op_f8E4M3FN() {
  %lhs = stablehlo.constant dense<[16.0, 448.0, 448.0]> : tensor<3xf8E4M3FN>
  %rhs = stablehlo.constant dense<[1.0, 16.0, 64.0]> : tensor<3xf8E4M3FN>
  %result = stablehlo.add %lhs, %rhs : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[16.0, 448.0, 0x7F]> : tensor<3xf8E4M3FN>
  func.return
}

// -----

// There is neither infinity nor NaN: what is too large becomes the largest value.
func.func @add_op_f4E2M1FN() {
  %lhs = stablehlo.constant dense<[1.0, 6.0, -6.0]> : tensor<3xf4E2M1FN>
  %rhs = stablehlo.constant dense<[0.5, 6.0, 1.0]> : tensor<3xf4E2M1FN>
  %result = stablehlo.add %lhs, %rhs : tensor<3xf4E2M1FN>
  check.expect_eq_const %result, dense<[1.5, 6.0, -4.0]> : tensor<3xf4E2M1FN>
  func.return
}

// -----

func.func @add_op_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.0)]> : tensor<2xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(3.0, -4.0), (0.25, 1.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.add %lhs, %rhs : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(4.0, -2.0), (-0.25, 1.0)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

func.func @add_op_scalars() {
  %lhs = stablehlo.constant dense<1.5> : tensor<f32>
  %rhs = stablehlo.constant dense<2.0> : tensor<f32>
  %result = stablehlo.add %lhs, %rhs : tensor<f32>
  check.expect_eq_const %result, dense<3.5> : tensor<f32>
  func.return
}

// -----

func.func @add_op_empty() {
  %lhs = stablehlo.constant dense<> : tensor<0x2xf32>
  %rhs = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = stablehlo.add %lhs, %rhs : tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  func.return
}
