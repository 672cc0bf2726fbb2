// RUN: not stablehlo-translate --serialize --target=1.16.0 %s -o %t 2>&1 | FileCheck %s
// CHECK: error: the program cannot be written for 1.16.0

// needs: operation 'stablehlo.custom_call' needs StableHLO 1.17.0 (future types of custom_call)
// needs: type 'future<tensor<2xf32>>' of operation 'func.func' needs StableHLO 1.15.0 (operations async_start and async_done, future types)
func.func @op_custom_call_of_future(%operand: !stablehlo.future<tensor<2xf32>>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32} : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
