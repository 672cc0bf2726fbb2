// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @negate_op() {
  %operand = stablehlo.constant dense<[0, -2]> : tensor<2xi32>
  %result = stablehlo.negate %operand : tensor<2xi32>
  check.expect_eq_const %result, dense<[0, 2]> : tensor<2xi32>
  func.return
}

// -----

func.func @negate_op_complex() {
  %operand = stablehlo.constant dense<[(2.5, 0.0)]> : tensor<1xcomplex<f32>>
  %result = stablehlo.negate %operand : tensor<1xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-2.5, -0.0)]> : tensor<1xcomplex<f32>>
  func.return
}

// -----

func.func @negate_op_wraps_i2() {
  %operand = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %result = stablehlo.negate %operand : tensor<2xi2>
  check.expect_eq_const %result, dense<[-2, -1]> : tensor<2xi2>
  func.return
}

// -----

func.func @negate_op_wraps_i4() {
  %operand = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %result = stablehlo.negate %operand : tensor<2xi4>
  check.expect_eq_const %result, dense<[-8, -7]> : tensor<2xi4>
  func.return
}

// -----

func.func @negate_op_wraps_i8() {
  %operand = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %result = stablehlo.negate %operand : tensor<2xi8>
  check.expect_eq_const %result, dense<[-128, -127]> : tensor<2xi8>
  func.return
}

// -----

func.func @negate_op_wraps_i64() {
  %operand = stablehlo.constant dense<[-9223372036854775808, 1]> : tensor<2xi64>
  %result = stablehlo.negate %operand : tensor<2xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808, -1]> : tensor<2xi64>
  func.return
}

// -----

// As the signed integers of the same bits.
func.func @negate_op_wraps_ui2() {
  %operand = stablehlo.constant dense<[0, 1]> : tensor<2xui2>
  %result = stablehlo.negate %operand : tensor<2xui2>
  check.expect_eq_const %result, dense<[0, 3]> : tensor<2xui2>
  func.return
}

// -----

func.func @negate_op_wraps_ui4() {
  %operand = stablehlo.constant dense<[1, 15]> : tensor<2xui4>
  %result = stablehlo.negate %operand : tensor<2xui4>
  check.expect_eq_const %result, dense<[15, 1]> : tensor<2xui4>
  func.return
}

// -----

func.func @negate_op_wraps_ui8() {
  %operand = stablehlo.constant dense<[5, 0]> : tensor<2xui8>
  %result = stablehlo.negate %operand : tensor<2xui8>
  check.expect_eq_const %result, dense<[251, 0]> : tensor<2xui8>
  func.return
}

// -----

func.func @negate_op_wraps_ui64() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %result = stablehlo.negate %operand : tensor<2xui64>
  check.expect_eq_const %result, dense<[18446744073709551615, 18446744073709551614]> : tensor<2xui64>
  func.return
}

// -----

func.func @negate_op_f32() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 1.5, 0x7F800000]> : tensor<4xf32>
  %result = stablehlo.negate %operand : tensor<4xf32>
  check.expect_eq_const %result, dense<[-0.0, 0.0, -1.5, 0xFF800000]> : tensor<4xf32>
  func.return
}

// -----

func.func @negate_op_nan_changes_its_sign() {
  %operand = stablehlo.constant dense<[0x7FC00001]> : tensor<1xf32>
  %result = stablehlo.negate %operand : tensor<1xf32>
  check.expect_eq_const %result, dense<[0xFFC00001]> : tensor<1xf32>
  func.return
}

// -----

func.func @negate_op_bf16() {
  %operand = stablehlo.constant dense<[0.0, -1.5]> : tensor<2xbf16>
  %result = stablehlo.negate %operand : tensor<2xbf16>
  check.expect_eq_const %result, dense<[-0.0, 1.5]> : tensor<2xbf16>
  func.return
}

// -----

func.func @negate_op_f16() {
  %operand = stablehlo.constant dense<[0.0, -1.5]> : tensor<2xf16>
  %result = stablehlo.negate %operand : tensor<2xf16>
  check.expect_eq_const %result, dense<[-0.0, 1.5]> : tensor<2xf16>
  func.return
}

// -----

func.func @negate_op_f8E5M2() {
  %operand = stablehlo.constant dense<[0.0, -1.5]> : tensor<2xf8E5M2>
  %result = stablehlo.negate %operand : tensor<2xf8E5M2>
  check.expect_eq_const %result, dense<[-0.0, 1.5]> : tensor<2xf8E5M2>
  func.return
}

// -----

func.func @negate_op_f8E4M3FN() {
  %operand = stablehlo.constant dense<[0.0, -1.5]> : tensor<2xf8E4M3FN>
  %result = stablehlo.negate %operand : tensor<2xf8E4M3FN>
  check.expect_eq_const %result, dense<[-0.0, 1.5]> : tensor<2xf8E4M3FN>
  func.return
}

// -----

// There is no -0; its bits are the NaN.
func.func @negate_op_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[0.0, 1.5, 0x80]> : tensor<3xf8E5M2FNUZ>
  %result = stablehlo.negate %operand : tensor<3xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[0.0, -1.5, 0x80]> : tensor<3xf8E5M2FNUZ>
  func.return
}

// -----

// There are no negative numbers.
func.func @negate_op_f8E8M0FNU() {
  %operand = stablehlo.constant dense<[1.0, 0xFF]> : tensor<2xf8E8M0FNU>
  %result = stablehlo.negate %operand : tensor<2xf8E8M0FNU>
  check.expect_eq_const %result, dense<[0xFF, 0xFF]> : tensor<2xf8E8M0FNU>
  func.return
}
