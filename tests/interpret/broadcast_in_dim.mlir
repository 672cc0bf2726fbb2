// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @broadcast_in_dim_op() {
  %operand = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [2, 1] : (tensor<1x3xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[
    [[1, 1], [2, 2], [3, 3]],
    [[1, 1], [2, 2], [3, 3]]
  ]> : tensor<2x3x2xi32>
  func.return
}

// -----

func.func @broadcast_in_dim_op_rank_0() {
  %operand = stablehlo.constant dense<-3> : tensor<i4>
  %result = stablehlo.broadcast_in_dim %operand, dims = [] : (tensor<i4>) -> tensor<2x2xi4>
  check.expect_eq_const %result, dense<-3> : tensor<2x2xi4>
  func.return
}

// -----

func.func @broadcast_in_dim_op_rank_0_to_rank_0() {
  %operand = stablehlo.constant dense<-0.0> : tensor<f32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [] : (tensor<f32>) -> tensor<f32>
  check.expect_eq_const %result, dense<-0.0> : tensor<f32>
  func.return
}

// -----

// Without expansion it is a transpose.
func.func @broadcast_in_dim_op_transposes() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui16>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 0] : (tensor<2x3xui16>) -> tensor<3x2xui16>
  check.expect_eq_const %result, dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xui16>
  func.return
}

// -----

func.func @broadcast_in_dim_op_adds_dimensions() {
  %operand = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<2xf16>) -> tensor<1x2x1xf16>
  check.expect_eq_const %result, dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf16>
  func.return
}

// -----

func.func @broadcast_in_dim_op_to_no_elements() {
  %operand = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi64>
  %result = stablehlo.broadcast_in_dim %operand, dims = [0, 1] : (tensor<2x1xi64>) -> tensor<2x0xi64>
  check.expect_eq_const %result, dense<> : tensor<2x0xi64>
  func.return
}

// -----

// Large enough to be a view with repeated elements.
func.func @broadcast_in_dim_op_large() {
  %operand = stablehlo.constant dense<[5, 7]> : tensor<2xi64>
  %broadcast = stablehlo.broadcast_in_dim %operand, dims = [0] : (tensor<2xi64>) -> tensor<2x4096xi64>
  %result = stablehlo.slice %broadcast [0:2, 4094:4096] : (tensor<2x4096xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[5, 5], [7, 7]]> : tensor<2x2xi64>
  func.return
}
