// RUN: stablehlo-opt --strict --split-input-file --verify-diagnostics %s

// What the specification forbids and the bindings accept: without --strict these programs are valid.

func.func @dynamic_broadcast_in_dim_c1_scales(
    %operand: tensor<6x!quant.uniform<i8:f32, 0.5:2>>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{result must have the element type of operand, !quant.uniform<i8:f32, 5.000000e-01:2>, got !quant.uniform<i8:f32, 1.250000e-01> (C1)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<6x!quant.uniform<i8:f32, 0.5:2>>, tensor<2xi64>) -> tensor<4x6x!quant.uniform<i8:f32, 0.125>>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c1_kinds(
    %operand: tensor<6x!quant.uniform<i8:f32, 0.5:2>>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{result must have the element type of operand, !quant.uniform<i8:f32, 5.000000e-01:2>, got f32 (C1)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<6x!quant.uniform<i8:f32, 0.5:2>>, tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c1_granularity(
    %operand: tensor<3x!quant.uniform<i8:f32:0, {0.5, 0.25, 2.0}>>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{result must be quantized per axis like operand, got !quant.uniform<i8:f32, 5.000000e-01:2> (C1)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<3x!quant.uniform<i8:f32:0, {0.5, 0.25, 2.0}>>, tensor<2xi64>) -> tensor<4x3x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c1_storage(
    %operand: tensor<3x!quant.uniform<i8:f32:0, {0.5, 0.25, 2.0}>>, %output_dimensions: tensor<2xi64>) {
  // expected-error@+1 {{result must have the storage and expressed type of operand, i8 and f32, got i4 and f32 (C1)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<3x!quant.uniform<i8:f32:0, {0.5, 0.25, 2.0}>>, tensor<2xi64>) -> tensor<4x3x!quant.uniform<i4:f32:1, {0.5, 0.25, 2.0}>>
  func.return
}

// -----

func.func @dynamic_broadcast_in_dim_c7_argument(%operand: tensor<6xf32>, %output_dimensions: tensor<3xi64>) {
  // expected-error@+1 {{output_dimensions must have size 2, got 3 (C7)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1]
      : (tensor<6xf32>, tensor<3xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_iota_c2_argument(%output_shape: tensor<3xi64>) {
  // expected-error@+1 {{output_shape must have size 2, got 3 (C2)}}
  %0 = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<3xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_pad_c4_partly_known(%operand: tensor<?x6xf32>, %value: tensor<f32>) {
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %high = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %interior = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  // expected-error@+1 {{result must have shape [?, 7], got [?, 8] (C4)}}
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<?x6xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x8xf32>
  func.return
}

// -----

func.func @dynamic_reshape_c1_kinds(
    %operand: tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, %output_shape: tensor<2xi64>) {
  // expected-error@+1 {{result must have the element type of operand, !quant.uniform<i8:f32, 5.000000e-01:2>, got f32 (C1)}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @dynamic_reshape_c1_granularity(
    %operand: tensor<4x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>, %output_shape: tensor<2xi64>) {
  // expected-error@+1 {{result must be quantized per axis like operand, got !quant.uniform<i8:f32, 5.000000e-01:2> (C1)}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>, tensor<2xi64>) -> tensor<4x3x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @dynamic_reshape_c1_storage(
    %operand: tensor<4x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>, %output_shape: tensor<2xi64>) {
  // expected-error@+1 {{result must have the storage and expressed type of operand, i8 and f32, got i4 and f32 (C1)}}
  %0 = stablehlo.dynamic_reshape %operand, %output_shape
      : (tensor<4x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0}>>, tensor<2xi64>) -> tensor<4x3x!quant.uniform<i4:f32:1, {0.5, 0.25, 2.0}>>
  func.return
}
