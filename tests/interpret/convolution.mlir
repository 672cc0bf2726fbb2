// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s
// RUN: stablehlo-translate --interpret --sums=blocked --split-input-file --require-checks %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>
  %rhs = stablehlo.constant dense<1> : tensor<3x3x1x1xi64>
  %result = "stablehlo.convolution"(%lhs, %rhs) {
    window_strides = array<i64: 4, 4>,
    padding = dense<0> : tensor<2x2xi64>,
    lhs_dilation = array<i64: 2, 2>,
    rhs_dilation = array<i64: 1, 1>,
    window_reversal = array<i1: false, false>,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    batch_group_count = 1 : i64,
    feature_group_count = 1 : i64,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]
  } : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi64>
  check.expect_eq_const %result, dense<[[[[10], [26]], [[46], [62]]]]> : tensor<1x2x2x1xi64>
  func.return
}

// -----

func.func @attributes_by_default() {
  %lhs = stablehlo.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi32>
  %rhs = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %result = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    batch_group_count = 1 : i64,
    feature_group_count = 1 : i64
  } : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x3x1xi32>
  check.expect_eq_const %result, dense<[[[21], [32], [43]]]> : tensor<1x3x1xi32>
  func.return
}

// -----

func.func @padding() {
  %lhs = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %rhs = stablehlo.constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
  // 0 0 1 2 3 0.
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[2, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x3x1xf32>, tensor<2x1x1xf32>) -> tensor<1x5x1xf32>
  check.expect_eq_const %result, dense<[[[0.0], [10.0], [21.0], [32.0], [3.0]]]> : tensor<1x5x1xf32>
  func.return
}

// -----

func.func @negative_padding() {
  %lhs = stablehlo.constant dense<[[[1.0], [2.0], [3.0], [4.0], [5.0]]]> : tensor<1x5x1xf32>
  %rhs = stablehlo.constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
  // 2 3 4.
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[-1, -1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x5x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>
  check.expect_eq_const %result, dense<[[[32.0], [43.0]]]> : tensor<1x2x1xf32>
  func.return
}

// -----

func.func @window_strides() {
  %lhs = stablehlo.constant dense<[[[1], [2], [3], [4], [5], [6]]]> : tensor<1x6x1xi32>
  %rhs = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {stride = [3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x6x1xi32>, tensor<2x1x1xi32>) -> tensor<1x2x1xi32>
  check.expect_eq_const %result, dense<[[[21], [54]]]> : tensor<1x2x1xi32>
  func.return
}

// -----

func.func @rhs_dilation() {
  %lhs = stablehlo.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi32>
  %rhs = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x2x1xi32>
  check.expect_eq_const %result, dense<[[[31], [42]]]> : tensor<1x2x1xi32>
  func.return
}

// -----

func.func @lhs_dilation() {
  %lhs = stablehlo.constant dense<[[[1], [2], [3]]]> : tensor<1x3x1xi32>
  %rhs = stablehlo.constant dense<[[[1]], [[10]], [[100]]]> : tensor<3x1x1xi32>
  // 0 1 0 0 2 0 0 3 0 0.
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[1, 2]], lhs_dilate = [3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x3x1xi32>, tensor<3x1x1xi32>) -> tensor<1x8x1xi32>
  check.expect_eq_const %result, dense<[[[10], [1], [200], [20], [2], [300], [30], [3]]]> : tensor<1x8x1xi32>
  func.return
}

// -----

func.func @both_dilations_and_strides() {
  %lhs = stablehlo.constant dense<[[[1], [2], [3]]]> : tensor<1x3x1xi32>
  %rhs = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {stride = [2], pad = [[1, 1]], lhs_dilate = [2], rhs_dilate = [3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x3x1xi32>, tensor<2x1x1xi32>) -> tensor<1x2x1xi32>
  // 0 1 0 2 0 3 0: 0 * 1 + 2 * 10 and 0 * 1 + 3 * 10.
  check.expect_eq_const %result, dense<[[[20], [30]]]> : tensor<1x2x1xi32>
  func.return
}

// -----

func.func @window_reversal() {
  %lhs = stablehlo.constant dense<[[[[1]], [[2]]], [[[3]], [[4]]]]> : tensor<2x2x1x1xi32>
  %rhs = stablehlo.constant dense<[[[[1]], [[10]]], [[[100]], [[1000]]]]> : tensor<2x2x1x1xi32>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [0, 1, b, f]x[0, 1, i, o]->[0, 1, b, f],
    window = {reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x2x1x1xi32>, tensor<2x2x1x1xi32>) -> tensor<1x1x1x1xi32>
  check.expect_eq_const %result, dense<2143> : tensor<1x1x1x1xi32>
  func.return
}

// -----

// Each dimension of each tensor has a size of its own.
func.func @dimension_numbers() {
  %lhs = stablehlo.constant dense<[[[1, 2, 3]], [[10, 20, 30]]]> : tensor<2x1x3xi32>
  %rhs = stablehlo.constant dense<[[[1, 0]], [[2, 1]], [[0, 3]], [[-1, 0]]]> : tensor<4x1x2xi32>
  // lhs[f, b, 0], rhs[o, 0, i], result[0, f, b].
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [f, b, 0]x[o, 0, i]->[0, f, b],
    window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x1x3xi32>, tensor<4x1x2xi32>) -> tensor<3x4x1xi32>
  check.expect_eq_const %result, dense<[[[1], [12], [30], [-1]], [[2], [24], [60], [-2]], [[3], [36], [90], [-3]]]> : tensor<3x4x1xi32>
  func.return
}

// -----

func.func @feature_group_count() {
  %lhs = stablehlo.constant dense<[[[1, 2, 3, 4]]]> : tensor<1x1x4xi32>
  %rhs = stablehlo.constant dense<[[[1, 10], [100, 1000]]]> : tensor<1x2x2xi32>
  // Features 1 and 2 meet [1, 100], 3 and 4 meet [10, 1000].
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64}
    : (tensor<1x1x4xi32>, tensor<1x2x2xi32>) -> tensor<1x1x2xi32>
  check.expect_eq_const %result, dense<[[[201, 4030]]]> : tensor<1x1x2xi32>
  func.return
}

