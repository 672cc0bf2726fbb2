// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @clamp_op() {
  %min = stablehlo.constant dense<[5, 10, 15]> : tensor<3xi32>
  %operand = stablehlo.constant dense<[3, 13, 23]> : tensor<3xi32>
  %max = stablehlo.constant dense<[10, 15, 20]> : tensor<3xi32>
  %result = stablehlo.clamp %min, %operand, %max : tensor<3xi32>
  check.expect_eq_const %result, dense<[5, 13, 20]> : tensor<3xi32>
  func.return
}

// -----

func.func @clamp_op_bounds_for_all() {
  %min = stablehlo.constant dense<-1> : tensor<i64>
  %operand = stablehlo.constant dense<[-5, -1, 0, 9]> : tensor<4xi64>
  %max = stablehlo.constant dense<3> : tensor<i64>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<i64>, tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  check.expect_eq_const %result, dense<[-1, -1, 0, 3]> : tensor<4xi64>
  func.return
}

// -----

// The maximum is taken first.
func.func @clamp_op_min_above_max() {
  %min = stablehlo.constant dense<3.0> : tensor<f32>
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0]> : tensor<3xf32>
  %max = stablehlo.constant dense<2.0> : tensor<f32>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[2.0, 2.0, 2.0]> : tensor<3xf32>
  func.return
}

// -----

func.func @clamp_op_i2() {
  %min = stablehlo.constant dense<-1> : tensor<i2>
  %operand = stablehlo.constant dense<[-2, 0, 1]> : tensor<3xi2>
  %max = stablehlo.constant dense<0> : tensor<i2>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<i2>, tensor<3xi2>, tensor<i2>) -> tensor<3xi2>
  check.expect_eq_const %result, dense<[-1, 0, 0]> : tensor<3xi2>
  func.return
}

// -----

func.func @clamp_op_i4() {
  %min = stablehlo.constant dense<-3> : tensor<i4>
  %operand = stablehlo.constant dense<[-8, 0, 7]> : tensor<3xi4>
  %max = stablehlo.constant dense<5> : tensor<i4>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<i4>, tensor<3xi4>, tensor<i4>) -> tensor<3xi4>
  check.expect_eq_const %result, dense<[-3, 0, 5]> : tensor<3xi4>
  func.return
}

// -----

func.func @clamp_op_i8() {
  %min = stablehlo.constant dense<-100> : tensor<i8>
  %operand = stablehlo.constant dense<[-128, 5, 127]> : tensor<3xi8>
  %max = stablehlo.constant dense<100> : tensor<i8>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<i8>, tensor<3xi8>, tensor<i8>) -> tensor<3xi8>
  check.expect_eq_const %result, dense<[-100, 5, 100]> : tensor<3xi8>
  func.return
}

// -----

func.func @clamp_op_ui4() {
  %min = stablehlo.constant dense<3> : tensor<ui4>
  %operand = stablehlo.constant dense<[0, 5, 15]> : tensor<3xui4>
  %max = stablehlo.constant dense<12> : tensor<ui4>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<ui4>, tensor<3xui4>, tensor<ui4>) -> tensor<3xui4>
  check.expect_eq_const %result, dense<[3, 5, 12]> : tensor<3xui4>
  func.return
}

// -----

func.func @clamp_op_ui8() {
  %min = stablehlo.constant dense<10> : tensor<ui8>
  %operand = stablehlo.constant dense<[0, 128, 255]> : tensor<3xui8>
  %max = stablehlo.constant dense<200> : tensor<ui8>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<ui8>, tensor<3xui8>, tensor<ui8>) -> tensor<3xui8>
  check.expect_eq_const %result, dense<[10, 128, 200]> : tensor<3xui8>
  func.return
}

// -----

func.func @clamp_op_ui64() {
  %min = stablehlo.constant dense<1> : tensor<ui64>
  %operand = stablehlo.constant dense<[0, 2, 18446744073709551615]> : tensor<3xui64>
  %max = stablehlo.constant dense<9223372036854775808> : tensor<ui64>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<ui64>, tensor<3xui64>, tensor<ui64>) -> tensor<3xui64>
  check.expect_eq_const %result, dense<[1, 2, 9223372036854775808]> : tensor<3xui64>
  func.return
}

// -----

