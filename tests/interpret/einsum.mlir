// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @matrix_product() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %rhs = stablehlo.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %result = stablehlo.einsum %lhs, %rhs, config = "ab,bc->ac" : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[201.0, 2010.0], [403.0, 4030.0]]> : tensor<2x2xf32>
  func.return
}

// -----

func.func @batches_and_transposes() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[1, 10], [100, 1000]]> : tensor<2x2xi32>
  // result[c, b] = lhs[b, a] * rhs[b, c] summed over a.
  %result = stablehlo.einsum %lhs, %rhs, config = "ba,bc->cb" : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[3, 700], [30, 7000]]> : tensor<2x2xi32>
  func.return
}

// -----

func.func @diagonal() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %rhs = stablehlo.constant dense<[100, 50]> : tensor<2xi8>
  // 100 and 200 wrap at 8 bits: 300 = 256 + 44.
  %result = stablehlo.einsum %lhs, %rhs, config = "aa,a->" : (tensor<2x2xi8>, tensor<2xi8>) -> tensor<i8>
  check.expect_eq_const %result, dense<44> : tensor<i8>
  func.return
}

// -----

func.func @ellipsis() {
  %lhs = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi64>
  %rhs = stablehlo.constant dense<[[[1], [10]], [[100], [1000]]]> : tensor<2x2x1xi64>
  %result = stablehlo.einsum %lhs, %rhs, config = "...ij,...jk->...ik" : (tensor<2x1x2xi64>, tensor<2x2x1xi64>) -> tensor<2x1x1xi64>
  check.expect_eq_const %result, dense<[[[21]], [[4300]]]> : tensor<2x1x1xi64>
  func.return
}

// -----

func.func @bf16_rounds_once() {
  %lhs = stablehlo.constant dense<[256.0, 1.0, 1.0]> : tensor<3xbf16>
  %rhs = stablehlo.constant dense<1.0> : tensor<3xbf16>
  %result = stablehlo.einsum %lhs, %rhs, config = "a,a->" : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<bf16>
  check.expect_eq_const %result, dense<258.0> : tensor<bf16>
  func.return
}
