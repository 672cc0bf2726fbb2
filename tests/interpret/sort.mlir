// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %input0 = stablehlo.constant dense<[[1, 2, 3], [3, 2, 1]]> : tensor<2x3xi64>
  %input1 = stablehlo.constant dense<[[3, 2, 1], [1, 2, 3]]> : tensor<2x3xi64>
  %result0, %result1 = "stablehlo.sort"(%input0, %input1) ({
    ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>, %arg2: tensor<i64>, %arg3: tensor<i64>):
      %predicate = stablehlo.compare GT, %arg0, %arg1 : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %predicate : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2x3xi64>, tensor<2x3xi64>) -> (tensor<2x3xi64>, tensor<2x3xi64>)
  check.expect_eq_const %result0, dense<[[3, 2, 3], [1, 2, 1]]> : tensor<2x3xi64>
  check.expect_eq_const %result1, dense<[[1, 2, 1], [3, 2, 3]]> : tensor<2x3xi64>
  func.return
}

// -----

func.func @default_dimension_is_the_last() {
  %input = stablehlo.constant dense<[[3, 1, 2], [6, 5, 4]]> : tensor<2x3xi32>
  %result = "stablehlo.sort"(%input) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  func.return
}

// -----

func.func @negative_dimension() {
  %input = stablehlo.constant dense<[[3, 1], [2, 4], [1, 0]]> : tensor<3x2xi32>
  %result = "stablehlo.sort"(%input) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) {dimension = -2 : i64} : (tensor<3x2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[1, 0], [2, 1], [3, 4]]> : tensor<3x2xi32>
  func.return
}

// -----

func.func @equal_keys_stay_in_order() {
  %keys = stablehlo.constant dense<[2, 1, 2, 1, 2]> : tensor<5xui8>
  %values = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %up:2 = "stablehlo.sort"(%keys, %values) ({
    ^bb0(%lhs: tensor<ui8>, %rhs: tensor<ui8>, %i: tensor<i32>, %j: tensor<i32>):
      %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) {is_stable = true} : (tensor<5xui8>, tensor<5xi32>) -> (tensor<5xui8>, tensor<5xi32>)
  check.expect_eq_const %up#1, dense<[1, 3, 0, 2, 4]> : tensor<5xi32>
  // The same comparison the other way round.
  %down:2 = "stablehlo.sort"(%keys, %values) ({
    ^bb0(%lhs: tensor<ui8>, %rhs: tensor<ui8>, %i: tensor<i32>, %j: tensor<i32>):
      %0 = stablehlo.compare LT, %rhs, %lhs : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) {is_stable = true} : (tensor<5xui8>, tensor<5xi32>) -> (tensor<5xui8>, tensor<5xi32>)
  check.expect_eq_const %down#0, dense<[2, 2, 2, 1, 1]> : tensor<5xui8>
  check.expect_eq_const %down#1, dense<[0, 2, 4, 1, 3]> : tensor<5xi32>
  func.return
}

// -----

func.func @key_is_not_the_first_input() {
  %values = stablehlo.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %keys = stablehlo.constant dense<[3, -8, -1]> : tensor<3xi4>
  %result:2 = "stablehlo.sort"(%values, %keys) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %lhs: tensor<i4>, %rhs: tensor<i4>):
      %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<i4>, tensor<i4>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) : (tensor<3xf32>, tensor<3xi4>) -> (tensor<3xf32>, tensor<3xi4>)
  check.expect_eq_const %result#0, dense<[20.0, 30.0, 10.0]> : tensor<3xf32>
  check.expect_eq_const %result#1, dense<[-8, -1, 3]> : tensor<3xi4>
  func.return
}

// -----

