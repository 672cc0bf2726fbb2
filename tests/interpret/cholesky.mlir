// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [2.0, 20.0, 26.0], [3.0, 26.0, 70.0]]> : tensor<3x3xf32>
  %result = "stablehlo.cholesky"(%a) {
    lower = true
  } : (tensor<3x3xf32>) -> tensor<3x3xf32>
  check.expect_eq_const %result, dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  func.return
}

// -----

func.func @upper() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [2.0, 20.0, 26.0], [3.0, 26.0, 70.0]]> : tensor<3x3xf64>
  %result = stablehlo.cholesky %a, lower = false : tensor<3x3xf64>
  check.expect_eq_const %result, dense<[[1.0, 2.0, 3.0], [0.0, 4.0, 5.0], [0.0, 0.0, 6.0]]> : tensor<3x3xf64>
  func.return
}

// -----

func.func @lower_reads_the_lower_triangle() {
  %a = stablehlo.constant dense<[[4.0, 0x7FC00000], [2.0, 10.0]]> : tensor<2x2xf32>
  %result = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[2.0, 0.0], [1.0, 3.0]]> : tensor<2x2xf32>
  func.return
}

// -----

func.func @upper_reads_the_upper_triangle() {
  %a = stablehlo.constant dense<[[4.0, 2.0], [0x7FC00000, 10.0]]> : tensor<2x2xf32>
  %result = stablehlo.cholesky %a, lower = false : tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[2.0, 1.0], [0.0, 3.0]]> : tensor<2x2xf32>
  func.return
}

// -----

func.func @lower_complex() {
  %a = stablehlo.constant dense<[[(4.0, 0.0), (2.0, 4.0)], [(2.0, -4.0), (14.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %result = stablehlo.cholesky %a, lower = true : tensor<2x2xcomplex<f32>>
  check.expect_eq_const %result, dense<[[(2.0, 0.0), (0.0, 0.0)], [(1.0, -2.0), (3.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  func.return
}

// -----

func.func @upper_complex() {
  %a = stablehlo.constant dense<[[(4.0, 0.0), (2.0, 4.0)], [(2.0, -4.0), (14.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %result = stablehlo.cholesky %a, lower = false : tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[[(2.0, 0.0), (1.0, 2.0)], [(0.0, 0.0), (3.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  func.return
}

// -----

func.func @bf16() {
  %a = stablehlo.constant dense<[[4.0, 2.0], [2.0, 10.0]]> : tensor<2x2xbf16>
  %result = stablehlo.cholesky %a, lower = true : tensor<2x2xbf16>
  check.expect_eq_const %result, dense<[[2.0, 0.0], [1.0, 3.0]]> : tensor<2x2xbf16>
  func.return
}

// -----

// Each matrix of a batch is by itself: one that is not positive definite becomes NaN.
func.func @batch_with_indefinite_matrix() {
  %a = stablehlo.constant dense<[[[4.0, 2.0], [2.0, 10.0]], [[1.0, 2.0], [2.0, 1.0]], [[9.0, 3.0], [3.0, 5.0]]]> : tensor<3x2x2xf32>
  %result = stablehlo.cholesky %a, lower = true : tensor<3x2x2xf32>
  %nan = stablehlo.compare NE, %result, %result : (tensor<3x2x2xf32>, tensor<3x2x2xf32>) -> tensor<3x2x2xi1>
  check.expect_eq_const %nan, dense<[[[false, false], [false, false]], [[true, true], [true, true]], [[false, false], [false, false]]]> : tensor<3x2x2xi1>
  %zero = stablehlo.constant dense<0.0> : tensor<3x2x2xf32>
  %numbers = stablehlo.select %nan, %zero, %result : tensor<3x2x2xi1>, tensor<3x2x2xf32>
  check.expect_eq_const %numbers, dense<[[[2.0, 0.0], [1.0, 3.0]], [[0.0, 0.0], [0.0, 0.0]], [[3.0, 0.0], [1.0, 2.0]]]> : tensor<3x2x2xf32>
  func.return
}

// -----

func.func @empty() {
  %a = stablehlo.constant dense<> : tensor<2x0x0xf32>
  %result = stablehlo.cholesky %a, lower = true : tensor<2x0x0xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0x0xf32>
  func.return
}
