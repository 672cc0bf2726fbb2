// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The spec's example.
module @all_gather_along_a_dimension {
  func.func @gather(%operand0: tensor<2x2xi64>, %operand1: tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>) {
    %result:2 = "stablehlo.all_gather"(%operand0, %operand1) {
      all_gather_dim = 1 : i64,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>
    } : (tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>)
    return %result#0, %result#1 : tensor<2x4xi64>, tensor<2x4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    %a1 = stablehlo.constant dense<[[11, 12], [13, 14]]> : tensor<2x2xi64>
    %b0 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
    %b1 = stablehlo.constant dense<[[15, 16], [17, 18]]> : tensor<2x2xi64>
    %results:4 = "interpreter.run_parallel"(%a0, %a1, %b0, %b1) {programs = [[@gather], [@gather]]}
      : (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>)
      -> (tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>)
    check.expect_eq_const %results#0, dense<[[1, 2, 5, 6], [3, 4, 7, 8]]> : tensor<2x4xi64>
    check.expect_eq_const %results#1, dense<[[11, 12, 15, 16], [13, 14, 17, 18]]> : tensor<2x4xi64>
    check.expect_eq_const %results#2, dense<[[1, 2, 5, 6], [3, 4, 7, 8]]> : tensor<2x4xi64>
    check.expect_eq_const %results#3, dense<[[11, 12, 15, 16], [13, 14, 17, 18]]> : tensor<2x4xi64>
    return
  }
}

// -----

// Values stand in the order of the group, not of the processes.
module @all_gather_in_group_order {
  func.func @gather() -> tensor<2xui32> {
    %id = stablehlo.replica_id : tensor<ui32>
    %operand = stablehlo.reshape %id : (tensor<ui32>) -> tensor<1xui32>
    %result = "stablehlo.all_gather"(%operand) {
      all_gather_dim = 0 : i64,
      replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>
    } : (tensor<1xui32>) -> tensor<2xui32>
    return %result : tensor<2xui32>
  }
  func.func @main() {
    %results:4 = "interpreter.run_parallel"() {programs = [[@gather], [@gather], [@gather], [@gather]]}
      : () -> (tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>)
    check.expect_eq_const %results#0, dense<[3, 0]> : tensor<2xui32>
    check.expect_eq_const %results#1, dense<[1, 2]> : tensor<2xui32>
    check.expect_eq_const %results#2, dense<[1, 2]> : tensor<2xui32>
    check.expect_eq_const %results#3, dense<[3, 0]> : tensor<2xui32>
    return
  }
}

// -----

// Without a channel, groups stay within a partition.
module @all_gather_cross_replica {
  func.func @gather(%operand: tensor<1xi8>) -> tensor<2xi8> {
    %result = "stablehlo.all_gather"(%operand) {
      all_gather_dim = 0 : i64,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
    } : (tensor<1xi8>) -> tensor<2xi8>
    return %result : tensor<2xi8>
  }
  func.func @main() {
    %p00 = stablehlo.constant dense<0> : tensor<1xi8>
    %p01 = stablehlo.constant dense<1> : tensor<1xi8>
    %p10 = stablehlo.constant dense<10> : tensor<1xi8>
    %p11 = stablehlo.constant dense<11> : tensor<1xi8>
    %results:4 = "interpreter.run_parallel"(%p00, %p01, %p10, %p11) {
      programs = [[@gather, @gather], [@gather, @gather]]
    } : (tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>)
      -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>)
    check.expect_eq_const %results#0, dense<[0, 10]> : tensor<2xi8>
    check.expect_eq_const %results#1, dense<[1, 11]> : tensor<2xi8>
    check.expect_eq_const %results#2, dense<[0, 10]> : tensor<2xi8>
    check.expect_eq_const %results#3, dense<[1, 11]> : tensor<2xi8>
    return
  }
}

// -----

// With a channel, a group of replicas has all their partitions, partition by partition.
module @all_gather_cross_replica_and_partition {
  func.func @gather(%operand: tensor<1xi8>) -> tensor<4xi8> {
    %result = "stablehlo.all_gather"(%operand) {
      all_gather_dim = 0 : i64,
      replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 5, type = 0>
    } : (tensor<1xi8>) -> tensor<4xi8>
    return %result : tensor<4xi8>
  }
  func.func @main() {
    %p00 = stablehlo.constant dense<0> : tensor<1xi8>
    %p01 = stablehlo.constant dense<1> : tensor<1xi8>
    %p10 = stablehlo.constant dense<10> : tensor<1xi8>
    %p11 = stablehlo.constant dense<11> : tensor<1xi8>
    %results:4 = "interpreter.run_parallel"(%p00, %p01, %p10, %p11) {
      programs = [[@gather, @gather], [@gather, @gather]]
    } : (tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>)
      -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>)
    check.expect_eq_const %results#0, dense<[10, 0, 11, 1]> : tensor<4xi8>
    check.expect_eq_const %results#3, dense<[10, 0, 11, 1]> : tensor<4xi8>
    return
  }
}

