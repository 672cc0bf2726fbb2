// RUN: stablehlo-opt --stablehlo-aggressive-simplification %s | FileCheck %s

// CHECK-LABEL: @slices
// CHECK-SAME: (%[[X:.*]]: tensor<10x8xf32>)
func.func @slices(%x: tensor<10x8xf32>) -> (tensor<10x8xf32>, tensor<2x3xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.slice %x [0:10, 0:8] : (tensor<10x8xf32>) -> tensor<10x8xf32>
  // CHECK-DAG: %[[KEPT:.*]] = stablehlo.slice %[[X]] [1:9:2, 0:8]
  %1 = stablehlo.slice %x [1:9:2, 0:8] : (tensor<10x8xf32>) -> tensor<4x8xf32>
  // CHECK-DAG: %[[BOTH:.*]] = stablehlo.slice %[[X]] [3:8:4, 2:7:2] : (tensor<10x8xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.slice %1 [1:4:2, 2:8:2] : (tensor<4x8xf32>) -> tensor<2x3xf32>
  // CHECK: return %[[X]], %[[BOTH]], %[[KEPT]]
  return %0, %2, %1 : tensor<10x8xf32>, tensor<2x3xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: @slices_of_concatenations
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xi32>, %[[Y:.*]]: tensor<2x4xi32>, %[[Z:.*]]: tensor<2x5xi32>)
func.func @slices_of_concatenations(%x: tensor<2x3xi32>, %y: tensor<2x4xi32>, %z: tensor<2x5xi32>) -> (tensor<2x3xi32>, tensor<1x2xi32>, tensor<2x8xi32>, tensor<2x12xi32>, tensor<2x5xi32>) {
  %0 = stablehlo.concatenate %x, %y, %z, dim = 1 : (tensor<2x3xi32>, tensor<2x4xi32>, tensor<2x5xi32>) -> tensor<2x12xi32>
  %1 = stablehlo.slice %0 [0:2, 0:3] : (tensor<2x12xi32>) -> tensor<2x3xi32>
  // CHECK-DAG: %[[MIDDLE:.*]] = stablehlo.slice %[[Y]] [1:2, 1:3]
  %2 = stablehlo.slice %0 [1:2, 4:6] : (tensor<2x12xi32>) -> tensor<1x2xi32>
  // It reaches two of three, and the whole is used as well.
  // CHECK-DAG: %[[ALL:.*]] = stablehlo.concatenate %[[X]], %[[Y]], %[[Z]], dim = 1
  // CHECK-DAG: %[[KEPT:.*]] = stablehlo.slice %[[ALL]] [0:2, 2:7]
  %3 = stablehlo.slice %0 [0:2, 2:7] : (tensor<2x12xi32>) -> tensor<2x5xi32>
  %4 = stablehlo.concatenate %x, %y, %z, dim = 1 {only = "here"} : (tensor<2x3xi32>, tensor<2x4xi32>, tensor<2x5xi32>) -> tensor<2x12xi32>
  // CHECK-DAG: %[[TWO:.*]] = stablehlo.concatenate %[[Y]], %[[Z]], dim = 1
  // CHECK-DAG: %[[TAIL:.*]] = stablehlo.slice %[[TWO]] [0:2, 1:9]
  %5 = stablehlo.slice %4 [0:2, 4:12] : (tensor<2x12xi32>) -> tensor<2x8xi32>
  // CHECK: return %[[X]], %[[MIDDLE]], %[[TAIL]], %[[ALL]], %[[KEPT]]
  return %1, %2, %5, %0, %3 : tensor<2x3xi32>, tensor<1x2xi32>, tensor<2x8xi32>, tensor<2x12xi32>, tensor<2x5xi32>
}

