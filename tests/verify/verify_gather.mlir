// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid.

func.func @gather(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_scalars(%operand: tensor<7xi8>, %start_indices: tensor<5xi64>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [], collapsed_slice_dims = [0], operand_batching_dims = [],
      start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>
  } : (tensor<7xi8>, tensor<5xi64>) -> tensor<5xi8>
  func.return
}

// -----

func.func @gather_dynamic(%operand: tensor<?x10x?xf32>, %start_indices: tensor<?x3x2xui16>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<?x10x?xf32>, tensor<?x3x2xui16>) -> tensor<?x3x5xf32>
  func.return
}

// -----

func.func @gather_bounded(
    %operand: tensor<?x10x6xf32>, %start_indices: tensor<?x3x2xi32, #stablehlo.bounds<4, ?, ?>>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<?x10x6xf32>, tensor<?x3x2xi32, #stablehlo.bounds<4, ?, ?>>) -> tensor<?x3x5xf32, #stablehlo.bounds<4, ?, ?>>
  func.return
}

// -----

func.func @gather_quantized(
    %operand: tensor<4x10x6x!quant.uniform<i8:f32, 0.5:2>>, %start_indices: tensor<4x3x2xi32>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6x!quant.uniform<i8:f32, 0.5:2>>, tensor<4x3x2xi32>) -> tensor<4x3x5x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @gather_c1(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{offset_dims size (2) plus collapse_slice_dims size (1) plus operand_batching_dims size (1) is not equal to operand rank (3)}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c2_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{Expects index_vector_dim to be in range [0, rank-of('start_indices')] i.e. [0, 3]. got: 4}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 4>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c2_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{Expects index_vector_dim to be in range [0, rank-of('start_indices')] i.e. [0, 3]. got: -1}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = -1>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c3_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{start_index_map size (1) is not equal to size of index dimension (2) of start_indices (2)}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c3_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{start_index_map size (2) is not equal to size of index dimension (3) of start_indices (1)}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 3>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c4_a(%operand: tensor<10x6x8xf32>, %start_indices: tensor<3x1xi32>) {
  // expected-error@+2 {{expects offset_dims to be sorted, got: [2, 1]}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2, 1], collapsed_slice_dims = [0], operand_batching_dims = [],
      start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 5, 2>
  } : (tensor<10x6x8xf32>, tensor<3x1xi32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @gather_c4_b(%operand: tensor<10x6x8xf32>, %start_indices: tensor<3x1xi32>) {
  // expected-error@+2 {{expects offset_dims to not repeat, got: [2, 2]}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2, 2], collapsed_slice_dims = [0], operand_batching_dims = [],
      start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 5, 2>
  } : (tensor<10x6x8xf32>, tensor<3x1xi32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @gather_c5_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{Expects each element of offset_dims to be in range [0, implied-result-rank) i.e. [0, 3). got: 3}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c5_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{Expects each element of offset_dims to be in range [0, implied-result-rank) i.e. [0, 3). got: -1}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [-1], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c6_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{has duplicated dimension from collapsed_slice_dims and operand_batching_dims: 1}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1, 1], operand_batching_dims = [],
      start_indices_batching_dims = [], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c6_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{has duplicated dimension from collapsed_slice_dims and operand_batching_dims: 1}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [1],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c7(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{expects collapsed_slice_dims to be sorted, got: [1, 0]}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1, 0], operand_batching_dims = [],
      start_indices_batching_dims = [], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c8_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{Expects each element of collapsed_slice_dims to be in range}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [3], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c8_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{Expects each element of collapsed_slice_dims to be in range}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [-2], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c9(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{Expects that for each dim in collapsed_slice_dims, slice_sizes[dim] should be <= 1, but got 2}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 2, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c10(%operand: tensor<4x10x3xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{expects operand_batching_dims to be sorted, got: [2, 0]}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [2, 0],
      start_indices_batching_dims = [1, 0], start_index_map = [1, 1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x3xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c11_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{Expects each element of operand_batching_dims to be in range}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [4],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c11_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{Expects each element of operand_batching_dims to be in range}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [-1],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c12(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{Expects that for each dim in operand_batching_dims, slice_sizes[dim] should be <= 1, but got 3}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 3, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c13(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{expects start_indices_batching_dims to not repeat, got: [0, 0]}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0, 0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c14_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{Expects each element of start_indices_batching_dims to be in range}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [3], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c14_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{Expects each element of start_indices_batching_dims to be in range}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [-1], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c15(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{expects start_indices_batching_dims not to include index_vector_dim 2}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [2], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c16(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{operand_batching_dims and start_indices_batching_dims should have the same size}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c17(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{operand_batching_dims[0] and start_indices_batching_dims[0] must have compatible sizes, but got 4 and 3}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [1], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c18_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{has duplicated dimension from start_index_map and operand_batching_dims: 2}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [2, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c18_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{has duplicated dimension from start_index_map and operand_batching_dims: 0}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [2, 0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c19_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{Expects each element of start_index_map to be in range}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 3], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c19_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{Expects each element of start_index_map to be in range}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [-1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c20(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{slice_sizes size (2) not equal to operand rank (3)}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c21_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{slice size (7) is out of bounds for operand dimension (6) at index 2}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 7>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c21_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{slice size (-1) is out of bounds for operand dimension (6) at index 2}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, -1>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_c22_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{'stablehlo.gather' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x2x5xf32>
  func.return
}

// -----

func.func @gather_c22_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{'stablehlo.gather' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x6xf32>
  func.return
}

// -----

func.func @gather_c22_c(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+2 {{'stablehlo.gather' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.gather' op failed to infer returned types}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3xf32>
  func.return
}

// -----

func.func @gather_c23(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  // expected-error@+1 {{failed to verify that all of {operand, result} have same element type}}
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf64>
  func.return
}

// -----

func.func @gather_parse_repeated(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
  // expected-error@+2 {{duplicated `offset_dims` entry}}
  // expected-error@+1 {{failed parsing gather dimension numbers attribute}}
    dimension_numbers = #stablehlo.gather<offset_dims = [2], offset_dims = [2]>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @gather_parse_unknown(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
  // expected-error@+2 {{expected one of: `offset_dims`}}
  // expected-error@+1 {{failed parsing gather dimension numbers attribute}}
    dimension_numbers = #stablehlo.gather<window_dims = [2]>,
    slice_sizes = array<i64: 1, 1, 5>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>) -> tensor<4x3x5xf32>
  func.return
}
