// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid.

func.func @dot_general(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_outer_product(%lhs: tensor<4xf32>, %rhs: tensor<7xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [] x [] : (tensor<4xf32>, tensor<7xf32>) -> tensor<4x7xf32>
  func.return
}

// -----

func.func @dot_general_wider_result(%lhs: tensor<4x6xi8>, %rhs: tensor<6x7xi8>) {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], precision = [HIGH, HIGHEST]
      : (tensor<4x6xi8>, tensor<6x7xi8>) -> tensor<4x7xi32>
  func.return
}

// -----

func.func @dot_general_algorithm(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1],
      algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false>
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_algorithm_with_default_precision(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1],
      precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false>
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_algorithm_of_three_products(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1],
      algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3,
        allow_imprecise_accumulation = false>
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_dynamic(%lhs: tensor<?x5x8xf32>, %rhs: tensor<3x?x?xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<?x5x8xf32>, tensor<3x?x?xf32>) -> tensor<3x5x?xf32>
  func.return
}

// -----

func.func @dot_general_bounded(
    %lhs: tensor<?x?x8xf32, #stablehlo.bounds<7, 6, ?>>,
    %rhs: tensor<?x8x?xf32, #stablehlo.bounds<5, ?, 4>>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<?x?x8xf32, #stablehlo.bounds<7, 6, ?>>, tensor<?x8x?xf32, #stablehlo.bounds<5, ?, 4>>) -> tensor<?x?x?xf32, #stablehlo.bounds<5, 6, 4>>
  func.return
}

// -----

func.func @dot_general_quantized(
    %lhs: tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<3x8x2x!quant.uniform<i8:f32, 0.125>>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, tensor<3x8x2x!quant.uniform<i8:f32, 0.125>>) -> tensor<3x5x2x!quant.uniform<i8:f32, 2.0:-9>>
  func.return
}

// -----

func.func @dot_general_quantized_per_axis(
    %lhs: tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>,
    %rhs: tensor<3x8x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, tensor<3x8x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>) -> tensor<3x5x2x!quant.uniform<i8:f32:2, {0.5:4, 0.25:4}>>
  func.return
}

// -----

