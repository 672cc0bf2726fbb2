// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @compare_op() {
  %lhs = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[1.1, 2.9]> : tensor<2xf32>
  %result = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[true, false]> : tensor<2xi1>
  func.return
}

// -----

func.func @compare_op_eq_i32() {
  %lhs = stablehlo.constant dense<[1, 2, 2, -1]> : tensor<4xi32>
  %rhs = stablehlo.constant dense<[2, 2, 1, 1]> : tensor<4xi32>
  %result = stablehlo.compare EQ, %lhs, %rhs, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, false, false]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_eq_f64() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, 2.0, -0.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[2.0, 2.0, 1.0, 0.0]> : tensor<4xf64>
  %result = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, false, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_eq_i1() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.compare EQ, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, false, false, true]> : tensor<4xi1>
  func.return
}

// -----

// NaN is unequal to everything and in no order.
func.func @compare_op_eq_nan() {
  %lhs = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7FC00000]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  %result = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[false, false, false]> : tensor<3xi1>
  func.return
}

// -----

// Every value is below the next one, NaNs and zeros included.
func.func @compare_op_eq_total_order() {
  %lhs = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  %rhs = stablehlo.constant dense<[0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<8xf32>
  %result = stablehlo.compare EQ, %lhs, %rhs, TOTALORDER : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  check.expect_eq_const %result, dense<[false, false, false, false, false, false, false, true]> : tensor<8xi1>
  func.return
}

// -----

// By the real parts, then by the imaginary parts.
func.func @compare_op_eq_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (1.0, 2.0), (2.0, 0.0)]> : tensor<4xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 3.0), (0.0, 9.0), (1.0, 9.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, false, false, false]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_ne_i32() {
  %lhs = stablehlo.constant dense<[1, 2, 2, -1]> : tensor<4xi32>
  %rhs = stablehlo.constant dense<[2, 2, 1, 1]> : tensor<4xi32>
  %result = stablehlo.compare NE, %lhs, %rhs, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, false, true, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_ne_f64() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, 2.0, -0.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[2.0, 2.0, 1.0, 0.0]> : tensor<4xf64>
  %result = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, false, true, false]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_ne_i1() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.compare NE, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, false]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_ne_nan() {
  %lhs = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7FC00000]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  %result = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[true, true, true]> : tensor<3xi1>
  func.return
}

// -----

func.func @compare_op_ne_total_order() {
  %lhs = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  %rhs = stablehlo.constant dense<[0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<8xf32>
  %result = stablehlo.compare NE, %lhs, %rhs, TOTALORDER : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  check.expect_eq_const %result, dense<[true, true, true, true, true, true, true, false]> : tensor<8xi1>
  func.return
}

// -----

func.func @compare_op_ne_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (1.0, 2.0), (2.0, 0.0)]> : tensor<4xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 3.0), (0.0, 9.0), (1.0, 9.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_ge_i32() {
  %lhs = stablehlo.constant dense<[1, 2, 2, -1]> : tensor<4xi32>
  %rhs = stablehlo.constant dense<[2, 2, 1, 1]> : tensor<4xi32>
  %result = stablehlo.compare GE, %lhs, %rhs, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, false]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_ge_f64() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, 2.0, -0.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[2.0, 2.0, 1.0, 0.0]> : tensor<4xf64>
  %result = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_ge_i1() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.compare GE, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, false, true, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_ge_nan() {
  %lhs = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7FC00000]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  %result = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[false, false, false]> : tensor<3xi1>
  func.return
}

// -----

func.func @compare_op_ge_total_order() {
  %lhs = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  %rhs = stablehlo.constant dense<[0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<8xf32>
  %result = stablehlo.compare GE, %lhs, %rhs, TOTALORDER : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  check.expect_eq_const %result, dense<[false, false, false, false, false, false, false, true]> : tensor<8xi1>
  func.return
}

// -----

func.func @compare_op_ge_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (1.0, 2.0), (2.0, 0.0)]> : tensor<4xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 3.0), (0.0, 9.0), (1.0, 9.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, false, true, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_gt_i32() {
  %lhs = stablehlo.constant dense<[1, 2, 2, -1]> : tensor<4xi32>
  %rhs = stablehlo.constant dense<[2, 2, 1, 1]> : tensor<4xi32>
  %result = stablehlo.compare GT, %lhs, %rhs, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, true, false]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_gt_f64() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, 2.0, -0.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[2.0, 2.0, 1.0, 0.0]> : tensor<4xf64>
  %result = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, true, false]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_gt_i1() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.compare GT, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, true, false]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_gt_nan() {
  %lhs = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7FC00000]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  %result = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[false, false, false]> : tensor<3xi1>
  func.return
}

