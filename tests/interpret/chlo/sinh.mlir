// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @sinh_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 10.0, 1.0e-05]> : tensor<4xf32>
  %result = chlo.sinh %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[-3.6268604, 0.5210953, 11013.232, 1.0e-05]> : tensor<4xf32>
  func.return
}

// -----

func.func @sinh_op_f64() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 10.0, 1.0e-05]> : tensor<4xf64>
  %result = chlo.sinh %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-3.6268604078470186, 0.5210953054937474, 11013.232874703393, 1.0000000000166668e-05]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @sinh_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 10.0]> : tensor<3xf16>
  %result = chlo.sinh %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[-3.627, 0.521, 11016.0]> : tensor<3xf16>
  func.return
}

// -----

func.func @sinh_op_special_values() {
  %operand = stablehlo.constant dense<[-0.0, 0xFF800000, 100.0]> : tensor<3xf32>
  %result = chlo.sinh %operand : tensor<3xf32> -> tensor<3xf32>
  check.expect_eq_const %result, dense<[-0.0, 0xFF800000, 0x7F800000]> : tensor<3xf32>
  func.return
}

// -----

func.func @sinh_op_complex_f32() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f32>>
  %result = chlo.sinh %operand : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.5048957, 0.27897912), (0.8860929, 2.13904), (-6.54812, 7.6192317), (-0.12508108, -0.062947914)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  func.return
}

// -----

func.func @sinh_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f64>>
  %result = chlo.sinh %operand : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.504895714387995, 0.2789791283502615), (0.8860929093625314, 2.139040009980677), (-6.548120040911002, 7.619231720321411), (-0.1250810780059554, -0.06294791696307481)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  func.return
}

// -----

func.func @sinh_op_complex_limits() {
  %operand = stablehlo.constant dense<[(0x7FF0000000000000, 0.0)]> : tensor<1xcomplex<f64>>
  %result = chlo.sinh %operand : tensor<1xcomplex<f64>> -> tensor<1xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0x7FF0000000000000, 0.0)]> : tensor<1xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<1xcomplex<f64>>, tensor<1xcomplex<f64>>
  func.return
}
