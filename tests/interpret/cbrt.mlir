// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @cbrt_op() {
  %operand = stablehlo.constant dense<[0.0, 1.0, 8.0, 27.0]> : tensor<4xf64>
  %result = stablehlo.cbrt %operand : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf64>
  func.return
}

// -----

func.func @cbrt_op_f64() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf64>
  %result = stablehlo.cbrt %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[-1.1447142425533319, -0.4641588833612779, 0.6694329500821695, 1.2599210498948732, 0.25]> : tensor<5xf64>, tolerance = 2.0e-15
  func.return
}

// -----

// The nearest f32 of the exact results.
func.func @cbrt_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf32>
  %result = stablehlo.cbrt %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[-1.1447142, -0.4641589, 0.66943294, 1.2599211, 0.25]> : tensor<5xf32>
  func.return
}

// -----

func.func @cbrt_op_f16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf16>
  %result = stablehlo.cbrt %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[-0.90869140625, -0.5, 0.79345703125, 1.14453125]> : tensor<4xf16>
  func.return
}

// -----

func.func @cbrt_op_bf16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xbf16>
  %result = stablehlo.cbrt %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[-0.91015625, -0.5, 0.79296875, 1.1484375]> : tensor<4xbf16>
  func.return
}

// -----

func.func @cbrt_op_f8E4M3() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E4M3>
  %result = stablehlo.cbrt %operand : tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[-0.9375, -0.5, 0.8125, 1.125]> : tensor<4xf8E4M3>
  func.return
}

// -----

func.func @cbrt_op_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E5M2FNUZ>
  %result = stablehlo.cbrt %operand : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[-0.875, -0.5, 0.75, 1.25]> : tensor<4xf8E5M2FNUZ>
  func.return
}

// -----

func.func @cbrt_op_special_values() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  %result = stablehlo.cbrt %operand : tensor<4xf32>
  check.expect_eq_const %result, dense<[0.0, -0.0, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  func.return
}

// -----

func.func @cbrt_op_nan() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000]> : tensor<1xf64>
  %result = stablehlo.cbrt %operand : tensor<1xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000]> : tensor<1xf64>
  func.return
}

// -----

func.func @cbrt_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.cbrt %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.968010263876075, 0.3743974813570646), (0.7336904208583991, 0.8644878030774887), (1.4518566183526649, -0.4934035341040047)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}

// -----

func.func @cbrt_op_complex_f32_rounds_once() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.cbrt %operand : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.96801025, 0.3743975), (0.73369044, 0.8644878), (1.4518566, -0.49340352)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

// The principal root is not the real one.
func.func @cbrt_op_complex_principal() {
  %operand = stablehlo.constant dense<[(8.0, 0.0), (-0.0, -0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.cbrt %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(2.0, 0.0), (0.0, -0.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

// The sum of the squares of the parts is out of range.
func.func @cbrt_op_complex_ends_of_the_range() {
  %operand = stablehlo.constant dense<[(3.0e+38, 3.0e+38)]> : tensor<1xcomplex<f32>>
  %result = stablehlo.cbrt %operand : tensor<1xcomplex<f32>>
  check.expect_eq_const %result, dense<[(7.258093e+12, 1.9448002e+12)]> : tensor<1xcomplex<f32>>
  func.return
}
