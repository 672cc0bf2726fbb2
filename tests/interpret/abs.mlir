// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @abs_op() {
  %operand = stablehlo.constant dense<[-2, 0, 2]> : tensor<3xi32>
  %result = stablehlo.abs %operand : tensor<3xi32>
  check.expect_eq_const %result, dense<[2, 0, 2]> : tensor<3xi32>
  func.return
}

// -----

// The magnitude of the smallest integer does not fit.
func.func @abs_op_wraps_i8() {
  %operand = stablehlo.constant dense<[-128, -127, 5]> : tensor<3xi8>
  %result = stablehlo.abs %operand : tensor<3xi8>
  check.expect_eq_const %result, dense<[-128, 127, 5]> : tensor<3xi8>
  func.return
}

// -----

func.func @abs_op_wraps_i4() {
  %operand = stablehlo.constant dense<[-8, -7, 3]> : tensor<3xi4>
  %result = stablehlo.abs %operand : tensor<3xi4>
  check.expect_eq_const %result, dense<[-8, 7, 3]> : tensor<3xi4>
  func.return
}

// -----

func.func @abs_op_f32() {
  %operand = stablehlo.constant dense<[-0.0, -2.5, 0xFF800000, 1.0e-45]> : tensor<4xf32>
  %result = stablehlo.abs %operand : tensor<4xf32>
  check.expect_eq_const %result, dense<[0.0, 2.5, 0x7F800000, 1.0e-45]> : tensor<4xf32>
  func.return
}

// -----

func.func @abs_op_f8E4M3FN() {
  %operand = stablehlo.constant dense<[-0.0, -448.0, 0.5]> : tensor<3xf8E4M3FN>
  %result = stablehlo.abs %operand : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.0, 448.0, 0.5]> : tensor<3xf8E4M3FN>
  func.return
}

// -----

// The sign bit alone is the NaN of this type: it stays.
func.func @abs_op_f8E4M3FNUZ_nan() {
  %operand = stablehlo.constant dense<[0x80, -1.5]> : tensor<2xf8E4M3FNUZ>
  %result = stablehlo.abs %operand : tensor<2xf8E4M3FNUZ>
  check.expect_eq_const %result, dense<[0x80, 1.5]> : tensor<2xf8E4M3FNUZ>
  func.return
}

// -----

func.func @abs_op_complex() {
  %operand = stablehlo.constant dense<[(3.0, -4.0), (0.0, -2.0), (-0.0, -0.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.abs %operand : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  check.expect_eq_const %result, dense<[5.0, 2.0, 0.0]> : tensor<3xf64>
  func.return
}

// -----

// The squares of the parts are out of range.
func.func @abs_op_complex_does_not_overflow() {
  %operand = stablehlo.constant dense<[(3.0e38, 0.0), (3.0e-45, 4.0e-45)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.abs %operand : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[3.0e38, 5.6e-45]> : tensor<2xf32>
  func.return
}

// -----

func.func @abs_op_complex_infinite() {
  %operand = stablehlo.constant dense<[(0xFF800000, 0x7FC00000), (1.0, 0x7F800000)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.abs %operand : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[0x7F800000, 0x7F800000]> : tensor<2xf32>
  func.return
}
