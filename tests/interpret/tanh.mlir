// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @tanh_op() {
  %operand = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %result = stablehlo.tanh %operand : tensor<3xf32>
  check.expect_almost_eq_const %result, dense<[-0.76159416, 0.0, 0.76159416]> : tensor<3xf32>
  func.return
}

// -----

func.func @tanh_op_f64() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf64>
  %result = stablehlo.tanh %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[-0.9051482536448664, -0.09966799462495582, 0.2913126124515909, 0.9640275800758169, 0.015623728558408866]> : tensor<5xf64>, tolerance = 2.0e-15
  func.return
}

// -----

// The nearest f32 of the exact results.
func.func @tanh_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf32>
  %result = stablehlo.tanh %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[-0.90514827, -0.099667996, 0.29131263, 0.9640276, 0.015623729]> : tensor<5xf32>
  func.return
}

// -----

// The result is the operand.
func.func @tanh_op_tiny() {
  %operand = stablehlo.constant dense<[1.0e-20, -1.0e-30, 1.0e-45]> : tensor<3xf32>
  %result = stablehlo.tanh %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[1.0e-20, -1.0e-30, 1.0e-45]> : tensor<3xf32>
  func.return
}

// -----

func.func @tanh_op_large() {
  %operand = stablehlo.constant dense<[20.0, -20.0, 1000.0]> : tensor<3xf64>
  %result = stablehlo.tanh %operand : tensor<3xf64>
  check.expect_eq_const %result, dense<[1.0, -1.0, 1.0]> : tensor<3xf64>
  func.return
}

// -----

func.func @tanh_op_f16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf16>
  %result = stablehlo.tanh %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[-0.63525390625, -0.12432861328125, 0.462158203125, 0.9052734375]> : tensor<4xf16>
  func.return
}

// -----

func.func @tanh_op_bf16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xbf16>
  %result = stablehlo.tanh %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[-0.63671875, -0.12451171875, 0.462890625, 0.90625]> : tensor<4xbf16>
  func.return
}

// -----

func.func @tanh_op_f8E4M3() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E4M3>
  %result = stablehlo.tanh %operand : tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[-0.625, -0.125, 0.46875, 0.875]> : tensor<4xf8E4M3>
  func.return
}

// -----

func.func @tanh_op_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E5M2FNUZ>
  %result = stablehlo.tanh %operand : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[-0.625, -0.125, 0.4375, 0.875]> : tensor<4xf8E5M2FNUZ>
  func.return
}

// -----

func.func @tanh_op_special_values() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  %result = stablehlo.tanh %operand : tensor<4xf32>
  check.expect_eq_const %result, dense<[0.0, -0.0, 1.0, -1.0]> : tensor<4xf32>
  func.return
}

// -----

func.func @tanh_op_nan() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000]> : tensor<1xf64>
  %result = stablehlo.tanh %operand : tensor<1xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000]> : tensor<1xf64>
  func.return
}

// -----

func.func @tanh_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.tanh %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(1.0428307283443612, 0.806877412163085), (-0.9753632850312356, 0.16080778591620642), (0.9653858790221331, 0.009884375038322494)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}

// -----

func.func @tanh_op_complex_f32_rounds_once() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.tanh %operand : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0428307, 0.80687743), (-0.9753633, 0.16080779), (0.96538585, 0.009884375)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

// The signs of zeros are those of the operand.
func.func @tanh_op_complex_zeros() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (-0.0, -0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.tanh %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (-0.0, -0.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

// Hyperbolic functions of the real part overflow.
func.func @tanh_op_complex_ends_of_the_range() {
  %operand = stablehlo.constant dense<[(200.0, 1.0), (-1000.0, 2.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.tanh %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 0.0), (-1.0, -0.0)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

// As C99, Annex G.
func.func @tanh_op_complex_infinities() {
  %operand = stablehlo.constant dense<[(0x7F800000, 1.0), (0xFF800000, 1.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.tanh %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 0.0), (-1.0, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}
