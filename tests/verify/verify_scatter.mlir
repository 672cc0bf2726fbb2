// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid.

func.func @scatter(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_scalars(%input: tensor<7xi8>, %indices: tensor<5xi64>, %update: tensor<5xi8>) {
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<i8>, %new: tensor<i8>):
    %1 = stablehlo.add %old, %new : tensor<i8>
    stablehlo.return %1 : tensor<i8>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [],
      scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<7xi8>, tensor<5xi64>, tensor<5xi8>) -> tensor<7xi8>
  func.return
}

// -----

func.func @scatter_index_indices(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xindex>, %update: tensor<4x3x5xf32>) {
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xindex>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_two_inputs(
    %input0: tensor<4x10x6xf32>, %input1: tensor<4x10x6xi16>, %indices: tensor<4x3x2xi32>,
    %update0: tensor<4x3x5xf32>, %update1: tensor<4x3x5xi16>) {
  %0:2 = "stablehlo.scatter"(%input0, %input1, %indices, %update0, %update1) ({
  ^bb0(%old0: tensor<f32>, %old1: tensor<i16>, %new0: tensor<f32>, %new1: tensor<i16>):
    stablehlo.return %new0, %new1 : tensor<f32>, tensor<i16>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x10x6xi16>, tensor<4x3x2xi32>, tensor<4x3x5xf32>, tensor<4x3x5xi16>) -> (tensor<4x10x6xf32>, tensor<4x10x6xi16>)
  func.return
}

// -----

func.func @scatter_promoted(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f64>, %new: tensor<f64>):
    %1 = stablehlo.add %old, %new : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf64>
  func.return
}

// -----

func.func @scatter_dynamic(%input: tensor<?x?x6xf32>, %indices: tensor<?x3x2xi32>, %update: tensor<?x?x5xf32>) {
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<?x?x6xf32>, tensor<?x3x2xi32>, tensor<?x?x5xf32>) -> tensor<?x?x6xf32>
  func.return
}

// -----

func.func @scatter_bounded(
    %input: tensor<?x10x6xf32, #stablehlo.bounds<4, ?, ?>>,
    %indices: tensor<?x3x2xi32, #stablehlo.bounds<4, ?, ?>>,
    %update: tensor<?x3x5xf32, #stablehlo.bounds<4, ?, ?>>) {
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<?x10x6xf32, #stablehlo.bounds<4, ?, ?>>, tensor<?x3x2xi32, #stablehlo.bounds<4, ?, ?>>, tensor<?x3x5xf32, #stablehlo.bounds<4, ?, ?>>) -> tensor<?x10x6xf32, #stablehlo.bounds<4, ?, ?>>
  func.return
}

// -----

func.func @scatter_quantized(
    %input: tensor<4x10x6x!quant.uniform<i8:f32, 0.5:2>>, %indices: tensor<4x3x2xi32>,
    %update: tensor<4x3x5x!quant.uniform<i8:f32, 0.5:2>>) {
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<!quant.uniform<i8:f32, 0.5:2>>, %new: tensor<!quant.uniform<i8:f32, 0.5:2>>):
    %1 = stablehlo.add %old, %new : tensor<!quant.uniform<i8:f32, 0.5:2>>
    stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 0.5:2>>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6x!quant.uniform<i8:f32, 0.5:2>>, tensor<4x3x2xi32>, tensor<4x3x5x!quant.uniform<i8:f32, 0.5:2>>) -> tensor<4x10x6x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @scatter_c1(
    %input0: tensor<4x10x6xf32>, %input1: tensor<4x10x7xf32>, %indices: tensor<4x3x2xi32>,
    %update0: tensor<4x3x5xf32>, %update1: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Not all inputs have compatible shapes}}
  %0:2 = "stablehlo.scatter"(%input0, %input1, %indices, %update0, %update1) ({
  ^bb0(%old0: tensor<f32>, %old1: tensor<f32>, %new0: tensor<f32>, %new1: tensor<f32>):
    stablehlo.return %new0, %new1 : tensor<f32>, tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x10x7xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>, tensor<4x3x5xf32>) -> (tensor<4x10x6xf32>, tensor<4x10x7xf32>)
  func.return
}

// -----

