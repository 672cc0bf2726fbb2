// RUN: stablehlo-opt --stablehlo-aggressive-simplification %s | FileCheck %s

// CHECK-LABEL: @broadcasts_of_broadcasts
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[A:.*]]: tensor<2xi32>, %[[B:.*]]: tensor<3xi32>)
// CHECK-NEXT: %[[BOTH:.*]] = stablehlo.dynamic_broadcast_in_dim %[[X]], %[[B]], dims = [2] {at = 2 : i64}
// CHECK-NEXT: return %[[BOTH]]
func.func @broadcasts_of_broadcasts(%x: tensor<?xf32>, %a: tensor<2xi32>, %b: tensor<3xi32>) -> tensor<?x?x?xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %a, dims = [1] {at = 1} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %b, dims = [0, 2] {at = 2} : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}

// CHECK-LABEL: @broadcasts_that_expand_nothing
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xi8>, %[[S:.*]]: tensor<2xindex>)
func.func @broadcasts_that_expand_nothing(%x: tensor<?x?xi8>, %s: tensor<2xindex>) -> (tensor<?x?xi8>, tensor<?x4xi8>, tensor<?x?xi8>, tensor<?x?xi8>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] {known_nonexpanding_dimensions = array<i64: 0, 1>} : (tensor<?x?xi8>, tensor<2xindex>) -> tensor<?x?xi8>
  // CHECK-DAG: %[[TYPED:.*]] = stablehlo.convert %[[X]] : (tensor<?x?xi8>) -> tensor<?x4xi8>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] {known_nonexpanding_dimensions = array<i64: 0, 1>} : (tensor<?x?xi8>, tensor<2xindex>) -> tensor<?x4xi8>
  // CHECK-DAG: %[[ONE:.*]] = stablehlo.dynamic_broadcast_in_dim %[[X]], %[[S]], dims = [0, 1]
  %2 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] {known_nonexpanding_dimensions = array<i64: 0>} : (tensor<?x?xi8>, tensor<2xindex>) -> tensor<?x?xi8>
  %3 = shape.shape_of %x : tensor<?x?xi8> -> tensor<2xindex>
  %4 = stablehlo.dynamic_broadcast_in_dim %x, %3, dims = [0, 1] : (tensor<?x?xi8>, tensor<2xindex>) -> tensor<?x?xi8>
  // CHECK: return %[[X]], %[[TYPED]], %[[ONE]], %[[X]]
  return %0, %1, %2, %4 : tensor<?x?xi8>, tensor<?x4xi8>, tensor<?x?xi8>, tensor<?x?xi8>
}

// CHECK-LABEL: @broadcasts_of_reshapes
// CHECK-SAME: (%[[X:.*]]: tensor<?xf16>, %[[S:.*]]: tensor<2xi64>, %[[T:.*]]: tensor<2xi64>)
func.func @broadcasts_of_reshapes(%x: tensor<?xf16>, %s: tensor<2xi64>, %t: tensor<2xi64>) -> (tensor<?x?xf16>, tensor<?x?xf16>) {
  // CHECK: %[[SHAPED:.*]] = stablehlo.dynamic_reshape %[[X]], %[[S]]
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf16>, tensor<2xi64>) -> tensor<?x?xf16>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %s, dims = [0, 1] : (tensor<?x?xf16>, tensor<2xi64>) -> tensor<?x?xf16>
  // CHECK: %[[OTHER:.*]] = stablehlo.dynamic_broadcast_in_dim %[[SHAPED]], %[[T]]
  %2 = stablehlo.dynamic_broadcast_in_dim %0, %t, dims = [0, 1] : (tensor<?x?xf16>, tensor<2xi64>) -> tensor<?x?xf16>
  // CHECK: return %[[SHAPED]], %[[OTHER]]
  return %1, %2 : tensor<?x?xf16>, tensor<?x?xf16>
}

