// RUN: stablehlo-translate %s --interpret --args="[dense<1> : tensor<2xi32>, dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>]" | FileCheck %s
// RUN: stablehlo-translate %s --interpret --args="[dense<1> : tensor<2xi32>]" --args "[dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>]" | FileCheck %s
// RUN: cat %s | stablehlo-translate --interpret --args="[dense<1> : tensor<2xi32>, dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>]" | FileCheck %s
// RUN: hlokit run %s "dense<1> : tensor<2xi32>" "dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>" | FileCheck %s

// CHECK:      tensor<1xcomplex<f32>> {
// CHECK-NEXT:   {{\[\[}}1.000000e+00, 2.000000e+00]]
// CHECK-NEXT: }
// CHECK-NEXT: tensor<2xi32> {
// CHECK-NEXT:   [1, 1]
// CHECK-NEXT: }

// RUN: not stablehlo-translate %s --interpret 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: arguments.mlir: error: @main must be called with 2 arguments, got 0

// RUN: not stablehlo-translate %s --interpret --args="[dense<1> : tensor<3xi32>, dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>]" 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: arguments.mlir: error: @main: argument 0 must have type tensor<2xi32>, got tensor<3xi32>

// RUN: not stablehlo-translate %s --interpret --args="[dense<1> : tensor<2xi32>, dense<1.0> : tensor<1xf32>]" 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: arguments.mlir: error: @main: argument 1 must have type tensor<1xcomplex<f32>>, got tensor<1xf32>

// RUN: not stablehlo-translate %s --interpret --args="not_array" 2>&1 | FileCheck %s --check-prefix=NOT-ARRAY
// NOT-ARRAY: error: expectected array attribute string for args, i.e. --args=[dense<1> : tensor<2xi32>, ...]

// RUN: not stablehlo-translate %s --interpret --args="[4.0 : f32]" 2>&1 | FileCheck %s --check-prefix=NOT-DENSE
// NOT-DENSE: error: expected dense elements attribute for args elements, i.e. --args=[dense<1> : tensor<2xi32>, ...]

// RUN: not stablehlo-translate %s --interpret --args=%t.missing.npy 2>&1 | FileCheck %s --check-prefix=NO-FILE
// NO-FILE: error: cannot read arguments from '{{.*}}missing.npy': no such file or directory

// RUN: echo nothing > %t.broken.npz
// RUN: not stablehlo-translate %s --interpret --args=%t.broken.npz 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: cannot read arguments from '{{.*}}broken.npz'

func.func @main(%arg0: tensor<2xi32>, %arg1: tensor<1xcomplex<f32>>) -> (tensor<1xcomplex<f32>>, tensor<2xi32>) {
  func.return %arg1, %arg0 : tensor<1xcomplex<f32>>, tensor<2xi32>
}
