// RUN: stablehlo-opt --stablehlo-aggressive-simplification=fold-op-element-limit=3 %s | FileCheck %s
// RUN: stablehlo-opt --pass-pipeline='builtin.module(func.func(stablehlo-aggressive-simplification{fold-op-element-limit=4}))' %s | FileCheck %s --check-prefix=LARGER
// RUN: not stablehlo-opt --stablehlo-aggressive-simplification=fold-op-element-limit=many %s 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: option fold-op-element-limit must be an integer, got 'many'

// CHECK-LABEL: @selected
// CHECK: stablehlo.select
// LARGER-LABEL: @selected
// LARGER-NOT: stablehlo.select
// LARGER: stablehlo.constant dense<{{\[\[}}1.000000e+00, 6.000000e+00], [3.000000e+00, 8.000000e+00]]>
func.func @selected() -> tensor<2x2xf32> {
  %p = stablehlo.constant dense<[[true, false], [true, false]]> : tensor<2x2xi1>
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %y = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %0 = stablehlo.select %p, %x, %y : tensor<2x2xi1>, tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
