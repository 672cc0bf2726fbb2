// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @lgamma_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[0.5, 3.0, -1.5, 100.0]> : tensor<4xf32>
  %result = chlo.lgamma %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0.5723649, 0.6931472, 0.86004704, 359.13422]> : tensor<4xf32>
  func.return
}

// -----

func.func @lgamma_op_f64() {
  %operand = stablehlo.constant dense<[0.5, 3.0, -1.5, 100.0]> : tensor<4xf64>
  %result = chlo.lgamma %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[0.5723649429247001, 0.6931471805599453, 0.860047015376481, 359.1342053695754]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @lgamma_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[0.5, 3.0, -1.5]> : tensor<3xf16>
  %result = chlo.lgamma %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[0.5723, 0.6934, 0.86]> : tensor<3xf16>
  func.return
}

// -----

func.func @lgamma_op_special_values() {
  %operand = stablehlo.constant dense<[0.0, -3.0, 0xFF800000, 1.0]> : tensor<4xf32>
  %result = chlo.lgamma %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0x7F800000, 0x7F800000, 0x7F800000, 0.0]> : tensor<4xf32>
  func.return
}
