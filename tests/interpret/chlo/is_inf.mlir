// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @is_inf_op_f32() {
  %operand = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 1.0]> : tensor<4xf32>
  %result = chlo.is_inf %operand : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, true, false, false]> : tensor<4xi1>
  func.return
}

// -----

// The type has no infinity.
func.func @is_inf_op_f8_without_infinity() {
  %operand = stablehlo.constant dense<[448.0, -448.0]> : tensor<2xf8E4M3FN>
  %result = chlo.is_inf %operand : tensor<2xf8E4M3FN> -> tensor<2xi1>
  check.expect_eq_const %result, dense<false> : tensor<2xi1>
  func.return
}
