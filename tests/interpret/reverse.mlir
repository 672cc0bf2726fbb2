// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @reverse_op() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %result = stablehlo.reverse %operand, dims = [1] : tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[2, 1], [4, 3], [6, 5]]> : tensor<3x2xi32>
  func.return
}

// -----

func.func @reverse_op_several_dimensions() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi8>
  %result = stablehlo.reverse %operand, dims = [2, 0] : tensor<2x2x2xi8>
  check.expect_eq_const %result, dense<[[[6, 5], [8, 7]], [[2, 1], [4, 3]]]> : tensor<2x2x2xi8>
  func.return
}

// -----

func.func @reverse_op_no_dimensions() {
  %operand = stablehlo.constant dense<[0.5, 1.5]> : tensor<2xbf16>
  %result = stablehlo.reverse %operand, dims = [] : tensor<2xbf16>
  check.expect_eq_const %result, dense<[0.5, 1.5]> : tensor<2xbf16>
  func.return
}

// -----

func.func @reverse_op_rank_0() {
  %operand = stablehlo.constant dense<1> : tensor<ui4>
  %result = stablehlo.reverse %operand, dims = [] : tensor<ui4>
  check.expect_eq_const %result, dense<1> : tensor<ui4>
  func.return
}

// -----

func.func @reverse_op_without_elements() {
  %operand = stablehlo.constant dense<> : tensor<2x0xcomplex<f32>>
  %result = stablehlo.reverse %operand, dims = [0, 1] : tensor<2x0xcomplex<f32>>
  check.expect_eq_const %result, dense<> : tensor<2x0xcomplex<f32>>
  func.return
}
