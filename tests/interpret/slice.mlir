// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @slice_op() {
  %operand = stablehlo.constant dense<[
    [0, 0, 0, 0],
    [0, 0, 1, 1],
    [0, 0, 1, 1]
  ]> : tensor<3x4xi64>
  %result = stablehlo.slice %operand [1:3, 2:4] : (tensor<3x4xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<1> : tensor<2x2xi64>
  func.return
}

// -----

// The last stride may reach beyond the limit.
func.func @slice_op_strides() {
  %operand = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6]> : tensor<7xi4>
  %result = stablehlo.slice %operand [1:6:3] : (tensor<7xi4>) -> tensor<2xi4>
  check.expect_eq_const %result, dense<[1, 4]> : tensor<2xi4>
  %exact = stablehlo.slice %operand [0:7:3] : (tensor<7xi4>) -> tensor<3xi4>
  check.expect_eq_const %exact, dense<[0, 3, 6]> : tensor<3xi4>
  func.return
}

// -----

func.func @slice_op_whole() {
  %operand = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf8E5M2FNUZ>
  %result = stablehlo.slice %operand [0:1, 0:2] : (tensor<1x2xf8E5M2FNUZ>) -> tensor<1x2xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[[1.0, 2.0]]> : tensor<1x2xf8E5M2FNUZ>
  func.return
}

// -----

func.func @slice_op_empty() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %result = stablehlo.slice %operand [2:2, 0:2] : (tensor<2x2xi32>) -> tensor<0x2xi32>
  check.expect_eq_const %result, dense<> : tensor<0x2xi32>
  func.return
}

// -----

func.func @slice_op_rank_0() {
  %operand = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %result = "stablehlo.slice"(%operand) {
    start_indices = array<i64>, limit_indices = array<i64>, strides = array<i64>
  } : (tensor<complex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %result, dense<(1.0, 2.0)> : tensor<complex<f32>>
  func.return
}
