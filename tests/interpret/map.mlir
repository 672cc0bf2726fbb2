// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %input0 = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  %input1 = stablehlo.constant dense<[[4, 5], [6, 7]]> : tensor<2x2xi64>
  %result = "stablehlo.map"(%input0, %input1) ({
    ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
      %0 = stablehlo.multiply %arg0, %arg1 : tensor<i64>
      stablehlo.return %0 : tensor<i64>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[0, 5], [12, 21]]> : tensor<2x2xi64>
  func.return
}

// -----

func.func @element_types_differ() {
  %input0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %input1 = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf32>
  %result = "stablehlo.map"(%input0, %input1) ({
    ^bb0(%arg0: tensor<i1>, %arg1: tensor<f32>):
      %0 = stablehlo.negate %arg1 : tensor<f32>
      %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<f32>
      %2 = stablehlo.convert %1 : (tensor<f32>) -> tensor<f64>
      stablehlo.return %2 : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<2xi1>, tensor<2xf32>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[1.5, -2.5]> : tensor<2xf64>
  func.return
}

// -----

func.func @computation_that_ignores_its_arguments() {
  %input = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %outside = "stablehlo.map"(%input) ({
    ^bb0(%arg0: tensor<i32>):
      stablehlo.return %seven : tensor<i32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<1x3xi32>) -> tensor<1x3xi32>
  check.expect_eq_const %outside, dense<7> : tensor<1x3xi32>
  %inside = "stablehlo.map"(%input) ({
    ^bb0(%arg0: tensor<i32>):
      %0 = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) {dimensions = array<i64: 0, 1>} : (tensor<1x3xi32>) -> tensor<1x3xi1>
  check.expect_eq_const %inside, dense<true> : tensor<1x3xi1>
  func.return
}

// -----

func.func @scalar_and_empty() {
  %scalar = stablehlo.constant dense<3> : tensor<i32>
  %six = "stablehlo.map"(%scalar) ({
    ^bb0(%arg0: tensor<i32>):
      %0 = stablehlo.add %arg0, %arg0 : tensor<i32>
      stablehlo.return %0 : tensor<i32>
  }) {dimensions = array<i64>} : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %six, dense<6> : tensor<i32>
  %empty = stablehlo.constant dense<> : tensor<2x0xi32>
  %nothing = "stablehlo.map"(%empty) ({
    ^bb0(%arg0: tensor<i32>):
      %0 = stablehlo.add %arg0, %arg0 : tensor<i32>
      stablehlo.return %0 : tensor<i32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x0xi32>) -> tensor<2x0xi32>
  check.expect_eq_const %nothing, dense<> : tensor<2x0xi32>
  func.return
}

// -----

func.func @computation_that_is_not_pointwise() {
  // The number of steps of the Collatz sequence to 1.
  %input = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %result = "stablehlo.map"(%input) ({
    ^bb0(%arg0: tensor<i32>):
      %loop:2 = stablehlo.while(%n = %arg0, %steps = %zero) : tensor<i32>, tensor<i32>
        cond {
          %0 = stablehlo.compare NE, %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %0 : tensor<i1>
        } do {
          %half = stablehlo.divide %n, %two : tensor<i32>
          %odd = stablehlo.remainder %n, %two : tensor<i32>
          %is_odd = stablehlo.compare EQ, %odd, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
          %triple = stablehlo.multiply %n, %three : tensor<i32>
          %up = stablehlo.add %triple, %one : tensor<i32>
          %next = stablehlo.select %is_odd, %up, %half : tensor<i1>, tensor<i32>
          %count = stablehlo.add %steps, %one : tensor<i32>
          stablehlo.return %next, %count : tensor<i32>, tensor<i32>
        }
      stablehlo.return %loop#1 : tensor<i32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[0, 1, 7], [2, 5, 8]]> : tensor<2x3xi32>
  func.return
}
