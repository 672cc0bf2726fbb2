// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The spec has -0.76159416, which is the same f32.
func.func @tanh_op() {
  %operand = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %result = stablehlo.tanh %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[-0.7615942, 0.0, 0.7615942]> : tensor<3xf32>
  func.return
}

// -----

func.func @tanh_op_special_values() {
  %operand = stablehlo.constant dense<[0x7F800000, 0xFF800000, -0.0, 0x7FC00000, 100.0]> : tensor<5xf32>
  %result = stablehlo.tanh %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[1.0, -1.0, -0.0, 0x7FC00000, 1.0]> : tensor<5xf32>
  func.return
}

// -----

func.func @tanh_op_of_small_values_is_the_operand() {
  %operand = stablehlo.constant dense<[1.0e-30, -1.0e-10, 0x00000001]> : tensor<3xf32>
  %result = stablehlo.tanh %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[1.0e-30, -1.0e-10, 0x00000001]> : tensor<3xf32>
  func.return
}

// -----

func.func @tanh_op_f64() {
  %operand = stablehlo.constant dense<[0.1, -0.5, 2.0, 20.0]> : tensor<4xf64>
  %result = stablehlo.tanh %operand : tensor<4xf64>
  %expected = stablehlo.constant dense<[0.09966799462495582, -0.46211715726000974, 0.9640275800758169, 1.0]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @tanh_op_f16() {
  %operand = stablehlo.constant dense<[0.5, -2.0, 4.0]> : tensor<3xf16>
  %result = stablehlo.tanh %operand : tensor<3xf16>
  check.expect_eq_const %result, dense<[0.462158203125, -0.9638671875, 0.99951171875]> : tensor<3xf16>
  func.return
}

// -----

func.func @tanh_op_bf16() {
  %operand = stablehlo.constant dense<[0.5, -2.0, 4.0]> : tensor<3xbf16>
  %result = stablehlo.tanh %operand : tensor<3xbf16>
  check.expect_eq_const %result, dense<[0.462890625, -0.96484375, 1.0]> : tensor<3xbf16>
  func.return
}

// -----

func.func @tanh_op_f8E4M3FN() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 448.0, 0x7F]> : tensor<4xf8E4M3FN>
  %result = stablehlo.tanh %operand : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.46875, -0.75, 1.0, 0x7F]> : tensor<4xf8E4M3FN>
  func.return
}

// -----

func.func @tanh_op_complex() {
  %operand = stablehlo.constant dense<[(1.0, 0.0), (0.5, -1.0), (-2.0, 3.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.tanh %operand : tensor<3xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.7615942, 0.0), (1.0428307, -0.80687743), (-0.96538585, -0.009884375)]> : tensor<3xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>
  func.return
}

// -----

// The imaginary part, about 1e-868, underflows.
func.func @tanh_op_complex_f64_of_large_real_part() {
  %operand = stablehlo.constant dense<[(1000.0, 1.0), (-1000.0, -1.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.tanh %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 0.0), (-1.0, -0.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

func.func @tanh_op_of_scalar() {
  %operand = stablehlo.constant dense<0.25> : tensor<f32>
  %result = stablehlo.tanh %operand : tensor<f32>
  check.expect_eq_const %result, dense<0.24491866> : tensor<f32>
  func.return
}
