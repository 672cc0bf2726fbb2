// REQUIRES: collective_reduce
// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// 1 + 2 and 1.5 + 63 in steps of 0.25; process 1, which gets no sum, gets the zero point.
module @collective_reduce_promotes_and_fills {
  func.func @process(%operand: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i32:f32, 0.25:10>> {
    %result = "stablehlo.collective_reduce"(%operand) ({
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
    %r0 = stablehlo.bitcast_convert %results#0 : (tensor<2x!quant.uniform<i32:f32, 0.25:10>>) -> tensor<2xi32>
    check.expect_eq_const %r0, dense<[22, 268]> : tensor<2xi32>
    %r1 = stablehlo.bitcast_convert %results#1 : (tensor<2x!quant.uniform<i32:f32, 0.25:10>>) -> tensor<2xi32>
    check.expect_eq_const %r1, dense<[10, 10]> : tensor<2xi32>
    return
  }
}
