// RUN: not hlokit verify %S/output.mlir %s /no/such.mlir | FileCheck %s

// CHECK: verify_all.mlir:{{[0-9]+}}:8: error: 'stablehlo.add' op requires the same shape
// CHECK-NEXT: %0 = "stablehlo.add"
// CHECK-NEXT: {{^ +\^$}}
// CHECK: /no/such.mlir: error: cannot open input file '/no/such.mlir'
func.func @f(%a: tensor<2xf32>, %b: tensor<1xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.add"(%a, %b) : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
