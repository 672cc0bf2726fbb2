// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @dynamic_pad_op() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %padding_value = stablehlo.constant dense<0> : tensor<i64>
  %edge_padding_low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %edge_padding_high = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %interior_padding = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %result = stablehlo.dynamic_pad %operand, %padding_value, %edge_padding_low, %edge_padding_high, %interior_padding
    : (tensor<2x3xi64>, tensor<i64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x9xi64>
  check.expect_eq_const %result, dense<[
    [0, 1, 0, 0, 2, 0, 0, 3, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 4, 0, 0, 5, 0, 0, 6, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0]
  ]> : tensor<5x9xi64>
  func.return
}

// -----

func.func @dynamic_pad_op_negative() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xbf16>
  %padding_value = stablehlo.constant dense<9.0> : tensor<bf16>
  %low = stablehlo.constant dense<[-1]> : tensor<1xi32>
  %high = stablehlo.constant dense<[1]> : tensor<1xi32>
  %interior = stablehlo.constant dense<[0]> : tensor<1xi32>
  %result = stablehlo.dynamic_pad %operand, %padding_value, %low, %high, %interior
    : (tensor<3xbf16>, tensor<bf16>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xbf16>
  check.expect_eq_const %result, dense<[2.0, 3.0, 9.0]> : tensor<3xbf16>
  func.return
}

// -----

func.func @dynamic_pad_op_nothing() {
  %operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %padding_value = stablehlo.constant dense<true> : tensor<i1>
  %zero = stablehlo.constant dense<[0]> : tensor<1xi8>
  %result = stablehlo.dynamic_pad %operand, %padding_value, %zero, %zero, %zero
    : (tensor<2xi1>, tensor<i1>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[true, false]> : tensor<2xi1>
  func.return
}
