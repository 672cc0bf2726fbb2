// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the others are named
// after what is wrong.

// -----

func.func @cbrt_c1(%arg0: tensor<3x5xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.cbrt"(%arg0) : (tensor<3x5xf32>) -> tensor<3x6xf32>
  return
}

// -----

func.func @cbrt_c1_element_type(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.cbrt"(%arg0) : (tensor<3xf32>) -> tensor<3xf64>
  return
}

// -----

func.func @ceil_c1(%arg0: tensor<2x4xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.ceil"(%arg0) : (tensor<2x4xf64>) -> tensor<2x5xf64>
  return
}

// -----

func.func @ceil_c1_element_type(%arg0: tensor<2xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.ceil"(%arg0) : (tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @cosine_c1(%arg0: tensor<7x1xbf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.cosine"(%arg0) : (tensor<7x1xbf16>) -> tensor<7x2xbf16>
  return
}

// -----

func.func @cosine_c1_element_type(%arg0: tensor<7xbf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.cosine"(%arg0) : (tensor<7xbf16>) -> tensor<7xf64>
  return
}

// -----

func.func @exponential_c1(%arg0: tensor<4x2xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.exponential"(%arg0) : (tensor<4x2xf16>) -> tensor<4x3xf16>
  return
}

// -----

func.func @exponential_c1_element_type(%arg0: tensor<4xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.exponential"(%arg0) : (tensor<4xf16>) -> tensor<4xf64>
  return
}

// -----

func.func @exponential_minus_one_c1(%arg0: tensor<6x3xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<6x3xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @exponential_minus_one_c1_element_type(%arg0: tensor<6xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<6xf32>) -> tensor<6xf64>
  return
}

// -----

func.func @floor_c1(%arg0: tensor<3x5xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.floor"(%arg0) : (tensor<3x5xf64>) -> tensor<3x6xf64>
  return
}

// -----

func.func @floor_c1_element_type(%arg0: tensor<3xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.floor"(%arg0) : (tensor<3xf64>) -> tensor<3xf32>
  return
}

// -----

func.func @log_c1(%arg0: tensor<2x4xbf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.log"(%arg0) : (tensor<2x4xbf16>) -> tensor<2x5xbf16>
  return
}

// -----

func.func @log_c1_element_type(%arg0: tensor<2xbf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.log"(%arg0) : (tensor<2xbf16>) -> tensor<2xf64>
  return
}

// -----

func.func @log_plus_one_c1(%arg0: tensor<7x1xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.log_plus_one"(%arg0) : (tensor<7x1xf16>) -> tensor<7x2xf16>
  return
}

// -----

func.func @log_plus_one_c1_element_type(%arg0: tensor<7xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.log_plus_one"(%arg0) : (tensor<7xf16>) -> tensor<7xf64>
  return
}

// -----

func.func @logistic_c1(%arg0: tensor<4x2xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.logistic"(%arg0) : (tensor<4x2xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @logistic_c1_element_type(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.logistic"(%arg0) : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @round_nearest_afz_c1(%arg0: tensor<6x3xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<6x3xf64>) -> tensor<6x4xf64>
  return
}

// -----

func.func @round_nearest_afz_c1_element_type(%arg0: tensor<6xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<6xf64>) -> tensor<6xf32>
  return
}

// -----

func.func @round_nearest_even_c1(%arg0: tensor<3x5xbf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<3x5xbf16>) -> tensor<3x6xbf16>
  return
}

// -----

func.func @round_nearest_even_c1_element_type(%arg0: tensor<3xbf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<3xbf16>) -> tensor<3xf64>
  return
}

// -----

func.func @rsqrt_c1(%arg0: tensor<2x4xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.rsqrt"(%arg0) : (tensor<2x4xf16>) -> tensor<2x5xf16>
  return
}

// -----

func.func @rsqrt_c1_element_type(%arg0: tensor<2xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.rsqrt"(%arg0) : (tensor<2xf16>) -> tensor<2xf64>
  return
}

// -----