// -----

func.func @feature_group_count_depthwise() {
  %lhs = stablehlo.constant dense<[[[1.0, 10.0], [2.0, 20.0], [3.0, 30.0], [4.0, 40.0]]]> : tensor<1x4x2xf32>
  %rhs = stablehlo.constant dense<[[[1.0, 2.0, 3.0, 4.0]], [[0.0, 1.0, 0.0, -1.0]]]> : tensor<2x1x4xf32>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64}
    : (tensor<1x4x2xf32>, tensor<2x1x4xf32>) -> tensor<1x3x4xf32>
  check.expect_eq_const %result, dense<[[[1.0, 4.0, 30.0, 20.0], [2.0, 7.0, 60.0, 50.0], [3.0, 10.0, 90.0, 80.0]]]> : tensor<1x3x4xf32>
  func.return
}

// -----

func.func @batch_group_count() {
  %lhs = stablehlo.constant dense<[[[1]], [[2]], [[3]], [[4]]]> : tensor<4x1x1xi32>
  %rhs = stablehlo.constant dense<[[[1, 100]]]> : tensor<1x1x2xi32>
  // The first half of the batch meets the first half of the output features.
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64}
    : (tensor<4x1x1xi32>, tensor<1x1x2xi32>) -> tensor<2x1x2xi32>
  check.expect_eq_const %result, dense<[[[1, 300]], [[2, 400]]]> : tensor<2x1x2xi32>
  func.return
}

// -----

func.func @no_spatial_dimensions() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[1, 0, 1], [0, 1, 1]]> : tensor<2x3xi32>
  %result = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>,
    batch_group_count = 1 : i64,
    feature_group_count = 1 : i64
  } : (tensor<2x2xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3], [3, 4, 7]]> : tensor<2x3xi32>
  func.return
}

// -----

func.func @three_spatial_dimensions() {
  %lhs = stablehlo.constant dense<[[[[[1], [2]], [[3], [4]]], [[[5], [6]], [[7], [8]]]]]> : tensor<1x2x2x2x1xi32>
  %rhs = stablehlo.constant dense<[[[[[1]]], [[[10]]]], [[[[100]]], [[[1000]]]]]> : tensor<2x2x1x1x1xi32>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f],
    window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x2x2x2x1xi32>, tensor<2x2x1x1x1xi32>) -> tensor<1x1x1x2x1xi32>
  check.expect_eq_const %result, dense<[[[[[7531], [8642]]]]]> : tensor<1x1x1x2x1xi32>
  func.return
}

