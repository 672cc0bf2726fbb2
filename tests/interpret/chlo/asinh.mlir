// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @asinh_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 1.0e-05, 1.0e+30]> : tensor<4xf32>
  %result = chlo.asinh %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[-1.4436355, 0.4812118, 1.0e-05, 69.7707]> : tensor<4xf32>
  func.return
}

// -----

func.func @asinh_op_f64() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 1.0e-05, 1.0e+30]> : tensor<4xf64>
  %result = chlo.asinh %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-1.4436354751788103, 0.48121182505960347, 9.999999999833334e-06, 69.77069997038132]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @asinh_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[-2.0, 0.5, 1.0e-05]> : tensor<3xf16>
  %result = chlo.asinh %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[-1.443, 0.4812, 1.0e-05]> : tensor<3xf16>
  func.return
}

// -----

func.func @asinh_op_special_values() {
  %operand = stablehlo.constant dense<[-0.0, 0xFF800000]> : tensor<2xf32>
  %result = chlo.asinh %operand : tensor<2xf32> -> tensor<2xf32>
  check.expect_eq_const %result, dense<[-0.0, 0xFF800000]> : tensor<2xf32>
  func.return
}

// -----

func.func @asinh_op_complex_f32() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f32>>
  %result = chlo.asinh %operand : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.4926757, 0.22432846), (-1.6004101, 0.88776517), (2.2999141, -0.91761684), (-0.12491595, -0.062055346)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  func.return
}

// -----

func.func @asinh_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f64>>
  %result = chlo.asinh %operand : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.4926756834207706, 0.2243284526346675), (-1.6004100552346137, 0.8877651461839051), (2.2999140408792695, -0.9176168533514787), (-0.12491594773270824, -0.06205534570370498)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  func.return
}

// -----

// On branch cuts the sign of zero tells the side; at infinities as in C99.
func.func @asinh_op_complex_limits() {
  %operand = stablehlo.constant dense<[(0.0, 2.0), (-0.0, 2.0), (0.0, -2.0), (0x7FF0000000000000, 1.0)]> : tensor<4xcomplex<f64>>
  %result = chlo.asinh %operand : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.3169578969248168, 1.5707963267948966), (-1.3169578969248168, 1.5707963267948966), (1.3169578969248168, -1.5707963267948966), (0x7FF0000000000000, 0.0)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  func.return
}
