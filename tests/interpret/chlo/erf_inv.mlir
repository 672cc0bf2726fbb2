// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @erf_inv_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-0.9, 0.1, 0.5, 0.999]> : tensor<4xf32>
  %result = chlo.erf_inv %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[-1.1630871, 0.08885599, 0.47693628, 2.3267562]> : tensor<4xf32>
  func.return
}

// -----

func.func @erf_inv_op_f64() {
  %operand = stablehlo.constant dense<[-0.9, 0.1, 0.5, 0.999]> : tensor<4xf64>
  %result = chlo.erf_inv %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-1.1630871536766743, 0.08885599049425769, 0.4769362762044699, 2.3267537655135246]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @erf_inv_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[-0.9, 0.1, 0.5]> : tensor<3xf16>
  %result = chlo.erf_inv %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[-1.163, 0.0888, 0.477]> : tensor<3xf16>
  func.return
}

// -----

func.func @erf_inv_op_special_values() {
  %operand = stablehlo.constant dense<[-0.0, 1.0, -1.0, 2.0]> : tensor<4xf32>
  %result = chlo.erf_inv %operand : tensor<4xf32> -> tensor<4xf32>
  %expected = stablehlo.constant dense<[-0.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<4xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<4xf32>, tensor<4xf32>
  func.return
}
