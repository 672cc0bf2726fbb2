// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %input = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i64>
      stablehlo.return %0 : tensor<i64>
  }) {
    window_dimensions = array<i64: 2, 1>,
    window_strides = array<i64: 4, 1>,
    base_dilations = array<i64: 2, 1>,
    window_dilations = array<i64: 3, 1>,
    padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>
  func.return
}

// -----

func.func @defaults() {
  %input = stablehlo.constant dense<[1, 2, 4, 8, 16]> : tensor<5xi32>
  %init_value = stablehlo.constant dense<0> : tensor<i32>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i32>
      stablehlo.return %0 : tensor<i32>
  }) {window_dimensions = array<i64: 3>} : (tensor<5xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[7, 14, 28]> : tensor<3xi32>
  func.return
}

// -----

func.func @max_pool() {
  %input = stablehlo.constant dense<[[1, 5, 2, 0], [3, 4, 9, 8], [7, 6, 0, 1], [2, 8, 3, 3]]> : tensor<4x4xi32>
  %init_value = stablehlo.constant dense<-2147483648> : tensor<i32>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.maximum %arg0, %arg1 : tensor<i32>
      stablehlo.return %0 : tensor<i32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}
    : (tensor<4x4xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[5, 9], [8, 3]]> : tensor<2x2xi32>
  func.return
}

// -----

func.func @max_pool_tells_zeros_apart() {
  %input = stablehlo.constant dense<[-0.0, -0.0, 0.0, -1.0]> : tensor<4xf32>
  %init_value = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
      %0 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
      stablehlo.return %0 : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[-0.0, 0.0, 0.0]> : tensor<3xf32>
  func.return
}

// -----

func.func @padding_holds_init_value() {
  %input = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %init_value = stablehlo.constant dense<10> : tensor<i32>
  // Padded: [10, 1, 2, 10, 10], and 10 comes first in each window.
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i32>
      stablehlo.return %0 : tensor<i32>
  }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 2]]> : tensor<1x2xi64>}
    : (tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[21, 13, 22, 30]> : tensor<4xi32>
  func.return
}

// -----

func.func @negative_padding_with_base_dilation() {
  %input = stablehlo.constant dense<[1, 2, 4, 8]> : tensor<4xi32>
  %init_value = stablehlo.constant dense<0> : tensor<i32>
  // [1, 0, 0, 2, 0, 0, 4, 0, 0, 8] without the first and the last two: [0, 0, 2, 0, 0, 4, 0].
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i32>
      stablehlo.return %0 : tensor<i32>
  }) {
    window_dimensions = array<i64: 4>,
    base_dilations = array<i64: 3>,
    padding = dense<[[-1, -2]]> : tensor<1x2xi64>
  } : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[2, 2, 6, 4]> : tensor<4xi32>
  func.return
}

// -----

func.func @window_larger_than_input_gives_nothing() {
  %input = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %init_value = stablehlo.constant dense<0> : tensor<i32>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i32>
      stablehlo.return %0 : tensor<i32>
  }) {window_dimensions = array<i64: 3>} : (tensor<2xi32>, tensor<i32>) -> tensor<0xi32>
  check.expect_eq_const %result, dense<> : tensor<0xi32>
  func.return
}

// -----

func.func @padding_alone() {
  %input = stablehlo.constant dense<> : tensor<0xf32>
  %init_value = stablehlo.constant dense<1.5> : tensor<f32>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
      %0 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
      stablehlo.return %0 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 2]]> : tensor<1x2xi64>}
    : (tensor<0xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<1.5> : tensor<2xf32>
  func.return
}

// -----

func.func @running_sum() {
  %input = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 127]]> : tensor<2x4xi8>
  %init_value = stablehlo.constant dense<0> : tensor<i8>
  %forwards = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%arg0: tensor<i8>, %arg1: tensor<i8>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i8>
      stablehlo.return %0 : tensor<i8>
  }) {window_dimensions = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>}
    : (tensor<2x4xi8>, tensor<i8>) -> tensor<2x4xi8>
  check.expect_eq_const %forwards, dense<[[1, 3, 6, 10], [5, 11, 18, -111]]> : tensor<2x4xi8>
  %backwards = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%arg0: tensor<i8>, %arg1: tensor<i8>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i8>
      stablehlo.return %0 : tensor<i8>
  }) {window_dimensions = array<i64: 1, 4>, padding = dense<[[0, 0], [0, 3]]> : tensor<2x2xi64>}
    : (tensor<2x4xi8>, tensor<i8>) -> tensor<2x4xi8>
  check.expect_eq_const %backwards, dense<[[10, 9, 7, 4], [-111, -116, -122, 127]]> : tensor<2x4xi8>
  func.return
}

