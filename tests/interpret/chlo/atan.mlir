// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @atan_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 1.0, 10000000000.0]> : tensor<4xf32>
  %result = chlo.atan %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[-1.1071488, 0.4636476, 0.7853982, 1.5707964]> : tensor<4xf32>
  func.return
}

// -----

func.func @atan_op_f64() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 1.0, 10000000000.0]> : tensor<4xf64>
  %result = chlo.atan %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-1.1071487177940904, 0.4636476090008061, 0.7853981633974483, 1.5707963266948965]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @atan_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 1.0]> : tensor<3xf16>
  %result = chlo.atan %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[-1.107, 0.4636, 0.785]> : tensor<3xf16>
  func.return
}

// -----

func.func @atan_op_special_values() {
  %operand = stablehlo.constant dense<[-0.0, 0x7FC00000]> : tensor<2xf32>
  %result = chlo.atan %operand : tensor<2xf32> -> tensor<2xf32>
  %expected = stablehlo.constant dense<[-0.0, 0x7FC00000]> : tensor<2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  func.return
}

// -----

func.func @atan_op_complex_f32() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f32>>
  %result = chlo.atan %operand : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.48425448, 0.20058662), (-1.3112233, 0.3104283), (1.448307, -0.1589972), (-0.12483014, -0.06161265)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  func.return
}

// -----

func.func @atan_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f64>>
  %result = chlo.atan %operand : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.4842544903299662, 0.20058661813123432), (-1.311223269671635, 0.3104282830771958), (1.4483069952314644, -0.15899719167999918), (-0.12483013843176916, -0.061612651365706914)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  func.return
}

// -----

// On branch cuts the sign of zero tells the side; at infinities as in C99.
func.func @atan_op_complex_limits() {
  %operand = stablehlo.constant dense<[(0.0, 2.0), (-0.0, 2.0), (0x7FF0000000000000, 1.0)]> : tensor<3xcomplex<f64>>
  %result = chlo.atan %operand : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.5707963267948966, 0.5493061443340549), (-1.5707963267948966, 0.5493061443340549), (1.5707963267948966, 0.0)]> : tensor<3xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
  func.return
}
