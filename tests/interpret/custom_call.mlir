// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @no_results() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  stablehlo.custom_call @check.expect_eq(%0, %0) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
  func.return
}

// -----

func.func @result() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.custom_call @check.eq(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  check.expect_eq_const %1, dense<true> : tensor<i1>
  func.return
}

// -----

func.func @in_a_region() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %result = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %0 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      stablehlo.custom_call @check.expect_eq(%i, %i) : (tensor<i32>, tensor<i32>) -> ()
      %0 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %0 : tensor<i32>
    }
  check.expect_eq_const %result, dense<3> : tensor<i32>
  func.return
}

// -----

func.func @never_reached() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  // The spec's example names @foo, which nobody has registered.
  %result = "stablehlo.if"(%pred) ({
    %0 = "stablehlo.custom_call"(%x) {
      call_target_name = "foo",
      has_side_effect = false,
      backend_config = {bar = 42 : i32},
      api_version = 4 : i32
    } : (tensor<f32>) -> tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  check.expect_eq_const %result, dense<1.0> : tensor<f32>
  func.return
}
