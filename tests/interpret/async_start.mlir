// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The spec's example, of two processes.
module @async_start_of_all_gather {
  func.func @gather(%operand: tensor<2x1xf32>) -> tensor<2x2xf32> {
    %future = "stablehlo.async_start"(%operand) ({
    ^bb0(%arg: tensor<2x1xf32>):
      %0 = "stablehlo.all_gather"(%arg) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
        : (tensor<2x1xf32>) -> tensor<2x2xf32>
      stablehlo.return %0 : tensor<2x2xf32>
    }) : (tensor<2x1xf32>) -> !stablehlo.future<tensor<2x2xf32>>
    %result = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<2x2xf32>>) -> tensor<2x2xf32>
    return %result : tensor<2x2xf32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
    %b = stablehlo.constant dense<[[3.0], [4.0]]> : tensor<2x1xf32>
    %results:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@gather], [@gather]]}
      : (tensor<2x1xf32>, tensor<2x1xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
    check.expect_eq_const %results#0, dense<[[1.0, 3.0], [2.0, 4.0]]> : tensor<2x2xf32>
    check.expect_eq_const %results#1, dense<[[1.0, 3.0], [2.0, 4.0]]> : tensor<2x2xf32>
    return
  }
}
