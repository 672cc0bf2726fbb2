// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=0.17.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_reduce_that_promotes">
// CHECK: "vhlo.reduce_v1"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_reduce_that_promotes(%operand: tensor<4xf32>, %init: tensor<f32>) -> tensor<f64> {
  %0 = "stablehlo.reduce"(%operand, %init) ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %1 = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f64>
  func.return %0 : tensor<f64>
}
