// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the others are named
// after what is wrong.

// -----

func.func @cholesky_c1(%arg0: tensor<3x3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3x3xf32>' are incompatible with return type(s) of operation 'tensor<3x2xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<3x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @cholesky_c1_element_type(%arg0: tensor<3x3xf32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<3x3xf32>) -> tensor<3x3xf64>
  return
}

// -----

func.func @cholesky_c2(%arg0: tensor<3xf32>) {
  // expected-error@+2 {{argument 'a' must have rank >= 2, got shape 3.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.cholesky"(%arg0) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @cholesky_c3(%arg0: tensor<4x2x3xf32>) {
  // expected-error@+2 {{minor dimensions of 'a' must have equal size, got shape 4, 2, 3.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.cholesky"(%arg0) : (tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  return
}

// -----

func.func @triangular_solve_c1(%arg0: tensor<4x3x3xf32>, %arg1: tensor<4x3x5xf64>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<4x3x3xf32>, tensor<4x3x5xf64>) -> tensor<4x3x5xf64>
  return
}

// -----

func.func @triangular_solve_c2(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+2 {{operand 'a' must have rank >= 2, but got 'tensor<3xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @triangular_solve_c2_rank(%arg0: tensor<3x3xf32>, %arg1: tensor<4x3x5xf32>) {
  // expected-error@+2 {{operands must have equal rank, but got 'tensor<3x3xf32>' and 'tensor<4x3x5xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
  return
}

// -----

func.func @triangular_solve_c3(%arg0: tensor<4x3x2xf32>, %arg1: tensor<4x3x5xf32>) {
  // expected-error@+2 {{two minor dimensions of operand 'a' must be compatible, but got 'tensor<4x3x2xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<4x3x2xf32>, tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
  return
}

// -----

func.func @triangular_solve_c3_shared(%arg0: tensor<4x3x3xf32>, %arg1: tensor<4x3x5xf32>) {
  // expected-error@+2 {{shared dimension of operands 'a' and 'b' must be compatible, but got 'tensor<4x3x3xf32>' and 'tensor<4x3x5xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<4x3x3xf32>, tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
  return
}

// -----

func.func @triangular_solve_c3_shared_left(%arg0: tensor<4x3x3xf32>, %arg1: tensor<4x5x3xf32>) {
  // expected-error@+2 {{shared dimension of operands 'a' and 'b' must be compatible, but got 'tensor<4x3x3xf32>' and 'tensor<4x5x3xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<4x3x3xf32>, tensor<4x5x3xf32>) -> tensor<4x5x3xf32>
  return
}

// -----

func.func @triangular_solve_c3_batch(%arg0: tensor<4x3x3xf32>, %arg1: tensor<2x3x5xf32>) {
  // expected-error@+2 {{batch dimensions of the operands must be compatible, but got 'tensor<4x3x3xf32>' and 'tensor<2x3x5xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<4x3x3xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @triangular_solve_c4(%arg0: tensor<4x3x3xf32>, %arg1: tensor<4x3x5xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4x3x5xf32>' are incompatible with return type(s) of operation 'tensor<4x3x6xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<4x3x3xf32>, tensor<4x3x5xf32>) -> tensor<4x3x6xf32>
  return
}

// -----

func.func @triangular_solve_c4_element_type(%arg0: tensor<4x3x3xf32>, %arg1: tensor<4x3x5xf32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<4x3x3xf32>, tensor<4x3x5xf32>) -> tensor<4x3x5xf64>
  return
}

// -----

func.func @triangular_solve_transpose(%arg0: tensor<4x3x3xf32>, %arg1: tensor<4x3x5xf32>) {
  // expected-error@+2 {{Invalid transpose option value for triangular solve}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>} : (tensor<4x3x3xf32>, tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
  return
}

// -----

func.func @fft_c1(%arg0: tensor<8xcomplex<f32>>) {
  // expected-error@+2 {{operand rank must not be less than fft rank of 2 for operand of type 'tensor<8xcomplex<f32>>'.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8, 8>} : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @fft_c2_fft(%arg0: tensor<8xf32>) {
  // expected-error@+2 {{FFT/IFFT/IRFFT take a complex tensor as input, but is given 'tensor<8xf32>'.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>} : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @fft_c2_fft_result(%arg0: tensor<8xcomplex<f32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<8xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<8xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>} : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  return
}

// -----

func.func @fft_c2_ifft(%arg0: tensor<8xf32>) {
  // expected-error@+2 {{FFT/IFFT/IRFFT take a complex tensor as input, but is given 'tensor<8xf32>'.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 8>} : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @fft_c2_rfft(%arg0: tensor<8xcomplex<f32>>) {
  // expected-error@+2 {{RFFT requires f32 or f64 input type, but is given 'complex<f32>'.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<8xcomplex<f32>>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @fft_c2_rfft_result(%arg0: tensor<8xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<5xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<5xcomplex<f64>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<8xf32>) -> tensor<5xcomplex<f64>>
  return
}

// -----

func.func @fft_c2_irfft(%arg0: tensor<5xf32>) {
  // expected-error@+2 {{FFT/IFFT/IRFFT take a complex tensor as input, but is given 'tensor<5xf32>'.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>} : (tensor<5xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @fft_c2_irfft_result(%arg0: tensor<5xcomplex<f32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<8xf32>' are incompatible with return type(s) of operation 'tensor<8xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>} : (tensor<5xcomplex<f32>>) -> tensor<8xf64>
  return
}

// -----

func.func @fft_c2_width(%arg0: tensor<8xcomplex<f32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<8xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<8xcomplex<f64>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>} : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f64>>
  return
}

