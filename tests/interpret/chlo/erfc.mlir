// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @erfc_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 3.0, 9.0]> : tensor<4xf32>
  %result = chlo.erfc %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[1.9953222, 0.47950011, 2.2090497e-05, 4.1370317e-37]> : tensor<4xf32>
  func.return
}

// -----

func.func @erfc_op_f64() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 3.0, 9.0]> : tensor<4xf64>
  %result = chlo.erfc %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[1.9953222650189528, 0.4795001221869535, 2.209049699858544e-05, 4.13703174651381e-37]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @erfc_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf16>
  %result = chlo.erfc %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[1.995, 0.4795, 2.21e-05]> : tensor<3xf16>
  func.return
}

// -----

func.func @erfc_op_special_values() {
  %operand = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %result = chlo.erfc %operand : tensor<3xf32> -> tensor<3xf32>
  %expected = stablehlo.constant dense<[0.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<3xf32>, tensor<3xf32>
  func.return
}
