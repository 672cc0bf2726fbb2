// RUN: stablehlo-opt --strict --split-input-file --verify-diagnostics %s

// What the specification forbids and the bindings accept: without --strict these programs are valid.

func.func @scatter_c5_extra(%input: tensor<4xf32>, %indices: tensor<2x1xi32>, %update: tensor<2xf32>) {
  // expected-error@+1 {{as many updates as inputs must be given, got 4 operands (C5)}}
  %0 = "stablehlo.scatter"(%input, %indices, %update, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @scatter_c6_wider(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf64>) {
  // expected-error@+1 {{updates[0] must have the element type of inputs[0], f32, got f64 (C6)}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf64>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c6_narrower(
    %input: tensor<4x10x6xi32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xi8>) {
  // expected-error@+1 {{updates[0] must have the element type of inputs[0], i32, got i8 (C6)}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<i32>, %new: tensor<i32>):
    %1 = stablehlo.add %old, %new : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xi32>, tensor<4x3x2xi32>, tensor<4x3x5xi8>) -> tensor<4x10x6xi32>
  func.return
}

// -----

func.func @scatter_c23_narrowed(
    %input: tensor<4x10x6xf64>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf64>) {
  // expected-error@+1 {{update_computation must have a type that f64 can be promoted to, got f32 (C23)}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf64>, tensor<4x3x2xi32>, tensor<4x3x5xf64>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c23_boolean(
    %input: tensor<4x10x6xi1>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xi1>) {
  // expected-error@+1 {{update_computation must have a type that i1 can be promoted to, got i8 (C23)}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<i8>, %new: tensor<i8>):
    %1 = stablehlo.add %old, %new : tensor<i8>
    stablehlo.return %1 : tensor<i8>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xi1>, tensor<4x3x2xi32>, tensor<4x3x5xi1>) -> tensor<4x10x6xi8>
  func.return
}

// -----

func.func @scatter_c23_second_argument(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{update_computation must take f32 and f32, and return f32, got f32, f64 -> f32 (C23)}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f64>):
    stablehlo.return %old : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c25_scale(
    %input: tensor<4x10x6x!quant.uniform<i8:f32, 0.5:2>>, %indices: tensor<4x3x2xi32>,
    %update: tensor<4x3x5x!quant.uniform<i8:f32, 0.5:2>>) {
  // expected-error@+1 {{results[0] must have the element type of what update_computation returns, !quant.uniform<i8:f32, 5.000000e-01:2>, got !quant.uniform<i8:f32, 1.250000e-01> (C25)}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<!quant.uniform<i8:f32, 0.5:2>>, %new: tensor<!quant.uniform<i8:f32, 0.5:2>>):
    %1 = stablehlo.add %old, %new : tensor<!quant.uniform<i8:f32, 0.5:2>>
    stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 0.5:2>>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6x!quant.uniform<i8:f32, 0.5:2>>, tensor<4x3x2xi32>, tensor<4x3x5x!quant.uniform<i8:f32, 0.5:2>>) -> tensor<4x10x6x!quant.uniform<i8:f32, 0.125>>
  func.return
}

// -----

func.func @dynamic_gather_c14_scale(
    %operand: tensor<4x10x6x!quant.uniform<i8:f32, 0.5:2>>, %start_indices: tensor<4x3x2xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 1, 5]> : tensor<3xi64>
  // expected-error@+1 {{result must have the element type of operand, !quant.uniform<i8:f32, 5.000000e-01:2>, got !quant.uniform<i8:f32, 1.250000e-01> (C14)}}
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6x!quant.uniform<i8:f32, 0.5:2>>, tensor<4x3x2xi32>, tensor<3xi64>) -> tensor<4x3x5x!quant.uniform<i8:f32, 0.125>>
  func.return
}
