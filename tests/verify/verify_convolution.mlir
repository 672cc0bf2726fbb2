// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid.

func.func @convolution(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_all_attributes(%lhs: tensor<4x6x9x8xf32>, %rhs: tensor<8x6x3x5xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2], pad = [[1, 1], [8, 8]], lhs_dilate = [1, 2], rhs_dilate = [1, 2], reverse = [0, 1]}
      {batch_group_count = 2 : i64, feature_group_count = 1 : i64,
       precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}
      : (tensor<4x6x9x8xf32>, tensor<8x6x3x5xf32>) -> tensor<2x8x9x12xf32>
  func.return
}

// -----

func.func @convolution_no_spatial(%lhs: tensor<5x3xf32>, %rhs: tensor<3x2xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f]x[i, o]->[b, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<5x3xf32>, tensor<3x2xf32>) -> tensor<5x2xf32>
  func.return
}

// -----

func.func @convolution_grouped_features(%lhs: tensor<2x6x9xf32>, %rhs: tensor<6x2x3xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 3 : i64}
      : (tensor<2x6x9xf32>, tensor<6x2x3xf32>) -> tensor<2x6x7xf32>
  func.return
}

// -----

func.func @convolution_dynamic(%lhs: tensor<?x6x?xf32>, %rhs: tensor<4x?x3xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<?x6x?xf32>, tensor<4x?x3xf32>) -> tensor<?x4x?xf32>
  func.return
}

// -----

func.func @convolution_bounded(%lhs: tensor<?x6x9xf32, #stablehlo.bounds<8, ?, ?>>, %rhs: tensor<4x6x3xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<?x6x9xf32, #stablehlo.bounds<8, ?, ?>>, tensor<4x6x3xf32>) -> tensor<?x4x7xf32, #stablehlo.bounds<8, ?, ?>>
  func.return
}

// -----

func.func @convolution_quantized(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) -> tensor<2x4x7x!quant.uniform<i8:f32, 4.0:-7>>
  func.return
}

// -----

func.func @convolution_quantized_per_axis(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>,
    %rhs: tensor<4x6x3x!quant.uniform<i8:f32:0, {0.5, 0.25, 0.125, 2.0}>>) {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f32:0, {0.5, 0.25, 0.125, 2.0}>>) -> tensor<2x4x7x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125, 2.0}>>
  func.return
}

// -----

