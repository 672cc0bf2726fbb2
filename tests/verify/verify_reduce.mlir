// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid.

func.func @reduce(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_all(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 1, 0>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
  func.return
}

// -----

func.func @reduce_none(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @reduce_two(
    %input0: tensor<4x6xf32>, %input1: tensor<4x6xi32>, %init0: tensor<f32>, %init1: tensor<i32>) {
  %0:2 = "stablehlo.reduce"(%input0, %input1, %init0, %init1) ({
  ^bb0(%a0: tensor<f32>, %a1: tensor<i32>, %b0: tensor<f32>, %b1: tensor<i32>):
    stablehlo.return %a0, %a1 : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
  func.return
}

// -----

func.func @reduce_promoted(%input: tensor<4x6xi8>, %init: tensor<i8>) {
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xi8>, tensor<i8>) -> tensor<4xi32>
  func.return
}

// -----

func.func @reduce_dynamic(%input: tensor<?x6xf32>, %init: tensor<f32>) {
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<?x6xf32>, tensor<f32>) -> tensor<?xf32>
  func.return
}

// -----

func.func @reduce_bounded(%input: tensor<?x?xf32, #stablehlo.bounds<4, 6>>, %init: tensor<f32>) {
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<?x?xf32, #stablehlo.bounds<4, 6>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  func.return
}

// -----

func.func @reduce_quantized(
    %input: tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, %init: tensor<!quant.uniform<i8:f32, 0.5:2>>) {
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:2>>, %b: tensor<!quant.uniform<i8:f32, 0.5:2>>):
    %1 = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:2>>
    stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 0.5:2>>
  }) {dimensions = array<i64: 1>} : (tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, tensor<!quant.uniform<i8:f32, 0.5:2>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @reduce_quantized_promoted(
    %input: tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, %init: tensor<!quant.uniform<i8:f32, 0.5:2>>) {
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.5>>, %b: tensor<!quant.uniform<i32:f32, 0.5>>):
    %1 = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.5>>
    stablehlo.return %1 : tensor<!quant.uniform<i32:f32, 0.5>>
  }) {dimensions = array<i64: 1>} : (tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, tensor<!quant.uniform<i8:f32, 0.5:2>>) -> tensor<4x!quant.uniform<i32:f32, 0.5>>
  func.return
}

// -----

func.func @reduce_compact(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  %0 = stablehlo.reduce(%input init: %init) applies stablehlo.maximum across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
  func.return
}

// -----

func.func @reduce_pretty(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  %0 = stablehlo.reduce(%input init: %init) across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
  reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %1 = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  func.return
}

// -----

