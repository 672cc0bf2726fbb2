// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the others are named
// after what is wrong.

// -----

func.func @if_c1(%arg0: tensor<i1>) {
  // expected-error@+2 {{branch 0 must have 0 arguments, but found 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.if"(%arg0) ({
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }, {
    %1 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}

// -----

func.func @if_c1_false_branch(%arg0: tensor<i1>) {
  // expected-error@+2 {{branch 1 must have 0 arguments, but found 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.if"(%arg0) ({
    %1 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}

// -----

func.func @if_c2(%arg0: tensor<i1>) {
  // expected-error@+2 {{branch 0 and branch 1 have mismatched return types: 'tensor<i32>' vs 'tensor<f32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.if"(%arg0) ({
    %1 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    %1 = stablehlo.constant dense<2.0> : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}

// -----

func.func @if_c2_count(%arg0: tensor<i1>) {
  // expected-error@+2 {{branch 0 and branch 1 have mismatched return types: 'tensor<i32>' vs 'tensor<i32>', 'tensor<i32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.if"(%arg0) ({
    %1 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    %1 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1, %1 : tensor<i32>, tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}

// -----

func.func @if_c3(%arg0: tensor<i1>) {
  // expected-error@+2 {{inferred type(s) 'tensor<i32>' are incompatible with return type(s) of operation 'tensor<i64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.if"(%arg0) ({
    %1 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    %1 = stablehlo.constant dense<4> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i64>
  return
}

// -----

func.func @if_predicate(%arg0: tensor<2xi1>) {
  // expected-error@+2 {{operand should be rank 0 tensor but got rank 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.if"(%arg0) ({
    %1 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    %1 = stablehlo.constant dense<4> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<2xi1>) -> tensor<i32>
  return
}

// -----

