// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The spec's example: the first process of the group sends, those of no group get zeros.
module @collective_broadcast_from_the_first {
  func.func @broadcast(%operand: tensor<1x2xi64>) -> tensor<1x2xi64> {
    %result = "stablehlo.collective_broadcast"(%operand) {
      replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>
    } : (tensor<1x2xi64>) -> tensor<1x2xi64>
    return %result : tensor<1x2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %d = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
    %results:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {
      programs = [[@broadcast], [@broadcast], [@broadcast], [@broadcast]]
    } : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
      -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
    check.expect_eq_const %results#0, dense<[[0, 0]]> : tensor<1x2xi64>
    check.expect_eq_const %results#1, dense<[[5, 6]]> : tensor<1x2xi64>
    check.expect_eq_const %results#2, dense<[[5, 6]]> : tensor<1x2xi64>
    check.expect_eq_const %results#3, dense<[[0, 0]]> : tensor<1x2xi64>
    return
  }
}

// -----

module @collective_broadcast_cross_partition {
  func.func @broadcast(%operand: tensor<bf16>) -> tensor<bf16> {
    %result = "stablehlo.collective_broadcast"(%operand) {
      replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>
    } : (tensor<bf16>) -> tensor<bf16>
    return %result : tensor<bf16>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1.5> : tensor<bf16>
    %b = stablehlo.constant dense<-0.0> : tensor<bf16>
    %results:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@broadcast, @broadcast]]}
      : (tensor<bf16>, tensor<bf16>) -> (tensor<bf16>, tensor<bf16>)
    check.expect_eq_const %results#0, dense<-0.0> : tensor<bf16>
    check.expect_eq_const %results#1, dense<-0.0> : tensor<bf16>
    return
  }
}
