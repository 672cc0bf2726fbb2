// RUN: not stablehlo-translate --serialize --target=1.3.0 %s -o %t 2>&1 | FileCheck %s
// CHECK: error: the program cannot be written for 1.3.0

// needs: operation 'stablehlo.tan' needs StableHLO 1.4.0 (operation tan)
func.func @op_tan(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.tan"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
