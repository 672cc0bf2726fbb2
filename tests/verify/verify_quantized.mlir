// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the others are named
// after what is wrong.

// -----

func.func @add_c2(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2xf32>) {
  // expected-error@+1 {{expects  all operands and results to be either quantized or non-quantized}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @add_c2_result(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{expects  all operands and results to be either quantized or non-quantized}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2xf32>
  return
}

// -----

func.func @add_c3(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+1 {{mismatched operands and result quantization storage types}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @add_c4(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>) {
  // expected-error@+1 {{mismatched operands and result quantization expressed types}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @add_c5(%arg0: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{result is not per_axis quantized but lhs or rhs are}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @add_c5_result(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{result per_axis quantized but none from rhs and lhs are per_axis quantized}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>
  return
}

// -----

func.func @add_c6(%arg0: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{quantization_dimension of lhs and result are not same '!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>' vs '!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>'}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>
  return
}

// -----

func.func @add_c7(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) {
  // expected-error@+1 {{quantization_dimension of rhs and result are not same '!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>' vs '!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>'}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>
  return
}

// -----

func.func @atan2_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @divide_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @maximum_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @minimum_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @multiply_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @power_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @remainder_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @subtract_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @and_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @or_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = "stablehlo.or"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @xor_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @abs_c2_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>' are incompatible with return type(s) of operation 'tensor<2x2x!quant.uniform<i8:f16, 5.000000e-01:3>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.abs"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @cbrt_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.cbrt"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @ceil_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.ceil"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @cosine_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.cosine"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @exponential_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.exponential"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @exponential_minus_one_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @floor_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.floor"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @log_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.log"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @log_plus_one_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.log_plus_one"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @logistic_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.logistic"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @negate_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.negate"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @round_nearest_afz_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @round_nearest_even_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @rsqrt_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.rsqrt"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @sign_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.sign"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @sine_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.sine"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @sqrt_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.sqrt"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @tan_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.tan"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @tanh_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.tanh"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>
  return
}

// -----

func.func @compare_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible element types for all operands}}
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2xi1>
  return
}

// -----

func.func @select_c2_quantized(%arg0: tensor<i1>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg2: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+2 {{requires compatible types for non-predicate operands}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @clamp_c3_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg2: tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @convert_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = "stablehlo.convert"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reshape_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{expect same quantization scale and zero_point but got 'tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>' vs 'tensor<4x!quant.uniform<i8:f32, 2.500000e-01:3>>'}}
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @reshape_c1_storage(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i16:f32, 0.5:3>>
  return
}

// -----

func.func @reshape_c1_scales(%arg0: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) {
  // expected-error@+1 {{expect same quantization scales and zero_points but got 'tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>>' vs 'tensor<2x2x1x!quant.uniform<i8:f32:0, {5.000000e-01,7.500000e-01:1}>>'}}
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) -> tensor<2x2x1x!quant.uniform<i8:f32:0, {0.5, 0.75:1}>>
  return
}

// -----

func.func @reshape_c1_zero_points(%arg0: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) {
  // expected-error@+1 {{expect same quantization scales and zero_points but got 'tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>>' vs 'tensor<2x2x1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:2}>>'}}
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) -> tensor<2x2x1x!quant.uniform<i8:f32:0, {0.5, 0.25:2}>>
  return
}

// -----

func.func @reshape_c1_granularity(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x1x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>
  return
}

// -----

func.func @reshape_c3_size(%arg0: tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) {
  // expected-error@+1 {{expect same quantization dimension size for operand and result 'tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>>' and 'tensor<2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1,1.000000e+00}>>'}}
  %0 = "stablehlo.reshape"(%arg0) : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25:1, 1.0}>>
  return
}

// -----

func.func @reshape_c3_size_same_scales(%arg0: tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) {
  // expected-error@+1 {{result #0 must be}}
  %0 = "stablehlo.reshape"(%arg0) : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>
  return
}

// -----

func.func @reshape_c3_before(%arg0: tensor<3x2x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) {
  // expected-error@+1 {{product of dimensions before quantization dimension must match between operand and result for 3 and 2}}
  %0 = "stablehlo.reshape"(%arg0) : (tensor<3x2x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) -> tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>
  return
}

// -----

func.func @reshape_c3_before_moved(%arg0: tensor<2x2x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) {
  // expected-error@+1 {{product of dimensions before quantization dimension must match between operand and result for 2 and 4}}
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x2x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) -> tensor<2x2x2x!quant.uniform<i8:f32:2, {0.5, 0.25:1}>>
  return
}

// -----

