// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @ceil_op() {
  %operand = stablehlo.constant dense<[-0.8166, -0.2530, 0.2530, 0.8166, 2.0]> : tensor<5xf32>
  %result = stablehlo.ceil %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[-0.0, -0.0, 1.0, 1.0, 2.0]> : tensor<5xf32>
  func.return
}

// -----

func.func @ceil_op_special_values() {
  %operand = stablehlo.constant dense<[-0.0, 0x7FF0000000000000, 0xFFF0000000000000, -1.0e300, 4.9406564584124654e-324]> : tensor<5xf64>
  %result = stablehlo.ceil %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[-0.0, 0x7FF0000000000000, 0xFFF0000000000000, -1.0e300, 1.0]> : tensor<5xf64>
  func.return
}

// -----

func.func @ceil_op_nan() {
  %operand = stablehlo.constant dense<[0x7FC00000]> : tensor<1xf32>
  %result = stablehlo.ceil %operand : tensor<1xf32>
  check.expect_almost_eq_const %result, dense<[0x7FC00000]> : tensor<1xf32>
  func.return
}

// -----

func.func @ceil_op_f16() {
  %operand = stablehlo.constant dense<[-2.5, -0.5, 0.25, 3.5]> : tensor<4xf16>
  %result = stablehlo.ceil %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[-2.0, -0.0, 1.0, 4.0]> : tensor<4xf16>
  func.return
}

// -----

func.func @ceil_op_bf16() {
  %operand = stablehlo.constant dense<[-2.5, -0.5, 0.25, 3.5]> : tensor<4xbf16>
  %result = stablehlo.ceil %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[-2.0, -0.0, 1.0, 4.0]> : tensor<4xbf16>
  func.return
}

// -----

func.func @ceil_op_f8E5M2() {
  %operand = stablehlo.constant dense<[-2.5, -0.5, 0.25, 3.5]> : tensor<4xf8E5M2>
  %result = stablehlo.ceil %operand : tensor<4xf8E5M2>
  check.expect_eq_const %result, dense<[-2.0, -0.0, 1.0, 4.0]> : tensor<4xf8E5M2>
  func.return
}

// -----

func.func @ceil_op_f8E3M4() {
  %operand = stablehlo.constant dense<[-2.5, -0.5, 0.25, 3.5]> : tensor<4xf8E3M4>
  %result = stablehlo.ceil %operand : tensor<4xf8E3M4>
  check.expect_eq_const %result, dense<[-2.0, -0.0, 1.0, 4.0]> : tensor<4xf8E3M4>
  func.return
}

// -----

func.func @ceil_op_f4E2M1FN() {
  %operand = stablehlo.constant dense<[-1.5, -0.5, 0.5, 1.5]> : tensor<4xf4E2M1FN>
  %result = stablehlo.ceil %operand : tensor<4xf4E2M1FN>
  check.expect_eq_const %result, dense<[-1.0, -0.0, 1.0, 2.0]> : tensor<4xf4E2M1FN>
  func.return
}
