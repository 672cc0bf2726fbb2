// RUN: not stablehlo-translate --serialize --target=0.18.0 %s -o %t 2>&1 | FileCheck %s
// CHECK: error: the program cannot be written for 0.18.0

// needs: operation 'stablehlo.composite' needs StableHLO 0.19.0 (operation composite)
func.func @op_composite(%operand: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "any.name" %operand {composite_attributes = {one = 1 : i64}, decomposition = @declared, version = 2 : i32} : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

func.func private @declared(tensor<f32> {any.name = "argument"}) -> (tensor<f32> {any.name = "result"})
