// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @scatter_op() {
  %input = stablehlo.constant dense<[
    [[[1, 2], [3, 4], [5, 6], [7, 8]],
     [[9, 10], [11, 12], [13, 14], [15, 16]],
     [[17, 18], [19, 20], [21, 22], [23, 24]]],
    [[[25, 26], [27, 28], [29, 30], [31, 32]],
     [[33, 34], [35, 36], [37, 38], [39, 40]],
     [[41, 42], [43, 44], [45, 46], [47, 48]]]
  ]> : tensor<2x3x4x2xi64>
  %scatter_indices = stablehlo.constant dense<[
    [[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]],
    [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]
  ]> : tensor<2x2x3x2xi64>
  %update = stablehlo.constant dense<1> : tensor<2x2x3x2x2xi64>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<i64>, %new: tensor<i64>):
      %sum = stablehlo.add %old, %new : tensor<i64>
      stablehlo.return %sum : tensor<i64>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [3, 4],
      inserted_window_dims = [1],
      input_batching_dims = [0],
      scatter_indices_batching_dims = [1],
      scatter_dims_to_operand_dims = [2, 1],
      index_vector_dim = 3>,
    indices_are_sorted = false,
    unique_indices = false
  } : (tensor<2x3x4x2xi64>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xi64>) -> tensor<2x3x4x2xi64>
  check.expect_eq_const %result, dense<[
    [[[3, 4], [6, 7], [6, 7], [7, 8]],
     [[9, 10], [11, 12], [15, 16], [17, 18]],
     [[17, 18], [19, 20], [22, 23], [24, 25]]],
    [[[25, 26], [28, 29], [30, 31], [31, 32]],
     [[35, 36], [38, 39], [38, 39], [39, 40]],
     [[41, 42], [44, 45], [46, 47], [47, 48]]]
  ]> : tensor<2x3x4x2xi64>
  func.return
}

// -----

// The spec leaves the order open; the last update stays.
func.func @scatter_op_replaces() {
  %input = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf8E5M2>
  %scatter_indices = stablehlo.constant dense<[[2], [0], [2]]> : tensor<3x1xi32>
  %update = stablehlo.constant dense<[7.0, 8.0, 10.0]> : tensor<3xf8E5M2>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<f8E5M2>, %new: tensor<f8E5M2>):
      stablehlo.return %new : tensor<f8E5M2>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<3xf8E5M2>, tensor<3x1xi32>, tensor<3xf8E5M2>) -> tensor<3xf8E5M2>
  check.expect_eq_const %result, dense<[8.0, 2.0, 10.0]> : tensor<3xf8E5M2>
  func.return
}

// -----

// Of a window that is partly out of bounds the rest is applied.
func.func @scatter_op_leaves_out_what_is_out_of_bounds() {
  %input = stablehlo.constant dense<[0, 0, 0, 0]> : tensor<4xi32>
  %scatter_indices = stablehlo.constant dense<[[-1], [3], [-4], [2147483647]]> : tensor<4x1xi32>
  %update = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<i32>, %new: tensor<i32>):
      stablehlo.return %new : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<4xi32>, tensor<4x1xi32>, tensor<4x2xi32>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[2, 0, 0, 3]> : tensor<4xi32>
  func.return
}

// -----

func.func @scatter_op_large_unsigned_index() {
  %input = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %scatter_indices = stablehlo.constant dense<[18446744073709551615, 1]> : tensor<2xui64>
  %update = stablehlo.constant dense<[5, 6]> : tensor<2xi8>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<i8>, %new: tensor<i8>):
      %value = stablehlo.maximum %old, %new : tensor<i8>
      stablehlo.return %value : tensor<i8>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<2xi8>, tensor<2xui64>, tensor<2xi8>) -> tensor<2xi8>
  check.expect_eq_const %result, dense<[1, 6]> : tensor<2xi8>
  func.return
}

// -----

func.func @scatter_op_one_window() {
  %input = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %scatter_indices = stablehlo.constant dense<1> : tensor<1xi32>
  %update = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi64>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<i64>, %new: tensor<i64>):
      %value = stablehlo.subtract %new, %old : tensor<i64>
      stablehlo.return %value : tensor<i64>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 0>
  } : (tensor<2x3xi64>, tensor<1xi32>, tensor<3xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %result, dense<[[1, 2, 3], [6, 15, 24]]> : tensor<2x3xi64>
  check.expect_eq_const %input, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  func.return
}

// -----

func.func @scatter_op_one_window_partly_out_of_bounds() {
  %input = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %scatter_indices = stablehlo.constant dense<-1> : tensor<1xi32>
  %update = stablehlo.constant dense<[10, 20]> : tensor<2xi64>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<i64>, %new: tensor<i64>):
      %value = stablehlo.add %old, %new : tensor<i64>
      stablehlo.return %value : tensor<i64>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>
  } : (tensor<3xi64>, tensor<1xi32>, tensor<2xi64>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<[21, 2, 3]> : tensor<3xi64>
  func.return
}

// -----

