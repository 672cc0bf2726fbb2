// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @pad_op() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %padding_value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %padding_value, low = [0, 1], high = [2, 1], interior = [1, 2]
    : (tensor<2x3xi32>, tensor<i32>) -> tensor<5x9xi32>
  check.expect_eq_const %result, dense<[
    [0, 1, 0, 0, 2, 0, 0, 3, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 4, 0, 0, 5, 0, 0, 6, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0]
  ]> : tensor<5x9xi32>
  func.return
}

// -----

func.func @pad_op_negative_removes() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi64>
  %padding_value = stablehlo.constant dense<9> : tensor<i64>
  %result = stablehlo.pad %operand, %padding_value, low = [-1], high = [-2], interior = [0]
    : (tensor<5xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %result, dense<[2, 3]> : tensor<2xi64>
  func.return
}

// -----

func.func @pad_op_negative_on_one_side() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi4>
  %padding_value = stablehlo.constant dense<-8> : tensor<i4>
  %result = stablehlo.pad %operand, %padding_value, low = [-2], high = [2], interior = [0]
    : (tensor<3xi4>, tensor<i4>) -> tensor<3xi4>
  check.expect_eq_const %result, dense<[3, -8, -8]> : tensor<3xi4>
  func.return
}

// -----

// Interior padding comes first: [1, 9, 9, 2, 9, 9, 3] loses two elements at the start and two at the end.
func.func @pad_op_negative_removes_interior_padding() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui8>
  %padding_value = stablehlo.constant dense<9> : tensor<ui8>
  %result = stablehlo.pad %operand, %padding_value, low = [-2], high = [-2], interior = [2]
    : (tensor<3xui8>, tensor<ui8>) -> tensor<3xui8>
  check.expect_eq_const %result, dense<[9, 2, 9]> : tensor<3xui8>
  func.return
}

// -----

// All that is left lies between two elements.
func.func @pad_op_negative_removes_every_element() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi16>
  %padding_value = stablehlo.constant dense<9> : tensor<i16>
  %result = stablehlo.pad %operand, %padding_value, low = [-1], high = [-2], interior = [4]
    : (tensor<2xi16>, tensor<i16>) -> tensor<3xi16>
  check.expect_eq_const %result, dense<[9, 9, 9]> : tensor<3xi16>
  func.return
}

// -----

func.func @pad_op_negative_beyond_the_operand() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi16>
  %padding_value = stablehlo.constant dense<9> : tensor<i16>
  %result = stablehlo.pad %operand, %padding_value, low = [-5], high = [4], interior = [0]
    : (tensor<2xi16>, tensor<i16>) -> tensor<1xi16>
  check.expect_eq_const %result, dense<[9]> : tensor<1xi16>
  func.return
}

// -----

// Without elements there is nothing between them.
func.func @pad_op_empty_operand() {
  %operand = stablehlo.constant dense<> : tensor<0xf32>
  %padding_value = stablehlo.constant dense<-0.0> : tensor<f32>
  %result = stablehlo.pad %operand, %padding_value, low = [1], high = [1], interior = [3]
    : (tensor<0xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[-0.0, -0.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @pad_op_rank_0() {
  %operand = stablehlo.constant dense<1.0> : tensor<f64>
  %padding_value = stablehlo.constant dense<2.0> : tensor<f64>
  %result = stablehlo.pad %operand, %padding_value, low = [], high = [], interior = []
    : (tensor<f64>, tensor<f64>) -> tensor<f64>
  check.expect_eq_const %result, dense<1.0> : tensor<f64>
  func.return
}

// -----

func.func @pad_op_narrow_types() {
  %f8 = stablehlo.constant dense<[1.0]> : tensor<1xf8E4M3B11FNUZ>
  %f8_value = stablehlo.constant dense<2.0> : tensor<f8E4M3B11FNUZ>
  %f8_result = stablehlo.pad %f8, %f8_value, low = [1], high = [0], interior = [0]
    : (tensor<1xf8E4M3B11FNUZ>, tensor<f8E4M3B11FNUZ>) -> tensor<2xf8E4M3B11FNUZ>
  check.expect_eq_const %f8_result, dense<[2.0, 1.0]> : tensor<2xf8E4M3B11FNUZ>
  %i1 = stablehlo.constant dense<[false]> : tensor<1xi1>
  %i1_value = stablehlo.constant dense<true> : tensor<i1>
  %i1_result = stablehlo.pad %i1, %i1_value, low = [1], high = [1], interior = [0]
    : (tensor<1xi1>, tensor<i1>) -> tensor<3xi1>
  check.expect_eq_const %i1_result, dense<[true, false, true]> : tensor<3xi1>
  %complex = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f64>>
  %complex_value = stablehlo.constant dense<(3.0, 4.0)> : tensor<complex<f64>>
  %complex_result = stablehlo.pad %complex, %complex_value, low = [0], high = [1], interior = [0]
    : (tensor<1xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %complex_result, dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  func.return
}
