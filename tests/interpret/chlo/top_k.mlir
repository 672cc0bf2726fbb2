// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @top_k_op_of_each_row() {
  %operand = stablehlo.constant dense<[[3, 9, 1, 7], [-1, -2, -3, -4]]> : tensor<2x4xi32>
  %values, %indices = chlo.top_k(%operand, k = 2) : tensor<2x4xi32> -> (tensor<2x2xi32>, tensor<2x2xi32>)
  check.expect_eq_const %values, dense<[[9, 7], [-1, -2]]> : tensor<2x2xi32>
  check.expect_eq_const %indices, dense<[[1, 3], [0, 1]]> : tensor<2x2xi32>
  func.return
}

// -----

func.func @top_k_op_equal_elements_keep_their_order() {
  %operand = stablehlo.constant dense<[1, 200, 7, 200, 7]> : tensor<5xui8>
  %values, %indices = chlo.top_k(%operand, k = 3) : tensor<5xui8> -> (tensor<3xui8>, tensor<3xi32>)
  check.expect_eq_const %values, dense<[200, 200, 7]> : tensor<3xui8>
  check.expect_eq_const %indices, dense<[1, 3, 2]> : tensor<3xi32>
  func.return
}

// -----

// NaN comes above infinity, 0 above -0.
func.func @top_k_op_in_total_order() {
  %operand = stablehlo.constant dense<[-0.0, 0x7F800000, 0.0, 0x7FC00000, 1.0]> : tensor<5xf32>
  %values, %indices = chlo.top_k(%operand, k = 5) : tensor<5xf32> -> (tensor<5xf32>, tensor<5xi32>)
  check.expect_eq_const %values, dense<[0x7FC00000, 0x7F800000, 1.0, 0.0, -0.0]> : tensor<5xf32>
  check.expect_eq_const %indices, dense<[3, 1, 4, 2, 0]> : tensor<5xi32>
  func.return
}

// -----

func.func @top_k_op_of_booleans() {
  %operand = stablehlo.constant dense<[false, true, false]> : tensor<3xi1>
  %values, %indices = chlo.top_k(%operand, k = 2) : tensor<3xi1> -> (tensor<2xi1>, tensor<2xi32>)
  check.expect_eq_const %values, dense<[true, false]> : tensor<2xi1>
  check.expect_eq_const %indices, dense<[1, 0]> : tensor<2xi32>
  func.return
}
