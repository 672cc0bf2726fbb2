// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.3.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_custom_call_with_dictionary">
// CHECK: "vhlo.custom_call_v1"
// CHECK: "vhlo.return_v1"
func.func @op_custom_call_with_dictionary(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32, backend_config = {one = 1 : i64}} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
