// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.13.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_composite">
// CHECK: "vhlo.composite_v1"
// CHECK: "vhlo.return_v1"
func.func @op_composite(%operand: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "any.name" %operand {composite_attributes = {one = 1 : i64}, decomposition = @declared, version = 2 : i32} : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_custom_call_with_buffers">
// CHECK: "vhlo.custom_call_v1"
// CHECK: "vhlo.return_v1"
func.func @op_custom_call_with_buffers(%operand: memref<2xf32>) -> memref<2xf32> {
  %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> memref<2xf32>
  func.return %0 : memref<2xf32>
}

func.func private @declared(tensor<f32> {any.name = "argument"}) -> (tensor<f32> {any.name = "result"})
