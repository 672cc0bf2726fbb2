// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The last row belongs to no group.
func.func @ragged_dot_op_rows() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
  %rhs = stablehlo.constant dense<[[[1], [1]], [[1], [-1]]]> : tensor<2x2x1xi32>
  %group_sizes = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %result = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  } : (tensor<4x2xi32>, tensor<2x2x1xi32>, tensor<2xi64>) -> tensor<4x1xi32>
  check.expect_eq_const %result, dense<[[3], [-1], [-1], [0]]> : tensor<4x1xi32>
  func.return
}

// -----

// Each group is summed by itself.
func.func @ragged_dot_op_contraction() {
  %lhs = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %rhs = stablehlo.constant dense<[[1], [10], [100]]> : tensor<3x1xi32>
  %group_sizes = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %result = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>
  } : (tensor<1x3xi32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<2x1x1xi32>
  check.expect_eq_const %result, dense<[[[1]], [[320]]]> : tensor<2x1x1xi32>
  func.return
}

// -----

// As dot_general, whatever the groups are.
func.func @ragged_dot_op_batch() {
  %lhs = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
  %rhs = stablehlo.constant dense<[[[1], [1]], [[1], [-1]]]> : tensor<2x2x1xi32>
  %group_sizes = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %result = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>
  } : (tensor<2x1x2xi32>, tensor<2x2x1xi32>, tensor<2xi64>) -> tensor<2x1x1xi32>
  check.expect_eq_const %result, dense<[[[3]], [[-1]]]> : tensor<2x1x1xi32>
  func.return
}

// -----

// Each row is divided by itself: a group is the sum of its parts in all rows.
func.func @ragged_dot_op_contraction_in_parts() {
  %lhs = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %rhs = stablehlo.constant dense<[[1, 1, 1], [10, 10, 10]]> : tensor<2x3xi32>
  %group_sizes = stablehlo.constant dense<[[1, 2], [2, 1]]> : tensor<2x2xi64>
  %result = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>
  } : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x2xi64>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[91, 65]> : tensor<2xi32>
  func.return
}
