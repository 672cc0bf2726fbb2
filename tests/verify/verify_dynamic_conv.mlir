// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// The padding is an operand, so that what depends on it is checked only where it is a constant.

func.func @dynamic_conv(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_padding_argument(
    %lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>, %padding: tensor<1x2xi32>) {
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi32>) -> tensor<?x?x?xf32>
  func.return
}

// -----

func.func @dynamic_conv_all_attributes(%lhs: tensor<4x6x9x8xf32>, %rhs: tensor<8x6x3x5xf32>) {
  %padding = stablehlo.constant dense<[[1, 1], [8, 8]]> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>,
    window_strides = array<i64: 1, 2>, lhs_dilation = array<i64: 1, 2>,
    rhs_dilation = array<i64: 1, 2>, window_reversal = array<i1: false, true>,
    batch_group_count = 2 : i64, feature_group_count = 1 : i64
  } : (tensor<4x6x9x8xf32>, tensor<8x6x3x5xf32>, tensor<2x2xi64>) -> tensor<2x8x9x12xf32>
  func.return
}

// -----

func.func @dynamic_conv_grouped_features(%lhs: tensor<2x6x9xf32>, %rhs: tensor<6x2x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 3 : i64
  } : (tensor<2x6x9xf32>, tensor<6x2x3xf32>, tensor<1x2xi64>) -> tensor<2x6x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_dynamic(%lhs: tensor<?x6x?xf32>, %rhs: tensor<4x?x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<?x6x?xf32>, tensor<4x?x3xf32>, tensor<1x2xi64>) -> tensor<?x4x?xf32>
  func.return
}

// -----

func.func @dynamic_conv_bounded(%lhs: tensor<?x6x9xf32, #stablehlo.bounds<8, ?, ?>>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<?x6x9xf32, #stablehlo.bounds<8, ?, ?>>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<?x4x7xf32, #stablehlo.bounds<8, ?, ?>>
  func.return
}

// -----

func.func @dynamic_conv_quantized(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>, tensor<1x2xi64>) -> tensor<2x4x7x!quant.uniform<i8:f32, 4.0:-7>>
  func.return
}

// -----

