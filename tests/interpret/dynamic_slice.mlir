// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @dynamic_slice_op() {
  %operand = stablehlo.constant dense<[
    [0, 0, 1, 1],
    [0, 0, 1, 1],
    [0, 0, 0, 0],
    [0, 0, 0, 0]
  ]> : tensor<4x4xi32>
  %start_indices0 = stablehlo.constant dense<-1> : tensor<i64>
  %start_indices1 = stablehlo.constant dense<3> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start_indices0, %start_indices1, sizes = [2, 2]
    : (tensor<4x4xi32>, tensor<i64>, tensor<i64>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<1> : tensor<2x2xi32>
  func.return
}

// -----

func.func @dynamic_slice_op_one_dimension() {
  %operand = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf16>
  %start = stablehlo.constant dense<1> : tensor<ui8>
  %whole = stablehlo.constant dense<77> : tensor<ui8>
  %result = stablehlo.dynamic_slice %operand, %start, %whole, sizes = [2, 2]
    : (tensor<3x2xf16>, tensor<ui8>, tensor<ui8>) -> tensor<2x2xf16>
  check.expect_eq_const %result, dense<[[3.0, 4.0], [5.0, 6.0]]> : tensor<2x2xf16>
  func.return
}

// -----

// An unsigned start is never negative.
func.func @dynamic_slice_op_clamps_unsigned() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %start = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %result = stablehlo.dynamic_slice %operand, %start, sizes = [2] : (tensor<4xi8>, tensor<ui64>) -> tensor<2xi8>
  check.expect_eq_const %result, dense<[3, 4]> : tensor<2xi8>
  func.return
}

// -----

func.func @dynamic_slice_op_narrow_start() {
  %operand = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %start = stablehlo.constant dense<-8> : tensor<i4>
  %result = stablehlo.dynamic_slice %operand, %start, sizes = [2] : (tensor<3xi1>, tensor<i4>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[true, false]> : tensor<2xi1>
  func.return
}

// -----

func.func @dynamic_slice_op_empty() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %start = stablehlo.constant dense<9> : tensor<i32>
  %result = stablehlo.dynamic_slice %operand, %start, sizes = [0] : (tensor<3xi64>, tensor<i32>) -> tensor<0xi64>
  check.expect_eq_const %result, dense<> : tensor<0xi64>
  func.return
}

// -----

func.func @dynamic_slice_op_rank_0() {
  %operand = stablehlo.constant dense<3.0> : tensor<f32>
  %result = stablehlo.dynamic_slice %operand, sizes = [] : (tensor<f32>) -> tensor<f32>
  check.expect_eq_const %result, dense<3.0> : tensor<f32>
  func.return
}

// -----

func.func @dynamic_slice_op_in_a_loop() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %count = stablehlo.constant dense<5> : tensor<i32>
  %start = stablehlo.constant dense<0> : tensor<1x2xi32>
  %results:2 = stablehlo.while(%i = %zero, %sum = %start) : tensor<i32>, tensor<1x2xi32>
    cond {
      %more = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %row = stablehlo.dynamic_slice %operand, %i, %zero, sizes = [1, 2]
        : (tensor<3x2xi32>, tensor<i32>, tensor<i32>) -> tensor<1x2xi32>
      %next_sum = stablehlo.add %sum, %row : tensor<1x2xi32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %next_sum : tensor<i32>, tensor<1x2xi32>
    }
  check.expect_eq_const %results#1, dense<[[19, 24]]> : tensor<1x2xi32>
  func.return
}
