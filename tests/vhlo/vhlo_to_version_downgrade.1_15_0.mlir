// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.15.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_future">
func.func private @type_future(!stablehlo.future<tensor<2xf32>>)

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_async">
// CHECK: "vhlo.async_start_v1"
// CHECK: "vhlo.all_gather_v2"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.async_done_v1"
// CHECK: "vhlo.return_v1"
func.func @op_async(%operand: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.async_start"(%operand) ({
  ^bb0(%inner: tensor<2xf32>):
    %2 = "stablehlo.all_gather"(%inner) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}
