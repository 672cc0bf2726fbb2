// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %result_true_branch = stablehlo.constant dense<10> : tensor<i32>
  %result_false_branch = stablehlo.constant dense<11> : tensor<i32>
  %pred = stablehlo.constant dense<true> : tensor<i1>
  %result = "stablehlo.if"(%pred) ({
    stablehlo.return %result_true_branch : tensor<i32>
  }, {
    stablehlo.return %result_false_branch : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  check.expect_eq_const %result, dense<10> : tensor<i32>
  func.return
}

// -----

func.func @false_takes_the_second_branch() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %result:2 = "stablehlo.if"(%pred) ({
    stablehlo.return %x, %pred : tensor<2xf32>, tensor<i1>
  }, {
    %0 = stablehlo.negate %x : tensor<2xf32>
    %1 = stablehlo.not %pred : tensor<i1>
    stablehlo.return %0, %1 : tensor<2xf32>, tensor<i1>
  }) : (tensor<i1>) -> (tensor<2xf32>, tensor<i1>)
  check.expect_eq_const %result#0, dense<[-1.0, -2.0]> : tensor<2xf32>
  check.expect_eq_const %result#1, dense<true> : tensor<i1>
  func.return
}

// -----

func.func @branch_not_taken_may_hold_anything() {
  %pred = stablehlo.constant dense<true> : tensor<i1>
  %x = stablehlo.constant dense<3> : tensor<i32>
  %result = "stablehlo.if"(%pred) ({
    stablehlo.return %x : tensor<i32>
  }, {
    %0 = stablehlo.custom_call @nobody_has_registered_this(%x) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  check.expect_eq_const %result, dense<3> : tensor<i32>
  func.return
}

// -----

func.func @no_results() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %x = stablehlo.constant dense<3> : tensor<i32>
  "stablehlo.if"(%pred) ({
    check.expect_eq_const %x, dense<4> : tensor<i32>
    stablehlo.return
  }, {
    check.expect_eq_const %x, dense<3> : tensor<i32>
    stablehlo.return
  }) : (tensor<i1>) -> ()
  func.return
}
