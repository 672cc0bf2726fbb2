// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// real_dynamic_slice is deprecated and has no section in the specification: functions are named after what
// is wrong.

func.func @real_dynamic_slice(
    %operand: tensor<4x6xf32>, %start: tensor<2xi64>, %limit: tensor<2xi64>, %strides: tensor<2xi64>) {
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<4x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @real_dynamic_slice_static(
    %operand: tensor<4x6xf32>, %start: tensor<2xi32>, %limit: tensor<2xi32>, %strides: tensor<2xi32>) {
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<4x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @real_dynamic_slice_dynamic(
    %operand: tensor<?x?xbf16>, %start: tensor<2xindex>, %limit: tensor<2xindex>,
    %strides: tensor<2xindex>) {
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<?x?xbf16>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x?xbf16>
  func.return
}

// -----

func.func @real_dynamic_slice_bounded(
    %operand: tensor<?x6xf32, #stablehlo.bounds<4, ?>>, %start: tensor<2xi64>, %limit: tensor<2xi64>,
    %strides: tensor<2xi64>) {
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<?x6xf32, #stablehlo.bounds<4, ?>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @real_dynamic_slice_quantized(
    %operand: tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, %start: tensor<2xi64>, %limit: tensor<2xi64>,
    %strides: tensor<2xi64>) {
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @real_dynamic_slice_sizes(
    %operand: tensor<4x6xf32>, %start: tensor<3xi64>, %limit: tensor<3xi64>, %strides: tensor<3xi64>) {
  // expected-error@+1 {{has mismatched number of operand rank (2) and start_indices size (3)}}
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<4x6xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @real_dynamic_slice_unknown_size(
    %operand: tensor<4x6xf32>, %start: tensor<?xi64>, %limit: tensor<?xi64>, %strides: tensor<?xi64>) {
  // expected-error@+1 {{has mismatched number of operand rank (2) and start_indices size}}
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<4x6xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @real_dynamic_slice_types(
    %operand: tensor<4x6xf32>, %start: tensor<2xi64>, %limit: tensor<2xi64>, %strides: tensor<1xi64>) {
  // expected-error@+1 {{failed to verify that all of {start_indices, limit_indices, strides} have same type}}
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<4x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @real_dynamic_slice_elements(
    %operand: tensor<4x6xf32>, %start: tensor<2xi64>, %limit: tensor<2xi64>, %strides: tensor<2xi64>) {
  // expected-error@+1 {{failed to verify that all of {operand, result} have same element type}}
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<4x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xi32>
  func.return
}

// -----

func.func @real_dynamic_slice_rank(
    %operand: tensor<4x6xf32>, %start: tensor<1x2xi64>, %limit: tensor<1x2xi64>, %strides: tensor<1x2xi64>) {
  // expected-error@+1 {{operand #1 must be 1D tensor of}}
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
      : (tensor<4x6xf32>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> tensor<?x?xf32>
  func.return
}
