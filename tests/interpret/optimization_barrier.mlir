// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %operand0 = stablehlo.constant dense<0.0> : tensor<f32>
  %operand1 = stablehlo.constant dense<1.0> : tensor<f32>
  %result0, %result1 = "stablehlo.optimization_barrier"(%operand0, %operand1) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  check.expect_eq_const %result0, dense<0.0> : tensor<f32>
  check.expect_eq_const %result1, dense<1.0> : tensor<f32>
  func.return
}

// -----

func.func @one_operand() {
  %operand = stablehlo.constant dense<[1, -8]> : tensor<2xi4>
  %result = stablehlo.optimization_barrier %operand : tensor<2xi4>
  check.expect_eq_const %result, dense<[1, -8]> : tensor<2xi4>
  func.return
}

// -----

func.func @in_a_loop() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %result = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %0 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %1 = stablehlo.optimization_barrier %0 : tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %0:2 = stablehlo.optimization_barrier %i, %one : tensor<i32>, tensor<i32>
      %1 = stablehlo.add %0#0, %0#1 : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
  check.expect_eq_const %result, dense<5> : tensor<i32>
  func.return
}
