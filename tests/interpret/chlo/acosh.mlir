// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The nearest f32 of the exact results.
func.func @acosh_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[1.0, 1.5, 2.0, 10000000000.0]> : tensor<4xf32>
  %result = chlo.acosh %operand : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0.0, 0.9624236, 1.316958, 23.718998]> : tensor<4xf32>
  func.return
}

// -----

func.func @acosh_op_f64() {
  %operand = stablehlo.constant dense<[1.0, 1.5, 2.0, 10000000000.0]> : tensor<4xf64>
  %result = chlo.acosh %operand : tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[0.0, 0.9624236501192069, 1.3169578969248168, 23.7189981105004]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @acosh_op_f16_rounds_once() {
  %operand = stablehlo.constant dense<[1.0, 1.5, 2.0]> : tensor<3xf16>
  %result = chlo.acosh %operand : tensor<3xf16> -> tensor<3xf16>
  check.expect_eq_const %result, dense<[0.0, 0.9624, 1.317]> : tensor<3xf16>
  func.return
}

// -----

func.func @acosh_op_special_values() {
  %operand = stablehlo.constant dense<[0.5, 0x7F800000]> : tensor<2xf32>
  %result = chlo.acosh %operand : tensor<2xf32> -> tensor<2xf32>
  %expected = stablehlo.constant dense<[0x7FC00000, 0x7F800000]> : tensor<2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  func.return
}

// -----

func.func @acosh_op_complex_f32() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f32>>
  %result = chlo.acosh %operand : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.28139606, 1.0691875), (1.6224941, 2.1773078), (2.305509, -0.93681246), (0.06295052, -1.6958749)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  func.return
}

// -----

func.func @acosh_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (-0.125, -0.0625)]> : tensor<4xcomplex<f64>>
  %result = chlo.acosh %operand : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.2813960562452928, 1.0691874735193958), (1.6224941488715938, 2.1773078449946515), (2.305509031243477, -0.9368124611557199), (0.06295051833307995, -1.6958749424839674)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  func.return
}

// -----

// On branch cuts the sign of zero tells the side; at infinities as in C99.
func.func @acosh_op_complex_limits() {
  %operand = stablehlo.constant dense<[(-2.0, 0.0), (-2.0, -0.0), (0.5, 0.0), (0xFFF0000000000000, 1.0)]> : tensor<4xcomplex<f64>>
  %result = chlo.acosh %operand : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.3169578969248168, 3.141592653589793), (1.3169578969248168, -3.141592653589793), (0.0, 1.0471975511965979), (0x7FF0000000000000, 3.141592653589793)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  func.return
}