// CHECK-LABEL: @pads
// CHECK-SAME: (%[[X:.*]]: tensor<4x6xf32>, %[[V:.*]]: tensor<f32>, %[[E:.*]]: tensor<0x2xf32>)
func.func @pads(%x: tensor<4x6xf32>, %v: tensor<f32>, %e: tensor<0x2xf32>) -> (tensor<4x6xf32>, tensor<3x2xf32>, tensor<3x5xf32>, tensor<4x6xf32>, tensor<4x11xf32>) {
  %0 = stablehlo.pad %x, %v, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  // CHECK-DAG: %[[FILLED:.*]] = stablehlo.broadcast_in_dim %[[V]], dims = []
  %1 = stablehlo.pad %e, %v, low = [1, 0], high = [2, 0], interior = [0, 0] : (tensor<0x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  // CHECK-DAG: %[[CUT:.*]] = stablehlo.slice %[[X]] [1:4, 0:5]
  %2 = stablehlo.pad %x, %v, low = [-1, 0], high = [0, -1], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  // CHECK-DAG: %[[MOVED:.*]] = stablehlo.pad %[[X]], %[[V]], low = [-1, 0], high = [1, 0]
  %3 = stablehlo.pad %x, %v, low = [-1, 0], high = [1, 0], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  // CHECK-DAG: %[[SPREAD:.*]] = stablehlo.pad %[[X]], %[[V]], low = [0, 0], high = [0, 0], interior = [0, 1]
  %4 = stablehlo.pad %x, %v, low = [0, 0], high = [0, 0], interior = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x11xf32>
  // CHECK: return %[[X]], %[[FILLED]], %[[CUT]], %[[MOVED]], %[[SPREAD]]
  return %0, %1, %2, %3, %4 : tensor<4x6xf32>, tensor<3x2xf32>, tensor<3x5xf32>, tensor<4x6xf32>, tensor<4x11xf32>
}

// CHECK-LABEL: @concatenations
// CHECK-SAME: (%[[X:.*]]: tensor<3xi8>, %[[Y:.*]]: tensor<2xi8>, %[[E:.*]]: tensor<0xi8>, %[[D:.*]]: tensor<?xi8>)
func.func @concatenations(%x: tensor<3xi8>, %y: tensor<2xi8>, %e: tensor<0xi8>, %d: tensor<?xi8>) -> (tensor<3xi8>, tensor<5xi8>, tensor<?xi8>, tensor<10xi8>, tensor<8xi8>, tensor<5xi8>) {
  %0 = stablehlo.concatenate %x, dim = 0 : (tensor<3xi8>) -> tensor<3xi8>
  // CHECK-DAG: %[[TWO:.*]] = stablehlo.concatenate %[[X]], %[[Y]], dim = 0 : (tensor<3xi8>, tensor<2xi8>) -> tensor<5xi8>
  %1 = stablehlo.concatenate %x, %e, %y, dim = 0 : (tensor<3xi8>, tensor<0xi8>, tensor<2xi8>) -> tensor<5xi8>
  // CHECK-DAG: %[[DYNAMIC:.*]] = stablehlo.concatenate %[[X]], %[[D]], dim = 0
  %2 = stablehlo.concatenate %x, %d, dim = 0 : (tensor<3xi8>, tensor<?xi8>) -> tensor<?xi8>
  // With other uses, the inner one is needed as it is.
  // CHECK-DAG: %[[TWICE:.*]] = stablehlo.concatenate %[[TWO]], %[[TWO]], dim = 0
  %3 = stablehlo.concatenate %1, %1, dim = 0 : (tensor<5xi8>, tensor<5xi8>) -> tensor<10xi8>
  %4 = stablehlo.concatenate %y, %x, dim = 0 : (tensor<2xi8>, tensor<3xi8>) -> tensor<5xi8>
  // CHECK-DAG: %[[FLAT:.*]] = stablehlo.concatenate %[[X]], %[[Y]], %[[X]], dim = 0
  %5 = stablehlo.concatenate %x, %4, dim = 0 : (tensor<3xi8>, tensor<5xi8>) -> tensor<8xi8>
  // CHECK: return %[[X]], %[[TWO]], %[[DYNAMIC]], %[[TWICE]], %[[FLAT]], %[[TWO]]
  return %0, %1, %2, %3, %5, %1 : tensor<3xi8>, tensor<5xi8>, tensor<?xi8>, tensor<10xi8>, tensor<8xi8>, tensor<5xi8>
}

// CHECK-LABEL: @concatenation_across
// CHECK: %[[INNER:.*]] = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 1
// CHECK: stablehlo.concatenate %[[INNER]], %{{.*}}, dim = 0
func.func @concatenation_across(%x: tensor<2x3xi8>, %y: tensor<4x6xi8>) -> tensor<6x6xi8> {
  %0 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<2x6xi8>
  %1 = stablehlo.concatenate %0, %y, dim = 0 : (tensor<2x6xi8>, tensor<4x6xi8>) -> tensor<6x6xi8>
  return %1 : tensor<6x6xi8>
}

// CHECK-LABEL: @concatenations_of_broadcasts
// CHECK-SAME: (%[[X:.*]]: tensor<3xf32>)
func.func @concatenations_of_broadcasts(%x: tensor<3xf32>) -> (tensor<7x3xf32>, tensor<2x6xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<5x3xf32>
  // CHECK-DAG: %[[SEVEN:.*]] = stablehlo.broadcast_in_dim %[[X]], dims = [1] : (tensor<3xf32>) -> tensor<7x3xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x3xf32>, tensor<5x3xf32>) -> tensor<7x3xf32>
  // CHECK-DAG: %[[KEPT:.*]] = stablehlo.concatenate
  %3 = stablehlo.concatenate %0, %0, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  // CHECK: return %[[SEVEN]], %[[KEPT]]
  return %2, %3 : tensor<7x3xf32>, tensor<2x6xf32>
}

// CHECK-LABEL: @concatenations_of_slices
// CHECK-SAME: (%[[X:.*]]: tensor<9xf32>, %[[Y:.*]]: tensor<2x4xf32>)
func.func @concatenations_of_slices(%x: tensor<9xf32>, %y: tensor<2x4xf32>) -> (tensor<9xf32>, tensor<6xf32>, tensor<1x4xf32>) {
  %0 = stablehlo.slice %x [0:4] : (tensor<9xf32>) -> tensor<4xf32>
  %1 = stablehlo.slice %x [4:6] : (tensor<9xf32>) -> tensor<2xf32>
  %2 = stablehlo.slice %x [6:9] : (tensor<9xf32>) -> tensor<3xf32>
  %3 = stablehlo.concatenate %0, %1, %2, dim = 0 : (tensor<4xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<9xf32>
  // The wrong way round.
  // CHECK: %[[TURNED:.*]] = stablehlo.concatenate
  %4 = stablehlo.concatenate %1, %0, dim = 0 : (tensor<2xf32>, tensor<4xf32>) -> tensor<6xf32>
  %5 = stablehlo.slice %y [0:1, 0:2] : (tensor<2x4xf32>) -> tensor<1x2xf32>
  %6 = stablehlo.slice %y [1:2, 2:4] : (tensor<2x4xf32>) -> tensor<1x2xf32>
  // Of different rows.
  // CHECK: %[[ROWS:.*]] = stablehlo.concatenate
  %7 = stablehlo.concatenate %5, %6, dim = 1 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  // CHECK: return %[[X]], %[[TURNED]], %[[ROWS]]
  return %3, %4, %7 : tensor<9xf32>, tensor<6xf32>, tensor<1x4xf32>
}

// CHECK-LABEL: @dynamic_slices
// CHECK-SAME: (%[[X:.*]]: tensor<5x6xi64>, %[[I:.*]]: tensor<i32>)
func.func @dynamic_slices(%x: tensor<5x6xi64>, %i: tensor<i32>) -> (tensor<2x3xi64>, tensor<5x6xi64>, tensor<5x2xi64>) {
  %three = stablehlo.constant dense<3> : tensor<i32>
  %far = stablehlo.constant dense<100> : tensor<i32>
  // CHECK-DAG: %[[CUT:.*]] = stablehlo.slice %[[X]] [3:5, 3:6]
  %0 = stablehlo.dynamic_slice %x, %three, %far, sizes = [2, 3] : (tensor<5x6xi64>, tensor<i32>, tensor<i32>) -> tensor<2x3xi64>
  // Wherever it starts, it has one place.
  %1 = stablehlo.dynamic_slice %x, %i, %i, sizes = [5, 6] : (tensor<5x6xi64>, tensor<i32>, tensor<i32>) -> tensor<5x6xi64>
  // CHECK-DAG: %[[KEPT:.*]] = stablehlo.dynamic_slice %[[X]]
  %2 = stablehlo.dynamic_slice %x, %three, %i, sizes = [5, 2] : (tensor<5x6xi64>, tensor<i32>, tensor<i32>) -> tensor<5x2xi64>
  // CHECK: return %[[CUT]], %[[X]], %[[KEPT]]
  return %0, %1, %2 : tensor<2x3xi64>, tensor<5x6xi64>, tensor<5x2xi64>
}

// CHECK-LABEL: @dynamic_update_slices
// CHECK-SAME: (%[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>, %[[E:.*]]: tensor<0xf64>, %[[S:.*]]: tensor<2xf64>, %[[I:.*]]: tensor<i64>)
func.func @dynamic_update_slices(%x: tensor<4xf64>, %y: tensor<4xf64>, %e: tensor<0xf64>, %s: tensor<2xf64>, %i: tensor<i64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %0 = stablehlo.dynamic_update_slice %x, %e, %i : (tensor<4xf64>, tensor<0xf64>, tensor<i64>) -> tensor<4xf64>
  %1 = stablehlo.dynamic_update_slice %x, %y, %i : (tensor<4xf64>, tensor<4xf64>, tensor<i64>) -> tensor<4xf64>
  // CHECK: %[[KEPT:.*]] = stablehlo.dynamic_update_slice
  %2 = stablehlo.dynamic_update_slice %x, %s, %i : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
  // CHECK: return %[[X]], %[[Y]], %[[KEPT]]
  return %0, %1, %2 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// CHECK-LABEL: @gathers
// CHECK-SAME: (%[[X:.*]]: tensor<4x7xf32>, %[[I:.*]]: tensor<2xi32>)
func.func @gathers(%x: tensor<4x7xf32>, %i: tensor<2xi32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<2x3xf32>, tensor<2x7xf32>) {
  %at = stablehlo.constant dense<[6, 1]> : tensor<2xi32>
  // The indices are of the columns, then of the rows, and as large as fits.
  // CHECK-DAG: %[[BLOCK:.*]] = stablehlo.slice %[[X]] [1:3, 4:7]
  %0 = "stablehlo.gather"(%x, %at) {
    dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 0>,
    slice_sizes = array<i64: 2, 3>, indices_are_sorted = false
  } : (tensor<4x7xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  // CHECK-DAG: %[[LINE:.*]] = stablehlo.slice %[[X]] [1:2, 4:7]
  // CHECK-DAG: %[[ROW:.*]] = stablehlo.reshape %[[LINE]]
  %1 = "stablehlo.gather"(%x, %at) {
    dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 0>,
    slice_sizes = array<i64: 1, 3>, indices_are_sorted = false
  } : (tensor<4x7xf32>, tensor<2xi32>) -> tensor<3xf32>
  // CHECK-DAG: %[[UNKNOWN:.*]] = "stablehlo.gather"(%[[X]], %[[I]])
  %2 = "stablehlo.gather"(%x, %i) {
    dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>,
    slice_sizes = array<i64: 2, 3>, indices_are_sorted = false
  } : (tensor<4x7xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  // Two rows, each by its own index.
  // CHECK-DAG: %[[MANY:.*]] = "stablehlo.gather"(%[[X]], %{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1]
  %3 = "stablehlo.gather"(%x, %at) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 7>, indices_are_sorted = false
  } : (tensor<4x7xf32>, tensor<2xi32>) -> tensor<2x7xf32>
  // CHECK: return %[[BLOCK]], %[[ROW]], %[[UNKNOWN]], %[[MANY]]
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<3xf32>, tensor<2x3xf32>, tensor<2x7xf32>
}
