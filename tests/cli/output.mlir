// RUN: stablehlo-translate %s --interpret --output=%t.npz | FileCheck %s --check-prefix=TEXT
// RUN: stablehlo-translate %s --interpret --function=again --args=%t.npz --interpreter-print-dense | FileCheck %s
// RUN: stablehlo-translate %s --interpret --function=again --args=%t.npz -o %t.txt
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t.txt
// RUN: not stablehlo-translate %s --interpret --output=%t.none/x.npz 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not stablehlo-translate %s --interpret -o %t.none/x.txt 2>&1 | FileCheck %s --check-prefix=TEXT-FOLDER
// RUN: not stablehlo-translate %s --interpret -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not stablehlo-translate %s --interpret --function=fails -o %t.txt 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t.txt

// CHECK: dense<[1.000000e+00, 0x7FC0]> : tensor<2xbf16>
// CHECK-NEXT: dense<[1, -2]> : tensor<2xi4>
// CHECK-NEXT: dense<[true, false]> : tensor<2xi1>

// TEXT: tensor<2xbf16> {
// TEXT: tensor<2xi4> {
// TEXT-NEXT: [1, -2]
// TEXT: tensor<2xi1> {

// FOLDER: output.mlir: error: cannot write results to '{{.*}}x.npz': no such file or directory
// TEXT-FOLDER: error: cannot open output file '{{.*}}x.txt': no such file or directory
// FULL: error: cannot write output file '/dev/full': no space left on device
// FAILS-NOT: Exception ignored
// FAILS: error:{{.*}}check.expect_eq
// FAILS-NOT: Exception ignored

func.func @main() -> (tensor<2xbf16>, tensor<2xi4>, tensor<2xi1>) {
  %0 = stablehlo.constant dense<[1.0, 0x7FC0]> : tensor<2xbf16>
  %1 = stablehlo.constant dense<[1, -2]> : tensor<2xi4>
  %2 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  func.return %0, %1, %2 : tensor<2xbf16>, tensor<2xi4>, tensor<2xi1>
}

func.func @again(%0: tensor<2xbf16>, %1: tensor<2xi4>, %2: tensor<2xi1>) -> (tensor<2xbf16>, tensor<2xi4>, tensor<2xi1>) {
  func.return %0, %1, %2 : tensor<2xbf16>, tensor<2xi4>, tensor<2xi1>
}

func.func @fails() -> tensor<i32> {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.constant dense<2> : tensor<i32>
  check.expect_eq %0, %1 : tensor<i32>
  func.return %0 : tensor<i32>
}
