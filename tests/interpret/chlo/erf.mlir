// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @erf_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-2.0, -0.5, 0.3, 1.5]> : tensor<4xf32>
  %result = chlo.erf %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[-0.9953223, -0.5204999, 0.32862678, 0.96610516]> : tensor<4xf32>
  func.return
}

// -----

func.func @erf_op_f64() {
  %operand = stablehlo.constant dense<[-2.0, -0.5, 0.3, 1.5]> : tensor<4xf64>
  %result = chlo.erf %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-0.9953222650189527, -0.5204998778130465, 0.3286267594591274, 0.9661051464753108]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @erf_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[-2.0, -0.5, 0.3]> : tensor<3xf16>
  %result = chlo.erf %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[-0.995, -0.5205, 0.3286]> : tensor<3xf16>
  func.return
}

// -----

func.func @erf_op_special_values() {
  %operand = stablehlo.constant dense<[-0.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<4xf32>
  %result = chlo.erf %operand : tensor<4xf32> -> tensor<4xf32>
  %expected = stablehlo.constant dense<[-0.0, 1.0, -1.0, 0x7FC00000]> : tensor<4xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<4xf32>, tensor<4xf32>
  func.return
}
