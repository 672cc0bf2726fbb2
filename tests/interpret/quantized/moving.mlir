// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @transpose_op_moves_the_axis() {
  %operand = stablehlo.constant() <{value = dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>}> : () -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-1}>>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-1}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.25:-1}>>
  %values = stablehlo.uniform_dequantize %result : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 0.25:-1}>>) -> tensor<2x3xf32>
  check.expect_eq_const %values, dense<[[0.0, 1.0, 2.0], [0.75, 1.25, 1.75]]> : tensor<2x3xf32>
  func.return
}

// -----

func.func @reshape_op_moves_the_axis() {
  %operand = stablehlo.constant() <{value = dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>}> : () -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-1}>>
  %result = stablehlo.reshape %operand : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-1}>>) -> tensor<3x1x2x!quant.uniform<i8:f32:2, {0.5:1, 0.25:-1}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x1x2x!quant.uniform<i8:f32:2, {0.5:1, 0.25:-1}>>) -> tensor<3x1x2xi8>
  check.expect_eq_const %stored, dense<[[[1, 2]], [[3, 4]], [[5, 6]]]> : tensor<3x1x2xi8>
  func.return
}

// -----

func.func @broadcast_in_dim_op_repeats_the_scale() {
  %operand = stablehlo.constant() <{value = dense<[[1], [2]]> : tensor<2x1xi8>}> : () -> tensor<2x1x!quant.uniform<i8:f32:1, {0.5:1}>>
  %result = stablehlo.broadcast_in_dim %operand, dims = [0, 1] : (tensor<2x1x!quant.uniform<i8:f32:1, {0.5:1}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.5:1}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.5:1}>>) -> tensor<2x2xi8>
  check.expect_eq_const %stored, dense<[[1, 1], [2, 2]]> : tensor<2x2xi8>
  func.return
}

// -----

// They are moved, not computed with.
func.func @values_outside_the_storage_range_stay() {
  %operand = stablehlo.constant() <{value = dense<[100, -100, 1]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8<-8:7>:f32, 1.0>>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<3x!quant.uniform<i8<-8:7>:f32, 1.0>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8<-8:7>:f32, 1.0>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[1, -100, 100]> : tensor<3xi8>
  func.return
}

// -----

func.func @concatenate_op() {
  %a = stablehlo.constant() <{value = dense<[1, 2, 3]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %b = stablehlo.constant() <{value = dense<[4, 5, 6]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.concatenate %a, %b, dim = 0 : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<6x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<6x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<6xi8>
  check.expect_eq_const %stored, dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi8>
  func.return
}

// -----

func.func @pad_op() {
  %operand = stablehlo.constant() <{value = dense<[1, 2, 3]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %padding_value = stablehlo.constant() <{value = dense<9> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.pad %operand, %padding_value, low = [1], high = [-1], interior = [1] : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[9, 1, 9, 2, 9]> : tensor<5xi8>
  func.return
}

// -----

func.func @slice_op() {
  %operand = stablehlo.constant() <{value = dense<[1, 2, 3]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.slice %operand [0:3:2] : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[1, 3]> : tensor<2xi8>
  func.return
}

// -----

func.func @dynamic_slice_op() {
  %operand = stablehlo.constant() <{value = dense<[1, 2, 3]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %start = stablehlo.constant dense<7> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start, sizes = [2] : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<i64>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[2, 3]> : tensor<2xi8>
  func.return
}

// -----

func.func @dynamic_update_slice_op() {
  %operand = stablehlo.constant() <{value = dense<[1, 2, 3]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %update = stablehlo.constant() <{value = dense<[9]> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 0.5:1>>
  %start = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<1x!quant.uniform<i8:f32, 0.5:1>>, tensor<i64>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[1, 9, 3]> : tensor<3xi8>
  func.return
}

// -----

func.func @gather_op() {
  %operand = stablehlo.constant() <{value = dense<[1, 2, 3]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %start_indices = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %result = "stablehlo.gather"(%operand, %start_indices) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x1xi32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[3, 1]> : tensor<2xi8>
  func.return
}

// -----

// The bits stay, their meaning changes.
func.func @bitcast_convert_op_between_quantized_types() {
  %operand = stablehlo.constant() <{value = dense<[1, 2, 3]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.bitcast_convert %operand : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i8:f32, 0.25:-1>>
  %values = stablehlo.uniform_dequantize %result : (tensor<3x!quant.uniform<i8:f32, 0.25:-1>>) -> tensor<3xf32>
  check.expect_eq_const %values, dense<[0.5, 0.75, 1.0]> : tensor<3xf32>
  func.return
}

// -----

func.func @bitcast_convert_op_to_a_wider_type() {
  %operand = stablehlo.constant() <{value = dense<[1, 2, 3, -1]> : tensor<4xi8>}> : () -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.bitcast_convert %operand : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i32>
  check.expect_eq_const %result, dense<-16580095> : tensor<i32>
  func.return
}

// -----

func.func @get_dimension_size_op() {
  %operand = stablehlo.constant() <{value = dense<[1, 2, 3]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.get_dimension_size %operand, dim = 0 : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i32>
  check.expect_eq_const %result, dense<3> : tensor<i32>
  func.return
}

// -----

func.func @sort_op_compares_what_is_meant() {
  %operand = stablehlo.constant() <{value = dense<[3, -2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %other = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %result, %places = "stablehlo.sort"(%operand, %other) ({
      ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>, %c: tensor<i32>, %d: tensor<i32>):
        %before = stablehlo.compare GT, %a, %b : (tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i1>
        stablehlo.return %before : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3xi32>) -> (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3xi32>)
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[127, 3, -2]> : tensor<3xi8>
  check.expect_eq_const %places, dense<[3, 1, 2]> : tensor<3xi32>
  func.return
}

// -----

// 2 * 1, 2 * -1.5, 2 * 63
func.func @map_op() {
  %operand = stablehlo.constant() <{value = dense<[3, -2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.map"(%operand) ({
      ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>):
        %twice = stablehlo.add %a, %a : (tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<!quant.uniform<i8:f32, 1.0:2>>
        stablehlo.return %twice : tensor<!quant.uniform<i8:f32, 1.0:2>>
    }) {dimensions = array<i64: 0>} : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i8:f32, 1.0:2>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 1.0:2>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[4, -1, 127]> : tensor<3xi8>
  func.return
}
