// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @gather_op() {
  %operand = stablehlo.constant dense<[
    [[[1, 2], [3, 4], [5, 6], [7, 8]],
     [[9, 10], [11, 12], [13, 14], [15, 16]],
     [[17, 18], [19, 20], [21, 22], [23, 24]]],
    [[[25, 26], [27, 28], [29, 30], [31, 32]],
     [[33, 34], [35, 36], [37, 38], [39, 40]],
     [[41, 42], [43, 44], [45, 46], [47, 48]]]
  ]> : tensor<2x3x4x2xi32>
  %start_indices = stablehlo.constant dense<[
    [[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]],
    [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]
  ]> : tensor<2x2x3x2xi64>
  %result = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [3, 4],
      collapsed_slice_dims = [1],
      operand_batching_dims = [0],
      start_indices_batching_dims = [1],
      start_index_map = [2, 1],
      index_vector_dim = 3>,
    slice_sizes = array<i64: 1, 1, 2, 2>,
    indices_are_sorted = false
  } : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  check.expect_eq_const %result, dense<[
    [[[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]],
     [[[33, 34], [35, 36]], [[35, 36], [37, 38]], [[41, 42], [43, 44]]]],
    [[[[1, 2], [3, 4]], [[13, 14], [15, 16]], [[21, 22], [23, 24]]],
     [[[43, 44], [45, 46]], [[33, 34], [35, 36]], [[27, 28], [29, 30]]]]
  ]> : tensor<2x2x3x2x2xi32>
  func.return
}

// -----

func.func @gather_op_rows() {
  %operand = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xbf16>
  %start_indices = stablehlo.constant dense<[2, 0, 2]> : tensor<3xi32>
  %result = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>
  } : (tensor<3x2xbf16>, tensor<3xi32>) -> tensor<3x2xbf16>
  check.expect_eq_const %result, dense<[[5.0, 6.0], [1.0, 2.0], [5.0, 6.0]]> : tensor<3x2xbf16>
  func.return
}

// -----

func.func @gather_op_columns() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  %start_indices = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %result = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>,
    slice_sizes = array<i64: 2, 1>
  } : (tensor<2x3xi4>, tensor<2x1xi32>) -> tensor<2x2xi4>
  check.expect_eq_const %result, dense<[[3, 1], [6, 4]]> : tensor<2x2xi4>
  func.return
}

// -----

func.func @gather_op_elements() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  // The first dimension holds the index vectors.
  %start_indices = stablehlo.constant dense<[[0, 1, 1], [2, 0, 1]]> : tensor<2x3xi32>
  %result = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>,
    slice_sizes = array<i64: 1, 1>
  } : (tensor<2x3xui8>, tensor<2x3xi32>) -> tensor<3xui8>
  check.expect_eq_const %result, dense<[3, 4, 5]> : tensor<3xui8>
  func.return
}

// -----

func.func @gather_op_along_axis() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %start_indices = stablehlo.constant dense<[[[2], [2]], [[0], [1]]]> : tensor<2x2x1xi32>
  %result = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [1],
      operand_batching_dims = [0],
      start_indices_batching_dims = [0],
      start_index_map = [1],
      index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1>
  } : (tensor<2x3xi64>, tensor<2x2x1xi32>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[3, 3], [4, 5]]> : tensor<2x2xi64>
  func.return
}

// -----

func.func @gather_op_one_window() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi16>
  %start_indices = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %result = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 0>,
    slice_sizes = array<i64: 1, 2>
  } : (tensor<3x3xi16>, tensor<2xi32>) -> tensor<2xi16>
  check.expect_eq_const %result, dense<[2, 3]> : tensor<2xi16>
  func.return
}

// -----

// A window is moved so that it lies in the operand.
func.func @gather_op_clamps() {
  %operand = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf8E4M3>
  %start_indices = stablehlo.constant dense<[[-7], [1], [3], [127]]> : tensor<4x1xi8>
  %result = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 2>
  } : (tensor<4xf8E4M3>, tensor<4x1xi8>) -> tensor<4x2xf8E4M3>
  check.expect_eq_const %result, dense<[[0.0, 1.0], [1.0, 2.0], [2.0, 3.0], [2.0, 3.0]]> : tensor<4x2xf8E4M3>
  func.return
}

// -----

func.func @gather_op_clamps_unsigned() {
  %operand = stablehlo.constant dense<[false, false, true]> : tensor<3xi1>
  %start_indices = stablehlo.constant dense<[18446744073709551615, 1]> : tensor<2xui64>
  %result = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>
  } : (tensor<3xi1>, tensor<2xui64>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[true, false]> : tensor<2xi1>
  func.return
}

// -----

func.func @gather_op_no_index_vectors() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %start_indices = stablehlo.constant dense<> : tensor<0x1xi32>
  %result = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 2>
  } : (tensor<2xi64>, tensor<0x1xi32>) -> tensor<0x2xi64>
  check.expect_eq_const %result, dense<> : tensor<0x2xi64>
  func.return
}

// -----

// Index vectors without components: every window is the same.
func.func @gather_op_empty_index_vectors() {
  %operand = stablehlo.constant dense<(1.0, -1.0)> : tensor<complex<f64>>
  %start_indices = stablehlo.constant dense<> : tensor<2x0xi32>
  %result = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<index_vector_dim = 1>,
    slice_sizes = array<i64>
  } : (tensor<complex<f64>>, tensor<2x0xi32>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<(1.0, -1.0)> : tensor<2xcomplex<f64>>
  func.return
}