func.func @booleans() {
  %input = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %result = "stablehlo.sort"(%input) ({
    ^bb0(%lhs: tensor<i1>, %rhs: tensor<i1>):
      %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<i1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) : (tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, true, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @floats_total_order() {
  // -NaN, -inf, -1, -0, +0, 1, inf, NaN.
  %input = stablehlo.constant dense<[0x7FC00000, 0.0, -1.0, 0xFF800000, -0.0, 0xFFC00000, 1.0, 0x7F800000]> : tensor<8xf32>
  %result = "stablehlo.sort"(%input) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %0 = stablehlo.compare LT, %lhs, %rhs, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  check.expect_eq_const %result, dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  func.return
}

// -----

func.func @floats_without_total_order_keep_zeros_in_order() {
  %input = stablehlo.constant dense<[1.0, 0.0, -0.0, -1.0, 0.0, -0.0]> : tensor<6xf64>
  %up = "stablehlo.sort"(%input) ({
    ^bb0(%lhs: tensor<f64>, %rhs: tensor<f64>):
      %0 = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) {is_stable = true} : (tensor<6xf64>) -> tensor<6xf64>
  check.expect_eq_const %up, dense<[-1.0, 0.0, -0.0, 0.0, -0.0, 1.0]> : tensor<6xf64>
  func.return
}

// -----

func.func @floats_without_total_order_have_nan_last() {
  %input = stablehlo.constant dense<[1.0, 0x7FC0, 3.0, 0xFFC0, 2.0]> : tensor<5xbf16>
  %up = "stablehlo.sort"(%input) ({
    ^bb0(%lhs: tensor<bf16>, %rhs: tensor<bf16>):
      %0 = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) : (tensor<5xbf16>) -> tensor<5xbf16>
  check.expect_eq_const %up, dense<[1.0, 2.0, 3.0, 0x7FC0, 0xFFC0]> : tensor<5xbf16>
  %down = "stablehlo.sort"(%input) ({
    ^bb0(%lhs: tensor<bf16>, %rhs: tensor<bf16>):
      %0 = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) : (tensor<5xbf16>) -> tensor<5xbf16>
  check.expect_eq_const %down, dense<[3.0, 2.0, 1.0, 0x7FC0, 0xFFC0]> : tensor<5xbf16>
  func.return
}

// -----

// Of equal numbers the later one comes first, but NaNs stay in order.
func.func @inclusive_comparisons() {
  %keys = stablehlo.constant dense<[2.0, 0x7FC00000, 1.0, 2.0, -0.0, 0xFFC00000, 0.0]> : tensor<7xf32>
  %places = stablehlo.iota dim = 0 : tensor<7xi32>
  %up:2 = "stablehlo.sort"(%keys, %places) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
      %0 = stablehlo.compare LE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) : (tensor<7xf32>, tensor<7xi32>) -> (tensor<7xf32>, tensor<7xi32>)
  check.expect_eq_const %up#1, dense<[6, 4, 2, 3, 0, 1, 5]> : tensor<7xi32>
  %down:2 = "stablehlo.sort"(%keys, %places) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
      %0 = stablehlo.compare LE, %b, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) : (tensor<7xf32>, tensor<7xi32>) -> (tensor<7xf32>, tensor<7xi32>)
  check.expect_eq_const %down#1, dense<[3, 0, 2, 6, 4, 1, 5]> : tensor<7xi32>
  func.return
}

// -----

// A NaN in the second key decides among equal first keys only.
func.func @nan_in_the_second_key() {
  %first = stablehlo.constant dense<[1.0, 0x7FC00000, 1.0, 2.0, 0x7FC00000, 1.0]> : tensor<6xf32>
  %second = stablehlo.constant dense<[0x7FC00000, 1.0, 3.0, 0.0, 0.0, 2.0]> : tensor<6xf32>
  %places = stablehlo.iota dim = 0 : tensor<6xi32>
  %sorted:3 = "stablehlo.sort"(%first, %second, %places) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>, %e: tensor<i32>, %f: tensor<i32>):
      %less = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %tie = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %next = stablehlo.compare LT, %c, %d, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %both = stablehlo.and %tie, %next : tensor<i1>
      %0 = stablehlo.or %less, %both : tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) : (tensor<6xf32>, tensor<6xf32>, tensor<6xi32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xi32>)
  check.expect_eq_const %sorted#2, dense<[5, 2, 0, 3, 4, 1]> : tensor<6xi32>
  func.return
}

// -----

func.func @key_that_is_computed() {
  // By distance from 10.
  %input = stablehlo.constant dense<[7, 11, 20, 10, 9]> : tensor<5xi32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %result = "stablehlo.sort"(%input) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %0 = stablehlo.subtract %lhs, %ten : tensor<i32>
      %1 = stablehlo.abs %0 : tensor<i32>
      %2 = stablehlo.subtract %rhs, %ten : tensor<i32>
      %3 = stablehlo.abs %2 : tensor<i32>
      %4 = stablehlo.compare LT, %1, %3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
  }) {is_stable = true} : (tensor<5xi32>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[10, 11, 9, 7, 20]> : tensor<5xi32>
  func.return
}

// -----

func.func @several_keys() {
  // First ascending, then descending.
  %major = stablehlo.constant dense<[1, 0, 1, 0, 1]> : tensor<5xi32>
  %minor = stablehlo.constant dense<[5.0, 6.0, 7.0, 8.0, 7.0]> : tensor<5xf32>
  %place = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %result:3 = "stablehlo.sort"(%major, %minor, %place) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
      %less = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %equal = stablehlo.compare EQ, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %greater = stablehlo.compare GT, %c, %d, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %both = stablehlo.and %equal, %greater : tensor<i1>
      %0 = stablehlo.or %less, %both : tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) {is_stable = true} : (tensor<5xi32>, tensor<5xf32>, tensor<5xi32>) -> (tensor<5xi32>, tensor<5xf32>, tensor<5xi32>)
  check.expect_eq_const %result#0, dense<[0, 0, 1, 1, 1]> : tensor<5xi32>
  check.expect_eq_const %result#1, dense<[8.0, 6.0, 7.0, 7.0, 5.0]> : tensor<5xf32>
  check.expect_eq_const %result#2, dense<[3, 1, 2, 4, 0]> : tensor<5xi32>
  func.return
}

