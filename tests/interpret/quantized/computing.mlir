// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// (1 + 2) / 1 + 2, (-1.5 + 0.25) / 1 + 2 rounded, and 63 + 32 = 95
func.func @add_op_with_three_scales() {
  %lhs = stablehlo.constant() <{value = dense<[3, -2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %rhs = stablehlo.constant() <{value = dense<[7, 0, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.25:-1>>
  %result = stablehlo.add %lhs, %rhs : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.25:-1>>) -> tensor<3x!quant.uniform<i8:f32, 1.0:2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 1.0:2>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[5, 1, 97]> : tensor<3xi8>
  func.return
}

// -----

// 63 + 63 = 126 is 253 steps of 0.5 from the zero point.
func.func @add_op_saturates() {
  %operand = stablehlo.constant() <{value = dense<[127, -128, 1]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.add %operand, %operand : tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[127, -128, 1]> : tensor<3xi8>
  func.return
}

// -----

// Columns: (1.0 + 0.5) / 1 and (0.5 + 4) / 0.5 - 1
func.func @add_op_per_axis() {
  %lhs = stablehlo.constant() <{value = dense<[[2, 2]]> : tensor<1x2xi8>}> : () -> tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  %rhs = stablehlo.constant() <{value = dense<[[1, 3]]> : tensor<1x2xi8>}> : () -> tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 2.0:1}>>
  %result = stablehlo.add %lhs, %rhs : (tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 2.0:1}>>) -> tensor<1x2x!quant.uniform<i8:f32:1, {1.0, 0.5:-1}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<1x2x!quant.uniform<i8:f32:1, {1.0, 0.5:-1}>>) -> tensor<1x2xi8>
  check.expect_eq_const %stored, dense<[[2, 8]]> : tensor<1x2xi8>
  func.return
}

// -----

// 1 * 2 and -1.5 * 0.25 = -0.375; 63 * 32 is too much
func.func @multiply_op() {
  %lhs = stablehlo.constant() <{value = dense<[3, -2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %rhs = stablehlo.constant() <{value = dense<[7, 0, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.25:-1>>
  %result = stablehlo.multiply %lhs, %rhs : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.25:-1>>) -> tensor<3x!quant.uniform<i8:f32, 1.0:2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 1.0:2>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[4, 2, 127]> : tensor<3xi8>
  func.return
}

// -----

// 1 / 0 is infinite, which saturates; 0 / 0 is NaN, which is stored as 0.
func.func @divide_op_by_zero() {
  %lhs = stablehlo.constant() <{value = dense<[3, -1, 1]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %rhs = stablehlo.constant() <{value = dense<[-1, -1, -1]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.25:-1>>
  %result = stablehlo.divide %lhs, %rhs : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.25:-1>>) -> tensor<3x!quant.uniform<i8:f32, 1.0:2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 1.0:2>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[127, -128, 0]> : tensor<3xi8>
  func.return
}

// -----

// 1 - 2, -1.5 - 0.25, 63 - 32
func.func @subtract_op_from_i8_to_i32() {
  %lhs = stablehlo.constant() <{value = dense<[3, -2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %rhs = stablehlo.constant() <{value = dense<[7, 0, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.25:-1>>
  %lhs_wide = stablehlo.uniform_quantize %lhs : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i32:f32, 0.125>>
  %rhs_wide = stablehlo.uniform_quantize %rhs : (tensor<3x!quant.uniform<i8:f32, 0.25:-1>>) -> tensor<3x!quant.uniform<i32:f32, 0.25:100>>
  %result = stablehlo.subtract %lhs_wide, %rhs_wide : (tensor<3x!quant.uniform<i32:f32, 0.125>>, tensor<3x!quant.uniform<i32:f32, 0.25:100>>) -> tensor<3x!quant.uniform<i32:f32, 0.125>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i32:f32, 0.125>>) -> tensor<3xi32>
  check.expect_eq_const %stored, dense<[-8, -14, 248]> : tensor<3xi32>
  func.return
}

// -----

// -1, 1.5, -63
func.func @negate_op_to_another_scale() {
  %operand = stablehlo.constant() <{value = dense<[3, -2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.negate %operand : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i8:f32, 0.25:-1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.25:-1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[-5, 5, -128]> : tensor<3xi8>
  func.return
}

// -----

// 1, 1.5, 64.5 saturates
func.func @abs_op() {
  %operand = stablehlo.constant() <{value = dense<[3, -2, -128]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.abs %operand : tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[3, 4, 127]> : tensor<3xi8>
  func.return
}

// -----

// floor of 0.5 is 0, of -1.5 is -2
func.func @floor_op() {
  %operand = stablehlo.constant() <{value = dense<[2, -2, 3]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.floor %operand : tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[1, -3, 3]> : tensor<3xi8>
  func.return
}

// -----

// 0.5 becomes 0, 1.5 becomes 2
func.func @round_nearest_even_op() {
  %operand = stablehlo.constant() <{value = dense<[2, 4, 5]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.round_nearest_even %operand : tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[1, 5, 5]> : tensor<3xi8>
  func.return
}

// -----

// Always true, even where the float would not be: 2047 * 64 in f16.
func.func @is_finite_op() {
  %operand = stablehlo.constant() <{value = dense<[2047, 0, 1]> : tensor<3xi16>}> : () -> tensor<3x!quant.uniform<i16:f16, 64.0>>
  %result = stablehlo.is_finite %operand : (tensor<3x!quant.uniform<i16:f16, 64.0>>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<true> : tensor<3xi1>
  func.return
}

// -----

// 1 < 2, -1.5 < 0.25; 63 < 31.75 is false, though both are stored as 127 and 126
func.func @compare_op_compares_what_is_meant() {
  %lhs = stablehlo.constant() <{value = dense<[3, -2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %rhs = stablehlo.constant() <{value = dense<[7, 0, 126]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.25:-1>>
  %result = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.25:-1>>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[true, true, false]> : tensor<3xi1>
  func.return
}

// -----

func.func @select_op() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant() <{value = dense<[1, 2, 3]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %on_false = stablehlo.constant() <{value = dense<[4, 5, 6]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.select %pred, %on_true, %on_false : (tensor<3xi1>, tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[1, 5, 3]> : tensor<3xi8>
  func.return
}

// -----

// 0.5 at least, 2 at most: -1.5, 1 and 63
func.func @clamp_op_with_three_scales() {
  %min = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.25:-1>>
  %operand = stablehlo.constant() <{value = dense<[-2, 3, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %max = stablehlo.constant() <{value = dense<4> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 1.0:2>>
  %result = stablehlo.clamp %min, %operand, %max : (tensor<!quant.uniform<i8:f32, 0.25:-1>>, tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 1.0:2>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[2, 3, 5]> : tensor<3xi8>
  func.return
}

// -----

// 0, 1, 2, 3 and what saturates; 0.25 a step
func.func @iota_op() {
  %result = stablehlo.iota dim = 0 : tensor<3x!quant.uniform<i8:f32, 0.25:120>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.25:120>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[120, 124, 127]> : tensor<3xi8>
  func.return
}

// -----

// Without mantissa bits 1 stays; -1.5 and 3, which are halfway, become -2 and 2, whose exponents are even.
func.func @reduce_precision_op() {
  %operand = stablehlo.constant() <{value = dense<[3, -2, 7]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.reduce_precision %operand, format = e8m0 : tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[3, -3, 5]> : tensor<3xi8>
  func.return
}

// -----

// The factor of [[4, 2], [2, 5]]
func.func @cholesky_op() {
  %a = stablehlo.constant() <{value = dense<[[8, 4], [4, 10]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  %result = stablehlo.cholesky %a, lower = true : tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2xi8>
  check.expect_eq_const %stored, dense<[[4, 0], [2, 4]]> : tensor<2x2xi8>
  func.return
}

// -----

// (operand - 1) / 2 * 0.5 + 0.25
func.func @batch_norm_inference_op() {
  %operand = stablehlo.constant() <{value = dense<[[2], [6]]> : tensor<2x1xi8>}> : () -> tensor<2x1x!quant.uniform<i8:f32, 0.5>>
  %scale = stablehlo.constant() <{value = dense<[1]> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 0.5>>
  %offset = stablehlo.constant() <{value = dense<[1]> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 0.25>>
  %mean = stablehlo.constant() <{value = dense<[2]> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 0.5>>
  %variance = stablehlo.constant() <{value = dense<[8]> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 0.5>>
  %result = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x1x!quant.uniform<i8:f32, 0.5>>, tensor<1x!quant.uniform<i8:f32, 0.5>>, tensor<1x!quant.uniform<i8:f32, 0.25>>, tensor<1x!quant.uniform<i8:f32, 0.5>>, tensor<1x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x1x!quant.uniform<i8:f32, 0.125>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x1x!quant.uniform<i8:f32, 0.125>>) -> tensor<2x1xi8>
  check.expect_eq_const %stored, dense<[[2], [6]]> : tensor<2x1xi8>
  func.return
}

// -----

// [[1, 2], [0, -1]] times [[1, 0.5], [0.25, 1]]
func.func @dot_general_op() {
  %lhs = stablehlo.constant() <{value = dense<[[3, 5], [1, -1]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %rhs = stablehlo.constant() <{value = dense<[[4, 2], [1, 4]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32, 0.25>>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x2x!quant.uniform<i32:f32, 0.125:-3>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x2x!quant.uniform<i32:f32, 0.125:-3>>) -> tensor<2x2xi32>
  check.expect_eq_const %stored, dense<[[9, 17], [-5, -11]]> : tensor<2x2xi32>
  func.return
}

// -----

// The same with another scale for the second column of rhs: its values are twice as large.
func.func @dot_general_op_per_axis() {
  %lhs = stablehlo.constant() <{value = dense<[[3, 5], [1, -1]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %rhs = stablehlo.constant() <{value = dense<[[4, 2], [1, 4]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32:1, {0.25, 0.5}>>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.25, 0.5}>>) -> tensor<2x2x!quant.uniform<i32:f32:1, {0.125:-3, 0.5}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x2x!quant.uniform<i32:f32:1, {0.125:-3, 0.5}>>) -> tensor<2x2xi32>
  check.expect_eq_const %stored, dense<[[9, 10], [-5, -4]]> : tensor<2x2xi32>
  func.return
}

// -----

// Only the weights are quantized.
func.func @dot_general_op_hybrid() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0], [0.0, -1.0]]> : tensor<2x2xf32>
  %rhs = stablehlo.constant() <{value = dense<[[4, 2], [1, 4]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32, 0.25>>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[1.5, 2.5], [-0.25, -1.0]]> : tensor<2x2xf32>
  func.return
}

// -----

// 1, 2, -1 between zeros, times 1, 0.5
func.func @convolution_op_pads_with_what_stands_for_zero() {
  %lhs = stablehlo.constant() <{value = dense<[[[3], [5], [-1]]]> : tensor<1x3x1xi8>}> : () -> tensor<1x3x1x!quant.uniform<i8:f32, 0.5:1>>
  %rhs = stablehlo.constant() <{value = dense<[[[4]], [[2]]]> : tensor<2x1x1xi8>}> : () -> tensor<2x1x1x!quant.uniform<i8:f32, 0.25>>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x1x1x!quant.uniform<i8:f32, 0.25>>) -> tensor<1x4x1x!quant.uniform<i8:f32, 0.25:8>>
  %stored = stablehlo.bitcast_convert %result : (tensor<1x4x1x!quant.uniform<i8:f32, 0.25:8>>) -> tensor<1x4x1xi8>
  check.expect_eq_const %stored, dense<[[[10], [16], [14], [4]]]> : tensor<1x4x1xi8>
  func.return
}
