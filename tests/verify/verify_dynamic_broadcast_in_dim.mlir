// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid. What depends on output_dimensions is checked only where it is a constant.

func.func @dynamic_broadcast_in_dim(%operand: tensor<6xf32>, %output_dimensions: tensor<2xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_constant(%operand: tensor<6xf32>) {
  %output_dimensions = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_index_dimensions(
    %operand: tensor<6xf32>, %output_dimensions: tensor<2xindex>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<6xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_expanding(%operand: tensor<1x6xf32>, %output_dimensions: tensor<3xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>}
      : (tensor<1x6xf32>, tensor<3xi64>) -> tensor<4x6x?xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_dynamic(%operand: tensor<?xf32>, %output_dimensions: tensor<2xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_bounded(
    %operand: tensor<?xf32, #stablehlo.bounds<6>>, %output_dimensions: tensor<2xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<?xf32, #stablehlo.bounds<6>>, tensor<2xi64>) -> tensor<4x?xf32, #stablehlo.bounds<?, 6>>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_quantized(
    %operand: tensor<6x!quant.uniform<i8:f32, 0.5:2>>, %output_dimensions: tensor<2xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<6x!quant.uniform<i8:f32, 0.5:2>>, tensor<2xi64>) -> tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_quantized_per_axis(
    %operand: tensor<3x!quant.uniform<i8:f32:0, {0.5, 0.25, 2.0}>>, %output_dimensions: tensor<2xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<3x!quant.uniform<i8:f32:0, {0.5, 0.25, 2.0}>>, tensor<2xi64>) -> tensor<4x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_quantized_expanded_axis(
    %operand: tensor<1x6x!quant.uniform<i8:f32:0, {0.5:3}>>, %output_dimensions: tensor<2xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<1x6x!quant.uniform<i8:f32:0, {0.5:3}>>, tensor<2xi64>) -> tensor<2x6x!quant.uniform<i8:f32:0, {0.5:3, 0.5:3}>>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c1(%operand: tensor<6xf32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{expects operand and result to have compatible element type. Got: 'tensor<6xf32>' and 'tensor<4x6xi32>'}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xi32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c2(%operand: tensor<6xf32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{broadcast_dimensions size (2) does not match operand rank (1)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c3_a(%operand: tensor<6xf32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{broadcast_dimensions contains invalid value 2 for result with rank 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [2]
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c3_b(%operand: tensor<6xf32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{broadcast_dimensions contains invalid value -1 for result with rank 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [-1]
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c3_rank(%operand: tensor<4x6xf32>, %output_dimensions: tensor<1xi64>) {
  // expected-error@+1 {{result rank (1) is less than operand rank (2)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<4x6xf32>, tensor<1xi64>) -> tensor<6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c4(%operand: tensor<6x6xf32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{broadcast_dimensions should not have duplicates}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1, 1]
      : (tensor<6x6xf32>, tensor<2xi64>) -> tensor<6x6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c5(%operand: tensor<6xf32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{size of operand dimension 0 (6) is not compatible with size of result dimension 0 (4)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0]
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c5_constant(%operand: tensor<6xf32>) {
  %output_dimensions = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  // expected-error@+1 {{size of operand dimension 0 (6) is not equal to 1 or value of shape at index 1 (5)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x?xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c6_dimension(
    %operand: tensor<3x!quant.uniform<i8:f32:0, {0.5, 0.25, 2.0}>>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{result quantization_dimension 0 not same as broadcast_dimensions[0] = 1}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<3x!quant.uniform<i8:f32:0, {0.5, 0.25, 2.0}>>, tensor<2xi64>) -> tensor<3x3x!quant.uniform<i8:f32:0, {0.5, 0.25, 2.0}>>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c6_scale(
    %operand: tensor<1x6x!quant.uniform<i8:f32:0, {0.5}>>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{mismatch result scale 1 (2.500000e-01) and operand scale 0 (5.000000e-01)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<1x6x!quant.uniform<i8:f32:0, {0.5}>>, tensor<2xi64>) -> tensor<2x6x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c6_zero_point(
    %operand: tensor<1x6x!quant.uniform<i8:f32:0, {0.5:3}>>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{mismatch result zero_point 0 (4) and operand zero_point 0 (3)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1]
      : (tensor<1x6x!quant.uniform<i8:f32:0, {0.5:3}>>, tensor<2xi64>) -> tensor<2x6x!quant.uniform<i8:f32:0, {0.5:4, 0.5:4}>>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c7_a(%operand: tensor<6xf32>) {
  %output_dimensions = stablehlo.constant dense<[4, 7]> : tensor<2xi64>
  // expected-error@+1 {{output shape [4, 7] is incompatible with return type of operation}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c7_b(%operand: tensor<6xf32>) {
  %output_dimensions = stablehlo.constant dense<[4, 6, 1]> : tensor<3xi64>
  // expected-error@+1 {{output shape [4, 6, 1] is incompatible with return type of operation}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<6xf32>, tensor<3xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c7_c(%operand: tensor<6xf32>) {
  %output_dimensions = stablehlo.constant dense<[4, -6]> : tensor<2xi64>
  // expected-error@+1 {{output shape [4, -6] is incompatible with return type of operation}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c8_a(%operand: tensor<6xf32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{duplicate expansion hint for at least one operand dimension}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      {known_expanding_dimensions = array<i64: 0, 0>}
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c8_b(%operand: tensor<6xf32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{duplicate expansion hint for at least one operand dimension}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      {known_expanding_dimensions = array<i64: 0>,
       known_nonexpanding_dimensions = array<i64: 0>}
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c9_a(%operand: tensor<6xf32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{hint for expanding dimension 1 does not refer to a valid operand dimension}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      {known_expanding_dimensions = array<i64: 1>}
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c9_b(%operand: tensor<6xf32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{hint for expanding dimension -1 does not refer to a valid operand dimension}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      {known_expanding_dimensions = array<i64: -1>}
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c10(%operand: tensor<6xf32>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{hint for expanding dimension 3 does not refer to a valid operand dimension}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      {known_nonexpanding_dimensions = array<i64: 3>}
      : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}
