// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @broadcast_or_op_i8() {
  %lhs = stablehlo.constant dense<[[6], [7]]> : tensor<2x1xi8>
  %rhs = stablehlo.constant dense<[2, 3]> : tensor<2xi8>
  %result = chlo.broadcast_or %lhs, %rhs : (tensor<2x1xi8>, tensor<2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %result, dense<[[6, 7], [7, 7]]> : tensor<2x2xi8>
  func.return
}

// -----

func.func @broadcast_or_op_i1() {
  %lhs = stablehlo.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %rhs = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %result = chlo.broadcast_or %lhs, %rhs : (tensor<2x1xi1>, tensor<2xi1>) -> tensor<2x2xi1>
  check.expect_eq_const %result, dense<[[true, true], [true, false]]> : tensor<2x2xi1>
  func.return
}
