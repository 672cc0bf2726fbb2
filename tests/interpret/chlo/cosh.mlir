// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @cosh_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 10.0, 0.0]> : tensor<4xf32>
  %result = chlo.cosh %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[3.7621956, 1.127626, 11013.233, 1.0]> : tensor<4xf32>
  func.return
}

// -----

func.func @cosh_op_f64() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 10.0, 0.0]> : tensor<4xf64>
  %result = chlo.cosh %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[3.7621956910836314, 1.1276259652063807, 11013.232920103323, 1.0]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @cosh_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 10.0]> : tensor<3xf16>
  %result = chlo.cosh %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[3.762, 1.128, 11016.0]> : tensor<3xf16>
  func.return
}

// -----

func.func @cosh_op_special_values() {
  %operand = stablehlo.constant dense<[0xFF800000, 100.0, 0x7FC00000]> : tensor<3xf32>
  %result = chlo.cosh %operand : tensor<3xf32> -> tensor<3xf32>
  %expected = stablehlo.constant dense<[0x7F800000, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<3xf32>, tensor<3xf32>
  func.return
}

// -----

func.func @cosh_op_complex_f32() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f32>>
  %result = chlo.cosh %operand : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(1.0925708, 0.12892105), (-0.9789478, -1.9361483), (-6.580663, 7.5815525), (1.005855, 0.0078277625)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  func.return
}

// -----

func.func @cosh_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f64>>
  %result = chlo.cosh %operand : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.0925708047319176, 0.12892104172809826), (-0.9789478196465577, -1.9361483295105073), (-6.580663040551157, 7.581552742746545), (1.0058549148310587, 0.007827762429627533)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  func.return
}

// -----

func.func @cosh_op_complex_limits() {
  %operand = stablehlo.constant dense<[(0x7FF0000000000000, 0.0)]> : tensor<1xcomplex<f64>>
  %result = chlo.cosh %operand : tensor<1xcomplex<f64>> -> tensor<1xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0x7FF0000000000000, 0.0)]> : tensor<1xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<1xcomplex<f64>>, tensor<1xcomplex<f64>>
  func.return
}