// CHECK-LABEL: @static_broadcasts
// CHECK-SAME: (%[[X:.*]]: tensor<3xf64>, %[[D:.*]]: tensor<?xf64>, %[[S:.*]]: tensor<2xi32>)
func.func @static_broadcasts(%x: tensor<3xf64>, %d: tensor<?xf64>, %s: tensor<2xi32>) -> (tensor<2x3xf64>, tensor<?x3xf64>, tensor<?x3xf64>, tensor<2x3xf64>) {
  %sizes = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  // CHECK-DAG: %[[A:.*]] = stablehlo.broadcast_in_dim %[[X]], dims = [1] : (tensor<3xf64>) -> tensor<2x3xf64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<3xf64>, tensor<2xi32>) -> tensor<2x3xf64>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %sizes, dims = [1] : (tensor<3xf64>, tensor<2xi32>) -> tensor<?x3xf64>
  // A function returns the type that it says.
  // CHECK-DAG: %[[B:.*]] = stablehlo.convert %[[A]] : (tensor<2x3xf64>) -> tensor<?x3xf64>
  // CHECK-DAG: stablehlo.dynamic_broadcast_in_dim %[[X]], %[[S]], dims = [1] : (tensor<3xf64>, tensor<2xi32>) -> tensor<?x3xf64>
  %2 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<3xf64>, tensor<2xi32>) -> tensor<?x3xf64>
  // CHECK-DAG: stablehlo.dynamic_broadcast_in_dim %[[D]]
  %3 = stablehlo.dynamic_broadcast_in_dim %d, %sizes, dims = [1] : (tensor<?xf64>, tensor<2xi32>) -> tensor<2x3xf64>
  // CHECK: return %[[A]], %[[B]]
  return %0, %1, %2, %3 : tensor<2x3xf64>, tensor<?x3xf64>, tensor<?x3xf64>, tensor<2x3xf64>
}

// CHECK-LABEL: @refined_operand
// CHECK-SAME: (%[[X:.*]]: tensor<f64>)
// CHECK: %[[A:.*]] = stablehlo.broadcast_in_dim %[[X]], dims = [] : (tensor<f64>) -> tensor<4xf64>
// CHECK-NEXT: stablehlo.negate %[[A]] : (tensor<4xf64>) -> tensor<?xf64>
func.func @refined_operand(%x: tensor<f64>) -> tensor<?xf64> {
  %size = stablehlo.constant dense<4> : tensor<1xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %size, dims = [] : (tensor<f64>, tensor<1xi32>) -> tensor<?xf64>
  %1 = stablehlo.negate %0 : tensor<?xf64>
  return %1 : tensor<?xf64>
}

// A loop hands on what it is given: its regions have the type, too.
// CHECK-LABEL: @operand_of_loop
// CHECK: %[[A:.*]] = stablehlo.broadcast_in_dim
// CHECK: %[[B:.*]] = stablehlo.convert %[[A]] : (tensor<4xf64>) -> tensor<?xf64>
// CHECK: stablehlo.while(%{{.*}} = %[[B]])
func.func @operand_of_loop(%x: tensor<f64>) -> tensor<?xf64> {
  %size = stablehlo.constant dense<4> : tensor<1xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %size, dims = [] : (tensor<f64>, tensor<1xi32>) -> tensor<?xf64>
  %1 = stablehlo.while(%y = %0) : tensor<?xf64> cond {
    %p = stablehlo.is_finite %x : (tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.sine %y : tensor<?xf64>
    stablehlo.return %z : tensor<?xf64>
  }
  return %1 : tensor<?xf64>
}

// CHECK-LABEL: @gather_sizes
// CHECK-SAME: (%[[X:.*]]: tensor<4x5xf32>, %[[I:.*]]: tensor<3xi32>, %[[S:.*]]: tensor<2xi32>)
func.func @gather_sizes(%x: tensor<4x5xf32>, %i: tensor<3xi32>, %s: tensor<2xi32>) -> (tensor<3x5xf32>, tensor<3x?xf32>) {
  %sizes = stablehlo.constant dense<[1, 5]> : tensor<2xi32>
  // CHECK: "stablehlo.gather"(%[[X]], %[[I]])
  // CHECK-SAME: indices_are_sorted = true, slice_sizes = array<i64: 1, 5>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    indices_are_sorted = true
  } : (tensor<4x5xf32>, tensor<3xi32>, tensor<2xi32>) -> tensor<3x5xf32>
  // CHECK: "stablehlo.dynamic_gather"(%[[X]], %[[I]], %[[S]])
  %1 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    indices_are_sorted = true
  } : (tensor<4x5xf32>, tensor<3xi32>, tensor<2xi32>) -> tensor<3x?xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<3x?xf32>
}

