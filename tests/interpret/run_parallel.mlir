// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// Programs of different signatures: arguments and results stand one process after the other.
module @run_parallel_of_different_programs {
  func.func @nothing() {
    return
  }
  func.func @both(%a: tensor<i32>, %b: tensor<f32>) -> (tensor<f32>, tensor<i32>) {
    return %b, %a : tensor<f32>, tensor<i32>
  }
  func.func @one(%a: tensor<i8>) -> tensor<i8> {
    return %a : tensor<i8>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.constant dense<2.0> : tensor<f32>
    %c = stablehlo.constant dense<3> : tensor<i8>
    %results:3 = "interpreter.run_parallel"(%a, %b, %c) {programs = [[@nothing, @both, @one]]}
      : (tensor<i32>, tensor<f32>, tensor<i8>) -> (tensor<f32>, tensor<i32>, tensor<i8>)
    check.expect_eq_const %results#0, dense<2.0> : tensor<f32>
    check.expect_eq_const %results#1, dense<1> : tensor<i32>
    check.expect_eq_const %results#2, dense<3> : tensor<i8>
    return
  }
}

// -----

// Checks count in whichever process they are.
module @run_parallel_of_checks {
  func.func @checks(%a: tensor<i32>) {
    check.expect_eq_const %a, dense<1> : tensor<i32>
    return
  }
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<i32>
    "interpreter.run_parallel"(%a, %a) {programs = [[@checks], [@checks]]} : (tensor<i32>, tensor<i32>) -> ()
    return
  }
}

// -----

// A process may make a grid of its own.
module @run_parallel_within_run_parallel {
  func.func @inner() -> tensor<ui32> {
    %0 = stablehlo.partition_id : tensor<ui32>
    return %0 : tensor<ui32>
  }
  func.func @outer() -> (tensor<ui32>, tensor<ui32>) {
    %results:3 = "interpreter.run_parallel"() {programs = [[@inner, @inner, @inner]]}
      : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>)
    %0 = stablehlo.partition_id : tensor<ui32>
    return %results#2, %0 : tensor<ui32>, tensor<ui32>
  }
  func.func @main() {
    %results:4 = "interpreter.run_parallel"() {programs = [[@outer, @outer]]}
      : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
    check.expect_eq_const %results#0, dense<2> : tensor<ui32>
    check.expect_eq_const %results#1, dense<0> : tensor<ui32>
    check.expect_eq_const %results#2, dense<2> : tensor<ui32>
    check.expect_eq_const %results#3, dense<1> : tensor<ui32>
    return
  }
}
