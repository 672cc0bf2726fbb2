// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @broadcast_compare_op_f32() {
  %lhs = stablehlo.constant dense<[[0.0], [-0.0]]> : tensor<2x1xf32>
  %rhs = stablehlo.constant dense<[0.0, 0x7FC00000]> : tensor<2xf32>
  %result = chlo.broadcast_compare %lhs, %rhs {comparison_direction = #chlo<comparison_direction EQ>} : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xi1>
  check.expect_eq_const %result, dense<[[true, false], [true, false]]> : tensor<2x2xi1>
  func.return
}

// -----

func.func @broadcast_compare_op_total_order() {
  %lhs = stablehlo.constant dense<[[0.0], [-0.0]]> : tensor<2x1xf32>
  %rhs = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %result = chlo.broadcast_compare %lhs, %rhs {comparison_direction = #chlo<comparison_direction EQ>, compare_type = #chlo<comparison_type TOTALORDER>} : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xi1>
  check.expect_eq_const %result, dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  func.return
}
