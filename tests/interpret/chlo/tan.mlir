// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @tan_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-1.5, 0.3, 2.0, 100000.0]> : tensor<4xf32>
  %result = chlo.tan %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[-14.10142, 0.30933627, -2.1850398, -0.035771664]> : tensor<4xf32>
  func.return
}

// -----

func.func @tan_op_f64() {
  %operand = stablehlo.constant dense<[-1.5, 0.3, 2.0, 100000.0]> : tensor<4xf64>
  %result = chlo.tan %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-14.101419947171719, 0.30933624960962325, -2.185039863261519, -0.035771662952898776]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @tan_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[-1.5, 0.3, 2.0]> : tensor<3xf16>
  %result = chlo.tan %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[-14.1, 0.3093, -2.186]> : tensor<3xf16>
  func.return
}

// -----

func.func @tan_op_special_values() {
  %operand = stablehlo.constant dense<[-0.0, 0x7F800000]> : tensor<2xf32>
  %result = chlo.tan %operand : tensor<2xf32> -> tensor<2xf32>
  %expected = stablehlo.constant dense<[-0.0, 0x7FC00000]> : tensor<2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  func.return
}

// -----

func.func @tan_op_complex_f32() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f32>>
  %result = chlo.tan %operand : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.5045007, 0.3124207), (-0.005362061, 1.0369203), (-0.0001873462, -0.999356), (-0.12515788, -0.06340039)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  func.return
}

// -----

func.func @tan_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f64>>
  %result = chlo.tan %operand : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.504500702698564, 0.3124206925025888), (-0.0053620609220030565, 1.036920282100185), (-0.00018734620462947842, -0.9993559873814731), (-0.12515787234847586, -0.06340038949604866)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  func.return
}

// -----

func.func @tan_op_complex_limits() {
  %operand = stablehlo.constant dense<[(0.0, 1.0), (1.0, 30.0)]> : tensor<2xcomplex<f64>>
  %result = chlo.tan %operand : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.0, 0.7615941559557649), (1.5924545408982667e-26, 1.0)]> : tensor<2xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}
