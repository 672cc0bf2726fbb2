// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid.

func.func @reduce_window(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_defaults(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>} : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x7xf32>
  func.return
}

// -----

func.func @reduce_window_all_attributes(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 2, 2>,
    base_dilations = array<i64: 2, 2>, window_dilations = array<i64: 1, 2>,
    padding = dense<[[1, 0], [2, 0]]> : tensor<2x2xi64>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x8xf32>
  func.return
}

// -----

func.func @reduce_window_two(
    %input0: tensor<4x9xf32>, %input1: tensor<4x9xi16>, %init0: tensor<f32>, %init1: tensor<i16>) {
  %0:2 = "stablehlo.reduce_window"(%input0, %input1, %init0, %init1) ({
  ^bb0(%a0: tensor<f32>, %a1: tensor<i16>, %b0: tensor<f32>, %b1: tensor<i16>):
    stablehlo.return %a0, %a1 : tensor<f32>, tensor<i16>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<4x9xi16>, tensor<f32>, tensor<i16>) -> (tensor<4x4xf32>, tensor<4x4xi16>)
  func.return
}

// -----

func.func @reduce_window_promoted(%input: tensor<4x9xi8>, %init: tensor<i8>) {
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xi8>, tensor<i8>) -> tensor<4x4xi32>
  func.return
}

// -----

func.func @reduce_window_dynamic(%input: tensor<?x9xf32>, %init: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<?x9xf32>, tensor<f32>) -> tensor<?x4xf32>
  func.return
}

// -----

func.func @reduce_window_bounded(%input: tensor<?x?xf32, #stablehlo.bounds<4, 9>>, %init: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<?x?xf32, #stablehlo.bounds<4, 9>>, tensor<f32>) -> tensor<?x?xf32, #stablehlo.bounds<4, 4>>
  func.return
}

// -----

func.func @reduce_window_quantized(
    %input: tensor<4x9x!quant.uniform<i8:f32, 0.5:2>>, %init: tensor<!quant.uniform<i8:f32, 0.5:2>>) {
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:2>>, %b: tensor<!quant.uniform<i8:f32, 0.5:2>>):
    %1 = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:2>>
    stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 0.5:2>>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9x!quant.uniform<i8:f32, 0.5:2>>, tensor<!quant.uniform<i8:f32, 0.5:2>>) -> tensor<4x4x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @reduce_window_c1_none() {
  // expected-error@+1 {{requires at least 1 input value}}
  "stablehlo.reduce_window"() ({
    stablehlo.return
  }) {window_dimensions = array<i64: 1>} : () -> ()
  func.return
}

// -----