func.func @convolution_quantized_weights_only(
    %lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c1(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3x3xf32>) {
  // expected-error@+1 {{expects convolution arguments to have same number of dimensions}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c2(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects window-strides to have same dimension-size as size of window dimensions (1), but got: 2}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c3(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects window to have positive stride for 0-th window dimension, but got 0}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [0]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c4_a(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects the shape of padding-attribute to be {N, 2}, but got {2}}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64, padding = dense<1> : tensor<2xi64>
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c4_b(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects padding-entries to have same dimension-size as size of window dimensions (1), but got: 2}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[0, 1], [1, 0]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c5(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects base-dilation factors to have same dimension-size}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {lhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c6(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects window to have positive base dilation factor for 0-th window dimension, but got -1}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {lhs_dilate = [-1]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c7(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects window-dilation factors to have same dimension-size}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {rhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c8(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects window to have positive window dilation factor for 0-th window dimension, but got 0}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {rhs_dilate = [0]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c9(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects window-reversal to have same dimension-size}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {reverse = [0, 1]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c10(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects input batch dimension (2) to be divisible by batch_group_count. Got batch_group_count = 4}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 4 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c11(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects input feature dimension (6) to be a multiple of feature_group_count. Got feature_group_count = 4}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 4 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c12(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects convolution arguments to have 2 dimensions. Got: 3}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f]x[o, i]->[b, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c13_a(%lhs: tensor<9xf32>, %rhs: tensor<3xf32>) {
  // expected-error@+1 {{expects convolution arguments to have >= 2 dimensions}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<9xf32>, tensor<3xf32>) -> tensor<7xf32>
  func.return
}

// -----

func.func @convolution_c13_b(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects input, kernel, and output dimension-numbers to be in-range [0, 3)}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 3, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c13_c(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects input, kernel, and output dimension-numbers to be in-range [0, 3)}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [-1],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c13_d(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects input dimension-numbers to be unique, got {0, 0, 2}}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 0, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c14(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x5x3xf32>) {
  // expected-error@+1 {{expects input feature dimension (6) / feature_group_count = kernel input feature dimension (5)}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x5x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c15(%lhs: tensor<6x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects output feature dimension size (4) to be a multiple of batch_group_count. Got batch_group_count = 3}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 3 : i64, feature_group_count = 1 : i64}
      : (tensor<6x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c16(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x2x3xf32>) {
  // expected-error@+1 {{expects kernel output feature dimension (4) to be divisible by feature_group_count. For feature_group_count = 3}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 3 : i64}
      : (tensor<2x6x9xf32>, tensor<4x2x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c17(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects the same size for input, kernel and output spatial-dimensions, but got 1, 0, and 1}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c18_a(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects input, kernel, and output dimension-numbers to be in-range [0, 3)}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = -2, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c18_b(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects kernel dimension-numbers to be unique, got {1, 1, 2}}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 1,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c19(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects the same size for input, kernel and output spatial-dimensions, but got 1, 1, and 2}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2, 3]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c20_a(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects input, kernel, and output dimension-numbers to be in-range [0, 3)}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [7]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c20_b(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects output dimension-numbers to be unique, got {2, 1, 2}}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 2, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c21(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{attribute 'feature_group_count' failed to satisfy constraint}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 0 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c22(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{attribute 'batch_group_count' failed to satisfy constraint}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = -1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c23(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects batch_group_count and feature_group_count not to be both greater than 1. Got 2 and 3}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 2 : i64, feature_group_count = 3 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c24(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{expects precision config to be empty or have <= 2 elements, got 3}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
       precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c25_batch(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{inferred shape '[2, 4, 7]' is incompatible with return type of operation}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<3x4x7xf32>
  func.return
}

// -----

func.func @convolution_c25_feature(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{inferred shape '[2, 4, 7]' is incompatible with return type of operation}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x6x7xf32>
  func.return
}

// -----

func.func @convolution_c25_windows(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{inferred shape '[2, 4, 4]' is incompatible with return type of operation}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x3xf32>
  func.return
}

// -----

func.func @convolution_c25_empty_window(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{inferred shape '[2, 4, 0]' is incompatible with return type of operation}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[-4, -4]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x1xf32>
  func.return
}

// -----

func.func @convolution_c25_grouped_batch(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{inferred shape '[1, 4, 7]' is incompatible with return type of operation}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 2 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c26(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{inferred shape '[2, 4, 7]' is incompatible with return type of operation}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @convolution_c27(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xi32>) {
  // expected-error@+1 {{expects lhs and rhs to have compatible element type. Got: 'f32' and 'i32'}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xi32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c27_precision(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf64>) {
  // expected-error@+1 {{expects lhs and rhs to have compatible element type. Got: 'f32' and 'f64'}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c28_a(%lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3xf32>) -> tensor<2x4x7x!quant.uniform<i8:f32, 4.0:-7>>
  func.return
}

// -----

func.func @convolution_c28_b(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  // expected-error@+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c28_c(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  // expected-error@+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) -> tensor<2x4x7x!quant.uniform<i8:f32, 4.0:-7>>
  func.return
}

// -----

func.func @convolution_c29(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>,
    %rhs: tensor<4x6x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125, 2.0, 4.0, 8.0}>>) {
  // expected-error@+1 {{quantization dimension of rhs should be same with kernel_output_feature_dimension}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125, 2.0, 4.0, 8.0}>>) -> tensor<2x4x7x!quant.uniform<i8:f32, 4.0:-7>>
  func.return
}

// -----

func.func @convolution_c30(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>,
    %rhs: tensor<4x6x3x!quant.uniform<i8:f32:0, {0.5, 0.25, 0.125, 2.0}>>) {
  // expected-error@+1 {{quantization dimension of result should be same with output_feature_dimension}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f32:0, {0.5, 0.25, 0.125, 2.0}>>) -> tensor<2x4x7x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  func.return
}

// -----

func.func @convolution_c31(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3x!quant.uniform<i4:f32, 0.25>>) {
  // expected-error@+1 {{mismatched lhs and rhs quantization storage types}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i4:f32, 0.25>>) -> tensor<2x4x7x!quant.uniform<i8:f32, 4.0:-7>>
  func.return
}

// -----

func.func @convolution_c32_a(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3x!quant.uniform<i8:f16, 0.25>>) {
  // expected-error@+1 {{mismatched lhs, rhs and result quantization expressed types}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f16, 0.25>>) -> tensor<2x4x7x!quant.uniform<i8:f32, 4.0:-7>>
  func.return
}

// -----

func.func @convolution_c32_b(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  // expected-error@+1 {{mismatched lhs, rhs and result quantization expressed types}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) -> tensor<2x4x7x!quant.uniform<i8:f16, 0.25>>
  func.return
}

// -----

func.func @convolution_c33(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  // expected-error@+1 {{mismatched rhs and result quantization granularity}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) -> tensor<2x4x7x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125, 2.0}>>
  func.return
}

// -----

func.func @convolution_c34_a(%lhs: tensor<2x6x9xf16>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  // expected-error@+1 {{mismatched rhs quantization expressed type and lhs and result element type}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf16>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c34_b(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  // expected-error@+1 {{mismatched rhs quantization expressed type and lhs and result element type}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) -> tensor<2x4x7xf64>
  func.return
}

// -----

func.func @convolution_empty_kernel(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x0xf32>) {
  // expected-error@+1 {{expects window to have positive value for 0-th window dimension, but got 0}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x0xf32>) -> tensor<2x4x10xf32>
  func.return
}

// -----

func.func @convolution_parse_negative_dimension(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs)
  // expected-error@+1 {{Unexpected dimension -1}}
      dim_numbers = [b, f, -1]x[o, i, 0]->[b, f, 0],
      window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_parse_duplicate_spatial(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs)
  // expected-error@+1 {{Duplicate entries for spatial dimension 0}}
      dim_numbers = [b, f, 0, 0]x[o, i, 0]->[b, f, 0],
      window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_parse_long_keyword(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs)
  // expected-error@+1 {{Unexpected keyword batch}}
      dim_numbers = [batch, f, 0]x[o, i, 0]->[b, f, 0],
      window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_parse_unknown_dimension(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs)
  // expected-error@+1 {{Unexpected dimension k, expecting b, f}}
      dim_numbers = [k, f, 0]x[o, i, 0]->[b, f, 0],
      window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_parse_repeated_dimension(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs)
  // expected-error@+1 {{Unexpected dimension b, expecting f}}
      dim_numbers = [b, b, 0]x[o, i, 0]->[b, f, 0],
      window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_parse_missing_dimension(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs)
  // expected-error@+1 {{Expected dimensions i not specified}}
      dim_numbers = [b, f, 0]x[o, 0]->[b, f, 0],
      window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_parse_missing_spatial(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs)
  // expected-error@+1 {{Expected spatial dimensions 0 not specified}}
      dim_numbers = [b, f, 1]x[o, i, 0]->[b, f, 0],
      window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_parse_window_keyword(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs)
      dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0],
  // expected-error@+1 {{Unexpected keyword dilate}}
      window = {dilate = [1]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_parse_window_repeated(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs)
      dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0],
  // expected-error@+1 {{Unexpected keyword stride}}
      window = {stride = [1], stride = [1]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_parse_padding_triple(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %0 = stablehlo.convolution(%lhs, %rhs)
      dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0],
  // expected-error@+1 {{Expected array with 2 elements, got 3 elements instead}}
      window = {pad = [[1, 2, 3]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_parse_raw_repeated(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
  // expected-error@+2 {{duplicated `input_batch_dimension` entry}}
  // expected-error@+1 {{failed parsing dot dimension numbers attribute}}
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_batch_dimension = 1>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_parse_raw_unknown(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
  // expected-error@+2 {{expected one of: `input_batch_dimension`}}
  // expected-error@+1 {{failed parsing dot dimension numbers attribute}}
    dimension_numbers = #stablehlo.conv<raw input_batch = 0>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}
