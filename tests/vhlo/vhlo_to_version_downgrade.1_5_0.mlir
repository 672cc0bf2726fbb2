// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.5.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_dot_general">
// CHECK: "vhlo.dot_general_v1"
// CHECK: "vhlo.return_v1"
func.func @op_dot_general(%lhs: tensor<2x3x4xf32>, %rhs: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  func.return %0 : tensor<2x3x5xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_all_gather_of_two">
// CHECK: "vhlo.all_gather_v2"
// CHECK: "vhlo.return_v1"
func.func @op_all_gather_of_two(%a: tensor<2x2xf32>, %b: tensor<2x2xi32>) -> (tensor<2x4xf32>, tensor<2x4xi32>) {
  %0:2 = "stablehlo.all_gather"(%a, %b) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<2x2xf32>, tensor<2x2xi32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
  func.return %0#0, %0#1 : tensor<2x4xf32>, tensor<2x4xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_all_reduce_of_two">
// CHECK: "vhlo.all_reduce_v2"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_all_reduce_of_two(%a: tensor<2xf32>, %b: tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
  %0:2 = "stablehlo.all_reduce"(%a, %b) ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %1 = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
  func.return %0#0, %0#1 : tensor<2xf32>, tensor<3xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_all_to_all_of_two">
// CHECK: "vhlo.all_to_all_v2"
// CHECK: "vhlo.return_v1"
func.func @op_all_to_all_of_two(%a: tensor<2x4xf32>, %b: tensor<2x4xi32>) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  %0:2 = "stablehlo.all_to_all"(%a, %b) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>, tensor<2x4xi32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  func.return %0#0, %0#1 : tensor<4x2xf32>, tensor<4x2xi32>
}
