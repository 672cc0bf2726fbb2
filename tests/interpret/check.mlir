// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @expect_eq() {
  %actual = stablehlo.constant dense<[-2, 0, 2]> : tensor<3xi64>
  %expected = stablehlo.constant dense<[-2, 0, 2]> : tensor<3xi64>
  check.expect_eq %actual, %expected : tensor<3xi64>
  func.return
}

// -----

func.func @expect_eq_bool() {
  %actual = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  check.expect_eq %actual, %actual : tensor<2xi1>
  func.return
}

// -----

// Equality is that of bits: a NaN equals itself.
func.func @expect_eq_nan() {
  %actual = stablehlo.constant dense<[0x7FC00000, 0xFF800000, -0.0]> : tensor<3xf32>
  check.expect_eq %actual, %actual : tensor<3xf32>
  func.return
}

// -----

func.func @expect_eq_generic() {
  %actual = stablehlo.constant dense<1> : tensor<ui8>
  "check.expect_eq"(%actual, %actual) : (tensor<ui8>, tensor<ui8>) -> ()
  func.return
}

// -----

func.func @expect_eq_const() {
  %actual = stablehlo.constant dense<[[-2, 0], [2, 4]]> : tensor<2x2xi4>
  check.expect_eq_const %actual, dense<[[-2, 0], // a comment
                                        [2, 4]]> : tensor<2x2xi4>
  func.return
}

// -----

func.func @expect_eq_const_complex() {
  %actual = stablehlo.constant dense<[(1.0, 2.0), (3.0, -0.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %actual, dense<[(1.0, 2.0), (3.0, -0.0)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

func.func @expect_eq_const_splat_bf16() {
  %actual = stablehlo.constant dense<[1.5, 1.5]> : tensor<2xbf16>
  check.expect_eq_const %actual, dense<1.5> : tensor<2xbf16>
  func.return
}

// -----

func.func @expect_eq_const_empty() {
  %actual = stablehlo.constant dense<> : tensor<0xf32>
  check.expect_eq_const %actual, dense<> : tensor<0xf32>
  func.return
}

// -----

func.func @expect_eq_const_of_result_pack() {
  %actual:2 = func.call @two() : () -> (tensor<i32>, tensor<i32>)
  check.expect_eq_const %actual#0, dense<1> : tensor<i32>
  check.expect_eq_const %actual#1, dense<2> : tensor<i32>
  func.return
}

func.func @main() {
  func.call @expect_eq_const_of_result_pack() : () -> ()
  func.return
}

func.func private @two() -> (tensor<i32>, tensor<i32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  func.return %one, %two : tensor<i32>, tensor<i32>
}

// -----

func.func @expect_almost_eq() {
  %actual = stablehlo.constant dense<5.0000> : tensor<f64>
  %expected = stablehlo.constant dense<5.00009> : tensor<f64>
  check.expect_almost_eq %actual, %expected : tensor<f64>
  func.return
}

// -----

func.func @expect_almost_eq_tolerance() {
  %actual = stablehlo.constant dense<5.0> : tensor<f64>
  %expected = stablehlo.constant dense<5.0625> : tensor<f64>
  check.expect_almost_eq %actual, %expected, tolerance = 0.0625 : tensor<f64>
  func.return
}

// -----

func.func @expect_almost_eq_special_values() {
  %actual = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0]> : tensor<4xf32>
  check.expect_almost_eq_const %actual, dense<[0xFFC00001, 0x7F800000, 0xFF800000, -0.0]> : tensor<4xf32>
  func.return
}

// -----

func.func @expect_almost_eq_const_tolerance() {
  %actual = stablehlo.constant dense<(5.0, 1.0)> : tensor<complex<f64>>
  check.expect_almost_eq_const %actual, dense<(5.1, 0.9)> : tensor<complex<f64>>, tolerance = 0.11
  func.return
}

// -----

func.func @expect_almost_eq_const_tolerance_in_dictionary() {
  %actual = stablehlo.constant dense<5.0> : tensor<f16>
  check.expect_almost_eq_const %actual, dense<5.1> : tensor<f16> {tolerance = 0.11 : f64}
  func.return
}

// -----

// 5.0 and 5.012 are 3 steps of 2^-8 apart.
func.func @expect_close() {
  %actual = stablehlo.constant dense<5.0000> : tensor<f16>
  %expected = stablehlo.constant dense<5.0117> : tensor<f16>
  check.expect_close %actual, %expected, max_ulp_difference = 3, min_ulp_difference = 3 : tensor<f16>, tensor<f16>
  func.return
}

// -----

func.func @expect_close_across_zero() {
  %actual = stablehlo.constant dense<[0x00000001, 0.0]> : tensor<2xf32>
  %expected = stablehlo.constant dense<[0x80000001, 0x80000002]> : tensor<2xf32>
  check.expect_close %actual, %expected, max_ulp_difference = 2, min_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>
  func.return
}

// -----

// Part by part, the larger distance counts.
func.func @expect_close_complex() {
  %actual = stablehlo.constant dense<(1.0, 0x3FF0000000000000)> : tensor<complex<f64>>
  %expected = stablehlo.constant dense<(1.0, 0x3FF0000000000004)> : tensor<complex<f64>>
  check.expect_close %actual, %expected, max_ulp_difference = 4, min_ulp_difference = 4 : tensor<complex<f64>>, tensor<complex<f64>>
  func.return
}

// -----

func.func @custom_calls() {
  %int = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %float = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %near = stablehlo.constant dense<[1.0005, 2.0]> : tensor<2xf32>
  %next = stablehlo.constant dense<[0x3F800003, 0x40000000]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_eq(%int, %int) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
  stablehlo.custom_call @check.expect_almost_eq(%float, %near) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_close(%float, %next) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  %equal = stablehlo.custom_call @check.eq(%int, %int) : (tensor<2xi32>, tensor<2xi32>) -> tensor<i1>
  check.expect_eq_const %equal, dense<true> : tensor<i1>
  func.return
}

// -----

func.func @in_region() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %pred = stablehlo.custom_call @check.eq(%i, %i) : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %false = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %false : tensor<i1>
    } do {
      stablehlo.return %i : tensor<i32>
    }
  check.expect_eq_const %result, dense<0> : tensor<i32>
  func.return
}