func.func @transpose_c1_quantized(%arg0: tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{expect same quantization scale and zero_point but got 'tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>' vs 'tensor<2x3x!quant.uniform<i8:f32, 2.500000e-01:3>>'}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @transpose_c1_scales(%arg0: tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) {
  // expected-error@+1 {{expect same quantization scales and zero_points but got 'tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>>' vs 'tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,1.250000e-01:1}>>'}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.125:1}>>
  return
}

// -----

func.func @transpose_c1_granularity(%arg0: tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>
  return
}

// -----

func.func @transpose_c1_granularity_operand(%arg0: tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @transpose_c4(%arg0: tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) {
  // expected-error@+1 {{operand quantization_dimension 1 is not same as permutation[1] = 0}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>
  return
}

// -----

func.func @broadcast_in_dim_c1_quantized(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{expect same quantization scale and zero_point but got 'tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>' vs 'tensor<3x2x!quant.uniform<i8:f32, 2.500000e-01:3>>'}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1>} : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @broadcast_in_dim_c1_storage(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1>} : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x2x!quant.uniform<i16:f32, 0.5:3>>
  return
}

// -----

func.func @broadcast_in_dim_c1_granularity(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1>} : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>
  return
}

// -----

func.func @broadcast_in_dim_c1_granularity_operand(%arg0: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1>} : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @broadcast_in_dim_c6(%arg0: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) {
  // expected-error@+1 {{result quantization_dimension 0 not same as broadcast_dimensions[0] = 1}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1>} : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>
  return
}

// -----

func.func @broadcast_in_dim_c6_scale(%arg0: tensor<1x!quant.uniform<i8:f32:0, {0.5:1}>>) {
  // expected-error@+1 {{mismatch result scale 1 (2.500000e-01) and operand scale 0 (5.000000e-01)}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1>} : (tensor<1x!quant.uniform<i8:f32:0, {0.5:1}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:1}>>
  return
}

// -----

func.func @broadcast_in_dim_c6_zero_point(%arg0: tensor<1x!quant.uniform<i8:f32:0, {0.5:1}>>) {
  // expected-error@+1 {{mismatch result zero_point 1 (2) and operand zero_point 0 (1)}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1>} : (tensor<1x!quant.uniform<i8:f32:0, {0.5:1}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5:1, 0.5:2}>>
  return
}

// -----

func.func @concatenate_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<4x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @slice_c1_quantized(%arg0: tensor<5x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1>, limit_indices = array<i64: 3>, strides = array<i64: 1>} : (tensor<5x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @pad_c1_quantized(%arg0: tensor<5x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<5x!quant.uniform<i8:f32, 0.5:3>>, tensor<!quant.uniform<i8:f32, 0.25:3>>) -> tensor<6x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @reverse_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0>} : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @bitcast_convert_c1_quantized(%arg0: tensor<4x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{rank of smaller element type (1) should be 1 more than rank of larger element type (1), but 1 != 1 + 1.}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i16:f32, 0.5:3>>
  return
}

// -----

func.func @bitcast_convert_c1_quantized_integer(%arg0: tensor<4x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{operand and result shapes must match except for the innermost dimension of the shape with the smaller element type. Got: 'tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>' and 'tensor<3xi8>'.}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3xi8>
  return
}

// -----

