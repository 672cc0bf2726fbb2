// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the others are named
// after what is wrong.

// -----

func.func @custom_call_layouts_one_side(%arg0: tensor<3x2xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{Layout attributes should be specified for either both operands and results or none.}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "f", operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<3x2xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layouts_operand_count(%arg0: tensor<3x2xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{Number of operands must match the number of operand layouts, 2 != 1}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "f", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3x2xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layouts_result_count(%arg0: tensor<3x2xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{Number of results must match the number of result layouts, 1 != 2}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "f", operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<3x2xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layouts_tuple_operand(%arg0: tuple<tensor<i32>>) {
  // expected-error@+1 {{Tuple types are not fully supported with layout constraints yet}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", operand_layouts = [dense<> : tensor<0xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tuple<tensor<i32>>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layouts_token(%arg0: !stablehlo.token) {
  // expected-error@+1 {{Only tensor types can have non-empty layout: operand #0 of type '!stablehlo.token' has layout dense<0> : tensor<1xindex>}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", operand_layouts = [dense<[0]> : tensor<1xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (!stablehlo.token) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layouts_permutation(%arg0: tensor<3x2xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{incorrect layout dense<0> : tensor<2xindex> for type 'tensor<3x2xf32>', layout must be a permutation of [0, 2)}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "f", operand_layouts = [dense<[0, 0]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3x2xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layouts_rank(%arg0: tensor<3x2xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{incorrect layout dense<[0, 1]> : tensor<2xindex> for type 'tensor<4xf32>', layout must be a permutation of [0, 1)}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "f", operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3x2xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layouts_result_permutation(%arg0: tensor<3x2xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{incorrect layout dense<[2, 1]> : tensor<2xindex> for type 'tensor<2x3xf32>', layout must be a permutation of [0, 2)}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "f", operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>], result_layouts = [dense<[2, 1]> : tensor<2xindex>]} : (tensor<3x2xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layouts_tuple_result(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{Tuple types are not fully supported with layout constraints yet}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", operand_layouts = [dense<[0]> : tensor<1xindex>], result_layouts = [dense<[0]> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<4xf32>) -> tuple<tensor<3xf32>, tuple<tensor<i32>>>
  return
}

// -----

func.func @custom_call_alias_operand_index(%arg0: tensor<3x2xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{expects operandIndex in the output_operand_alias attribute to be in range [0, 2); got: 2.}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 2, operand_tuple_indices = []>]} : (tensor<3x2xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_alias_operand_tuple(%arg0: tuple<tensor<2x3xf32>>) {
  // expected-error@+1 {{operand_tuple_indices in the output_operand_alias attribute out of bounds}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [1]>]} : (tuple<tensor<2x3xf32>>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_alias_operand_not_tuple(%arg0: tensor<3x2xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{operand_tuple_indices in the output_operand_alias attribute out of bounds}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [0]>]} : (tensor<3x2xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_alias_output_tuple(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{output_tuple_indices in the output_operand_alias attribute out of bounds}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [3], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<2xf32>>
  return
}

// -----

func.func @custom_call_alias_output_not_tuple(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{output_tuple_indices in the output_operand_alias attribute out of bounds}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_alias_types(%arg0: tensor<3x2xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{shapes mismatch in the output_operand_alias attribute: operand part has type 'tensor<3x2xf32>' and output part has type 'tensor<2x3xf32>'}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<3x2xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_config_string(%arg0: tensor<3x2xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{backend_config for api_version API_VERSION_ORIGINAL must be a string attribute.}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "f", api_version = 1 : i32, backend_config = {a = 1 : i32}} : (tensor<3x2xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_config_dictionary(%arg0: tensor<3x2xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{backend_config for api_version API_VERSION_TYPED_FFI must be a dictionary attribute.}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "f", api_version = 4 : i32, backend_config = "a"} : (tensor<3x2xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_config_integer(%arg0: tensor<3x2xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'backend_config' failed to satisfy constraint: string attribute or dictionary of named attribute values}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "f", api_version = 2 : i32, backend_config = 3 : i32} : (tensor<3x2xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_called_computations(%arg0: tensor<3x2xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'called_computations' failed to satisfy constraint: flat symbol ref array attribute}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "f", called_computations = ["g"]} : (tensor<3x2xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_create_buffer_operands(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{CreateBuffer custom_call shouldn't have any inputs}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "CreateBuffer", api_version = 4 : i32} : (tensor<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @custom_call_create_buffer_results() {
  // expected-error@+1 {{CreateBuffer custom_call should have one result}}
  %0:2 = "stablehlo.custom_call"() {call_target_name = "CreateBuffer", api_version = 4 : i32} : () -> (memref<4xf32>, memref<4xf32>)
  return
}

// -----

func.func @custom_call_create_buffer_result_type() {
  // expected-error@+1 {{CreateBuffer custom_call should have a memref result}}
  %0 = "stablehlo.custom_call"() {call_target_name = "CreateBuffer", api_version = 4 : i32} : () -> tensor<4xf32>
  return
}

// -----

func.func @custom_call_pin_operands(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{Pin custom_call should have one input}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "Pin", api_version = 4 : i32} : (tensor<4xf32>, tensor<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @custom_call_pin_operand_type(%arg0: memref<4xf32>) {
  // expected-error@+1 {{Pin custom_call should have a tensor input}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "Pin", api_version = 4 : i32} : (memref<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @custom_call_pin_results(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{Pin custom_call should have one output}}
  %0:2 = "stablehlo.custom_call"(%arg0) {call_target_name = "Pin", api_version = 4 : i32} : (tensor<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  return
}

// -----

func.func @custom_call_pin_result_type(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{Pin custom_call should have a memref output}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "Pin", api_version = 4 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @custom_call_pin_shapes(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{Pin custom_call should have compatible input and output types}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "Pin", api_version = 4 : i32} : (tensor<4xf32>) -> memref<5xf32>
  return
}

// -----

func.func @custom_call_unpin_operands(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {
  // expected-error@+1 {{Unpin custom_call should have one input}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "Unpin", api_version = 4 : i32} : (memref<4xf32>, memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @custom_call_unpin_operand_type(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{Unpin custom_call should have a memref input}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "Unpin", api_version = 4 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @custom_call_unpin_results(%arg0: memref<4xf32>) {
  // expected-error@+1 {{Unpin custom_call should have one output}}
  %0:2 = "stablehlo.custom_call"(%arg0) {call_target_name = "Unpin", api_version = 4 : i32} : (memref<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @custom_call_unpin_result_type(%arg0: memref<4xf32>) {
  // expected-error@+1 {{Unpin custom_call should have a tensor output}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "Unpin", api_version = 4 : i32} : (memref<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @custom_call_unpin_shapes(%arg0: memref<4xf32>) {
  // expected-error@+1 {{Unpin custom_call should have compatible input and output types}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "Unpin", api_version = 4 : i32} : (memref<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @custom_call_buffer_not_aliased(%arg0: memref<4xf32>) {
  // expected-error@+1 {{buffer output [] is not used in output_operand_alias}}
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", api_version = 4 : i32} : (memref<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @custom_call_buffer_result_twice(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {
  // expected-error@+1 {{buffer output [] is used in output_operand_alias more than once}}
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {
    call_target_name = "f",
    api_version = 4 : i32,
    output_operand_aliases = [
      #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>,
      #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>
    ]
  } : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @custom_call_buffer_operand_twice(%arg0: memref<4xf32>) {
  // expected-error@+1 {{buffer operand 0[] is used in output_operand_alias more than once}}
  %0:2 = "stablehlo.custom_call"(%arg0) {
    call_target_name = "f",
    api_version = 4 : i32,
    output_operand_aliases = [
      #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>,
      #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>
    ]
  } : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  return
}
