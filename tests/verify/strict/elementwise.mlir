// RUN: stablehlo-opt --strict --split-input-file --verify-diagnostics %s
// RUN: stablehlo-opt --split-input-file %s

// The bindings accept these programs; each breaks the constraint after which its function is named.

// -----

func.func @compare_c3(%arg0: tensor<3xi32>, %arg1: tensor<3xi32>) {
  // expected-error@+1 {{compare_type of i32 must be SIGNED, got FLOAT (C3)}}
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  return
}

// -----

func.func @compare_c3_unsigned(%arg0: tensor<3xi32>, %arg1: tensor<3xi32>) {
  // expected-error@+1 {{compare_type of i32 must be SIGNED, got UNSIGNED (C3)}}
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type UNSIGNED>} : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  return
}

// -----

func.func @compare_c3_signed(%arg0: tensor<3xui8>, %arg1: tensor<3xui8>) {
  // expected-error@+1 {{compare_type of ui8 must be UNSIGNED, got SIGNED (C3)}}
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  return
}

// -----

func.func @compare_c3_complex(%arg0: tensor<3xcomplex<f32>>, %arg1: tensor<3xcomplex<f32>>) {
  // expected-error@+1 {{compare_type of complex<f32> must be FLOAT, got TOTALORDER (C3)}}
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type TOTALORDER>} : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  return
}

// -----

func.func @compare_c3_bool(%arg0: tensor<3xi1>, %arg1: tensor<3xi1>) {
  // expected-error@+1 {{compare_type of i1 must be UNSIGNED, got SIGNED (C3)}}
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  return
}

// -----

func.func @bitcast_convert_c1_same_width(%arg0: tensor<3xi32>) {
  // expected-error@+1 {{result must have the operand's shape for elements of one width, got tensor<3xi32> and tensor<3x1xf32> (C1)}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3xi32>) -> tensor<3x1xf32>
  return
}

// -----

func.func @rng_bit_generator_c1_element_type(%arg0: tensor<2xui64>) {
  // expected-error@+1 {{output_state must be of the type of initial_state, got tensor<2xui32> and tensor<2xui64> (C1)}}
  %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui32>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2(%arg0: tensor<3xui64>) {
  // expected-error@+1 {{initial_state of THREE_FRY must have 2 elements, got 3 (C2)}}
  %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_philox(%arg0: tensor<4xui64>) {
  // expected-error@+1 {{initial_state of PHILOX must have 2 or 3 elements, got 4 (C2)}}
  %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<4xui64>) -> (tensor<4xui64>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_philox_one(%arg0: tensor<1xui64>) {
  // expected-error@+1 {{initial_state of PHILOX must have 2 or 3 elements, got 1 (C2)}}
  %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<1xui64>) -> (tensor<1xui64>, tensor<4xui32>)
  return
}

// -----

func.func @get_tuple_element_c2_quantized(%arg0: tuple<tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>>) {
  // expected-error@+1 {{result must be of type tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, got tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:3>> (C2)}}
  %0 = "stablehlo.get_tuple_element"(%arg0) {index = 0 : i32} : (tuple<tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @bitcast_convert_c1_more_elements(%arg0: tensor<2x3xi32>) {
  // expected-error@+1 {{result must have the operand's shape for elements of one width, got tensor<2x3xi32> and tensor<2x3x5xf32> (C1)}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<2x3xi32>) -> tensor<2x3x5xf32>
  return
}
