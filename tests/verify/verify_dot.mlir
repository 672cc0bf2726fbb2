// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// dot is deprecated and has no section of its own in the specification: functions are named after what is
// wrong.

func.func @dot_vector_vector(%lhs: tensor<9xf32>, %rhs: tensor<9xf32>) {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<9xf32>, tensor<9xf32>) -> tensor<f32>
  func.return
}

// -----

func.func @dot_matrix_vector(%lhs: tensor<4x9xf64>, %rhs: tensor<9xf64>) {
  %0 = stablehlo.dot %lhs, %rhs, precision = [HIGHEST, DEFAULT] : (tensor<4x9xf64>, tensor<9xf64>) -> tensor<4xf64>
  func.return
}

// -----

func.func @dot_vector_matrix(%lhs: tensor<9xbf16>, %rhs: tensor<9x3xbf16>) {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<9xbf16>, tensor<9x3xbf16>) -> tensor<3xf32>
  func.return
}

// -----

func.func @dot_matrix_matrix(%lhs: tensor<4x9xi16>, %rhs: tensor<9x3xi16>) {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<4x9xi16>, tensor<9x3xi16>) -> tensor<4x3xi16>
  func.return
}

// -----

func.func @dot_dynamic(%lhs: tensor<?x9xf32>, %rhs: tensor<?x3xf32>) {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<?x9xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  func.return
}

// -----

func.func @dot_bounded(
    %lhs: tensor<?x9xf32, #stablehlo.bounds<6, ?>>, %rhs: tensor<9x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<?x9xf32, #stablehlo.bounds<6, ?>>, tensor<9x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<?x?xf32, #stablehlo.bounds<6, 5>>
  func.return
}

// -----

func.func @dot_quantized(
    %lhs: tensor<4x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<9x3x!quant.uniform<i8:f32, 0.125>>) {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<4x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<9x3x!quant.uniform<i8:f32, 0.125>>) -> tensor<4x3x!quant.uniform<i8:f32, 2.0:-9>>
  func.return
}

// -----

func.func @dot_rank_zero(%lhs: tensor<f32>, %rhs: tensor<9xf32>) {
  // expected-error@+1 {{expected both lhs/rhs ranks to be either 1 or 2}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<f32>, tensor<9xf32>) -> tensor<f32>
  func.return
}

// -----

func.func @dot_rank_three(%lhs: tensor<2x4x9xf32>, %rhs: tensor<9x3xf32>) {
  // expected-error@+1 {{expected both lhs/rhs ranks to be either 1 or 2}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<2x4x9xf32>, tensor<9x3xf32>) -> tensor<2x4x3xf32>
  func.return
}

// -----

func.func @dot_sizes_vector_vector(%lhs: tensor<9xf32>, %rhs: tensor<8xf32>) {
  // expected-error@+1 {{expected both lhs/rhs ranks to be either 1 or 2}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<9xf32>, tensor<8xf32>) -> tensor<f32>
  func.return
}

// -----

func.func @dot_sizes_matrix_vector(%lhs: tensor<4x9xf32>, %rhs: tensor<4xf32>) {
  // expected-error@+1 {{expected both lhs/rhs ranks to be either 1 or 2}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<4x9xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @dot_sizes_vector_matrix(%lhs: tensor<9xf32>, %rhs: tensor<3x9xf32>) {
  // expected-error@+1 {{expected both lhs/rhs ranks to be either 1 or 2}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<9xf32>, tensor<3x9xf32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @dot_sizes_matrix_matrix(%lhs: tensor<4x9xf32>, %rhs: tensor<4x9xf32>) {
  // expected-error@+1 {{expected both lhs/rhs ranks to be either 1 or 2}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<4x9xf32>, tensor<4x9xf32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @dot_result_shape(%lhs: tensor<4x9xf32>, %rhs: tensor<9x3xf32>) {
  // expected-error@+1 {{inferred shape '[4, 3]' is incompatible with return type of operation}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<4x9xf32>, tensor<9x3xf32>) -> tensor<3x4xf32>
  func.return
}

// -----

func.func @dot_result_rank(%lhs: tensor<9xf32>, %rhs: tensor<9xf32>) {
  // expected-error@+1 {{inferred shape '[]' is incompatible with return type of operation}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<9xf32>, tensor<9xf32>) -> tensor<1xf32>
  func.return
}

// -----

func.func @dot_precision_size(%lhs: tensor<9xf32>, %rhs: tensor<9xf32>) {
  // expected-error@+1 {{expects precision config to be empty or have <= 2 elements, got 3}}
  %0 = stablehlo.dot %lhs, %rhs, precision = [HIGH, HIGH, HIGH] : (tensor<9xf32>, tensor<9xf32>) -> tensor<f32>
  func.return
}