// -----

func.func @running_sum_counts_init_value_in_the_padding() {
  %input = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %init_value = stablehlo.constant dense<100> : tensor<i32>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i32>
      stablehlo.return %0 : tensor<i32>
  }) {window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}
    : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[301, 203, 106]> : tensor<3xi32>
  func.return
}

// -----

func.func @large_windows_bf16() {
  // 64 times 5; not all sums above 256 are bf16 numbers, and none is rounded on the way.
  %input = stablehlo.constant dense<5.0> : tensor<66xbf16>
  %init_value = stablehlo.constant dense<0.0> : tensor<bf16>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%arg0: tensor<bf16>, %arg1: tensor<bf16>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<bf16>
      stablehlo.return %0 : tensor<bf16>
  }) {window_dimensions = array<i64: 64>} : (tensor<66xbf16>, tensor<bf16>) -> tensor<3xbf16>
  check.expect_eq_const %result, dense<320.0> : tensor<3xbf16>
  func.return
}

// -----

func.func @operands_are_promoted_to_the_body_type() {
  %input = stablehlo.constant dense<[100, 100, 100]> : tensor<3xi8>
  %init_value = stablehlo.constant dense<0> : tensor<i8>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%arg0: tensor<i16>, %arg1: tensor<i16>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i16>
      stablehlo.return %0 : tensor<i16>
  }) {window_dimensions = array<i64: 2>} : (tensor<3xi8>, tensor<i8>) -> tensor<2xi16>
  check.expect_eq_const %result, dense<200> : tensor<2xi16>
  func.return
}

// -----

func.func @bodies_that_do_not_commute_see_values_in_order() {
  // (a, b) stands for x -> a x + b; the body composes two of them, later ones inside.
  %a = stablehlo.constant dense<[[2, 3, 5], [7, 11, 13]]> : tensor<2x3xi32>
  %b = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %result:2 = "stablehlo.reduce_window"(%a, %b, %one, %zero) ({
    ^bb0(%a0: tensor<i32>, %b0: tensor<i32>, %a1: tensor<i32>, %b1: tensor<i32>):
      %factor = stablehlo.multiply %a0, %a1 : tensor<i32>
      %scaled = stablehlo.multiply %a0, %b1 : tensor<i32>
      %shift = stablehlo.add %scaled, %b0 : tensor<i32>
      stablehlo.return %factor, %shift : tensor<i32>, tensor<i32>
  }) {window_dimensions = array<i64: 2, 2>}
    : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<1x2xi32>, tensor<1x2xi32>)
  check.expect_eq_const %result#0, dense<[[462, 2145]]> : tensor<1x2xi32>
  // 1 + 2 (2 + 3 (4 + 7 * 5)) and 2 + 3 (3 + 5 (5 + 11 * 6)).
  check.expect_eq_const %result#1, dense<[[239, 1076]]> : tensor<1x2xi32>
  func.return
}

// -----

func.func @body_that_is_not_pointwise() {
  %input = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %init_value = stablehlo.constant dense<0> : tensor<i32>
  %result = "stablehlo.reduce_window"(%input, %init_value) ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
      %1 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
      %2 = stablehlo.add %0, %1 : tensor<1xi32>
      %3 = stablehlo.reshape %2 : (tensor<1xi32>) -> tensor<i32>
      stablehlo.return %3 : tensor<i32>
  }) {window_dimensions = array<i64: 2, 2>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>}
    : (tensor<2x3xi32>, tensor<i32>) -> tensor<1x3xi32>
  check.expect_eq_const %result, dense<[[5, 12, 16]]> : tensor<1x3xi32>
  func.return
}

// -----

// The initial value fills padding and dilation, and counts once more for each window.
func.func @initial_value_fills_padding_and_dilation() {
  %operand = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %init = stablehlo.constant dense<5.0> : tensor<f32>
  %result = "stablehlo.reduce_window"(%operand, %init) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %0 = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %0 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}
    : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[11.0, 11.0, 12.0]> : tensor<3xf32>
  func.return
}
