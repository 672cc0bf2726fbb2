// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.17.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_custom_call">
// CHECK: "vhlo.custom_call_v1"
// CHECK: "vhlo.return_v1"
func.func @op_custom_call(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.custom_call"(%operand) {call_target_name = "any", has_side_effect = true, backend_config = "text", api_version = 2 : i32, called_computations = [@declared], operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_custom_call_with_dictionary">
// CHECK: "vhlo.custom_call_v1"
// CHECK: "vhlo.return_v1"
func.func @op_custom_call_with_dictionary(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32, backend_config = {one = 1 : i64}} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_custom_call_with_buffers">
// CHECK: "vhlo.custom_call_v1"
// CHECK: "vhlo.return_v1"
func.func @op_custom_call_with_buffers(%operand: memref<2xf32>) -> memref<2xf32> {
  %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> memref<2xf32>
  func.return %0 : memref<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_custom_call_of_future">
// CHECK: "vhlo.custom_call_v1"
// CHECK: "vhlo.return_v1"
func.func @op_custom_call_of_future(%operand: !stablehlo.future<tensor<2xf32>>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32} : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

func.func private @declared(tensor<f32> {any.name = "argument"}) -> (tensor<f32> {any.name = "result"})
