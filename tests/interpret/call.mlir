// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// A function is called twice, with different arguments.
func.func @main() {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %sum, %difference = func.call @sum_and_difference(%one, %two) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  check.expect_eq_const %sum, dense<3> : tensor<i32>
  check.expect_eq_const %difference, dense<-1> : tensor<i32>
  %more, %less = func.call @sum_and_difference(%sum, %two) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  check.expect_eq_const %more, dense<5> : tensor<i32>
  check.expect_eq_const %less, dense<1> : tensor<i32>
  func.return
}

func.func private @sum_and_difference(%lhs: tensor<i32>, %rhs: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %0 = stablehlo.add %lhs, %rhs : tensor<i32>
  %1 = stablehlo.subtract %lhs, %rhs : tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

// -----

// Functions without arguments, without results, and that return their argument.
func.func @main() {
  %0 = func.call @make() : () -> tensor<2xf32>
  %1 = func.call @same(%0) : (tensor<2xf32>) -> tensor<2xf32>
  func.call @check(%1) : (tensor<2xf32>) -> ()
  func.return
}

func.func private @make() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<[1.5, -0.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func private @same(%arg: tensor<2xf32>) -> tensor<2xf32> {
  return %arg : tensor<2xf32>
}

func.func private @check(%arg: tensor<2xf32>) {
  check.expect_eq_const %arg, dense<[1.5, -0.0]> : tensor<2xf32>
  return
}

// -----

// A function that is called from a region, and one that is never called and could not be evaluated.
func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %result = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %0 = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %0 = func.call @next(%i) : (tensor<i32>) -> tensor<i32>
      stablehlo.return %0 : tensor<i32>
    }
  check.expect_eq_const %result, dense<12> : tensor<i32>
  func.return
}

func.func private @next(%i: tensor<i32>) -> tensor<i32> {
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.add %i, %three : tensor<i32>
  return %0 : tensor<i32>
}

func.func private @never(%i: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.custom_call @nobody_has_registered_this(%i) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
