// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s
// RUN: stablehlo-translate --interpret --sums=blocked --split-input-file --require-checks %s

func.func @spec_example() {
  %lhs = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %rhs = stablehlo.constant dense<[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]> : tensor<2x2x2xi64>
  %result = "stablehlo.dot_general"(%lhs, %rhs) {
    dot_dimension_numbers = #stablehlo.dot<
      lhs_batching_dimensions = [0],
      rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2],
      rhs_contracting_dimensions = [1]
    >,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
    algorithm = #stablehlo.dot_algorithm<
      lhs_precision_type = tf32,
      rhs_precision_type = tf32,
      accumulation_type = f32,
      lhs_component_count = 1,
      rhs_component_count = 1,
      num_primitive_operations = 1,
      allow_imprecise_accumulation = false
    >
  } : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  check.expect_eq_const %result, dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  func.return
}

// -----

func.func @contracts_several_dimensions() {
  %lhs = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %rhs = stablehlo.constant dense<[[[1, 10], [100, 1000]], [[2, 20], [200, 2000]]]> : tensor<2x2x2xi64>
  // result[i, j] = sum over k, l of lhs[k, i, l] * rhs[l, j, k].
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0, 2] x [2, 0]
    : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[175, 17500], [241, 24100]]> : tensor<2x2xi64>
  func.return
}

// -----

func.func @contracts_nothing() {
  %lhs = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf64>
  %rhs = stablehlo.constant dense<[3.0, 0.0, 5.0]> : tensor<3xf64>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [] x []
    : (tensor<2xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  // A sum begins with 0: 0 + -2 * 0 is 0, not -0.
  check.expect_eq_const %result, dense<[[3.0, 0.0, 5.0], [-6.0, 0.0, -10.0]]> : tensor<2x3xf64>
  func.return
}

// -----

func.func @contracts_everything() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %rhs = stablehlo.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1, 0] x [0, 1]
    : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<f32>
  check.expect_eq_const %result, dense<4231.0> : tensor<f32>
  func.return
}

// -----

func.func @scalars() {
  %lhs = stablehlo.constant dense<3> : tensor<i32>
  %rhs = stablehlo.constant dense<-4> : tensor<i32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [] x [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<-12> : tensor<i32>
  func.return
}

// -----

func.func @batches_in_different_places() {
  %lhs = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
  %rhs = stablehlo.constant dense<[[[1], [10]], [[100], [1000]]]> : tensor<2x2x1xi32>
  // result[b, c, i, j] = sum over k of lhs[k, i, b] * rhs[b, k, j].
  %result = stablehlo.dot_general %lhs, %rhs, batching_dims = [2] x [0], contracting_dims = [0] x [1]
    : (tensor<2x1x2xi32>, tensor<2x2x1xi32>) -> tensor<2x1x1xi32>
  check.expect_eq_const %result, dense<[[[31]], [[4200]]]> : tensor<2x1x1xi32>
  func.return
}

// -----

func.func @no_terms() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %rhs = stablehlo.constant dense<> : tensor<0x3xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0]
    : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %result, dense<0.0> : tensor<2x3xf32>
  func.return
}

// -----

func.func @no_results() {
  %lhs = stablehlo.constant dense<> : tensor<0x2xi8>
  %rhs = stablehlo.constant dense<1> : tensor<2x3xi8>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0]
    : (tensor<0x2xi8>, tensor<2x3xi8>) -> tensor<0x3xi32>
  check.expect_eq_const %result, dense<> : tensor<0x3xi32>
  func.return
}

// -----

func.func @i1_is_any_of_all() {
  %lhs = stablehlo.constant dense<[[true, true], [true, false], [false, false]]> : tensor<3x2xi1>
  %rhs = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0]
    : (tensor<3x2xi1>, tensor<2x2xi1>) -> tensor<3x2xi1>
  check.expect_eq_const %result, dense<[[true, true], [true, false], [false, false]]> : tensor<3x2xi1>
  func.return
}

// -----

func.func @i1_is_counted_in_i32() {
  %lhs = stablehlo.constant dense<true> : tensor<3xi1>
  %rhs = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0] : (tensor<3xi1>, tensor<3xi1>) -> tensor<i32>
  check.expect_eq_const %result, dense<2> : tensor<i32>
  func.return
}

// -----

func.func @i4_wraps() {
  %lhs = stablehlo.constant dense<[7, -8]> : tensor<2xi4>
  %rhs = stablehlo.constant dense<[3, 1]> : tensor<2xi4>
  // 21 - 8 = 13.
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0] : (tensor<2xi4>, tensor<2xi4>) -> tensor<i4>
  check.expect_eq_const %result, dense<-3> : tensor<i4>
  func.return
}

// -----

func.func @i8_in_i32() {
  %lhs = stablehlo.constant dense<-128> : tensor<2000xi8>
  %result = stablehlo.dot_general %lhs, %lhs, contracting_dims = [0] x [0]
    : (tensor<2000xi8>, tensor<2000xi8>) -> tensor<i32>
  check.expect_eq_const %result, dense<32768000> : tensor<i32>
  func.return
}

// -----

func.func @i8_wraps() {
  %lhs = stablehlo.constant dense<[100, 3]> : tensor<2xi8>
  %rhs = stablehlo.constant dense<[3, 1]> : tensor<2xi8>
  // 303 = 256 + 47.
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0] : (tensor<2xi8>, tensor<2xi8>) -> tensor<i8>
  check.expect_eq_const %result, dense<47> : tensor<i8>
  func.return
}