func.func @sine_c1(%arg0: tensor<7x1xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.sine"(%arg0) : (tensor<7x1xf32>) -> tensor<7x2xf32>
  return
}

// -----

func.func @sine_c1_element_type(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.sine"(%arg0) : (tensor<7xf32>) -> tensor<7xf64>
  return
}

// -----

func.func @sqrt_c1(%arg0: tensor<4x2xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.sqrt"(%arg0) : (tensor<4x2xf64>) -> tensor<4x3xf64>
  return
}

// -----

func.func @sqrt_c1_element_type(%arg0: tensor<4xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.sqrt"(%arg0) : (tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @tan_c1(%arg0: tensor<6x3xbf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.tan"(%arg0) : (tensor<6x3xbf16>) -> tensor<6x4xbf16>
  return
}

// -----

func.func @tan_c1_element_type(%arg0: tensor<6xbf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.tan"(%arg0) : (tensor<6xbf16>) -> tensor<6xf64>
  return
}

// -----

func.func @tanh_c1(%arg0: tensor<3x5xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.tanh"(%arg0) : (tensor<3x5xf16>) -> tensor<3x6xf16>
  return
}

// -----

func.func @tanh_c1_element_type(%arg0: tensor<3xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.tanh"(%arg0) : (tensor<3xf16>) -> tensor<3xf64>
  return
}

// -----

func.func @count_leading_zeros_c1(%arg0: tensor<3x5xi8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<3x5xi8>) -> tensor<5x3xi8>
  return
}

// -----

func.func @count_leading_zeros_c1_element_type(%arg0: tensor<3xi8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<3xi8>) -> tensor<3xui32>
  return
}

// -----

func.func @not_c1(%arg0: tensor<2x4xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.not"(%arg0) : (tensor<2x4xi32>) -> tensor<4x2xi32>
  return
}

// -----

func.func @not_c1_element_type(%arg0: tensor<2xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.not"(%arg0) : (tensor<2xi32>) -> tensor<2xui32>
  return
}

// -----

func.func @popcnt_c1(%arg0: tensor<7x1xui16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.popcnt"(%arg0) : (tensor<7x1xui16>) -> tensor<1x7xui16>
  return
}

// -----

func.func @popcnt_c1_element_type(%arg0: tensor<7xui16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.popcnt"(%arg0) : (tensor<7xui16>) -> tensor<7xui32>
  return
}

// -----

func.func @negate_c1(%arg0: tensor<4x2xi64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.negate"(%arg0) : (tensor<4x2xi64>) -> tensor<2x4xi64>
  return
}

// -----

func.func @negate_c1_element_type(%arg0: tensor<4xi64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.negate"(%arg0) : (tensor<4xi64>) -> tensor<4xui32>
  return
}

// -----

func.func @sign_c1(%arg0: tensor<6x3xi16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.sign"(%arg0) : (tensor<6x3xi16>) -> tensor<3x6xi16>
  return
}

// -----

func.func @sign_c1_element_type(%arg0: tensor<6xi16>) {
  // expected-error@+1 {{result #0 must be}}
  %0 = "stablehlo.sign"(%arg0) : (tensor<6xi16>) -> tensor<6xui32>
  return
}

// -----

func.func @and_c1(%arg0: tensor<3x5xi8>, %arg1: tensor<3x6xi8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<3x5xi8>, tensor<3x6xi8>) -> tensor<3x5xi8>
  return
}

// -----

func.func @and_c1_result(%arg0: tensor<3x5xi8>, %arg1: tensor<3x5xi8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<3x5xi8>, tensor<3x5xi8>) -> tensor<3x7xi8>
  return
}

// -----

func.func @and_c1_element_type(%arg0: tensor<3xi8>, %arg1: tensor<3xi16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<3xi8>, tensor<3xi16>) -> tensor<3xi8>
  return
}

// -----

func.func @or_c1(%arg0: tensor<2x4xi32>, %arg1: tensor<2x5xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.or"(%arg0, %arg1) : (tensor<2x4xi32>, tensor<2x5xi32>) -> tensor<2x4xi32>
  return
}

