// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// 1 - 1.5 + 3 = 2.5
func.func @reduce_op() {
  %input = stablehlo.constant() <{value = dense<[3, -2, 7]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %init = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.reduce"(%input, %init) ({
      ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>):
        %sum = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:1>>
        stablehlo.return %sum : tensor<!quant.uniform<i8:f32, 0.5:1>>
    }) {dimensions = array<i64: 0>} : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i8>
  check.expect_eq_const %stored, dense<6> : tensor<i8>
  func.return
}

// -----

// 50 + 50 is 63 at most; then -50
func.func @reduce_op_saturates_at_every_step() {
  %input = stablehlo.constant() <{value = dense<[101, 101, -99]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %init = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.reduce"(%input, %init) ({
      ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>):
        %sum = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:1>>
        stablehlo.return %sum : tensor<!quant.uniform<i8:f32, 0.5:1>>
    }) {dimensions = array<i64: 0>} : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i8>
  check.expect_eq_const %stored, dense<27> : tensor<i8>
  func.return
}

// -----

// 50 + 50 - 49.5 + 1 in steps of 0.25
func.func @reduce_op_promotes_to_the_type_of_the_result() {
  %input = stablehlo.constant() <{value = dense<[101, 101, -98]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %init = stablehlo.constant() <{value = dense<3> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.reduce"(%input, %init) ({
      ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.25:10>>, %b: tensor<!quant.uniform<i32:f32, 0.25:10>>):
        %sum = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.25:10>>
        stablehlo.return %sum : tensor<!quant.uniform<i32:f32, 0.25:10>>
    }) {dimensions = array<i64: 0>} : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<!quant.uniform<i32:f32, 0.25:10>>
  %stored = stablehlo.bitcast_convert %result : (tensor<!quant.uniform<i32:f32, 0.25:10>>) -> tensor<i32>
  check.expect_eq_const %stored, dense<216> : tensor<i32>
  func.return
}

// -----

// The greatest value and its index
func.func @reduce_op_of_several_inputs() {
  %input = stablehlo.constant() <{value = dense<[3, -2, 7]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %index = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
  %init = stablehlo.constant() <{value = dense<-128> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %init_index = stablehlo.constant dense<-1> : tensor<i32>
  %result, %place = "stablehlo.reduce"(%input, %index, %init, %init_index) ({
      ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %i: tensor<i32>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>, %j: tensor<i32>):
        %is_first = stablehlo.compare GE, %a, %b : (tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i1>
        %most = stablehlo.select %is_first, %a, %b : (tensor<i1>, tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
        %at = stablehlo.select %is_first, %i, %j : tensor<i1>, tensor<i32>
        stablehlo.return %most, %at : tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<i32>
    }) {dimensions = array<i64: 0>} : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3xi32>, tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<i32>) -> (tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<i32>)
  %stored = stablehlo.bitcast_convert %result : (tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i8>
  check.expect_eq_const %stored, dense<7> : tensor<i8>
  check.expect_eq_const %place, dense<2> : tensor<i32>
  func.return
}

// -----

// Sums of neighbours: 1 - 1.5, -1.5 + 3
func.func @reduce_window_op() {
  %input = stablehlo.constant() <{value = dense<[3, -2, 7]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %init = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.reduce_window"(%input, %init) ({
      ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>):
        %sum = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:1>>
        stablehlo.return %sum : tensor<!quant.uniform<i8:f32, 0.5:1>>
    }) {window_dimensions = array<i64: 2>} : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[0, 4]> : tensor<2xi8>
  func.return
}

// -----

func.func @reduce_window_op_by_maximum() {
  %input = stablehlo.constant() <{value = dense<[3, -2, 7]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %init = stablehlo.constant() <{value = dense<-128> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.reduce_window"(%input, %init) ({
      ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>):
        %most = stablehlo.maximum %a, %b : tensor<!quant.uniform<i8:f32, 0.5:1>>
        stablehlo.return %most : tensor<!quant.uniform<i8:f32, 0.5:1>>
    }) {window_dimensions = array<i64: 2>} : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[3, 7]> : tensor<2xi8>
  func.return
}

// -----

// 1 + 2 + 2, saturated at 63.0
func.func @scatter_op() {
  %input = stablehlo.constant() <{value = dense<[3, -2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %indices = stablehlo.constant dense<[[0], [0], [2]]> : tensor<3x1xi32>
  %updates = stablehlo.constant() <{value = dense<[5, 5, 2]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.scatter"(%input, %indices, %updates) ({
      ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>):
        %sum = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:1>>
        stablehlo.return %sum : tensor<!quant.uniform<i8:f32, 0.5:1>>
    }) {
      scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
    } : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x1xi32>, tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[11, -2, 127]> : tensor<3xi8>
  func.return
}

// -----

// 3 is the greatest of each window: 0 + 1 + 2
func.func @select_and_scatter_op() {
  %operand = stablehlo.constant() <{value = dense<[3, 7, -2]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %source = stablehlo.constant() <{value = dense<[3, 5]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %init = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
      ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>):
        %is_first = stablehlo.compare GE, %a, %b : (tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i1>
        stablehlo.return %is_first : tensor<i1>
    }, {
      ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>):
        %sum = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:1>>
        stablehlo.return %sum : tensor<!quant.uniform<i8:f32, 0.5:1>>
    }) {window_dimensions = array<i64: 2>} : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[1, 7, 1]> : tensor<3xi8>
  func.return
}
