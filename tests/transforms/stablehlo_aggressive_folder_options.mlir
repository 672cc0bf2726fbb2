// RUN: stablehlo-opt --stablehlo-aggressive-folder=optimize-float=false --split-input-file %s | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: stablehlo-opt --stablehlo-aggressive-folder="assume-no-undeclared-side-effects=true fold-op-element-limit=0" --split-input-file %s | FileCheck %s --check-prefixes=CHECK,PURE
// RUN: stablehlo-opt --stablehlo-aggressive-folder=fold-op-element-limit=-1 --split-input-file %s | FileCheck %s --check-prefixes=CHECK,NOLIMIT
// RUN: not stablehlo-opt --stablehlo-aggressive-folder=fold-op-element-limit=many %s 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not stablehlo-opt --stablehlo-aggressive-folder=optimize-floats=false %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// ERROR: option fold-op-element-limit must be an integer, got 'many'
// UNKNOWN: no such option optimize-floats

// What rounds, and what upstream's pass leaves alone with it, is not folded where floats are to be left alone.
// CHECK-LABEL: func.func @floats
// EXACT-DAG: stablehlo.add %{{.*}} : tensor<2xf32>
// EXACT-DAG: stablehlo.cosine
// EXACT-DAG: stablehlo.convert
// EXACT-DAG: stablehlo.dot
// EXACT-DAG: %[[LESS:.*]] = stablehlo.constant dense<[true, false]> : tensor<2xi1>
// EXACT-DAG: %[[NEGATED:.*]] = stablehlo.constant dense<[-1.500000e+00, -2.500000e+00]> : tensor<2xf32>
// EXACT: return %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[LESS]], %[[NEGATED]]
// NOLIMIT-NOT: stablehlo.{{[a-b,d-z]}}
// NOLIMIT: return
func.func @floats() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<f32>, tensor<2xi1>, tensor<2xf32>) {
  %a = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf32>
  %b = stablehlo.constant dense<[3.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.add %a, %b : tensor<2xf32>
  %1 = stablehlo.cosine %a : tensor<2xf32>
  %2 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xi32>
  %3 = stablehlo.dot %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  %4 = stablehlo.compare LT, %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %5 = stablehlo.negate %a : tensor<2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<f32>, tensor<2xi1>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @integers
// EXACT: %[[C:.*]] = stablehlo.constant dense<[6, 8]> : tensor<2xi32>
// EXACT: return %[[C]]
// PURE: %[[SPLAT:.*]] = stablehlo.constant dense<4> : tensor<3xi32>
// PURE: %[[SUM:.*]] = stablehlo.add
// PURE-NEXT: return %[[SUM]], %[[SPLAT]]
func.func @integers() -> (tensor<2xi32>, tensor<3xi32>) {
  %a = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %c = stablehlo.constant dense<2> : tensor<3xi32>
  %0 = stablehlo.add %a, %a : tensor<2xi32>
  %1 = stablehlo.multiply %c, %c : tensor<3xi32>
  return %0, %1 : tensor<2xi32>, tensor<3xi32>
}

// -----

// CHECK-LABEL: func.func @large
// NOLIMIT: stablehlo.constant dense<"0x{{.*}}"> : tensor<300x300xi8>
// NOLIMIT-NOT: stablehlo.broadcast_in_dim
// EXACT: stablehlo.broadcast_in_dim
func.func @large() -> tensor<300x300xi8> {
  %a = stablehlo.constant dense<"0x0001020304050607080900010203040506070809000102030405060708090001020304050607080900010203040506070809"> : tensor<50xi8>
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<50xi8>) -> tensor<1800x50xi8>
  %1 = stablehlo.reshape %0 : (tensor<1800x50xi8>) -> tensor<300x300xi8>
  return %1 : tensor<300x300xi8>
}

// -----

// CHECK-LABEL: func.func @call_in_a_loop_that_never_runs
// PURE-NOT: stablehlo.while
// NOLIMIT: stablehlo.while
// EXACT: stablehlo.while
// CHECK: return
func.func @call_in_a_loop_that_never_runs(%x: tensor<f64>) -> tensor<f64> {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.while(%i = %x) : tensor<f64>
  cond {
    stablehlo.return %false : tensor<i1>
  } do {
    %next = func.call @f(%i) : (tensor<f64>) -> tensor<f64>
    stablehlo.return %next : tensor<f64>
  }
  return %0 : tensor<f64>
}
func.func private @f(tensor<f64>) -> tensor<f64>

// -----

// CHECK-LABEL: func.func @declared_effects_in_a_loop_that_never_runs
// CHECK: stablehlo.while
// CHECK: return
func.func @declared_effects_in_a_loop_that_never_runs(%x: tensor<f64>) -> tensor<f64> {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.while(%i = %x) : tensor<f64>
  cond {
    stablehlo.return %false : tensor<i1>
  } do {
    %next = stablehlo.custom_call @print(%i) {has_side_effect = true} : (tensor<f64>) -> tensor<f64>
    stablehlo.return %next : tensor<f64>
  }
  return %0 : tensor<f64>
}