func.func @scatter_c2(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects rank-of operand to match size-of('update_window_dims') + size-of('inserted_window_dims') + size-of('input_batching_dims') i.e. 4 but got 3}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1, 2], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c3(
    %input0: tensor<4x10x6xf32>, %input1: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>,
    %update0: tensor<4x3x5xf32>, %update1: tensor<4x3x6xf32>) {
  // expected-error@+1 {{Not all updates have compatible shapes}}
  %0:2 = "stablehlo.scatter"(%input0, %input1, %indices, %update0, %update1) ({
  ^bb0(%old0: tensor<f32>, %old1: tensor<f32>, %new0: tensor<f32>, %new1: tensor<f32>):
    stablehlo.return %new0, %new1 : tensor<f32>, tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>, tensor<4x3x6xf32>) -> (tensor<4x10x6xf32>, tensor<4x10x6xf32>)
  func.return
}

// -----

func.func @scatter_c4_rank(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3xf32>) {
  // expected-error@+1 {{expects updates tensor must be of rank 3}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c4_window(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x7xf32>) {
  // expected-error@+1 {{updates bound is 7, operand bound is 6}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x7xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c4_scatter(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x2x5xf32>) {
  // expected-error@+1 {{For scatter dimension 1, updates bound is 2 , scatter_indices bound is 3}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x2x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c4_implicit_index_dimension(
    %input: tensor<7xf32>, %indices: tensor<5xi64>, %update: tensor<4xf32>) {
  // expected-error@+1 {{For scatter dimension 0, updates bound is 4 , scatter_indices bound is 5}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [],
      scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<7xf32>, tensor<5xi64>, tensor<4xf32>) -> tensor<7xf32>
  func.return
}

// -----

func.func @scatter_c5_none(%indices: tensor<2xi32>) {
  // expected-error@+1 {{The reduction-region expected to return some value(s)}}
  "stablehlo.scatter"(%indices) ({
    "stablehlo.return"() : () -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<>} : (tensor<2xi32>) -> ()
  func.return
}

// -----

func.func @scatter_c6(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xi32>) {
  // expected-error@+1 {{is expected to be promotable from the op's corresponding init-value element-type}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xi32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c6_width(
    %input: tensor<4x10x6xi32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xi64>) {
  // expected-error@+1 {{is expected to be promotable from the op's corresponding init-value element-type}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<i32>, %new: tensor<i32>):
    %1 = stablehlo.add %old, %new : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xi32>, tensor<4x3x2xi32>, tensor<4x3x5xi64>) -> tensor<4x10x6xi32>
  func.return
}

// -----

func.func @scatter_c7_a(%input: tensor<10x6x8xf32>, %indices: tensor<3x1xi32>, %update: tensor<3x5x2xf32>) {
  // expected-error@+1 {{Expects update_window_dims to be sorted; got: [2, 1]}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2, 1], inserted_window_dims = [0], input_batching_dims = [],
      scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<10x6x8xf32>, tensor<3x1xi32>, tensor<3x5x2xf32>) -> tensor<10x6x8xf32>
  func.return
}

// -----

func.func @scatter_c7_b(%input: tensor<10x6x8xf32>, %indices: tensor<3x1xi32>, %update: tensor<3x5x2xf32>) {
  // expected-error@+1 {{Expects update_window_dims to not repeat; got: [1, 1]}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1, 1], inserted_window_dims = [0], input_batching_dims = [],
      scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<10x6x8xf32>, tensor<3x1xi32>, tensor<3x5x2xf32>) -> tensor<10x6x8xf32>
  func.return
}

// -----

func.func @scatter_c8_a(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects each element of update_window_dims to be in range}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [3], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c8_b(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects each element of update_window_dims to be in range}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [-1], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c9_a(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{has duplicated dimension from inserted_window_dims and input_batching_dims: 1}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1, 1], input_batching_dims = [],
      scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c9_b(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{has duplicated dimension from inserted_window_dims and input_batching_dims: 0}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c10(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects inserted_window_dims to be sorted; got: [1, 0]}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1, 0], input_batching_dims = [],
      scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c11_a(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects each element of inserted_window_dims to be in range}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [3], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c11_b(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects each element of inserted_window_dims to be in range}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [-1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c12(%input: tensor<4x10x3xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3xf32>) {
  // expected-error@+1 {{Expects input_batching_dims to be sorted; got: [2, 0]}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [], inserted_window_dims = [1], input_batching_dims = [2, 0],
      scatter_indices_batching_dims = [1, 0], scatter_dims_to_operand_dims = [1, 1], index_vector_dim = 2>
  } : (tensor<4x10x3xf32>, tensor<4x3x2xi32>, tensor<4x3xf32>) -> tensor<4x10x3xf32>
  func.return
}

// -----