// -----

func.func @or_c1_result(%arg0: tensor<2x4xi32>, %arg1: tensor<2x4xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.or"(%arg0, %arg1) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x6xi32>
  return
}

// -----

func.func @or_c1_element_type(%arg0: tensor<2xi32>, %arg1: tensor<2xi64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.or"(%arg0, %arg1) : (tensor<2xi32>, tensor<2xi64>) -> tensor<2xi32>
  return
}

// -----

func.func @xor_c1(%arg0: tensor<7x1xui16>, %arg1: tensor<7x2xui16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<7x1xui16>, tensor<7x2xui16>) -> tensor<7x1xui16>
  return
}

// -----

func.func @xor_c1_result(%arg0: tensor<7x1xui16>, %arg1: tensor<7x1xui16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<7x1xui16>, tensor<7x1xui16>) -> tensor<7x3xui16>
  return
}

// -----

func.func @xor_c1_element_type(%arg0: tensor<7xui16>, %arg1: tensor<7xi16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<7xui16>, tensor<7xi16>) -> tensor<7xui16>
  return
}

// -----

func.func @shift_left_c1(%arg0: tensor<4x2xi64>, %arg1: tensor<4x3xi64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<4x2xi64>, tensor<4x3xi64>) -> tensor<4x2xi64>
  return
}

// -----

func.func @shift_left_c1_result(%arg0: tensor<4x2xi64>, %arg1: tensor<4x2xi64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<4x2xi64>, tensor<4x2xi64>) -> tensor<4x4xi64>
  return
}

// -----

func.func @shift_left_c1_element_type(%arg0: tensor<4xi64>, %arg1: tensor<4xui64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<4xi64>, tensor<4xui64>) -> tensor<4xi64>
  return
}

// -----

func.func @shift_right_arithmetic_c1(%arg0: tensor<6x3xi16>, %arg1: tensor<6x4xi16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<6x3xi16>, tensor<6x4xi16>) -> tensor<6x3xi16>
  return
}

// -----

func.func @shift_right_arithmetic_c1_result(%arg0: tensor<6x3xi16>, %arg1: tensor<6x3xi16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<6x3xi16>, tensor<6x3xi16>) -> tensor<6x5xi16>
  return
}

// -----

func.func @shift_right_arithmetic_c1_element_type(%arg0: tensor<6xi16>, %arg1: tensor<6xi8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<6xi16>, tensor<6xi8>) -> tensor<6xi16>
  return
}

// -----

func.func @shift_right_logical_c1(%arg0: tensor<3x5xui8>, %arg1: tensor<3x6xui8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<3x5xui8>, tensor<3x6xui8>) -> tensor<3x5xui8>
  return
}

// -----

func.func @shift_right_logical_c1_result(%arg0: tensor<3x5xui8>, %arg1: tensor<3x5xui8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<3x5xui8>, tensor<3x5xui8>) -> tensor<3x7xui8>
  return
}

// -----

func.func @shift_right_logical_c1_element_type(%arg0: tensor<3xui8>, %arg1: tensor<3xi8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<3xui8>, tensor<3xi8>) -> tensor<3xui8>
  return
}

// -----

func.func @atan2_c1(%arg0: tensor<2x4xf32>, %arg1: tensor<2x5xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<2x4xf32>, tensor<2x5xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @atan2_c1_result(%arg0: tensor<2x4xf32>, %arg1: tensor<2x4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @atan2_c1_element_type(%arg0: tensor<2xf32>, %arg1: tensor<2xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @divide_c1(%arg0: tensor<7x1xbf16>, %arg1: tensor<7x2xbf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<7x1xbf16>, tensor<7x2xbf16>) -> tensor<7x1xbf16>
  return
}

// -----

func.func @divide_c1_result(%arg0: tensor<7x1xbf16>, %arg1: tensor<7x1xbf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<7x1xbf16>, tensor<7x1xbf16>) -> tensor<7x3xbf16>
  return
}

// -----

func.func @divide_c1_element_type(%arg0: tensor<7xbf16>, %arg1: tensor<7xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<7xbf16>, tensor<7xf16>) -> tensor<7xbf16>
  return
}

