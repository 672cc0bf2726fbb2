// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @subtract_op() {
  %lhs = stablehlo.constant dense<[[6.0, 8.0], [10.0, 12.0]]> : tensor<2x2xf32>
  %rhs = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  func.return
}

// -----

func.func @subtract_op_wraps_i2() {
  %lhs = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %rhs = stablehlo.constant dense<[1, -2]> : tensor<2xi2>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xi2>
  check.expect_eq_const %result, dense<[1, -1]> : tensor<2xi2>
  func.return
}

// -----

func.func @subtract_op_wraps_i4() {
  %lhs = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %rhs = stablehlo.constant dense<[1, -8]> : tensor<2xi4>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xi4>
  check.expect_eq_const %result, dense<[7, -1]> : tensor<2xi4>
  func.return
}

// -----

func.func @subtract_op_wraps_i8() {
  %lhs = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %rhs = stablehlo.constant dense<[1, -1]> : tensor<2xi8>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xi8>
  check.expect_eq_const %result, dense<[127, -128]> : tensor<2xi8>
  func.return
}

// -----

func.func @subtract_op_wraps_i64() {
  %lhs = stablehlo.constant dense<[-9223372036854775808]> : tensor<1xi64>
  %rhs = stablehlo.constant dense<[1]> : tensor<1xi64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<1xi64>
  check.expect_eq_const %result, dense<[9223372036854775807]> : tensor<1xi64>
  func.return
}

// -----

func.func @subtract_op_wraps_ui2() {
  %lhs = stablehlo.constant dense<[0, 1]> : tensor<2xui2>
  %rhs = stablehlo.constant dense<[1, 3]> : tensor<2xui2>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xui2>
  check.expect_eq_const %result, dense<[3, 2]> : tensor<2xui2>
  func.return
}

// -----

func.func @subtract_op_wraps_ui4() {
  %lhs = stablehlo.constant dense<[0, 3]> : tensor<2xui4>
  %rhs = stablehlo.constant dense<[1, 15]> : tensor<2xui4>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xui4>
  check.expect_eq_const %result, dense<[15, 4]> : tensor<2xui4>
  func.return
}

// -----

func.func @subtract_op_wraps_ui32() {
  %lhs = stablehlo.constant dense<[0]> : tensor<1xui32>
  %rhs = stablehlo.constant dense<[1]> : tensor<1xui32>
  %result = stablehlo.subtract %lhs, %rhs : tensor<1xui32>
  check.expect_eq_const %result, dense<[4294967295]> : tensor<1xui32>
  func.return
}

// -----

func.func @subtract_op_wraps_ui64() {
  %lhs = stablehlo.constant dense<[0]> : tensor<1xui64>
  %rhs = stablehlo.constant dense<[1]> : tensor<1xui64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<1xui64>
  check.expect_eq_const %result, dense<[18446744073709551615]> : tensor<1xui64>
  func.return
}

// -----

func.func @subtract_op_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 1.0]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 1.0]> : tensor<3xf64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<3xf64>
  check.expect_eq_const %result, dense<[0.0, -0.0, 0.0]> : tensor<3xf64>
  func.return
}

// -----

func.func @subtract_op_nan() {
  %lhs = stablehlo.constant dense<[0x7FF0000000000000]> : tensor<1xf64>
  %rhs = stablehlo.constant dense<[0x7FF0000000000000]> : tensor<1xf64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<1xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000]> : tensor<1xf64>
  func.return
}

// -----

func.func @subtract_op_f16() {
  %lhs = stablehlo.constant dense<[1.0, -65504.0]> : tensor<2xf16>
  %rhs = stablehlo.constant dense<[0.00048828125, 32.0]> : tensor<2xf16>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xf16>
  check.expect_eq_const %result, dense<[0.99951171875, 0xFC00]> : tensor<2xf16>
  func.return
}

// -----

// 27 rounds to 28; -56 is too large.
func.func @subtract_op_f6E3M2FN() {
  %lhs = stablehlo.constant dense<[28.0, -28.0]> : tensor<2xf6E3M2FN>
  %rhs = stablehlo.constant dense<[1.0, 28.0]> : tensor<2xf6E3M2FN>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xf6E3M2FN>
  check.expect_eq_const %result, dense<[28.0, -28.0]> : tensor<2xf6E3M2FN>
  func.return
}

// -----

func.func @subtract_op_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(0.5, 3.0)]> : tensor<1xcomplex<f64>>
  %result = stablehlo.subtract %lhs, %rhs : tensor<1xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.5, -1.0)]> : tensor<1xcomplex<f64>>
  func.return
}