func.func @if_empty_region(%arg0: tensor<i1>) {
  // expected-error@+1 {{region #0 ('true_branch') failed to verify constraint: region with 1 blocks}}
  %0 = "stablehlo.if"(%arg0) ({
  }, {
    %1 = stablehlo.constant dense<4> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}

// -----

func.func @case_c1(%arg0: tensor<i32>) {
  // expected-error@+2 {{expect at least one branch}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.case"(%arg0) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @case_c2(%arg0: tensor<i32>) {
  // expected-error@+2 {{branch 1 must have 0 arguments, but found 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.case"(%arg0) ({
    %1 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @case_c3(%arg0: tensor<i32>) {
  // expected-error@+2 {{branch 0 and branch 1 have mismatched return types: 'tensor<i32>' vs 'tensor<1xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.case"(%arg0) ({
    %1 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    %1 = stablehlo.constant dense<2> : tensor<1xi32>
    stablehlo.return %1 : tensor<1xi32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @case_c4(%arg0: tensor<i32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<i32>' are incompatible with return type(s) of operation 'tensor<2xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.case"(%arg0) ({
    %1 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i32>) -> tensor<2xi32>
  return
}

// -----

func.func @case_c4_count(%arg0: tensor<i32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<i32>' are incompatible with return type(s) of operation 'tensor<i32>', 'tensor<i32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = "stablehlo.case"(%arg0) ({
    %1 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @case_index(%arg0: tensor<1xi32>) {
  // expected-error@+2 {{operand should be rank 0 tensor but got rank 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.case"(%arg0) ({
    %1 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<1xi32>) -> tensor<i32>
  return
}

// -----

func.func @case_empty_region(%arg0: tensor<i32>) {
  // expected-error@+1 {{region #0 ('branches') failed to verify constraint: region with 1 blocks}}
  %0 = "stablehlo.case"(%arg0) ({
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_c1(%arg0: tensor<i32>) {
  // expected-error@+1 {{expect operands to be compatible with condition block arguments but got 'tensor<i32>' vs 'tensor<i64>'}}
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%x: tensor<i64>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_c1_count(%arg0: tensor<i32>, %arg1: tensor<i32>) {
  // expected-error@+1 {{expect operands to be compatible with condition block arguments but got 'tensor<i32>', 'tensor<i32>' vs 'tensor<i32>'}}
  %0:2 = "stablehlo.while"(%arg0, %arg1) ({
  ^bb0(%x: tensor<i32>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %x, %y : tensor<i32>, tensor<i32>
  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @while_c1_results(%arg0: tensor<i32>) {
  // expected-error@+1 {{expect condition body returns a single value but got 2}}
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%x: tensor<i32>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1, %1 : tensor<i1>, tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_c1_result_type(%arg0: tensor<i32>) {
  // expected-error@+1 {{expect condition block return a zero-ranked tensor of i1 but got 'tensor<i32>'}}
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }, {
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_c1_result_rank(%arg0: tensor<i32>) {
  // expected-error@+1 {{expect condition block return a zero-ranked tensor of i1 but got 'tensor<1xi1>'}}
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%x: tensor<i32>):
    %1 = stablehlo.constant dense<true> : tensor<1xi1>
    stablehlo.return %1 : tensor<1xi1>
  }, {
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_c2(%arg0: tensor<i32>) {
  // expected-error@+1 {{expect operands to be compatible with body block arguments but got 'tensor<i32>' vs 'tensor<f32>'}}
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%x: tensor<i32>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>):
    %1 = stablehlo.constant dense<1> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_c2_results(%arg0: tensor<i32>) {
  // expected-error@+1 {{expect operands to be compatible with body block return types but got 'tensor<i32>' vs 'tensor<f32>'}}
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%x: tensor<i32>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>):
    %1 = stablehlo.constant dense<1.0> : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_c3(%arg0: tensor<i32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<i32>' are incompatible with return type(s) of operation 'tensor<f32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%x: tensor<i32>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @while_empty_condition(%arg0: tensor<i32>) {
  // expected-error@+1 {{region #0 ('cond') failed to verify constraint: region with 1 blocks}}
  %0 = "stablehlo.while"(%arg0) ({
  }, {
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_empty_body(%arg0: tensor<i32>) {
  // expected-error@+1 {{region #1 ('body') failed to verify constraint: region with 1 blocks}}
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%x: tensor<i32>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_no_terminator(%arg0: tensor<i32>) {
  // expected-error@+1 {{The while body-region expected to have a terminator}}
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%x: tensor<i32>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_custom_types(%arg0: tensor<i32>) {
  // expected-error@+1 {{custom op 'stablehlo.while' number of operands and types do not match: got 1 operands and 2 types}}
  %0 = stablehlo.while(%iterArg = %arg0) : tensor<i32>, tensor<i32>
  cond {
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    stablehlo.return %iterArg : tensor<i32>
  }
  return
}

// -----

func.func @map_c1(%arg0: tensor<3xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = "stablehlo.map"(%arg0, %arg1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @map_c1_result(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = "stablehlo.map"(%arg0) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_c2() {
  // expected-error@+1 {{expected 1 or more operands, but found 0}}
  %0 = "stablehlo.map"() ({
    %1 = stablehlo.constant dense<1.0> : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64>} : () -> tensor<f32>
  return
}

// -----

func.func @map_c3(%arg0: tensor<3x2xf32>) {
  // expected-error@+2 {{requires monotonically increasing dimension numbers, but got: 1, 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%arg0) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @map_c3_subset(%arg0: tensor<3x2xf32>) {
  // expected-error@+2 {{applied to a subset of dimensions currently not supported: operand dimensions = 2, requested map dimensions size = 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%arg0) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @map_c4(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+2 {{expects number of operands to match the arity of map computation, but got: 2 and 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%arg0, %arg1) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @map_c4_argument_rank(%arg0: tensor<3xf32>) {
  // expected-error@+2 {{computation arguments must be 0-rank tensor, but got: arg #0 of type 'tensor<3xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%arg0) ({
  ^bb0(%x: tensor<3xf32>):
    %1 = stablehlo.constant dense<1.0> : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @map_c4_argument_type(%arg0: tensor<3xf32>) {
  // expected-error@+2 {{element type of operands and computation arguments must match, but got: 'f32' and 'f64'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%arg0) ({
  ^bb0(%x: tensor<f64>):
    %1 = stablehlo.constant dense<1.0> : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @map_c4_result_count(%arg0: tensor<3xf32>) {
  // expected-error@+2 {{computation must return single output, but got: 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%arg0) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x, %x : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @map_c4_result_rank(%arg0: tensor<3xf32>) {
  // expected-error@+2 {{computation must return 0-rank tensor, but got: 'tensor<1xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%arg0) ({
  ^bb0(%x: tensor<f32>):
    %1 = stablehlo.constant dense<1.0> : tensor<1xf32>
    stablehlo.return %1 : tensor<1xf32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @map_c4_result_type(%arg0: tensor<3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<3xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.map"(%arg0) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<3xi32>
  return
}

// -----

func.func @map_empty_region(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{region #0 ('computation') failed to verify constraint: region with 1 blocks}}
  %0 = "stablehlo.map"(%arg0) ({
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @sort_c1() {
  // expected-error@+1 {{expected 1 or more operands, but found 0}}
  "stablehlo.sort"() ({
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : () -> ()
  return
}

// -----

func.func @sort_c2(%arg0: tensor<5xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<5xi32>' are incompatible with return type(s) of operation 'tensor<5xi64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<5xi32>) -> tensor<5xi64>
  return
}

// -----

func.func @sort_c3(%arg0: tensor<5xi32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0:2 = "stablehlo.sort"(%arg0, %arg1) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<f32>, %w: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<5xi32>, tensor<4xf32>) -> (tensor<5xi32>, tensor<4xf32>)
  return
}

// -----

func.func @sort_c4(%arg0: tensor<5xi32>) {
  // expected-error@+1 {{dimension attribute value must be in range [-1, 1), but found 1}}
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @sort_c4_negative(%arg0: tensor<5x5xi32>) {
  // expected-error@+1 {{dimension attribute value must be in range [-2, 2), but found -3}}
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = -3 : i64} : (tensor<5x5xi32>) -> tensor<5x5xi32>
  return
}

// -----

func.func @sort_c5(%arg0: tensor<5xi32>) {
  // expected-error@+1 {{comparator block should have 2 arguments}}
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%x: tensor<i32>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @sort_c5_argument_type(%arg0: tensor<5xi32>) {
  // expected-error@+1 {{comparator block argument #1 should be of type 'tensor<i32>' but got 'tensor<f32>'}}
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%x: tensor<i32>, %y: tensor<f32>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @sort_c5_result_count(%arg0: tensor<5xi32>) {
  // expected-error@+1 {{comparator must return single output but got 2}}
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1, %1 : tensor<i1>, tensor<i1>
  }) {dimension = 0 : i64} : (tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @sort_c5_result_type(%arg0: tensor<5xi32>) {
  // expected-error@+1 {{comparator must return tensor<i1> but got 'tensor<i32>'}}
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) {dimension = 0 : i64} : (tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @sort_c5_result_rank(%arg0: tensor<5xi32>) {
  // expected-error@+1 {{comparator must return tensor<i1> but got 'tensor<1xi1>'}}
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.constant dense<true> : tensor<1xi1>
    stablehlo.return %1 : tensor<1xi1>
  }) {dimension = 0 : i64} : (tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @sort_empty_region(%arg0: tensor<5xi32>) {
  // expected-error@+1 {{region #0 ('comparator') failed to verify constraint: region with 1 blocks}}
  %0 = "stablehlo.sort"(%arg0) ({
  }) {dimension = 0 : i64} : (tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @composite_c1(%arg0: tensor<i32>) {
  // expected-error@+1 {{name must be a valid namespaced op name, i.e. it must match the following regular expression: ^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. "my_namespace.my_op"}}
  %0 = stablehlo.composite "no namespace" %arg0 {decomposition = @inner} : (tensor<i32>) -> tensor<i32>
  return
}
func.func private @inner(%x: tensor<i32>) -> tensor<i32> {
  return %x : tensor<i32>
}

// -----

func.func @composite_c2(%arg0: tensor<i32>) {
  // expected-error@+1 {{'nowhere' does not reference a valid function}}
  %0 = stablehlo.composite "ours.same" %arg0 {decomposition = @nowhere} : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @composite_c3(%arg0: tensor<i64>) {
  // expected-error@+1 {{operand at index 0 has type 'tensor<i64>', but decomposition has type 'tensor<i32>'}}
  %0 = stablehlo.composite "ours.same" %arg0 {decomposition = @inner} : (tensor<i64>) -> tensor<i32>
  return
}
func.func private @inner(%x: tensor<i32>) -> tensor<i32> {
  return %x : tensor<i32>
}

// -----

func.func @composite_c3_count(%arg0: tensor<i32>) {
  // expected-error@+1 {{has 2 operand(s), but decomposition has 1}}
  %0 = stablehlo.composite "ours.same" %arg0, %arg0 {decomposition = @inner} : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return
}
func.func private @inner(%x: tensor<i32>) -> tensor<i32> {
  return %x : tensor<i32>
}

// -----

func.func @composite_c4(%arg0: tensor<i32>) {
  // expected-error@+1 {{result at index 0 has type 'tensor<1xi32>', but decomposition has type 'tensor<i32>'}}
  %0 = stablehlo.composite "ours.same" %arg0 {decomposition = @inner} : (tensor<i32>) -> tensor<1xi32>
  return
}
func.func private @inner(%x: tensor<i32>) -> tensor<i32> {
  return %x : tensor<i32>
}

// -----

func.func @composite_c4_count(%arg0: tensor<i32>) {
  // expected-error@+1 {{has 2 result(s), but decomposition has 1}}
  %0:2 = stablehlo.composite "ours.same" %arg0 {decomposition = @inner} : (tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return
}
func.func private @inner(%x: tensor<i32>) -> tensor<i32> {
  return %x : tensor<i32>
}

// -----

func.func @composite_not_a_function(%arg0: tensor<i32>) {
  // expected-error@+1 {{'nested' does not reference a valid function}}
  %0 = stablehlo.composite "ours.same" %arg0 {decomposition = @nested} : (tensor<i32>) -> tensor<i32>
  return
}
module @nested {
}
