// REQUIRES: collective_reduce
// RUN: stablehlo-opt --hlo-test-infer --allow-unregistered-dialect %s | FileCheck %s

// What is inferred for the result of an operation that only newer bindings know.

// CHECK-LABEL: func.func @collective_reduce_c3_loses_bounds(
func.func @collective_reduce_c3_loses_bounds(%operand: tensor<?x3xf32, #stablehlo.bounds<5, ?>>) {
  %0 = "stablehlo.collective_reduce"(%operand) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?x3xf32, #stablehlo.bounds<5, ?>>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}