// CHECK-LABEL: @iotas
// CHECK-SAME: (%[[S:.*]]: tensor<1xi32>, %[[T:.*]]: tensor<3xi32>)
func.func @iotas(%s: tensor<1xi32>, %t: tensor<3xi32>) -> (tensor<5xi8>, tensor<?xi8>, tensor<?x2x?xi8>) {
  // CHECK-DAG: %[[FIVE:.*]] = stablehlo.iota dim = 0 : tensor<5xi8>
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<5xi8>
  // CHECK-DAG: %[[SOME:.*]] = stablehlo.dynamic_iota %[[S]], dim = 0 : (tensor<1xi32>) -> tensor<?xi8>
  %1 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi8>
  // CHECK-DAG: %[[WIDE:.*]] = stablehlo.convert %[[T]] : (tensor<3xi32>) -> tensor<3xi64>
  // CHECK-DAG: %[[LAST:.*]] = stablehlo.slice %[[WIDE]] [2:3]
  // CHECK-DAG: %[[ROW:.*]] = stablehlo.dynamic_iota %[[LAST]], dim = 0 : (tensor<1xi64>) -> tensor<?xi8>
  // CHECK-DAG: %[[ROWS:.*]] = stablehlo.dynamic_broadcast_in_dim %[[ROW]], %[[T]], dims = [2]
  %2 = stablehlo.dynamic_iota %t, dim = 2 : (tensor<3xi32>) -> tensor<?x2x?xi8>
  // CHECK: return %[[FIVE]], %[[SOME]], %[[ROWS]]
  return %0, %1, %2 : tensor<5xi8>, tensor<?xi8>, tensor<?x2x?xi8>
}

// CHECK-LABEL: @pads
// CHECK-SAME: (%[[X:.*]]: tensor<3xf32>, %[[V:.*]]: tensor<f32>, %[[P:.*]]: tensor<1xi64>)
func.func @pads(%x: tensor<3xf32>, %v: tensor<f32>, %p: tensor<1xi64>) -> (tensor<8xf32>, tensor<?xf32>) {
  %one = stablehlo.constant dense<1> : tensor<1xi64>
  %two = arith.constant dense<2> : tensor<1xi64>
  // CHECK: stablehlo.pad %[[X]], %[[V]], low = [1], high = [2], interior = [1]
  %0 = stablehlo.dynamic_pad %x, %v, %one, %two, %one : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<8xf32>
  // CHECK: stablehlo.dynamic_pad %[[X]], %[[V]], %[[P]],
  %1 = stablehlo.dynamic_pad %x, %v, %p, %one, %one : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0, %1 : tensor<8xf32>, tensor<?xf32>
}

// CHECK-LABEL: @convolutions
// CHECK-SAME: (%[[X:.*]]: tensor<1x8x8x3xf32>, %[[Y:.*]]: tensor<3x3x3x4xf32>, %[[P:.*]]: tensor<2x2xi32>)
func.func @convolutions(%x: tensor<1x8x8x3xf32>, %y: tensor<3x3x3x4xf32>, %p: tensor<2x2xi32>) -> (tensor<1x9x8x4xf32>, tensor<1x?x?x4xf32>) {
  %padding = stablehlo.constant dense<[[1, 2], [0, 2]]> : tensor<2x2xi32>
  // CHECK: stablehlo.convolution(%[[X]], %[[Y]])
  // CHECK-SAME: pad = {{\[\[}}1, 2], [0, 2]]
  %0 = "stablehlo.dynamic_conv"(%x, %y, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>, tensor<2x2xi32>) -> tensor<1x9x8x4xf32>
  // CHECK: "stablehlo.dynamic_conv"(%[[X]], %[[Y]], %[[P]])
  %1 = "stablehlo.dynamic_conv"(%x, %y, %p) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>, tensor<2x2xi32>) -> tensor<1x?x?x4xf32>
  return %0, %1 : tensor<1x9x8x4xf32>, tensor<1x?x?x4xf32>
}

// CHECK-LABEL: @reshapes
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[S:.*]]: tensor<2xi32>, %[[T:.*]]: tensor<2xi32>)
func.func @reshapes(%x: tensor<?xf32>, %s: tensor<2xi32>, %t: tensor<2xi32>) -> (tensor<?x?xf32>, tensor<3x2xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK-DAG: %[[A:.*]] = stablehlo.dynamic_reshape %[[X]], %[[T]]
  %1 = stablehlo.dynamic_reshape %0, %t : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.reshape %[[X]] : (tensor<?xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  // CHECK-DAG: %[[SHAPED:.*]] = stablehlo.dynamic_reshape %[[X]], %[[S]]
  // CHECK-DAG: %[[C:.*]] = stablehlo.exponential %[[SHAPED]]
  %3 = stablehlo.exponential %0 : tensor<?x?xf32>
  %4 = stablehlo.dynamic_reshape %3, %s : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK-DAG: %[[D:.*]] = stablehlo.dynamic_reshape %[[C]], %[[T]]
  %5 = stablehlo.dynamic_reshape %3, %t : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
  return %1, %2, %4, %5 : tensor<?x?xf32>, tensor<3x2xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: @shape_of_reshape
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[S:.*]]: tensor<2xindex>, %[[T:.*]]: tensor<2xi32>)
func.func @shape_of_reshape(%x: tensor<?xf32>, %s: tensor<2xindex>, %t: tensor<2xi32>) -> (tensor<2xindex>, tensor<2xindex>) {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %1 = shape.shape_of %0 : tensor<?x?xf32> -> tensor<2xindex>
  // Its sizes are of another type.
  %2 = stablehlo.dynamic_reshape %x, %t : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: %[[KEPT:.*]] = shape.shape_of
  %3 = shape.shape_of %2 : tensor<?x?xf32> -> tensor<2xindex>
  // CHECK: return %[[S]], %[[KEPT]]
  return %1, %3 : tensor<2xindex>, tensor<2xindex>
}

