// RUN: stablehlo-opt --stablehlo-target-independent-optimization --split-input-file %s | FileCheck %s
// RUN: stablehlo-opt --stablehlo-target-independent-optimization=optimize-float=false --split-input-file %s | FileCheck %s --check-prefix=EXACT

// Simplified so that there is something to fold, and folded so that there is something to simplify.
// CHECK-LABEL: func.func @fold_and_simplify
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xi32>)
// CHECK-NEXT: return %[[X]]
func.func @fold_and_simplify(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %a = stablehlo.constant dense<3> : tensor<2x3xi32>
  %b = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  %zero = stablehlo.subtract %a, %0 : tensor<2x3xi32>
  %1 = stablehlo.add %zero, %x : tensor<2x3xi32>
  %2 = stablehlo.compare EQ, %0, %a : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
  %3 = stablehlo.select %2, %1, %zero : tensor<2x3xi1>, tensor<2x3xi32>
  return %3 : tensor<2x3xi32>
}

// -----

// CHECK-LABEL: func.func @reverse_of_a_splat
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<4> : tensor<2x3xi8>
// CHECK-NEXT: return %[[C]]
func.func @reverse_of_a_splat() -> tensor<2x3xi8> {
  %a = stablehlo.constant dense<2> : tensor<2x3xi8>
  %0 = stablehlo.reverse %a, dims = [0, 1] : tensor<2x3xi8>
  %1 = stablehlo.multiply %0, %a : tensor<2x3xi8>
  return %1 : tensor<2x3xi8>
}

// -----

// A float may be NaN or infinite, so that 0 times it stays.
// CHECK-LABEL: func.func @options_reach_the_folder
// CHECK-DAG: stablehlo.constant dense<1.250000e+00> : tensor<f32>
// CHECK: stablehlo.multiply
// EXACT-LABEL: func.func @options_reach_the_folder
// EXACT: stablehlo.add
// EXACT: stablehlo.multiply
func.func @options_reach_the_folder(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.constant dense<0.25> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.add %a, %b : tensor<f32>
  %1 = stablehlo.multiply %zero, %x : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @effects_in_a_loop_that_never_runs
// CHECK: stablehlo.while
// CHECK: return %arg0
func.func @effects_in_a_loop_that_never_runs(%x: tensor<i8>) -> tensor<i8> {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.while(%i = %x) : tensor<i8>
  cond {
    %never = stablehlo.and %false, %false : tensor<i1>
    stablehlo.return %never : tensor<i1>
  } do {
    %next = stablehlo.custom_call @print(%i) {has_side_effect = true} : (tensor<i8>) -> tensor<i8>
    stablehlo.return %next : tensor<i8>
  }
  return %0 : tensor<i8>
}
