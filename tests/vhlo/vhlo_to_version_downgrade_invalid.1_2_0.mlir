// RUN: not stablehlo-translate --serialize --target=1.2.0 %s -o %t 2>&1 | FileCheck %s
// CHECK: error: the program cannot be written for 1.2.0

// needs: operation 'stablehlo.custom_call' needs StableHLO 1.3.0 (custom_call with a dictionary as backend_config)
func.func @op_custom_call_with_dictionary(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32, backend_config = {one = 1 : i64}} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
