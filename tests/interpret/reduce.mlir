// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %input = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi64>
  %init_value = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.reduce"(%input, %init_value) ({
    ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i64>
      stablehlo.return %0 : tensor<i64>
  }) {dimensions = array<i64: 1>} : (tensor<1x6xi64>, tensor<i64>) -> tensor<1xi64>
  check.expect_eq_const %result, dense<[15]> : tensor<1xi64>
  func.return
}

// -----

func.func @dimensions_in_any_place() {
  %input = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[10, 20], [30, 40], [50, 60]]]> : tensor<2x3x2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %first = stablehlo.reduce(%input init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<2x3x2xi32>, tensor<i32>) -> tensor<3x2xi32>
  check.expect_eq_const %first, dense<[[11, 22], [33, 44], [55, 66]]> : tensor<3x2xi32>
  %middle = stablehlo.reduce(%input init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x3x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %middle, dense<[[9, 12], [90, 120]]> : tensor<2x2xi32>
  %outer = stablehlo.reduce(%input init: %zero) applies stablehlo.add across dimensions = [0, 2]
    : (tensor<2x3x2xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %outer, dense<[33, 77, 121]> : tensor<3xi32>
  %all = stablehlo.reduce(%input init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
    : (tensor<2x3x2xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %all, dense<231> : tensor<i32>
  func.return
}

// -----

func.func @init_value_counts_once() {
  %input = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %init_value = stablehlo.constant dense<100> : tensor<i32>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.add across dimensions = [0]
    : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[104, 106]> : tensor<2xi32>
  func.return
}

// -----

func.func @no_dimensions_combine_each_element_with_init_value() {
  %input = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %init_value = stablehlo.constant dense<100> : tensor<i32>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.add across dimensions = []
    : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[101, 102]> : tensor<2xi32>
  func.return
}

// -----

func.func @empty_dimension_gives_init_value() {
  %input = stablehlo.constant dense<> : tensor<0x2xf32>
  %init_value = stablehlo.constant dense<7.0> : tensor<f32>
  %sum = stablehlo.reduce(%input init: %init_value) applies stablehlo.add across dimensions = [0]
    : (tensor<0x2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %sum, dense<7.0> : tensor<2xf32>
  %max = stablehlo.reduce(%input init: %init_value) applies stablehlo.maximum across dimensions = [0]
    : (tensor<0x2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %max, dense<7.0> : tensor<2xf32>
  %difference = stablehlo.reduce(%input init: %init_value) across dimensions = [0]
    : (tensor<0x2xf32>, tensor<f32>) -> tensor<2xf32>
    reducer(%lhs: tensor<f32>, %rhs: tensor<f32>) {
      %0 = stablehlo.subtract %lhs, %rhs : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }
  check.expect_eq_const %difference, dense<7.0> : tensor<2xf32>
  %nothing = stablehlo.reduce(%input init: %init_value) applies stablehlo.add across dimensions = [1]
    : (tensor<0x2xf32>, tensor<f32>) -> tensor<0xf32>
  check.expect_eq_const %nothing, dense<> : tensor<0xf32>
  func.return
}

// -----

func.func @integers_wrap() {
  %i2 = stablehlo.constant dense<[1, 1, 1]> : tensor<3xi2>
  %i2_init = stablehlo.constant dense<0> : tensor<i2>
  %i2_sum = stablehlo.reduce(%i2 init: %i2_init) applies stablehlo.add across dimensions = [0]
    : (tensor<3xi2>, tensor<i2>) -> tensor<i2>
  check.expect_eq_const %i2_sum, dense<-1> : tensor<i2>
  %ui4 = stablehlo.constant dense<[15, 7, 3]> : tensor<3xui4>
  %ui4_init = stablehlo.constant dense<1> : tensor<ui4>
  %ui4_product = stablehlo.reduce(%ui4 init: %ui4_init) applies stablehlo.multiply across dimensions = [0]
    : (tensor<3xui4>, tensor<ui4>) -> tensor<ui4>
  check.expect_eq_const %ui4_product, dense<11> : tensor<ui4>
  %i8 = stablehlo.constant dense<[127, 1, 127]> : tensor<3xi8>
  %i8_init = stablehlo.constant dense<0> : tensor<i8>
  %i8_sum = stablehlo.reduce(%i8 init: %i8_init) applies stablehlo.add across dimensions = [0]
    : (tensor<3xi8>, tensor<i8>) -> tensor<i8>
  check.expect_eq_const %i8_sum, dense<-1> : tensor<i8>
  %ui64 = stablehlo.constant dense<[18446744073709551615, 3]> : tensor<2xui64>
  %ui64_init = stablehlo.constant dense<0> : tensor<ui64>
  %ui64_sum = stablehlo.reduce(%ui64 init: %ui64_init) applies stablehlo.add across dimensions = [0]
    : (tensor<2xui64>, tensor<ui64>) -> tensor<ui64>
  check.expect_eq_const %ui64_sum, dense<2> : tensor<ui64>
  func.return
}

// -----

func.func @integer_extrema_are_signed_or_not() {
  %i4 = stablehlo.constant dense<[3, -8, 7]> : tensor<3xi4>
  %i4_init = stablehlo.constant dense<0> : tensor<i4>
  %i4_min = stablehlo.reduce(%i4 init: %i4_init) applies stablehlo.minimum across dimensions = [0]
    : (tensor<3xi4>, tensor<i4>) -> tensor<i4>
  check.expect_eq_const %i4_min, dense<-8> : tensor<i4>
  %ui8 = stablehlo.constant dense<[3, 248, 7]> : tensor<3xui8>
  %ui8_init = stablehlo.constant dense<0> : tensor<ui8>
  %ui8_max = stablehlo.reduce(%ui8 init: %ui8_init) applies stablehlo.maximum across dimensions = [0]
    : (tensor<3xui8>, tensor<ui8>) -> tensor<ui8>
  check.expect_eq_const %ui8_max, dense<248> : tensor<ui8>
  func.return
}

// -----

func.func @bitwise_i4() {
  %input = stablehlo.constant dense<[-2, 5, -4]> : tensor<3xi4>
  %zero = stablehlo.constant dense<0> : tensor<i4>
  %ones = stablehlo.constant dense<-1> : tensor<i4>
  %and = stablehlo.reduce(%input init: %ones) applies stablehlo.and across dimensions = [0]
    : (tensor<3xi4>, tensor<i4>) -> tensor<i4>
  check.expect_eq_const %and, dense<4> : tensor<i4>
  %or = stablehlo.reduce(%input init: %zero) applies stablehlo.or across dimensions = [0]
    : (tensor<3xi4>, tensor<i4>) -> tensor<i4>
  check.expect_eq_const %or, dense<-1> : tensor<i4>
  %xor = stablehlo.reduce(%input init: %zero) applies stablehlo.xor across dimensions = [0]
    : (tensor<3xi4>, tensor<i4>) -> tensor<i4>
  check.expect_eq_const %xor, dense<7> : tensor<i4>
  func.return
}

// -----

func.func @logical() {
  %input = stablehlo.constant dense<[[true, true, true], [false, true, false], [false, false, false]]> : tensor<3x3xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %all = stablehlo.reduce(%input init: %true) applies stablehlo.and across dimensions = [1]
    : (tensor<3x3xi1>, tensor<i1>) -> tensor<3xi1>
  check.expect_eq_const %all, dense<[true, false, false]> : tensor<3xi1>
  %any = stablehlo.reduce(%input init: %false) applies stablehlo.or across dimensions = [1]
    : (tensor<3x3xi1>, tensor<i1>) -> tensor<3xi1>
  check.expect_eq_const %any, dense<[true, true, false]> : tensor<3xi1>
  %odd = stablehlo.reduce(%input init: %false) applies stablehlo.xor across dimensions = [1]
    : (tensor<3x3xi1>, tensor<i1>) -> tensor<3xi1>
  check.expect_eq_const %odd, dense<[true, true, false]> : tensor<3xi1>
  %sum = stablehlo.reduce(%input init: %false) applies stablehlo.add across dimensions = [0]
    : (tensor<3x3xi1>, tensor<i1>) -> tensor<3xi1>
  check.expect_eq_const %sum, dense<[true, true, true]> : tensor<3xi1>
  func.return
}

// -----

func.func @maximum_tells_zeros_apart() {
  %input = stablehlo.constant dense<[[-0.0, 0.0, -1.0], [0.0, -0.0, -1.0], [-0.0, -0.0, -1.0]]> : tensor<3x3xf32>
  %init_value = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.maximum across dimensions = [1]
    : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[0.0, 0.0, -0.0]> : tensor<3xf32>
  func.return
}

// -----

func.func @minimum_tells_zeros_apart() {
  %input = stablehlo.constant dense<[0.0, -0.0, 1.0, 0.0]> : tensor<4xf64>
  %init_value = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.minimum across dimensions = [0]
    : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
  check.expect_eq_const %result, dense<-0.0> : tensor<f64>
  func.return
}

// -----

func.func @maximum_of_nan_is_nan() {
  %input = stablehlo.constant dense<[1.0, 0x7FC00000, 2.0]> : tensor<3xf32>
  %init_value = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.maximum across dimensions = [0]
    : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %result, dense<0x7FC00000> : tensor<f32>
  func.return
}

// -----

func.func @sum_of_bf16_is_rounded_once() {
  // Rounding each partial sum to bf16 would stop at 256.
  %input = stablehlo.constant dense<1.0> : tensor<300xbf16>
  %init_value = stablehlo.constant dense<0.0> : tensor<bf16>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.add across dimensions = [0]
    : (tensor<300xbf16>, tensor<bf16>) -> tensor<bf16>
  check.expect_eq_const %result, dense<300.0> : tensor<bf16>
  func.return
}

// -----

func.func @sum_of_f32_is_rounded_once() {
  // 2^24 + 1 + 1 + 1: f32 does not hold 2^24 + 1, but 2^24 + 4, which is nearest to the sum (ties to even).
  %input = stablehlo.constant dense<[16777216.0, 1.0, 1.0, 1.0]> : tensor<4xf32>
  %init_value = stablehlo.constant dense<0.0> : tensor<f32>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %result, dense<16777220.0> : tensor<f32>
  func.return
}

// -----

func.func @sum_of_f8E4M3FN_is_rounded_once() {
  // 280 is nearer to 288 than to 256; rounding each partial sum would leave 256.
  %input = stablehlo.constant dense<[256.0, 8.0, 8.0, 8.0]> : tensor<4xf8E4M3FN>
  %init_value = stablehlo.constant dense<0.0> : tensor<f8E4M3FN>
  %result = stablehlo.reduce(%input init: %init_value) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  check.expect_eq_const %result, dense<288.0> : tensor<f8E4M3FN>
  func.return
}

// -----

func.func @sum_and_product_complex() {
  %input = stablehlo.constant dense<[(1.0, 2.0), (3.0, -1.0), (0.0, 1.0)]> : tensor<3xcomplex<f32>>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %sum = stablehlo.reduce(%input init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %sum, dense<(4.0, 2.0)> : tensor<complex<f32>>
  // (1 + 2i) (3 - i) = 5 + 5i, times i = -5 + 5i.
  %product = stablehlo.reduce(%input init: %one) applies stablehlo.multiply across dimensions = [0]
    : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %product, dense<(-5.0, 5.0)> : tensor<complex<f32>>
  func.return
}

// -----

func.func @operands_are_promoted_to_the_body_type() {
  %i8 = stablehlo.constant dense<[127, 127, 127]> : tensor<3xi8>
  %i8_init = stablehlo.constant dense<-1> : tensor<i8>
  %i8_sum = "stablehlo.reduce"(%i8, %i8_init) ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i32>
      stablehlo.return %0 : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi8>, tensor<i8>) -> tensor<i32>
  check.expect_eq_const %i8_sum, dense<380> : tensor<i32>
  %f16 = stablehlo.constant dense<[60000.0, 60000.0]> : tensor<2xf16>
  %f16_init = stablehlo.constant dense<1.0> : tensor<f16>
  %square = "stablehlo.reduce"(%f16, %f16_init) ({
    ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
      %0 = stablehlo.multiply %arg1, %arg1 : tensor<f32>
      %1 = stablehlo.maximum %arg0, %0 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64>} : (tensor<2xf16>, tensor<f16>) -> tensor<2xf32>
  check.expect_eq_const %square, dense<3.6e9> : tensor<2xf32>
  func.return
}

// -----

func.func @bodies_that_do_not_commute_see_values_in_order() {
  // (a, b) stands for x -> a x + b; the body composes two of them, later ones inside.
  %a = stablehlo.constant dense<[[2, 3], [5, 7], [11, 13]]> : tensor<3x2xi32>
  %b = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %result:2 = stablehlo.reduce(%a init: %one), (%b init: %zero) across dimensions = [0, 1]
    : (tensor<3x2xi32>, tensor<3x2xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    reducer(%a0: tensor<i32>, %a1: tensor<i32>) (%b0: tensor<i32>, %b1: tensor<i32>) {
      %factor = stablehlo.multiply %a0, %a1 : tensor<i32>
      %scaled = stablehlo.multiply %a0, %b1 : tensor<i32>
      %shift = stablehlo.add %scaled, %b0 : tensor<i32>
      stablehlo.return %factor, %shift : tensor<i32>, tensor<i32>
    }
  check.expect_eq_const %result#0, dense<30030> : tensor<i32>
  // 1 + 2 (2 + 3 (3 + 5 (4 + 7 (5 + 11 * 6)))).
  check.expect_eq_const %result#1, dense<15053> : tensor<i32>
  func.return
}

// -----

func.func @argmax_takes_the_first_of_equal_values_and_nan() {
  %values = stablehlo.constant dense<[[1.0, 3.0, 3.0, 2.0], [1.0, 0x7FC00000, 3.0, 0x7FC00000]]> : tensor<2x4xf32>
  %indices = stablehlo.iota dim = 1 : tensor<2x4xi32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %result:2 = stablehlo.reduce(%values init: %least), (%indices init: %zero) across dimensions = [1]
    : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
    reducer(%lhs: tensor<f32>, %rhs: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %greater = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %nan = stablehlo.compare NE, %lhs, %lhs, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %wins = stablehlo.or %greater, %nan : tensor<i1>
      %equal = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %before = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %first = stablehlo.and %equal, %before : tensor<i1>
      %keeps = stablehlo.or %wins, %first : tensor<i1>
      %value = stablehlo.select %wins, %lhs, %rhs : tensor<i1>, tensor<f32>
      %index = stablehlo.select %keeps, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %value, %index : tensor<f32>, tensor<i32>
    }
  check.expect_eq_const %result#0, dense<[3.0, 0x7FC00000]> : tensor<2xf32>
  check.expect_eq_const %result#1, dense<[1, 1]> : tensor<2xi32>
  func.return
}

// -----

func.func @body_uses_a_value_from_outside() {
  %input = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %base = stablehlo.constant dense<10> : tensor<i32>
  %result = stablehlo.reduce(%input init: %zero) across dimensions = [1]
    : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
    reducer(%lhs: tensor<i32>, %rhs: tensor<i32>) {
      %rest = stablehlo.remainder %rhs, %base : tensor<i32>
      %result = stablehlo.maximum %lhs, %rest : tensor<i32>
      stablehlo.return %result : tensor<i32>
    }
  check.expect_eq_const %result, dense<[3, 6]> : tensor<2xi32>
  func.return
}

// -----

// A body that calls a function.
func.func @main() {
  %input = stablehlo.constant dense<[[1.0, -7.0, 3.0], [-4.0, 5.0, 2.0]]> : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %result = stablehlo.reduce(%input init: %zero) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    reducer(%lhs: tensor<f32>, %rhs: tensor<f32>) {
      %0 = func.call @larger(%lhs, %rhs) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }
  check.expect_eq_const %result, dense<[7.0, 5.0]> : tensor<2xf32>
  func.return
}

func.func private @larger(%lhs: tensor<f32>, %rhs: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %lhs : tensor<f32>
  %1 = stablehlo.abs %rhs : tensor<f32>
  %2 = stablehlo.maximum %0, %1 : tensor<f32>
  return %2 : tensor<f32>
}

// -----

func.func @body_that_is_not_pointwise() {
  %input = stablehlo.constant dense<[[5, 3, 2], [1, 9, 4]]> : tensor<2x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.reduce(%input init: %zero) across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
    reducer(%lhs: tensor<i32>, %rhs: tensor<i32>) {
      %0 = stablehlo.reshape %lhs : (tensor<i32>) -> tensor<1xi32>
      %1 = stablehlo.reshape %rhs : (tensor<i32>) -> tensor<1xi32>
      %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %init = stablehlo.constant dense<0> : tensor<i32>
      %3 = stablehlo.reduce(%2 init: %init) applies stablehlo.add across dimensions = [0]
        : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }
  check.expect_eq_const %result, dense<[10, 14]> : tensor<2xi32>
  func.return
}

// -----

func.func @bodies_that_ignore_arguments() {
  %input = stablehlo.constant dense<[[5, 3, 2], [1, 9, 4]]> : tensor<2x3xi32>
  %init_value = stablehlo.constant dense<-1> : tensor<i32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %last = stablehlo.reduce(%input init: %init_value) across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
    reducer(%lhs: tensor<i32>, %rhs: tensor<i32>) {
      stablehlo.return %rhs : tensor<i32>
    }
  check.expect_eq_const %last, dense<[2, 4]> : tensor<2xi32>
  %constant = stablehlo.reduce(%input init: %init_value) across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
    reducer(%lhs: tensor<i32>, %rhs: tensor<i32>) {
      stablehlo.return %seven : tensor<i32>
    }
  check.expect_eq_const %constant, dense<[7, 7]> : tensor<2xi32>
  func.return
}

// -----

// XLA drops the initial value if the dimension has one element.
func.func @initial_value_counts_once_for_one_element() {
  %operand = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %init = stablehlo.constant dense<5.0> : tensor<f32>
  %result = "stablehlo.reduce"(%operand, %init) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %0 = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %0 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<1x3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[6.0, 7.0, 8.0]> : tensor<3xf32>
  func.return
}
