// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid.

func.func @dynamic_slice(%operand: tensor<8x5xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [3, 2]
      : (tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  func.return
}

// -----

func.func @dynamic_slice_whole(%operand: tensor<8x5xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [8, 5]
      : (tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<8x5xf32>
  func.return
}

// -----

func.func @dynamic_slice_empty(%operand: tensor<8x5xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [0, 5]
      : (tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<0x5xf32>
  func.return
}

// -----

func.func @dynamic_slice_scalar(%operand: tensor<i4>) {
  %0 = "stablehlo.dynamic_slice"(%operand) {slice_sizes = array<i64>} : (tensor<i4>) -> tensor<i4>
  func.return
}

// -----

func.func @dynamic_slice_dynamic(%operand: tensor<?x5xui8>, %start0: tensor<ui64>, %start1: tensor<ui64>) {
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [3, 2]
      : (tensor<?x5xui8>, tensor<ui64>, tensor<ui64>) -> tensor<3x2xui8>
  func.return
}

// -----

func.func @dynamic_slice_bounded(
    %operand: tensor<?x5xf32, #stablehlo.bounds<9, ?>>, %start0: tensor<i32>, %start1: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [3, 2]
      : (tensor<?x5xf32, #stablehlo.bounds<9, ?>>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  func.return
}

// -----

func.func @dynamic_slice_dynamic_result(%operand: tensor<8x5xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [3, 2]
      : (tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<?x2xf32>
  func.return
}

// -----

func.func @dynamic_slice_quantized(
    %operand: tensor<8x5x!quant.uniform<i8:f32, 0.5:2>>, %start0: tensor<i32>, %start1: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [3, 2]
      : (tensor<8x5x!quant.uniform<i8:f32, 0.5:2>>, tensor<i32>, tensor<i32>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @dynamic_slice_c1(%operand: tensor<8x5xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  // expected-error@+1 {{failed to verify that all of {operand, result} have same element type}}
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [3, 2]
      : (tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf64>
  func.return
}

// -----

func.func @dynamic_slice_c2_a(%operand: tensor<8x5xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  // expected-error@+2 {{has mismatched number of slice sizes (1) and number of start indices (2)}}
  // expected-error@+1 {{'stablehlo.dynamic_slice' op failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [3]
      : (tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  func.return
}

// -----

func.func @dynamic_slice_c2_b(
    %operand: tensor<8x5xf32>, %start0: tensor<i32>, %start1: tensor<i32>, %start2: tensor<i32>) {
  // expected-error@+2 {{has mismatched number of start indices (3) and the rank of operand (2)}}
  // expected-error@+1 {{'stablehlo.dynamic_slice' op failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, %start2, sizes = [3, 2, 1]
      : (tensor<8x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  func.return
}

// -----

func.func @dynamic_slice_c3(%operand: tensor<8x5xf32>, %start0: tensor<i32>, %start1: tensor<i64>) {
  // expected-error@+2 {{start indices must have same element type}}
  // expected-error@+1 {{'stablehlo.dynamic_slice' op failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [3, 2]
      : (tensor<8x5xf32>, tensor<i32>, tensor<i64>) -> tensor<3x2xf32>
  func.return
}

// -----

func.func @dynamic_slice_c4_a(%operand: tensor<8x5xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  // expected-error@+2 {{has negative size index to dynamic slice: -1}}
  // expected-error@+1 {{'stablehlo.dynamic_slice' op failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [3, -1]
      : (tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  func.return
}

// -----

func.func @dynamic_slice_c4_b(%operand: tensor<8x5xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  // expected-error@+2 {{has slice size 9 greater than dimension size 8 in dimension 0 of operand}}
  // expected-error@+1 {{'stablehlo.dynamic_slice' op failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [9, 2]
      : (tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  func.return
}

// -----

func.func @dynamic_slice_c5_a(%operand: tensor<8x5xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  // expected-error@+2 {{'stablehlo.dynamic_slice' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.dynamic_slice' op failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [3, 2]
      : (tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x3xf32>
  func.return
}

// -----

func.func @dynamic_slice_c5_b(%operand: tensor<8x5xf32>, %start0: tensor<i32>, %start1: tensor<i32>) {
  // expected-error@+2 {{'stablehlo.dynamic_slice' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.dynamic_slice' op failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [3, 2]
      : (tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3xf32>
  func.return
}