func.func @clamp_op_f16() {
  %min = stablehlo.constant dense<-1.0> : tensor<f16>
  %operand = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf16>
  %max = stablehlo.constant dense<1.5> : tensor<f16>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<f16>, tensor<3xf16>, tensor<f16>) -> tensor<3xf16>
  check.expect_eq_const %result, dense<[-1.0, 0.5, 1.5]> : tensor<3xf16>
  func.return
}

// -----

func.func @clamp_op_bf16() {
  %min = stablehlo.constant dense<-1.0> : tensor<bf16>
  %operand = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xbf16>
  %max = stablehlo.constant dense<1.5> : tensor<bf16>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<bf16>, tensor<3xbf16>, tensor<bf16>) -> tensor<3xbf16>
  check.expect_eq_const %result, dense<[-1.0, 0.5, 1.5]> : tensor<3xbf16>
  func.return
}

// -----

func.func @clamp_op_f8E5M2() {
  %min = stablehlo.constant dense<-1.0> : tensor<f8E5M2>
  %operand = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf8E5M2>
  %max = stablehlo.constant dense<1.5> : tensor<f8E5M2>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<f8E5M2>, tensor<3xf8E5M2>, tensor<f8E5M2>) -> tensor<3xf8E5M2>
  check.expect_eq_const %result, dense<[-1.0, 0.5, 1.5]> : tensor<3xf8E5M2>
  func.return
}

// -----

func.func @clamp_op_f64() {
  %min = stablehlo.constant dense<-1.0> : tensor<f64>
  %operand = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf64>
  %max = stablehlo.constant dense<1.5> : tensor<f64>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<f64>, tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  check.expect_eq_const %result, dense<[-1.0, 0.5, 1.5]> : tensor<3xf64>
  func.return
}

// -----

// -0 is less than +0.
func.func @clamp_op_zeros() {
  %min = stablehlo.constant dense<0.0> : tensor<f32>
  %operand = stablehlo.constant dense<[-0.0, 0.0, -1.0]> : tensor<3xf32>
  %max = stablehlo.constant dense<6.0> : tensor<f32>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[0.0, 0.0, 0.0]> : tensor<3xf32>
  func.return
}

// -----

func.func @clamp_op_negative_zeros() {
  %min = stablehlo.constant dense<[-0.0, -0.0, -1.0]> : tensor<3xf32>
  %operand = stablehlo.constant dense<[0.0, -0.0, 0.0]> : tensor<3xf32>
  %max = stablehlo.constant dense<[6.0, 6.0, -0.0]> : tensor<3xf32>
  %result = stablehlo.clamp %min, %operand, %max : tensor<3xf32>
  check.expect_eq_const %result, dense<[0.0, -0.0, -0.0]> : tensor<3xf32>
  func.return
}

// -----

func.func @clamp_op_nan() {
  %min = stablehlo.constant dense<0.0> : tensor<f32>
  %operand = stablehlo.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %max = stablehlo.constant dense<2.0> : tensor<f32>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_almost_eq_const %result, dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @clamp_op_nan_bounds() {
  %min = stablehlo.constant dense<[0x7FF8000000000000, 0.0]> : tensor<2xf64>
  %operand = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %max = stablehlo.constant dense<[2.0, 0x7FF8000000000000]> : tensor<2xf64>
  %result = stablehlo.clamp %min, %operand, %max : tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000]> : tensor<2xf64>
  func.return
}

// -----

func.func @clamp_op_booleans() {
  %min = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %operand = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %max = stablehlo.constant dense<true> : tensor<i1>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<4xi1>, tensor<4xi1>, tensor<i1>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, true]> : tensor<4xi1>
  func.return
}

// -----

// By the real parts, then by the imaginary parts.
func.func @clamp_op_complex() {
  %min = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %operand = stablehlo.constant dense<[(1.0, 1.0), (0.0, 9.0), (1.0, 3.0)]> : tensor<3xcomplex<f32>>
  %max = stablehlo.constant dense<(1.0, 5.0)> : tensor<complex<f32>>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<complex<f32>>, tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 2.0), (1.0, 2.0), (1.0, 3.0)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

func.func @clamp_op_scalars() {
  %min = stablehlo.constant dense<0> : tensor<i32>
  %operand = stablehlo.constant dense<7> : tensor<i32>
  %max = stablehlo.constant dense<5> : tensor<i32>
  %result = stablehlo.clamp %min, %operand, %max : tensor<i32>
  check.expect_eq_const %result, dense<5> : tensor<i32>
  func.return
}
