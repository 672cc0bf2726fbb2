// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @reshape_op() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.reshape %operand : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  func.return
}

// -----

func.func @reshape_op_to_rank_0() {
  %operand = stablehlo.constant dense<[[[7]]]> : tensor<1x1x1xi64>
  %result = stablehlo.reshape %operand : (tensor<1x1x1xi64>) -> tensor<i64>
  check.expect_eq_const %result, dense<7> : tensor<i64>
  func.return
}

// -----

func.func @reshape_op_from_rank_0() {
  %operand = stablehlo.constant dense<1.5> : tensor<bf16>
  %result = stablehlo.reshape %operand : (tensor<bf16>) -> tensor<1x1xbf16>
  check.expect_eq_const %result, dense<[[1.5]]> : tensor<1x1xbf16>
  func.return
}

// -----

func.func @reshape_op_rank_0_to_rank_0() {
  %operand = stablehlo.constant dense<true> : tensor<i1>
  %result = stablehlo.reshape %operand : (tensor<i1>) -> tensor<i1>
  check.expect_eq_const %result, dense<true> : tensor<i1>
  func.return
}

// -----

func.func @reshape_op_without_elements() {
  %operand = stablehlo.constant dense<> : tensor<2x0xf32>
  %result = stablehlo.reshape %operand : (tensor<2x0xf32>) -> tensor<0x5x7xf32>
  check.expect_eq_const %result, dense<> : tensor<0x5x7xf32>
  func.return
}

// -----

// The order is row-major, however the operand came about.
func.func @reshape_op_of_transposed_operand() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %transposed = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xui8>) -> tensor<3x2xui8>
  %result = stablehlo.reshape %transposed : (tensor<3x2xui8>) -> tensor<6xui8>
  check.expect_eq_const %result, dense<[1, 4, 2, 5, 3, 6]> : tensor<6xui8>
  func.return
}

// -----

func.func @reshape_op_narrow_types() {
  %i2 = stablehlo.constant dense<[-2, -1, 0, 1]> : tensor<4xi2>
  %i2_result = stablehlo.reshape %i2 : (tensor<4xi2>) -> tensor<2x2xi2>
  check.expect_eq_const %i2_result, dense<[[-2, -1], [0, 1]]> : tensor<2x2xi2>
  %f4 = stablehlo.constant dense<[0.5, -6.0]> : tensor<2xf4E2M1FN>
  %f4_result = stablehlo.reshape %f4 : (tensor<2xf4E2M1FN>) -> tensor<2x1xf4E2M1FN>
  check.expect_eq_const %f4_result, dense<[[0.5], [-6.0]]> : tensor<2x1xf4E2M1FN>
  %complex = stablehlo.constant dense<[(1.0, -2.0), (3.0, 0.0)]> : tensor<2xcomplex<f32>>
  %complex_result = stablehlo.reshape %complex : (tensor<2xcomplex<f32>>) -> tensor<1x2xcomplex<f32>>
  check.expect_eq_const %complex_result, dense<[[(1.0, -2.0), (3.0, 0.0)]]> : tensor<1x2xcomplex<f32>>
  func.return
}
