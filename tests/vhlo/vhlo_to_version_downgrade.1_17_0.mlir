// RUN: stablehlo-translate --serialize --target=1.17.0 --strip-debuginfo %s -o %t
// RUN: stablehlo-translate --deserialize %t | FileCheck %s

// CHECK: @op_custom_call(
func.func @op_custom_call(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.custom_call"(%operand) {call_target_name = "any", has_side_effect = true, backend_config = "text", api_version = 2 : i32, called_computations = [@declared], operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK: @op_custom_call_with_dictionary(
func.func @op_custom_call_with_dictionary(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32, backend_config = {one = 1 : i64}} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK: @op_custom_call_with_buffers(
func.func @op_custom_call_with_buffers(%operand: memref<2xf32>) -> memref<2xf32> {
  %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> memref<2xf32>
  func.return %0 : memref<2xf32>
}

// CHECK: @op_custom_call_of_future(
func.func @op_custom_call_of_future(%operand: !stablehlo.future<tensor<2xf32>>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32} : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

func.func private @declared(tensor<f32> {any.name = "argument"}) -> (tensor<f32> {any.name = "result"})
