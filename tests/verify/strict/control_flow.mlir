// RUN: stablehlo-opt --strict --split-input-file --verify-diagnostics %s
// RUN: stablehlo-opt --split-input-file %s

// The bindings accept these programs; each breaks the constraint after which its function is named.

// -----

func.func @sort_c2_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{results must be of the types of the operands, got tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:3>> and tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>> (C2)}}
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5:3>>, %y: tensor<!quant.uniform<i8:f32, 0.5:3>>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<!quant.uniform<i8:f32, 0.5:3>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @if_c2_quantized(%p: tensor<i1>, %arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{branches 0 and 1 must return the same types, got tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>> and tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:3>> (C2)}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %arg0 : tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  }, {
    stablehlo.return %arg1 : tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  }) : (tensor<i1>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @if_c3_quantized(%p: tensor<i1>, %arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{results must be of the types that a branch returns, got tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:3>> and tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>> (C3)}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %arg0 : tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  }, {
    stablehlo.return %arg0 : tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  }) : (tensor<i1>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @case_c3_quantized(%p: tensor<i32>, %arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>) {
  // expected-error@+1 {{branches 0 and 1 must return the same types, got tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>> and tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:3>> (C3)}}
  %0 = "stablehlo.case"(%p) ({
    stablehlo.return %arg0 : tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  }, {
    stablehlo.return %arg1 : tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  }) : (tensor<i32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @case_c4_quantized(%p: tensor<i32>, %arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{results must be of the types that a branch returns, got tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:3>> and tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>> (C4)}}
  %0 = "stablehlo.case"(%p) ({
    stablehlo.return %arg0 : tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  }) : (tensor<i32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @while_c1_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{cond must take the operands, got tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:3>> and tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>> (C1)}}
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%x: tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>):
    stablehlo.return %x : tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  }) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @while_c2_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{body must return the types of the operands, got tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:3>> and tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>> (C2)}}
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%x: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>):
    %z = stablehlo.uniform_quantize %x : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
    stablehlo.return %z : tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  }) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @while_c2_argument_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{body must take the operands, got tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:3>> and tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>> (C2)}}
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%x: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>):
    %z = stablehlo.uniform_quantize %x : (tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
    stablehlo.return %z : tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  }) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @while_c3_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{results must be of the types of the operands, got tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:3>> and tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>> (C3)}}
  %0 = "stablehlo.while"(%arg0) ({
  ^bb0(%x: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>):
    stablehlo.return %x : tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  }) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @map_c4_result_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{result must have the element type that computation returns, got !quant.uniform<i8:f32, 2.500000e-01:3> and !quant.uniform<i8:f32, 5.000000e-01:3> (C4)}}
  %0 = "stablehlo.map"(%arg0) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5:3>>):
    stablehlo.return %x : tensor<!quant.uniform<i8:f32, 0.5:3>>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @async_start_c3_order(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i32>) {
  // expected-error@+1 {{the operation in body, stablehlo.dynamic_update_slice, must take the arguments of body in their order (C3)}}
  %0 = "stablehlo.async_start"(%arg0, %arg1, %arg2) ({
  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>):
    %1 = stablehlo.dynamic_update_slice %y, %x, %i : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @async_start_c4_returns_argument(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{body must return what its operation, stablehlo.slice, returns (C4)}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%x: tensor<4xf32>):
    %1 = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @case_c3_sizes(%arg0: tensor<i32>, %arg1: tensor<?xf32>, %arg2: tensor<4xf32>, %arg3: tensor<5xf32>) {
  // expected-error@+1 {{branches 1 and 2 must return the same types, got tensor<4xf32> and tensor<5xf32> (C3)}}
  %0 = "stablehlo.case"(%arg0) ({
    stablehlo.return %arg1 : tensor<?xf32>
  }, {
    stablehlo.return %arg2 : tensor<4xf32>
  }, {
    stablehlo.return %arg3 : tensor<5xf32>
  }) : (tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @map_c4_memref(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{computation must take tensors, got memref<f32> (C4)}}
  %0 = "stablehlo.map"(%arg0) ({
  ^bb0(%x: memref<f32>):
    %1 = stablehlo.constant dense<1.0> : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<3xf32>
  return
}
