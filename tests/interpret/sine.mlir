// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @sine_op() {
  %operand = stablehlo.constant dense<[[0.0, 1.57079632], [3.14159265, 4.71238898]]> : tensor<2x2xf32>
  %result = stablehlo.sine %operand : tensor<2x2xf32>
  check.expect_almost_eq_const %result, dense<[[0.0, 1.0], [0.0, -1.0]]> : tensor<2x2xf32>
  func.return
}

// -----

func.func @sine_op_f64() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf64>
  %result = stablehlo.sine %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[-0.9974949866040544, -0.09983341664682815, 0.29552020666133955, 0.9092974268256817, 0.015624364224883372]> : tensor<5xf64>, tolerance = 2.0e-15
  func.return
}

// -----

// The nearest f32 of the exact results.
func.func @sine_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf32>
  %result = stablehlo.sine %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[-0.997495, -0.09983342, 0.29552022, 0.9092974, 0.015624364]> : tensor<5xf32>
  func.return
}

// -----

// Multiples of pi are taken off without losing digits.
func.func @sine_op_large() {
  %operand = stablehlo.constant dense<[1.0e5, 1.0e10, 3.0e38]> : tensor<3xf32>
  %result = stablehlo.sine %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[0.0357488, -0.48750603, 0.8749049]> : tensor<3xf32>
  func.return
}

// -----

// The result is the operand.
func.func @sine_op_tiny() {
  %operand = stablehlo.constant dense<[1.0e-20, -1.0e-30, 1.0e-45]> : tensor<3xf32>
  %result = stablehlo.sine %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[1.0e-20, -1.0e-30, 1.0e-45]> : tensor<3xf32>
  func.return
}

// -----

func.func @sine_op_f16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf16>
  %result = stablehlo.sine %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[-0.681640625, -0.12469482421875, 0.4794921875, 0.99755859375]> : tensor<4xf16>
  func.return
}

// -----

func.func @sine_op_bf16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xbf16>
  %result = stablehlo.sine %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[-0.6796875, -0.12451171875, 0.478515625, 0.99609375]> : tensor<4xbf16>
  func.return
}

// -----

func.func @sine_op_f8E4M3() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E4M3>
  %result = stablehlo.sine %operand : tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[-0.6875, -0.125, 0.46875, 1.0]> : tensor<4xf8E4M3>
  func.return
}

// -----

func.func @sine_op_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E5M2FNUZ>
  %result = stablehlo.sine %operand : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[-0.625, -0.125, 0.5, 1.0]> : tensor<4xf8E5M2FNUZ>
  func.return
}

// -----

func.func @sine_op_special_values() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %result = stablehlo.sine %operand : tensor<2xf32>
  check.expect_eq_const %result, dense<[0.0, -0.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @sine_op_nan() {
  %operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  %result = stablehlo.sine %operand : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}

// -----

func.func @sine_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.sine %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.7397922644560138, 1.0313360742545512), (-1.2286345240950955, 0.2592948545511628), (9.15449914691143, 4.168906959966565)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}

// -----

func.func @sine_op_complex_f32_rounds_once() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.sine %operand : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.7397923, 1.0313361), (-1.2286345, 0.25929487), (9.154499, 4.168907)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

// The signs of zeros are those of the operand.
func.func @sine_op_complex_zeros() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (-0.0, -0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.sine %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (-0.0, -0.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

// The exponential overflows, its half times a small factor does not.
func.func @sine_op_complex_ends_of_the_range() {
  %operand = stablehlo.constant dense<[(0.001, 92.0)]> : tensor<1xcomplex<f32>>
  %result = stablehlo.sine %operand : tensor<1xcomplex<f32>>
  check.expect_eq_const %result, dense<[(4.5088136e+36, 0x7F800000)]> : tensor<1xcomplex<f32>>
  func.return
}