func.func @uniform_quantize_c1(%arg0: tensor<2x2xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x2xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @uniform_quantize_c2(%arg0: tensor<2x2xf64>) {
  // expected-error@+1 {{Expressed type of result expected to be 'f64', but got 'f32'}}
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x2xf64>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @uniform_quantize_c2_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>) {
  // expected-error@+1 {{Expressed type of result expected to be 'f16', but got 'f32'}}
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x2x!quant.uniform<i8:f16, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @uniform_quantize_operand(%arg0: tensor<2x2xi32>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x2xi32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @uniform_quantize_result(%arg0: tensor<2x2xf32>) {
  // expected-error@+1 {{result #0 must be}}
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x2xf32>) -> tensor<2x2xi8>
  return
}

// -----

func.func @uniform_dequantize_c1(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4xf32>
  return
}

// -----

func.func @uniform_dequantize_c2(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2x2xf32>' are incompatible with return type(s) of operation 'tensor<2x2xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2xf64>
  return
}

// -----

func.func @uniform_dequantize_operand(%arg0: tensor<2x2xi8>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x2xi8>) -> tensor<2x2xf32>
  return
}

// -----

// expected-error@+1 {{illegal storage type minimum: -129}}
func.func @quantized_type_c3(%arg0: tensor<2x2x!quant.uniform<i8<-129:127>:f32, 0.5:3>>) {
  return
}

// -----

// expected-error@+1 {{illegal storage type maximum: 128}}
func.func @quantized_type_c3_max(%arg0: tensor<2x2x!quant.uniform<i8<-128:128>:f32, 0.5:3>>) {
  return
}

// -----

// expected-error@+1 {{illegal storage min and storage max: (5:5)}}
func.func @quantized_type_c3_order(%arg0: tensor<2x2x!quant.uniform<i8<5:5>:f32, 0.5:3>>) {
  return
}

// -----

// expected-error@+1 {{invalid kind of type specified}}
func.func @quantized_type_c4(%arg0: tensor<2x2x!quant.uniform<i8:i32, 0.5:3>>) {
  return
}

// -----

// expected-error@+1 {{scale 0.000000e+00 out of expressed type range [1.401298e-45, 3.402823e+38]}}
func.func @quantized_type_c5(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.0:3>>) {
  return
}

// -----

// expected-error@+1 {{scale -5.000000e-01 out of expressed type range [1.401298e-45, 3.402823e+38]}}
func.func @quantized_type_c5_negative(%arg0: tensor<2x2x!quant.uniform<i8:f32, -0.5:3>>) {
  return
}

// -----

// expected-error@+1 {{scale 1.056853e-314 out of expressed type range [1.401298e-45, 3.402823e+38]}}
func.func @quantized_type_c6(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0x7F800000:3>>) {
  return
}

// -----

// expected-error@+1 {{scale 1.000000e+09 out of expressed type range [5.960464e-08, 6.550400e+04]}}
func.func @quantized_type_c6_overflow(%arg0: tensor<2x2x!quant.uniform<i8:f16, 1.0e9:3>>) {
  return
}

// -----

// expected-error@+1 {{expected floating point literal}}
func.func @quantized_type_c10(%arg0: tensor<2x2x!quant.uniform<i8:f32, {0.5, 0.25:1}>>) {
  return
}

// -----

// expected-error@+1 {{illegal quantized dimension: -1}}
func.func @quantized_type_c11(%arg0: tensor<2x2x!quant.uniform<i8:f32:-1, {0.5, 0.25:1}>>) {
  return
}

// -----

// expected-error@+1 {{illegal storage type prefix}}
func.func @quantized_type_storage(%arg0: tensor<2x2x!quant.uniform<f32:f32, 0.5:3>>) {
  return
}

// -----

// expected-error@+1 {{illegal storage type size: 33}}
func.func @quantized_type_storage_width(%arg0: tensor<2x2x!quant.uniform<i33:f32, 0.5:3>>) {
  return
}

// -----

func.func @all_gather_c6_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires the same element type for operand and result at index 0}}
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @reduce_scatter_c9_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{result element-type is expected to be '!quant.uniform<i8:f32, 5.000000e-01:3>', but got '!quant.uniform<i8:f32, 2.500000e-01:3>'}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5:3>>, %y: tensor<!quant.uniform<i8:f32, 0.5:3>>):
    %1 = stablehlo.add %x, %y : tensor<!quant.uniform<i8:f32, 0.5:3>>
    stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 0.5:3>>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @all_to_all_c9_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires the same element type for operand and result at index 0}}
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x4x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @collective_permute_c5_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @map_c4_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+2 {{element type of operands and computation arguments must match, but got: '!quant.uniform<i8:f32, 5.000000e-01:3>' and '!quant.uniform<i8:f32, 2.500000e-01:3>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%arg0) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.25:3>>):
    stablehlo.return %x : tensor<!quant.uniform<i8:f32, 0.25:3>>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @sort_c5_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{comparator block argument #0 should be of type 'tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>' but got 'tensor<!quant.uniform<i8:f32, 2.500000e-01:3>>'}}
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.25:3>>, %y: tensor<!quant.uniform<i8:f32, 0.25:3>>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<!quant.uniform<i8:f32, 0.25:3>>, tensor<!quant.uniform<i8:f32, 0.25:3>>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @tuple_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+2 {{inferred type(s) 'tuple<tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>>' are incompatible with return type(s) of operation 'tuple<tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:3>>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.tuple"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tuple<tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>>
  return
}

// -----

func.func @optimization_barrier_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{requires the same type for operand and result at index 0}}
  %0 = "stablehlo.optimization_barrier"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @composite_c3_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{operand at index 0 has type 'tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>', but decomposition has type 'tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:3>>'}}
  %0 = stablehlo.composite "ours.same" %arg0 {decomposition = @inner} : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}
func.func private @inner(%x: tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>> {
  return %x : tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
}

// -----

func.func @composite_c3_dynamic(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{operand at index 0 has type 'tensor<?xf32>', but decomposition has type 'tensor<3xf32>'}}
  %0 = stablehlo.composite "ours.same" %arg0 {decomposition = @inner} : (tensor<?xf32>) -> tensor<3xf32>
  return
}
func.func private @inner(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

// -----

func.func @quantized_type_c7(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:200>>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = "stablehlo.negate"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:200>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:200>>
  return
}

// -----

func.func @quantized_type_c7_range(%arg0: tensor<2x2x!quant.uniform<i8<-10:10>:f32, 0.5:11>>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = "stablehlo.negate"(%arg0) : (tensor<2x2x!quant.uniform<i8<-10:10>:f32, 0.5:11>>) -> tensor<2x2x!quant.uniform<i8<-10:10>:f32, 0.5:11>>
  return
}

// -----

func.func @quantized_type_c7_low(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:-200>>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = "stablehlo.negate"(%arg0) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:-200>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:-200>>
  return
}

// -----

func.func @quantized_type_c7_per_axis(%arg0: tensor<2x2xf32>) {
  // expected-error@+1 {{result #0 must be}}
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1000}>>
  return
}

// -----

func.func @quantized_type_c12(%arg0: tensor<2x2xf32>) {
  // expected-error@+1 {{result #0 must be}}
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32:2, {0.5, 0.25:1}>>
  return
}

// -----

func.func @quantized_type_c13(%arg0: tensor<2x2xf32>) {
  // expected-error@+1 {{result #0 must be}}
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125}>>
  return
}
