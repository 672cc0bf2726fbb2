// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @asin_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-1.0, -0.5, 0.25, 1.0]> : tensor<4xf32>
  %result = chlo.asin %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[-1.5707964, -0.5235988, 0.25268024, 1.5707964]> : tensor<4xf32>
  func.return
}

// -----

func.func @asin_op_f64() {
  %operand = stablehlo.constant dense<[-1.0, -0.5, 0.25, 1.0]> : tensor<4xf64>
  %result = chlo.asin %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-1.5707963267948966, -0.5235987755982989, 0.25268025514207865, 1.5707963267948966]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @asin_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[-1.0, -0.5, 0.25]> : tensor<3xf16>
  %result = chlo.asin %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[-1.57, -0.5234, 0.2527]> : tensor<3xf16>
  func.return
}

// -----

func.func @asin_op_special_values() {
  %operand = stablehlo.constant dense<[2.0, -0.0]> : tensor<2xf32>
  %result = chlo.asin %operand : tensor<2xf32> -> tensor<2xf32>
  %expected = stablehlo.constant dense<[0x7FC00000, -0.0]> : tensor<2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  func.return
}

// -----

func.func @asin_op_complex_f32() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f32>>
  %result = chlo.asin %operand : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.50160885, 0.28139606), (-0.60651153, 1.6224941), (0.63398385, -2.305509), (-0.12507862, -0.06295052)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  func.return
}

// -----

func.func @asin_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f64>>
  %result = chlo.asin %operand : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.5016088532755008, 0.2813960562452928), (-0.6065115181997548, 1.6224941488715938), (0.6339838656391767, -2.305509031243477), (-0.1250786156890709, -0.06295051833307995)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  func.return
}

// -----

// On branch cuts the sign of zero tells the side; at infinities as in C99.
func.func @asin_op_complex_limits() {
  %operand = stablehlo.constant dense<[(2.0, 0.0), (2.0, -0.0), (-2.0, 0.0), (0.0, 0x7FF0000000000000), (1.0, 0x7FF0000000000000)]> : tensor<5xcomplex<f64>>
  %result = chlo.asin %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.5707963267948966, 1.3169578969248168), (1.5707963267948966, -1.3169578969248168), (-1.5707963267948966, 1.3169578969248168), (0.0, 0x7FF0000000000000), (0.0, 0x7FF0000000000000)]> : tensor<5xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>
  func.return
}
