// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.0.0' --split-input-file --verify-diagnostics %s

// needs: attribute 'operand_batching_dims = tensor<dense<0> : tensor<1xi64>>' of operation 'stablehlo.gather' needs StableHLO 1.1.0 (batching dimensions of gather and scatter)
// expected-error@+1 {{failed to convert VHLO to v1.0.0}}
module {
  func.func @op_gather_with_batching(%operand: tensor<2x3xf32>, %indices: tensor<2x1xi64>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.gather_v}}
    %0 = "stablehlo.gather"(%operand, %indices) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}

// -----

// needs: attribute 'input_batching_dims = tensor<dense<0> : tensor<1xi64>>' of operation 'stablehlo.scatter' needs StableHLO 1.1.0 (batching dimensions of gather and scatter)
// expected-error@+1 {{failed to convert VHLO to v1.0.0}}
module {
  func.func @op_scatter_with_batching(%operand: tensor<2x3xf32>, %indices: tensor<2x1xi64>, %updates: tensor<2xf32>) -> tensor<2x3xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.scatter_v}}
    %0 = "stablehlo.scatter"(%operand, %indices, %updates) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<2x3xf32>, tensor<2x1xi64>, tensor<2xf32>) -> tensor<2x3xf32>
    func.return %0 : tensor<2x3xf32>
  }
}
