// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.4.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_all_gather">
// CHECK: "vhlo.all_gather_v1"
// CHECK: "vhlo.return_v1"
func.func @op_all_gather(%operand: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.all_gather"(%operand) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x2xf32>) -> tensor<2x4xf32>
  func.return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_all_reduce">
// CHECK: "vhlo.all_reduce_v1"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_all_reduce(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.all_reduce"(%operand) ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %1 = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_all_to_all">
// CHECK: "vhlo.all_to_all_v1"
// CHECK: "vhlo.return_v1"
func.func @op_all_to_all(%operand: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.all_to_all"(%operand) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  func.return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_tan">
// CHECK: "vhlo.tan_v1"
// CHECK: "vhlo.return_v1"
func.func @op_tan(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.tan"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
