// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The spec's example, with a decomposition.
func.func @main() {
  %input0 = stablehlo.constant dense<2.0> : tensor<f32>
  %input1 = stablehlo.constant dense<3.0> : tensor<f32>
  %results = "stablehlo.composite"(%input0, %input1) {
    name = "my.op",
    composite_attributes = {
      my_attribute = "my_value"
    },
    decomposition = @my_op,
    version = 1 : i32
  } : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %results, dense<11.0> : tensor<f32>
  func.return
}

func.func private @my_op(%lhs: tensor<f32>, %rhs: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.multiply %rhs, %rhs : tensor<f32>
  %1 = stablehlo.add %0, %lhs : tensor<f32>
  return %1 : tensor<f32>
}

// -----

// One of several results, within another one.
func.func @main() {
  %input = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %a, %b = stablehlo.composite "my.outer" %input {decomposition = @outer} : (tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %a, dense<[2, 4]> : tensor<2xi32>
  check.expect_eq_const %b, dense<[4, 8]> : tensor<2xi32>
  func.return
}

func.func private @outer(%input: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %0 = stablehlo.composite "my.double" %input {decomposition = @double} : (tensor<2xi32>) -> tensor<2xi32>
  %1 = stablehlo.composite "my.double" %0 {decomposition = @double} : (tensor<2xi32>) -> tensor<2xi32>
  return %0, %1 : tensor<2xi32>, tensor<2xi32>
}

func.func private @double(%input: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %input, %input : tensor<2xi32>
  return %0 : tensor<2xi32>
}
