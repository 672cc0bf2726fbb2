// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @round_nearest_even_op() {
  %operand = stablehlo.constant dense<[-2.5, 0.4, 0.5, 0.6, 2.5]> : tensor<5xf64>
  %result = stablehlo.round_nearest_even %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[-2.0, 0.0, 0.0, 1.0, 2.0]> : tensor<5xf64>
  func.return
}

// -----

func.func @round_nearest_even_op_halves() {
  %operand = stablehlo.constant dense<[-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5]> : tensor<8xf32>
  %result = stablehlo.round_nearest_even %operand : tensor<8xf32>
  check.expect_eq_const %result, dense<[-4.0, -2.0, -2.0, -0.0, 0.0, 2.0, 2.0, 4.0]> : tensor<8xf32>
  func.return
}

// -----

// Adding 0.5 to it gives 1.
func.func @round_nearest_even_op_just_below_half() {
  %operand = stablehlo.constant dense<[0.49999997, -0.49999997]> : tensor<2xf32>
  %result = stablehlo.round_nearest_even %operand : tensor<2xf32>
  check.expect_eq_const %result, dense<[0.0, -0.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @round_nearest_even_op_just_below_half_f64() {
  %operand = stablehlo.constant dense<[0.49999999999999994, -0.49999999999999994]> : tensor<2xf64>
  %result = stablehlo.round_nearest_even %operand : tensor<2xf64>
  check.expect_eq_const %result, dense<[0.0, -0.0]> : tensor<2xf64>
  func.return
}

// -----

// Above 2^23, all numbers are integers.
func.func @round_nearest_even_op_large() {
  %operand = stablehlo.constant dense<[8388609.0, 16777215.0, -8388607.5]> : tensor<3xf32>
  %result = stablehlo.round_nearest_even %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[8388609.0, 16777215.0, -8388608.0]> : tensor<3xf32>
  func.return
}

// -----

func.func @round_nearest_even_op_special_values() {
  %operand = stablehlo.constant dense<[-0.0, 0x7F800000, 0xFF800000, 0.0]> : tensor<4xf32>
  %result = stablehlo.round_nearest_even %operand : tensor<4xf32>
  check.expect_eq_const %result, dense<[-0.0, 0x7F800000, 0xFF800000, 0.0]> : tensor<4xf32>
  func.return
}

// -----

func.func @round_nearest_even_op_nan() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000]> : tensor<1xf64>
  %result = stablehlo.round_nearest_even %operand : tensor<1xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000]> : tensor<1xf64>
  func.return
}

// -----

func.func @round_nearest_even_op_f16() {
  %operand = stablehlo.constant dense<[-2.5, 0.5, 1.5, 2.25]> : tensor<4xf16>
  %result = stablehlo.round_nearest_even %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[-2.0, 0.0, 2.0, 2.0]> : tensor<4xf16>
  func.return
}

// -----

func.func @round_nearest_even_op_bf16() {
  %operand = stablehlo.constant dense<[-2.5, 0.5, 1.5, 2.25]> : tensor<4xbf16>
  %result = stablehlo.round_nearest_even %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[-2.0, 0.0, 2.0, 2.0]> : tensor<4xbf16>
  func.return
}

// -----

func.func @round_nearest_even_op_f8E4M3FN() {
  %operand = stablehlo.constant dense<[-2.5, 0.5, 1.5, 2.25]> : tensor<4xf8E4M3FN>
  %result = stablehlo.round_nearest_even %operand : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[-2.0, 0.0, 2.0, 2.0]> : tensor<4xf8E4M3FN>
  func.return
}
