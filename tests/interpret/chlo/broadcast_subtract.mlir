// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @broadcast_subtract_op_i32() {
  %lhs = stablehlo.constant dense<[[6], [7]]> : tensor<2x1xi32>
  %rhs = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %result = chlo.broadcast_subtract %lhs, %rhs : (tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[4, 3], [5, 4]]> : tensor<2x2xi32>
  func.return
}

// -----

// The vector lies along the rows.
func.func @broadcast_subtract_op_broadcast_dimensions() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %result = chlo.broadcast_subtract %lhs, %rhs {broadcast_dimensions = array<i64: 0>} : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[-9, -8], [-17, -16]]> : tensor<2x2xi32>
  func.return
}
