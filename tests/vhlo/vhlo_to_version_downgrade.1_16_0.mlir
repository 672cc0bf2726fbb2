// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.16.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_all_reduce_over_mesh">
// CHECK: "vhlo.all_reduce_v2"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_all_reduce_over_mesh(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.all_reduce"(%operand) ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %1 = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
