// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @set_dimension_size_op() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %size = stablehlo.constant dense<3> : tensor<i32>
  %part = stablehlo.set_dimension_size %operand, %size, dim = 0 : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = stablehlo.reduce(%part init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %sum, dense<6> : tensor<i32>
  %count = stablehlo.get_dimension_size %part, dim = 0 : (tensor<?xi32, #stablehlo.bounds<4>>) -> tensor<i32>
  check.expect_eq_const %count, dense<3> : tensor<i32>
  func.return
}