// -----

func.func @complex_by_magnitude() {
  %input = stablehlo.constant dense<[(3.0, 4.0), (0.0, 1.0), (-2.0, 0.0)]> : tensor<3xcomplex<f32>>
  %result = "stablehlo.sort"(%input) ({
    ^bb0(%lhs: tensor<complex<f32>>, %rhs: tensor<complex<f32>>):
      %0 = stablehlo.abs %lhs : (tensor<complex<f32>>) -> tensor<f32>
      %1 = stablehlo.abs %rhs : (tensor<complex<f32>>) -> tensor<f32>
      %2 = stablehlo.compare LT, %0, %1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
  }) : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.0, 1.0), (-2.0, 0.0), (3.0, 4.0)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

func.func @comparator_without_keys() {
  // a < b as a - b < 0, which is no comparison of a key with a key.
  %input = stablehlo.constant dense<[[3, 1, 2, 5, 4], [9, 9, 0, -1, 7]]> : tensor<2x5xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %result = "stablehlo.sort"(%input) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %0 = stablehlo.subtract %lhs, %rhs : tensor<i32>
      %1 = stablehlo.compare LT, %0, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<2x5xi32>) -> tensor<2x5xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3, 4, 5], [-1, 0, 7, 9, 9]]> : tensor<2x5xi32>
  func.return
}

// -----

func.func @different_keys_left_and_right() {
  // 2 a < b: no order, but every element must come out.
  %input = stablehlo.constant dense<[8, 1, 3]> : tensor<3xi32>
  %result = "stablehlo.sort"(%input) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %0 = stablehlo.add %lhs, %lhs : tensor<i32>
      %1 = stablehlo.compare LT, %0, %rhs : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }) : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[1, 3, 8]> : tensor<3xi32>
  func.return
}

// -----

func.func @comparator_that_is_not_pointwise() {
  %input = stablehlo.constant dense<[[3, 1, 2], [1, 1, 0]]> : tensor<2x3xi32>
  %place = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %result:2 = "stablehlo.sort"(%input, %place) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>, %i: tensor<i32>, %j: tensor<i32>):
      %0 = stablehlo.reshape %lhs : (tensor<i32>) -> tensor<1xi32>
      %1 = stablehlo.reshape %rhs : (tensor<i32>) -> tensor<1xi32>
      %2 = stablehlo.compare LT, %0, %1 : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
      %3 = stablehlo.reshape %2 : (tensor<1xi1>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<2x3xi32>, tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<2x3xi32>)
  check.expect_eq_const %result#0, dense<[[1, 2, 3], [0, 1, 1]]> : tensor<2x3xi32>
  check.expect_eq_const %result#1, dense<[[1, 2, 0], [5, 3, 4]]> : tensor<2x3xi32>
  func.return
}

// -----

func.func @nothing_to_sort() {
  %empty = stablehlo.constant dense<> : tensor<0x2xi32>
  %one = stablehlo.constant dense<[[2, 1]]> : tensor<1x2xi32>
  %still_empty = "stablehlo.sort"(%empty) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<0x2xi32>) -> tensor<0x2xi32>
  check.expect_eq_const %still_empty, dense<> : tensor<0x2xi32>
  %still_one = "stablehlo.sort"(%one) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<1x2xi32>) -> tensor<1x2xi32>
  check.expect_eq_const %still_one, dense<[[2, 1]]> : tensor<1x2xi32>
  func.return
}
