// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @get_dimension_size_op() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %result = stablehlo.get_dimension_size %operand, dim = 1 : (tensor<2x3xi64>) -> tensor<i32>
  check.expect_eq_const %result, dense<3> : tensor<i32>
  func.return
}

// -----

func.func @get_dimension_size_op_no_elements() {
  %operand = stablehlo.constant dense<> : tensor<4x0xf32>
  %result = stablehlo.get_dimension_size %operand, dim = 1 : (tensor<4x0xf32>) -> tensor<i32>
  check.expect_eq_const %result, dense<0> : tensor<i32>
  func.return
}

// -----

func.func @get_dimension_size_op_dynamic() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %shape = stablehlo.constant dense<[6, 1]> : tensor<2xi32>
  %reshaped = stablehlo.dynamic_reshape %operand, %shape : (tensor<2x3xi64>, tensor<2xi32>) -> tensor<?x1xi64>
  %result = stablehlo.get_dimension_size %reshaped, dim = 0 : (tensor<?x1xi64>) -> tensor<i32>
  check.expect_eq_const %result, dense<6> : tensor<i32>
  func.return
}
