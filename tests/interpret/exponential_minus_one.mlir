// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @exponential_minus_one_op() {
  %operand = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %result = stablehlo.exponential_minus_one %operand : tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0.0, 1.71828187]> : tensor<2xf64>
  func.return
}

// -----

func.func @exponential_minus_one_op_f64() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf64>
  %result = stablehlo.exponential_minus_one %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[-0.7768698398515702, -0.09516258196404043, 0.3498588075760031, 6.38905609893065, 0.015747708586685748]> : tensor<5xf64>, tolerance = 2.0e-15
  func.return
}

// -----

// The nearest f32 of the exact results.
func.func @exponential_minus_one_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf32>
  %result = stablehlo.exponential_minus_one %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[-0.77686983, -0.095162585, 0.34985882, 6.389056, 0.01574771]> : tensor<5xf32>
  func.return
}

// -----

// The result is the operand.
func.func @exponential_minus_one_op_tiny() {
  %operand = stablehlo.constant dense<[1.0e-20, -1.0e-30, 1.0e-45]> : tensor<3xf32>
  %result = stablehlo.exponential_minus_one %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[1.0e-20, -1.0e-30, 1.0e-45]> : tensor<3xf32>
  func.return
}

// -----

func.func @exponential_minus_one_op_f16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf16>
  %result = stablehlo.exponential_minus_one %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[-0.52783203125, -0.11749267578125, 0.64892578125, 3.482421875]> : tensor<4xf16>
  func.return
}

// -----

func.func @exponential_minus_one_op_bf16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xbf16>
  %result = stablehlo.exponential_minus_one %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[-0.52734375, -0.11767578125, 0.6484375, 3.484375]> : tensor<4xbf16>
  func.return
}

// -----

func.func @exponential_minus_one_op_f8E4M3() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E4M3>
  %result = stablehlo.exponential_minus_one %operand : tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[-0.5, -0.1171875, 0.625, 3.5]> : tensor<4xf8E4M3>
  func.return
}

// -----

func.func @exponential_minus_one_op_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E5M2FNUZ>
  %result = stablehlo.exponential_minus_one %operand : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[-0.5, -0.125, 0.625, 3.5]> : tensor<4xf8E5M2FNUZ>
  func.return
}

// -----

func.func @exponential_minus_one_op_special_values() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  %result = stablehlo.exponential_minus_one %operand : tensor<4xf32>
  check.expect_eq_const %result, dense<[0.0, -0.0, 0x7F800000, -1.0]> : tensor<4xf32>
  func.return
}

// -----

func.func @exponential_minus_one_op_nan() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000]> : tensor<1xf64>
  %result = stablehlo.exponential_minus_one %operand : tensor<1xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000]> : tensor<1xf64>
  func.return
}

// -----

func.func @exponential_minus_one_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.exponential_minus_one %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(-0.10919209570687138, 1.3873511113297634), (-0.7903676292584437, 0.19529277447251722), (-8.315110094901103, -1.0427436562359045)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}

// -----

func.func @exponential_minus_one_op_complex_f32_rounds_once() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.exponential_minus_one %operand : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-0.109192096, 1.3873512), (-0.7903676, 0.19529277), (-8.31511, -1.0427437)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

// The signs of zeros are those of the operand.
func.func @exponential_minus_one_op_complex_zeros() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (-0.0, -0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.exponential_minus_one %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (-0.0, -0.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

// Where exp(z) is rounded to 1, and where its real part nearly is.
func.func @exponential_minus_one_op_complex_does_not_cancel() {
  %operand = stablehlo.constant dense<[(1.0e-20, 1.0e-20), (0.005, 0.1)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.exponential_minus_one %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0e-20, 1.0e-20), (-8.35585e-06, 0.10033383)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

func.func @exponential_minus_one_op_complex_infinities() {
  %operand = stablehlo.constant dense<[(0xFF800000, 1.0), (0x7F800000, 0.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.exponential_minus_one %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-1.0, 0.0), (0x7F800000, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}
