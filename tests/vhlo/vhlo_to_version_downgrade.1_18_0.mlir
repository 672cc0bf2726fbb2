// REQUIRES: stablehlo-1.18.0
// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.18.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_custom_call_with_tilings">
// CHECK: "vhlo.custom_call_v2"
// CHECK: "vhlo.return_v1"
func.func @op_custom_call_with_tilings(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.custom_call"(%operand) {call_target_name = "any", api_version = 4 : i32, operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>], result_tilings = [[dense<2> : tensor<1xindex>]]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