func.func @dynamic_conv_quantized_weights_only(
    %lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c1(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects convolution arguments to have same number of dimensions}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c2(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects window-strides to have same dimension-size as size of window dimensions (1), but got: 2}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    window_strides = array<i64: 1, 2>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c3(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects window to have positive stride for 0-th window dimension, but got 0}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    window_strides = array<i64: 0>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c4(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error@+1 {{expects padding to be of shape [1, 2], but got [2, 2]}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<2x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c4_of_argument(
    %lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>, %padding: tensor<1x3xi64>) {
  // expected-error@+1 {{expects padding to be of shape [1, 2], but got [1, 3]}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x3xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c5(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects base-dilation factors to have same dimension-size}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    lhs_dilation = array<i64: 2, 2>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c6(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects window to have positive base dilation factor for 0-th window dimension, but got -1}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    lhs_dilation = array<i64: -1>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c7(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects window-dilation factors to have same dimension-size}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    rhs_dilation = array<i64: 2, 2>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c8(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects window to have positive window dilation factor for 0-th window dimension, but got 0}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    rhs_dilation = array<i64: 0>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c9(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects window-reversal to have same dimension-size}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    window_reversal = array<i1: false, true>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c10(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects input batch dimension (2) to be divisible by batch_group_count. Got batch_group_count = 4}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 4 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c11(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects input feature dimension (6) to be a multiple of feature_group_count. Got feature_group_count = 4}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 4 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c12(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects convolution arguments to have 2 dimensions. Got: 3}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f]x[o, i]->[b, f]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c13_a(%lhs: tensor<9xf32>, %rhs: tensor<3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects convolution arguments to have >= 2 dimensions}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<9xf32>, tensor<3xf32>, tensor<1x2xi64>) -> tensor<7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c13_b(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects input, kernel, and output dimension-numbers to be in-range [0, 3)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 3, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c13_c(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects input, kernel, and output dimension-numbers to be in-range [0, 3)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [-1],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c13_d(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects input dimension-numbers to be unique, got {0, 0, 2}}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 0, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c14(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x5x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects input feature dimension (6) / feature_group_count = kernel input feature dimension (5)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x5x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c15(%lhs: tensor<6x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects output feature dimension size (4) to be a multiple of batch_group_count. Got batch_group_count = 3}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 3 : i64, feature_group_count = 1 : i64
  } : (tensor<6x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c16(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x2x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects kernel output feature dimension (4) to be divisible by feature_group_count. For feature_group_count = 3}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 3 : i64
  } : (tensor<2x6x9xf32>, tensor<4x2x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c17(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects the same size for input, kernel and output spatial-dimensions, but got 1, 0, and 1}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c18_a(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects input, kernel, and output dimension-numbers to be in-range [0, 3)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = -2, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c18_b(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects kernel dimension-numbers to be unique, got {1, 1, 2}}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 1,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c19(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects the same size for input, kernel and output spatial-dimensions, but got 1, 1, and 2}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2, 3]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c20_a(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects input, kernel, and output dimension-numbers to be in-range [0, 3)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [7]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c20_b(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects output dimension-numbers to be unique, got {2, 1, 2}}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 2, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c21(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{attribute 'feature_group_count' failed to satisfy constraint}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 0 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c22(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{attribute 'batch_group_count' failed to satisfy constraint}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = -1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c23(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects batch_group_count and feature_group_count not to be both greater than 1. Got 2 and 3}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 2 : i64, feature_group_count = 3 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c24(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects precision config to be empty or have <= 2 elements, got 3}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>],
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c27(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xi32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects lhs and rhs to have compatible element type. Got: 'f32' and 'i32'}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xi32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c27_precision(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf64>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects lhs and rhs to have compatible element type. Got: 'f32' and 'f64'}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf64>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c28_a(%lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7x!quant.uniform<i8:f32, 4.0:-7>>
  func.return
}

// -----

func.func @dynamic_conv_c28_b(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c28_c(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>, tensor<1x2xi64>) -> tensor<2x4x7x!quant.uniform<i8:f32, 4.0:-7>>
  func.return
}

// -----

func.func @dynamic_conv_c29(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>,
    %rhs: tensor<4x6x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125, 2.0, 4.0, 8.0}>>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{must be ranked tensor of}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125, 2.0, 4.0, 8.0}>>, tensor<1x2xi64>) -> tensor<2x4x7x!quant.uniform<i8:f32, 4.0:-7>>
  func.return
}

// -----

func.func @dynamic_conv_c30(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{must be ranked tensor of}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>, tensor<1x2xi64>) -> tensor<2x4x7x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  func.return
}

// -----

func.func @dynamic_conv_c31(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3x!quant.uniform<i4:f32, 0.25>>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{mismatched lhs and rhs quantization storage types}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i4:f32, 0.25>>, tensor<1x2xi64>) -> tensor<2x4x7x!quant.uniform<i8:f32, 4.0:-7>>
  func.return
}

// -----

func.func @dynamic_conv_c32_a(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3x!quant.uniform<i8:f16, 0.25>>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{mismatched lhs, rhs and result quantization expressed types}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f16, 0.25>>, tensor<1x2xi64>) -> tensor<2x4x7x!quant.uniform<i8:f32, 4.0:-7>>
  func.return
}

// -----

func.func @dynamic_conv_c32_b(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{mismatched lhs, rhs and result quantization expressed types}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>, tensor<1x2xi64>) -> tensor<2x4x7x!quant.uniform<i8:f16, 0.25>>
  func.return
}

// -----

func.func @dynamic_conv_c33(
    %lhs: tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{must be ranked tensor of}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>, tensor<1x2xi64>) -> tensor<2x4x7x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125, 2.0}>>
  func.return
}

// -----

func.func @dynamic_conv_c34_a(%lhs: tensor<2x6x9xf16>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{mismatched rhs quantization expressed type and lhs and result element type}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf16>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c34_b(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{mismatched rhs quantization expressed type and lhs and result element type}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3x!quant.uniform<i8:f32, 0.125>>, tensor<1x2xi64>) -> tensor<2x4x7xf64>
  func.return
}

// -----

func.func @dynamic_conv_empty_kernel(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x0xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{expects window to have positive value for 0-th window dimension, but got 0}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x0xf32>, tensor<1x2xi64>) -> tensor<2x4x10xf32>
  func.return
}

// -----

func.func @dynamic_conv_i3(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<2xi64>
  // expected-error@+1 {{must be statically shaped 2-dimensional integer tensor}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<2xi64>) -> tensor<2x4x7xf32>
  func.return
}
