// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid.

func.func @dynamic_update_slice(
    %operand: tensor<8x5xf32>, %update: tensor<3x2xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1
      : (tensor<8x5xf32>, tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x5xf32>
  func.return
}

// -----

func.func @dynamic_update_slice_whole(
    %operand: tensor<8x5xf32>, %update: tensor<8x5xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1
      : (tensor<8x5xf32>, tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<8x5xf32>
  func.return
}

// -----

func.func @dynamic_update_slice_empty(
    %operand: tensor<8x5xf32>, %update: tensor<0x5xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1
      : (tensor<8x5xf32>, tensor<0x5xf32>, tensor<i32>, tensor<i32>) -> tensor<8x5xf32>
  func.return
}

// -----

func.func @dynamic_update_slice_scalar(%operand: tensor<f32>, %update: tensor<f32>) {
  %0 = stablehlo.dynamic_update_slice %operand, %update
      : (tensor<f32>, tensor<f32>) -> tensor<f32>
  func.return
}

// -----

func.func @dynamic_update_slice_dynamic(
    %operand: tensor<?x5xf32>, %update: tensor<3x?xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1
      : (tensor<?x5xf32>, tensor<3x?xf32>, tensor<i32>, tensor<i32>) -> tensor<?x5xf32>
  func.return
}

// -----

func.func @dynamic_update_slice_bounded(
    %operand: tensor<?x5xf32, #stablehlo.bounds<9, ?>>, %update: tensor<3x2xf32>, %start0: tensor<i32>,
    %start1: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1
      : (tensor<?x5xf32, #stablehlo.bounds<9, ?>>, tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<?x5xf32, #stablehlo.bounds<9, ?>>
  func.return
}

// -----

func.func @dynamic_update_slice_quantized(
    %operand: tensor<8x5x!quant.uniform<i8:f32, 0.5:2>>,
    %update: tensor<3x2x!quant.uniform<i8:f32, 0.5:2>>, %start0: tensor<i32>, %start1: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1
      : (tensor<8x5x!quant.uniform<i8:f32, 0.5:2>>, tensor<3x2x!quant.uniform<i8:f32, 0.5:2>>, tensor<i32>, tensor<i32>) -> tensor<8x5x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @dynamic_update_slice_c1(
    %operand: tensor<8x5xf32>, %update: tensor<3x2xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  // expected-error@+2 {{'stablehlo.dynamic_update_slice' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.dynamic_update_slice' op failed to infer returned types}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1
      : (tensor<8x5xf32>, tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
  func.return
}

// -----

func.func @dynamic_update_slice_c1_bound(
    %operand: tensor<?x5xf32, #stablehlo.bounds<9, ?>>, %update: tensor<3x2xf32>, %start0: tensor<i32>,
    %start1: tensor<i32>) {
  // expected-error@+2 {{'stablehlo.dynamic_update_slice' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.dynamic_update_slice' op failed to infer returned types}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1
      : (tensor<?x5xf32, #stablehlo.bounds<9, ?>>, tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<10x5xf32>
  func.return
}

// -----

func.func @dynamic_update_slice_c2(
    %operand: tensor<8x5xf32>, %update: tensor<3x2xi32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  // expected-error@+1 {{failed to verify that all of {operand, update, result} have same element type}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1
      : (tensor<8x5xf32>, tensor<3x2xi32>, tensor<i32>, tensor<i32>) -> tensor<8x5xf32>
  func.return
}

// -----

func.func @dynamic_update_slice_c3(
    %operand: tensor<8x5xf32>, %update: tensor<3xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  // expected-error@+2 {{update rank does not match operand rank: 1 vs 2}}
  // expected-error@+1 {{'stablehlo.dynamic_update_slice' op failed to infer returned types}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1
      : (tensor<8x5xf32>, tensor<3xf32>, tensor<i32>, tensor<i32>) -> tensor<8x5xf32>
  func.return
}

// -----

func.func @dynamic_update_slice_c4(%operand: tensor<8x5xf32>, %update: tensor<3x2xf32>, %start0: tensor<i32>) {
  // expected-error@+2 {{expects number of start_indices to match operand rank: 1 vs 2}}
  // expected-error@+1 {{'stablehlo.dynamic_update_slice' op failed to infer returned types}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start0
      : (tensor<8x5xf32>, tensor<3x2xf32>, tensor<i32>) -> tensor<8x5xf32>
  func.return
}

// -----

func.func @dynamic_update_slice_c5(
    %operand: tensor<8x5xf32>, %update: tensor<3x2xf32>, %start0: tensor<i32>, %start1: tensor<ui32>) {
  // expected-error@+2 {{start indices must have same element type}}
  // expected-error@+1 {{'stablehlo.dynamic_update_slice' op failed to infer returned types}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1
      : (tensor<8x5xf32>, tensor<3x2xf32>, tensor<i32>, tensor<ui32>) -> tensor<8x5xf32>
  func.return
}

// -----

func.func @dynamic_update_slice_c6(
    %operand: tensor<8x5xf32>, %update: tensor<3x6xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  // expected-error@+2 {{expects size at dimension 1 of update to be in range [0, 5]. Got: 6}}
  // expected-error@+1 {{'stablehlo.dynamic_update_slice' op failed to infer returned types}}
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1
      : (tensor<8x5xf32>, tensor<3x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x5xf32>
  func.return
}