// -----

// Global ids count replica by replica.
module @all_gather_flattened_ids {
  func.func @gather(%operand: tensor<1xi8>) -> tensor<2xi8> {
    %result = "stablehlo.all_gather"(%operand) {
      all_gather_dim = 0 : i64,
      replica_groups = dense<[[0, 3], [2, 1]]> : tensor<2x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
      use_global_device_ids
    } : (tensor<1xi8>) -> tensor<2xi8>
    return %result : tensor<2xi8>
  }
  func.func @main() {
    %p00 = stablehlo.constant dense<0> : tensor<1xi8>
    %p01 = stablehlo.constant dense<1> : tensor<1xi8>
    %p10 = stablehlo.constant dense<10> : tensor<1xi8>
    %p11 = stablehlo.constant dense<11> : tensor<1xi8>
    %results:4 = "interpreter.run_parallel"(%p00, %p01, %p10, %p11) {
      programs = [[@gather, @gather], [@gather, @gather]]
    } : (tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>)
      -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>)
    check.expect_eq_const %results#0, dense<[0, 11]> : tensor<2xi8>
    check.expect_eq_const %results#1, dense<[10, 1]> : tensor<2xi8>
    check.expect_eq_const %results#2, dense<[10, 1]> : tensor<2xi8>
    check.expect_eq_const %results#3, dense<[0, 11]> : tensor<2xi8>
    return
  }
}

// -----

// Narrow types and complex numbers.
module @all_gather_of_every_kind {
  func.func @gather(%a: tensor<1xi4>, %b: tensor<1xf8E4M3FN>, %c: tensor<1xcomplex<f32>>, %d: tensor<1xi1>)
      -> (tensor<2xi4>, tensor<2xf8E4M3FN>, tensor<2xcomplex<f32>>, tensor<2xi1>) {
    %result:4 = "stablehlo.all_gather"(%a, %b, %c, %d) {
      all_gather_dim = 0 : i64,
      replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>
    } : (tensor<1xi4>, tensor<1xf8E4M3FN>, tensor<1xcomplex<f32>>, tensor<1xi1>)
      -> (tensor<2xi4>, tensor<2xf8E4M3FN>, tensor<2xcomplex<f32>>, tensor<2xi1>)
    return %result#0, %result#1, %result#2, %result#3
      : tensor<2xi4>, tensor<2xf8E4M3FN>, tensor<2xcomplex<f32>>, tensor<2xi1>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<-8> : tensor<1xi4>
    %b0 = stablehlo.constant dense<0.5> : tensor<1xf8E4M3FN>
    %c0 = stablehlo.constant dense<(1.0, -0.0)> : tensor<1xcomplex<f32>>
    %d0 = stablehlo.constant dense<true> : tensor<1xi1>
    %a1 = stablehlo.constant dense<7> : tensor<1xi4>
    %b1 = stablehlo.constant dense<-448.0> : tensor<1xf8E4M3FN>
    %c1 = stablehlo.constant dense<(2.0, 3.0)> : tensor<1xcomplex<f32>>
    %d1 = stablehlo.constant dense<false> : tensor<1xi1>
    %results:8 = "interpreter.run_parallel"(%a0, %b0, %c0, %d0, %a1, %b1, %c1, %d1) {programs = [[@gather], [@gather]]}
      : (tensor<1xi4>, tensor<1xf8E4M3FN>, tensor<1xcomplex<f32>>, tensor<1xi1>,
         tensor<1xi4>, tensor<1xf8E4M3FN>, tensor<1xcomplex<f32>>, tensor<1xi1>)
      -> (tensor<2xi4>, tensor<2xf8E4M3FN>, tensor<2xcomplex<f32>>, tensor<2xi1>,
          tensor<2xi4>, tensor<2xf8E4M3FN>, tensor<2xcomplex<f32>>, tensor<2xi1>)
    check.expect_eq_const %results#0, dense<[7, -8]> : tensor<2xi4>
    check.expect_eq_const %results#1, dense<[-448.0, 0.5]> : tensor<2xf8E4M3FN>
    check.expect_eq_const %results#2, dense<[(2.0, 3.0), (1.0, -0.0)]> : tensor<2xcomplex<f32>>
    check.expect_eq_const %results#7, dense<[false, true]> : tensor<2xi1>
    return
  }
}
