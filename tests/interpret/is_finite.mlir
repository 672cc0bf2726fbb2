// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @is_finite_op() {
  %operand = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, -10.0, -0.0, 0.0, 10.0]> : tensor<7xf64>
  %result = stablehlo.is_finite %operand : (tensor<7xf64>) -> tensor<7xi1>
  check.expect_eq_const %result, dense<[false, false, false, true, true, true, true]> : tensor<7xi1>
  func.return
}

// -----

func.func @is_finite_op_f16() {
  %operand = stablehlo.constant dense<[0xFC00, 0x7C00, 0x7E00, 1.0]> : tensor<4xf16>
  %result = stablehlo.is_finite %operand : (tensor<4xf16>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, false, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @is_finite_op_bf16() {
  %operand = stablehlo.constant dense<[0xFF80, 0x7F80, 0x7FC0, 1.0]> : tensor<4xbf16>
  %result = stablehlo.is_finite %operand : (tensor<4xbf16>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, false, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @is_finite_op_f32() {
  %operand = stablehlo.constant dense<[0xFF800000, 0x7F800000, 0x7FC00000, 1.0]> : tensor<4xf32>
  %result = stablehlo.is_finite %operand : (tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, false, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @is_finite_op_f8E5M2() {
  %operand = stablehlo.constant dense<[0x7C, 0xFC, 0x7F, 57344.0]> : tensor<4xf8E5M2>
  %result = stablehlo.is_finite %operand : (tensor<4xf8E5M2>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, false, true]> : tensor<4xi1>
  func.return
}

// -----

// No infinity, but NaN.
func.func @is_finite_op_f8E4M3FN() {
  %operand = stablehlo.constant dense<[0x7F, 0xFF, 448.0]> : tensor<3xf8E4M3FN>
  %result = stablehlo.is_finite %operand : (tensor<3xf8E4M3FN>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[false, false, true]> : tensor<3xi1>
  func.return
}

// -----

func.func @is_finite_op_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[0x80, 0.0]> : tensor<2xf8E5M2FNUZ>
  %result = stablehlo.is_finite %operand : (tensor<2xf8E5M2FNUZ>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[false, true]> : tensor<2xi1>
  func.return
}

// -----

// Neither infinity nor NaN.
func.func @is_finite_op_f4E2M1FN() {
  %operand = stablehlo.constant dense<[6.0, -0.0]> : tensor<2xf4E2M1FN>
  %result = stablehlo.is_finite %operand : (tensor<2xf4E2M1FN>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[true, true]> : tensor<2xi1>
  func.return
}

// -----

func.func @is_finite_op_f8E8M0FNU() {
  %operand = stablehlo.constant dense<[0xFF, 1.0]> : tensor<2xf8E8M0FNU>
  %result = stablehlo.is_finite %operand : (tensor<2xf8E8M0FNU>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[false, true]> : tensor<2xi1>
  func.return
}