func.func @reduce_window_c1_results(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+2 {{'stablehlo.reduce_window' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.reduce_window' op failed to infer returned types}}
  %0:2 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  func.return
}

// -----

func.func @reduce_window_c2(
    %input0: tensor<4x9xf32>, %input1: tensor<4x8xi16>, %init0: tensor<f32>, %init1: tensor<i16>) {
  // expected-error@+1 {{Shape at input-index 1 is not compatible with shape at input-index 0}}
  %0:2 = "stablehlo.reduce_window"(%input0, %input1, %init0, %init1) ({
  ^bb0(%a0: tensor<f32>, %a1: tensor<i16>, %b0: tensor<f32>, %b1: tensor<i16>):
    stablehlo.return %a0, %a1 : tensor<f32>, tensor<i16>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<4x8xi16>, tensor<f32>, tensor<i16>) -> (tensor<4x4xf32>, tensor<4x4xi16>)
  func.return
}

// -----

func.func @reduce_window_c3(%input: tensor<4x9xf32>, %init: tensor<i32>) {
  // expected-error@+1 {{is expected to be promotable from the op's corresponding init-value element-type}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<i32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c4(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects window-dimensions size == input rank, but got window-dimensions size: 1}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 3>} : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c5(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects window to have positive value for 0-th window dimension, but got 0}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 0, 3>} : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c6(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects window-strides to have same dimension-size as size of window dimensions (2), but got: 1}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c7(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects window to have positive stride for 1-th window dimension, but got 0}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 0>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c8(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects base-dilation factors to have same dimension-size as size of window dimensions (2), but got: 3}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, base_dilations = array<i64: 1, 1, 1>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c9(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects window to have positive base dilation factor for 0-th window dimension, but got 0}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, base_dilations = array<i64: 0, 1>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c10(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects window-dilation factors to have same dimension-size as size of window dimensions (2), but got: 1}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_dilations = array<i64: 1>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c11(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects window to have positive window dilation factor for 1-th window dimension, but got -3}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_dilations = array<i64: 1, -3>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c12_a(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects the shape of padding-attribute to be {N, 2}, but got {4}}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, padding = dense<0> : tensor<4xi64>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c12_b(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects padding-entries to have same dimension-size as size of window dimensions (2), but got: 1}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, padding = dense<0> : tensor<1x2xi64>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c12_c(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects the shape of padding-attribute to be {N, 2}, but got {2, 1}}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, padding = dense<0> : tensor<2x1xi64>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c13_argument_count(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{Reduction-region must take 2 parameters, but takes 3 parameter(s)}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c13_no_terminator(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The reduction-region expected to have a terminator}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c13_no_result(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The reduction-region expected to return some value(s)}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c13_result_count(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{Reduction-region here must produce 1 tensors, but produces 2 instead}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c13_result_kind(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{Reduction-region here must produce tensor-typed result(s), but produces '!stablehlo.token' instead}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.create_token : !stablehlo.token
    stablehlo.return %1 : !stablehlo.token
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c13_first_argument(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The type of reduction-region's parameter at index 0 is different than the corresponding result type}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c13_second_argument(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The type of reduction-region's parameter at index 1 is different than the corresponding result type}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    stablehlo.return %a : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c13_result_shape(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The shape of reduction-region's result type at index 0 differs from the op's corresponding init-value type}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    stablehlo.return %a : tensor<2xf32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c13_result_element(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The element-type of reduction-region's result type at index 0 is expected to be promotable from the op's corresponding init-value element-type}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c13_narrowed(%input: tensor<4x9xi32>, %init: tensor<i8>) {
  // expected-error@+1 {{is expected to be promotable from 'i32', but got 'i16'}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %1 = stablehlo.add %a, %b : tensor<i16>
    stablehlo.return %1 : tensor<i16>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xi32>, tensor<i8>) -> tensor<4x4xi16>
  func.return
}

// -----

func.func @reduce_window_c13_argument_rank(%input: tensor<4x9xf32>, %init: tensor<1x3x2xf32>) {
  // expected-error@+1 {{The rank of reduction-region's argument at index 1 is expected to be <= 2, got 3}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<1x3x2xf32>, %b: tensor<1x3x2xf32>):
    stablehlo.return %a : tensor<1x3x2xf32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<1x3x2xf32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c13_argument_shape(%input: tensor<4x9xf32>, %init: tensor<7xf32>) {
  // expected-error@+1 {{The shape of reduction-region's argument at index 1 is not compatible}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<7xf32>, %b: tensor<7xf32>):
    stablehlo.return %a : tensor<7xf32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<7xf32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @reduce_window_c14(
    %input0: tensor<4x9xf32>, %input1: tensor<4x9xi16>, %init0: tensor<f32>, %init1: tensor<i16>) {
  // expected-error@+2 {{'stablehlo.reduce_window' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.reduce_window' op failed to infer returned types}}
  %0:2 = "stablehlo.reduce_window"(%input0, %input1, %init0, %init1) ({
  ^bb0(%a0: tensor<f32>, %a1: tensor<i16>, %b0: tensor<f32>, %b1: tensor<i16>):
    stablehlo.return %a0, %a1 : tensor<f32>, tensor<i16>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<4x9xi16>, tensor<f32>, tensor<i16>) -> (tensor<4x4xf32>, tensor<4x3xi16>)
  func.return
}

// -----

func.func @reduce_window_c15_a(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+2 {{'stablehlo.reduce_window' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.reduce_window' op failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @reduce_window_c15_b(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+2 {{'stablehlo.reduce_window' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.reduce_window' op failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_window_c15_padded(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+2 {{'stablehlo.reduce_window' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.reduce_window' op failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, padding = dense<1> : tensor<2x2xi64>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @reduce_window_c15_empty_window(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+2 {{'stablehlo.reduce_window' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.reduce_window' op failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 5, 1>} : (tensor<4x9xf32>, tensor<f32>) -> tensor<1x9xf32>
  func.return
}

// -----

func.func @reduce_window_c16(%input: tensor<4x9xf32>, %init: tensor<f32>) {
  // expected-error@+2 {{'stablehlo.reduce_window' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.reduce_window' op failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>
  } : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x4xi32>
  func.return
}
