// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @select_op() {
  %pred = stablehlo.constant dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  %on_true = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %on_false = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2x2xi1>, tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[5, 2], [3, 8]]> : tensor<2x2xi32>
  func.return
}

// -----

func.func @select_op_one_pred_for_all_elements() {
  %pred = stablehlo.constant dense<true> : tensor<i1>
  %on_true = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %on_false = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  func.return
}

// -----

func.func @select_op_one_false_pred() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %on_true = stablehlo.constant dense<[1, 2]> : tensor<2xi4>
  %on_false = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<2xi4>
  check.expect_eq_const %result, dense<[-8, 7]> : tensor<2xi4>
  func.return
}

// -----

func.func @select_op_of_scalars() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %on_true = stablehlo.constant dense<1> : tensor<i64>
  %on_false = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<i64>
  check.expect_eq_const %result, dense<-9223372036854775808> : tensor<i64>
  func.return
}

// -----

// A signalling NaN stays one.
func.func @select_op_keeps_bits_of_nan_and_zeros() {
  %pred = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %on_true = stablehlo.constant dense<[0x7F800001, 1.0, -0.0, 0.0]> : tensor<4xf32>
  %on_false = stablehlo.constant dense<[1.0, 0xFFC12345, 0.0, -0.0]> : tensor<4xf32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<4xi1>, tensor<4xf32>
  check.expect_eq_const %result, dense<[0x7F800001, 0xFFC12345, -0.0, -0.0]> : tensor<4xf32>
  func.return
}

// -----

func.func @select_op_of_booleans() {
  %pred = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %on_true = stablehlo.constant dense<[true, true, false, false]> : tensor<4xi1>
  %on_false = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<4xi1>, tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, false]> : tensor<4xi1>
  func.return
}

// -----

func.func @select_op_ui2() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui2>
  %on_false = stablehlo.constant dense<[3, 3, 3]> : tensor<3xui2>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xui2>
  check.expect_eq_const %result, dense<[0, 3, 2]> : tensor<3xui2>
  func.return
}

// -----

func.func @select_op_f8E4M3FNUZ() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[1.5, 2.0, 0x80]> : tensor<3xf8E4M3FNUZ>
  %on_false = stablehlo.constant dense<[-1.0, -240.0, 3.0]> : tensor<3xf8E4M3FNUZ>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %result, dense<[1.5, -240.0, 0x80]> : tensor<3xf8E4M3FNUZ>
  func.return
}

// -----

func.func @select_op_f4E2M1FN() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[1.5, 2.0, -0.0]> : tensor<3xf4E2M1FN>
  %on_false = stablehlo.constant dense<[-1.0, -6.0, 3.0]> : tensor<3xf4E2M1FN>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xf4E2M1FN>
  check.expect_eq_const %result, dense<[1.5, -6.0, -0.0]> : tensor<3xf4E2M1FN>
  func.return
}

// -----

func.func @select_op_complex() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[(1.0, -0.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  %on_false = stablehlo.constant dense<[(5.0, 6.0), (-0.0, 8.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, -0.0), (-0.0, 8.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

func.func @select_op_empty() {
  %pred = stablehlo.constant dense<> : tensor<0x2xi1>
  %on_true = stablehlo.constant dense<> : tensor<0x2xbf16>
  %on_false = stablehlo.constant dense<> : tensor<0x2xbf16>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<0x2xi1>, tensor<0x2xbf16>
  check.expect_eq_const %result, dense<> : tensor<0x2xbf16>
  func.return
}
