// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @dynamic_update_slice_op() {
  %operand = stablehlo.constant dense<[
    [1, 1, 0, 0],
    [1, 1, 0, 0],
    [1, 1, 1, 1],
    [1, 1, 1, 1]
  ]> : tensor<4x4xi32>
  %update = stablehlo.constant dense<1> : tensor<2x2xi32>
  %start_indices0 = stablehlo.constant dense<-1> : tensor<i64>
  %start_indices1 = stablehlo.constant dense<3> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start_indices0, %start_indices1
    : (tensor<4x4xi32>, tensor<2x2xi32>, tensor<i64>, tensor<i64>) -> tensor<4x4xi32>
  check.expect_eq_const %result, dense<1> : tensor<4x4xi32>
  func.return
}

// -----

func.func @dynamic_update_slice_op_keeps_the_operand() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi4>
  %update = stablehlo.constant dense<[-1, -2]> : tensor<2xi4>
  %start = stablehlo.constant dense<1> : tensor<i32>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start
    : (tensor<4xi4>, tensor<2xi4>, tensor<i32>) -> tensor<4xi4>
  check.expect_eq_const %result, dense<[1, -1, -2, 4]> : tensor<4xi4>
  check.expect_eq_const %operand, dense<[1, 2, 3, 4]> : tensor<4xi4>
  func.return
}

// -----

func.func @dynamic_update_slice_op_clamps_unsigned() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %update = stablehlo.constant dense<[9.0]> : tensor<1xf64>
  %start = stablehlo.constant dense<255> : tensor<ui8>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start
    : (tensor<3xf64>, tensor<1xf64>, tensor<ui8>) -> tensor<3xf64>
  check.expect_eq_const %result, dense<[1.0, 2.0, 9.0]> : tensor<3xf64>
  func.return
}

// -----

func.func @dynamic_update_slice_op_whole() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xui32>
  %update = stablehlo.constant dense<[3, 4]> : tensor<2xui32>
  %start = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start
    : (tensor<2xui32>, tensor<2xui32>, tensor<i64>) -> tensor<2xui32>
  check.expect_eq_const %result, dense<[3, 4]> : tensor<2xui32>
  func.return
}

// -----

func.func @dynamic_update_slice_op_empty_update() {
  %operand = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %update = stablehlo.constant dense<> : tensor<1x0xi64>
  %start = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start, %start
    : (tensor<1x2xi64>, tensor<1x0xi64>, tensor<i64>, tensor<i64>) -> tensor<1x2xi64>
  check.expect_eq_const %result, dense<[[1, 2]]> : tensor<1x2xi64>
  func.return
}

// -----

func.func @dynamic_update_slice_op_rank_0() {
  %operand = stablehlo.constant dense<1.0> : tensor<bf16>
  %update = stablehlo.constant dense<2.0> : tensor<bf16>
  %result = "stablehlo.dynamic_update_slice"(%operand, %update) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
  check.expect_eq_const %result, dense<2.0> : tensor<bf16>
  func.return
}
