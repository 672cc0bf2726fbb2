// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %index = stablehlo.constant dense<-1> : tensor<i32>
  %result_branch0 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %result_branch1 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %result0, %result1 = "stablehlo.case"(%index) ({
    stablehlo.return %result_branch0, %result_branch0 : tensor<2xi64>, tensor<2xi64>
  }, {
    stablehlo.return %result_branch1, %result_branch1 : tensor<2xi64>, tensor<2xi64>
  }) : (tensor<i32>) -> (tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %result0, dense<[1, 1]> : tensor<2xi64>
  check.expect_eq_const %result1, dense<[1, 1]> : tensor<2xi64>
  func.return
}

// -----

func.func @index_in_bounds() {
  %index = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.constant dense<10.0> : tensor<f32>
  %result = "stablehlo.case"(%index) ({
    %0 = stablehlo.custom_call @nobody_has_registered_this() : () -> tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }, {
    %0 = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }, {
    stablehlo.return %a : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  check.expect_eq_const %result, dense<20.0> : tensor<f32>
  func.return
}

// -----

func.func @index_too_large_takes_the_last_branch() {
  %index = stablehlo.constant dense<2147483647> : tensor<i32>
  %a = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.constant dense<2> : tensor<i32>
  %result = "stablehlo.case"(%index) ({
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<2> : tensor<i32>
  func.return
}

// -----

func.func @one_branch() {
  %index = stablehlo.constant dense<5> : tensor<i32>
  %result = "stablehlo.case"(%index) ({
    stablehlo.return %index : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<5> : tensor<i32>
  func.return
}
