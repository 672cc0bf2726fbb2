// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid. dynamic_gather has the batching dimensions of gather, which its section of the
// specification does not have yet: what concerns them is named after the label in gather.

func.func @dynamic_gather(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_scalars(%operand: tensor<7xi8>, %start_indices: tensor<5xi64>) {
  %slice_sizes = stablehlo.constant dense<[1]> : tensor<1xi64>
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [], collapsed_slice_dims = [0], operand_batching_dims = [],
      start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>
  } : (tensor<7xi8>, tensor<5xi64>, tensor<1xi64>) -> tensor<5xi8>
  func.return
}

// -----

func.func @dynamic_gather_dynamic(%operand: tensor<?x10x?xf32>, %start_indices: tensor<?x3x2xui16>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<?x10x?xf32>, tensor<?x3x2xui16>, tensor<3xi64>) -> tensor<?x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_sizes_argument(
    %operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>, %slice_sizes: tensor<3xi32>) {
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi32>) -> tensor<4x3x?xf32>
  func.return
}

// -----

func.func @dynamic_gather_bounded(
    %operand: tensor<?x10x6xf32>, %start_indices: tensor<?x3x2xi32, #stablehlo.bounds<4, ?, ?>>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<?x10x6xf32>, tensor<?x3x2xi32, #stablehlo.bounds<4, ?, ?>>, tensor<3xi64>) -> tensor<?x3x5xf32, #stablehlo.bounds<4, ?, ?>>
  func.return
}

// -----

func.func @dynamic_gather_quantized(
    %operand: tensor<4x10x6x!quant.uniform<i8:f32, 0.5:2>>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6x!quant.uniform<i8:f32, 0.5:2>>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @dynamic_gather_c1(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{offset_dims size (2) plus collapse_slice_dims size (1) plus operand_batching_dims size (1) is not equal to operand rank (3)}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1, 2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c2_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{Expects index_vector_dim to be in range [0, rank-of('start_indices')] i.e. [0, 3]. got: 4}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 4>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c2_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{Expects index_vector_dim to be in range [0, rank-of('start_indices')] i.e. [0, 3]. got: -1}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = -1>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c3_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{start_index_map size (1) is not equal to size of index dimension (2) of start_indices (2)}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c3_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{start_index_map size (2) is not equal to size of index dimension (3) of start_indices (1)}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 3>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c4_a(%operand: tensor<10x6x8xf32>, %start_indices: tensor<3x1xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 5, 2]> : tensor<3xi64>
  // expected-error@+2 {{expects offset_dims to be sorted, got: [2, 1]}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2, 1], collapsed_slice_dims = [0], operand_batching_dims = [],
      start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>
  } : (tensor<10x6x8xf32>, tensor<3x1xi32>, tensor<3xi64>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dynamic_gather_c4_b(%operand: tensor<10x6x8xf32>, %start_indices: tensor<3x1xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 5, 2]> : tensor<3xi64>
  // expected-error@+2 {{expects offset_dims to not repeat, got: [2, 2]}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2, 2], collapsed_slice_dims = [0], operand_batching_dims = [],
      start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>
  } : (tensor<10x6x8xf32>, tensor<3x1xi32>, tensor<3xi64>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dynamic_gather_c5_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{Expects each element of offset_dims to be in range [0, implied-result-rank) i.e. [0, 3). got: 3}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c5_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{Expects each element of offset_dims to be in range [0, implied-result-rank) i.e. [0, 3). got: -1}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [-1], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c6_repeated(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{has duplicated dimension from collapsed_slice_dims and operand_batching_dims: 1}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1, 1], operand_batching_dims = [],
      start_indices_batching_dims = [], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_gather_c6(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{has duplicated dimension from collapsed_slice_dims and operand_batching_dims: 1}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [1],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c6_sorted(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{expects collapsed_slice_dims to be sorted, got: [1, 0]}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1, 0], operand_batching_dims = [],
      start_indices_batching_dims = [], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c7_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{Expects each element of collapsed_slice_dims to be in range}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [3], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c7_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{Expects each element of collapsed_slice_dims to be in range}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [-2], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c8(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 2, 5]> : tensor<3xi64>
  // expected-error@+2 {{Expects that for each dim in collapsed_slice_dims, slice_sizes[dim] should be <= 1, but got 2}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_gather_c10(%operand: tensor<4x10x3xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{expects operand_batching_dims to be sorted, got: [2, 0]}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [2, 0],
      start_indices_batching_dims = [1, 0], start_index_map = [1, 1], index_vector_dim = 2>
  } : (tensor<4x10x3xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_gather_c11_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{Expects each element of operand_batching_dims to be in range}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [4],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_gather_c11_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{Expects each element of operand_batching_dims to be in range}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [-1],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_gather_c12(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[3, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{Expects that for each dim in operand_batching_dims, slice_sizes[dim] should be <= 1, but got 3}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_gather_c13(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{expects start_indices_batching_dims to not repeat, got: [0, 0]}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0, 0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_gather_c14_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{Expects each element of start_indices_batching_dims to be in range}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [3], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_gather_c14_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{Expects each element of start_indices_batching_dims to be in range}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [-1], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_gather_c15(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{expects start_indices_batching_dims not to include index_vector_dim 2}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [2], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_gather_c16(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{operand_batching_dims and start_indices_batching_dims should have the same size}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_gather_c17(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{operand_batching_dims[0] and start_indices_batching_dims[0] must have compatible sizes, but got 4 and 3}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [1], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c9(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{has duplicated dimension from start_index_map and operand_batching_dims: 2}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [2, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_gather_c18(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{has duplicated dimension from start_index_map and operand_batching_dims: 0}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [2, 0], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c10_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{Expects each element of start_index_map to be in range}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 3], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c10_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{Expects each element of start_index_map to be in range}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [-1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c11(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 5]> : tensor<2xi64>
  // expected-error@+2 {{slice_sizes size (2) not equal to operand rank (3)}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<2xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c12_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 7]> : tensor<3xi64>
  // expected-error@+2 {{slice size (7) is out of bounds for operand dimension (6) at index 2}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c12_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, -1]> : tensor<3xi64>
  // expected-error@+2 {{slice size (-1) is out of bounds for operand dimension (6) at index 2}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c13_a(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{'stablehlo.dynamic_gather' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x2x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_c13_b(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{'stablehlo.dynamic_gather' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x6xf32>
  func.return
}

// -----

func.func @dynamic_gather_c13_c(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{'stablehlo.dynamic_gather' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3xf32>
  func.return
}

// -----

func.func @dynamic_gather_c14(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+2 {{'stablehlo.dynamic_gather' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.dynamic_gather' op failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf64>
  func.return
}

// -----

func.func @dynamic_gather_i3(
    %operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>, %slice_sizes: tensor<1x3xi64>) {
  // expected-error@+1 {{operand #2 must be statically shaped 1-dimensional integer tensor}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<1x3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_parse_repeated(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
  // expected-error@+2 {{duplicated `offset_dims` entry}}
  // expected-error@+1 {{failed parsing gather dimension numbers attribute}}
    dimension_numbers = #stablehlo.gather<offset_dims = [2], offset_dims = [2]>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}

// -----

func.func @dynamic_gather_parse_unknown(%operand: tensor<4x10x6xf32>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
  // expected-error@+2 {{expected one of: `offset_dims`}}
  // expected-error@+1 {{failed parsing gather dimension numbers attribute}}
    dimension_numbers = #stablehlo.gather<window_dims = [2]>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5xf32>
  func.return
}
