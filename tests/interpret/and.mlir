// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @and_op() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.and %lhs, %rhs : tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[1, 2], [3, 0]]> : tensor<2x2xi32>
  func.return
}

// -----

func.func @and_op_booleans() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.and %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, false, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @and_op_i4() {
  %lhs = stablehlo.constant dense<[-8, 7, 5]> : tensor<3xi4>
  %rhs = stablehlo.constant dense<[-1, 3, -4]> : tensor<3xi4>
  %result = stablehlo.and %lhs, %rhs : tensor<3xi4>
  check.expect_eq_const %result, dense<[-8, 3, 4]> : tensor<3xi4>
  func.return
}

// -----

func.func @and_op_ui64() {
  %lhs = stablehlo.constant dense<[18374966859414961920, 12297829382473034410]> : tensor<2xui64>
  %rhs = stablehlo.constant dense<[17361641481138401520, 1]> : tensor<2xui64>
  %result = stablehlo.and %lhs, %rhs : tensor<2xui64>
  check.expect_eq_const %result, dense<[17294086455919964160, 0]> : tensor<2xui64>
  func.return
}

// -----

func.func @and_op_ui2() {
  %lhs = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xui2>
  %rhs = stablehlo.constant dense<[3, 3, 1, 2]> : tensor<4xui2>
  %result = stablehlo.and %lhs, %rhs : tensor<4xui2>
  check.expect_eq_const %result, dense<[0, 1, 0, 2]> : tensor<4xui2>
  func.return
}