// -----

func.func @compare_op_gt_total_order() {
  %lhs = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  %rhs = stablehlo.constant dense<[0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<8xf32>
  %result = stablehlo.compare GT, %lhs, %rhs, TOTALORDER : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  check.expect_eq_const %result, dense<[false, false, false, false, false, false, false, false]> : tensor<8xi1>
  func.return
}

// -----

func.func @compare_op_gt_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (1.0, 2.0), (2.0, 0.0)]> : tensor<4xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 3.0), (0.0, 9.0), (1.0, 9.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, true, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_le_i32() {
  %lhs = stablehlo.constant dense<[1, 2, 2, -1]> : tensor<4xi32>
  %rhs = stablehlo.constant dense<[2, 2, 1, 1]> : tensor<4xi32>
  %result = stablehlo.compare LE, %lhs, %rhs, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, true, false, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_le_f64() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, 2.0, -0.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[2.0, 2.0, 1.0, 0.0]> : tensor<4xf64>
  %result = stablehlo.compare LE, %lhs, %rhs, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, true, false, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_le_i1() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.compare LE, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, true, false, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_le_nan() {
  %lhs = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7FC00000]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  %result = stablehlo.compare LE, %lhs, %rhs, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[false, false, false]> : tensor<3xi1>
  func.return
}

// -----

func.func @compare_op_le_total_order() {
  %lhs = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  %rhs = stablehlo.constant dense<[0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<8xf32>
  %result = stablehlo.compare LE, %lhs, %rhs, TOTALORDER : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  check.expect_eq_const %result, dense<[true, true, true, true, true, true, true, true]> : tensor<8xi1>
  func.return
}

// -----

func.func @compare_op_le_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (1.0, 2.0), (2.0, 0.0)]> : tensor<4xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 3.0), (0.0, 9.0), (1.0, 9.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.compare LE, %lhs, %rhs, FLOAT : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, true, false, false]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_lt_i32() {
  %lhs = stablehlo.constant dense<[1, 2, 2, -1]> : tensor<4xi32>
  %rhs = stablehlo.constant dense<[2, 2, 1, 1]> : tensor<4xi32>
  %result = stablehlo.compare LT, %lhs, %rhs, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, false, false, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_lt_f64() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, 2.0, -0.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[2.0, 2.0, 1.0, 0.0]> : tensor<4xf64>
  %result = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, false, false, false]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_lt_i1() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.compare LT, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, false, false]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_lt_nan() {
  %lhs = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7FC00000]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  %result = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[false, false, false]> : tensor<3xi1>
  func.return
}

// -----

func.func @compare_op_lt_total_order() {
  %lhs = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  %rhs = stablehlo.constant dense<[0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<8xf32>
  %result = stablehlo.compare LT, %lhs, %rhs, TOTALORDER : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  check.expect_eq_const %result, dense<[true, true, true, true, true, true, true, false]> : tensor<8xi1>
  func.return
}

// -----

func.func @compare_op_lt_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (1.0, 2.0), (2.0, 0.0)]> : tensor<4xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 3.0), (0.0, 9.0), (1.0, 9.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, false, false]> : tensor<4xi1>
  func.return
}

// -----