// CHECK-LABEL: @real_dynamic_slices
// CHECK-SAME: (%[[X:.*]]: tensor<?x9xf32>, %[[I:.*]]: tensor<2xi64>, %[[N:.*]]: tensor<2xi64>)
func.func @real_dynamic_slices(%x: tensor<?x9xf32>, %i: tensor<2xi64>, %n: tensor<2xi64>) -> (tensor<2x4xf32>, tensor<2x3xf32>, tensor<?x?xf32>, tensor<2x2xf32>) {
  %ones = stablehlo.constant dense<1> : tensor<2xi64>
  %starts = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %limits = stablehlo.constant dense<[3, 8]> : tensor<2xi64>
  %strides = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %sizes = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // CHECK-DAG: stablehlo.slice %[[X]] [1:3, 0:8:2] : (tensor<?x9xf32>) -> tensor<2x4xf32>
  %0 = stablehlo.real_dynamic_slice %x, %starts, %limits, %strides : (tensor<?x9xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x4xf32>
  // CHECK-DAG: %[[ROW:.*]] = stablehlo.reshape %{{.*}} : (tensor<1xi64>) -> tensor<i64>
  // CHECK-DAG: stablehlo.dynamic_slice %[[X]], %[[ROW]], %{{.*}}, sizes = [2, 3]
  %1 = stablehlo.add %sizes, %i : tensor<2xi64>
  %2 = stablehlo.real_dynamic_slice %x, %i, %1, %ones : (tensor<?x9xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>
  // CHECK-DAG: stablehlo.real_dynamic_slice %[[X]], %[[I]], %[[N]],
  %3 = stablehlo.real_dynamic_slice %x, %i, %n, %ones : (tensor<?x9xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK-DAG: stablehlo.real_dynamic_slice %[[X]], %[[I]], %{{.*}} : (tensor<?x9xf32>, {{.*}}) -> tensor<2x2xf32>
  %4 = stablehlo.real_dynamic_slice %x, %i, %1, %strides : (tensor<?x9xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xf32>
  return %0, %2, %3, %4 : tensor<2x4xf32>, tensor<2x3xf32>, tensor<?x?xf32>, tensor<2x2xf32>
}

// CHECK-LABEL: @dimension_sizes
// CHECK-SAME: (%[[X:.*]]: tensor<?x7xf32>, %[[Y:.*]]: tensor<7xf32>, %[[N:.*]]: tensor<i32>)
func.func @dimension_sizes(%x: tensor<?x7xf32>, %y: tensor<7xf32>, %n: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<7xf32>, tensor<?xf32, #stablehlo.bounds<7>>) {
  // CHECK-DAG: %[[SEVEN:.*]] = stablehlo.constant dense<7>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x7xf32>) -> tensor<i32>
  // CHECK-DAG: %[[ROWS:.*]] = stablehlo.get_dimension_size %[[X]], dim = 0
  %1 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x7xf32>) -> tensor<i32>
  %2 = stablehlo.set_dimension_size %y, %seven, dim = 0 : (tensor<7xf32>, tensor<i32>) -> tensor<7xf32>
  // CHECK-DAG: %[[SOME:.*]] = stablehlo.set_dimension_size %[[Y]], %[[N]], dim = 0
  %3 = stablehlo.set_dimension_size %y, %n, dim = 0 : (tensor<7xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<7>>
  // CHECK: return %[[SEVEN]], %[[ROWS]], %[[Y]], %[[SOME]]
  return %0, %1, %2, %3 : tensor<i32>, tensor<i32>, tensor<7xf32>, tensor<?xf32, #stablehlo.bounds<7>>
}
