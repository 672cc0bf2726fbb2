// RUN: stablehlo-opt --strict --split-input-file --verify-diagnostics %s

// What the specification forbids and the bindings accept: without --strict these programs are valid.

func.func @dot_general_c11_one(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{precision_config must have size 2, got 1 (C11)}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1],
      precision = [HIGHEST]
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c13_kinds(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xi32>) {
  // expected-error@+1 {{rhs must have the element type of lhs, f32, got i32 (C13)}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8xf32>, tensor<3x8x2xi32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c13_widths(%lhs: tensor<3x5x8xbf16>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{rhs must have the element type of lhs, bf16, got f32 (C13)}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8xbf16>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}
