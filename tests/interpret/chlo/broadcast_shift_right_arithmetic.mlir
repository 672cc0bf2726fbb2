// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @broadcast_shift_right_arithmetic_op_i8() {
  %lhs = stablehlo.constant dense<[[-8], [7]]> : tensor<2x1xi8>
  %rhs = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %result = chlo.broadcast_shift_right_arithmetic %lhs, %rhs : (tensor<2x1xi8>, tensor<2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %result, dense<[[-4, -2], [3, 1]]> : tensor<2x2xi8>
  func.return
}
