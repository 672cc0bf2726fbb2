// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @real_dynamic_slice_op() {
  %operand = stablehlo.constant dense<[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]> : tensor<2x5xi64>
  %start_indices = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %limit_indices = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  %strides = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %result = stablehlo.real_dynamic_slice %operand, %start_indices, %limit_indices, %strides
    : (tensor<2x5xi64>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2xi64>
  check.expect_eq_const %result, dense<[[6, 8]]> : tensor<1x2xi64>
  func.return
}

// -----

func.func @real_dynamic_slice_op_dynamic_result() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %start_indices = stablehlo.constant dense<1> : tensor<1xi64>
  %limit_indices = stablehlo.constant dense<3> : tensor<1xi64>
  %strides = stablehlo.constant dense<1> : tensor<1xi64>
  %result = stablehlo.real_dynamic_slice %operand, %start_indices, %limit_indices, %strides
    : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi64>
  %size = stablehlo.get_dimension_size %result, dim = 0 : (tensor<?xi64>) -> tensor<i32>
  check.expect_eq_const %size, dense<2> : tensor<i32>
  func.return
}