// -----

func.func @ui8_times_i8() {
  %lhs = stablehlo.constant dense<[255, 1]> : tensor<2xui8>
  %rhs = stablehlo.constant dense<[-1, 5]> : tensor<2xi8>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0] : (tensor<2xui8>, tensor<2xi8>) -> tensor<i32>
  check.expect_eq_const %result, dense<-250> : tensor<i32>
  func.return
}

// -----

// More terms than are multiplied as integers, and sums that no f64 holds.
func.func @ui32_wraps() {
  %lhs = stablehlo.constant dense<4294967295> : tensor<1000xui32>
  %rhs = stablehlo.constant dense<4294967293> : tensor<1000xui32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0]
    : (tensor<1000xui32>, tensor<1000xui32>) -> tensor<ui32>
  // -1 * -3 * 1000.
  check.expect_eq_const %result, dense<3000> : tensor<ui32>
  func.return
}

// -----

func.func @i64_wraps() {
  %lhs = stablehlo.constant dense<0x4000000000000001> : tensor<1001xi64>
  %rhs = stablehlo.constant dense<5> : tensor<1001xi64>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0]
    : (tensor<1001xi64>, tensor<1001xi64>) -> tensor<i64>
  // 2^62 * 5005 = 2^62 modulo 2^64.
  check.expect_eq_const %result, dense<4611686018427392909> : tensor<i64>
  func.return
}

// -----

// Sums are rounded once: 256 + 1 is no bf16, 256 + 1 + 1 is.
func.func @bf16_rounds_once() {
  %lhs = stablehlo.constant dense<[256.0, 1.0, 1.0]> : tensor<3xbf16>
  %rhs = stablehlo.constant dense<1.0> : tensor<3xbf16>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0] : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<bf16>
  check.expect_eq_const %result, dense<258.0> : tensor<bf16>
  func.return
}

// -----

func.func @bf16_in_f32() {
  %lhs = stablehlo.constant dense<[256.0, 1.0]> : tensor<2xbf16>
  %rhs = stablehlo.constant dense<[1.0, 0.5]> : tensor<2xbf16>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0] : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<f32>
  check.expect_eq_const %result, dense<256.5> : tensor<f32>
  func.return
}

// -----

func.func @f8_in_f32() {
  %lhs = stablehlo.constant dense<[448.0, -0.5]> : tensor<2xf8E4M3FN>
  %rhs = stablehlo.constant dense<[57344.0, 1.0]> : tensor<2xf8E5M2>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0]
    : (tensor<2xf8E4M3FN>, tensor<2xf8E5M2>) -> tensor<f32>
  check.expect_eq_const %result, dense<25690111.5> : tensor<f32>
  func.return
}

// -----

func.func @f32_in_f64() {
  %lhs = stablehlo.constant dense<[16777216.0, 1.0]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[16777216.0, 1.0]> : tensor<2xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f64>
  check.expect_eq_const %result, dense<281474976710657.0> : tensor<f64>
  func.return
}

// -----

func.func @f32_infinity_times_zero() {
  %lhs = stablehlo.constant dense<[[0x7F800000, 1.0], [0x7F800000, 0.0]]> : tensor<2x2xf32>
  %rhs = stablehlo.constant dense<[0.0, 2.0]> : tensor<2xf32>
  %product = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %is_number = stablehlo.compare EQ, %product, %product : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %is_number, dense<false> : tensor<2xi1>
  func.return
}

// -----

func.func @complex() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(3.0, -1.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  // No factor is conjugated: (5 + 5i) + (-1).
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0]
    : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<complex<f64>>
  check.expect_eq_const %result, dense<(4.0, 5.0)> : tensor<complex<f64>>
  func.return
}

// -----

// The operand becomes 1 + 2^-7, the nearest bf16.
func.func @algorithm_bf16() {
  %lhs = stablehlo.constant dense<[1.009765625]> : tensor<1xf32>
  %rhs = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT],
    algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1,
      rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
    : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %result, dense<1.0078125> : tensor<f32>
  func.return
}

// -----

// Of (2^0 + 2^-9)^2 in components 1 and 2^-9, the product of the small ones is left out.
func.func @algorithm_bf16_three_products() {
  %lhs = stablehlo.constant dense<[1.001953125]> : tensor<1xf32>
  %result = stablehlo.dot_general %lhs, %lhs, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT],
    algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1,
      rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>
    : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %result, dense<1.00390625> : tensor<f32>
  func.return
}

// -----

// Halfway between 1 and 1 + 2^-10, to even; and above.
func.func @algorithm_tf32() {
  %lhs = stablehlo.constant dense<[1.00048828125, 1.00048840045928955]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT],
    algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1,
      rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
    : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[1.0, 1.0009765625]> : tensor<2xf32>
  func.return
}

// -----

// Halfway between 1 + 2^-10 and 1 + 2^-9, to even.
func.func @algorithm_tf32_odd() {
  %lhs = stablehlo.constant dense<[1.00146484375, -1.00146484375]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT],
    algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1,
      rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
    : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[1.001953125, -1.001953125]> : tensor<2xf32>
  func.return
}
