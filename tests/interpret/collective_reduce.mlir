// REQUIRES: collective_reduce
// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The spec's example: the sum is in the first process of the group, the others get zeros.
module @collective_reduce_into_the_first {
  func.func @reduce(%operand: tensor<1x2xi64>) -> tensor<1x2xi64> {
    %result = "stablehlo.collective_reduce"(%operand) ({
    ^bb0(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i64>
      stablehlo.return %sum : tensor<i64>
    }) {
      replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>
    } : (tensor<1x2xi64>) -> tensor<1x2xi64>
    return %result : tensor<1x2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %d = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
    %results:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@reduce], [@reduce], [@reduce], [@reduce]]}
      : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
      -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
    check.expect_eq_const %results#0, dense<[[16, 20]]> : tensor<1x2xi64>
    check.expect_eq_const %results#1, dense<[[0, 0]]> : tensor<1x2xi64>
    check.expect_eq_const %results#2, dense<[[0, 0]]> : tensor<1x2xi64>
    check.expect_eq_const %results#3, dense<[[0, 0]]> : tensor<1x2xi64>
    return
  }
}

// -----

// Each operand has a root of its own: a position in the group. From left to right, 5 - 1 - 1.
module @collective_reduce_into_a_root {
  func.func @reduce(%a: tensor<i32>) -> (tensor<i32>, tensor<f32>) {
    %roots = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
    %result:2 = "stablehlo.collective_reduce"(%a, %a, %roots) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %difference = stablehlo.subtract %lhs, %rhs : tensor<i32>
      stablehlo.return %difference : tensor<i32>
    }) {has_dynamic_root, replica_groups = dense<[[2, 1, 0]]> : tensor<1x3xi64>}
      : (tensor<i32>, tensor<i32>, tensor<2xi32>) -> (tensor<i32>, tensor<i32>)
    %second = stablehlo.convert %result#1 : (tensor<i32>) -> tensor<f32>
    return %result#0, %second : tensor<i32>, tensor<f32>
  }
  func.func @main() {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %five = stablehlo.constant dense<5> : tensor<i32>
    %results:6 = "interpreter.run_parallel"(%one, %one, %five) {programs = [[@reduce], [@reduce], [@reduce]]}
      : (tensor<i32>, tensor<i32>, tensor<i32>)
      -> (tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>)
    check.expect_eq_const %results#0, dense<0> : tensor<i32>
    check.expect_eq_const %results#2, dense<3> : tensor<i32>
    check.expect_eq_const %results#3, dense<0.0> : tensor<f32>
    check.expect_eq_const %results#4, dense<0> : tensor<i32>
    check.expect_eq_const %results#5, dense<3.0> : tensor<f32>
    return
  }
}
