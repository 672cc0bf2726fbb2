// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid.

func.func @select_and_scatter(%operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_padded(%operand: tensor<4x9xf32>, %source: tensor<4x5xf32>, %init: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>,
    padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>
  }
      : (tensor<4x9xf32>, tensor<4x5xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_promoted(%operand: tensor<4x9xi8>, %source: tensor<4x4xi8>, %init: tensor<i8>) {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xi8>, tensor<4x4xi8>, tensor<i8>) -> tensor<4x9xi32>
  func.return
}

// -----

func.func @select_and_scatter_dynamic(%operand: tensor<?x9xf32>, %source: tensor<?x?xf32>, %init: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<?x9xf32>, tensor<?x?xf32>, tensor<f32>) -> tensor<?x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_bounded(
    %operand: tensor<?x9xf32, #stablehlo.bounds<4, ?>>, %source: tensor<?x4xf32, #stablehlo.bounds<4, ?>>,
    %init: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<?x9xf32, #stablehlo.bounds<4, ?>>, tensor<?x4xf32, #stablehlo.bounds<4, ?>>, tensor<f32>) -> tensor<?x9xf32, #stablehlo.bounds<4, ?>>
  func.return
}

// -----

func.func @select_and_scatter_quantized(
    %operand: tensor<4x9x!quant.uniform<i8:f32, 0.5:2>>,
    %source: tensor<4x4x!quant.uniform<i8:f32, 0.5:2>>, %init: tensor<!quant.uniform<i8:f32, 0.5:2>>) {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:2>>, %b: tensor<!quant.uniform<i8:f32, 0.5:2>>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<!quant.uniform<i8:f32, 0.5:2>>, tensor<!quant.uniform<i8:f32, 0.5:2>>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:2>>, %b: tensor<!quant.uniform<i8:f32, 0.5:2>>):
    %1 = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:2>>
    stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 0.5:2>>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9x!quant.uniform<i8:f32, 0.5:2>>, tensor<4x4x!quant.uniform<i8:f32, 0.5:2>>, tensor<!quant.uniform<i8:f32, 0.5:2>>) -> tensor<4x9x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @select_and_scatter_c1(%operand: tensor<4x9xf32>, %source: tensor<4x4xi32>, %init: tensor<f32>) {
  // expected-error@+1 {{is expected to be promotable from 'i32', but got 'f32'}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xi32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c1_width(
    %operand: tensor<4x9xi32>, %source: tensor<4x4xi16>, %init: tensor<i32>) {
  // expected-error@+1 {{expects source-type to be 'tensor<4x4xi32>', but got}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xi32>, tensor<4x4xi16>, tensor<i32>) -> tensor<4x9xi32>
  func.return
}

// -----

func.func @select_and_scatter_c2_a(%operand: tensor<4x9xf32>, %source: tensor<4x3xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects source-type to be 'tensor<4x4xf32>', but got}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x3xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c2_b(%operand: tensor<4x9xf32>, %source: tensor<4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects source-type to be 'tensor<4x4xf32>', but got}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c2_empty_window(
    %operand: tensor<4x9xf32>, %source: tensor<4x1xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects source-type to be 'tensor<4x0xf32>', but got}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 12>}
      : (tensor<4x9xf32>, tensor<4x1xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c3(%operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<i32>) {
  // expected-error@+1 {{is expected to be promotable from the op's corresponding init-value element-type}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<i32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c4(%operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects window-dimensions size == operand rank, but got window-dimensions size: 1}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 3>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c4_absent(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects window-dimensions size == operand rank, but got window-dimensions size: 0}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c5(%operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects window to have positive value for 1-th window dimension, but got 0}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 0>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c6(%operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects window-strides to have same dimension-size as size of window dimensions (2), but got: 3}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2, 1>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c7(%operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects window to have positive stride for 1-th window dimension, but got -2}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, -2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c8_a(%operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects the shape of padding-attribute to be {N, 2}, but got {2, 3}}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, padding = dense<0> : tensor<2x3xi64>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c8_b(%operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects padding-entries to have same dimension-size as size of window dimensions (2), but got: 3}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, padding = dense<0> : tensor<3x2xi64>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c9_arguments(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects the select-region to take 2 parameters, but takes 1}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>):
    %1 = stablehlo.is_finite %a : (tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c9_argument_type(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects the type of select-region's parameter at index 0 to be 'tensor<f32>', but got 'tensor<i32>'}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c9_argument_rank(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects the type of select-region's parameter at index 1 to be 'tensor<f32>', but got 'tensor<1xf32>'}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<1xf32>):
    %1 = stablehlo.is_finite %a : (tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c9_result_count(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects select-region to return single value, but got: 2}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1, %1 : tensor<i1>, tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c9_result_element(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects the return-type of select-region to be tensor<i1>, but got: 'tensor<f32>'}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c9_result_rank(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expects the return-type of select-region to be tensor<i1>, but got: 'tensor<2xi1>'}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.constant dense<true> : tensor<2xi1>
    stablehlo.return %1 : tensor<2xi1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c10_argument_count(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{Reduction-region must take 2 parameters, but takes 3 parameter(s)}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c10_no_terminator(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The reduction-region expected to have a terminator}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c10_no_result(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The reduction-region expected to return some value(s)}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c10_result_count(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{Reduction-region here must produce 1 tensors, but produces 2 instead}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c10_result_kind(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{Reduction-region here must produce tensor-typed result(s), but produces '!stablehlo.token' instead}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.create_token : !stablehlo.token
    stablehlo.return %1 : !stablehlo.token
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c10_first_argument(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The type of reduction-region's parameter at index 0 is different than the corresponding result type}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c10_second_argument(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The type of reduction-region's parameter at index 1 is different than the corresponding result type}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    stablehlo.return %a : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c10_result_shape(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The shape of reduction-region's result type at index 0 differs from the op's corresponding init-value type}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    stablehlo.return %a : tensor<2xf32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c10_result_element(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The element-type of reduction-region's result type at index 0 is expected to be promotable from the op's corresponding init-value element-type}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c10_narrowed(
    %operand: tensor<4x9xi32>, %source: tensor<4x4xi32>, %init: tensor<i16>) {
  // expected-error@+1 {{is expected to be promotable from 'i32', but got 'i16'}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %1 = stablehlo.add %a, %b : tensor<i16>
    stablehlo.return %1 : tensor<i16>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xi32>, tensor<4x4xi32>, tensor<i16>) -> tensor<4x9xi16>
  func.return
}

// -----

func.func @select_and_scatter_c10_argument_rank(
    %operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<1xf32>) {
  // expected-error@+1 {{The rank of reduction-region's argument at index 1 is expected to be <= 0, got 1}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<1xf32>, %b: tensor<1xf32>):
    stablehlo.return %a : tensor<1xf32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<1xf32>) -> tensor<4x9xf32>
  func.return
}

// -----

func.func @select_and_scatter_c11(%operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+2 {{'stablehlo.select_and_scatter' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.select_and_scatter' op failed to infer returned types}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  func.return
}

// -----

func.func @select_and_scatter_c12(%operand: tensor<4x9xf32>, %source: tensor<4x4xf32>, %init: tensor<f32>) {
  // expected-error@+2 {{'stablehlo.select_and_scatter' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.select_and_scatter' op failed to infer returned types}}
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}
      : (tensor<4x9xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf64>
  func.return
}
