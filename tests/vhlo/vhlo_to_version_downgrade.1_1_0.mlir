// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.1.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_gather_with_batching">
// CHECK: "vhlo.gather_v2"
// CHECK: "vhlo.return_v1"
func.func @op_gather_with_batching(%operand: tensor<2x3xf32>, %indices: tensor<2x1xi64>) -> tensor<2xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_scatter_with_batching">
// CHECK: "vhlo.scatter_v2"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_scatter_with_batching(%operand: tensor<2x3xf32>, %indices: tensor<2x1xi64>, %updates: tensor<2xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.scatter"(%operand, %indices, %updates) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<2x3xf32>, tensor<2x1xi64>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
