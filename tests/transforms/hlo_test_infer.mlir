// RUN: stablehlo-opt --hlo-test-infer --allow-unregistered-dialect --verify-diagnostics %s | FileCheck %s

// What cannot be answered stays a question.

// CHECK-LABEL: func.func @nobody_to_ask(
// CHECK-NEXT: "hlo_test_infer.get_return_types"(%arg0)
// CHECK-NEXT: "hlo_test_infer.get_return_types"()
// CHECK-NEXT: "hlo_test_infer.get_return_type_components"(%arg0, %arg0)
func.func @nobody_to_ask(%a: tensor<2xf32>) {
  "hlo_test_infer.get_return_types"(%a) : (tensor<2xf32>) -> ()
  "hlo_test_infer.get_return_types"() : () -> ()
  "hlo_test_infer.get_return_type_components"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @not_inferred(
// CHECK: "hlo_test_infer.get_return_types"(%{{.*}}) : (tensor<3x2xf32>)
// CHECK: "hlo_test_infer.get_return_type_components"(%{{.*}}) : (tensor<3x2xf32>)
// CHECK: "hlo_test_infer.reify_return_type_shapes"(%{{.*}}) : (tensor<3x2xf32>)
func.func @not_inferred(%a: tensor<2x3xf32>) -> tensor<2xindex> {
  %0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<3x2xf32>
  "hlo_test_infer.get_return_types"(%0) : (tensor<3x2xf32>) -> ()
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<3x2xf32>) -> tensor<2xindex>
  return %1 : tensor<2xindex>
}

// Types without components: `abs` tells what its result is, but not in parts.

// CHECK-LABEL: func.func @no_components(
// CHECK: "hlo_test_infer.get_return_type_components"
func.func @no_components(%a: tensor<2x3xf32>) {
  %0 = stablehlo.abs %a : tensor<2x3xf32>
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<2x3xf32>) -> ()
  return
}

// A bitcast to elements of another width has another dimension.

// CHECK-LABEL: func.func @bitcast_of_other_width(
// CHECK: "hlo_test_infer.reify_return_type_shapes"
func.func @bitcast_of_other_width(%a: tensor<?xf32>) -> tensor<2xindex> {
  %0 = stablehlo.bitcast_convert %a : (tensor<?xf32>) -> tensor<?x4xi8>
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x4xi8>) -> tensor<2xindex>
  return %1 : tensor<2xindex>
}

// CHECK-LABEL: func.func @broadcast_dimensions(
// CHECK: "hlo_test_infer.reify_return_type_shapes"
func.func @broadcast_dimensions(%a: tensor<?xf32>, %b: tensor<?x?xf32>) -> tensor<2xindex> {
  // expected-warning@+1 {{unsupported non prefix-padded dynamic rank broadcast_dimensions = array<i64: 0>}}
  %0 = chlo.broadcast_power %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %1 : tensor<2xindex>
}

// Questions within regions, about operations that use values from outside.

// CHECK-LABEL: func.func @within_a_region(
// CHECK: stablehlo.map
// CHECK: "hlo_test_infer.return_types"(%{{.*}}) {types0 = tensor<4xf32>}
func.func @within_a_region(%pred: tensor<i1>, %a: tensor<4xf32>, %k: tensor<f32>) {
  %0 = "stablehlo.if"(%pred) ({
    %1 = "stablehlo.map"(%a) ({
    ^bb0(%x: tensor<f32>):
      %2 = stablehlo.multiply %x, %k : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<?xf32>
    "hlo_test_infer.get_return_types"(%1) : (tensor<?xf32>) -> ()
    stablehlo.return %1 : tensor<?xf32>
  }, {
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return
}
