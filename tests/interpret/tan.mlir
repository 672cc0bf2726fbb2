// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The example of the spec, of the f64 that are nearest to multiples of pi / 2.
func.func @tan_op() {
  %operand = stablehlo.constant dense<[[0.0, 1.5707963267948966], [3.1415926535897931, 4.7123889803846899]]> : tensor<2x2xf64>
  %result = stablehlo.tan %operand : tensor<2x2xf64>
  check.expect_almost_eq_const %result, dense<[[0.0, 1.63312e+16], [0.0, 5.44375e+15]]> : tensor<2x2xf64>, tolerance = 1.0e+12
  func.return
}

// -----

func.func @tan_op_f64() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf64>
  %result = stablehlo.tan %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[-14.101419947171719, -0.10033467208545055, 0.30933624960962325, -2.185039863261519, 0.015626271689943825]> : tensor<5xf64>, tolerance = 2.0e-15
  func.return
}

// -----

// The nearest f32 of the exact results.
func.func @tan_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf32>
  %result = stablehlo.tan %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[-14.10142, -0.100334674, 0.30933627, -2.1850398, 0.015626272]> : tensor<5xf32>
  func.return
}

// -----

// Multiples of pi are taken off without losing digits.
func.func @tan_op_large() {
  %operand = stablehlo.constant dense<[1.0e5, 1.0e10, 3.0e38]> : tensor<3xf32>
  %result = stablehlo.tan %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[-0.035771664, -0.5583496, -1.8065544]> : tensor<3xf32>
  func.return
}

// -----

// The result is the operand.
func.func @tan_op_tiny() {
  %operand = stablehlo.constant dense<[1.0e-20, -1.0e-30, 1.0e-45]> : tensor<3xf32>
  %result = stablehlo.tan %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[1.0e-20, -1.0e-30, 1.0e-45]> : tensor<3xf32>
  func.return
}

// -----

func.func @tan_op_f16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf16>
  %result = stablehlo.tan %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[-0.931640625, -0.1256103515625, 0.54638671875, 14.1015625]> : tensor<4xf16>
  func.return
}

// -----

func.func @tan_op_bf16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xbf16>
  %result = stablehlo.tan %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[-0.9296875, -0.1259765625, 0.546875, 14.125]> : tensor<4xbf16>
  func.return
}

// -----

func.func @tan_op_f8E4M3() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E4M3>
  %result = stablehlo.tan %operand : tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[-0.9375, -0.125, 0.5625, 14.0]> : tensor<4xf8E4M3>
  func.return
}

// -----

func.func @tan_op_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E5M2FNUZ>
  %result = stablehlo.tan %operand : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[-0.875, -0.125, 0.5, 14.0]> : tensor<4xf8E5M2FNUZ>
  func.return
}

// -----

func.func @tan_op_special_values() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %result = stablehlo.tan %operand : tensor<2xf32>
  check.expect_eq_const %result, dense<[0.0, -0.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @tan_op_nan() {
  %operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  %result = stablehlo.tan %operand : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}

// -----

func.func @tan_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.tan %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.195577310065934, 0.8429662048457832), (-0.3857959526097507, 1.3726075705337832), (-0.0037640256415042484, -1.0032386273536098)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}

// -----

func.func @tan_op_complex_f32_rounds_once() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.tan %operand : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.19557731, 0.8429662), (-0.38579595, 1.3726076), (-0.0037640256, -1.0032387)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

// The signs of zeros are those of the operand.
func.func @tan_op_complex_zeros() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (-0.0, -0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.tan %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (-0.0, -0.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

// Hyperbolic functions of the imaginary part overflow.
func.func @tan_op_complex_ends_of_the_range() {
  %operand = stablehlo.constant dense<[(1.0, 200.0), (2.0, -1000.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.tan %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.0, 1.0), (-0.0, -1.0)]> : tensor<2xcomplex<f32>>
  func.return
}
