// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @reduce_precision_op() {
  %operand = stablehlo.constant dense<[0x7FF0000000000000, 0x7FFFFFFFFFFFFFFF, 0x0000000000000001, 0.0, 65519.0, 65520.0]> : tensor<6xf64>
  %result = stablehlo.reduce_precision %operand, format = e5m10 : tensor<6xf64>
  check.expect_eq_const %result, dense<[0x7FF0000000000000, 0x7FFFFFFFFFFFFFFF, 0.0, 0.0, 65504.0, 0x7FF0000000000000]> : tensor<6xf64>
  func.return
}

// -----

// The exponent range is that of f32: subnormal numbers stay.
func.func @reduce_precision_op_f32_to_bf16() {
  %operand = stablehlo.constant dense<[1.00390625, 1.01171875, 3.4e38, 1.0e-40]> : tensor<4xf32>
  %result = stablehlo.reduce_precision %operand, format = e8m7 : tensor<4xf32>
  check.expect_eq_const %result, dense<[1.0, 1.015625, 0x7F800000, 9.1835e-41]> : tensor<4xf32>
  func.return
}

// -----

// What is below the normal range becomes a zero with its sign.
func.func @reduce_precision_op_f32_to_f16() {
  %operand = stablehlo.constant dense<[0.1, -65520.0, 6.1e-5, 6.2e-5, -1.0e-6]> : tensor<5xf32>
  %result = stablehlo.reduce_precision %operand, format = e5m10 : tensor<5xf32>
  check.expect_eq_const %result, dense<[0.099975586, 0xFF800000, 0.0, 6.198883e-05, -0.0]> : tensor<5xf32>
  func.return
}

// -----

// Halfway, the even exponent field wins.
func.func @reduce_precision_op_no_mantissa() {
  %operand = stablehlo.constant dense<[1.0, 1.49, 1.5, 3.0, -5.0, 0x7F800000]> : tensor<6xf32>
  %result = stablehlo.reduce_precision %operand, format = e8m0 : tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, 1.0, 2.0, 2.0, -4.0, 0x7F800000]> : tensor<6xf32>
  func.return
}

// -----

// Without mantissa bits, there is no NaN.
func.func @reduce_precision_op_no_mantissa_nan() {
  %operand = stablehlo.constant dense<[0x7FC00000, 0xFFC00000, 0x7F800001]> : tensor<3xf32>
  %result = stablehlo.reduce_precision %operand, format = e8m0 : tensor<3xf32>
  check.expect_eq_const %result, dense<[0x7F800000, 0x7F800000, 0x7F800000]> : tensor<3xf32>
  func.return
}

// -----

// No number is normal.
func.func @reduce_precision_op_one_exponent_bit() {
  %operand = stablehlo.constant dense<[0.5, 1.0, 2.0, -4.0]> : tensor<4xf32>
  %result = stablehlo.reduce_precision %operand, format = e1m23 : tensor<4xf32>
  check.expect_eq_const %result, dense<[0.0, 0.0, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  func.return
}

// -----

func.func @reduce_precision_op_wider() {
  %operand = stablehlo.constant dense<[0.1, 1.0e-45, 0x7FC00000, 0xFF800000]> : tensor<4xf32>
  %result = stablehlo.reduce_precision %operand, format = e11m52 : tensor<4xf32>
  check.expect_eq_const %result, dense<[0.1, 1.0e-45, 0x7FC00000, 0xFF800000]> : tensor<4xf32>
  func.return
}

// -----

func.func @reduce_precision_op_rounds_up_to_infinity() {
  %operand = stablehlo.constant dense<[3.4028235e38]> : tensor<1xf32>
  %result = stablehlo.reduce_precision %operand, format = e8m10 : tensor<1xf32>
  check.expect_eq_const %result, dense<[0x7F800000]> : tensor<1xf32>
  func.return
}

// -----

func.func @reduce_precision_op_bf16() {
  %operand = stablehlo.constant dense<[1.0703125, 1.1875, 300.0, 0.001953125]> : tensor<4xbf16>
  %result = stablehlo.reduce_precision %operand, format = e4m3 : tensor<4xbf16>
  check.expect_eq_const %result, dense<[1.125, 1.25, 0x7F80, 0.0]> : tensor<4xbf16>
  func.return
}

// -----

func.func @reduce_precision_op_f16() {
  %operand = stablehlo.constant dense<[1.1, 300.0, 0.01, -0.03]> : tensor<4xf16>
  %result = stablehlo.reduce_precision %operand, format = e4m3 : tensor<4xf16>
  check.expect_eq_const %result, dense<[1.125, 0x7C00, 0.0, -0.029296875]> : tensor<4xf16>
  func.return
}

// -----

func.func @reduce_precision_op_f8E5M2() {
  %operand = stablehlo.constant dense<[1.25, 1.75, 16.0, 0.125]> : tensor<4xf8E5M2>
  %result = stablehlo.reduce_precision %operand, format = e3m1 : tensor<4xf8E5M2>
  check.expect_eq_const %result, dense<[1.0, 2.0, 0x7C, 0.0]> : tensor<4xf8E5M2>
  func.return
}

// -----

func.func @reduce_precision_op_f8E4M3FN() {
  %operand = stablehlo.constant dense<[1.125, 448.0, 0x7F]> : tensor<3xf8E4M3FN>
  %result = stablehlo.reduce_precision %operand, format = e4m2 : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.0, 448.0, 0x7F]> : tensor<3xf8E4M3FN>
  func.return
}

// -----

// 8 is too large, and there is no infinity.
func.func @reduce_precision_op_f4E2M1FN() {
  %operand = stablehlo.constant dense<[1.0, 1.5, 3.0, 6.0]> : tensor<4xf4E2M1FN>
  %result = stablehlo.reduce_precision %operand, format = e2m0 : tensor<4xf4E2M1FN>
  check.expect_eq_const %result, dense<[1.0, 2.0, 2.0, 6.0]> : tensor<4xf4E2M1FN>
  func.return
}

// -----

// A type without infinities has NaN instead, which is positive as all NaNs that are computed.
func.func @reduce_precision_op_overflow_without_infinity() {
  %operand = stablehlo.constant dense<[-448.0, 448.0, 0xFF]> : tensor<3xf8E4M3FN>
  %result = stablehlo.reduce_precision %operand, format = e4m0 : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[0x7F, 0x7F, 0xFF]> : tensor<3xf8E4M3FN>
  func.return
}
