// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @digamma_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[0.5, 1.0, -1.5, 100.0]> : tensor<4xf32>
  %result = chlo.digamma %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[-1.96351, -0.5772157, 0.70315665, 4.600162]> : tensor<4xf32>
  func.return
}

// -----

func.func @digamma_op_f64() {
  %operand = stablehlo.constant dense<[0.5, 1.0, -1.5, 100.0]> : tensor<4xf64>
  %result = chlo.digamma %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-1.9635100260214235, -0.5772156649015329, 0.7031566406452432, 4.600161852738087]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @digamma_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[0.5, 1.0, -1.5]> : tensor<3xf16>
  %result = chlo.digamma %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[-1.964, -0.577, 0.703]> : tensor<3xf16>
  func.return
}

// -----

func.func @digamma_op_special_values() {
  %operand = stablehlo.constant dense<[0.0, -3.0, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  %result = chlo.digamma %operand : tensor<4xf32> -> tensor<4xf32>
  %expected = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0x7F800000, 0x7FC00000]> : tensor<4xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<4xf32>, tensor<4xf32>
  func.return
}
