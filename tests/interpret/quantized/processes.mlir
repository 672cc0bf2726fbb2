// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// Nobody sends to process 0, which gets the zero point.
module @collective_permute_fills_with_what_stands_for_zero {
  func.func @process(%operand: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>> {
    %result = "stablehlo.collective_permute"(%operand) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    return %result : tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  }
  func.func @main() {
    %a0 = stablehlo.constant() <{value = dense<[3, 4]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %a1 = stablehlo.constant() <{value = dense<[5, 6]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %results:2 = "interpreter.run_parallel"(%a0, %a1) {programs = [[@process], [@process]]}
      : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>)
    %results_0_stored = stablehlo.bitcast_convert %results#0 : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
    check.expect_eq_const %results_0_stored, dense<[1, 1]> : tensor<2xi8>
    %results_1_stored = stablehlo.bitcast_convert %results#1 : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
    check.expect_eq_const %results_1_stored, dense<[3, 4]> : tensor<2xi8>
    return
  }
}

// -----

// Process 2 is in no group.
module @collective_broadcast_fills_with_what_stands_for_zero {
  func.func @process(%operand: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>> {
    %result = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    return %result : tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  }
  func.func @main() {
    %a0 = stablehlo.constant() <{value = dense<[3, 4]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %a1 = stablehlo.constant() <{value = dense<[5, 6]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %a2 = stablehlo.constant() <{value = dense<[7, 8]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %results:3 = "interpreter.run_parallel"(%a0, %a1, %a2) {programs = [[@process], [@process], [@process]]}
      : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>)
    %results_0_stored = stablehlo.bitcast_convert %results#0 : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
    check.expect_eq_const %results_0_stored, dense<[5, 6]> : tensor<2xi8>
    %results_1_stored = stablehlo.bitcast_convert %results#1 : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
    check.expect_eq_const %results_1_stored, dense<[5, 6]> : tensor<2xi8>
    %results_2_stored = stablehlo.bitcast_convert %results#2 : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
    check.expect_eq_const %results_2_stored, dense<[1, 1]> : tensor<2xi8>
    return
  }
}

// -----

module @all_gather_moves {
  func.func @process(%operand: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>> {
    %result = "stablehlo.all_gather"(%operand) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
    return %result : tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  }
  func.func @main() {
    %a0 = stablehlo.constant() <{value = dense<[3, 4]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %a1 = stablehlo.constant() <{value = dense<[5, 6]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %results:2 = "interpreter.run_parallel"(%a0, %a1) {programs = [[@process], [@process]]}
      : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> (tensor<4x!quant.uniform<i8:f32, 0.5:1>>, tensor<4x!quant.uniform<i8:f32, 0.5:1>>)
    %results_0_stored = stablehlo.bitcast_convert %results#0 : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4xi8>
    check.expect_eq_const %results_0_stored, dense<[3, 4, 5, 6]> : tensor<4xi8>
    %results_1_stored = stablehlo.bitcast_convert %results#1 : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4xi8>
    check.expect_eq_const %results_1_stored, dense<[3, 4, 5, 6]> : tensor<4xi8>
    return
  }
}

// -----

// 1 + 2 and 1.5 + 63, which saturates
module @all_reduce_computes {
  func.func @process(%operand: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>> {
    %result = "stablehlo.all_reduce"(%operand) ({
        ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>):
          %sum = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:1>>
          stablehlo.return %sum : tensor<!quant.uniform<i8:f32, 0.5:1>>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    return %result : tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  }
  func.func @main() {
    %a0 = stablehlo.constant() <{value = dense<[3, 4]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %a1 = stablehlo.constant() <{value = dense<[5, 127]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %results:2 = "interpreter.run_parallel"(%a0, %a1) {programs = [[@process], [@process]]}
      : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>)
    %results_0_stored = stablehlo.bitcast_convert %results#0 : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
    check.expect_eq_const %results_0_stored, dense<[7, 127]> : tensor<2xi8>
    %results_1_stored = stablehlo.bitcast_convert %results#1 : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
    check.expect_eq_const %results_1_stored, dense<[7, 127]> : tensor<2xi8>
    return
  }
}

// -----

// 1 + 2 and 1.5 + 63 in steps of 0.25
module @all_reduce_promotes_to_the_type_of_the_result {
  func.func @process(%operand: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i32:f32, 0.25:10>> {
    %result = "stablehlo.all_reduce"(%operand) ({
        ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.25:10>>, %b: tensor<!quant.uniform<i32:f32, 0.25:10>>):
          %sum = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.25:10>>
          stablehlo.return %sum : tensor<!quant.uniform<i32:f32, 0.25:10>>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i32:f32, 0.25:10>>
    return %result : tensor<2x!quant.uniform<i32:f32, 0.25:10>>
  }
  func.func @main() {
    %a0 = stablehlo.constant() <{value = dense<[3, 4]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %a1 = stablehlo.constant() <{value = dense<[5, 127]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %results:2 = "interpreter.run_parallel"(%a0, %a1) {programs = [[@process], [@process]]}
      : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> (tensor<2x!quant.uniform<i32:f32, 0.25:10>>, tensor<2x!quant.uniform<i32:f32, 0.25:10>>)
    %results_0_stored = stablehlo.bitcast_convert %results#0 : (tensor<2x!quant.uniform<i32:f32, 0.25:10>>) -> tensor<2xi32>
    check.expect_eq_const %results_0_stored, dense<[22, 268]> : tensor<2xi32>
    %results_1_stored = stablehlo.bitcast_convert %results#1 : (tensor<2x!quant.uniform<i32:f32, 0.25:10>>) -> tensor<2xi32>
    check.expect_eq_const %results_1_stored, dense<[22, 268]> : tensor<2xi32>
    return
  }
}

// -----

// A sum for each process: 1 + 2 and 1.5 + 2.5
module @reduce_scatter_computes {
  func.func @process(%operand: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<1x!quant.uniform<i8:f32, 0.5:1>> {
    %result = "stablehlo.reduce_scatter"(%operand) ({
        ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>):
          %sum = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:1>>
          stablehlo.return %sum : tensor<!quant.uniform<i8:f32, 0.5:1>>
      }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<1x!quant.uniform<i8:f32, 0.5:1>>
    return %result : tensor<1x!quant.uniform<i8:f32, 0.5:1>>
  }
  func.func @main() {
    %a0 = stablehlo.constant() <{value = dense<[3, 4]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %a1 = stablehlo.constant() <{value = dense<[5, 6]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %results:2 = "interpreter.run_parallel"(%a0, %a1) {programs = [[@process], [@process]]}
      : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> (tensor<1x!quant.uniform<i8:f32, 0.5:1>>, tensor<1x!quant.uniform<i8:f32, 0.5:1>>)
    %results_0_stored = stablehlo.bitcast_convert %results#0 : (tensor<1x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<1xi8>
    check.expect_eq_const %results_0_stored, dense<[7]> : tensor<1xi8>
    %results_1_stored = stablehlo.bitcast_convert %results#1 : (tensor<1x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<1xi8>
    check.expect_eq_const %results_1_stored, dense<[9]> : tensor<1xi8>
    return
  }
}
