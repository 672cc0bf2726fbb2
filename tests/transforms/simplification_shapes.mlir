// RUN: stablehlo-opt --stablehlo-aggressive-simplification %s | FileCheck %s

// CHECK-LABEL: @reshapes
// CHECK-SAME: (%[[X:.*]]: tensor<6xf32>)
func.func @reshapes(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<6x1xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.reshape %x : (tensor<6xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.reshape %1 : (tensor<3x2xf32>) -> tensor<6xf32>
  // CHECK-DAG: %[[A:.*]] = stablehlo.reshape %[[X]] : (tensor<6xf32>) -> tensor<6x1xf32>
  %3 = stablehlo.reshape %1 : (tensor<3x2xf32>) -> tensor<6x1xf32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.reshape %[[X]] : (tensor<6xf32>) -> tensor<2x3xf32>
  // CHECK: return %[[X]], %[[A]], %[[B]]
  return %2, %3, %0 : tensor<6xf32>, tensor<6x1xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: @transposes
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xi8>, %[[Y:.*]]: tensor<1x3x1xi8>)
func.func @transposes(%x: tensor<2x3x4xi8>, %y: tensor<1x3x1xi8>) -> (tensor<2x3x4xi8>, tensor<3x4x2xi8>, tensor<3x1x1xi8>, tensor<4x3x2xi8>) {
  %0 = stablehlo.transpose %x, dims = [0, 1, 2] : (tensor<2x3x4xi8>) -> tensor<2x3x4xi8>
  %1 = stablehlo.transpose %x, dims = [2, 1, 0] : (tensor<2x3x4xi8>) -> tensor<4x3x2xi8>
  // CHECK-DAG: %[[TURNED:.*]] = stablehlo.transpose %[[X]], dims = [1, 2, 0]
  %2 = stablehlo.transpose %1, dims = [1, 0, 2] : (tensor<4x3x2xi8>) -> tensor<3x4x2xi8>
  // CHECK-DAG: %[[FLAT:.*]] = stablehlo.reshape %[[Y]]
  %3 = stablehlo.transpose %y, dims = [1, 0, 2] : (tensor<1x3x1xi8>) -> tensor<3x1x1xi8>
  // CHECK-DAG: %[[KEPT:.*]] = stablehlo.transpose %[[X]], dims = [2, 1, 0]
  // CHECK: return %[[X]], %[[TURNED]], %[[FLAT]], %[[KEPT]]
  return %0, %2, %3, %1 : tensor<2x3x4xi8>, tensor<3x4x2xi8>, tensor<3x1x1xi8>, tensor<4x3x2xi8>
}

// CHECK-LABEL: @broadcasts
// CHECK-SAME: (%[[X:.*]]: tensor<4x5xf16>)
func.func @broadcasts(%x: tensor<4x5xf16>) -> (tensor<4x5xf16>, tensor<4x1x5xf16>, tensor<5x4xf16>, tensor<5x4x2xf16>, tensor<1x5x4xf16>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<4x5xf16>) -> tensor<4x5xf16>
  // CHECK-DAG: %[[SPREAD:.*]] = stablehlo.reshape %[[X]] : (tensor<4x5xf16>) -> tensor<4x1x5xf16>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x5xf16>) -> tensor<4x1x5xf16>
  // CHECK-DAG: %[[TURNED:.*]] = stablehlo.transpose %[[X]], dims = [1, 0]
  %2 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<4x5xf16>) -> tensor<5x4xf16>
  %3 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<4x5xf16>) -> tensor<4x5x2xf16>
  // CHECK-DAG: %[[MERGED:.*]] = stablehlo.broadcast_in_dim %[[X]], dims = [1, 0]
  %4 = stablehlo.broadcast_in_dim %3, dims = [1, 0, 2] : (tensor<4x5x2xf16>) -> tensor<5x4x2xf16>
  // It permutes and adds a dimension: neither a reshape nor a transpose.
  // CHECK-DAG: %[[KEPT:.*]] = stablehlo.broadcast_in_dim %[[X]], dims = [2, 1]
  %5 = stablehlo.broadcast_in_dim %x, dims = [2, 1] : (tensor<4x5xf16>) -> tensor<1x5x4xf16>
  // CHECK: return %[[X]], %[[SPREAD]], %[[TURNED]], %[[MERGED]], %[[KEPT]]
  return %0, %1, %2, %4, %5 : tensor<4x5xf16>, tensor<4x1x5xf16>, tensor<5x4xf16>, tensor<5x4x2xf16>, tensor<1x5x4xf16>
}

// Dimension 0 of x is dimension 1 of the result, whose dimension 0 is dimension 2 of x.
// CHECK-LABEL: @broadcast_in_a_circle
// CHECK-SAME: (%[[X:.*]]: tensor<4x5x6xi8>)
func.func @broadcast_in_a_circle(%x: tensor<4x5x6xi8>) -> tensor<6x4x5xi8> {
  // CHECK: stablehlo.transpose %[[X]], dims = [2, 0, 1]
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2, 0] : (tensor<4x5x6xi8>) -> tensor<6x4x5xi8>
  return %0 : tensor<6x4x5xi8>
}

