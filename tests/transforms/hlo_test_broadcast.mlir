// RUN: stablehlo-opt --hlo-test-broadcast --allow-unregistered-dialect --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: func.func @same(
// CHECK-NEXT: stablehlo.custom_call @numpy_broadcasted(%arg0, %arg0) {has_side_effect = true} : (tensor<2x3xi8>, tensor<2x3xi8>)
func.func @same(%a: tensor<2x3xi8>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %a) : (tensor<2x3xi8>, tensor<2x3xi8>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// CHECK-LABEL: func.func @three(
// CHECK-NEXT: %[[A:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<4x2x3xf32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<3xi1>) -> tensor<4x2x3xi1>
// CHECK-NEXT: %[[C:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2] : (tensor<4x2x1xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT: custom_call @numpy_broadcasted(%[[A]], %[[B]], %[[C]])
func.func @three(%a: tensor<f32>, %b: tensor<3xi1>, %c: tensor<4x2x1xf32>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b, %c) : (tensor<f32>, tensor<3xi1>, tensor<4x2x1xf32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// A size of zero broadcasts like any other.

// CHECK-LABEL: func.func @empty(
// CHECK-NEXT: %[[A:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<1xf32>) -> tensor<0x0xf32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x0xf32>) -> tensor<0x0xf32>
// CHECK-NEXT: %[[C:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<0x1xf32>) -> tensor<0x0xf32>
func.func @empty(%a: tensor<1xf32>, %b: tensor<1x0xf32>, %c: tensor<0x1xf32>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b, %c) : (tensor<1xf32>, tensor<1x0xf32>, tensor<0x1xf32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// A bounded size: broadcast to the bound, then cut to the size of the value that has it.

// CHECK-LABEL: func.func @bounded(
// CHECK-NEXT: %[[ALL:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<1xf32>) -> tensor<6x3x8xf32>
// CHECK-NEXT: %[[ROWS:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
// CHECK-NEXT: %[[CUT:.*]] = stablehlo.set_dimension_size %[[ALL]], %[[ROWS]], dim = 0 : (tensor<6x3x8xf32>, tensor<i32>) -> tensor<?x3x8xf32, #stablehlo.bounds<6, ?, ?>>
// CHECK-NEXT: %[[COLUMNS:.*]] = stablehlo.get_dimension_size %arg0, dim = 2
// CHECK-NEXT: %[[TWICE:.*]] = stablehlo.set_dimension_size %[[CUT]], %[[COLUMNS]], dim = 2
// CHECK-SAME: -> tensor<?x3x?xf32, #stablehlo.bounds<6, ?, 8>>
// CHECK-NEXT: custom_call @numpy_broadcasted(%arg0, %[[TWICE]])
func.func @bounded(%a: tensor<?x3x?xf32, #stablehlo.bounds<6, ?, 8>>, %b: tensor<1xf32>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b) : (tensor<?x3x?xf32, #stablehlo.bounds<6, ?, 8>>, tensor<1xf32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// expected-error@+1 {{incompatible shapes for broadcasting 3 and 4}}
func.func @misfit(%a: tensor<2x3xf32>, %b: tensor<5x4xf32>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b) : (tensor<2x3xf32>, tensor<5x4xf32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// expected-error@+1 {{cannot mix bounded and static dimensions in broadcast}}
func.func @bounded_and_static(%a: tensor<?xf32, #stablehlo.bounds<3>>, %b: tensor<3xf32>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b) : (tensor<?xf32, #stablehlo.bounds<3>>, tensor<3xf32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// expected-error@+1 {{expected ranked tensor type for broadcast inputs}}
func.func @no_tensor(%a: tuple<tensor<3xf32>>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a) : (tuple<tensor<3xf32>>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

func.func @nothing() -> !stablehlo.token {
  // expected-error@+1 {{requires at least one operand to broadcast}}
  %0 = "hlo_test_broadcast.numpy_broadcast"() : () -> !stablehlo.token
  return %0 : !stablehlo.token
}
