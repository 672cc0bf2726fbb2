// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @cosine_op() {
  %operand = stablehlo.constant dense<[[0.0, 1.57079632], [3.14159265, 4.71238898]]> : tensor<2x2xf32>
  %result = stablehlo.cosine %operand : tensor<2x2xf32>
  check.expect_almost_eq_const %result, dense<[[1.0, 0.0], [-1.0, 0.0]]> : tensor<2x2xf32>
  func.return
}

// -----

func.func @cosine_op_f64() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf64>
  %result = stablehlo.cosine %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[0.0707372016677029, 0.9950041652780258, 0.955336489125606, -0.4161468365471424, 0.9998779321710066]> : tensor<5xf64>, tolerance = 2.0e-15
  func.return
}

// -----

// The nearest f32 of the exact results.
func.func @cosine_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-1.5, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf32>
  %result = stablehlo.cosine %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0.0707372, 0.9950042, 0.9553365, -0.41614684, 0.9998779]> : tensor<5xf32>
  func.return
}

// -----

// Multiples of pi are taken off without losing digits.
func.func @cosine_op_large() {
  %operand = stablehlo.constant dense<[1.0e5, 1.0e10, 3.0e38]> : tensor<3xf32>
  %result = stablehlo.cosine %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[-0.9993608, 0.87311965, -0.48429477]> : tensor<3xf32>
  func.return
}

// -----

func.func @cosine_op_f16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf16>
  %result = stablehlo.cosine %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[0.7314453125, 0.9921875, 0.87744140625, 0.07073974609375]> : tensor<4xf16>
  func.return
}

// -----

func.func @cosine_op_bf16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xbf16>
  %result = stablehlo.cosine %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[0.73046875, 0.9921875, 0.87890625, 0.07080078125]> : tensor<4xbf16>
  func.return
}

// -----

func.func @cosine_op_f8E4M3() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E4M3>
  %result = stablehlo.cosine %operand : tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[0.75, 1.0, 0.875, 0.0703125]> : tensor<4xf8E4M3>
  func.return
}

// -----

func.func @cosine_op_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E5M2FNUZ>
  %result = stablehlo.cosine %operand : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[0.75, 1.0, 0.875, 0.078125]> : tensor<4xf8E5M2FNUZ>
  func.return
}

// -----

func.func @cosine_op_special_values() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %result = stablehlo.cosine %operand : tensor<2xf32>
  check.expect_eq_const %result, dense<[1.0, 1.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @cosine_op_nan() {
  %operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  %result = stablehlo.cosine %operand : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}

// -----

func.func @cosine_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.cosine %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(1.3541806567045842, -0.5634214652309818), (0.4082425918779688, 0.7803659308458533), (-4.189625690968807, 9.109227893755337)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}

// -----

func.func @cosine_op_complex_f32_rounds_once() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.cosine %operand : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.3541807, -0.5634215), (0.40824258, 0.78036594), (-4.1896257, 9.109228)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

// The sine of zero, with the opposite sign, is the imaginary part.
func.func @cosine_op_complex_zeros() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (0.0, -0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.cosine %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, -0.0), (1.0, 0.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

// The exponential overflows, its half times a small factor does not.
func.func @cosine_op_complex_ends_of_the_range() {
  %operand = stablehlo.constant dense<[(1.5708, 92.0)]> : tensor<1xcomplex<f32>>
  %result = stablehlo.cosine %operand : tensor<1xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-1.6321863e+34, 0xFF800000)]> : tensor<1xcomplex<f32>>
  func.return
}
