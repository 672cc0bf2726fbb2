// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The spec's example.
module @reduce_scatter_adds {
  func.func @scatter(%operand: tensor<2x4xi64>) -> tensor<2x2xi64> {
    %result = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i64>
      stablehlo.return %sum : tensor<i64>
    }) {
      scatter_dimension = 1 : i64,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>
    } : (tensor<2x4xi64>) -> tensor<2x2xi64>
    return %result : tensor<2x2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
    %b = stablehlo.constant dense<[[9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<2x4xi64>
    %results:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@scatter], [@scatter]]}
      : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>)
    check.expect_eq_const %results#0, dense<[[10, 12], [18, 20]]> : tensor<2x2xi64>
    check.expect_eq_const %results#1, dense<[[14, 16], [22, 24]]> : tensor<2x2xi64>
    return
  }
}

// -----

// A part goes to the process at its place in the group, and the result has the type of the computation.
module @reduce_scatter_in_group_order {
  func.func @scatter(%operand: tensor<2xf16>) -> tensor<1xf32> {
    %result = "stablehlo.reduce_scatter"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %difference = stablehlo.subtract %lhs, %rhs : tensor<f32>
      stablehlo.return %difference : tensor<f32>
    }) {
      scatter_dimension = 0 : i64,
      replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>
    } : (tensor<2xf16>) -> tensor<1xf32>
    return %result : tensor<1xf32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1.0, -60000.0]> : tensor<2xf16>
    %b = stablehlo.constant dense<[5.0, 60000.0]> : tensor<2xf16>
    %results:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@scatter], [@scatter]]}
      : (tensor<2xf16>, tensor<2xf16>) -> (tensor<1xf32>, tensor<1xf32>)
    check.expect_eq_const %results#0, dense<120000.0> : tensor<1xf32>
    check.expect_eq_const %results#1, dense<4.0> : tensor<1xf32>
    return
  }
}
