// RUN: stablehlo-opt --strict --split-input-file --verify-diagnostics %s

// What the specification forbids and the bindings accept: without --strict these programs are valid.

func.func @convolution_c2_empty(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{window_strides must have size 1, got 0 (C2)}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    window_strides = array<i64>
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c4_empty(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{padding must have shape [1, 2], got [0, 2] (C4)}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    padding = dense<> : tensor<0x2xi64>
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c5_empty(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{lhs_dilation must have size 1, got 0 (C5)}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    lhs_dilation = array<i64>
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c7_empty(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{rhs_dilation must have size 1, got 0 (C7)}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    rhs_dilation = array<i64>
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c9_empty(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{window_reversal must have size 1, got 0 (C9)}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) {
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2],
      kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = [2]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    window_reversal = array<i1>
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c24_one(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{precision_config must have size 2, got 1 (C24)}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>]}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @convolution_c27_result(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  // expected-error@+1 {{result must have the element type of lhs, f32, got f64 (C27)}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf64>
  func.return
}

// -----

func.func @convolution_c27_result_kind(%lhs: tensor<2x6x9xi8>, %rhs: tensor<4x6x3xi8>) {
  // expected-error@+1 {{result must have the element type of lhs, i8, got i32 (C27)}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x6x9xi8>, tensor<4x6x3xi8>) -> tensor<2x4x7xi32>
  func.return
}

// -----

func.func @dynamic_conv_c2_empty(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{window_strides must have size 1, got 0 (C2)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    window_strides = array<i64>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c2_argument(
    %lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>, %padding: tensor<1x2xi64>) {
  // expected-error@+1 {{window_strides must have size 1, got 2 (C2)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    window_strides = array<i64: 1, 1>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c3_argument(
    %lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>, %padding: tensor<1x2xi64>) {
  // expected-error@+1 {{window_strides must be positive, got [0] (C3)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    window_strides = array<i64: 0>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c5_argument(
    %lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>, %padding: tensor<1x2xi64>) {
  // expected-error@+1 {{lhs_dilation must have size 1, got 3 (C5)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    lhs_dilation = array<i64: 1, 1, 1>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c6_argument(
    %lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>, %padding: tensor<1x2xi64>) {
  // expected-error@+1 {{lhs_dilation must be positive, got [-2] (C6)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    lhs_dilation = array<i64: -2>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c7_argument(
    %lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>, %padding: tensor<1x2xi64>) {
  // expected-error@+1 {{rhs_dilation must have size 1, got 0 (C7)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    rhs_dilation = array<i64>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c8_argument(
    %lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>, %padding: tensor<1x2xi64>) {
  // expected-error@+1 {{rhs_dilation must be positive, got [0] (C8)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    rhs_dilation = array<i64: 0>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c9_argument(
    %lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>, %padding: tensor<1x2xi64>) {
  // expected-error@+1 {{window_reversal must have size 1, got 2 (C9)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    window_reversal = array<i1: true, true>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c24_one(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{precision_config must have size 2, got 1 (C24)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    precision_config = [#stablehlo<precision HIGH>],
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c25_batch(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{result must have shape [2, 4, 7], got [3, 4, 7] (C25)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<3x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c25_feature(
    %lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>, %padding: tensor<1x2xi64>) {
  // expected-error@+1 {{result must have shape [2, 4, ?], got [2, 5, 7] (C25)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x5x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c25_windows(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<[[2, -1]]> : tensor<1x2xi64>
  // expected-error@+1 {{result must have shape [2, 4, 8], got [2, 4, 7] (C25)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xf32>
  func.return
}

// -----

func.func @dynamic_conv_c25_strides(%lhs: tensor<2x6x10xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{result must have shape [2, 4, 4], got [2, 4, 5] (C25)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64, window_strides = array<i64: 2>
  } : (tensor<2x6x10xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x5xf32>
  func.return
}

// -----

func.func @dynamic_conv_c25_empty_windows(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<-4> : tensor<1x2xi64>
  // expected-error@+1 {{result must have shape [2, 4, 0], got [2, 4, 1] (C25)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x1xf32>
  func.return
}

// -----

func.func @dynamic_conv_c26(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>, %padding: tensor<1x2xi64>) {
  // expected-error@+1 {{result must have rank 3, got 2 (C26)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @dynamic_conv_c27_result(%lhs: tensor<2x6x9xf32>, %rhs: tensor<4x6x3xf32>) {
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  // expected-error@+1 {{result must have the element type of lhs, f32, got i32 (C27)}}
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<2x6x9xf32>, tensor<4x6x3xf32>, tensor<1x2xi64>) -> tensor<2x4x7xi32>
  func.return
}
