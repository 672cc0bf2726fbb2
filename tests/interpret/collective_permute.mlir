// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The spec's example: a chain; nobody sends to process 0.
module @collective_permute_along_a_chain {
  func.func @permute(%operand: tensor<2x2xi64>) -> tensor<2x2xi64> {
    %result = "stablehlo.collective_permute"(%operand) {
      source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>
    } : (tensor<2x2xi64>) -> tensor<2x2xi64>
    return %result : tensor<2x2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    %b = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
    %c = stablehlo.constant dense<[[9, 10], [11, 12]]> : tensor<2x2xi64>
    %results:3 = "interpreter.run_parallel"(%a, %b, %c) {programs = [[@permute], [@permute], [@permute]]}
      : (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>)
    check.expect_eq_const %results#0, dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
    check.expect_eq_const %results#1, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    check.expect_eq_const %results#2, dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
    return
  }
}

// -----

// Within each replica, the partitions swap.
module @collective_permute_swaps_partitions {
  func.func @permute(%operand: tensor<i4>) -> tensor<i4> {
    %result = "stablehlo.collective_permute"(%operand) {
      source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>
    } : (tensor<i4>) -> tensor<i4>
    return %result : tensor<i4>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<i4>
    %b = stablehlo.constant dense<2> : tensor<i4>
    %c = stablehlo.constant dense<3> : tensor<i4>
    %d = stablehlo.constant dense<-8> : tensor<i4>
    %results:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@permute, @permute], [@permute, @permute]]}
      : (tensor<i4>, tensor<i4>, tensor<i4>, tensor<i4>) -> (tensor<i4>, tensor<i4>, tensor<i4>, tensor<i4>)
    check.expect_eq_const %results#0, dense<2> : tensor<i4>
    check.expect_eq_const %results#1, dense<1> : tensor<i4>
    check.expect_eq_const %results#2, dense<-8> : tensor<i4>
    check.expect_eq_const %results#3, dense<3> : tensor<i4>
    return
  }
}

// -----

// A process may send to itself; one that no pair names neither waits nor receives.
module @collective_permute_to_itself {
  func.func @permute(%operand: tensor<f32>) -> tensor<f32> {
    %result = "stablehlo.collective_permute"(%operand) {source_target_pairs = dense<[[1, 1]]> : tensor<1x2xi64>}
      : (tensor<f32>) -> tensor<f32>
    return %result : tensor<f32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1.0> : tensor<f32>
    %b = stablehlo.constant dense<2.0> : tensor<f32>
    %results:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@permute], [@permute]]}
      : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
    check.expect_eq_const %results#0, dense<0.0> : tensor<f32>
    check.expect_eq_const %results#1, dense<2.0> : tensor<f32>
    return
  }
}

// -----

// f8E8M0FNU has no zero: the constant 0.0, which a process without a source gets, is the smallest number.
module @collective_permute_of_a_type_without_zero {
  func.func @permute(%operand: tensor<f8E8M0FNU>) -> tensor<f8E8M0FNU> {
    %result = "stablehlo.collective_permute"(%operand) {
      source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>
    } : (tensor<f8E8M0FNU>) -> tensor<f8E8M0FNU>
    return %result : tensor<f8E8M0FNU>
  }
  func.func @main() {
    %a = stablehlo.constant dense<4.0> : tensor<f8E8M0FNU>
    %results:2 = "interpreter.run_parallel"(%a, %a) {programs = [[@permute], [@permute]]}
      : (tensor<f8E8M0FNU>, tensor<f8E8M0FNU>) -> (tensor<f8E8M0FNU>, tensor<f8E8M0FNU>)
    check.expect_eq_const %results#0, dense<0.0> : tensor<f8E8M0FNU>
    check.expect_eq_const %results#1, dense<4.0> : tensor<f8E8M0FNU>
    return
  }
}
