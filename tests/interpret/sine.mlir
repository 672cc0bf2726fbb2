// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @sine_op() {
  %operand = stablehlo.constant dense<[[0.0, 1.57079632], [3.14159265, 4.71238898]]> : tensor<2x2xf32>
  %result = stablehlo.sine %operand : tensor<2x2xf32>
  check.expect_almost_eq_const %result, dense<[[0.0, 1.0], [0.0, -1.0]]> : tensor<2x2xf32>, tolerance = 1.0e-6
  func.return
}

// -----

// The f32 next to pi is off by 8.7e-8, and so is its sine.
func.func @sine_op_near_pi() {
  %operand = stablehlo.constant dense<[3.1415927, 4.712389]> : tensor<2xf32>
  %result = stablehlo.sine %operand : tensor<2xf32>
  check.expect_eq_const %result, dense<[-8.742278e-8, -1.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @sine_op_special_values() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<5xf32>
  %result = stablehlo.sine %operand : tensor<5xf32>
  check.expect_almost_eq_const %result, dense<[0.0, -0.0, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>, tolerance = 0.0
  func.return
}

// -----

func.func @sine_op_of_negative_zero() {
  %operand = stablehlo.constant dense<-0.0> : tensor<f32>
  %result = stablehlo.sine %operand : tensor<f32>
  check.expect_eq_const %result, dense<-0.0> : tensor<f32>
  func.return
}

// -----

func.func @sine_op_f64_of_large_values() {
  %operand = stablehlo.constant dense<[1.0, -1.0e15, 1.0e22]> : tensor<3xf64>
  %result = stablehlo.sine %operand : tensor<3xf64>
  %expected = stablehlo.constant dense<[0.8414709848078965, -0.8582727931702359, -0.8522008497671888]> : tensor<3xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<3xf64>, tensor<3xf64>
  func.return
}

// -----

func.func @sine_op_f32_of_large_values() {
  %operand = stablehlo.constant dense<[16777216.0, -1.0e10]> : tensor<2xf32>
  %result = stablehlo.sine %operand : tensor<2xf32>
  check.expect_eq_const %result, dense<[-0.77956367, 0.48750603]> : tensor<2xf32>
  func.return
}

// -----

func.func @sine_op_f16() {
  %operand = stablehlo.constant dense<[0.5, -2.0, 1000.0]> : tensor<3xf16>
  %result = stablehlo.sine %operand : tensor<3xf16>
  check.expect_eq_const %result, dense<[0.4794921875, -0.9091796875, 0.82666015625]> : tensor<3xf16>
  func.return
}

// -----

func.func @sine_op_bf16() {
  %operand = stablehlo.constant dense<[0.5, -2.0, 1000.0]> : tensor<3xbf16>
  %result = stablehlo.sine %operand : tensor<3xbf16>
  check.expect_eq_const %result, dense<[0.478515625, -0.91015625, 0.828125]> : tensor<3xbf16>
  func.return
}

// -----

func.func @sine_op_f8E4M3FN() {
  %operand = stablehlo.constant dense<[0.5, -2.0, 8.0]> : tensor<3xf8E4M3FN>
  %result = stablehlo.sine %operand : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.46875, -0.9375, 1.0]> : tensor<3xf8E4M3FN>
  func.return
}

// -----

func.func @sine_op_f6E3M2FN() {
  %operand = stablehlo.constant dense<[0.5, -2.0, 8.0]> : tensor<3xf6E3M2FN>
  %result = stablehlo.sine %operand : tensor<3xf6E3M2FN>
  check.expect_eq_const %result, dense<[0.5, -0.875, 1.0]> : tensor<3xf6E3M2FN>
  func.return
}

// -----

func.func @sine_op_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.0, 2.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.sine %operand : tensor<2xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.7397923, 1.0313361), (-3.1657784, 1.959601)]> : tensor<2xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  func.return
}

// -----

func.func @sine_op_complex_f64() {
  %operand = stablehlo.constant dense<[(1.5, -2.5)]> : tensor<1xcomplex<f64>>
  %result = stablehlo.sine %operand : tensor<1xcomplex<f64>>
  %expected = stablehlo.constant dense<[(6.116928012369312, -0.42797453450615125)]> : tensor<1xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<1xcomplex<f64>>, tensor<1xcomplex<f64>>
  func.return
}
