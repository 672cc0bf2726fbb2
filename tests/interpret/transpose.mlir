// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @transpose_op() {
  %operand = stablehlo.constant dense<[
    [[1, 2], [3, 4], [5, 6]],
    [[7, 8], [9, 10], [11, 12]]
  ]> : tensor<2x3x2xi32>
  %result = stablehlo.transpose %operand, dims = [2, 1, 0] : (tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[
    [[1, 7], [3, 9], [5, 11]],
    [[2, 8], [4, 10], [6, 12]]
  ]> : tensor<2x3x2xi32>
  func.return
}

// -----

// A permutation that is not its own inverse: result dimension d is operand dimension permutation[d].
func.func @transpose_op_cycle() {
  %operand = stablehlo.iota dim = 2 : tensor<2x3x4xi8>
  %result = stablehlo.transpose %operand, dims = [2, 0, 1] : (tensor<2x3x4xi8>) -> tensor<4x2x3xi8>
  %expected = stablehlo.iota dim = 0 : tensor<4x2x3xi8>
  check.expect_eq %result, %expected : tensor<4x2x3xi8>
  func.return
}

// -----

func.func @transpose_op_identity() {
  %operand = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf8E5M2>
  %result = stablehlo.transpose %operand, dims = [0, 1] : (tensor<1x2xf8E5M2>) -> tensor<1x2xf8E5M2>
  check.expect_eq_const %result, dense<[[1.0, 2.0]]> : tensor<1x2xf8E5M2>
  func.return
}

// -----

func.func @transpose_op_rank_0() {
  %operand = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f64>>
  %result = stablehlo.transpose %operand, dims = [] : (tensor<complex<f64>>) -> tensor<complex<f64>>
  check.expect_eq_const %result, dense<(1.0, 2.0)> : tensor<complex<f64>>
  func.return
}

// -----

func.func @transpose_op_without_elements() {
  %operand = stablehlo.constant dense<> : tensor<0x3xi1>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<0x3xi1>) -> tensor<3x0xi1>
  check.expect_eq_const %result, dense<> : tensor<3x0xi1>
  func.return
}
