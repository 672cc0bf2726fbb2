// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid. What depends on output_shape is checked only where it is a constant.

func.func @dynamic_reshape(%operand: tensor<4x6xf32>, %output_shape: tensor<2xi64>) {
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @dynamic_reshape_constant(%operand: tensor<4x6xf32>) {
  %output_shape = stablehlo.constant dense<[3, 8]> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<3x8xf32>
  func.return
}

// -----

func.func @dynamic_reshape_to_scalar(%operand: tensor<1x1xf32>, %output_shape: tensor<0xi32>) {
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<1x1xf32>, tensor<0xi32>) -> tensor<f32>
  func.return
}

// -----

func.func @dynamic_reshape_dynamic(%operand: tensor<?x?xf32>, %output_shape: tensor<2xindex>) {
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  func.return
}

// -----

func.func @dynamic_reshape_bounded(
    %operand: tensor<?x6xf32, #stablehlo.bounds<4, ?>>, %output_shape: tensor<1xi64>) {
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<?x6xf32, #stablehlo.bounds<4, ?>>, tensor<1xi64>) -> tensor<?xf32, #stablehlo.bounds<24>>
  func.return
}

// -----

func.func @dynamic_reshape_quantized(
    %operand: tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, %output_shape: tensor<2xi64>) {
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, tensor<2xi64>) -> tensor<3x8x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @dynamic_reshape_quantized_per_axis(
    %operand: tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>, %output_shape: tensor<4xi64>) {
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>, tensor<4xi64>) -> tensor<2x2x3x2x!quant.uniform<i8:f32:2, {0.5, 0.25, 2.0}>>
  func.return
}

// -----

func.func @dynamic_reshape_c1_a(%operand: tensor<4x6xf32>, %output_shape: tensor<2xi64>) {
  // expected-error@+1 {{expects operand and result to have compatible element type. Got: 'tensor<4x6xf32>' and 'tensor<?x?xf64>'}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<?x?xf64>
  func.return
}

// -----

func.func @dynamic_reshape_c1_b(
    %operand: tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, %output_shape: tensor<2xi64>) {
  // expected-error@+1 {{expect same quantization scale and zero_point but got}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, tensor<2xi64>) -> tensor<3x8x!quant.uniform<i8:f32, 0.125>>
  func.return
}

// -----

func.func @dynamic_reshape_c1_c(
    %operand: tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>, %output_shape: tensor<3xi64>) {
  // expected-error@+1 {{expect same quantization scales and zero_points but got}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>, tensor<3xi64>) -> tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5, 0.25, 4.0}>>
  func.return
}

// -----

func.func @dynamic_reshape_c1_d(
    %operand: tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>, %output_shape: tensor<3xi64>) {
  // expected-error@+1 {{expect same quantization scales and zero_points but got}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>, tensor<3xi64>) -> tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:1, 2.0:1}>>
  func.return
}

// -----

func.func @dynamic_reshape_c2_a(%operand: tensor<4x6xf32>, %output_shape: tensor<2xi64>) {
  // expected-error@+1 {{number of output elements (25) doesn't match expected number of elements (24)}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<5x5xf32>
  func.return
}

// -----

func.func @dynamic_reshape_c2_b(%operand: tensor<4x6xf32>) {
  %output_shape = stablehlo.constant dense<[3, 7]> : tensor<2xi64>
  // expected-error@+1 {{output_shape is incompatible with input type of operation: input has 24 elements, but output_shape has 21}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @dynamic_reshape_c3_before(
    %operand: tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>, %output_shape: tensor<3xi64>) {
  // expected-error@+1 {{product of dimensions before quantization dimension must match between operand and result for 4 and 2}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>, tensor<3xi64>) -> tensor<2x3x4x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>
  func.return
}

// -----

func.func @dynamic_reshape_c3_size(
    %operand: tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>, %output_shape: tensor<2xi64>) {
  // expected-error@+1 {{expect same quantization dimension size for operand and result}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>, tensor<2xi64>) -> tensor<4x6x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0, 4.0, 8.0, 1.0}>>
  func.return
}

// -----

func.func @dynamic_reshape_c4_a(%operand: tensor<4x6xf32>, %output_shape: tensor<3xi64>) {
  // expected-error@+1 {{result should have a rank equal to the number of elements in output_shape}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x6xf32>, tensor<3xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @dynamic_reshape_c4_b(%operand: tensor<4x6xf32>) {
  %output_shape = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  // expected-error@+1 {{output shape [4, 6] is incompatible with return type of operation}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<?x8xf32>
  func.return
}

// -----

func.func @dynamic_reshape_c4_c(%operand: tensor<4x6xf32>) {
  %output_shape = stablehlo.constant dense<[-4, -6]> : tensor<2xi64>
  // expected-error@+1 {{output shape [-4, -6] is incompatible with return type of operation}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}
