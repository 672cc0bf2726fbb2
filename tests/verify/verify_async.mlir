// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the others are named
// after what is wrong.

// -----

func.func @async_start_c1(%arg0: tensor<4xf32>) {
  // expected-error@+2 {{region must contain exactly one operation and a return}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%x: tensor<4xf32>):
    %1 = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
    %2 = stablehlo.negate %1 : tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @async_start_c1_empty(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{region #0 ('body') failed to verify constraint: region with 1 blocks}}
  %0 = "stablehlo.async_start"(%arg0) ({
    // nothing
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @async_start_c1_return_only(%arg0: tensor<4xf32>) {
  // expected-error@+2 {{region must contain exactly one operation and a return}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%x: tensor<4xf32>):
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @async_start_c1_no_return(%arg0: tensor<4xf32>) {
  // expected-error@+4 {{block with no terminator, has %2 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 3>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<2xf32>}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%x: tensor<4xf32>):
    %1 = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
    %2 = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @async_start_c2(%arg0: tensor<4xf32>) {
  // expected-error@+2 {{region must contain a collective or slice operation}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%x: tensor<4xf32>):
    %1 = stablehlo.negate %x : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @async_start_c3(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+2 {{number of operands (2) must match number of region arguments (1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_start"(%arg0, %arg1) ({
  ^bb0(%x: tensor<4xf32>):
    %1 = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @async_start_c3_type(%arg0: tensor<5xf32>) {
  // expected-error@+2 {{operand type 'tensor<5xf32>' at index 0 must match region argument type 'tensor<4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%x: tensor<4xf32>):
    %1 = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<5xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @async_start_c3_other_value(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) {
  // expected-note@+2 {{required by region isolation constraints}}
  // expected-error@+3 {{using value defined outside the region}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%x: tensor<4xf32>):
    %1 = stablehlo.slice %arg1 [1:3] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @async_start_c4(%arg0: tensor<4xf32>) {
  // expected-error@+2 {{inferred type(s) '!stablehlo.future<tensor<2xf32>>' are incompatible with return type(s) of operation '!stablehlo.future<tensor<3xf32>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%x: tensor<4xf32>):
    %1 = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<3xf32>>
  return
}

// -----

func.func @async_start_c4_not_future(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{result #0 must be}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%x: tensor<4xf32>):
    %1 = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @async_start_c4_count(%arg0: tensor<4xf32>) {
  // expected-error@+2 {{region must return exactly one value, but got 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%x: tensor<4xf32>):
    %1 = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %1, %1 : tensor<2xf32>, tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @async_done_c1(%arg0: !stablehlo.future<tensor<4xf32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_done"(%arg0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<5xf32>
  return
}

// -----

func.func @async_done_operand(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = "stablehlo.async_done"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @async_done_two(%arg0: !stablehlo.future<tensor<4xf32>, tensor<2xf32>>) {
  // expected-error@+2 {{future must have exactly one type parameter, but got 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.async_done"(%arg0) : (!stablehlo.future<tensor<4xf32>, tensor<2xf32>>) -> tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{future element type must be a ranked tensor, but got 'tensor<*xf32>'}}
func.func @future_element(%arg0: !stablehlo.future<tensor<*xf32>>) {
  return
}

// -----

// expected-error@+1 {{future element type must be a ranked tensor, but got 'tuple<>'}}
func.func @future_element_tuple(%arg0: !stablehlo.future<tuple<>>) {
  return
}