// -----

func.func @window_does_not_fit() {
  %lhs = stablehlo.constant dense<1.0> : tensor<1x2x1xf32>
  %rhs = stablehlo.constant dense<1.0> : tensor<3x1x1xf32>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x2x1xf32>, tensor<3x1x1xf32>) -> tensor<1x0x1xf32>
  check.expect_eq_const %result, dense<> : tensor<1x0x1xf32>
  func.return
}

// -----

func.func @only_padding() {
  %lhs = stablehlo.constant dense<> : tensor<1x0x1xf32>
  %rhs = stablehlo.constant dense<1.0> : tensor<2x1x1xf32>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[1, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x0x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>
  check.expect_eq_const %result, dense<0.0> : tensor<1x2x1xf32>
  func.return
}

// -----

func.func @i8_wraps() {
  %lhs = stablehlo.constant dense<[[[100], [27], [-128]]]> : tensor<1x3x1xi8>
  %rhs = stablehlo.constant dense<[[[2]], [[1]]]> : tensor<2x1x1xi8>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x3x1xi8>, tensor<2x1x1xi8>) -> tensor<1x2x1xi8>
  // 227 and -74.
  check.expect_eq_const %result, dense<[[[-29], [-74]]]> : tensor<1x2x1xi8>
  func.return
}

// -----

func.func @i1() {
  %lhs = stablehlo.constant dense<[[[true], [true], [false]]]> : tensor<1x3x1xi1>
  %rhs = stablehlo.constant dense<true> : tensor<2x1x1xi1>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x3x1xi1>, tensor<2x1x1xi1>) -> tensor<1x3x1xi1>
  check.expect_eq_const %result, dense<[[[true], [true], [false]]]> : tensor<1x3x1xi1>
  func.return
}

// -----

func.func @bf16_rounds_once() {
  %lhs = stablehlo.constant dense<[[[256.0], [1.0], [1.0]]]> : tensor<1x3x1xbf16>
  %rhs = stablehlo.constant dense<1.0> : tensor<3x1x1xbf16>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x3x1xbf16>, tensor<3x1x1xbf16>) -> tensor<1x1x1xbf16>
  check.expect_eq_const %result, dense<258.0> : tensor<1x1x1xbf16>
  func.return
}

// -----

func.func @complex() {
  %lhs = stablehlo.constant dense<[[[(1.0, 1.0)], [(0.0, 2.0)]]]> : tensor<1x2x1xcomplex<f32>>
  %rhs = stablehlo.constant dense<[[[(0.0, 1.0)]], [[(1.0, -1.0)]]]> : tensor<2x1x1xcomplex<f32>>
  // (-1 + i) + (2 + 2i).
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x2x1xcomplex<f32>>, tensor<2x1x1xcomplex<f32>>) -> tensor<1x1x1xcomplex<f32>>
  check.expect_eq_const %result, dense<(1.0, 3.0)> : tensor<1x1x1xcomplex<f32>>
  func.return
}

// -----

// Padding is zeros that are multiplied as other elements are.
func.func @nan_in_the_kernel_meets_padding() {
  %lhs = stablehlo.constant dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
  %rhs = stablehlo.constant dense<[[[0x7FC00000]], [[1.0]]]> : tensor<2x1x1xf32>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x2x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
  check.expect_eq_const %result, dense<0x7FC00000> : tensor<1x3x1xf32>
  func.return
}

// -----

// Dilation inserts zeros between the elements, which the kernel's infinity multiplies in the second result.
func.func @infinity_in_the_kernel_meets_dilation() {
  %lhs = stablehlo.constant dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
  %rhs = stablehlo.constant dense<[[[0x7F800000]], [[1.0]]]> : tensor<2x1x1xf32>
  %result = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x2x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>
  check.expect_eq_const %result, dense<[[[0x7F800000], [0x7FC00000]]]> : tensor<1x2x1xf32>
  func.return
}
