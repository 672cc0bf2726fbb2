// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @concatenate_op() {
  %input0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %input1 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %result = stablehlo.concatenate %input0, %input1, dim = 0 : (tensor<3x2xi64>, tensor<1x2xi64>) -> tensor<4x2xi64>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi64>
  func.return
}

// -----

func.func @concatenate_op_inner_dimension() {
  %input0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf8E4M3FN>
  %input1 = stablehlo.constant dense<[[3.0, 4.0], [5.0, 6.0]]> : tensor<2x2xf8E4M3FN>
  %input2 = stablehlo.constant dense<[[7.0], [8.0]]> : tensor<2x1xf8E4M3FN>
  %result = stablehlo.concatenate %input0, %input1, %input2, dim = 1
    : (tensor<2x1xf8E4M3FN>, tensor<2x2xf8E4M3FN>, tensor<2x1xf8E4M3FN>) -> tensor<2x4xf8E4M3FN>
  check.expect_eq_const %result, dense<[[1.0, 3.0, 4.0, 7.0], [2.0, 5.0, 6.0, 8.0]]> : tensor<2x4xf8E4M3FN>
  func.return
}

// -----

func.func @concatenate_op_one_input() {
  %input = stablehlo.constant dense<[3, -4]> : tensor<2xi4>
  %result = stablehlo.concatenate %input, dim = 0 : (tensor<2xi4>) -> tensor<2xi4>
  check.expect_eq_const %result, dense<[3, -4]> : tensor<2xi4>
  func.return
}

// -----

func.func @concatenate_op_empty_inputs() {
  %empty = stablehlo.constant dense<> : tensor<0xi1>
  %input = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %result = stablehlo.concatenate %empty, %input, %empty, dim = 0 : (tensor<0xi1>, tensor<2xi1>, tensor<0xi1>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[true, false]> : tensor<2xi1>
  func.return
}