func.func @compare_op_lt_integers() {
  %i2_lhs = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %i2_rhs = stablehlo.constant dense<[1, -2]> : tensor<2xi2>
  %i2 = stablehlo.compare LT, %i2_lhs, %i2_rhs, SIGNED : (tensor<2xi2>, tensor<2xi2>) -> tensor<2xi1>
  check.expect_eq_const %i2, dense<[true, false]> : tensor<2xi1>
  %i4_lhs = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %i4_rhs = stablehlo.constant dense<[7, -8]> : tensor<2xi4>
  %i4 = stablehlo.compare LT, %i4_lhs, %i4_rhs, SIGNED : (tensor<2xi4>, tensor<2xi4>) -> tensor<2xi1>
  check.expect_eq_const %i4, dense<[true, false]> : tensor<2xi1>
  %i8_lhs = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %i8_rhs = stablehlo.constant dense<[127, -128]> : tensor<2xi8>
  %i8 = stablehlo.compare LT, %i8_lhs, %i8_rhs, SIGNED : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi1>
  check.expect_eq_const %i8, dense<[true, false]> : tensor<2xi1>
  %i16_lhs = stablehlo.constant dense<[-1, 1]> : tensor<2xi16>
  %i16_rhs = stablehlo.constant dense<[1, -1]> : tensor<2xi16>
  %i16 = stablehlo.compare LT, %i16_lhs, %i16_rhs, SIGNED : (tensor<2xi16>, tensor<2xi16>) -> tensor<2xi1>
  check.expect_eq_const %i16, dense<[true, false]> : tensor<2xi1>
  %i64_lhs = stablehlo.constant dense<[-9223372036854775808, 1]> : tensor<2xi64>
  %i64_rhs = stablehlo.constant dense<[9223372036854775807, 1]> : tensor<2xi64>
  %i64 = stablehlo.compare LT, %i64_lhs, %i64_rhs, SIGNED : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  check.expect_eq_const %i64, dense<[true, false]> : tensor<2xi1>
  %ui2_lhs = stablehlo.constant dense<[3, 1]> : tensor<2xui2>
  %ui2_rhs = stablehlo.constant dense<[1, 2]> : tensor<2xui2>
  %ui2 = stablehlo.compare LT, %ui2_lhs, %ui2_rhs, UNSIGNED : (tensor<2xui2>, tensor<2xui2>) -> tensor<2xi1>
  check.expect_eq_const %ui2, dense<[false, true]> : tensor<2xi1>
  %ui4_lhs = stablehlo.constant dense<[15, 8]> : tensor<2xui4>
  %ui4_rhs = stablehlo.constant dense<[8, 15]> : tensor<2xui4>
  %ui4 = stablehlo.compare LT, %ui4_lhs, %ui4_rhs, UNSIGNED : (tensor<2xui4>, tensor<2xui4>) -> tensor<2xi1>
  check.expect_eq_const %ui4, dense<[false, true]> : tensor<2xi1>
  %ui8_lhs = stablehlo.constant dense<[255, 1]> : tensor<2xui8>
  %ui8_rhs = stablehlo.constant dense<[1, 255]> : tensor<2xui8>
  %ui8 = stablehlo.compare LT, %ui8_lhs, %ui8_rhs, UNSIGNED : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  check.expect_eq_const %ui8, dense<[false, true]> : tensor<2xi1>
  %ui16_lhs = stablehlo.constant dense<[65535, 0]> : tensor<2xui16>
  %ui16_rhs = stablehlo.constant dense<[0, 1]> : tensor<2xui16>
  %ui16 = stablehlo.compare LT, %ui16_lhs, %ui16_rhs, UNSIGNED : (tensor<2xui16>, tensor<2xui16>) -> tensor<2xi1>
  check.expect_eq_const %ui16, dense<[false, true]> : tensor<2xi1>
  %ui32_lhs = stablehlo.constant dense<[4294967295, 0]> : tensor<2xui32>
  %ui32_rhs = stablehlo.constant dense<[1, 1]> : tensor<2xui32>
  %ui32 = stablehlo.compare LT, %ui32_lhs, %ui32_rhs, UNSIGNED : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xi1>
  check.expect_eq_const %ui32, dense<[false, true]> : tensor<2xi1>
  %ui64_lhs = stablehlo.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  %ui64_rhs = stablehlo.constant dense<[1, 1]> : tensor<2xui64>
  %ui64 = stablehlo.compare LT, %ui64_lhs, %ui64_rhs, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  check.expect_eq_const %ui64, dense<[false, true]> : tensor<2xi1>
  func.return
}

// -----

