// RUN: stablehlo-translate --interpret --args="[dense<1> : tensor<1xi8>, dense<2> : tensor<1xi8>]" %s | FileCheck %s
// RUN: stablehlo-translate --interpret --num-replicas=3 --args="[dense<7> : tensor<1xi8>]" %s | FileCheck %s --check-prefix=SAME
// RUN: not stablehlo-translate --interpret --args="[dense<1> : tensor<1xi8>, dense<2> : tensor<1xi8>, dense<3> : tensor<1xi8>]" %s 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not stablehlo-translate --interpret --num-partitions=0 %s 2>&1 | FileCheck %s --check-prefix=POSITIVE
// RUN: not stablehlo-translate --interpret --num-replicas=99999999999 %s 2>&1 | FileCheck %s --check-prefix=MOST

// The arguments of one process after the other, and results likewise.
// CHECK:      tensor<2xi8> {
// CHECK-NEXT:   [1, 2]
// CHECK-NEXT: }
// CHECK-NEXT: tensor<ui32> {0}
// CHECK:        [1, 2]
// CHECK-NEXT: }
// CHECK-NEXT: tensor<ui32> {1}

// SAME:     [7, 7, 7]
// SAME:     tensor<ui32> {2}

// COUNT: error: @main must be called with 1 argument, or 1 for each of 2 processes, got 3

// MOST: error: the process grid must have at most 1048576 processes, got 99999999999

// POSITIVE: error: --num-partitions must be a positive number, got '0'

module attributes {mhlo.num_replicas = 2 : i32} {
  func.func @main(%operand: tensor<1xi8>) -> (tensor<?xi8>, tensor<ui32>) {
    %0 = "stablehlo.all_gather"(%operand) {all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>}
      : (tensor<1xi8>) -> tensor<?xi8>
    %1 = stablehlo.replica_id : tensor<ui32>
    return %0, %1 : tensor<?xi8>, tensor<ui32>
  }
}