func.func @dot_general_quantized_weights_only(
    %lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2x!quant.uniform<i8:f32, 0.125>>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8xf32>, tensor<3x8x2x!quant.uniform<i8:f32, 0.125>>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c1(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{lhs and rhs should have the same number of batching dimensions}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [], contracting_dims = [2] x [1]
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c2(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{lhs and rhs should have the same number of contracting dimensions}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [1, 2] x [1]
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c3_a(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{has duplicated dimension from lhs_batching_dimensions and lhs_contracting_dimensions: 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [0] x [1]
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c3_b(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{has duplicated dimension from lhs_batching_dimensions and lhs_contracting_dimensions: 2}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2, 2] x [1, 2]
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c4(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{has duplicated dimension from rhs_batching_dimensions and rhs_contracting_dimensions: 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [0]
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c5_a(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{lhs_batching_dimensions value: 3 is out of range: [0, 3)}}
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {
    dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [3], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>
  } : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c5_b(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{lhs_batching_dimensions value: -1 is out of range: [0, 3)}}
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {
    dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [-1], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>
  } : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c6(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{lhs_contracting_dimensions value: 6 is out of range: [0, 3)}}
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {
    dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [6], rhs_contracting_dimensions = [1]>
  } : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c7(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{rhs_batching_dimensions value: -2 is out of range: [0, 3)}}
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {
    dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [-2],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>
  } : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c8(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{rhs_contracting_dimensions value: 3 is out of range: [0, 3)}}
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {
    dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>
  } : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c9(%lhs: tensor<4x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{batching dimension sizes must match for lhs/rhs}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<4x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c9_bound(%lhs: tensor<9x5x8xf32>, %rhs: tensor<?x8x2xf32, #stablehlo.bounds<7, ?, ?>>) {
  // expected-error@+1 {{Mismatched dimension size 9 and bound 7 in dimension 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<9x5x8xf32>, tensor<?x8x2xf32, #stablehlo.bounds<7, ?, ?>>) -> tensor<9x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c10(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x7x2xf32>) {
  // expected-error@+1 {{contracting dimension sizes must match for lhs/rhs}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8xf32>, tensor<3x7x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c11(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{expects precision config to be empty or have <= 2 elements, got 3}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1],
      precision = [HIGH, DEFAULT, HIGH]
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c12_a(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{inferred shape '[3, 5, 2]' is incompatible with return type of operation}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x2x5xf32>
  func.return
}

// -----

func.func @dot_general_c12_b(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{inferred shape '[3, 5, 2]' is incompatible with return type of operation}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5xf32>
  func.return
}

// -----

func.func @dot_general_c14_a(%lhs: tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, tensor<3x8x2xf32>) -> tensor<3x5x2x!quant.uniform<i8:f32, 2.0:-9>>
  func.return
}

// -----

func.func @dot_general_c14_b(
    %lhs: tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<3x8x2x!quant.uniform<i8:f32, 0.125>>) {
  // expected-error@+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, tensor<3x8x2x!quant.uniform<i8:f32, 0.125>>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c14_c(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2x!quant.uniform<i8:f32, 2.0:-9>>
  func.return
}

// -----

func.func @dot_general_c15_a(
    %lhs: tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<3x8x2x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{Zero point of rhs should be 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, tensor<3x8x2x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<3x5x2x!quant.uniform<i8:f32, 2.0:-9>>
  func.return
}

// -----

func.func @dot_general_c15_b(
    %lhs: tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>,
    %rhs: tensor<3x8x2x!quant.uniform<i8:f32:2, {0.5:6, 0.25:6}>>) {
  // expected-error@+1 {{Zero points of rhs should be 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, tensor<3x8x2x!quant.uniform<i8:f32:2, {0.5:6, 0.25:6}>>) -> tensor<3x5x2x!quant.uniform<i8:f32, 2.0:-9>>
  func.return
}

// -----

func.func @dot_general_c16(
    %lhs: tensor<3x5x6x!quant.uniform<i8:f32, 0.25:3>>,
    %rhs: tensor<3x6x2x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125, 2.0, 4.0, 8.0}>>) {
  // expected-error@+1 {{Quantization dimension of rhs should not be in the contracting dimension of rhs}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x6x!quant.uniform<i8:f32, 0.25:3>>, tensor<3x6x2x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125, 2.0, 4.0, 8.0}>>) -> tensor<3x5x2x!quant.uniform<i8:f32, 2.0:-9>>
  func.return
}

// -----

func.func @dot_general_c17(
    %lhs: tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<3x8x2x!quant.uniform<i4:f32, 0.25>>) {
  // expected-error@+1 {{mismatched lhs and rhs quantization storage types}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, tensor<3x8x2x!quant.uniform<i4:f32, 0.25>>) -> tensor<3x5x2x!quant.uniform<i8:f32, 2.0:-9>>
  func.return
}

// -----

func.func @dot_general_c18_a(
    %lhs: tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<3x8x2x!quant.uniform<i8:f16, 0.25>>) {
  // expected-error@+1 {{mismatched lhs, rhs and result quantization expressed types}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, tensor<3x8x2x!quant.uniform<i8:f16, 0.25>>) -> tensor<3x5x2x!quant.uniform<i8:f32, 2.0:-9>>
  func.return
}

// -----

func.func @dot_general_c18_b(
    %lhs: tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<3x8x2x!quant.uniform<i8:f32, 0.125>>) {
  // expected-error@+1 {{mismatched lhs, rhs and result quantization expressed types}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, tensor<3x8x2x!quant.uniform<i8:f32, 0.125>>) -> tensor<3x5x2x!quant.uniform<i8:f16, 0.25>>
  func.return
}

// -----

func.func @dot_general_c19(
    %lhs: tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<3x8x2x!quant.uniform<i8:f32, 0.125>>) {
  // expected-error@+1 {{mismatched rhs and result quantization granularity}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8x!quant.uniform<i8:f32, 0.25:3>>, tensor<3x8x2x!quant.uniform<i8:f32, 0.125>>) -> tensor<3x5x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>
  func.return
}

// -----

func.func @dot_general_c20_a(%lhs: tensor<3x5x8xbf16>, %rhs: tensor<3x8x2x!quant.uniform<i8:f32, 0.125>>) {
  // expected-error@+1 {{mismatched rhs quantization expressed type and lhs and result element type}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8xbf16>, tensor<3x8x2x!quant.uniform<i8:f32, 0.125>>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c20_b(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2x!quant.uniform<i8:f32, 0.125>>) {
  // expected-error@+1 {{mismatched rhs quantization expressed type and lhs and result element type}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x5x8xf32>, tensor<3x8x2x!quant.uniform<i8:f32, 0.125>>) -> tensor<3x5x2xi32>
  func.return
}

// -----

func.func @dot_general_c21(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  // expected-error@+1 {{must specify DEFAULT precision config when algorithm is set}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1],
      precision = [DEFAULT, HIGHEST], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false>
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c22(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1],
  // expected-error@+1 {{lhs component count must be positive}}
      algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
        lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false>
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c23(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1],
  // expected-error@+1 {{rhs component count must be positive}}
      algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = -1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false>
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_c24(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1],
  // expected-error@+1 {{num primitive operations must be positive}}
      algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 0,
        allow_imprecise_accumulation = false>
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_i8_i9_i10(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1],
  // expected-error@+1 {{dot algorithm not known to be supported on any hardware}}
      algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f16,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 4,
        allow_imprecise_accumulation = false>
      : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_parse_repeated(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {
  // expected-error@+2 {{duplicated `lhs_batching_dimensions` entry}}
  // expected-error@+1 {{failed parsing dot dimension numbers attribute}}
    dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], lhs_batching_dimensions = [0]>
  } : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}

// -----

func.func @dot_general_parse_unknown(%lhs: tensor<3x5x8xf32>, %rhs: tensor<3x8x2xf32>) {
  %0 = "stablehlo.dot_general"(%lhs, %rhs) {
  // expected-error@+2 {{expected one of: `lhs_batching_dimensions`}}
  // expected-error@+1 {{failed parsing dot dimension numbers attribute}}
    dot_dimension_numbers = #stablehlo.dot<batching = [0]>
  } : (tensor<3x5x8xf32>, tensor<3x8x2xf32>) -> tensor<3x5x2xf32>
  func.return
}