func.func @compare_op_lt_narrow_floats() {
  %f16_lhs = stablehlo.constant dense<[-1.5, 0.5, -0.0]> : tensor<3xf16>
  %f16_rhs = stablehlo.constant dense<[0.5, -1.5, 0.0]> : tensor<3xf16>
  %f16 = stablehlo.compare LT, %f16_lhs, %f16_rhs, FLOAT : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xi1>
  check.expect_eq_const %f16, dense<[true, false, false]> : tensor<3xi1>
  %bf16_lhs = stablehlo.constant dense<[-1.5, 0.5, -0.0]> : tensor<3xbf16>
  %bf16_rhs = stablehlo.constant dense<[0.5, -1.5, 0.0]> : tensor<3xbf16>
  %bf16 = stablehlo.compare LT, %bf16_lhs, %bf16_rhs, FLOAT : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  check.expect_eq_const %bf16, dense<[true, false, false]> : tensor<3xi1>
  %f8E4M3FN_lhs = stablehlo.constant dense<[-1.5, 0.5, -0.0]> : tensor<3xf8E4M3FN>
  %f8E4M3FN_rhs = stablehlo.constant dense<[0.5, -1.5, 0.0]> : tensor<3xf8E4M3FN>
  %f8E4M3FN = stablehlo.compare LT, %f8E4M3FN_lhs, %f8E4M3FN_rhs, FLOAT : (tensor<3xf8E4M3FN>, tensor<3xf8E4M3FN>) -> tensor<3xi1>
  check.expect_eq_const %f8E4M3FN, dense<[true, false, false]> : tensor<3xi1>
  %f8E5M2_lhs = stablehlo.constant dense<[-1.5, 0.5, -0.0]> : tensor<3xf8E5M2>
  %f8E5M2_rhs = stablehlo.constant dense<[0.5, -1.5, 0.0]> : tensor<3xf8E5M2>
  %f8E5M2 = stablehlo.compare LT, %f8E5M2_lhs, %f8E5M2_rhs, FLOAT : (tensor<3xf8E5M2>, tensor<3xf8E5M2>) -> tensor<3xi1>
  check.expect_eq_const %f8E5M2, dense<[true, false, false]> : tensor<3xi1>
  %f4E2M1FN_lhs = stablehlo.constant dense<[-1.5, 0.5, -0.0]> : tensor<3xf4E2M1FN>
  %f4E2M1FN_rhs = stablehlo.constant dense<[0.5, -1.5, 0.0]> : tensor<3xf4E2M1FN>
  %f4E2M1FN = stablehlo.compare LT, %f4E2M1FN_lhs, %f4E2M1FN_rhs, FLOAT : (tensor<3xf4E2M1FN>, tensor<3xf4E2M1FN>) -> tensor<3xi1>
  check.expect_eq_const %f4E2M1FN, dense<[true, false, false]> : tensor<3xi1>
  %f6E2M3FN_lhs = stablehlo.constant dense<[-1.5, 0.5, -0.0]> : tensor<3xf6E2M3FN>
  %f6E2M3FN_rhs = stablehlo.constant dense<[0.5, -1.5, 0.0]> : tensor<3xf6E2M3FN>
  %f6E2M3FN = stablehlo.compare LT, %f6E2M3FN_lhs, %f6E2M3FN_rhs, FLOAT : (tensor<3xf6E2M3FN>, tensor<3xf6E2M3FN>) -> tensor<3xi1>
  check.expect_eq_const %f6E2M3FN, dense<[true, false, false]> : tensor<3xi1>
  func.return
}

// -----

