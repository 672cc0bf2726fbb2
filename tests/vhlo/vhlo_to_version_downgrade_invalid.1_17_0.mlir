// REQUIRES: stablehlo-1.18.0
// RUN: not stablehlo-translate --serialize --target=1.17.0 %s -o %t 2>&1 | FileCheck %s
// CHECK: error: the program cannot be written for 1.17.0

// needs: attribute 'result_tilings = array<[array<[tensor<dense<2> : tensor<1xindex>>]>]>' of operation 'stablehlo.custom_call' needs StableHLO 1.18.0 (result_tilings of custom_call)
func.func @op_custom_call_with_tilings(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.custom_call"(%operand) {call_target_name = "any", api_version = 4 : i32, operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>], result_tilings = [[dense<2> : tensor<1xindex>]]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
