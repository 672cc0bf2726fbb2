// RUN: stablehlo-opt --reconcile-unrealized-casts %s | FileCheck %s

// Casts there and back again cancel.

// CHECK-LABEL: func.func @there_and_back(
// CHECK-NEXT: return %arg0 : tensor<2xindex>
func.func @there_and_back(%a: tensor<2xindex>) -> tensor<2xindex> {
  %0 = builtin.unrealized_conversion_cast %a : tensor<2xindex> to tensor<2xi32>
  %1 = builtin.unrealized_conversion_cast %0 : tensor<2xi32> to tensor<2xindex>
  return %1 : tensor<2xindex>
}

// CHECK-LABEL: func.func @a_longer_way(
// CHECK-NEXT: return %arg0 : index
func.func @a_longer_way(%a: index) -> index {
  %0 = builtin.unrealized_conversion_cast %a : index to i32
  %1 = builtin.unrealized_conversion_cast %0 : i32 to i64
  %2 = builtin.unrealized_conversion_cast %1 : i64 to index
  return %2 : index
}

// What is still used stays.

// CHECK-LABEL: func.func @used_between(
// CHECK-NEXT: %[[I:.*]] = builtin.unrealized_conversion_cast %arg0 : index to i32
// CHECK-NEXT: return %arg0, %[[I]] : index, i32
func.func @used_between(%a: index) -> (index, i32) {
  %0 = builtin.unrealized_conversion_cast %a : index to i32
  %1 = builtin.unrealized_conversion_cast %0 : i32 to index
  return %1, %0 : index, i32
}

// CHECK-LABEL: func.func @never_back(
// CHECK-NEXT: builtin.unrealized_conversion_cast %arg0 : index to i32
// CHECK-NEXT: %[[J:.*]] = builtin.unrealized_conversion_cast %{{.*}} : i32 to i64
// CHECK-NEXT: return %[[J]] : i64
func.func @never_back(%a: index) -> i64 {
  %0 = builtin.unrealized_conversion_cast %a : index to i32
  %1 = builtin.unrealized_conversion_cast %0 : i32 to i64
  return %1 : i64
}

// Several values are cast together, and come back together.

// CHECK-LABEL: func.func @several(
// CHECK-NEXT: return %arg0, %arg1 : index, f32
func.func @several(%a: index, %b: f32) -> (index, f32) {
  %0:2 = builtin.unrealized_conversion_cast %a, %b : index, f32 to i32, i16
  %1:2 = builtin.unrealized_conversion_cast %0#0, %0#1 : i32, i16 to index, f32
  return %1#0, %1#1 : index, f32
}

// CHECK-LABEL: func.func @crossed(
// CHECK-NEXT: %[[THERE:.*]]:2 = builtin.unrealized_conversion_cast %arg0, %arg1
// CHECK-NEXT: %[[BACK:.*]]:2 = builtin.unrealized_conversion_cast %[[THERE]]#1, %[[THERE]]#0
// CHECK-NEXT: return %[[BACK]]#0, %[[BACK]]#1 : index, index
func.func @crossed(%a: index, %b: index) -> (index, index) {
  %0:2 = builtin.unrealized_conversion_cast %a, %b : index, index to i32, i32
  %1:2 = builtin.unrealized_conversion_cast %0#1, %0#0 : i32, i32 to index, index
  return %1#0, %1#1 : index, index
}

// CHECK-LABEL: func.func @dead(
// CHECK-NEXT: return
func.func @dead(%a: index) {
  %0 = builtin.unrealized_conversion_cast %a : index to i32
  return
}
