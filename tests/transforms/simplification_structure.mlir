// RUN: stablehlo-opt --stablehlo-aggressive-simplification %s | FileCheck %s

// CHECK-LABEL: @tuples
// CHECK-SAME: (%[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<2xi8>, %[[T:.*]]: tuple<tensor<f32>, tensor<2xi8>>)
func.func @tuples(%x: tensor<f32>, %y: tensor<2xi8>, %t: tuple<tensor<f32>, tensor<2xi8>>) -> (tensor<2xi8>, tuple<tensor<f32>, tensor<2xi8>>, tuple<tensor<2xi8>, tensor<f32>>, tuple<tensor<f32>>) {
  %0 = stablehlo.tuple %x, %y : tuple<tensor<f32>, tensor<2xi8>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<f32>, tensor<2xi8>>) -> tensor<2xi8>
  %2 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>, tensor<2xi8>>) -> tensor<f32>
  %3 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<2xi8>>) -> tensor<2xi8>
  %4 = stablehlo.tuple %2, %3 : tuple<tensor<f32>, tensor<2xi8>>
  // CHECK: %[[TURNED:.*]] = stablehlo.tuple
  %5 = stablehlo.tuple %3, %2 : tuple<tensor<2xi8>, tensor<f32>>
  // CHECK: %[[PART:.*]] = stablehlo.tuple
  %6 = stablehlo.tuple %2 : tuple<tensor<f32>>
  // CHECK: return %[[Y]], %[[T]], %[[TURNED]], %[[PART]]
  return %1, %4, %5, %6 : tensor<2xi8>, tuple<tensor<f32>, tensor<2xi8>>, tuple<tensor<2xi8>, tensor<f32>>, tuple<tensor<f32>>
}

// CHECK-LABEL: @calls
func.func @calls(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  // CHECK: stablehlo.custom_call @plain(%{{.*}}) {api_version = 4 : i32, backend_config = {depth = 3 : i64}, other.note = 1 : i64}
  %0 = stablehlo.custom_call @plain(%x) {mhlo.backend_config = {depth = 3}, other.note = 1} : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.custom_call @configured(%{{.*}}) {backend_config = "own", mhlo.backend_config = {depth = 3 : i64}}
  %1 = stablehlo.custom_call @configured(%x) {backend_config = "own", mhlo.backend_config = {depth = 3}} : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.custom_call @newer(%{{.*}}) {api_version = 2 : i32, mhlo.backend_config = {depth = 3 : i64}}
  %2 = stablehlo.custom_call @newer(%x) {api_version = 2 : i32, mhlo.backend_config = {depth = 3}} : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @unused
// CHECK-NOT: @pure
// CHECK: stablehlo.composite "my.op" %{{.*}} {decomposition = @printing}
// CHECK-NOT: stablehlo.custom_call @quiet
// CHECK: stablehlo.custom_call @loud
// CHECK: return
func.func @unused(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.composite "my.op" %x {decomposition = @pure} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.composite "my.op" %x {decomposition = @printing} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.custom_call @quiet(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %3 = stablehlo.custom_call @loud(%x) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
  return %x : tensor<2xf32>
}
func.func private @pure(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @printing(%x: tensor<2xf32>) -> tensor<2xf32> {
  stablehlo.custom_call @print(%x) {has_side_effect = true} : (tensor<2xf32>) -> ()
  return %x : tensor<2xf32>
}

// CHECK-LABEL: @without_elements
// CHECK-SAME: (%[[X:.*]]: tensor<0x3xcomplex<f32>>, %[[D:.*]]: tensor<?x0xi8>)
func.func @without_elements(%x: tensor<0x3xcomplex<f32>>, %d: tensor<?x0xi8>) -> (tensor<0x3xcomplex<f32>>, tensor<0xi1>, tensor<?x0xi8>) {
  // CHECK-DAG: %[[EMPTY:.*]] = stablehlo.constant dense<> : tensor<0x3xcomplex<f32>>
  %0 = stablehlo.sine %x : tensor<0x3xcomplex<f32>>
  // CHECK-DAG: %[[FLAGS:.*]] = stablehlo.constant dense<> : tensor<0xi1>
  %1 = stablehlo.custom_call @flags() : () -> tensor<0xi1>
  // CHECK-DAG: %[[UNKNOWN:.*]] = stablehlo.add %[[D]], %[[D]]
  %2 = stablehlo.add %d, %d : tensor<?x0xi8>
  // CHECK: return %[[EMPTY]], %[[FLAGS]], %[[UNKNOWN]]
  return %0, %1, %2 : tensor<0x3xcomplex<f32>>, tensor<0xi1>, tensor<?x0xi8>
}

// CHECK-LABEL: @operands_without_elements
// CHECK-SAME: (%[[X:.*]]: tensor<0xf32>, %[[Y:.*]]: tensor<2xf32>)
// CHECK: %[[EMPTY:.*]] = stablehlo.constant dense<>
// CHECK: stablehlo.custom_call @quiet(%[[EMPTY]], %[[Y]])
// CHECK: stablehlo.custom_call @loud(%[[X]], %[[Y]])
func.func @operands_without_elements(%x: tensor<0xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @quiet(%x, %y) : (tensor<0xf32>, tensor<2xf32>) -> tensor<2xf32>
  stablehlo.custom_call @loud(%x, %y) {has_side_effect = true} : (tensor<0xf32>, tensor<2xf32>) -> ()
  return %0 : tensor<2xf32>
}
