// RUN: stablehlo-opt --chlo-pre-serialization-pipeline %s | FileCheck %s
// RUN: stablehlo-opt --pass-pipeline='builtin.module(chlo-pre-serialization-pipeline)' %s | stablehlo-translate --serialize --target=current | stablehlo-translate --deserialize | FileCheck %s

// CHECK-LABEL: func.func @static(
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<5xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %arg0, %[[B]]
// CHECK-NEXT: return %[[SUM]]
func.func @static(%a: tensor<3x5xf32>, %b: tensor<5xf32>) -> tensor<3x5xf32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<3x5xf32>, tensor<5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// Shapes are computed by StableHLO too, and no casts between the dialects are left.

// CHECK-LABEL: func.func @dynamic(
// CHECK-DAG: %[[VALUE:.*]] = stablehlo.constant dense<2.500000e+00> : tensor<f64>
// CHECK-DAG: %[[ROWS:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
// CHECK-DAG: %[[COLUMNS:.*]] = stablehlo.get_dimension_size %arg0, dim = 1
// CHECK: %[[SHAPE:.*]] = stablehlo.concatenate
// CHECK-NEXT: %[[ALL:.*]] = stablehlo.dynamic_broadcast_in_dim %[[VALUE]], %[[SHAPE]], dims = []
// CHECK-NEXT: return %[[ALL]]
func.func @dynamic(%a: tensor<?x2xf32>) -> tensor<?x2xf64> {
  %0 = "chlo.constant_like"(%a) {value = 2.5 : f64} : (tensor<?x2xf32>) -> tensor<?x2xf64>
  return %0 : tensor<?x2xf64>
}