// 7 + 1 + 1 wraps to -7, one step at a time.
func.func @scatter_op_wraps_i4() {
  %input = stablehlo.constant dense<[7, 0]> : tensor<2xi4>
  %scatter_indices = stablehlo.constant dense<[0, 1, 0]> : tensor<3xi64>
  %update = stablehlo.constant dense<1> : tensor<3xi4>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<i4>, %new: tensor<i4>):
      %value = stablehlo.add %old, %new : tensor<i4>
      stablehlo.return %value : tensor<i4>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<2xi4>, tensor<3xi64>, tensor<3xi4>) -> tensor<2xi4>
  check.expect_eq_const %result, dense<[-7, 1]> : tensor<2xi4>
  func.return
}

// -----

// In bf16, 256 + 1 is 256: each sum is rounded, and 1 + 1 + 256 is another.
func.func @scatter_op_rounds_each_bf16_sum() {
  %input = stablehlo.constant dense<[256.0, 1.0]> : tensor<2xbf16>
  %scatter_indices = stablehlo.constant dense<[0, 1, 0, 1]> : tensor<4xi64>
  %update = stablehlo.constant dense<[1.0, 1.0, 1.0, 256.0]> : tensor<4xbf16>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<bf16>, %new: tensor<bf16>):
      %value = stablehlo.add %old, %new : tensor<bf16>
      stablehlo.return %value : tensor<bf16>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<2xbf16>, tensor<4xi64>, tensor<4xbf16>) -> tensor<2xbf16>
  check.expect_eq_const %result, dense<[256.0, 258.0]> : tensor<2xbf16>
  func.return
}

// -----

// A pointwise computation, applied in order where an index repeats: (((1 * 2 + 3) * 2 + 4) * 2) + 5.
func.func @scatter_op_pointwise_in_order() {
  %input = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %scatter_indices = stablehlo.constant dense<[1, 0, 1, 1]> : tensor<4xi32>
  %update = stablehlo.constant dense<[3, 9, 4, 5]> : tensor<4xi32>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<i32>, %new: tensor<i32>):
      %twice = stablehlo.add %old, %old : tensor<i32>
      %value = stablehlo.add %twice, %new : tensor<i32>
      stablehlo.return %value : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<2xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[9, 33]> : tensor<2xi32>
  func.return
}

// -----

// A computation with control flow, which uses a value from outside.
func.func @scatter_op_looped() {
  %input = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %scatter_indices = stablehlo.constant dense<[0, 1, 0]> : tensor<3xi32>
  %update = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %limit = stablehlo.constant dense<12> : tensor<i32>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<i32>, %new: tensor<i32>):
      %sum = stablehlo.add %old, %new : tensor<i32>
      %is_less = stablehlo.compare LT, %sum, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %value = "stablehlo.if"(%is_less) ({
        stablehlo.return %sum : tensor<i32>
      }, {
        stablehlo.return %limit : tensor<i32>
      }) : (tensor<i1>) -> tensor<i32>
      stablehlo.return %value : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<2xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[12, 12]> : tensor<2xi32>
  func.return
}

// -----

func.func @scatter_op_several_inputs() {
  %input0 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %input1 = stablehlo.constant dense<[false, false]> : tensor<2xi1>
  %scatter_indices = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %update0 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %update1 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result0, %result1 = "stablehlo.scatter"(%input0, %input1, %scatter_indices, %update0, %update1) ({
    ^bb0(%old0: tensor<i32>, %old1: tensor<i1>, %new0: tensor<i32>, %new1: tensor<i1>):
      %value0 = stablehlo.multiply %old0, %new0 : tensor<i32>
      %value1 = stablehlo.or %old1, %new1 : tensor<i1>
      stablehlo.return %value0, %value1 : tensor<i32>, tensor<i1>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<2xi32>, tensor<2xi1>, tensor<2xi32>, tensor<2xi32>, tensor<2xi1>) -> (tensor<2xi32>, tensor<2xi1>)
  check.expect_eq_const %result0, dense<[1, 12]> : tensor<2xi32>
  check.expect_eq_const %result1, dense<[false, true]> : tensor<2xi1>
  func.return
}

// -----

// Inputs and updates take on the element type of the computation: 100 + 100 does not wrap.
func.func @scatter_op_promotes() {
  %input = stablehlo.constant dense<[100, 1]> : tensor<2xi8>
  %scatter_indices = stablehlo.constant dense<[0]> : tensor<1xi32>
  %update = stablehlo.constant dense<[100]> : tensor<1xi8>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<i32>, %new: tensor<i32>):
      %value = stablehlo.add %old, %new : tensor<i32>
      stablehlo.return %value : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[200, 1]> : tensor<2xi32>
  func.return
}

// -----

func.func @scatter_op_no_updates() {
  %input = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %scatter_indices = stablehlo.constant dense<> : tensor<0x1xi32>
  %update = stablehlo.constant dense<> : tensor<0xi32>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<i32>, %new: tensor<i32>):
      stablehlo.return %new : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<2xi32>, tensor<0x1xi32>, tensor<0xi32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi32>
  func.return
}

// -----

// Windows that overlap, updated one after the other although the updates have the window dimension first.
func.func @scatter_op_window_by_window() {
  %input = stablehlo.constant dense<0> : tensor<5xi32>
  %scatter_indices = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %update = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %result = "stablehlo.scatter"(%input, %scatter_indices, %update) ({
    ^bb0(%old: tensor<i32>, %new: tensor<i32>):
      stablehlo.return %new : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<5xi32>, tensor<2x1xi32>, tensor<3x2xi32>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[1, 2, 4, 6, 0]> : tensor<5xi32>
  func.return
}
