// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid. What depends on the amounts of padding is checked only where they are constants.

func.func @dynamic_pad(
    %operand: tensor<4x6xf32>, %value: tensor<f32>, %low: tensor<2xi64>, %high: tensor<2xi64>,
    %interior: tensor<2xi64>) {
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<4x6xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @dynamic_pad_static_result(
    %operand: tensor<4x6xf32>, %value: tensor<f32>, %low: tensor<2xi64>, %high: tensor<2xi64>,
    %interior: tensor<2xi64>) {
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<4x6xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<9x6xf32>
  func.return
}

// -----

func.func @dynamic_pad_constant(%operand: tensor<4x6xf32>, %value: tensor<f32>) {
  %low = stablehlo.constant dense<[1, -1]> : tensor<2xi64>
  %high = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %interior = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<4x6xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<9x5xf32>
  func.return
}

// -----

func.func @dynamic_pad_empty_operand(%operand: tensor<0xf32>, %value: tensor<f32>) {
  %low = stablehlo.constant dense<1> : tensor<1xi32>
  %high = stablehlo.constant dense<2> : tensor<1xi32>
  %interior = stablehlo.constant dense<7> : tensor<1xi32>
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<0xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @dynamic_pad_dynamic(
    %operand: tensor<?x?xi8>, %value: tensor<i8>, %low: tensor<2xindex>, %high: tensor<2xindex>,
    %interior: tensor<2xindex>) {
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<?x?xi8>, tensor<i8>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x?xi8>
  func.return
}

// -----

func.func @dynamic_pad_bounded(
    %operand: tensor<?x6xf32, #stablehlo.bounds<4, ?>>, %value: tensor<f32>, %low: tensor<2xi64>,
    %high: tensor<2xi64>, %interior: tensor<2xi64>) {
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<?x6xf32, #stablehlo.bounds<4, ?>>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @dynamic_pad_quantized(
    %operand: tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, %value: tensor<!quant.uniform<i8:f32, 0.5:2>>,
    %low: tensor<2xi64>, %high: tensor<2xi64>, %interior: tensor<2xi64>) {
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, tensor<!quant.uniform<i8:f32, 0.5:2>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @dynamic_pad_c1_a(
    %operand: tensor<4x6xf32>, %value: tensor<f64>, %low: tensor<2xi64>, %high: tensor<2xi64>,
    %interior: tensor<2xi64>) {
  // expected-error@+1 {{failed to verify that all of {operand, padding_value, result} have same element type}}
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<4x6xf32>, tensor<f64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @dynamic_pad_c1_b(
    %operand: tensor<4x6xf32>, %value: tensor<f32>, %low: tensor<2xi64>, %high: tensor<2xi64>,
    %interior: tensor<2xi64>) {
  // expected-error@+1 {{failed to verify that all of {operand, padding_value, result} have same element type}}
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<4x6xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf64>
  func.return
}

// -----

func.func @dynamic_pad_c2_a(
    %operand: tensor<4x6xf32>, %value: tensor<f32>, %low: tensor<3xi64>, %high: tensor<3xi64>,
    %interior: tensor<3xi64>) {
  // expected-error@+1 {{padding operands size (3) must match operand rank (2)}}
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<4x6xf32>, tensor<f32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @dynamic_pad_c2_b(
    %operand: tensor<4x6xf32>, %value: tensor<f32>, %low: tensor<2xi64>, %high: tensor<3xi64>,
    %interior: tensor<2xi64>) {
  // expected-error@+1 {{failed to verify that all of {edge_padding_low, edge_padding_high, interior_padding} have same type}}
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<4x6xf32>, tensor<f32>, tensor<2xi64>, tensor<3xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @dynamic_pad_c3(
    %operand: tensor<4x6xf32>, %value: tensor<f32>, %low: tensor<2xi64>, %high: tensor<2xi64>) {
  %interior = stablehlo.constant dense<[0, -1]> : tensor<2xi64>
  // expected-error@+1 {{interior_padding must be non-negative, but got}}
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<4x6xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @dynamic_pad_c4(%operand: tensor<4x6xf32>, %value: tensor<f32>) {
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %high = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %interior = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  // expected-error@+1 {{expected output dimension at index 1 to equal 14, but got 13}}
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<4x6xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x13xf32>
  func.return
}

// -----

func.func @dynamic_pad_c4_rank(
    %operand: tensor<4x6xf32>, %value: tensor<f32>, %low: tensor<2xi64>, %high: tensor<2xi64>,
    %interior: tensor<2xi64>) {
  // expected-error@+1 {{failed to verify that all of {operand, result} have same rank}}
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<4x6xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xf32>
  func.return
}

// -----

func.func @dynamic_pad_i2(
    %operand: tensor<4x6xf32>, %value: tensor<1xf32>, %low: tensor<2xi64>, %high: tensor<2xi64>,
    %interior: tensor<2xi64>) {
  // expected-error@+1 {{operand #1 must be 0D tensor of}}
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
      : (tensor<4x6xf32>, tensor<1xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}