// -----

func.func @fft_c3(%arg0: tensor<2x2x2x2xcomplex<f32>>) {
  // expected-error@+2 {{rank must be between 1 and 3, but got 4.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 2, 2, 2, 2>} : (tensor<2x2x2x2xcomplex<f32>>) -> tensor<2x2x2x2xcomplex<f32>>
  return
}

// -----

func.func @fft_c3_empty(%arg0: tensor<8xcomplex<f32>>) {
  // expected-error@+2 {{rank must be between 1 and 3, but got 0.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64>} : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @fft_c4_rfft(%arg0: tensor<9xf32>) {
  // expected-error@+2 {{RFFT requires innermost dimensions to be compatible with fft_length. Got: 9 but wanted 8.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<9xf32>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @fft_c4_rfft_outer(%arg0: tensor<3x8xf32>) {
  // expected-error@+2 {{RFFT requires innermost dimensions to be compatible with fft_length. Got: 3, 8 but wanted 4, 8.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 4, 8>} : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
  return
}

// -----

func.func @fft_c4_irfft(%arg0: tensor<5xcomplex<f32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<8xf32>' are incompatible with return type(s) of operation 'tensor<9xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>} : (tensor<5xcomplex<f32>>) -> tensor<9xf32>
  return
}

// -----

func.func @fft_c4_irfft_outer(%arg0: tensor<3x5xcomplex<f32>>) {
  // expected-error@+2 {{IRFFT requires non-final dimensions to be compatible with fft_length. Got: 3, 5 but wanted 4, 8, and 3 != 4.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 4, 8>} : (tensor<3x5xcomplex<f32>>) -> tensor<4x8xf32>
  return
}

// -----

func.func @fft_c5(%arg0: tensor<8xcomplex<f32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<8xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<9xcomplex<f32>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>} : (tensor<8xcomplex<f32>>) -> tensor<9xcomplex<f32>>
  return
}

// -----

func.func @fft_c5_rfft(%arg0: tensor<8xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<5xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<6xcomplex<f32>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<8xf32>) -> tensor<6xcomplex<f32>>
  return
}

// -----

func.func @fft_c5_irfft(%arg0: tensor<6xcomplex<f32>>) {
  // expected-error@+2 {{IRFFT requires innermost dimension to be compatible with fft_length[-1]/2+1. Got: 6 but fft_length is 8.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>} : (tensor<6xcomplex<f32>>) -> tensor<8xf32>
  return
}

// -----

func.func @fft_c5_zero(%arg0: tensor<0xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<0xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<1xcomplex<f32>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 0>} : (tensor<0xf32>) -> tensor<1xcomplex<f32>>
  return
}

// -----

func.func @fft_rfft_narrow(%arg0: tensor<8xf16>) {
  // expected-error@+2 {{RFFT requires f32 or f64 input type, but is given 'f16'.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<8xf16>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @rng_c1(%arg0: tensor<f32>, %arg1: tensor<f64>, %arg2: tensor<2xi64>) {
  // expected-error@+1 {{failed to verify that all of {a, b, result} have same element type}}
  %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f64>, tensor<2xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @rng_c1_result(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<2xi64>) {
  // expected-error@+1 {{failed to verify that all of {a, b, result} have same element type}}
  %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x4xf64>
  return
}

// -----

func.func @rng_c2(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<2xi64>) {
  // expected-error@+2 {{mu and sigma must be floats}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<3x4xi32>
  return
}

// -----

func.func @rng_c2_bool(%arg0: tensor<i1>, %arg1: tensor<i1>, %arg2: tensor<2xi64>) {
  // expected-error@+2 {{mu and sigma must be floats}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<i1>, tensor<i1>, tensor<2xi64>) -> tensor<3x4xi1>
  return
}

// -----

func.func @rng_c3(%arg0: tensor<f32>) {
  %shape = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  // expected-error@+2 {{inferred type(s) 'tensor<3x4xf32>' are incompatible with return type(s) of operation 'tensor<3x5xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.rng"(%arg0, %arg0, %shape) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x5xf32>
  return
}

// -----

func.func @rng_c3_rank(%arg0: tensor<f32>) {
  %shape = stablehlo.constant dense<[12]> : tensor<1xi64>
  // expected-error@+2 {{inferred type(s) 'tensor<12xf32>' are incompatible with return type(s) of operation 'tensor<3x4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.rng"(%arg0, %arg0, %shape) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @rng_c3_rank_of_shape(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<3xi64>) {
  // expected-error@+2 {{inferred type(s) 'tensor<?x?x?xf32>' are incompatible with return type(s) of operation 'tensor<3x4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<3xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @rng_bit_generator_c1(%arg0: tensor<2xui64>) {
  // expected-error@+1 {{output state shape must be compatible with initial state shape. Got: 'tensor<2xui64>' and 'tensor<3xui64>'}}
  %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}
