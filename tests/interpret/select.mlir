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

func.func @select_op_pred_for_all() {
  %pred = stablehlo.constant dense<true> : tensor<i1>
  %on_true = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %on_false = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  func.return
}

// -----

func.func @select_op_pred_for_all_false() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %on_true = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %on_false = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<2xf32>
  check.expect_eq_const %result, dense<[3.0, 4.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @select_op_splat_pred() {
  %pred = stablehlo.constant dense<true> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi8>
  %on_false = stablehlo.constant dense<[4, 5, 6]> : tensor<3xi8>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xi8>
  check.expect_eq_const %result, dense<[1, 2, 3]> : tensor<3xi8>
  func.return
}

// -----

func.func @select_op_scalars() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %on_true = stablehlo.constant dense<1.0> : tensor<f64>
  %on_false = stablehlo.constant dense<2.0> : tensor<f64>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<f64>
  check.expect_eq_const %result, dense<2.0> : tensor<f64>
  func.return
}

// -----

func.func @select_op_i1() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %on_false = stablehlo.constant dense<[false, false]> : tensor<2xi1>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xi1>
  check.expect_eq_const %result, dense<[true, false]> : tensor<2xi1>
  func.return
}

// -----

func.func @select_op_i2() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %on_false = stablehlo.constant dense<[1, -1]> : tensor<2xi2>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xi2>
  check.expect_eq_const %result, dense<[-2, -1]> : tensor<2xi2>
  func.return
}

// -----

func.func @select_op_i4() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %on_false = stablehlo.constant dense<[1, -3]> : tensor<2xi4>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xi4>
  check.expect_eq_const %result, dense<[-8, -3]> : tensor<2xi4>
  func.return
}

// -----

func.func @select_op_i64() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %on_false = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xi64>
  check.expect_eq_const %result, dense<[1, 4]> : tensor<2xi64>
  func.return
}

// -----

func.func @select_op_ui2() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[3, 2]> : tensor<2xui2>
  %on_false = stablehlo.constant dense<[1, 0]> : tensor<2xui2>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xui2>
  check.expect_eq_const %result, dense<[3, 0]> : tensor<2xui2>
  func.return
}

// -----

func.func @select_op_ui64() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  %on_false = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xui64>
  check.expect_eq_const %result, dense<[18446744073709551615, 2]> : tensor<2xui64>
  func.return
}

// -----

func.func @select_op_f4E2M1FN() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[1.5, 2.0]> : tensor<2xf4E2M1FN>
  %on_false = stablehlo.constant dense<[-0.0, -6.0]> : tensor<2xf4E2M1FN>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xf4E2M1FN>
  check.expect_eq_const %result, dense<[1.5, -6.0]> : tensor<2xf4E2M1FN>
  func.return
}

// -----

func.func @select_op_f8E8M0FNU() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E8M0FNU>
  %on_false = stablehlo.constant dense<[4.0, 8.0]> : tensor<2xf8E8M0FNU>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xf8E8M0FNU>
  check.expect_eq_const %result, dense<[1.0, 8.0]> : tensor<2xf8E8M0FNU>
  func.return
}

// -----

func.func @select_op_bf16() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[1.5, 2.0]> : tensor<2xbf16>
  %on_false = stablehlo.constant dense<[-0.0, 3.0]> : tensor<2xbf16>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xbf16>
  check.expect_eq_const %result, dense<[1.5, 3.0]> : tensor<2xbf16>
  func.return
}

// -----

func.func @select_op_f16() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[1.5, 2.0]> : tensor<2xf16>
  %on_false = stablehlo.constant dense<[-0.0, 3.0]> : tensor<2xf16>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xf16>
  check.expect_eq_const %result, dense<[1.5, 3.0]> : tensor<2xf16>
  func.return
}

// -----

func.func @select_op_complex_f32() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %on_false = stablehlo.constant dense<[(5.0, 6.0), (7.0, -0.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 2.0), (7.0, -0.0)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

func.func @select_op_complex_f64() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  %on_false = stablehlo.constant dense<[(5.0, 6.0), (7.0, -0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 2.0), (7.0, -0.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

func.func @select_op_keeps_nan_bits() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[0xFFC00001, 1.0]> : tensor<2xf32>
  %on_false = stablehlo.constant dense<[1.0, 0x7F800001]> : tensor<2xf32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xf32>
  check.expect_eq_const %result, dense<[0xFFC00001, 0x7F800001]> : tensor<2xf32>
  func.return
}
