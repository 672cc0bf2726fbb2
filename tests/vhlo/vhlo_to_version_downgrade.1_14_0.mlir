// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.14.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_composite_with_region">
// CHECK: "vhlo.composite_v2"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_composite_with_region(%operand: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.composite"(%operand) ({
    stablehlo.return %operand : tensor<f32>
  }) {name = "any.name", decomposition = @declared} : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

func.func private @declared(tensor<f32> {any.name = "argument"}) -> (tensor<f32> {any.name = "result"})
