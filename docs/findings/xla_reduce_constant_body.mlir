// Reduced by hlokit from @bodies_that_ignore_arguments: diverges:xla
//   hlokit diff docs/findings/xla_reduce_constant_body.mlir --against=xla
// int32[1] expected, int32[] there

module {
  func.func @main() -> tensor<1xi32> {
    %c = stablehlo.constant dense<0> : tensor<1x1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.optimization_barrier %c, %c_0 : tensor<1x1xi32>, tensor<i32>
    %1 = stablehlo.reduce(%0#0 init: %0#1) across dimensions = [1] : (tensor<1x1xi32>, tensor<i32>) -> tensor<1xi32>
     reducer(%arg0: tensor<i32>, %arg1: tensor<i32>)  {
      stablehlo.return %0#1 : tensor<i32>
    }
    return %1 : tensor<1xi32>
  }
}