// CHECK-LABEL: @broadcast_of_reshape
// CHECK-SAME: (%[[X:.*]]: tensor<3xi1>)
func.func @broadcast_of_reshape(%x: tensor<3xi1>) -> tensor<3x7xi1> {
  // CHECK: %[[COLUMN:.*]] = stablehlo.reshape %[[X]]
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<3xi1>) -> tensor<3x1xi1>
  // CHECK: stablehlo.broadcast_in_dim %[[COLUMN]], dims = [0, 1]
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<3x1xi1>) -> tensor<3x7xi1>
  return %1 : tensor<3x7xi1>
}

// CHECK-LABEL: @iotas
func.func @iotas() -> (tensor<1x3xui16>, tensor<1xcomplex<f32>>, tensor<3x4xf64>, tensor<2xi1>) {
  // CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<1x3xui16>
  %0 = stablehlo.iota dim = 0 : tensor<1x3xui16>
  // CHECK-DAG: %[[COMPLEX:.*]] = stablehlo.constant dense<(0.000000e+00,0.000000e+00)>
  %1 = stablehlo.iota dim = 0 : tensor<1xcomplex<f32>>
  // CHECK-DAG: %[[ROW:.*]] = stablehlo.iota dim = 0 : tensor<4xf64>
  // CHECK-DAG: %[[ROWS:.*]] = stablehlo.broadcast_in_dim %[[ROW]], dims = [1]
  %2 = stablehlo.iota dim = 1 : tensor<3x4xf64>
  %3 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  // CHECK: return %[[ZERO]], %[[COMPLEX]], %[[ROWS]]
  return %0, %1, %2, %3 : tensor<1x3xui16>, tensor<1xcomplex<f32>>, tensor<3x4xf64>, tensor<2xi1>
}

// CHECK-LABEL: @reverses
// CHECK-SAME: (%[[X:.*]]: tensor<1x4xf32>, %[[D:.*]]: tensor<?x1xf32>)
func.func @reverses(%x: tensor<1x4xf32>, %d: tensor<?x1xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<3xi32>, tensor<?x1xf32>, tensor<1x4xf32>) {
  %c = stablehlo.constant dense<9> : tensor<3xi32>
  // CHECK: %[[C:.*]] = stablehlo.constant dense<9>
  %0 = stablehlo.reverse %x, dims = [] : tensor<1x4xf32>
  %1 = stablehlo.reverse %x, dims = [0] : tensor<1x4xf32>
  %2 = stablehlo.reverse %x, dims = [1] : tensor<1x4xf32>
  %3 = stablehlo.reverse %2, dims = [1] : tensor<1x4xf32>
  %4 = stablehlo.reverse %c, dims = [0] : tensor<3xi32>
  %5 = stablehlo.reverse %d, dims = [1] : tensor<?x1xf32>
  // CHECK: %[[KEPT:.*]] = stablehlo.reverse %[[X]], dims = [1]
  // CHECK: return %[[X]], %[[X]], %[[X]], %[[C]], %[[D]], %[[KEPT]]
  return %0, %1, %3, %4, %5, %2 : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<3xi32>, tensor<?x1xf32>, tensor<1x4xf32>
}

// CHECK-LABEL: @equal_computations
// CHECK-SAME: (%[[X:.*]]: tensor<2xi32>, %[[Y:.*]]: tensor<2xi32>)
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0>
// CHECK-NEXT: return %[[ZERO]]
func.func @equal_computations(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.multiply %x, %y : tensor<2xi32>
  %1 = stablehlo.multiply %x, %y : tensor<2xi32>
  %2 = stablehlo.subtract %0, %1 : tensor<2xi32>
  return %2 : tensor<2xi32>
}

// The barrier is there to keep the two apart.
// CHECK-LABEL: @equal_computations_kept
// CHECK-COUNT-2: stablehlo.multiply
// CHECK: stablehlo.optimization_barrier
func.func @equal_computations_kept(%x: tensor<2xi32>, %y: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %0 = stablehlo.multiply %x, %y : tensor<2xi32>
  %1 = stablehlo.multiply %x, %y : tensor<2xi32>
  %2 = stablehlo.optimization_barrier %1 : tensor<2xi32>
  return %0, %2 : tensor<2xi32>, tensor<2xi32>
}

// CHECK-LABEL: @dead_code
// CHECK-NOT: stablehlo.sine
// CHECK: stablehlo.outfeed
// CHECK-NOT: stablehlo.sine
func.func @dead_code(%x: tensor<2xf32>, %t: !stablehlo.token) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  %1 = stablehlo.cosine %0 : tensor<2xf32>
  %2 = "stablehlo.outfeed"(%x, %t) <{outfeed_config = ""}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return %x : tensor<2xf32>
}

// What stands at an operation that goes away goes to the one that takes its place.
// CHECK-LABEL: @discardable_attributes
// CHECK: stablehlo.negate %{{.*}} {mhlo.frontend_attributes = {a = "1", b = "2"}, mhlo.sharding = "{replicated}"}
// CHECK-NEXT: return
func.func @discardable_attributes(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x {mhlo.frontend_attributes = {a = "1", b = "0"}} : tensor<4xf32>
  %1 = stablehlo.reshape %0 {mhlo.frontend_attributes = {b = "2"}, mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
