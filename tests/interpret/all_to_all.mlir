// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The spec's example.
module @all_to_all_of_two_operands {
  func.func @exchange(%operand1: tensor<2x4xi64>, %operand2: tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>) {
    %result:2 = "stablehlo.all_to_all"(%operand1, %operand2) {
      split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
    } : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>)
    return %result#0, %result#1 : tensor<4x2xi64>, tensor<4x2xi64>
  }
  func.func @main() {
    %a1 = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
    %a2 = stablehlo.constant dense<[[17, 18, 19, 20], [21, 22, 23, 24]]> : tensor<2x4xi64>
    %b1 = stablehlo.constant dense<[[9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<2x4xi64>
    %b2 = stablehlo.constant dense<[[25, 26, 27, 28], [29, 30, 31, 32]]> : tensor<2x4xi64>
    %results:4 = "interpreter.run_parallel"(%a1, %a2, %b1, %b2) {programs = [[@exchange], [@exchange]]}
      : (tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>)
      -> (tensor<4x2xi64>, tensor<4x2xi64>, tensor<4x2xi64>, tensor<4x2xi64>)
    check.expect_eq_const %results#0, dense<[[1, 2], [5, 6], [9, 10], [13, 14]]> : tensor<4x2xi64>
    check.expect_eq_const %results#1, dense<[[17, 18], [21, 22], [25, 26], [29, 30]]> : tensor<4x2xi64>
    check.expect_eq_const %results#2, dense<[[3, 4], [7, 8], [11, 12], [15, 16]]> : tensor<4x2xi64>
    check.expect_eq_const %results#3, dense<[[19, 20], [23, 24], [27, 28], [31, 32]]> : tensor<4x2xi64>
    return
  }
}

// -----

// With a channel, groups are of partitions: replicas keep apart. The group [1, 0] turns the order around.
module @all_to_all_cross_partition {
  func.func @exchange(%operand: tensor<2xi16>) -> tensor<2xi16> {
    %result = "stablehlo.all_to_all"(%operand) {
      split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
      replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>
    } : (tensor<2xi16>) -> tensor<2xi16>
    return %result : tensor<2xi16>
  }
  func.func @main() {
    %p00 = stablehlo.constant dense<[0, 1]> : tensor<2xi16>
    %p01 = stablehlo.constant dense<[10, 11]> : tensor<2xi16>
    %p10 = stablehlo.constant dense<[100, 101]> : tensor<2xi16>
    %p11 = stablehlo.constant dense<[110, 111]> : tensor<2xi16>
    %results:4 = "interpreter.run_parallel"(%p00, %p01, %p10, %p11) {
      programs = [[@exchange, @exchange], [@exchange, @exchange]]
    } : (tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>)
      -> (tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>)
    check.expect_eq_const %results#0, dense<[11, 1]> : tensor<2xi16>
    check.expect_eq_const %results#1, dense<[10, 0]> : tensor<2xi16>
    check.expect_eq_const %results#2, dense<[111, 101]> : tensor<2xi16>
    check.expect_eq_const %results#3, dense<[110, 100]> : tensor<2xi16>
    return
  }
}
