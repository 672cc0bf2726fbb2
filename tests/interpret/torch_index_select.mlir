// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @torch_index_select_op() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %index = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %result = "stablehlo.torch_index_select"(%operand, %index) {dim = 0 : i64, batch_dims = 0 : i64}
    : (tensor<3x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[5, 6], [1, 2]]> : tensor<2x2xi32>
  func.return
}

// -----

// Each batch has its own index.
func.func @torch_index_select_op_batch() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]]> : tensor<2x2x3xf32>
  %index = stablehlo.constant dense<[[2, 2], [0, 1]]> : tensor<2x2xi64>
  %result = "stablehlo.torch_index_select"(%operand, %index) {dim = 2 : i64, batch_dims = 1 : i64}
    : (tensor<2x2x3xf32>, tensor<2x2xi64>) -> tensor<2x2x2xf32>
  check.expect_eq_const %result, dense<[[[3.0, 3.0], [6.0, 6.0]], [[7.0, 8.0], [10.0, 11.0]]]> : tensor<2x2x2xf32>
  func.return
}

// -----

func.func @torch_index_select_op_clamps() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %index = stablehlo.constant dense<[[-1, 5]]> : tensor<1x2xi32>
  %result = "stablehlo.torch_index_select"(%operand, %index) {dim = 0 : i64, batch_dims = 0 : i64}
    : (tensor<2xi8>, tensor<1x2xi32>) -> tensor<1x2xi8>
  check.expect_eq_const %result, dense<[[1, 2]]> : tensor<1x2xi8>
  func.return
}