func.func @scatter_c13_a(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects each element of input_batching_dims to be in range}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [3],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c13_b(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects each element of input_batching_dims to be in range}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [-3],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c14(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects scatter_indices_batching_dims to not repeat; got: [0, 0]}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0, 0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c15_a(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects each element of scatter_indices_batching_dims to be in range}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [5], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c15_b(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects each element of scatter_indices_batching_dims to be in range}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [-1], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c16(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{expects scatter_indices_batching_dims not to include index_vector_dim 2}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c17(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{input_batching_dims and scatter_indices_batching_dims should have the same size}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c18(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{input_batching_dims[0] and scatter_indices_batching_dims[0] must have compatible sizes, but got 4 and 3}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c19_a(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Scatter op has 1 elements in scatter_dims_to_operand_dims and the bound of dimension index_vector_dim=2 of scatter_indices is 2}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c19_b(%input: tensor<7xf32>, %indices: tensor<5xi64>, %update: tensor<5xf32>) {
  // expected-error@+1 {{Scatter op has 2 elements in scatter_dims_to_operand_dims and the bound of dimension index_vector_dim=1 of scatter_indices is 1}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [],
      scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0, 0], index_vector_dim = 1>
  } : (tensor<7xf32>, tensor<5xi64>, tensor<5xf32>) -> tensor<7xf32>
  func.return
}

// -----

func.func @scatter_c20_a(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{has duplicated dimension from scatter_dims_to_operand_dims and input_batching_dims: 2}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c20_b(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{has duplicated dimension from scatter_dims_to_operand_dims and input_batching_dims: 0}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c21_a(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects each element of scatter_dims_to_operand_dims to be in range}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 3], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c21_b(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects each element of scatter_dims_to_operand_dims to be in range}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, -1], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c22_a(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects index_vector_dim to be in range [0, rank-of('scatter_indices')] i.e. [0, 3]. got: 4}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 4>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c22_b(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Expects index_vector_dim to be in range [0, rank-of('scatter_indices')] i.e. [0, 3]. got: -1}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = -1>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c23_argument_count(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Reduction-region must take 2 parameters, but takes 3 parameter(s)}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c23_no_terminator(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{The reduction-region expected to have a terminator}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c23_no_result(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{The reduction-region expected to return some value(s)}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c23_result_count(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Reduction-region here must produce 1 tensors, but produces 2 instead}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c23_result_kind(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{Reduction-region here must produce tensor-typed result(s), but produces '!stablehlo.token' instead}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.create_token : !stablehlo.token
    stablehlo.return %1 : !stablehlo.token
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c23_first_argument(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{The type of reduction-region's parameter at index 0 is different than the corresponding result type}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%a: tensor<i32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c23_second_argument(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{The type of reduction-region's parameter at index 1 is different than the corresponding result type}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    stablehlo.return %a : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c23_result_shape(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{The shape of reduction-region's result type at index 0 differs from the op's corresponding init-value type}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    stablehlo.return %a : tensor<2xf32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c23_result_element(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+1 {{The element-type of reduction-region's result type at index 0 is expected to be promotable from the op's corresponding init-value element-type}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_c23_narrowed(
    %input: tensor<4x10x6xi32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xi8>) {
  // expected-error@+1 {{is expected to be promotable from}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<i16>, %new: tensor<i16>):
    %1 = stablehlo.add %old, %new : tensor<i16>
    stablehlo.return %1 : tensor<i16>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xi32>, tensor<4x3x2xi32>, tensor<4x3x5xi8>) -> tensor<4x10x6xi16>
  func.return
}

// -----

func.func @scatter_c24(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+2 {{'stablehlo.scatter' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.scatter' op failed to infer returned types}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x5xf32>
  func.return
}

// -----

func.func @scatter_c25(%input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  // expected-error@+2 {{'stablehlo.scatter' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.scatter' op failed to infer returned types}}
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf64>
  func.return
}

// -----

func.func @scatter_parse_repeated(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
  // expected-error@+2 {{duplicated `update_window_dims` entry}}
  // expected-error@+1 {{failed parsing scatter dimension numbers attribute}}
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], update_window_dims = [2]>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}

// -----

func.func @scatter_parse_unknown(
    %input: tensor<4x10x6xf32>, %indices: tensor<4x3x2xi32>, %update: tensor<4x3x5xf32>) {
  %0 = "stablehlo.scatter"(%input, %indices, %update) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
  // expected-error@+2 {{expected one of: `update_window_dims`}}
  // expected-error@+1 {{failed parsing scatter dimension numbers attribute}}
    scatter_dimension_numbers = #stablehlo.scatter<offset_dims = [2]>
  } : (tensor<4x10x6xf32>, tensor<4x3x2xi32>, tensor<4x3x5xf32>) -> tensor<4x10x6xf32>
  func.return
}
