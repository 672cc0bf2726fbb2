// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[1, 5], [2, 5], [3, 6], [4, 4]]> : tensor<4x2xi64>
  %source = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
      %0 = stablehlo.compare GE, %arg0, %arg1 : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }, {
    ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i64>
      stablehlo.return %0 : tensor<i64>
  }) {
    window_dimensions = array<i64: 3, 1>,
    window_strides = array<i64: 2, 1>,
    padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>
  } : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
  check.expect_eq_const %result, dense<[[0, 0], [0, 0], [5, 14], [7, 0]]> : tensor<4x2xi64>
  func.return
}

// -----

func.func @of_equal_values_ge_keeps_the_first_and_gt_takes_the_last() {
  %operand = stablehlo.constant dense<[3, 3, 1, 3]> : tensor<4xi32>
  %source = stablehlo.constant dense<[10]> : tensor<1xi32>
  %init_value = stablehlo.constant dense<0> : tensor<i32>
  %first = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.compare GE, %arg0, %arg1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }, {
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i32>
      stablehlo.return %0 : tensor<i32>
  }) {window_dimensions = array<i64: 4>} : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %first, dense<[10, 0, 0, 0]> : tensor<4xi32>
  %last = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.compare GT, %arg0, %arg1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }, {
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i32>
      stablehlo.return %0 : tensor<i32>
  }) {window_dimensions = array<i64: 4>} : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %last, dense<[0, 0, 0, 10]> : tensor<4xi32>
  func.return
}

// -----

func.func @padding_is_never_selected() {
  // The windows are (padding, -5), (-3, -4), (-9, padding); 0 in the padding would win.
  %operand = stablehlo.constant dense<[-5.0, -3.0, -4.0, -9.0]> : tensor<4xf32>
  %source = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %init_value = stablehlo.constant dense<0.5> : tensor<f32>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
      %0 = stablehlo.compare GE, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }, {
    ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<f32>
      stablehlo.return %0 : tensor<f32>
  }) {
    window_dimensions = array<i64: 2>,
    window_strides = array<i64: 2>,
    padding = dense<[[1, 1]]> : tensor<1x2xi64>
  } : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[1.5, 2.5, 0.5, 3.5]> : tensor<4xf32>
  func.return
}

// -----

func.func @window_of_padding_scatters_nothing() {
  %operand = stablehlo.constant dense<[4, 2]> : tensor<2xi32>
  %source = stablehlo.constant dense<[1, 10, 100]> : tensor<3xi32>
  %init_value = stablehlo.constant dense<0> : tensor<i32>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.compare GE, %arg0, %arg1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }, {
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i32>
      stablehlo.return %0 : tensor<i32>
  }) {
    window_dimensions = array<i64: 2>,
    window_strides = array<i64: 2>,
    padding = dense<[[2, 2]]> : tensor<1x2xi64>
  } : (tensor<2xi32>, tensor<3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[10, 0]> : tensor<2xi32>
  func.return
}

// -----

func.func @scatters_in_the_order_of_the_windows() {
  // Every window selects 9.
  %operand = stablehlo.constant dense<[1, 2, 9, 3, 4]> : tensor<5xi32>
  %source = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %init_value = stablehlo.constant dense<0> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.compare GE, %arg0, %arg1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }, {
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.multiply %arg0, %ten : tensor<i32>
      %1 = stablehlo.add %0, %arg1 : tensor<i32>
      stablehlo.return %1 : tensor<i32>
  }) {window_dimensions = array<i64: 3>} : (tensor<5xi32>, tensor<3xi32>, tensor<i32>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[0, 0, 123, 0, 0]> : tensor<5xi32>
  func.return
}

// -----

func.func @source_is_promoted_to_the_scatter_type() {
  %operand = stablehlo.constant dense<[1, 2, 1]> : tensor<3xi8>
  %source = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %init_value = stablehlo.constant dense<1> : tensor<i8>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%arg0: tensor<i8>, %arg1: tensor<i8>):
      %0 = stablehlo.compare GE, %arg0, %arg1 : (tensor<i8>, tensor<i8>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }, {
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i32>
      stablehlo.return %0 : tensor<i32>
  }) {window_dimensions = array<i64: 2>} : (tensor<3xi8>, tensor<2xi8>, tensor<i8>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[1, 201, 1]> : tensor<3xi32>
  func.return
}

// -----

func.func @regions_that_are_not_pointwise() {
  %operand = stablehlo.constant dense<[1, 7, 3, 4]> : tensor<4xi32>
  %source = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %init_value = stablehlo.constant dense<0> : tensor<i32>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init_value) ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
      %1 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
      %2 = stablehlo.compare GE, %0, %1 : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
      %3 = stablehlo.reshape %2 : (tensor<1xi1>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
  }, {
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
      %1 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
      %2 = stablehlo.add %0, %1 : tensor<1xi32>
      %3 = stablehlo.reshape %2 : (tensor<1xi32>) -> tensor<i32>
      stablehlo.return %3 : tensor<i32>
  }) {window_dimensions = array<i64: 3>, padding = dense<0> : tensor<1x2xi64>}
    : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[0, 30, 0, 0]> : tensor<4xi32>
  func.return
}
