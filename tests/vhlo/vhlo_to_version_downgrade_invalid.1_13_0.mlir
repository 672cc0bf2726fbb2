// RUN: not stablehlo-translate --serialize --target=1.13.0 %s -o %t 2>&1 | FileCheck %s
// CHECK: error: the program cannot be written for 1.13.0

// needs: operation 'stablehlo.composite' needs StableHLO 1.14.0 (composite with regions)
func.func @op_composite_with_region(%operand: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.composite"(%operand) ({
    stablehlo.return %operand : tensor<f32>
  }) {name = "any.name", decomposition = @declared} : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

func.func private @declared(tensor<f32> {any.name = "argument"}) -> (tensor<f32> {any.name = "result"})
