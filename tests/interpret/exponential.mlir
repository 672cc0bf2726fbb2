// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @exponential_op() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf64>
  %result = stablehlo.exponential %operand : tensor<2x2xf64>
  check.expect_almost_eq_const %result, dense<[[1.0, 2.7182818284590451], [7.3890560989306504, 20.085536923187668]]> : tensor<2x2xf64>
  func.return
}

// -----

func.func @exponential_op_f64() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf64>
  %result = stablehlo.exponential %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[0.22313016014842982, 0.9048374180359595, 1.3498588075760032, 7.38905609893065, 1.0157477085866857]> : tensor<5xf64>, tolerance = 2.0e-15
  func.return
}

// -----

// The nearest f32 of the exact results.
func.func @exponential_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf32>
  %result = stablehlo.exponential %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0.22313017, 0.9048374, 1.3498589, 7.389056, 1.0157477]> : tensor<5xf32>
  func.return
}

// -----

func.func @exponential_op_ends_of_the_range() {
  %operand = stablehlo.constant dense<[88.7, 89.0, -103.0, -104.0]> : tensor<4xf32>
  %result = stablehlo.exponential %operand : tensor<4xf32>
  check.expect_eq_const %result, dense<[3.3259769e+38, 0x7F800000, 1.0e-45, 0.0]> : tensor<4xf32>
  func.return
}

// -----

func.func @exponential_op_f16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf16>
  %result = stablehlo.exponential %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[0.472412109375, 0.88232421875, 1.6484375, 4.48046875]> : tensor<4xf16>
  func.return
}

// -----

func.func @exponential_op_bf16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xbf16>
  %result = stablehlo.exponential %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[0.47265625, 0.8828125, 1.6484375, 4.46875]> : tensor<4xbf16>
  func.return
}

// -----

func.func @exponential_op_f8E4M3() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E4M3>
  %result = stablehlo.exponential %operand : tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[0.46875, 0.875, 1.625, 4.5]> : tensor<4xf8E4M3>
  func.return
}

// -----

func.func @exponential_op_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E5M2FNUZ>
  %result = stablehlo.exponential %operand : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[0.5, 0.875, 1.75, 4.0]> : tensor<4xf8E5M2FNUZ>
  func.return
}

// -----

func.func @exponential_op_special_values() {
  %operand = stablehlo.constant dense<[-0.0, 0x7F800000, 0xFF800000]> : tensor<3xf32>
  %result = stablehlo.exponential %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[1.0, 0x7F800000, 0.0]> : tensor<3xf32>
  func.return
}

// -----

func.func @exponential_op_nan() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000]> : tensor<1xf64>
  %result = stablehlo.exponential %operand : tensor<1xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000]> : tensor<1xf64>
  func.return
}

// -----

func.func @exponential_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.exponential %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.8908079042931286, 1.3873511113297634), (0.20963237074155633, 0.19529277447251722), (-7.315110094901103, -1.0427436562359045)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}

// -----

func.func @exponential_op_complex_f32_rounds_once() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.exponential %operand : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.8908079, 1.3873512), (0.20963237, 0.19529277), (-7.31511, -1.0427437)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

// The signs of zeros are those of the operand.
func.func @exponential_op_complex_zeros() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (0.0, -0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.exponential %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 0.0), (1.0, -0.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

// The exponential overflows, its product with a small factor does not.
func.func @exponential_op_complex_ends_of_the_range() {
  %operand = stablehlo.constant dense<[(89.0, 1.5708)]> : tensor<1xcomplex<f32>>
  %result = stablehlo.exponential %operand : tensor<1xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-1.6252355e+33, 0x7F800000)]> : tensor<1xcomplex<f32>>
  func.return
}

// -----

// As C99, Annex G.
func.func @exponential_op_complex_infinities() {
  %operand = stablehlo.constant dense<[(0xFF800000, 1.0), (0x7F800000, 0.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.exponential %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (0x7F800000, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}