func.func @compare_op_lt_total_order_narrow_floats() {
  %f16_lhs = stablehlo.constant dense<[-1.5, 0.5, -0.0]> : tensor<3xf16>
  %f16_rhs = stablehlo.constant dense<[0.5, -1.5, 0.0]> : tensor<3xf16>
  %f16 = stablehlo.compare LT, %f16_lhs, %f16_rhs, TOTALORDER : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xi1>
  check.expect_eq_const %f16, dense<[true, false, true]> : tensor<3xi1>
  %bf16_lhs = stablehlo.constant dense<[-1.5, 0.5, -0.0]> : tensor<3xbf16>
  %bf16_rhs = stablehlo.constant dense<[0.5, -1.5, 0.0]> : tensor<3xbf16>
  %bf16 = stablehlo.compare LT, %bf16_lhs, %bf16_rhs, TOTALORDER : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  check.expect_eq_const %bf16, dense<[true, false, true]> : tensor<3xi1>
  %f8E4M3FN_lhs = stablehlo.constant dense<[-1.5, 0.5, -0.0]> : tensor<3xf8E4M3FN>
  %f8E4M3FN_rhs = stablehlo.constant dense<[0.5, -1.5, 0.0]> : tensor<3xf8E4M3FN>
  %f8E4M3FN = stablehlo.compare LT, %f8E4M3FN_lhs, %f8E4M3FN_rhs, TOTALORDER : (tensor<3xf8E4M3FN>, tensor<3xf8E4M3FN>) -> tensor<3xi1>
  check.expect_eq_const %f8E4M3FN, dense<[true, false, true]> : tensor<3xi1>
  %f8E5M2_lhs = stablehlo.constant dense<[-1.5, 0.5, -0.0]> : tensor<3xf8E5M2>
  %f8E5M2_rhs = stablehlo.constant dense<[0.5, -1.5, 0.0]> : tensor<3xf8E5M2>
  %f8E5M2 = stablehlo.compare LT, %f8E5M2_lhs, %f8E5M2_rhs, TOTALORDER : (tensor<3xf8E5M2>, tensor<3xf8E5M2>) -> tensor<3xi1>
  check.expect_eq_const %f8E5M2, dense<[true, false, true]> : tensor<3xi1>
  %f4E2M1FN_lhs = stablehlo.constant dense<[-1.5, 0.5, -0.0]> : tensor<3xf4E2M1FN>
  %f4E2M1FN_rhs = stablehlo.constant dense<[0.5, -1.5, 0.0]> : tensor<3xf4E2M1FN>
  %f4E2M1FN = stablehlo.compare LT, %f4E2M1FN_lhs, %f4E2M1FN_rhs, TOTALORDER : (tensor<3xf4E2M1FN>, tensor<3xf4E2M1FN>) -> tensor<3xi1>
  check.expect_eq_const %f4E2M1FN, dense<[true, false, true]> : tensor<3xi1>
  %f6E2M3FN_lhs = stablehlo.constant dense<[-1.5, 0.5, -0.0]> : tensor<3xf6E2M3FN>
  %f6E2M3FN_rhs = stablehlo.constant dense<[0.5, -1.5, 0.0]> : tensor<3xf6E2M3FN>
  %f6E2M3FN = stablehlo.compare LT, %f6E2M3FN_lhs, %f6E2M3FN_rhs, TOTALORDER : (tensor<3xf6E2M3FN>, tensor<3xf6E2M3FN>) -> tensor<3xi1>
  check.expect_eq_const %f6E2M3FN, dense<[true, false, true]> : tensor<3xi1>
  func.return
}

// -----

func.func @compare_op_without_type() {
  %lhs = stablehlo.constant dense<[200, 1]> : tensor<2xui8>
  %rhs = stablehlo.constant dense<[100, 2]> : tensor<2xui8>
  %result = stablehlo.compare GE, %lhs, %rhs : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[true, false]> : tensor<2xi1>
  func.return
}

// -----

func.func @compare_op_scalars() {
  %lhs = stablehlo.constant dense<2> : tensor<i32>
  %rhs = stablehlo.constant dense<1> : tensor<i32>
  %result = stablehlo.compare GT, %lhs, %rhs, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  check.expect_eq_const %result, dense<true> : tensor<i1>
  func.return
}

// -----

// The only NaN of such types has the bits of -0. It comes before all numbers, as in XLA.
func.func @compare_op_lt_total_order_of_an_unsigned_nan() {
  %lhs = stablehlo.constant dense<[0x80, 0x80, 0x80, -240.0, -1.0, 0.0]> : tensor<6xf8E4M3FNUZ>
  %rhs = stablehlo.constant dense<[-240.0, 0.0, 0x80, 0x80, 0x80, 0x80]> : tensor<6xf8E4M3FNUZ>
  %result = stablehlo.compare LT, %lhs, %rhs, TOTALORDER : (tensor<6xf8E4M3FNUZ>, tensor<6xf8E4M3FNUZ>) -> tensor<6xi1>
  check.expect_eq_const %result, dense<[true, true, false, false, false, false]> : tensor<6xi1>
  func.return
}
