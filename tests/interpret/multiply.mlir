// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @multiply_op() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[5, 12], [21, 32]]> : tensor<2x2xi32>
  func.return
}

// -----

// Logical and.
func.func @multiply_op_booleans() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.multiply %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, false, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @multiply_op_wraps_i2() {
  %lhs = stablehlo.constant dense<[-2, 1, -1]> : tensor<3xi2>
  %rhs = stablehlo.constant dense<[-2, -2, -1]> : tensor<3xi2>
  %result = stablehlo.multiply %lhs, %rhs : tensor<3xi2>
  check.expect_eq_const %result, dense<[0, -2, 1]> : tensor<3xi2>
  func.return
}

// -----

func.func @multiply_op_wraps_i4() {
  %lhs = stablehlo.constant dense<[7, -8, 3]> : tensor<3xi4>
  %rhs = stablehlo.constant dense<[7, -8, -3]> : tensor<3xi4>
  %result = stablehlo.multiply %lhs, %rhs : tensor<3xi4>
  check.expect_eq_const %result, dense<[1, 0, 7]> : tensor<3xi4>
  func.return
}

// -----

func.func @multiply_op_wraps_i8() {
  %lhs = stablehlo.constant dense<[127, -128]> : tensor<2xi8>
  %rhs = stablehlo.constant dense<[127, -128]> : tensor<2xi8>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2xi8>
  check.expect_eq_const %result, dense<[1, 0]> : tensor<2xi8>
  func.return
}

// -----

func.func @multiply_op_wraps_i32() {
  %lhs = stablehlo.constant dense<[65536, -2147483648]> : tensor<2xi32>
  %rhs = stablehlo.constant dense<[65537, -1]> : tensor<2xi32>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2xi32>
  check.expect_eq_const %result, dense<[65536, -2147483648]> : tensor<2xi32>
  func.return
}

// -----

func.func @multiply_op_wraps_i64() {
  %lhs = stablehlo.constant dense<[4294967296, 3037000500]> : tensor<2xi64>
  %rhs = stablehlo.constant dense<[4294967297, 3037000500]> : tensor<2xi64>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2xi64>
  check.expect_eq_const %result, dense<[4294967296, -9223372036709301616]> : tensor<2xi64>
  func.return
}

// -----

func.func @multiply_op_wraps_ui2() {
  %lhs = stablehlo.constant dense<[3, 2]> : tensor<2xui2>
  %rhs = stablehlo.constant dense<[3, 2]> : tensor<2xui2>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2xui2>
  check.expect_eq_const %result, dense<[1, 0]> : tensor<2xui2>
  func.return
}

// -----

func.func @multiply_op_wraps_ui4() {
  %lhs = stablehlo.constant dense<[15, 9]> : tensor<2xui4>
  %rhs = stablehlo.constant dense<[15, 9]> : tensor<2xui4>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2xui4>
  check.expect_eq_const %result, dense<[1, 1]> : tensor<2xui4>
  func.return
}

// -----

func.func @multiply_op_wraps_ui8() {
  %lhs = stablehlo.constant dense<[255, 16]> : tensor<2xui8>
  %rhs = stablehlo.constant dense<[255, 17]> : tensor<2xui8>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2xui8>
  check.expect_eq_const %result, dense<[1, 16]> : tensor<2xui8>
  func.return
}

// -----

func.func @multiply_op_wraps_ui64() {
  %lhs = stablehlo.constant dense<[18446744073709551615]> : tensor<1xui64>
  %rhs = stablehlo.constant dense<[18446744073709551615]> : tensor<1xui64>
  %result = stablehlo.multiply %lhs, %rhs : tensor<1xui64>
  check.expect_eq_const %result, dense<[1]> : tensor<1xui64>
  func.return
}

// -----

// Of the product 0.30000000447, the nearest f32 is the one of 0.3.
func.func @multiply_op_f32() {
  %lhs = stablehlo.constant dense<[0.1, 1.0e38, 1.0e-45, 0xFF800000]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[3.0, 10.0, 0.5, -2.0]> : tensor<4xf32>
  %result = stablehlo.multiply %lhs, %rhs : tensor<4xf32>
  check.expect_eq_const %result, dense<[0.3, 0x7F800000, 0.0, 0x7F800000]> : tensor<4xf32>
  func.return
}

// -----

func.func @multiply_op_nan() {
  %lhs = stablehlo.constant dense<[0.0, 0x7FC00000]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[0x7F800000, 1.0]> : tensor<2xf32>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2xf32>
  check.expect_almost_eq_const %result, dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32>
  func.return
}

// -----

func.func @multiply_op_bf16() {
  %lhs = stablehlo.constant dense<[1.0078125, 3.0]> : tensor<2xbf16>
  %rhs = stablehlo.constant dense<[1.0078125, -0.333984375]> : tensor<2xbf16>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2xbf16>
  check.expect_eq_const %result, dense<[1.015625, -1.0]> : tensor<2xbf16>
  func.return
}

// -----

func.func @multiply_op_f8E4M3() {
  %lhs = stablehlo.constant dense<[1.125, 16.0, -240.0]> : tensor<3xf8E4M3>
  %rhs = stablehlo.constant dense<[1.125, 16.0, 0.0625]> : tensor<3xf8E4M3>
  %result = stablehlo.multiply %lhs, %rhs : tensor<3xf8E4M3>
  check.expect_eq_const %result, dense<[1.25, 0x78, -15.0]> : tensor<3xf8E4M3>
  func.return
}

// -----

func.func @multiply_op_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (0.0, 1.0)]> : tensor<2xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(3.0, 4.0), (0.0, 1.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.multiply %lhs, %rhs : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-5.0, 10.0), (-1.0, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

// 1.0000002384185933 - 1.0000002384185791: products that are rounded first leave 0.
func.func @multiply_op_complex_rounds_once() {
  %lhs = stablehlo.constant dense<[(1.00000012, 1.0)]> : tensor<1xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(1.00000012, 1.00000024)]> : tensor<1xcomplex<f32>>
  %result = stablehlo.multiply %lhs, %rhs : tensor<1xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.4210855e-14, 2.0000005)]> : tensor<1xcomplex<f32>>
  func.return
}
