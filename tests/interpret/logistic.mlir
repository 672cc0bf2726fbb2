// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @logistic_op() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf64>
  %result = stablehlo.logistic %operand : tensor<2x2xf64>
  check.expect_almost_eq_const %result, dense<[[0.5, 0.73105858], [0.88079708, 0.95257413]]> : tensor<2x2xf64>
  func.return
}

// -----

func.func @logistic_op_f64() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf64>
  %result = stablehlo.logistic %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[0.18242552380635635, 0.47502081252106, 0.574442516811659, 0.8807970779778824, 0.5039061705290805]> : tensor<5xf64>, tolerance = 2.0e-15
  func.return
}

// -----

// The nearest f32 of the exact results.
func.func @logistic_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf32>
  %result = stablehlo.logistic %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0.18242553, 0.47502083, 0.5744425, 0.8807971, 0.5039062]> : tensor<5xf32>
  func.return
}

// -----

func.func @logistic_op_large() {
  %operand = stablehlo.constant dense<[-90.0, -30.0, 30.0, 90.0]> : tensor<4xf32>
  %result = stablehlo.logistic %operand : tensor<4xf32>
  check.expect_eq_const %result, dense<[8.19401e-40, 9.357623e-14, 1.0, 1.0]> : tensor<4xf32>
  func.return
}

// -----

func.func @logistic_op_f16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf16>
  %result = stablehlo.logistic %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[0.32080078125, 0.46875, 0.62255859375, 0.8173828125]> : tensor<4xf16>
  func.return
}

// -----

func.func @logistic_op_bf16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xbf16>
  %result = stablehlo.logistic %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[0.3203125, 0.46875, 0.62109375, 0.81640625]> : tensor<4xbf16>
  func.return
}

// -----

func.func @logistic_op_f8E4M3() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E4M3>
  %result = stablehlo.logistic %operand : tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[0.3125, 0.46875, 0.625, 0.8125]> : tensor<4xf8E4M3>
  func.return
}

// -----

func.func @logistic_op_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E5M2FNUZ>
  %result = stablehlo.logistic %operand : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[0.3125, 0.5, 0.625, 0.875]> : tensor<4xf8E5M2FNUZ>
  func.return
}

// -----

func.func @logistic_op_special_values() {
  %operand = stablehlo.constant dense<[-0.0, 0x7F800000, 0xFF800000]> : tensor<3xf32>
  %result = stablehlo.logistic %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[0.5, 1.0, 0.0]> : tensor<3xf32>
  func.return
}

// -----

func.func @logistic_op_nan() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000]> : tensor<1xf64>
  %result = stablehlo.logistic %operand : tensor<1xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000]> : tensor<1xf64>
  func.return
}

// -----

func.func @logistic_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.logistic %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.6562103462512944, 0.252250351349282), (0.19430340684287356, 0.13007813519759717), (1.1541476496139678, -0.02545268116361431)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}

// -----

func.func @logistic_op_complex_f32_rounds_once() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.logistic %operand : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.65621036, 0.25225034), (0.19430341, 0.13007814), (1.1541476, -0.02545268)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

// The signs of zeros are those of the operand.
func.func @logistic_op_complex_zeros() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (0.0, -0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.logistic %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.5, 0.0), (0.5, -0.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

// The exponential overflows.
func.func @logistic_op_complex_ends_of_the_range() {
  %operand = stablehlo.constant dense<[(-200.0, 1.0), (200.0, 1.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.logistic %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

func.func @logistic_op_complex_infinities() {
  %operand = stablehlo.constant dense<[(0x7F800000, 1.0), (0xFF800000, 1.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.logistic %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 0.0), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}
