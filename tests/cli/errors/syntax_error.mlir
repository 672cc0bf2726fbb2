// RUN: not stablehlo-translate --interpret %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
// RUN: cat %s | not stablehlo-translate --interpret 2>&1 | FileCheck %s --check-prefix=STDIN

//      CHECK:{{.*}}syntax_error.mlir:10:13: error: {{.*}}'stablehlo.nothing'{{.*}}
// CHECK-NEXT:  %result = stablehlo.nothing : tensor<f32>
// CHECK-NEXT:            ^
// STDIN: <stdin>:10:

func.func @main() -> tensor<f32> {
  %result = stablehlo.nothing : tensor<f32>
  func.return %result : tensor<f32>
}
