// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

module @cross_replica_sum_within_groups {
  func.func @sum(%operand: tensor<2xui8>) -> tensor<2xui8> {
    %result = "stablehlo.cross-replica-sum"(%operand) {replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}
      : (tensor<2xui8>) -> tensor<2xui8>
    return %result : tensor<2xui8>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xui8>
    %b = stablehlo.constant dense<[200, 3]> : tensor<2xui8>
    %c = stablehlo.constant dense<[10, 20]> : tensor<2xui8>
    %d = stablehlo.constant dense<[100, 30]> : tensor<2xui8>
    %results:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@sum], [@sum], [@sum], [@sum]]}
      : (tensor<2xui8>, tensor<2xui8>, tensor<2xui8>, tensor<2xui8>)
      -> (tensor<2xui8>, tensor<2xui8>, tensor<2xui8>, tensor<2xui8>)
    check.expect_eq_const %results#0, dense<[11, 22]> : tensor<2xui8>
    check.expect_eq_const %results#1, dense<[44, 33]> : tensor<2xui8>
    check.expect_eq_const %results#2, dense<[11, 22]> : tensor<2xui8>
    check.expect_eq_const %results#3, dense<[44, 33]> : tensor<2xui8>
    return
  }
}
