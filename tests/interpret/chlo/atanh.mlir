// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @atanh_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-0.5, 0.25, 0.9, 1.0e-05]> : tensor<4xf32>
  %result = chlo.atanh %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[-0.54930615, 0.25541282, 1.4722193, 1.0e-05]> : tensor<4xf32>
  func.return
}

// -----

func.func @atanh_op_f64() {
  %operand = stablehlo.constant dense<[-0.5, 0.25, 0.9, 1.0e-05]> : tensor<4xf64>
  %result = chlo.atanh %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-0.5493061443340549, 0.25541281188299536, 1.4722194895832204, 1.0000000000333334e-05]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @atanh_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[-0.5, 0.25, 0.9]> : tensor<3xf16>
  %result = chlo.atanh %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[-0.5493, 0.2554, 1.472]> : tensor<3xf16>
  func.return
}

// -----

func.func @atanh_op_special_values() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 2.0, -0.0]> : tensor<4xf32>
  %result = chlo.atanh %operand : tensor<4xf32> -> tensor<4xf32>
  %expected = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, -0.0]> : tensor<4xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<4xf32>, tensor<4xf32>
  func.return
}

// -----

func.func @atanh_op_complex_f32() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f32>>
  %result = chlo.atanh %operand : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.50037, 0.31439814), (-0.22008967, 1.245258), (0.11750091, -1.409921), (-0.12515536, -0.06340299)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  func.return
}

// -----

func.func @atanh_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f64>>
  %result = chlo.atanh %operand : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.5003700000525311, 0.3143981432077165), (-0.22008968066202292, 1.2452579660726568), (0.1175009073114339, -1.4099210495965755), (-0.12515536339793726, -0.06340298501550358)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  func.return
}

// -----

// On branch cuts the sign of zero tells the side; at infinities as in C99.
func.func @atanh_op_complex_limits() {
  %operand = stablehlo.constant dense<[(2.0, 0.0), (2.0, -0.0), (1.0, 0x7FF0000000000000)]> : tensor<3xcomplex<f64>>
  %result = chlo.atanh %operand : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.5493061443340549, 1.5707963267948966), (0.5493061443340549, -1.5707963267948966), (0.0, 1.5707963267948966)]> : tensor<3xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
  func.return
}
