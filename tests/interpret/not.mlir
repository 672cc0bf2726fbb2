// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @not_op() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %result = stablehlo.not %operand : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[-2, -3], [-4, -5]]> : tensor<2x2xi32>
  func.return
}

// -----

func.func @not_op_booleans() {
  %operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %result = stablehlo.not %operand : tensor<2xi1>
  check.expect_eq_const %result, dense<[false, true]> : tensor<2xi1>
  func.return
}

// -----

func.func @not_op_i4() {
  %operand = stablehlo.constant dense<[-8, 0, 7]> : tensor<3xi4>
  %result = stablehlo.not %operand : tensor<3xi4>
  check.expect_eq_const %result, dense<[7, -1, -8]> : tensor<3xi4>
  func.return
}

// -----

func.func @not_op_ui4() {
  %operand = stablehlo.constant dense<[0, 5, 15]> : tensor<3xui4>
  %result = stablehlo.not %operand : tensor<3xui4>
  check.expect_eq_const %result, dense<[15, 10, 0]> : tensor<3xui4>
  func.return
}

// -----

func.func @not_op_ui2() {
  %operand = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xui2>
  %result = stablehlo.not %operand : tensor<4xui2>
  check.expect_eq_const %result, dense<[3, 2, 1, 0]> : tensor<4xui2>
  func.return
}

// -----

func.func @not_op_ui64() {
  %operand = stablehlo.constant dense<[0, 1]> : tensor<2xui64>
  %result = stablehlo.not %operand : tensor<2xui64>
  check.expect_eq_const %result, dense<[18446744073709551615, 18446744073709551614]> : tensor<2xui64>
  func.return
}