// -----

func.func @maximum_c1(%arg0: tensor<4x2xf64>, %arg1: tensor<4x3xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<4x2xf64>, tensor<4x3xf64>) -> tensor<4x2xf64>
  return
}

// -----

func.func @maximum_c1_result(%arg0: tensor<4x2xf64>, %arg1: tensor<4x2xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<4x2xf64>, tensor<4x2xf64>) -> tensor<4x4xf64>
  return
}

// -----

func.func @maximum_c1_element_type(%arg0: tensor<4xf64>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<4xf64>, tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @minimum_c1(%arg0: tensor<6x3xi64>, %arg1: tensor<6x4xi64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<6x3xi64>, tensor<6x4xi64>) -> tensor<6x3xi64>
  return
}

// -----

func.func @minimum_c1_result(%arg0: tensor<6x3xi64>, %arg1: tensor<6x3xi64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<6x3xi64>, tensor<6x3xi64>) -> tensor<6x5xi64>
  return
}

// -----

func.func @minimum_c1_element_type(%arg0: tensor<6xi64>, %arg1: tensor<6xui64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<6xi64>, tensor<6xui64>) -> tensor<6xi64>
  return
}

// -----

func.func @multiply_c1(%arg0: tensor<3x5xcomplex<f32>>, %arg1: tensor<3x6xcomplex<f32>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<3x5xcomplex<f32>>, tensor<3x6xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>
  return
}

// -----

func.func @multiply_c1_result(%arg0: tensor<3x5xcomplex<f32>>, %arg1: tensor<3x5xcomplex<f32>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>) -> tensor<3x7xcomplex<f32>>
  return
}

// -----

func.func @multiply_c1_element_type(%arg0: tensor<3xcomplex<f32>>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<3xcomplex<f32>>, tensor<3xf32>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @power_c1(%arg0: tensor<2x4xf16>, %arg1: tensor<2x5xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<2x4xf16>, tensor<2x5xf16>) -> tensor<2x4xf16>
  return
}

// -----

func.func @power_c1_result(%arg0: tensor<2x4xf16>, %arg1: tensor<2x4xf16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<2x6xf16>
  return
}

// -----

func.func @power_c1_element_type(%arg0: tensor<2xf16>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<2xf16>, tensor<2xf32>) -> tensor<2xf16>
  return
}

// -----

func.func @remainder_c1(%arg0: tensor<7x1xi32>, %arg1: tensor<7x2xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<7x1xi32>, tensor<7x2xi32>) -> tensor<7x1xi32>
  return
}

// -----

func.func @remainder_c1_result(%arg0: tensor<7x1xi32>, %arg1: tensor<7x1xi32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x3xi32>
  return
}

// -----

func.func @remainder_c1_element_type(%arg0: tensor<7xi32>, %arg1: tensor<7xi64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<7xi32>, tensor<7xi64>) -> tensor<7xi32>
  return
}

// -----

func.func @subtract_c1(%arg0: tensor<4x2xf32>, %arg1: tensor<4x3xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @subtract_c1_result(%arg0: tensor<4x2xf32>, %arg1: tensor<4x2xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @subtract_c1_element_type(%arg0: tensor<4xf32>, %arg1: tensor<4xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @add_c1(%arg0: tensor<6x3xui64>, %arg1: tensor<6x4xui64>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<6x3xui64>, tensor<6x4xui64>) -> tensor<6x3xui64>
  return
}

// -----

func.func @add_c1_result(%arg0: tensor<6x3xui64>, %arg1: tensor<6x3xui64>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<6x3xui64>, tensor<6x3xui64>) -> tensor<6x5xui64>
  return
}

// -----

func.func @add_c1_element_type(%arg0: tensor<6xui64>, %arg1: tensor<6xi64>) {
  // expected-error@+1 {{op requires the same element type for all operands and results}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<6xui64>, tensor<6xi64>) -> tensor<6xui64>
  return
}