func.func @reduce_c1(
    %input0: tensor<4x6xf32>, %input1: tensor<4x7xi32>, %init0: tensor<f32>, %init1: tensor<i32>) {
  // expected-error@+1 {{Shape at input-index 1 is not compatible with shape at input-index 0}}
  %0:2 = "stablehlo.reduce"(%input0, %input1, %init0, %init1) ({
  ^bb0(%a0: tensor<f32>, %a1: tensor<i32>, %b0: tensor<f32>, %b1: tensor<i32>):
    stablehlo.return %a0, %a1 : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<4x7xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
  func.return
}

// -----

func.func @reduce_c2(%input: tensor<4x6xf32>, %init: tensor<i32>) {
  // expected-error@+1 {{is expected to be promotable from the op's corresponding init-value element-type}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<i32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c2_width(%input: tensor<4x6xi8>, %init: tensor<i16>) {
  // expected-error@+1 {{is expected to be promotable from the op's corresponding init-value element-type}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %1 = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %1 : tensor<i8>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xi8>, tensor<i16>) -> tensor<4xi8>
  func.return
}

// -----

func.func @reduce_c3_results(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+2 {{'stablehlo.reduce' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.reduce' op failed to infer returned types}}
  %0:2 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  func.return
}

// -----

func.func @reduce_c4_a(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{Out-of-bounds dimension 2, expected to be in range [0, 2)}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c4_b(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{Out-of-bounds dimension -1, expected to be in range [0, 2)}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: -1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c5(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{Duplicate reduction dimension: 1}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 1, 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c6_argument_count(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{Reduction-region must take 2 parameters, but takes 3 parameter(s)}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c6_no_terminator(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The reduction-region expected to have a terminator}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c6_no_result(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The reduction-region expected to return some value(s)}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c6_result_count(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{Reduction-region here must produce 1 tensors, but produces 2 instead}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c6_result_kind(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{Reduction-region here must produce tensor-typed result(s), but produces '!stablehlo.token' instead}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.create_token : !stablehlo.token
    stablehlo.return %1 : !stablehlo.token
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c6_first_argument(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The type of reduction-region's parameter at index 0 is different than the corresponding result type}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c6_second_argument(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The type of reduction-region's parameter at index 1 is different than the corresponding result type}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    stablehlo.return %a : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c6_result_shape(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The shape of reduction-region's result type at index 0 differs from the op's corresponding init-value type}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    stablehlo.return %a : tensor<2xf32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c6_result_element(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{The element-type of reduction-region's result type at index 0 is expected to be promotable from the op's corresponding init-value element-type}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c6_narrowed(%input: tensor<4x6xi32>, %init: tensor<i8>) {
  // expected-error@+1 {{is expected to be promotable from 'i32', but got 'i16'}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %1 = stablehlo.add %a, %b : tensor<i16>
    stablehlo.return %1 : tensor<i16>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xi32>, tensor<i8>) -> tensor<4xi16>
  func.return
}

// -----

func.func @reduce_c6_narrowed_complex(%input: tensor<4x6xcomplex<f64>>, %init: tensor<complex<f32>>) {
  // expected-error@+1 {{is expected to be promotable from}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %1 = stablehlo.add %a, %b : tensor<complex<f32>>
    stablehlo.return %1 : tensor<complex<f32>>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xcomplex<f64>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  func.return
}

// -----

func.func @reduce_c6_quantized(
    %input: tensor<4x6x!quant.uniform<i32:f32, 0.5>>, %init: tensor<!quant.uniform<i8:f32, 0.5:2>>) {
  // expected-error@+1 {{is expected to be promotable from}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:2>>, %b: tensor<!quant.uniform<i8:f32, 0.5:2>>):
    %1 = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:2>>
    stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 0.5:2>>
  }) {dimensions = array<i64: 1>} : (tensor<4x6x!quant.uniform<i32:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5:2>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @reduce_c6_argument_rank(%input: tensor<4x6xf32>, %init: tensor<3x2xf32>) {
  // expected-error@+1 {{The rank of reduction-region's argument at index 1 is expected to be <= 1, got 2}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<3x2xf32>, %b: tensor<3x2xf32>):
    stablehlo.return %a : tensor<3x2xf32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<3x2xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c6_argument_shape(%input: tensor<4x6xf32>, %init: tensor<3xf32>) {
  // expected-error@+1 {{The shape of reduction-region's argument at index 1 is not compatible with that of reduce-op's input-parameter at index 0}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %a : tensor<3xf32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<3xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_c7_a(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+2 {{'stablehlo.reduce' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.reduce' op failed to infer returned types}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
  func.return
}

// -----

func.func @reduce_c7_b(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+2 {{'stablehlo.reduce' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.reduce' op failed to infer returned types}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x1xf32>
  func.return
}

// -----

func.func @reduce_c8(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+2 {{'stablehlo.reduce' op inferred type(s)}}
  // expected-error@+1 {{'stablehlo.reduce' op failed to infer returned types}}
  %0 = "stablehlo.reduce"(%input, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xi32>
  func.return
}

// -----

func.func @reduce_parse_inner_operation(%input: tensor<4x6xf32>, %init: tensor<f32>) {
  // expected-error@+1 {{expected the inner-op to be a commutative binary-op from the stablehlo dialect}}
  %0 = stablehlo.reduce(%input init: %init) applies stablehlo.subtract across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
  func.return
}

// -----

func.func @reduce_parse_no_inputs() {
  // expected-error@+1 {{input types missing in reduce-op function type}}
  %0 = stablehlo.reduce applies stablehlo.add across dimensions = [0] : () -> tensor<6xf32>
  func.return
}
