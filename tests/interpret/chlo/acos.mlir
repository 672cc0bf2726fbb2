// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @acos_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-1.0, -0.5, 0.25, 1.0]> : tensor<4xf32>
  %result = chlo.acos %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[3.1415927, 2.0943952, 1.3181161, 0.0]> : tensor<4xf32>
  func.return
}

// -----

func.func @acos_op_f64() {
  %operand = stablehlo.constant dense<[-1.0, -0.5, 0.25, 1.0]> : tensor<4xf64>
  %result = chlo.acos %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[3.141592653589793, 2.0943951023931957, 1.318116071652818, 0.0]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @acos_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[-1.0, -0.5, 0.25]> : tensor<3xf16>
  %result = chlo.acos %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[3.14, 2.094, 1.318]> : tensor<3xf16>
  func.return
}

// -----

func.func @acos_op_special_values() {
  %operand = stablehlo.constant dense<[2.0, 0x7FC00000]> : tensor<2xf32>
  %result = chlo.acos %operand : tensor<2xf32> -> tensor<2xf32>
  %expected = stablehlo.constant dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  func.return
}

// -----

func.func @acos_op_complex_f32() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f32>>
  %result = chlo.acos %operand : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(1.0691875, -0.28139606), (2.1773078, -1.6224941), (0.93681246, 2.305509), (1.6958749, 0.06295052)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  func.return
}

// -----

func.func @acos_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f64>>
  %result = chlo.acos %operand : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.0691874735193958, -0.2813960562452928), (2.1773078449946515, -1.6224941488715938), (0.9368124611557199, 2.305509031243477), (1.6958749424839674, 0.06295051833307995)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  func.return
}

// -----

// On branch cuts the sign of zero tells the side; at infinities as in C99.
func.func @acos_op_complex_limits() {
  %operand = stablehlo.constant dense<[(2.0, 0.0), (2.0, -0.0), (-2.0, 0.0), (0.0, 0x7FF0000000000000), (0xFFF0000000000000, 1.0)]> : tensor<5xcomplex<f64>>
  %result = chlo.acos %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.0, -1.3169578969248168), (0.0, 1.3169578969248168), (3.141592653589793, -1.3169578969248168), (1.5707963267948966, 0xFFF0000000000000), (3.141592653589793, 0xFFF0000000000000)]> : tensor<5xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>
  func.return
}
