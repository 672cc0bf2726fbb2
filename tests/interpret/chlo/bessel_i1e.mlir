// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @bessel_i1e_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-1.0, 0.5, 7.5, 50.0]> : tensor<4xf32>
  %result = chlo.bessel_i1e %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[-0.20791042, 0.1564208, 0.13804121, 0.055993125]> : tensor<4xf32>
  func.return
}

// -----

func.func @bessel_i1e_op_f64() {
  %operand = stablehlo.constant dense<[-1.0, 0.5, 7.5, 50.0]> : tensor<4xf64>
  %result = chlo.bessel_i1e %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-0.20791041534970844, 0.1564208031848717, 0.1380412115485542, 0.0559931238928954]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @bessel_i1e_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[-1.0, 0.5, 7.5]> : tensor<3xf16>
  %result = chlo.bessel_i1e %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[-0.2079, 0.1564, 0.1381]> : tensor<3xf16>
  func.return
}

// -----

func.func @bessel_i1e_op_special_values() {
  %operand = stablehlo.constant dense<[-0.0, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
  %result = chlo.bessel_i1e %operand : tensor<3xf32> -> tensor<3xf32>
  %expected = stablehlo.constant dense<[-0.0, 0.0, 0x7FC00000]> : tensor<3xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<3xf32>, tensor<3xf32>
  func.return
}
