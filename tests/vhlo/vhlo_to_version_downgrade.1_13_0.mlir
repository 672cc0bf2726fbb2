// RUN: stablehlo-translate --serialize --target=1.13.0 --strip-debuginfo %s -o %t
// RUN: stablehlo-translate --deserialize %t | FileCheck %s

// CHECK: @op_composite(
func.func @op_composite(%operand: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "any.name" %operand {composite_attributes = {one = 1 : i64}, decomposition = @declared, version = 2 : i32} : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

func.func private @declared(tensor<f32> {any.name = "argument"}) -> (tensor<f32> {any.name = "result"})
